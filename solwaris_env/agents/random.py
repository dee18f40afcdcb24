"""The agent that plays any legal action."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .base import Agent, pick_uniform

if TYPE_CHECKING:
    from ..duel.view import BatchView, SeatView


class RandomAgent(Agent):
    """Plays uniformly over the legal actions."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start the random stream from `seed`, or from fresh entropy."""
        self._rng = np.random.default_rng(seed)

    def act(self, view: SeatView) -> int:
        """Return the index of a legal action; see `Agent.act`."""
        return int(pick_uniform(np.asarray(view.action_mask)[None], self._rng)[0])

    def act_batch(self, views: BatchView) -> np.ndarray:
        """Return legal actions, int64 (n,); see `Agent.act_batch`."""
        return pick_uniform(views.action_mask, self._rng)
