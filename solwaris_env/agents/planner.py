"""The strongest scripted player: it searches its own turn and the answer to it."""

import time

import numpy as np

from ..duel.content.schema import SPELL_COUNT
from ..duel.engine.kernel import Compiling
from ..duel.engine.scratch import SCRATCH
from ..duel.engine.setup import SETUP
from ..duel.engine.state import STATE
from ..duel.view import BatchView, SeatView
from ..errors import SolwarisError
from .base import Agent, Ratings
from .planner_blows import FACTS
from .planner_kernel import ENDING, ENDS, POOL, SEARCH, UNANSWERED, choose
from .planner_weigh import default_weights

NODES = 2000  # trials that a decision may take if the caller sets no budget
FEWEST = 50  # with less than this no turn can be thought through
MOST_NODES = 1_000_000
MOST_MS = 60_000
FIRST_RATE = 150.0  # trials a millisecond, until it has been measured


class PlannerAgent(Agent):
    """Searches sequences of walks and casts of its own turn, and what the enemy answers.

    Its trials run on duels in which all that its seat cannot know is drawn. With a budget of
    nodes the same seed and knowledge give the same action, alone or in a batch; one of
    milliseconds is turned into nodes by the speed of the decisions before.

    Args:
        nodes: trials that a decision may take, 50 or more; 2,000 without any budget.
        ms: milliseconds that a decision may take instead.
        seed: starts its draws.
        weights: (1,) WEIGHTS, the package's own by default.

    Attributes:
        made: trials of the last call.

    Raises:
        SolwarisError: a budget is no number or too small, or there are two.
    """

    def __init__(
        self,
        nodes: int | None = None,
        ms: float | None = None,
        seed: int | None = None,
        weights: np.ndarray | None = None,
    ) -> None:
        if nodes is not None and ms is not None:
            raise SolwarisError("a planner takes a budget of nodes or of milliseconds, not both")
        if nodes is not None and not FEWEST <= nodes <= MOST_NODES:
            raise SolwarisError(f"nodes must be {FEWEST} to {MOST_NODES}, got {nodes}")
        if ms is not None and not 0 < ms <= MOST_MS:
            raise SolwarisError(f"ms must be above 0 and at most {MOST_MS}, got {ms}")
        self.nodes = NODES if nodes is None else int(nodes)
        self.ms = ms
        budget = "" if nodes is None else f":nodes={nodes}"
        self.name = "planner" + (budget if ms is None else f":ms={ms:g}")
        self.made = 0
        self._rate = FIRST_RATE
        self._weights = default_weights() if weights is None else weights
        self._dice = np.zeros(1, SETUP)
        self._scratch = np.zeros(1, SCRATCH)
        self._pool = np.zeros(POOL, STATE)
        self._reply_pool = np.zeros(POOL, STATE)
        self._search = np.zeros(1, SEARCH)
        self._reply = np.zeros(1, SEARCH)
        self._facts = np.zeros(SPELL_COUNT, FACTS)
        self._warm = False
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start from `seed`, or a fresh one."""
        self._seed = int(np.random.SeedSequence(seed).generate_state(1)[0])

    def act(self, view: SeatView) -> int:
        """Return the index of a legal action for the seat of `view`."""
        return int(self.act_batch(BatchView.of(view))[0])

    def act_batch(self, views: BatchView) -> np.ndarray:
        """Return legal actions, int64 (n,), one for each seat of `views`."""
        return self._alone(views, unanswered(len(views), 0))

    def rate_batch(self, views: BatchView) -> Ratings:
        """Decide for each of the n seats of `views`; rate the first actions of the turns that
        were thought through to the enemy's answer. Before the fight the choice is alone."""
        endings = unanswered(len(views), ENDS)
        actions = self._alone(views, endings)
        return ratings(actions, endings["root"], endings["value"])

    def _alone(self, views: BatchView, endings: np.ndarray) -> np.ndarray:
        """Search without a policy's priors and leaves."""
        n = len(views)
        priors, leaves = np.zeros((n, 0), np.float32), np.zeros((n, 0), STATE)
        return self._choose(views, priors, endings, leaves)

    def _choose(
        self, views: BatchView, priors: np.ndarray, endings: np.ndarray, leaves: np.ndarray
    ) -> np.ndarray:
        """Search for every seat of `views`; arrays as in `planner_kernel.choose`."""
        actions = np.zeros(len(views), np.int64)
        known = np.ascontiguousarray(views.known)
        masks = np.ascontiguousarray(views.action_mask).view(np.uint8)
        nodes = self.nodes if self.ms is None else max(FEWEST, int(self._rate * self.ms))
        began = time.perf_counter()
        with Compiling("planner"):
            self.made = choose(
                known,
                self._pool,
                self._search,
                self._reply_pool,
                self._reply,
                views.rules,
                self._facts,
                self._weights,
                self._scratch,
                masks,
                priors,
                self._dice,
                self._seed,
                nodes,
                endings,
                leaves,
                actions,
            )
        self._note_rate(time.perf_counter() - began)
        return actions

    def _note_rate(self, seconds: float) -> None:
        """Keep the speed of late, which a budget of milliseconds is measured by."""
        if self._warm and self.made >= FEWEST:
            self._rate += 0.1 * (self.made / (1000 * seconds) - self._rate)
        self._warm = True  # the first call may have compiled


def unanswered(seats: int, count: int) -> np.ndarray:
    """Room for the ends of turns: ENDING (seats, count), none of them thought through."""
    endings = np.zeros((seats, count), ENDING)
    endings["root"] = UNANSWERED
    return endings


def ratings(actions: np.ndarray, roots: np.ndarray, values: np.ndarray) -> Ratings:
    """Rate each first action by the best turn that begins with it.

    Args:
        actions: int64 (n,), chosen.
        roots: int (n, k), first actions of turns, UNANSWERED where there is none.
        values: float (n, k), of these turns.
    """
    answered = roots != UNANSWERED
    # the answered turns come first in a row
    columns = max(1, int(answered.sum(axis=1).max(initial=0)))
    rated = np.maximum(roots[:, :columns], 0).astype(np.int64)
    worth = np.where(answered, values, -np.inf)[:, :columns]
    for later in range(1, columns):
        for earlier in range(later):
            same = rated[:, earlier] == rated[:, later]
            worth[same, earlier] = np.maximum(worth[same, earlier], worth[same, later])
            worth[same, later] = -np.inf
    alone = ~answered.any(axis=1)
    rated[alone, 0] = actions[alone]
    worth[alone, 0] = 0.0
    return Ratings(actions, rated, worth)
