"""A client of `solwaris serve` in Python; needs the extra `client`.

    client = Client("http://127.0.0.1:8000")
    duel = client.create([{"class": "ombre"}, {"player": "greedy"}])
    state = duel.seat(0).play(lambda state: state["legal"] and {"type": "pass"})

Answers are the server's JSON as typed dictionaries; docs/server.md and docs/view.md say what
every field means.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, TypedDict

import httpx
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from .errors import SolwarisError

Cell = list[int]  # [row, column]
View = dict[str, Any]  # as docs/view.md has it


class Action(TypedDict, total=False):
    """An action by name; `place`, `go` and `cast` have a cell, `cast` a slot from 0 too."""

    type: Literal["place", "go", "cast", "pass", "raise", "forfeit"]
    cell: Cell
    slot: int


NewSeat = TypedDict(
    "NewSeat",
    {"player": str, "name": str, "class": str, "loadout": list[bool], "purse": int},
    total=False,
)
Legal = TypedDict(
    "Legal",
    {
        "go": list[Cell],
        "place": list[Cell],
        "cast": list[list[Cell]],
        "pass": bool,
        "raise": bool,
        "forfeit": bool,
    },
)


class Event(TypedDict, total=False):
    """Something that happened."""

    kind: str
    actor: int | None
    actor_kind: str | None
    target: int | None
    target_kind: str | None
    cause: str | None
    cell: Cell | None
    value: int | None
    value2: int | None
    text: str
    what: str


class Step(TypedDict):
    """A transition of a duel; `action` is None where it is not for the viewer to know."""

    seq: int
    seat: int
    action: dict[str, Any] | None
    events: list[Event]


class Outcome(TypedDict):
    """How a duel ended, and who is rewarded."""

    winner: int | None
    termination: str
    tours: int
    rewards: list[float]
    price_paid: list[int]
    hp_share: list[float]
    quitter: int | None
    rewarded: list[bool]
    rating_counts: list[bool]


class State(TypedDict):
    """A hosted duel as its viewer may know it."""

    duel: str
    seq: int
    seat: int | None
    over: bool
    clocks: bool
    spectators: bool
    seats: list[dict[str, Any]]
    waiting: list[int]
    clock: dict[str, Any] | None
    away: list[dict[str, Any]] | None
    view: View
    legal: Legal | None
    outcome: Outcome | None
    seed: str | None


class Acted(TypedDict):
    """What came of an action."""

    seq: int
    events: list[Event]
    state: State


class Decision(TypedDict):
    """What an opponent does on a view."""

    action: Action
    text: str
    probability: float | None
    value: float | None
    alternatives: list[dict[str, Any]]
    legal_actions: int
    opponent: str


class Texts(TypedDict):
    """A text in both languages."""

    fr: str
    en: str


class Opponent(TypedDict):
    """An opponent on offer."""

    name: str
    kind: Literal["policy", "search", "scripted"]
    title: Texts
    about: Texts
    level: str | None
    rating: float | None
    interval: str | None
    scale: str | None
    probabilities: bool
    metadata: dict[str, str]


class ServerError(SolwarisError):
    """The server refused: `status` of HTTP (0: of a socket), `code` to branch on."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class Client:
    """A server's client; close it, or use it in a `with` block.

    Every method raises ServerError when the server refuses, SolwarisError when there is none.
    """

    def __init__(self, address: str = "http://127.0.0.1:8000", timeout: float = 30.0) -> None:
        self.address = address.rstrip("/")
        self._http = httpx.Client(base_url=self.address, timeout=timeout)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def call(self, method: str, path: str, secret: str | None = None, **more: Any) -> Any:
        """One request; its answer as plain data."""
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        try:
            answer = self._http.request(method, path, headers=headers, **more)
        except httpx.HTTPError as error:
            raise SolwarisError(f"{self.address} does not answer: {error}") from error
        if answer.status_code < 400:
            return answer.json()
        try:
            fault = answer.json()["error"]
            raise ServerError(answer.status_code, fault["code"], fault["message"])
        except (ValueError, KeyError, TypeError) as error:
            if isinstance(error, ServerError):
                raise
            raise ServerError(
                answer.status_code, "unknown", f"{self.address} answered {answer.status_code}"
            ) from error

    def opponents(self) -> list[Opponent]:
        """The opponents on offer."""
        return self.call("GET", "/v1/opponents")["opponents"]

    def catalogue(self) -> dict[str, Any]:
        """All that the game contains."""
        return self.call("GET", "/v1/catalogue")

    def create(self, seats: Sequence[NewSeat], **options: Any) -> Duel:
        """Begin a duel; `options`: map, stakes, seed, clocks, spectators, wait, pace."""
        made = self.call("POST", "/v1/duels", json={"seats": list(seats), **options})
        return Duel(self, made["duel"], made["secrets"])

    def join(self, duel: str, secret: str) -> Seat:
        """The seat of a duel that somebody else began."""
        return Seat(self, duel, secret)

    def decide(
        self,
        opponent: str,
        view: View,
        alternatives: int = 0,
        temperature: float | None = None,
    ) -> Decision:
        """What an opponent does on a view that one's own rules made."""
        wish = {
            "opponent": opponent,
            "view": view,
            "alternatives": alternatives,
            "temperature": temperature,
        }
        return self.call("POST", "/v1/decisions", json=wish)

    def check(self, view: View) -> dict[str, Any]:
        """Check a view: it completed, and the legal actions."""
        return self.call("POST", "/v1/views", json={"view": view})


