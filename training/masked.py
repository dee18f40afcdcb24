"""Masked categorical distributions that look at the legal actions alone.

A duel offers about a hundred of 4,539 actions: softmax, sampling and entropy over the legal
ones only are exact and some forty times cheaper than over whole rows.
"""

from dataclasses import dataclass

import numpy as np
import torch


class NoLegalAction(ValueError):
    """A row of an action mask is all zero; a softmax over it would be uniform nonsense."""


@dataclass(frozen=True)
class Legal:
    """The legal actions of all rows of a mask, row by row, the lowest first.

    Attributes:
        index: int64 (K,), row * A + action.
        row, action: int64 (K,).
        count: int64 (B,), how many each row has.
        size: how many actions there are, A.
    """

    index: torch.Tensor
    row: torch.Tensor
    action: torch.Tensor
    count: torch.Tensor
    size: int

    @classmethod
    def of(
        cls, masks: torch.Tensor | np.ndarray, device: torch.device | str | None = None
    ) -> "Legal":
        """Read masks (B, A), bool or 0/1; the answer lies on `device`, or where the masks do.

        Raises:
            NoLegalAction: a row of `masks` is all zero.
        """
        if isinstance(masks, np.ndarray):
            masks = torch.from_numpy(np.ascontiguousarray(masks))
        masks = masks.to(device or masks.device)
        rows, size = masks.shape
        index = masks.flatten().nonzero().squeeze(1)
        row = torch.div(index, size, rounding_mode="floor")
        count = torch.bincount(row, minlength=rows)
        least = int(count.argmin()) if rows else -1
        if rows and not count[least]:
            raise NoLegalAction(f"row {least} of the action mask has no legal action")
        return cls(index, row, index - row * size, count, size)

    def places(self, actions: torch.Tensor) -> torch.Tensor:
        """Return the places (B, ...) of `actions` (B, ...) among the legal ones.

        An illegal one gets some legal one's place.
        """
        rows = torch.arange(len(self.count), device=actions.device)
        wanted = rows.view(-1, *[1] * (actions.dim() - 1)) * self.size + actions
        return torch.searchsorted(self.index, wanted).clamp(max=len(self.index) - 1)


def sample(
    logits: torch.Tensor, legal: Legal, deterministic: bool = False
) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw from the softmax of the legal logits with torch's generator.

    Args:
        logits: (K,), of the legal actions.
        legal: which they are.
        deterministic: take the highest legal logit, among equals the lowest index.

    Returns:
        Actions int64 (B,) and their log probabilities float32 (B,), on the CPU.
    """
    values = logits.detach().cpu().double().numpy()
    counts = legal.count.cpu().numpy()
    starts = np.cumsum(counts) - counts
    highest = np.maximum.reduceat(values, starts)
    weights = np.exp(values - np.repeat(highest, counts))
    totals = np.add.reduceat(weights, starts)
    if deterministic:
        at_top = np.flatnonzero(values == np.repeat(highest, counts))
        place = at_top[np.searchsorted(at_top, starts)]
    else:
        cumulated = np.cumsum(weights)
        before = cumulated[starts] - weights[starts]
        drawn = torch.rand(len(counts), dtype=torch.float64).numpy()
        place = np.searchsorted(cumulated, before + drawn * totals, side="right")
        # Rounding at a row's ends must not lead into another row.
        place = np.clip(place, starts, starts + counts - 1)
    log_prob = np.log(np.maximum(weights[place], 1e-300)) - np.log(totals)
    return legal.action.cpu()[torch.from_numpy(place)], torch.from_numpy(log_prob).float()


def evaluate(
    logits: torch.Tensor, legal: Legal, actions: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return log probabilities (B,) of legal `actions` (B,) and entropies (B,), differentiable.

    Args:
        logits: float32 (K,), of the legal actions.
        legal: which they are.
    """
    logs = log_softmax(logits, legal)
    entropy = torch.zeros(len(legal.count), device=logits.device)
    entropy = entropy.index_add(0, legal.row, -logs.exp() * logs)
    return logs[legal.places(actions)], entropy


def log_softmax(logits: torch.Tensor, legal: Legal) -> torch.Tensor:
    """Return the log probabilities (K,) of the legal actions, differentiable; see `evaluate`."""
    lowest = torch.full((len(legal.count),), -torch.inf, device=logits.device)
    highest = lowest.scatter_reduce(0, legal.row, logits.detach(), "amax")
    shifted = logits - highest[legal.row]
    totals = torch.zeros_like(highest).index_add(0, legal.row, shifted.exp())
    return shifted - totals.log()[legal.row]
