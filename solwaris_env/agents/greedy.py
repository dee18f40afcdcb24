"""A sensible scripted player: one step ahead, by trying."""

import numpy as np

from ..duel.content.schema import CELLS
from ..duel.engine.scratch import SCRATCH
from ..duel.engine.setup import SETUP
from ..duel.engine.state import STATE
from ..duel.view import BatchView, SeatView
from .base import Agent
from .greedy_kernel import choose


class GreedyAgent(Agent):
    """Takes the action that leaves its camp best off right after it.

    It uses its class, takes kills, keeps the distance its class likes, avoids the traps its
    camp knows, bids where its class wants the opening and places with care.
    """

    name = "greedy"

    def __init__(self, seed: int | None = None) -> None:
        self._dice = np.zeros(1, SETUP)
        self._scratch = np.zeros(1, SCRATCH)
        self._trial = np.zeros(1, STATE)
        self._field = np.zeros(CELLS + 1, np.uint8)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start the stream of its dice from `seed`, or a fresh one."""
        self._dice["rng"] = np.random.SeedSequence(seed).generate_state(1, np.uint64)

    def act(self, view: SeatView) -> int:
        """Return the index of a legal action for the seat of `view`."""
        return int(self.act_batch(BatchView.of(view))[0])

    def act_batch(self, views: BatchView) -> np.ndarray:
        """Return legal actions, int64 (n,), one for each seat of `views`."""
        actions = np.zeros(len(views), np.int64)
        known = np.ascontiguousarray(views.known)
        masks = np.ascontiguousarray(views.action_mask).view(np.uint8)
        choose(
            known,
            self._trial,
            views.rules,
            self._scratch,
            masks,
            self._field,
            self._dice,
            actions,
        )
        return actions
