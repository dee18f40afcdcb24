"""What every agent offers: one decision, or many at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import SolwarisError

if TYPE_CHECKING:
    from ..duel.view import BatchView, SeatView


@dataclass(frozen=True)
class Ratings:
    """What an agent thinks of n seats' actions.

    Attributes:
        actions: int64 (n,), those it would play.
        rated: int64 (n, k), the best legal actions, that played among them.
        worth: float64 (n, k), theirs in hit points, comparable within a row; -inf where a row
            has fewer than k, and `rated` means nothing.
    """

    actions: np.ndarray
    rated: np.ndarray
    worth: np.ndarray


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

    def rate_batch(self, views: BatchView) -> Ratings:
        """Decide for each of the n seats of `views`, and say how good the best actions are.

        As it stands the action chosen is the only one rated.
        """
        actions = self.act_batch(views)
        return Ratings(actions, actions[:, None], np.zeros((len(actions), 1)))


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
