"""Intervals for the results of matches."""

from statistics import NormalDist

from .errors import SolwarisError


def wilson_interval(wins: int, games: int, confidence: float = 0.95) -> tuple[float, float]:
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
    return max(0.0, middle - half), min(1.0, middle + half)
