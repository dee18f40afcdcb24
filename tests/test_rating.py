"""Elo by maximum likelihood: worked cases, known strengths recovered, infinite ratings."""

from itertools import combinations

import numpy as np
import pytest

from solwaris_env.errors import SolwarisError
from solwaris_env.evaluation.rating import expected, rate

TWO = [(0, 1)]


def points(**pairings: int) -> np.ndarray:
    """Points of agent a in pairings: how many brought 2, 1.5, 1, 0.5 and 0."""
    worth = {"both": 2.0, "most": 1.5, "half": 1.0, "some": 0.5, "none": 0.0}
    return np.concatenate([np.full(n, worth[name]) for name, n in pairings.items()])


def test_three_quarters_is_190_elo() -> None:
    """A share of 3/4 means odds of 3 to 1: 400 log10(3) = 190.8485."""
    for won in (points(both=50, half=50), points(most=100)):
        a, b = rate(2, TWO, [won], anchor=1)
        assert a.elo == pytest.approx(190.8485, abs=1e-3)
        assert (b.elo, b.low, b.high) == (0.0, 0.0, 0.0)
    assert expected(190.8485) == pytest.approx(0.75, abs=1e-6)


def test_the_interval_by_hand() -> None:
    """A share of 1/2 in 400 pairings that are won or lost whole.

    Its standard deviation is 0.5 / sqrt(400) = 0.025, and an Elo point is worth
    ln(10) / 400 / 4 = 0.001439 of the share there: 1.96 x 0.025 / 0.001439 = 34.05.
    """
    a, _ = rate(2, TWO, [points(both=200, none=200)], anchor=1, resamples=4000)
    assert a.elo == pytest.approx(0.0, abs=1e-9)
    assert a.high == pytest.approx(34.05, abs=2.0)
    assert a.low == pytest.approx(-34.05, abs=2.0)
    even, _ = rate(2, TWO, [points(half=400)], anchor=1)
    assert (even.low, even.high) == (0.0, 0.0), "pairings that never differ leave no doubt"


def test_the_anchor_moves_everyone() -> None:
    won = [points(both=30, half=70)] * 3
    meetings = list(combinations(range(3), 2))
    here = rate(3, meetings, won, anchor=0, anchor_elo=1500.0)
    there = rate(3, meetings, won, anchor=2)
    assert (here[0].elo, here[0].low, here[0].high) == (1500.0, 1500.0, 1500.0)
    gaps = [a.elo - b.elo for a, b in zip(here, there, strict=True)]
    assert gaps == pytest.approx([gaps[0]] * 3)


def test_exact_shares_give_exact_ratings() -> None:
    """Points that are just what ratings 0, 120, 300 and -250 expect give these ratings back."""
    truth = [0.0, 120.0, 300.0, -250.0]
    meetings = list(combinations(range(4), 2))
    won = []
    for a, b in meetings:
        both = round(100_000 * expected(truth[a] - truth[b]))
        won.append(points(both=both, none=100_000 - both))
    found = [r.elo for r in rate(4, meetings, won, resamples=40)]
    assert found == pytest.approx(truth, abs=0.05)


def test_known_strengths_lie_in_the_intervals() -> None:
    """300 simulated tournaments of four agents: 95 % intervals hold the truth in 95 % of them.

    The standard deviation of the share over 900 intervals, three a tournament and not quite
    independent, is about 0.01; 0.92 to 0.98 is allowed.
    """
    rng = np.random.default_rng(5)
    truth = np.array([0.0, 100.0, 300.0, -200.0])
    meetings = list(combinations(range(4), 2))
    held = 0
    for seed in range(300):
        won = []
        for a, b in meetings:
            # a pairing's map and classes favour one side, so its two duels depend on each other
            chance = expected(truth[a] - truth[b])
            alike = rng.random(80) < 0.3
            first, second = rng.random((2, 80)) < chance
            won.append(first + np.where(alike, first, second).astype(float))
        ratings = rate(4, meetings, won, seed=seed, resamples=400)
        held += sum(
            (r.low is None or r.low <= elo) and (r.high is None or elo <= r.high)
            for r, elo in zip(ratings[1:], truth[1:], strict=True)
        )
    assert 0.92 <= held / 900 <= 0.98


def test_all_won_is_infinite_and_told_as_a_bound() -> None:
    """Of 100 pairings all won the estimate is that of 201 to 1: 400 log10(201) = 921.28."""
    a, b = rate(2, TWO, [points(both=100)], anchor=1)
    assert (a.infinite, b.infinite) == ("above", None)
    assert a.elo == pytest.approx(921.28, abs=0.01)
    assert a.high is None
    assert 600 < a.low < 800
    assert a.words == f"at least {a.low:.0f}"
    lower = rate(2, TWO, [points(none=100)], anchor=1)[0]
    assert (lower.infinite, lower.low) == ("below", None)
    assert lower.words == f"at most {lower.high:.0f}"
    assert rate(2, TWO, [points(both=100)], anchor=0)[1].infinite == "below"


def test_one_half_point_leaves_an_end_open() -> None:
    """The one drawn duel of 200 is missing from a resample with chance 0.99^100 = 0.37."""
    a, _ = rate(2, TWO, [points(both=99, most=1)], anchor=1)
    assert a.infinite is None
    assert a.elo == pytest.approx(400 * np.log10(199.5 / 0.5))
    assert a.high is None and a.low is not None


def test_who_loses_to_none_is_above_all_that_are_joined() -> None:
    """0 and 1 share their points; 2 has beaten both in all duels."""
    ratings = rate(3, [(0, 1), (0, 2), (1, 2)], [points(half=60), points(none=60), points(none=60)])
    assert [r.infinite for r in ratings] == [None, None, "above"]
    assert ratings[1].elo == pytest.approx(0.0, abs=1e-6)


def test_agents_that_never_met_are_not_rated() -> None:
    with pytest.raises(SolwarisError, match="cannot be rated: some have met no one they share"):
        rate(4, [(0, 1), (2, 3)], [points(half=5)] * 2)


def test_the_same_seed_resamples_alike() -> None:
    won = [points(both=30, half=20, none=10)]
    assert rate(2, TWO, won, seed=1) == rate(2, TWO, won, seed=1)
    assert rate(2, TWO, won, seed=1) != rate(2, TWO, won, seed=2)
