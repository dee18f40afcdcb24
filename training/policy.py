"""The duel's network as a policy of MaskablePPO."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule

from solwaris_env.duel.codec import ACTIONS
from solwaris_env.duel.observation import BOARD_SHAPE, SCALAR_SIZE

from .masked import Legal, evaluate, sample
from .network import DuelNetwork, NetworkSize
from .stopwatch import Stopwatch


def observation_space() -> spaces.Dict:
    """Return the space of an observation without its mask."""
    return spaces.Dict(
        board=spaces.Box(-128, 127, BOARD_SHAPE, np.int8),
        scalars=spaces.Box(-np.inf, np.inf, (SCALAR_SIZE,), np.float32),
    )


def action_space() -> spaces.Discrete:
    """Return the space of the actions' indices."""
    return spaces.Discrete(ACTIONS)


class DuelPolicy(MaskableActorCriticPolicy):
    """`DuelNetwork` behind the interface of sb3's masked actor-critic policies.

    Args:
        size: of the network.
        half: compute the trunk in bfloat16.
        clock: told what choosing takes.
    """

    def __init__(
        self,
        observation_space: spaces.Dict,
        action_space: spaces.Discrete,
        lr_schedule: Schedule,
        size: NetworkSize | None = None,
        half: bool = False,
        clock: Stopwatch | None = None,
        **kwargs: Any,
    ) -> None:
        self._clock = clock or Stopwatch()
        self._size = size or NetworkSize()
        self._half = half
        super().__init__(observation_space, action_space, lr_schedule, net_arch=[], **kwargs)

    def _build(self, lr_schedule: Schedule) -> None:
        self.network = DuelNetwork(self._size)
        self.network.half = self._half
        self.optimizer = self.optimizer_class(
            self.network.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )

    def forward(
        self,
        obs: dict[str, torch.Tensor],
        deterministic: bool = False,
        action_masks: np.ndarray | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return actions (B,), values (B, 1) and log probabilities (B,)."""
        with self._clock.during("policy"):
            legal = Legal.of(_required(action_masks), obs["board"].device)
            logits, value = self.network.judge(obs["board"], obs["scalars"], legal)
            actions, log_prob = sample(logits, legal, deterministic)
        return actions.to(logits.device), value[:, None], log_prob.to(logits.device)

    def evaluate_actions(
        self,
        obs: dict[str, torch.Tensor],
        actions: torch.Tensor,
        action_masks: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return values (B, 1), log probabilities (B,) and entropies (B,)."""
        legal = Legal.of(_required(action_masks))
        logits, value = self.network.judge(obs["board"], obs["scalars"], legal)
        log_prob, entropy = evaluate(logits, legal, actions)
        return value[:, None], log_prob, entropy

    def get_distribution(
        self, obs: dict[str, torch.Tensor], action_masks: np.ndarray | None = None
    ) -> MaskableCategoricalDistribution:
        """Return the distribution over all actions, the illegal ones at zero."""
        logits, _ = self.network(obs["board"], obs["scalars"])
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        distribution.apply_masking(_required(action_masks))
        return distribution

    def predict_values(self, obs: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return values (B, 1)."""
        return self.network.values(obs["board"], obs["scalars"])[:, None]


def _required(action_masks: Any) -> Any:
    if action_masks is None:
        raise ValueError("a duel's policy cannot act without action_masks")
    return action_masks
