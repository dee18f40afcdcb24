"""Masked categorical distributions that look at the legal actions alone.

A duel offers about a hundred of 4,539 actions: softmax, sampling and entropy over the legal
ones only are exact and some forty times cheaper than over whole rows.
"""

import numpy as np
import torch


class NoLegalAction(ValueError):
    """A row of an action mask is all zero; a softmax over it would be uniform nonsense."""


def sample(
    logits: torch.Tensor, masks: np.ndarray, deterministic: bool = False
) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw from the softmax of the legal logits with torch's generator.

    Args:
        logits: (B, A).
        masks: (B, A), bool or 0/1.
        deterministic: take the highest legal logit, among equals the lowest index.

    Returns:
        Actions int64 (B,) and their log probabilities float32 (B,).

    Raises:
        NoLegalAction: a row of `masks` is all zero.
    """
    scores = logits.detach().cpu().float().numpy()
    masks = np.asarray(masks).astype(bool, copy=False)
    size = masks.shape[1]
    legal = np.flatnonzero(masks)
    row = legal // size
    counts = np.bincount(row, minlength=len(masks))
    _require_legal(counts)
    starts = np.cumsum(counts) - counts
    values = scores.ravel()[legal].astype(np.float64)
    weights = np.exp(values - np.maximum.reduceat(values, starts)[row])
    totals = np.add.reduceat(weights, starts)
    if deterministic:
        chosen = np.where(masks, scores, -np.inf).argmax(axis=1) + np.arange(len(masks)) * size
        place = np.searchsorted(legal, chosen)
    else:
        cumulated = np.cumsum(weights)
        before = cumulated[starts] - weights[starts]
        drawn = torch.rand(len(masks), dtype=torch.float64).numpy()
        place = np.searchsorted(cumulated, before + drawn * totals, side="right")
        # Rounding at a row's ends must not lead into another row.
        place = np.clip(place, starts, starts + counts - 1)
    log_prob = np.log(np.maximum(weights[place], 1e-300)) - np.log(totals)
    return torch.from_numpy(legal[place] % size), torch.from_numpy(log_prob).float()


def evaluate(
    logits: torch.Tensor, masks: torch.Tensor, actions: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return log probabilities (B,) of `actions` (B,) and entropies (B,), differentiable.

    Args:
        logits: float32 (B, A).
        masks: bool (B, A).

    Raises:
        NoLegalAction: a row of `masks` is all zero.
    """
    highest, log_total, moment = _normaliser(logits, masks)
    chosen = logits.gather(1, actions.view(-1, 1)).squeeze(1)
    return chosen - highest - log_total, log_total - moment


def log_probs(logits: torch.Tensor, masks: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
    """Return log probabilities (B, K) of `actions` (B, K), differentiable; see `evaluate`."""
    highest, log_total, _ = _normaliser(logits, masks)
    return logits.gather(1, actions) - (highest + log_total)[:, None]


def _normaliser(
    logits: torch.Tensor, masks: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of the legal logits of each row: their maximum, a constant; the logarithm of the sum of
    exponentials above it; the mean, by their softmax, of what they are above it."""
    rows, size = logits.shape
    legal = masks.bool().flatten().nonzero().squeeze(1)
    row = legal // size
    counts = torch.bincount(row, minlength=rows)
    _require_legal(counts.cpu().numpy())
    values = logits.flatten()[legal]
    lowest = torch.full((rows,), -torch.inf, device=logits.device)
    highest = lowest.scatter_reduce(0, row, values.detach(), "amax")
    shifted = values - highest[row]
    weights = shifted.exp()
    totals = torch.zeros(rows, device=logits.device).index_add(0, row, weights)
    moment = torch.zeros(rows, device=logits.device).index_add(0, row, weights * shifted)
    return highest, totals.log(), moment / totals


def _require_legal(counts: np.ndarray) -> None:
    if not counts.all():
        raise NoLegalAction(f"row {int(counts.argmin())} of the action mask has no legal action")
