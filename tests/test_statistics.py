"""Wilson's interval."""

import pytest

from solwaris_env.errors import SolwarisError
from solwaris_env.statistics import wilson_interval


def test_worked_example() -> None:
    """8 of 10: centre (0.8 + 1.92073/10) / 1.384146 = 0.716739, half-width 0.226571."""
    low, high = wilson_interval(8, 10)
    assert low == pytest.approx(0.490162, abs=1e-5)
    assert high == pytest.approx(0.943318, abs=1e-5)


def test_extremes() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
    low, high = wilson_interval(0, 100)
    assert low == 0.0
    assert high == pytest.approx(0.036994, abs=1e-5)  # z^2 / (n + z^2) = 3.841459 / 103.841459
    assert wilson_interval(100, 100)[1] == 1.0


def test_symmetry_and_width() -> None:
    low, high = wilson_interval(30, 120)
    mirrored = wilson_interval(90, 120)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high))
    wide = wilson_interval(30, 120, confidence=0.99)
    assert wide[0] < low < 0.25 < high < wide[1]


@pytest.mark.parametrize(("wins", "games"), [(-1, 5), (6, 5)])
def test_impossible_counts(wins: int, games: int) -> None:
    with pytest.raises(SolwarisError, match="wins must lie between 0 and the number of games 5"):
        wilson_interval(wins, games)


@pytest.mark.parametrize("confidence", [0, 1, 2.0])
def test_impossible_confidence(confidence: float) -> None:
    with pytest.raises(SolwarisError, match="confidence must lie between 0 and 1"):
        wilson_interval(1, 2, confidence)
