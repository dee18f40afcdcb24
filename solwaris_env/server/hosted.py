"""One hosted duel: its rules, its seats, its clock, and who follows it."""

import asyncio
import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from pydantic_core import to_json

from ..duel.codec import ACTIONS, ActionError, encode, parse_action, to_text
from ..duel.game import Duel, IllegalAction
from ..duel.replay import TIME_UP, Replay
from .clocks import LIMITS, TimeSource, clock_of
from .config import PRESENT_SECONDS
from .happenings import action_data, events_data, is_placed
from .views import legal_data, spectator_known, view_data

HUMAN = "human"
WAIT_SECONDS = 3600.0  # for people to come


class Refusal(Exception):
    """A request that is refused: HTTP status, code and sentence."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class Follower(Protocol):
    """Somebody who follows a duel: `seat` None is a spectator; `send` never blocks."""

    seat: int | None

    def send(self, text: str) -> None:
        """Hand over a message; one who cannot keep up is cut off."""
        ...


@dataclass
class SeatInfo:
    """Who plays a seat; times are those of the server's clock."""

    player: str
    name: str
    digest: bytes = b""
    last_seen: float = 0.0
    sockets: int = 0
    came: bool = True
    resigned: bool = False
    was_present: bool = True

    @property
    def human(self) -> bool:
        """Whether a person plays it."""
        return self.player == HUMAN

    def present(self, now: float) -> bool:
        """Whether its player is there, an opponent of the server always being."""
        recent = self.sockets > 0 or now - self.last_seen < PRESENT_SECONDS
        return not self.human or (self.came and recent)


@dataclass
class Past:
    """A transition that happened: who acted, what (None: time up), and its EVENT records."""

    seat: int
    action: int | None
    placing: bool
    events: np.ndarray
    all_placed: bool


def digest_of(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).digest()


def new_secret() -> str:
    """A secret that nobody guesses."""
    return secrets.token_urlsafe(24)