@dataclass(frozen=True)
class Duel:
    """A duel that was begun; `secrets` of its human seats, None for the others."""

    client: Client
    name: str
    secrets: list[str | None]

    def seat(self, number: int) -> Seat:
        """A human seat of it. Raises SolwarisError for an opponent's."""
        secret = self.secrets[number]
        if secret is None:
            raise SolwarisError(f"seat {number} is an opponent's")
        return Seat(self.client, self.name, secret)

    def spectator(self) -> Seat:
        """Who looks on."""
        return Seat(self.client, self.name, None)


@dataclass(frozen=True)
class Seat:
    """A seat of a duel, or a spectator where `secret` is None."""

    client: Client
    name: str
    secret: str | None

    def __repr__(self) -> str:
        return f"Seat({self.name!r})"

    def _call(self, method: str, path: str = "", **more: Any) -> Any:
        return self.client.call(method, f"/v1/duels/{self.name}{path}", self.secret, **more)

    def state(self) -> State:
        """The duel as it stands."""
        return self._call("GET")

    def act(self, action: Action, seq: int | None = None) -> Acted:
        """Take an action; `seq`: refuse it unless the duel is still there."""
        return self._call("POST", "/actions", json={"action": action, "seq": seq})

    def resign(self) -> Acted:
        """Give up."""
        return self._call("POST", "/resign")

    def events(self, since: int = 0) -> list[Step]:
        """The transitions after `since`, at most 200."""
        return self._call("GET", "/events", params={"since": since})["steps"]

    def replay(self) -> dict[str, Any]:
        """The replay file of the finished duel."""
        return self._call("GET", "/replay")

    def frames(self, first: int = 0, limit: int = 100, seat: int | None = None) -> dict[str, Any]:
        """The finished duel moment by moment."""
        wish = {"from": first, "limit": limit, **({} if seat is None else {"seat": seat})}
        return self._call("GET", "/frames", params=wish)

    def follow(self) -> Socket:
        """Open a socket that tells of everything as it happens; use it in a `with` block."""
        return Socket(self)

    def play(self, choose: Callable[[State], Action | None]) -> State:
        """Play to the end: `choose` is asked for an action whenever the seat is to act.

        None stands for passing. Returns the last state.
        """
        with self.follow() as socket:
            for message in socket:
                if "state" not in message:
                    continue
                state: State = message["state"]
                if state["over"]:
                    return state
                if state["legal"] is not None and state["seq"] > socket.acted_at:
                    socket.act(choose(state) or {"type": "pass"}, state["seq"])
        raise SolwarisError("the server closed the socket before the duel was over")


class Socket:
    """A socket that follows a duel: iterate over its messages, and act.

    Messages are dictionaries with a `type`: state, step, presence, ack, pong. A refusal of an
    action raises ServerError from the iteration; a lost connection ends it.
    """

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._sent = 0
        self._stack = ExitStack()
        self.acted_at = -1

    def __enter__(self) -> Socket:
        address = "ws" + self._seat.client.address.removeprefix("http")
        path = f"/v1/duels/{self._seat.name}/socket"
        try:
            self._socket = self._stack.enter_context(
                connect(address + path, max_size=1 << 22, proxy=None)
            )
        except (OSError, InvalidStatus) as error:
            raise SolwarisError(f"{address} takes no socket: {error}") from error
        self._send({"type": "hello", "secret": self._seat.secret})
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def _send(self, message: dict[str, Any]) -> None:
        self._socket.send(json.dumps(message))

    def act(self, action: Action, seq: int | None = None) -> None:
        """Send an action; its ack and step come as messages."""
        self._sent += 1
        if seq is not None:
            self.acted_at = seq
        self._send({"type": "action", "id": self._sent, "action": action, "seq": seq})

    def resign(self) -> None:
        """Give up."""
        self._sent += 1
        self._send({"type": "resign", "id": self._sent})

    def __iter__(self) -> Iterator[dict[str, Any]]:
        while True:
            try:
                message = json.loads(self._socket.recv())
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code >= 4400:
                    raise ServerError(0, str(closed.rcvd.code), closed.rcvd.reason) from closed
                return
            if message["type"] == "error":
                fault = message["error"]
                raise ServerError(0, fault["code"], fault["message"])
            yield message
