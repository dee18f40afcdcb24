"""Self-play hands the learner its own observations with its own rewards."""

from types import SimpleNamespace

import numpy as np
import pytest

from solwaris_env.agents import make_agent
from solwaris_env.agents.base import Agent, pick_uniform
from solwaris_env.duel.codec import ACTIONS
from solwaris_env.duel.observation import BOARD_SHAPE, SCALAR_SIZE, SCALARS
from solwaris_env.duel.vector import VectorDuel
from training.opponents import GREEDY, RANDOM, Opponents
from training.potential import potential
from training.selfplay import SelfPlay


class Scripted:
    """Duels that follow a script: who is to act in turn, and who has won after the last one.

    `board[i, 0, 0, 0]` is the number of decisions taken in duel i since the start.
    """

    def __init__(self, scripts: list[tuple[list[int], int]], count: int = 1) -> None:
        self.scripts = scripts
        n = count
        self.at = np.zeros((n, 2), int)  # script, place in it
        self.board = np.zeros((n, *BOARD_SHAPE), np.int8)
        self.scalars = np.zeros((n, SCALAR_SIZE), np.float32)
        self.action_mask = np.ones((n, ACTIONS), bool)
        self.reward = np.zeros((n, 4), np.float32)
        self.done = np.zeros(n, bool)
        self.classes = np.zeros((n, 4), np.int16)
        self.map = np.zeros(n, np.int16)
        self.acted: list[tuple[int, int, int]] = []  # duel, seat, action
        self._look()

    def _look(self) -> None:
        self.seat = np.array([self.scripts[s][0][k] for s, k in self.at], np.int8)

    def reset(self) -> None:
        self.at[:] = 0
        self._look()

    def views(self, rows: np.ndarray) -> SimpleNamespace:
        return SimpleNamespace(action_mask=self.action_mask[rows], seat=self.seat[rows])

    def step(self, actions: np.ndarray, where: np.ndarray) -> None:
        self.done[:] = False
        self.reward[:] = 0
        for i in np.flatnonzero(where):
            self.acted.append((i, int(self.seat[i]), int(actions[i])))
            self.board[i, 0, 0, 0] += 1
            seats, winner = self.scripts[self.at[i, 0]]
            self.at[i, 1] += 1
            if self.at[i, 1] == len(seats):
                self.done[i] = True
                if winner >= 0:
                    self.reward[i] = np.where(np.arange(4) % 2 == winner, 1, -1)
                self.at[i] = ((self.at[i, 0] + 1) % len(self.scripts), 0)
        self._look()


class Fixed(Agent):
    """Always the same action."""

    def __init__(self, action: int) -> None:
        self.name = f"action {action}"
        self.action = action

    def act(self, view: object) -> int:
        return self.action

    def act_batch(self, views: SimpleNamespace) -> np.ndarray:
        return np.full(len(views.seat), self.action)


class Camps:
    """A generator that draws the camps of a list, in turn."""

    def __init__(self, camps: list[int]) -> None:
        self.camps = iter(camps)

    def integers(self, low: int, high: int, count: int) -> np.ndarray:
        return np.array([next(self.camps) for _ in range(count)])


def scripted(scripts: list, camps: list[int], **kwargs: object) -> tuple[SelfPlay, Scripted]:
    """A self-play of one scripted duel against an opponent that plays action 9."""
    batch = Scripted(scripts)
    env = SelfPlay(batch, Opponents({RANDOM: Fixed(9)}, {RANDOM: 1.0}), **kwargs)
    env._rng = Camps(camps)
    return env, batch