@dataclass
class Hosted:
    """A hosted duel; every change goes through `lock`, and is told once it is on the disk."""

    name: str
    duel: Duel
    seats: list[SeatInfo]
    setup: dict[str, Any]
    client: str
    now: TimeSource
    created: float
    past: list[Past] = field(default_factory=list)
    deadline: float | None = None
    held: bool = False
    followers: set[Follower] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    driver: asyncio.Task | None = None
    ended: float | None = None
    conceded: int | None = None  # the camp that gave up first: it loses (E2)
    decision_time: float = 0.0

    @property
    def seq(self) -> int:
        """How many transitions have happened."""
        return len(self.past)

    @property
    def over(self) -> bool:
        """Whether the duel has ended."""
        return self.duel.seat < 0

    @property
    def is_due(self) -> bool:
        """Whether the clock of the decision at hand has run out."""
        return self.deadline is not None and self.now() >= self.deadline

    @property
    def clocks(self) -> bool:
        """Whether the rules' clocks run."""
        return bool(self.setup["clocks"])

    @property
    def waiting(self) -> list[int]:
        """Seats whose player has not come yet, as long as the duel is held up for them."""
        return [n for n, seat in enumerate(self.seats) if self.held and not seat.came]

    @property
    def ready(self) -> bool:
        """Whether all have come, or have been waited for long enough, and time is still held."""
        long_enough = self.now() - self.created >= WAIT_SECONDS
        return self.held and (not self.waiting or long_enough)

    def note_resigned(self, seat: int) -> None:
        """Note that a seat has given up."""
        self.seats[seat].resigned = True
        if self.conceded is None:
            self.conceded = seat % 2

    def set_off(self) -> None:
        """Let time begin to run."""
        self.held = False
        for seat in self.seats:
            if seat.came:
                seat.last_seen = self.now()
        self.start_clock()

    def seat_of(self, secret: str) -> int | None:
        """The seat that a secret opens, None for none; takes the same time for all."""
        digest = digest_of(secret)
        found = None
        for number, seat in enumerate(self.seats):
            if hmac.compare_digest(seat.digest, digest) and seat.human:
                found = number
        return found

    # -- transitions ---------------------------------------------------------------------

    def read_action(self, action: dict[str, Any], seat: int, seq: int | None) -> int:
        """Index of a seat's named action. Raises Refusal."""
        if self.over:
            raise Refusal(409, "over", "the duel is over")
        if seq is not None and seq != self.seq:
            raise Refusal(409, "stale", f"seq is {seq}, but the duel has come to {self.seq}")
        if self.duel.seat != seat:
            raise Refusal(409, "not_your_turn", f"seat {self.duel.seat} is to act, not {seat}")
        if action["type"] == "go" and self.duel.placing:
            raise Refusal(
                409, "illegal_action", "go is for the fight: a hero is placed by the action place"
            )
        if action["type"] == "place" and not self.duel.placing:
            raise Refusal(
                409, "illegal_action", "place is for the placement: one walks by the action go"
            )
        try:
            return encode(action)
        except ActionError as error:
            raise Refusal(422, "invalid", str(error)) from error

    def advance(self, action: int | None) -> Past:
        """Apply an action of the acting seat, or None: its clock ran out. Raises Refusal."""
        duel = self.duel
        seat, placing = duel.seat, duel.placing
        before = clock_of(duel)
        try:
            if action is None:
                duel.time_up()
            else:
                duel.apply(action)
        except IllegalAction as error:
            raise Refusal(409, "illegal_action", str(error)) from error
        past = Past(seat, action, placing, duel.events.copy(), is_placed(duel.state))
        self.past.append(past)
        if clock_of(duel) != before:
            self.start_clock()
        return past

    def start_clock(self) -> None:
        """Begin the clock of the decision at hand."""
        clock = clock_of(self.duel)
        running = self.clocks and clock is not None and not self.held
        self.deadline = self.now() + LIMITS[clock[0]] if running else None

    def limit_clock(self) -> None:
        """Leave the decision at hand no more than its whole clock, whatever the log says."""
        clock = clock_of(self.duel)
        if self.deadline is not None and clock is not None:
            self.deadline = min(self.deadline, self.now() + LIMITS[clock[0]])

    def snapshot(self) -> tuple[np.ndarray, float | None]:
        """What `restore` needs to undo the next transition."""
        return self.duel.buffers.states.copy(), self.deadline

    def restore(self, kept: tuple[np.ndarray, float | None]) -> None:
        """Undo the last transition: the log could not take it."""
        self.duel.buffers.states[:], self.deadline = kept
        self.duel.refresh()
        self.past.pop()

    # -- what a viewer may know ----------------------------------------------------------

    def camp(self, seat: int | None) -> int | None:
        """The camp whose knowledge a seat shares, None for a spectator."""
        return None if seat is None else seat % 2

    def state_data(self, seat: int | None) -> dict[str, Any]:
        """The state of the duel as a seat, or a spectator (None), may know it."""
        duel = self.duel
        legal = None
        if seat is None:
            known = spectator_known(duel)
        else:
            eyes = duel.look(seat)
            known = eyes.known
            if duel.seat == seat:
                legal = legal_data(eyes.mask[0, :ACTIONS], duel.placing)
        outcome = duel.outcome
        return {
            "duel": self.name,
            "seq": self.seq,
            "seat": seat,
            "over": self.over,
            "clocks": self.clocks,
            "spectators": self.setup["spectators"],
            "seats": self.seats_data(),
            "waiting": self.waiting,
            "clock": self.clock_data(),
            "away": self.away_data(),
            "view": view_data(known, seat),
            "legal": legal,
            "outcome": outcome.as_dict() if outcome else None,
            "seed": str(self.setup["seed"]) if self.over else None,
        }

    def seats_data(self) -> list[dict[str, Any]]:
        """Who plays."""
        now = self.now()
        return [
            {
                "seat": number,
                "camp": number % 2,
                "player": seat.player,
                "name": seat.name,
                "present": seat.present(now),
                "resigned": seat.resigned,
            }
            for number, seat in enumerate(self.seats)
        ]

    def clock_data(self) -> dict[str, Any] | None:
        """The clock that runs."""
        clock = clock_of(self.duel)
        if self.deadline is None or clock is None:
            return None
        left = max(0.0, self.deadline - self.now())
        limit = LIMITS[clock[0]]
        return {
            "kind": clock[0],
            "seat": self.duel.seat,
            "limit": limit,
            "left": round(min(left, limit), 2),
        }

    def away_data(self) -> list[dict[str, Any]] | None:
        """The players who are away, and for how long they may be."""
        if self.over or self.held:
            return None
        now = self.now()
        limit = self.setup["away_limit"]
        away = [
            {"seat": number, "left": round(max(0.0, seat.last_seen + limit - now), 1)}
            for number, seat in enumerate(self.seats)
            if seat.human and not seat.present(now)
        ]
        return away or None

    def step_data(self, seq: int, seat: int | None) -> dict[str, Any]:
        """Transition number `seq`, from 1 on, as a seat or a spectator may know it."""
        past = self.past[seq - 1]
        camp = self.camp(seat)
        known = camp is not None and past.seat % 2 == camp
        return {
            "seq": seq,
            "seat": past.seat,
            "action": action_data(past.action, past.placing) if known else None,
            "events": events_data(past.events, camp, past.all_placed),
        }

    def events_between(self, first: int, last: int, seat: int | None) -> list[dict[str, Any]]:
        """What a viewer is told of the transitions first + 1 to last."""
        told: list[dict[str, Any]] = []
        for past in self.past[first:last]:
            told += events_data(past.events, self.camp(seat), past.all_placed)
        return told

    def replay(self) -> Replay:
        """The record of the finished duel. Raises Refusal while it may tell secrets."""
        if not self.over:
            raise Refusal(409, "not_over", "the replay is told once the duel is over")
        if not self.past or not self.past[-1].all_placed:
            raise Refusal(
                409, "hidden", "the duel ended before everybody was placed: placements stay hidden"
            )
        replay = Replay.begin(self.setup["seed"], self.setup["options"])
        for past in self.past:
            if past.action is None:
                replay.time_up()
            else:
                replay.apply(past.action)
        return replay

    def tell(self, first: int) -> None:
        """Tell the followers of the transitions after `first`, each viewer's text made once."""
        texts: dict[int | None, list[str]] = {}
        for follower in list(self.followers):
            seat = follower.seat
            if seat not in texts:
                state = self.state_data(seat)
                texts[seat] = [
                    message_text(
                        {"type": "step", "step": self.step_data(seq, seat), "state": state}
                    )
                    for seq in range(first + 1, self.seq + 1)
                ]
            for text in texts[seat]:
                follower.send(text)

    def tell_state(self) -> None:
        """Tell the followers how the duel stands."""
        for follower in list(self.followers):
            state = self.state_data(follower.seat)
            follower.send(message_text({"type": "state", "state": state}))

    def tell_presence(self) -> None:
        """Tell the followers who is there."""
        message = {"type": "presence", "seats": self.seats_data(), "away": self.away_data()}
        for follower in list(self.followers):
            follower.send(message_text(message))


def message_text(message: dict[str, Any]) -> str:
    """A message of the socket as JSON."""
    return to_json(message).decode()


def text_of(past: Past) -> str:
    """A transition as the log has it."""
    return TIME_UP if past.action is None else to_text(past.action, past.placing)


def index_of(text: str) -> int | None:
    """An action's index from the log, None for time up."""
    return None if text == TIME_UP else parse_action(text)
