"""What every agent offers: one decision, or many at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from ..errors import SolwarisError

if TYPE_CHECKING:
    from ..duel.view import BatchView, SeatView


class Agent(ABC):
    """A player that decides from what its seat may know, and from nothing else.

    Attributes:
        name: how tables and logs call it.
    """

    name: str

    def reset(self, seed: int | None = None) -> None:  # noqa: B027 an agent may have nothing to forget
        """Forget the last duel and start the random stream from `seed`, or a fresh one."""

    @abstractmethod
    def act(self, view: SeatView) -> int:
        """Return the index of a legal action for the seat of `view`."""

    def act_batch(self, views: BatchView) -> np.ndarray:
        """Return legal actions, int64 (n,), one for each of the n seats of `views`.

        As it stands it asks `act` seat by seat; agents that decide on arrays do it at once.
        """
        return np.array([self.act(views.row(i)) for i in range(len(views))], np.int64)


def pick_uniform(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw for each row of `masks` (n, A), bool or 0/1, one of its legal actions, uniformly.

    Returns:
        int64 (n,).

    Raises:
        SolwarisError: a row has no legal action.
    """
    rows = masks.shape[0]
    legal = np.flatnonzero(masks)
    ends = np.searchsorted(legal, np.arange(1, rows + 1) * masks.shape[1])
    starts = np.concatenate(([0], ends[:-1]))
    counts = ends - starts
    if not counts.all():
        raise SolwarisError(f"the action mask of row {int(counts.argmin())} has no legal action")
    chosen = starts + (rng.random(rows) * counts).astype(np.int64)
    return legal[chosen] % masks.shape[1]
