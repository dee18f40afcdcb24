"""`Duel`: one duel in Python, over the compiled engine.

duel = Duel.new(seed=7, classes=["ombre", "brute"])
while duel.outcome is None:
    duel.apply(int(duel.mask().argmax()))
"""

import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import SolwarisError
from .batch import Buffers, Mode, Option
from .check import find_fault
from .codec import ACTIONS, decode, to_text
from .content.loader import RULES_VERSION, rulebook, rulebook_hash
from .engine.kernel import Compiling
from .engine.state import HEROES, STATE, Phase, Termination
from .engine.turns import tour
from .options import parse_options, parse_seed

if TYPE_CHECKING:
    from .view import SeatView

SAVE_MAGIC = b"solwaris duel\n"
EARLY_TOURS = 4  # from this tour on the one who stays keeps all rewards (Q2)


class IllegalAction(SolwarisError):
    """An action that the acting seat may not take now; the duel is as before."""


class SaveError(SolwarisError):
    """Bytes that are not a saved duel of this version."""


@dataclass(frozen=True)
class Outcome:
    """How a duel ended (E1-E4), and who is rewarded (Q1, Q2).

    `winner` is a camp or None for a draw; `rewards` +1, -1 or 0 a seat; `price_paid` coins a
    seat paid for the initiative (A3); `hp_share` what each camp kept; `rewarded` whether a
    seat keeps XP, coins and loot; `rating_counts` whether the duel moves a seat's rating.
    """

    winner: int | None
    termination: str
    tours: int
    rewards: tuple[float, ...]
    price_paid: tuple[int, ...]
    hp_share: tuple[float, float]
    quitter: int | None
    rewarded: tuple[bool, ...]
    rating_counts: tuple[bool, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}


