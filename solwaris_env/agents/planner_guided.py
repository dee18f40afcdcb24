"""The planner with a trained policy beside it: likely actions first, positions valued by both."""

import numpy as np

from ..duel.batch import Buffers, Mode, Option
from ..duel.engine.state import STATE, Phase
from ..duel.observation import BOARD_SHAPE
from ..duel.view import BatchView
from ..errors import SolwarisError
from .base import Ratings
from .onnx import OnnxAgent
from .planner import PlannerAgent, ratings, unanswered
from .planner_kernel import UNANSWERED

LEAVES = 8  # ends of a turn whose positions the policy values
SCALE = 100.0  # hit points ahead that are as good as a value of 0.76
TRUST = 0.2  # share of the policy's value
HABIT = 0.005  # worth of an action that is e times as likely
RAREST = 1e-3


class GuidedPlannerAgent(PlannerAgent):
    """Searches as the planner does; an ONNX policy says what to try first and what it leads to.

    The policy's chances order the first actions of the search. The positions after the enemy's
    answer to the best turns are valued by the hand-made evaluation and, all in one run of the
    network, by the policy's value.

    Args:
        policy: with outputs `logits` and `value`; its temperature does not count.
        nodes, ms, seed: as the planner's.
        trust: share of the policy's value, 0 to 1.
        habit: worth of an action that is e times as likely as another, 0 to 1.

    Attributes:
        policy: as given.

    Raises:
        SolwarisError: a budget or a share is refused.
    """

    def __init__(
        self,
        policy: OnnxAgent,
        nodes: int | None = None,
        ms: float | None = None,
        seed: int | None = None,
        trust: float = TRUST,
        habit: float = HABIT,
    ) -> None:
        if not 0 <= trust <= 1:
            raise SolwarisError(f"trust must be a number from 0 to 1, got {trust}")
        if not 0 <= habit <= 1:
            raise SolwarisError(f"habit must be a number from 0 to 1, got {habit}")
        super().__init__(nodes=nodes, ms=ms, seed=seed)
        self.policy = policy
        self.name = f"{self.name}+{self.policy.name}"
        self._trust = trust
        self._habit = habit
        self._eyes = Buffers(LEAVES)

    def act_batch(self, views: BatchView) -> np.ndarray:
        """Return legal actions, int64 (n,), one for each seat of `views`."""
        return self._judge(views)[0]

    def rate_batch(self, views: BatchView) -> Ratings:
        """Decide for each of the n seats of `views`; see `PlannerAgent.rate_batch`."""
        return ratings(*self._judge(views))

    def _judge(self, views: BatchView) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Give the choices (n,), first actions of turns (n, LEAVES), what these are worth."""
        n = len(views)
        fights = np.flatnonzero(views.known["phase"] == Phase.FIGHT)
        priors = np.zeros((n, views.action_mask.shape[1]), np.float32)
        if len(fights):
            observation = {name: part[fights] for name, part in views.observation.items()}
            logits = self.policy.logits(observation)
            priors[fights] = _chances(logits, views.action_mask[fights])
        endings = unanswered(n, LEAVES)
        leaves = np.zeros((n, LEAVES), STATE)
        actions = self._choose(views, priors, endings, leaves)
        if not len(fights):
            return actions, endings["root"], endings["value"]
        answered = endings["root"] != UNANSWERED
        roots = np.maximum(endings["root"], 0)
        likely = np.log(np.take_along_axis(priors, roots, axis=1) + RAREST)
        own = np.tanh(endings["value"] / SCALE)
        foreseen = self._foresee(views, leaves, answered)
        known = ~np.isnan(foreseen)
        score = np.where(known, (1 - self._trust) * own + self._trust * foreseen, own)
        score = np.where(answered, score + self._habit * likely, -np.inf)
        best = np.take_along_axis(roots, score.argmax(axis=1)[:, None], axis=1)[:, 0]
        actions[fights] = best[fights]
        return actions, endings["root"], SCALE * score

    def _foresee(self, views: BatchView, leaves: np.ndarray, answered: np.ndarray) -> np.ndarray:
        """Value of states (n, LEAVES) to the camps of `views`: float64, nan where one is over."""
        value = np.full(leaves.shape, np.nan)
        asked = answered & (leaves["phase"] == Phase.FIGHT)
        states = leaves[asked]
        if not len(states):
            return value
        if len(self._eyes.states) < len(states):
            self._eyes = Buffers(len(states))
        eyes, k = self._eyes, len(states)
        eyes.states[:k] = states
        eyes.where[:] = np.arange(len(eyes.where)) < k
        eyes.advance(Mode.LOOK, views.rules, Option.OBSERVE)
        board = eyes.board[:k].reshape((k, *BOARD_SHAPE))
        _, told = self.policy.logits_and_value({"board": board, "scalars": eyes.scalars[:k]})
        camps = np.repeat(views.known["seat"] % 2, asked.sum(axis=1))
        side = np.where(states["seat"] % 2 == camps, 1.0, -1.0)
        value[asked] = side * np.clip(told, -1, 1)
        return value


def _chances(logits: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Softmax of the legal logits: float32 (n, A)."""
    legal = np.where(masks.astype(bool), logits, -np.inf)
    chances = np.exp(legal - legal.max(axis=1, keepdims=True))
    return (chances / chances.sum(axis=1, keepdims=True)).astype(np.float32)
