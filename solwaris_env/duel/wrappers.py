"""Wrappers around the environment for libraries with needs of their own."""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper

from .codec import ACTIONS
from .observation import BOARD_SHAPE, SCALAR_SIZE

FLAT_SIZE = int(np.prod(BOARD_SHAPE)) + SCALAR_SIZE


class FlatObservation(BaseWrapper):
    """Hands out `observation` as one float32 (C * H * W + K,) Box: the board, then the scalars."""

    def __init__(self, env: AECEnv) -> None:
        super().__init__(env)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-128.0, 10_000.0, (FLAT_SIZE,), np.float32),
                    "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
                }
            )
            for agent in env.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space:
        """The flat space of an agent, always the same object."""
        return self.observation_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now, flat."""
        seen = super().observe(agent)
        parts = seen["observation"]
        flat = np.concatenate((parts["board"].ravel(), parts["scalars"])).astype(np.float32)
        return {"observation": flat, "action_mask": seen["action_mask"]}
