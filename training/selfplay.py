"""Self-play as a vector environment of sb3: thousands of duels, one learner, many opponents.

The learner plays one camp of each duel (both heroes of it in 2v2, and all its summons); the
camp is drawn for each duel, so both are covered. Between two decisions of the learner the
opponents play as many as it takes; meanwhile the learner may go on in other duels. All work is
done on whole arrays.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from solwaris_env.duel.vector import VectorDuel

from .opponents import Opponents
from .outcomes import Outcomes
from .policy import action_space, observation_space
from .potential import potential
from .stopwatch import Stopwatch

# A camp's turn and its summons' end after far fewer decisions: more means a broken engine.
LONGEST_WAIT = 100_000


class SelfPlay(VecEnv):
    """The learner's side of `batch` as an sb3 vector environment, and as `rollout.Rounds`.

    The reward is the learner's camp's, +1, -1 or `draw`, at the end of a duel, and goes with the
    learner's last action in it, whoever made the last move. With `shaping` above 0 each step
    adds shaping * (gamma * phi' - phi), phi being the own share of hit points minus theirs,
    and 0 once the duel is over, which changes no policy's rank.

    Args:
        batch: made with auto_reset and without copies.
        opponents: the other camp's players.
        shaping, gamma: of the shaped reward.
        draw: reward of a draw.
        rng: draws the learner's camps.
        clock: told what the rules take, with masks and observations.

    Attributes:
        camp: int8 (n,), the learner's.
        opponent: int64 (n,), see `Opponents`.
        rewards, ended: see `Rounds`.
        outcomes: of the duels ended.
    """

    def __init__(
        self,
        batch: VectorDuel,
        opponents: Opponents,
        shaping: float = 0.0,
        gamma: float = 1.0,
        draw: float = 0.0,
        rng: np.random.Generator | None = None,
        clock: Stopwatch | None = None,
    ) -> None:
        self.render_mode = None
        self._clock = clock or Stopwatch()
        self._batch = batch
        self._opponents = opponents
        self._shaping = shaping
        self._gamma = gamma
        self._draw = np.float32(draw)
        self._rng = rng or np.random.default_rng()
        count = len(batch.seat)
        self.camp = np.zeros(count, np.int8)
        self.opponent = np.zeros(count, np.int64)
        self._length = np.zeros(count, np.int64)
        self._potential = np.zeros(count, np.float32)
        self._actions = np.zeros(count, np.int64)
        self.rewards = np.zeros(count, np.float32)
        self.ended = np.ones(count, bool)
        self._owed = np.zeros(count, bool)  # where an action of the learner is not settled
        self._waited = np.zeros(count, np.int64)  # decisions since the learner was to act
        self.outcomes = Outcomes()
        super().__init__(count, observation_space(), action_space())

    def reset(self) -> dict[str, np.ndarray]:
        """Start every duel anew; return the learner's first observations."""
        self._batch.reset()
        everywhere = np.ones(self.num_envs, bool)
        self._begin(everywhere)
        self._owed[:] = False
        self._wait()
        self.ended[:] = True
        observation = self.observe(np.arange(self.num_envs))
        self._potential = potential(observation["scalars"])
        return observation

    def step_async(self, actions: np.ndarray) -> None:
        """Take the learner's actions, int64 (n,)."""
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, list[dict]]:
        """Play them and the opponents' answers, until the learner is to act in every duel."""
        self.advance(self._actions, np.ones(self.num_envs, bool))
        self._wait()
        observation = self.observe(np.arange(self.num_envs))
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return observation, self.rewards.copy(), self.ended.copy(), infos

    @property
    def ready(self) -> np.ndarray:
        """Where the learner is to act: bool (n,)."""
        return self._batch.seat % 2 == self.camp

    def observe(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Return the observations at `rows`, int64 (k,); copies."""
        return {"board": self._batch.board[rows], "scalars": self._batch.scalars[rows]}

    def advance(self, actions: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """One decision in every duel where the learner has `chosen` or is not to act.

        Args:
            actions: the learner's, int64 (n,), read where `chosen`.
            chosen: bool (n,), where `ready` at most.

        Returns:
            bool (n,): where the learner is to act again, its reward being final.

        Raises:
            RuntimeError: in some duel the learner is never to act.
        """
        waiting = ~self.ready
        self._waited = np.where(waiting, self._waited + 1, 0)
        if self._waited.max() > LONGEST_WAIT:
            raise RuntimeError(f"the learner was not to act after {LONGEST_WAIT} decisions")
        moves = self._opponents.act(self._batch, self.opponent, waiting)
        moves[chosen] = actions[chosen]
        self._length[chosen] += 1
        self._owed |= chosen
        self.rewards[chosen] = 0.0
        self.ended[chosen] = False
        self._play(moves, chosen | waiting)
        settled = self._owed & self.ready
        self._owed &= ~settled
        if self._shaping:
            after = potential(self._batch.scalars[settled])
            # A new duel's potential belongs to the new duel.
            reached = np.where(self.ended[settled], 0.0, self._gamma * after)
            gained = (reached - self._potential[settled]).astype(np.float32)
            self.rewards[settled] += self._shaping * gained
            self._potential[settled] = after
        return settled

    def action_masks(self) -> np.ndarray:
        """Return the learner's masks, bool (n, 4539)."""
        return self._batch.action_mask

    def renew_opponents(self) -> None:
        """Let the opponents choose new snapshots for the duels to come."""
        self._opponents.renew(self.opponent)

    def take_figures(self) -> dict[str, float]:
        """Return and forget what the duels ended since the last call came to."""
        return self.outcomes.take() | self._opponents.figures()

    def _wait(self) -> None:
        """Let the opponents play until the learner is to act everywhere."""
        nowhere = np.zeros(self.num_envs, bool)
        while not self.ready.all():
            self.advance(self._actions, nowhere)

    def _play(self, actions: np.ndarray, where: np.ndarray) -> None:
        """One decision `where`; note the ends, and begin the duels that follow."""
        with self._clock.during("engine"):
            self._batch.step(actions, where)
        over = where & self._batch.done
        rows = np.flatnonzero(over)
        if not len(rows):
            return
        outcome = self._batch.reward[rows, self.camp[rows]]
        # A duel that began and ended without a decision of the learner is nobody's experience.
        counted = ~self.ended[rows]
        self.rewards[rows[counted]] += np.where(outcome == 0, self._draw, outcome)[counted]
        told, result = rows[counted], np.sign(outcome[counted])
        self._opponents.note(self.opponent[told], result)
        classes = self._batch.classes[told, self.camp[told]]
        self.outcomes.add(
            self.opponent[told], result, self._length[told], classes, self._batch.map[told]
        )
        self.ended |= over
        self._begin(over)

    def _begin(self, where: np.ndarray) -> None:
        """Draw the learner's camp and the opponent of new duels."""
        count = int(where.sum())
        self.camp[where] = self._rng.integers(0, 2, count)
        self.opponent[where] = self._opponents.draw(count)
        self._length[where] = 0

    def close(self) -> None:
        """Nothing to free."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return the attribute once for each environment asked for."""
        return [getattr(self, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: the duels share one batch."""
        raise NotImplementedError("the duels of a batch have no attributes of their own")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Call a method of the whole batch; `action_masks` answers for each environment."""
        answer = getattr(self, method_name)(*args, **kwargs)
        return answer if indices is None else answer[self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Nothing is wrapped."""
        return [False] * len(self._chosen(indices))

    def _chosen(self, indices: int | Sequence[int] | None) -> np.ndarray:
        return np.atleast_1d(np.arange(self.num_envs)[slice(None) if indices is None else indices])
