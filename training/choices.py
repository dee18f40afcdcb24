"""How decided the policy is, by kind of decision and of action."""

import numpy as np
import torch

from solwaris_env.duel.codec import GO, PASS
from solwaris_env.duel.observation import SCALARS

from .masked import Legal, log_softmax
from .network import DuelNetwork

_PHASE, _SUMMON = SCALARS["phase"].start, SCALARS["summon_acts"].start


def choices(
    network: DuelNetwork, observation: dict[str, np.ndarray], masks: np.ndarray
) -> dict[str, float]:
    """Return the policy's mean entropy in nats by kind of decision, and what it tends to do.

    `entropy/KIND` for placement, auction, turn (of a hero) and summon, where such a decision
    occurs among the observations; `chance/KIND` in heroes' turns for cast, go and pass.

    Args:
        network: the policy.
        observation: `board` and `scalars` of n decisions.
        masks: bool (n, A).
    """
    device = next(network.parameters()).device
    with torch.inference_mode():
        legal = Legal.of(masks, device)
        logits, _ = network.judge(
            torch.from_numpy(observation["board"]).to(device),
            torch.from_numpy(observation["scalars"]).to(device),
            legal,
        )
        logs = log_softmax(logits, legal).double().cpu().numpy()
    row, action = legal.row.cpu().numpy(), legal.action.cpu().numpy()
    chances = np.exp(logs)
    entropies = np.bincount(row, -chances * logs)
    scalars = observation["scalars"]
    phase = scalars[:, _PHASE : _PHASE + 3].argmax(axis=1)
    summon = scalars[:, _SUMMON] > 0
    turn = (phase == 2) & ~summon
    kinds = {"placement": phase == 0, "auction": phase == 1, "turn": turn, "summon": summon}
    figures = {
        f"entropy/{name}": float(entropies[rows].mean())
        for name, rows in kinds.items()
        if rows.any()
    }
    if turn.any():
        in_turn = turn[row]
        kind = np.digitize(action[in_turn], (GO, PASS))
        shares = np.bincount(kind, chances[in_turn], minlength=3) / turn.sum()
        for name, share in zip(("cast", "go", "pass"), shares, strict=True):
            figures[f"chance/{name}"] = float(share)
    return figures
