"""Intervals for the results of matches."""

from statistics import NormalDist

import numpy as np

from .errors import SolwarisError

MOST_DEPENDENT = 2.0  # two duels that always end alike count as one


def wilson_interval(wins: float, games: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval (low, high) for the rate `wins / games`.

    Without games nothing is known and the interval is (0, 1).

    Raises:
        SolwarisError: wins are not among the games, or the confidence is not inside (0, 1).
    """
    if not 0 <= wins <= games:
        raise SolwarisError(f"wins must lie between 0 and the number of games {games}, got {wins}")
    if not 0 < confidence < 1:
        raise SolwarisError(f"confidence must lie between 0 and 1, got {confidence}")
    if games == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate = wins / games
    scale = 1 + z * z / games
    middle = (rate + z * z / (2 * games)) / scale
    half = z / scale * (rate * (1 - rate) / games + z * z / (4 * games * games)) ** 0.5
    # at the ends the formula gives 0 and 1, but for rounding
    low = 0.0 if wins == 0 else max(0.0, middle - half)
    return low, 1.0 if wins == games else min(1.0, middle + half)


def paired_interval(
    points: np.ndarray, pairs: np.ndarray, confidence: float = 0.95
) -> tuple[float, float]:
    """Return Wilson's interval for the mean of duels of which some were played as pairs.

    The two duels of a pairing share map, classes and dice, so they may tell less than two
    duels of their own. The variance of the mean is measured over pairings (a ratio estimate);
    where it is larger than that of independent duels, by a factor of up to 2, the number of
    duels is divided by that factor. A smaller one is not believed: the interval is never
    narrower than Wilson's own.

    Args:
        points: (n,) what each duel counts, 0 to 1.
        pairs: (n,) whole numbers, equal for duels of one pairing.
    """
    games = len(points)
    if not games:
        return wilson_interval(0, 0, confidence)
    total = float(points.sum())
    rate = total / games
    _, place = np.unique(pairs, return_inverse=True)
    spread = float((np.bincount(place, points - rate) ** 2).sum())
    alone = games * rate * (1 - rate)
    factor = min(max(spread / alone, 1.0), MOST_DEPENDENT) if alone > 0 else 1.0
    return wilson_interval(total / factor, games / factor, confidence)
