"""Who the learner meets: scripted agents and snapshots of its own, drawn for each duel."""

import numpy as np

from solwaris_env.agents.base import Agent
from solwaris_env.duel.vector import VectorDuel

from .pool import PolicyAgent, Pool
from .stopwatch import Stopwatch

KINDS = ("random", "greedy", "planner", "snapshots")
RANDOM, GREEDY, PLANNER, SNAPSHOTS = range(len(KINDS))


class Opponents:
    """Draws opponents for duels and lets them act.

    Each duel's opponent is an index: RANDOM, GREEDY, PLANNER, or SNAPSHOTS plus a snapshot's
    number.

    Args:
        scripted: agents by index.
        shares: of duels against these, by index.
        pool: gives the rest; while it is empty the rest meets RANDOM.
        active, newest_share, priority: see `TrainConfig`.
        rng: draws them.
        clock: told what their decisions take.
    """

    def __init__(
        self,
        scripted: dict[int, Agent],
        shares: dict[int, float],
        pool: Pool | None = None,
        active: int = 1,
        newest_share: float = 0.5,
        priority: float = 0.0,
        rng: np.random.Generator | None = None,
        clock: Stopwatch | None = None,
    ) -> None:
        self._clock = clock or Stopwatch()
        self._agents = dict(scripted)
        self._scripted = set(scripted)
        self._shares = np.cumsum([shares.get(index, 0.0) for index in range(SNAPSHOTS)])
        self._pool = pool
        self._count = active
        self._newest_share = newest_share
        self._priority = priority
        self._rng = rng or np.random.default_rng()
        self._active: list[int] = []

    def renew(self, in_use: np.ndarray) -> None:
        """Choose the snapshots to be met from now on; forget those `in_use` no longer."""
        if self._pool is None:
            return
        chosen = self._pool.choose(self._count, self._newest_share, self._rng, self._priority)
        self._active = [SNAPSHOTS + number for number in chosen]
        keep = {*self._scripted, *self._active, *np.unique(in_use).tolist()}
        self._agents = {index: agent for index, agent in self._agents.items() if index in keep}
        for index in self._active:
            if index not in self._agents:
                self._agents[index] = self._pool.agent(index - SNAPSHOTS)

    def note(self, opponent: np.ndarray, outcome: np.ndarray) -> None:
        """Tell the pool how duels against `opponent` (k,) ended: outcome 1, 0 or -1."""
        if self._pool is None:
            return
        for index, result in zip(opponent.tolist(), outcome.tolist(), strict=True):
            if index >= SNAPSHOTS:
                self._pool.note(index - SNAPSHOTS, (1.0 + result) / 2)

    def figures(self) -> dict[str, float]:
        """Return what the pool is made of: its size, its ages, its hardest snapshot."""
        if self._pool is None or not self._pool.ids:
            return {}
        rates = [self._pool.win_rate(number) for number in self._pool.ids]
        return {
            "pool/size": float(len(rates)),
            "pool/oldest": float(self._pool.ids[0]),
            "pool/newest": float(self._pool.ids[-1]),
            "pool/win_rate_lowest": min(rates),
            "pool/win_rate_mean": float(np.mean(rates)),
        }

    def draw(self, count: int) -> np.ndarray:
        """Return the opponents of `count` new duels, int64 (count,)."""
        kinds = np.searchsorted(self._shares, self._rng.random(count), side="right")
        if not self._active:
            return np.where(kinds == SNAPSHOTS, RANDOM, kinds)
        return np.where(kinds == SNAPSHOTS, self._rng.choice(self._active, count), kinds)

    def act(self, batch: VectorDuel, opponent: np.ndarray, waiting: np.ndarray) -> np.ndarray:
        """Return actions int64 (n,), filled where `waiting`: one batched call an opponent."""
        actions = np.zeros(len(opponent), np.int64)
        for index in np.unique(opponent[waiting]).tolist():
            rows = np.flatnonzero(waiting & (opponent == index))
            agent = self._agents[index]
            if isinstance(agent, PolicyAgent):
                # A network needs no copy of the records behind its observation.
                seen = {"board": batch.board[rows], "scalars": batch.scalars[rows]}
                with self._clock.during("snapshots"):
                    actions[rows] = agent.choose(seen, batch.action_mask[rows])
            else:
                with self._clock.during("scripted"):
                    actions[rows] = agent.act_batch(batch.views(rows))
        return actions
