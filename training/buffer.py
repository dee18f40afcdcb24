"""A rollout buffer that keeps boards and masks small.

sb3's own buffer holds a mask as 4,539 floats (18 kB a decision). Here it is 4,539 bits (568
bytes) and becomes bools one minibatch at a time; the board stays int8 until inside the network.
"""

from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import (
    MaskableDictRolloutBuffer,
    MaskableDictRolloutBufferSamples,
)
from stable_baselines3.common.buffers import DictRolloutBuffer


class CompactRolloutBuffer(MaskableDictRolloutBuffer):
    """`MaskableDictRolloutBuffer` with packed masks, integer planes and no second copies.

    Args:
        stopped: asked before each minibatch; once true, an epoch ends early.
        rng: orders the minibatches.
        (the others): see sb3.
    """

    def __init__(
        self,
        *args: Any,
        stopped: Callable[[], bool] = lambda: False,
        rng: np.random.Generator | None = None,
        **kwargs: Any,
    ) -> None:
        self._stopped = stopped
        self._rng = rng or np.random.default_rng()
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Empty the buffer; its memory is kept."""
        self.mask_dims = int(self.action_space.n)
        if getattr(self, "observations", None) is None:
            DictRolloutBuffer.reset(self)
            packed = (self.mask_dims + 7) // 8
            self.action_masks = np.zeros((self.buffer_size, self.n_envs, packed), np.uint8)
        self.generator_ready = False
        self.pos = 0
        self.full = False

    @property
    def nbytes(self) -> int:
        """Bytes the buffer's arrays take."""
        arrays = [value for value in vars(self).values() if isinstance(value, np.ndarray)]
        return sum(array.nbytes for array in (*arrays, *self.observations.values()))

    def put(
        self,
        steps: np.ndarray,
        envs: np.ndarray,
        observation: dict[str, np.ndarray],
        actions: np.ndarray,
        starts: np.ndarray,
        values: torch.Tensor,
        log_probs: torch.Tensor,
        masks: np.ndarray,
    ) -> None:
        """Note k decisions, whose rewards are not known yet.

        Args:
            steps, envs: int64 (k,), each decision's number in its environment, and that.
            observation: of each, (k, ...).
            actions: int64 (k,).
            starts: bool (k,), whether an episode begins with it.
            values, log_probs: of k.
            masks: bool (k, A).
        """
        for key, array in self.observations.items():
            array[steps, envs] = observation[key]
        self.actions[steps, envs] = actions.reshape(-1, 1)
        self.episode_starts[steps, envs] = starts
        self.values[steps, envs] = values.cpu().numpy().reshape(-1)
        self.log_probs[steps, envs] = log_probs.cpu().numpy()
        self.action_masks[steps, envs] = np.packbits(masks.astype(bool, copy=False), axis=1)

    def settle(self, steps: np.ndarray, envs: np.ndarray, rewards: np.ndarray) -> None:
        """Note the rewards (k,) of decisions that were `put`."""
        self.rewards[steps, envs] = rewards

    def add(
        self,
        obs: dict[str, np.ndarray],
        action: np.ndarray,
        reward: np.ndarray,
        episode_start: np.ndarray,
        value: torch.Tensor,
        log_prob: torch.Tensor,
        action_masks: np.ndarray | None = None,
    ) -> None:
        """Append one step of every environment; see sb3. `action_masks` is (n_envs, A)."""
        if action_masks is None:
            raise ValueError("the rollout buffer needs action_masks with every step")
        steps, envs = np.full(self.n_envs, self.pos), np.arange(self.n_envs)
        masks = np.asarray(action_masks).reshape(self.n_envs, self.mask_dims)
        self.put(steps, envs, obs, action, episode_start, value, log_prob, masks)
        self.settle(steps, envs, reward)
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: np.ndarray) -> None:
        """See sb3; every decision has been put and settled."""
        super().compute_returns_and_advantage(last_values, dones)
        self.full = True

    def get(
        self, batch_size: int | None = None
    ) -> Generator[MaskableDictRolloutBufferSamples, None, None]:
        """Yield the decisions in random order, `batch_size` at a time."""
        if not self.full:
            raise ValueError("the rollout buffer is not full yet")
        order = self._rng.permutation(self.buffer_size * self.n_envs)
        step = batch_size or len(order)
        for start in range(0, len(order), step):
            # sb3 wants at least one minibatch of every epoch.
            if start and self._stopped():
                return
            yield self._get_samples(order[start : start + step])

    def _get_samples(self, batch_inds: np.ndarray, env: None = None) -> Any:
        def rows(array: np.ndarray) -> np.ndarray:
            return array.reshape(-1, *array.shape[2:])[batch_inds]

        masks = np.unpackbits(rows(self.action_masks), axis=1, count=self.mask_dims)
        return MaskableDictRolloutBufferSamples(
            observations={
                key: self._to_device(rows(array)) for key, array in self.observations.items()
            },
            actions=self._to_device(rows(self.actions)),
            old_values=self._to_device(rows(self.values)),
            old_log_prob=self._to_device(rows(self.log_probs)),
            advantages=self._to_device(rows(self.advantages)),
            returns=self._to_device(rows(self.returns)),
            action_masks=self._to_device(masks.view(bool)),
        )

    def _to_device(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device)
