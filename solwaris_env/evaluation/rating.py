"""Elo ratings by maximum likelihood, with intervals by resampling pairings.

The model is Bradley and Terry's: an agent rated d above another scores 1 / (1 + 10^(-d / 400))
of the points on average, a draw being half a point to each. A rating is relative, so one agent,
the anchor, is set to a given number and has no interval.

Where no chain of points leads from the anchor up to an agent (it has won all its duels, say), the
most likely rating is infinite. One drawn pairing is then added to every one-sided meeting, in
the estimate and in the resampling: the estimate is finite but owes its size to that pairing, and
what the duels do say is the other end of the interval.

The bootstrap draws each meeting's pairings anew with replacement, both duels of a pairing
together, and rates again; the interval runs between the 2.5th and the 97.5th percentile. An
end is open (None) where more than 2.5 % of the resamples put it at infinity.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import SolwarisError

PER_NAT = 400 / np.log(10)  # Elo in a unit of log odds
STEPS = 200
LONGEST_STEP = 2.0  # in log odds: far from the solution Newton's method overshoots
CLOSE = 1e-9
WHISPER = 1e-6  # points added both ways in resamples, so that each has a finite solution
LEVELS = np.arange(5) / 2  # points a pairing of two duels can bring
RESAMPLES = 1000


@dataclass(frozen=True)
class Rating:
    """An agent's rating.

    Attributes:
        elo: the estimate.
        low, high: its 95 % interval; None: open.
        infinite: "above" or "below" where the most likely rating is infinite, else None.
    """

    elo: float
    low: float | None
    high: float | None
    infinite: str | None = None

    @property
    def span(self) -> str:
        """The interval as a few words."""
        low, high = ("open" if end is None else f"{end:.0f}" for end in (self.low, self.high))
        return f"{low} to {high}"

    @property
    def words(self) -> str:
        """The rating, or its bound where it is infinite, as a few words."""
        if self.infinite == "above" and self.low is not None:
            return f"at least {self.low:.0f}"
        if self.infinite == "below" and self.high is not None:
            return f"at most {self.high:.0f}"
        return f"{self.elo:.0f}"


def rate(
    agents: int,
    meetings: Sequence[tuple[int, int]],
    points: Sequence[np.ndarray],
    *,
    anchor: int = 0,
    anchor_elo: float = 0.0,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> list[Rating]:
    """Rate agents from their meetings.

    Args:
        agents: how many.
        meetings: (a, b), places of the two agents.
        points: for each meeting (pairings,), what agent a got of each pairing's two duels:
            0, 0.5, 1, 1.5 or 2.
        anchor: the agent whose rating is `anchor_elo`.
        seed: of the resampling.
        resamples: how many.

    Raises:
        SolwarisError: some agent is connected to the anchor by no duel.
    """
    counts = np.array([np.bincount((2 * p).astype(np.int64), minlength=5) for p in points])
    counts = counts.reshape(len(meetings), len(LEVELS)).astype(float)
    table = _table(agents, meetings, counts)[None]
    met = _reach(table + table.transpose(0, 2, 1))
    if not met[0, anchor].all():
        raise SolwarisError("the agents cannot be rated: some have met no one they share")
    up, down = _infinite(table, anchor)
    sides = zip(up[0], down[0], strict=True)
    infinite = ["above" if higher else "below" if lower else None for higher, lower in sides]
    if any(infinite):
        sums = counts @ LEVELS
        one_sided = (sums == 0) | (sums == 2 * counts.sum(axis=1))
        counts[one_sided, 2] += 1  # a pairing of one point each
        table = _table(agents, meetings, counts)[None]
    elo = _solve(table, anchor)[0]

    rng = np.random.default_rng(seed)
    drawn = np.stack(
        [rng.multinomial(int(row.sum()), row / max(row.sum(), 1), resamples) for row in counts],
        axis=1,
    )
    tables = _table(agents, meetings, drawn)
    whispers = np.where(table + table.transpose(0, 2, 1) > 0, WHISPER, 0.0)
    again = _solve(tables + whispers, anchor)
    above, below = _infinite(tables, anchor)
    again = np.sort(np.where(above, np.inf, np.where(below, -np.inf, again)), axis=0)
    tail = int(0.025 * resamples)
    ratings = []
    for place in range(agents):
        low, high = (
            None if np.isinf(end) or place == anchor else float(anchor_elo + end)
            for end in (again[tail, place], again[resamples - 1 - tail, place])
        )
        if place == anchor:
            low = high = anchor_elo
        ratings.append(Rating(float(anchor_elo + elo[place]), low, high, infinite[place]))
    return ratings


def expected(difference: float) -> float:
    """Return the share of points that a rating higher by `difference` Elo expects."""
    return float(1 / (1 + np.exp(-difference / PER_NAT)))


def _table(agents: int, meetings: Sequence[tuple[int, int]], counts: np.ndarray) -> np.ndarray:
    """Points of each agent against each: (..., agents, agents) from (..., meetings, 5)."""
    table = np.zeros((*counts.shape[:-2], agents, agents))
    won = counts @ LEVELS
    both = 2 * counts.sum(axis=-1)
    for number, (a, b) in enumerate(meetings):
        table[..., a, b] += won[..., number]
        table[..., b, a] += both[..., number] - won[..., number]
    return table


def _reach(table: np.ndarray) -> np.ndarray:
    """Who is joined to whom by a chain of points: bool (n, agents, agents)."""
    size = table.shape[-1]
    reach = ((table > 0) | np.eye(size, dtype=bool)).astype(np.float32)
    for _ in range(size.bit_length()):
        reach = (reach @ reach > 0).astype(np.float32)
    return reach > 0


def _infinite(table: np.ndarray, anchor: int) -> tuple[np.ndarray, np.ndarray]:
    """Who the most likely ratings put infinitely above and below the anchor: bool (n, agents)."""
    reach = _reach(table)
    beats, beaten = reach[:, :, anchor], reach[:, anchor, :]
    return beats & ~beaten, beaten & ~beats


def _solve(table: np.ndarray, anchor: int) -> np.ndarray:
    """Most likely ratings in Elo, the anchor's being 0: (n, agents) from (n, agents, agents).

    Newton's method on the logarithm of the likelihood, which is concave.
    """
    size = table.shape[-1]
    games = table + table.transpose(0, 2, 1)
    free = [place for place in range(size) if place != anchor]
    ratings = np.zeros(table.shape[:2])
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(ratings[:, None, :] - ratings[:, :, None]))
        slope = (table - games * share).sum(axis=2)
        weight = games * share * (1 - share)
        curve = -weight
        curve[:, range(size), range(size)] = weight.sum(axis=2)
        step = np.linalg.solve(
            curve[:, free][:, :, free] + 1e-12 * np.eye(size - 1), slope[:, free, None]
        )[:, :, 0]
        step = np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        ratings[:, free] += step
        if np.abs(step).max(initial=0.0) < CLOSE:
            break
    return ratings * PER_NAT
