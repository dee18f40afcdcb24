"""How a rate is measured: short slices of all contestants in turn, the median kept.

Machines drift; what is compared must be measured side by side.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Work = Callable[[float], tuple[int, float]]


@dataclass
class Contestant:
    """Something whose rate is measured.

    `work(seconds)` does what it does for about that long and returns how many units it did
    and how many seconds they took.
    """

    name: str
    unit: str
    work: Work
    rates: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Units a second, the median of the slices."""
        return statistics.median(self.rates)


def looping(step: Callable[[], int]) -> Work:
    """A `work` that calls `step`, which returns how many units it did, until time is up."""

    def work(seconds: float) -> tuple[int, float]:
        units = 0
        start = time.perf_counter()
        passed = 0.0
        while passed < seconds:
            units += step()
            passed = time.perf_counter() - start
        return units, passed

    return work


def race(contestants: list[Contestant], slices: int, seconds: float) -> Iterator[str]:
    """Measure every contestant `slices` times for `seconds`, in turn; yields who is next."""
    for contestant in contestants:
        yield contestant.name
        contestant.work(seconds / 4)  # warm caches, and compile
    for _ in range(slices):
        for contestant in contestants:
            yield contestant.name
            units, passed = contestant.work(seconds)
            contestant.rates.append(units / passed)
