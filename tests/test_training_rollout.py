"""A rollout collected round by round holds what lock step would have given each duel."""

from types import SimpleNamespace

import numpy as np
import torch

from solwaris_env.duel.codec import ACTIONS
from tests.test_training_selfplay import Camps, Fixed, Scripted
from training.buffer import CompactRolloutBuffer
from training.opponents import RANDOM, Opponents
from training.policy import action_space, observation_space
from training.rollout import collect
from training.selfplay import SelfPlay

STEPS, DUELS = 7, 3
# the learner's turns are of one to four decisions, the other camp's of none to five
SCRIPTS = [
    ([0, 0, 1, 1, 1, 1, 1, 0], 0),
    ([1, 0, 1, 0, 0, 0, 0], 1),
    ([1, 1, 0], -1),
]


def duels() -> SelfPlay:
    """Three duels at different paces: the learner is in camps 0, 1 and 0, later always in 0."""
    opponents = Opponents({RANDOM: Fixed(9)}, {RANDOM: 1.0})
    env = SelfPlay(Scripted(SCRIPTS, DUELS), opponents, shaping=0.5, gamma=0.9)
    env._rng = Camps([0, 1, 0] + [0] * 99)
    env.reset()
    return env


def choice(board: np.ndarray) -> np.ndarray:
    """What the learner plays: told by how many decisions the duel has had."""
    return 1 + board[:, 0, 0, 0].astype(np.int64) % 5


class Learner:
    """Stands for a policy; remembers how many decisions each round asked for."""

    device = torch.device("cpu")

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, seen: dict, action_masks: np.ndarray) -> tuple:
        board = seen["board"].numpy()
        self.asked.append(len(board))
        assert action_masks.shape == (len(board), ACTIONS)
        worth = torch.from_numpy(board[:, 0, 0, 0]).float()
        return torch.from_numpy(choice(board)), 10 * worth[:, None], -worth


def buffer() -> CompactRolloutBuffer:
    held = CompactRolloutBuffer(
        STEPS, observation_space(), action_space(), "cpu", gae_lambda=0.9, gamma=0.9, n_envs=DUELS
    )
    held.reset()
    return held


def test_each_duel_has_the_decisions_that_lock_step_would_have_had() -> None:
    """Observations, actions, rewards and starts, over two rollouts on end."""
    lock, free, learner = duels(), duels(), Learner()
    told: list[int] = []

    def counted(decisions: int) -> bool:
        told.append(decisions)
        return True

    starts = np.ones(DUELS, bool)
    seen = lock.observe(np.arange(DUELS))
    for _ in range(2):
        held, before = buffer(), sum(learner.asked)
        assert collect(free, learner, held, counted)
        assert sum(learner.asked) - before == STEPS * DUELS
        for step in range(STEPS):
            actions = choice(seen["board"])
            np.testing.assert_array_equal(held.observations["board"][step], seen["board"])
            np.testing.assert_array_equal(held.actions[step, :, 0], actions)
            np.testing.assert_array_equal(held.episode_starts[step], starts)
            np.testing.assert_array_equal(held.values[step], 10.0 * seen["board"][:, 0, 0, 0])
            np.testing.assert_array_equal(held.log_probs[step], -held.values[step] / 10)
            seen, rewards, starts, _ = lock.step(actions)
            np.testing.assert_array_equal(held.rewards[step], rewards)
        # It stands where lock step stands, so the last values and the next rollout fit.
        assert free.ready.all()
        np.testing.assert_array_equal(free.observe(np.arange(DUELS))["board"], seen["board"])
        np.testing.assert_array_equal(free.ended, starts)
    assert min(learner.asked) < DUELS
    assert [decisions for decisions in told if decisions] == learner.asked
    assert held.rewards.any()


def test_a_stop_ends_the_rollout_at_once() -> None:
    """After the second round no third one is begun."""
    learner = Learner()
    rounds = iter((True, False))
    env = duels()
    assert not collect(env, learner, buffer(), lambda k: next(rounds))
    assert len(learner.asked) == 2


def test_the_returns_come_from_all_that_was_put() -> None:
    """By hand: with gae_lambda 1 and gamma 1 a return is what was still to come in the duel."""
    held = CompactRolloutBuffer(
        3, observation_space(), action_space(), "cpu", gae_lambda=1.0, gamma=1.0, n_envs=1
    )
    held.reset()
    one = SimpleNamespace(at=np.array([0]), value=torch.tensor([[2.0]]), log=torch.tensor([0.0]))
    seen = {
        key: np.zeros((1, *space.shape), space.dtype) for key, space in observation_space().items()
    }
    masks = np.ones((1, ACTIONS), bool)
    for step, start in enumerate((True, False, True)):
        at = np.array([step])
        held.put(at, one.at, seen, np.array([7]), np.array([start]), one.value, one.log, masks)
    for step, reward in enumerate((0.5, -1.0, 0.25)):
        held.settle(np.array([step]), one.at, np.array([reward]))
    held.compute_returns_and_advantage(torch.tensor([[4.0]]), np.array([False]))
    # the first duel ends with the second decision; the other goes on, worth 4 as it stands
    np.testing.assert_allclose(held.returns[:, 0], [-0.5, -1.0, 4.25])
    np.testing.assert_allclose(held.advantages[:, 0], [-2.5, -3.0, 2.25])
