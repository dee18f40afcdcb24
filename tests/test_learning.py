"""The learner learns: a toy whose random and solved scores are known exactly."""

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from solwaris_env.duel.codec import ACTIONS
from solwaris_env.duel.content.schema import CELLS, SLOTS
from solwaris_env.duel.observation import BOARD_SHAPE, PLANES, SCALAR_SIZE, SCALARS
from training.config import TrainConfig
from training.policy import action_space, observation_space
from training.ppo import SelfPlayPPO

LEGAL = 16  # half are casts of the right spell, half of the wrong one
RANDOM_SCORE = 1 / LEGAL
SOLVED_SCORE = 1.0
RIGHT, WRONG = 7, 8  # spell ids


class Targets(VecEnv):
    """Eight cells, a foe on one of them; of two spells one is to be cast on the foe.

    One decision an episode, reward 1 for the right spell on the right cell, else 0. The right
    spell lies in a random slot, so its id must be read from the scalars.
    """

    def __init__(self, count: int, seed: int) -> None:
        self.render_mode = None
        self.rng = np.random.default_rng(seed)
        super().__init__(count, observation_space(), action_space())
        self.played: list[np.ndarray] = []
        self.ready = np.ones(count, bool)
        self.ended = np.ones(count, bool)
        self._draw()

    def _draw(self) -> None:
        n = self.num_envs
        rows = np.arange(n)
        cells = self.rng.permuted(np.tile(np.arange(CELLS), (n, 1)), axis=1)[:, : LEGAL // 2]
        slots = self.rng.permuted(np.tile(np.arange(SLOTS), (n, 1)), axis=1)[:, :2]
        self.board = np.zeros((n, *BOARD_SHAPE), np.int8)
        foe = self.rng.integers(0, LEGAL // 2, n)
        planes = self.board.reshape(n, -1, CELLS)
        planes[rows, PLANES["their_hero"].start, cells[rows, foe]] = 1
        self.scalars = np.zeros((n, SCALAR_SIZE), np.float32)
        for spell, column in ((RIGHT, 0), (WRONG, 1)):
            for slot in range(SLOTS):
                chosen = slots[:, column] == slot
                self.scalars[chosen, SCALARS[f"slot{slot}_spell"].start] = spell
        self.mask = np.zeros((n, ACTIONS), bool)
        for column in (0, 1):
            np.put_along_axis(self.mask, slots[:, column, None] * CELLS + cells, True, axis=1)
        self.answer = slots[:, 0] * CELLS + cells[rows, foe]

    def action_masks(self) -> np.ndarray:
        return self.mask

    def reset(self) -> dict[str, np.ndarray]:
        return {"board": self.board, "scalars": self.scalars}

    def observe(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        return {key: value[rows] for key, value in self.reset().items()}

    def advance(self, actions: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        if chosen.any():
            assert chosen.all()
            _, self.rewards, _, _ = self.step(actions)
        return chosen

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> tuple:
        assert self.mask[np.arange(self.num_envs), self.actions].all(), "an illegal action"
        rewards = (self.actions == self.answer).astype(np.float32)
        self.played.append(rewards)
        self._draw()
        return self.reset(), rewards, np.ones(self.num_envs, bool), [{}] * self.num_envs

    def close(self) -> None:
        pass

    def get_attr(self, attr_name: str, indices: object = None) -> list:
        return [getattr(self, attr_name)]

    def set_attr(self, attr_name: str, value: object, indices: object = None) -> None:
        raise NotImplementedError

    def env_method(self, method_name: str, *args: object, **kwargs: object) -> object:
        return getattr(self, method_name)()

    def env_is_wrapped(self, wrapper_class: type, indices: object = None) -> list[bool]:
        return [False]


def test_toy_goes_from_its_random_to_its_solved_score() -> None:
    """Masked PPO, buffer, network and spell embedding together solve the toy."""
    config = TrainConfig(
        envs=256,
        rollout=2,
        batch=256,
        epochs=2,
        channels=16,
        blocks=0,
        width=64,
        learning_rate=3e-3,
        learning_rate_end=3e-3,
        entropy=0.0,
        entropy_end=0.0,
        half=False,
        total_steps=12_000,
    )
    env = Targets(config.envs, seed=1)
    model = SelfPlayPPO(config, env, lambda: 0.0, lambda: False, np.random.default_rng(1))
    model.learn(config.envs * config.rollout)
    untrained = float(np.mean(env.played[: config.rollout]))
    # 512 tries: 0.0625 with a standard deviation of 0.011.
    assert abs(untrained - RANDOM_SCORE) < 0.04
    model.learn(config.total_steps)
    trained = float(np.mean(env.played[-8:]))
    assert trained > 0.95 * SOLVED_SCORE