def test_reward_goes_to_the_last_action_though_the_other_camp_ended_the_duel() -> None:
    """Camp 1 makes the last move and wins; the learner in camp 0 gets -1 for its own last."""
    env, batch = scripted([([0, 1, 0, 1, 1], 1), ([1, 0, 1], 0)], [0, 1])
    first = env.reset()
    assert first["board"][0, 0, 0, 0] == 0
    after, reward, done, _ = env.step(np.array([5]))
    assert (reward[0], done[0], after["board"][0, 0, 0, 0]) == (0, False, 2)
    after, reward, done, _ = env.step(np.array([6]))
    # The observation shown is the next duel's first decision, in the camp drawn for it.
    assert (reward[0], done[0], after["board"][0, 0, 0, 0]) == (-1, True, 5)
    assert env.camp[0] == 1
    assert batch.seat[0] == 1
    assert batch.acted == [(0, 0, 5), (0, 1, 9), (0, 0, 6), (0, 1, 9), (0, 1, 9)]


def test_reward_is_the_learners_camps_in_both_camps() -> None:
    """The same end is worth +1 to one camp and -1 to the other; a draw 0."""
    for winner in (-1, 0, 1):
        for camp in (0, 1):
            env, _ = scripted([([0, 1, 0, 1], winner)], [camp] * 9)
            env.reset()
            rewards = []
            done = False
            while not done:
                _, reward, ended, _ = env.step(np.array([1]))
                rewards.append(reward[0])
                done = ended[0]
            assert rewards[:-1] == [0] * (len(rewards) - 1)
            assert rewards[-1] == (0 if winner < 0 else 1 if winner == camp else -1)


def test_the_learner_plays_both_heroes_of_its_camp_and_consecutive_decisions() -> None:
    """In 2v2 seats 1 and 3 are one camp; nobody else acts for it."""
    env, batch = scripted([([0, 0, 1, 1, 2, 3, 3], 1)], [1, 1])
    env.reset()
    for action in (1, 2, 3, 4):
        _, reward, done, _ = env.step(np.array([action]))
    assert done[0]
    assert reward[0] == 1
    by_learner = [(seat, action) for _, seat, action in batch.acted if action < 8]
    assert by_learner == [(1, 1), (1, 2), (3, 3), (3, 4)]
    assert all(seat % 2 == 0 for _, seat, action in batch.acted if action >= 8)


def test_a_duel_without_a_decision_of_the_learner_pays_nothing() -> None:
    """Its reward must not leak into the duel before or after it."""
    env, _ = scripted([([0, 1], 0), ([1, 1], 1), ([1, 0, 1], 1)], [0, 0, 0])
    env.reset()
    after, reward, done, _ = env.step(np.array([1]))
    assert (reward[0], done[0]) == (1, True)
    assert after["board"][0, 0, 0, 0] == 2 + 2 + 1
    assert env.take_figures()["duels/random"] == 1


def test_shaping_telescopes_to_the_start_and_ignores_the_next_duel() -> None:
    """With gamma 1 the shaped rewards of a duel add up to the outcome minus phi at the start."""
    env, batch = scripted([([0, 0, 0], 0)], [0, 0], shaping=0.5, gamma=1.0)
    own, foe = SCALARS["own_hp_share"].start, SCALARS["foe_hp_share"].start
    shares = iter([(1.0, 0.6), (0.9, 0.2), (1.0, 1.0)])
    batch.scalars[0, [own, foe]] = (1.0, 1.0)
    env.reset()
    step = batch.step

    def stepped(actions: np.ndarray, where: np.ndarray) -> None:
        step(actions, where)
        batch.scalars[0, [own, foe]] = next(shares)

    batch.step = stepped
    rewards = [float(env.step(np.array([1]))[1][0]) for _ in range(3)]
    np.testing.assert_allclose(rewards, [0.5 * 0.4, 0.5 * 0.3, 1 - 0.5 * 0.7], atol=1e-6)
    assert sum(rewards) == pytest.approx(1.0)


def test_a_draw_is_rewarded_as_configured() -> None:
    """Wins and losses stay 1 and -1, and what is told of the duels stays a draw."""
    env, _ = scripted([([0, 1], -1), ([0, 1], 0), ([0, 1], 1)], [0, 0, 0, 0], draw=-0.5)
    env.reset()
    rewards = [float(env.step(np.array([1]))[1][0]) for _ in range(3)]
    assert rewards == [-0.5, 1.0, -1.0]
    figures = env.take_figures()
    assert figures["draw_rate/random"] == pytest.approx(1 / 3)
    assert figures["win_rate/random"] == pytest.approx(1 / 3)


