"""Where a run's time goes is told truly."""

import pytest

from training.stopwatch import PARTS, Stopwatch


def test_shares_of_the_time_since_they_were_last_asked_for() -> None:
    """By a clock set by hand: 10 s with 4 of updating and 1 of rules, then 2 s with nothing."""
    now = [100.0]
    clock = Stopwatch(lambda: now[0])
    for part, seconds in (("update", 3.0), ("engine", 1.0), ("update", 1.0)):
        with clock.during(part):
            now[0] += seconds
    now[0] = 110.0
    assert clock.take(50) == pytest.approx({
        "time/update": 0.4, "time/engine": 0.1, "time/policy": 0.0, "time/snapshots": 0.0,
        "time/scripted": 0.0, "time/rest": 0.5, "time/decisions_per_second": 5.0,
    })  # fmt: skip
    now[0] = 112.0
    later = clock.take(0)
    assert later["time/rest"] == 1.0
    assert later["time/decisions_per_second"] == 0.0


def test_what_fails_has_taken_its_time_as_well() -> None:
    """An interrupt in the midst of an update."""
    now = [0.0]
    clock = Stopwatch(lambda: now[0])
    with pytest.raises(KeyboardInterrupt), clock.during(PARTS[0]):
        now[0] = 2.0
        raise KeyboardInterrupt
    now[0] = 8.0
    assert clock.take(1)[f"time/{PARTS[0]}"] == 0.25
