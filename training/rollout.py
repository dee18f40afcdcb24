"""Collecting experience round by round: whoever can decide does, nobody waits for the others.

A duellist's turn has some ten decisions. Were all duels to wait until the learner is to act in
each, most rounds would ask networks about a handful of duels, at the price of a hundred.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
import torch
from stable_baselines3.common.utils import obs_as_tensor

from .buffer import CompactRolloutBuffer
from .policy import DuelPolicy


class Rounds(Protocol):
    """Environments that go on one by one.

    Attributes:
        num_envs: how many there are, n.
        rewards: float32 (n,), of the learner's last action; final once it is settled.
        ended: bool (n,), whether an episode ended since that action; true before the first one.
    """

    num_envs: int
    rewards: np.ndarray
    ended: np.ndarray

    @property
    def ready(self) -> np.ndarray:
        """Whether the learner is to act: bool (n,)."""

    def observe(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Return the learner's observations at `rows`, its own copy."""

    def action_masks(self) -> np.ndarray:
        """Return the masks, bool (n, A)."""

    def advance(self, actions: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """Take `actions` where `chosen`, and go on wherever the learner is not to act.

        Returns:
            bool (n,): where the learner is to act again, its last action being settled.
        """


def collect(
    env: Rounds,
    policy: DuelPolicy,
    buffer: CompactRolloutBuffer,
    count: Callable[[int], bool],
) -> bool:
    """Fill `buffer` with the learner's next decisions, as many in each environment.

    An environment with enough of them stands still, ready, until the next rollout.

    Args:
        count: told after each round how many decisions it had; false ends the rollout.

    Returns:
        Whether the rollout came to its end.
    """
    steps = buffer.buffer_size
    placed = np.zeros(env.num_envs, np.int64)
    while True:
        rows = np.flatnonzero(env.ready & (placed < steps))
        actions = np.zeros(env.num_envs, np.int64)
        chosen = np.zeros(env.num_envs, bool)
        if len(rows):
            observation, masks = env.observe(rows), env.action_masks()[rows]
            with torch.no_grad():
                seen = obs_as_tensor(observation, policy.device)
                picked, values, log_probs = policy(seen, action_masks=masks)
            actions[rows], chosen[rows] = picked.cpu().numpy(), True
            buffer.put(
                placed[rows], rows, observation, actions[rows], env.ended[rows], values, log_probs,
                masks,
            )  # fmt: skip
            placed[rows] += 1
        elif env.ready.all():
            break
        settled = np.flatnonzero(env.advance(actions, chosen))
        buffer.settle(placed[settled] - 1, settled, env.rewards[settled])
        if not count(len(rows)):
            return False
    return True
