"""Where a run's time goes."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PARTS = ("update", "policy", "snapshots", "scripted", "engine")


class Stopwatch:
    """Adds up what each part of the loop takes; parts do not overlap.

    Args:
        now: tells the time in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._seconds = dict.fromkeys(PARTS, 0.0)
        self._start = now()

    @contextmanager
    def during(self, part: str) -> Iterator[None]:
        """Count what happens inside to `part`, one of PARTS."""
        began = self._now()
        try:
            yield
        finally:
            self._seconds[part] += self._now() - began

    def take(self, decisions: int) -> dict[str, float]:
        """Return what the time since the last call went to, and begin anew.

        Args:
            decisions: of the learner since then.

        Returns:
            `time/decisions_per_second`, and `time/PART` for every part and `time/rest`: shares
            of the time, 1 in all.
        """
        now = self._now()
        whole = max(now - self._start, 1e-9)
        figures = {f"time/{part}": spent / whole for part, spent in self._seconds.items()}
        figures["time/rest"] = 1.0 - sum(figures.values())
        figures["time/decisions_per_second"] = decisions / whole
        self._seconds = dict.fromkeys(PARTS, 0.0)
        self._start = now
        return figures