def test_potential_counts_both_heroes() -> None:
    """2v2: shares are averaged over the two heroes of a camp."""
    scalars = np.zeros((2, SCALAR_SIZE), np.float32)
    for name, values in {
        "own": (0.5, 0.5),
        "ally": (0, 1),
        "foe": (1, 0),
        "other_foe": (0, 0.5),
    }.items():
        scalars[:, SCALARS[f"{name}_hp_share"].start] = values
    scalars[1, SCALARS["two_against_two"].start] = 1
    np.testing.assert_allclose(potential(scalars), [-0.5, 0.5])


def test_a_learner_who_is_never_to_act_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken engine must not hold a run for ever, in lock step or out of it."""
    monkeypatch.setattr("training.selfplay.LONGEST_WAIT", 50)
    env, batch = scripted([([0] + [1] * 1000, 0)], [0])
    env.reset()
    nobody, everybody = np.zeros(1, bool), np.ones(1, bool)
    with pytest.raises(RuntimeError, match="not to act after 50 decisions"):
        env.step(np.array([1]))
    assert len(batch.acted) == 51
    env, _ = scripted([([0] + [1] * 1000, 0)], [0])
    env.reset()
    env.advance(np.array([1]), everybody)
    for _ in range(50):
        assert not env.advance(np.array([1]), nobody).any()
    with pytest.raises(RuntimeError, match="not to act after 50 decisions"):
        env.advance(np.array([1]), nobody)


def test_opponents_are_drawn_by_their_shares() -> None:
    """Half random, a quarter greedy; the snapshots' quarter meets random while there are none."""
    opponents = Opponents(
        {RANDOM: Fixed(1), GREEDY: Fixed(2)},
        {RANDOM: 0.5, GREEDY: 0.25},
        rng=np.random.default_rng(0),
    )
    drawn = opponents.draw(4000)
    assert abs((drawn == RANDOM).mean() - 0.75) < 0.04
    assert abs((drawn == GREEDY).mean() - 0.25) < 0.04


def test_real_duels_pay_what_they_came_to() -> None:
    """Learner and opponents legal throughout, both camps played, rewards equal to outcomes."""
    count = 16
    rng = np.random.default_rng(4)
    batch = VectorDuel(count, seed=11, copy=False)
    opponents = Opponents(
        {RANDOM: make_agent("random", 1), GREEDY: make_agent("greedy", 2)},
        {RANDOM: 0.7, GREEDY: 0.3},
        rng=rng,
    )
    env = SelfPlay(batch, opponents, rng=rng)
    outcomes: list[float] = []
    step = batch.step

    def recorded(actions: np.ndarray, where: np.ndarray) -> None:
        assert batch.action_mask[where, actions[where]].all()
        step(actions, where)
        for i in np.flatnonzero(batch.done & where):
            winner = batch.winner[i]
            outcomes.append(0.0 if winner < 0 else 1.0 if winner == env.camp[i] else -1.0)

    batch.step = recorded
    env.reset()
    assert set(env.camp) == {0, 1}
    rewards = []
    while len(outcomes) < 12:
        masks = env.env_method("action_masks")
        assert masks.shape == (count, ACTIONS)
        assert (batch.seat % 2 == env.camp).all()
        observation, reward, done, infos = env.step(pick_uniform(masks, rng))
        assert observation["board"].shape == (count, *BOARD_SHAPE)
        assert not np.shares_memory(observation["board"], batch.board)
        assert (reward[~done] == 0).all()
        assert len(infos) == count
        rewards += reward[done].tolist()
    assert sorted(rewards) == sorted(outcomes)
    assert sum(value for key, value in env.take_figures().items() if "duels/" in key) == len(
        outcomes
    )