class Duel:
    """One duel: its record, its transitions, its past action's events.

    Attributes: `state` (STATE record, read and written as attributes), `rules` ((1,) RULEBOOK),
    `buffers` (the arrays the compiled code works on; `board`, `scalars`, `mask` are the acting
    seat's).
    """

    def __init__(self, rules: np.ndarray | None = None, allow_forfeit: bool = True) -> None:
        self.rules = rulebook() if rules is None else rules
        self.buffers = Buffers(1)
        self._eyes: Buffers | None = None
        self.buffers.scratch["record_events"] = 1
        self.options = Option.OBSERVE | (Option.ALLOW_FORFEIT if allow_forfeit else 0)
        with Compiling("advance"):
            self.buffers.where[0] = False
            self.buffers.advance(Mode.LOOK, self.rules, 0)
            self.buffers.where[0] = True

    @classmethod
    def new(
        cls,
        seed: int,
        *,
        rules: np.ndarray | None = None,
        allow_forfeit: bool = True,
        **options: Any,
    ) -> "Duel":
        """Begin a duel; options as in `options.parse_options`, the rest drawn from the seed.

        Raises OptionError.
        """
        duel = cls(rules, allow_forfeit)
        duel.begin(seed, options)
        return duel

    def begin(
        self, seed: int, options: Mapping[str, Any] | None = None, team_size: int | None = None
    ) -> None:
        """Begin again in place with another seed and other options. Raises OptionError."""
        setup = parse_options(options, team_size)
        if team_size is not None:
            setup["team_size"] = team_size
        setup["seed"] = parse_seed(seed)
        self.buffers.setups[:] = setup
        self._advance(Mode.BEGIN)

    def _advance(self, mode: int) -> None:
        self.buffers.advance(mode, self.rules, self.options)

    @property
    def state(self) -> np.record:
        """The duel's STATE record."""
        return self.buffers.states[0]

    @property
    def seat(self) -> int:
        """Seat that decides, -1 when the duel is over."""
        return int(self.buffers.states["seat"][0])

    @property
    def placing(self) -> bool:
        """Whether a start cell is being chosen."""
        return int(self.buffers.states["phase"][0]) == Phase.PLACEMENT

    @property
    def tour(self) -> int:
        """Tour being played from 1 on, 0 before the fight (T9)."""
        return int(getattr(tour, "py_func", tour)(self.state))

    @property
    def team_size(self) -> int:
        """Heroes per camp."""
        return int(self.buffers.states["team_size"][0])

    @property
    def begun(self) -> bool:
        """Whether a duel has been begun in this record."""
        return self.team_size > 0

    def mask(self) -> np.ndarray:
        """uint8 (ACTIONS,): the acting seat's legal actions, all zero when over (read-only)."""
        legal = self.buffers.mask[0, :ACTIONS]
        legal.flags.writeable = False
        return legal

    def refresh(self) -> None:
        """Compute mask and observation anew, after the state was written from outside."""
        if not self.begun:
            return
        used = np.flatnonzero(self.buffers.states["entity"]["kind"][0])
        self.buffers.states["entities"] = max(HEROES, int(used[-1]) + 1)
        self.buffers.viewers[0] = -1
        self._advance(Mode.LOOK)

    def apply(self, action: int) -> None:
        """Apply an action of the acting seat.

        Raises IllegalAction, with the duel as before, when it is not a legal action's index.
        """
        if isinstance(action, bool | np.bool_) or not isinstance(action, int | np.integer):
            raise IllegalAction(f"action {action!r} is not a whole number")
        if self.seat < 0:
            raise IllegalAction("the duel is over: no action is legal")
        self.buffers.actions[0] = action if 0 <= action < ACTIONS else -1
        if self.buffers.advance(Mode.ACT, self.rules, self.options):
            if not 0 <= action < ACTIONS:
                raise IllegalAction(f"action {action} is out of range 0..{ACTIONS - 1}")
            text = to_text(int(action), self.placing)
            raise IllegalAction(f"{text} is not legal for seat {self.seat} now")

    def time_up(self) -> None:
        """The acting seat's clock ran out (T11). Raises IllegalAction when the duel is over."""
        if self.seat < 0:
            raise IllegalAction("the duel is over: no clock runs")
        self._advance(Mode.TIME_UP)

    @property
    def events(self) -> np.ndarray:
        """(k,) EVENT records of the last transition, for engine-side use only."""
        work = self.buffers.scratch[0]
        return work.event[: work.events]

    def legal_actions(self) -> list[dict[str, Any]]:
        """The acting seat's legal actions by name."""
        return [decode(int(a), self.placing) for a in np.flatnonzero(self.mask())]

    def look(self, seat: int) -> Buffers:
        """Buffers with what a seat knows, sees and may do; the next look overwrites them."""
        if self._eyes is None:
            self._eyes = Buffers(1)
        eyes = self._eyes
        eyes.states[:] = self.buffers.states
        eyes.viewers[0] = seat
        eyes.advance(Mode.LOOK, self.rules, self.options)
        return eyes

    def known(self, seat: int) -> np.record:
        """The STATE record without what the seat may not know."""
        return self.look(seat).known.copy()[0]

    def view(self, seat: int) -> "SeatView":
        """What a seat knows, sees and may do."""
        from .view import seat_view  # a view is made of a duel

        return seat_view(self, seat)

    @property
    def outcome(self) -> Outcome | None:
        """How the duel ended, None while it goes on."""
        s = self.state
        if s.phase != Phase.OVER:
            return None
        seats = range(2 * int(s.team_size))
        winner = int(s.winner) if s.winner >= 0 else None
        quitter = int(s.quitter) if s.quitter >= 0 else None
        bought = int(s.bidder) if s.turn > 0 else -1
        short = quitter is not None and self.tour < EARLY_TOURS
        leaves = [quitter is not None and seat % 2 == quitter for seat in seats]
        return Outcome(
            winner=winner,
            termination=Termination(int(s.termination)).name.lower(),
            tours=self.tour,
            rewards=tuple(
                0.0 if winner is None else (1.0 if seat % 2 == winner else -1.0) for seat in seats
            ),
            price_paid=tuple(int(s.price) if seat == bought else 0 for seat in seats),
            hp_share=self.hp_shares(),
            quitter=quitter,
            rewarded=tuple(not left and not short for left in leaves),
            rating_counts=tuple(left or not short for left in leaves),
        )

    def hp_shares(self) -> tuple[float, float]:
        """Share of hit points that each camp's heroes have left (E3)."""
        heroes = self.buffers.states["entity"][0, :HEROES]
        left, full = heroes["hp"], heroes["max_hp"]
        return (
            float(left[0::2].sum() / full[0::2].sum()),
            float(left[1::2].sum() / full[1::2].sum()),
        )

    def clone(self) -> "Duel":
        """An independent copy, events left behind."""
        other = Duel.__new__(Duel)
        other.rules = self.rules
        other.options = self.options
        other._eyes = None
        other.buffers = Buffers(1)
        other.buffers.scratch["record_events"] = 1
        other.buffers.states[:] = self.buffers.states
        other.buffers.setups[:] = self.buffers.setups
        other.refresh()
        return other

    def _header(self) -> bytes:
        return f"{RULES_VERSION} {rulebook_hash(self.rules)} {STATE.itemsize}\n".encode()

    def save(self) -> bytes:
        """The duel as bytes: versions, then the record. Raises SaveError before its beginning."""
        if not self.begun:
            raise SaveError("there is no duel to save yet: begin one first")
        body = self.buffers.states.tobytes()
        digest = np.uint32(zlib.crc32(body)).tobytes()
        return SAVE_MAGIC + self._header() + digest + body

    @classmethod
    def load(
        cls, data: bytes, rules: np.ndarray | None = None, allow_forfeit: bool = True
    ) -> "Duel":
        """A duel from `save`'s bytes.

        Raises SaveError when they are of another version, cut short or altered.
        """
        duel = cls(rules, allow_forfeit)
        if not isinstance(data, bytes | bytearray | memoryview):
            raise SaveError(f"a saved duel is bytes, not {type(data).__name__}")
        data = bytes(data)
        if not data.startswith(SAVE_MAGIC):
            raise SaveError("these bytes are not a saved duel: the first line is wrong")
        header, found, rest = data[len(SAVE_MAGIC) :].partition(b"\n")
        if not found or header + b"\n" != duel._header():
            mine = duel._header().decode().strip()
            raise SaveError(
                f"the saved duel is of another version ({header[:80].decode(errors='replace')}), "
                f"this is {mine}"
            )
        digest, body = rest[:4], rest[4:]
        if len(body) != STATE.itemsize:
            raise SaveError(
                f"the saved duel has {len(body)} bytes of state, expected {STATE.itemsize}"
            )
        if np.uint32(zlib.crc32(body)).tobytes() != digest:
            raise SaveError("the saved duel was altered: its checksum does not match")
        state = np.frombuffer(body, STATE)
        fault = find_fault(state, duel.rules)
        if fault:
            raise SaveError(f"the saved duel is impossible: {fault}")
        duel.buffers.states[:] = state
        duel.refresh()
        return duel

    def __getstate__(self) -> dict[str, Any]:
        save = self.save() if self.begun else None
        return {"save": save, "options": int(self.options), "rules": self.rules}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        forfeit = bool(kept["options"] & Option.ALLOW_FORFEIT)
        if kept["save"] is None:
            self.__init__(kept["rules"], forfeit)
        else:
            self.__dict__.update(Duel.load(kept["save"], kept["rules"], forfeit).__dict__)

    def __deepcopy__(self, memo: dict) -> "Duel":
        return self.clone()
