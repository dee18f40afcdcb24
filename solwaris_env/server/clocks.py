"""The clocks of the rules: how long each decision may take (P2, A2, T3, T6)."""

import time
from collections.abc import Callable

from ..duel.engine.state import HEROES, Phase
from ..duel.game import Duel

LIMITS = {"placement": 25.0, "auction": 5.0, "turn": 40.0, "summon": 10.0}

TimeSource = Callable[[], float]


def steady_time() -> TimeSource:
    """Seconds since the epoch that never jump, whatever happens to the machine's clock."""
    wall, steady = time.time(), time.monotonic()
    return lambda: wall + (time.monotonic() - steady)


class LoggedTime:
    """A source of time that never falls behind the last moment in the log, and can be stopped."""

    def __init__(self, source: TimeSource) -> None:
        self._source, self._ahead = source, 0.0
        self._still: float | None = None

    def __call__(self) -> float:
        return self._source() + self._ahead if self._still is None else self._still

    def stand_still(self) -> None:
        """Stay at this moment until told to run on."""
        self._still = self()

    def run_on(self) -> None:
        """Go on from the moment at which it stood still."""
        if self._still is not None:
            self._ahead = self._still - self._source()
            self._still = None

    def go_on_from(self, last: float | None) -> float:
        """Go on from the log's last moment where the machine's clock has been set back since;
        gives the seconds by which it was."""
        behind = 0.0 if last is None else last - self._source()
        self._ahead = max(0.0, behind)
        return self._ahead


def clock_of(duel: Duel) -> tuple[str, tuple[int, ...]] | None:
    """The clock that runs: its kind, and what changes when a new one begins; None when over.

    A turn has one clock for all its actions, each question of the auction and each placement
    one of its own.
    """
    state = duel.state
    phase = int(state.phase)
    if phase == Phase.PLACEMENT:
        return "placement", (phase, int(state.seat))
    if phase == Phase.AUCTION:
        return "auction", (phase, int(state.price), int(state.seat))
    if phase == Phase.FIGHT:
        actor = int(state.actor)
        return "turn" if actor < HEROES else "summon", (phase, int(state.turn), actor)
    return None
