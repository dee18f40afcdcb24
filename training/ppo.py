"""MaskablePPO with schedules that follow the whole run's budget."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import obs_as_tensor
from stable_baselines3.common.vec_env import VecEnv

from .buffer import CompactRolloutBuffer
from .config import TrainConfig
from .network import NetworkSize
from .policy import DuelPolicy
from .rollout import collect
from .stopwatch import Stopwatch


def linear(start: float, end: float) -> Callable[[float], float]:
    """Return a schedule from `start` (1 of the budget left) to `end` (0 left)."""
    return lambda left: end + (start - end) * min(max(left, 0.0), 1.0)


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO whose learning rate, clip range and entropy follow `progress`.

    Args:
        config: the run.
        env: the learner's side of the duels, with the methods of `Rounds`.
        progress: returns the share of the budget used up, 0 to 1, earlier sittings included;
            sb3 alone would know the steps but not the minutes.
        stopped: once true, an update ends at its next minibatch.
        rng: orders the minibatches.
        clock: told what the updates take, and choosing.
    """

    def __init__(
        self,
        config: TrainConfig,
        env: VecEnv,
        progress: Callable[[], float],
        stopped: Callable[[], bool],
        rng: Any,
        clock: Stopwatch | None = None,
    ) -> None:
        self._clock = clock or Stopwatch()
        self._progress = progress
        self._entropy = linear(config.entropy, config.entropy_end)
        super().__init__(
            DuelPolicy,
            env,
            learning_rate=linear(config.learning_rate, config.learning_rate_end),
            n_steps=config.rollout,
            batch_size=config.batch,
            n_epochs=config.epochs,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            clip_range=linear(config.clip, config.clip_end),
            ent_coef=config.entropy,
            vf_coef=config.value_weight,
            max_grad_norm=config.max_grad_norm,
            target_kl=config.target_kl,
            rollout_buffer_class=CompactRolloutBuffer,
            rollout_buffer_kwargs={"stopped": stopped, "rng": rng},
            policy_kwargs={"size": network_size(config), "half": config.half, "clock": self._clock},
            seed=config.seed,
            device=config.device,
        )

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        self.follow_progress()

    def follow_progress(self) -> None:
        """Set what the schedules depend on from the budget used up so far."""
        self._current_progress_remaining = 1.0 - self._progress()
        self.ent_coef = self._entropy(self._current_progress_remaining)

    def collect_rollouts(
        self,
        env: VecEnv,
        callback: BaseCallback,
        rollout_buffer: CompactRolloutBuffer,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Fill the buffer round by round; see `MaskablePPO.collect_rollouts` and `collect`."""
        self.policy.set_training_mode(False)
        rollout_buffer.reset()
        callback.on_rollout_start()

        def count(decisions: int) -> bool:
            self.num_timesteps += decisions
            return callback.on_step()

        if not collect(env, self.policy, rollout_buffer, count):
            return False
        self._last_obs = env.observe(np.arange(env.num_envs))
        with torch.no_grad():
            values = self.policy.predict_values(obs_as_tensor(self._last_obs, self.device))
        rollout_buffer.compute_returns_and_advantage(values, env.ended)
        callback.on_rollout_end()
        return True

    def train(self) -> None:
        """Update the network once; see `MaskablePPO.train`."""
        self.logger.record("train/entropy_weight", self.ent_coef)
        with self._clock.during("update"):
            super().train()


def network_size(config: TrainConfig) -> NetworkSize:
    """Return the size of the run's networks."""
    return NetworkSize(config.channels, config.blocks, config.width)
