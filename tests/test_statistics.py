"""Wilson's interval, alone and for duels played as pairs."""

import numpy as np
import pytest

from solwaris_env.errors import SolwarisError
from solwaris_env.statistics import paired_interval, wilson_interval


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


PAIRS = np.repeat(np.arange(20), 2)


def test_duels_that_end_alike_count_once() -> None:
    """20 pairings, 12 won whole and 8 lost whole: as sure as 12 of 20, not as 24 of 40."""
    points = np.repeat(np.array([1.0] * 12 + [0.0] * 8), 2)
    assert paired_interval(points, PAIRS) == pytest.approx(wilson_interval(12, 20))


def test_a_measured_factor() -> None:
    """4 pairings with 2, 2, 0 and 1 of 2 points, 5 of 8 in all.

    Deviations of the pairings from 1.25: 0.75, 0.75, -1.25, -0.25, squares adding up to 2.75;
    independent duels would give 8 x 5/8 x 3/8 = 1.875, so the factor is 2.75 / 1.875 = 1.4667.
    """
    points = np.array([1, 1, 1, 1, 0, 0, 1, 0], float)
    factor = 2.75 / 1.875
    expected = wilson_interval(5 / factor, 8 / factor)
    assert paired_interval(points, PAIRS[:8]) == pytest.approx(expected)


def test_it_is_never_narrower_than_wilson_s_own() -> None:
    halves = np.tile([1.0, 0.0], 20)
    assert paired_interval(halves, PAIRS) == wilson_interval(20, 40)
    alone = np.array([1.0] * 30 + [0.0] * 10)
    assert paired_interval(alone, np.arange(40)) == wilson_interval(30, 40)
    assert paired_interval(np.ones(40), PAIRS) == wilson_interval(40, 40)
    assert paired_interval(np.zeros(0), PAIRS[:0]) == (0.0, 1.0)


def test_paired_intervals_hold_the_truth() -> None:
    """2,000 samples of 50 pairings, a third of which end alike: 95 %, within four deviations."""
    rng = np.random.default_rng(2)
    pairs = np.repeat(np.arange(50), 2)
    held = 0
    for _ in range(2000):
        first, second = rng.random((2, 50)) < 0.7
        second = np.where(rng.random(50) < 1 / 3, first, second)
        low, high = paired_interval(np.stack([first, second], 1).ravel().astype(float), pairs)
        held += low <= 0.7 <= high
    assert held / 2000 == pytest.approx(0.95, abs=0.02)
