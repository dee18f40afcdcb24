"""One seat against agents: what the seat is given, and that the others play by the rules."""

import gymnasium
import numpy as np
import pytest
from play import any_action, lively

from solwaris_env import duel_v0
from solwaris_env.agents.random import RandomAgent
from solwaris_env.duel.codec import FORFEIT
from solwaris_env.duel.game import IllegalAction
from solwaris_env.duel.options import OptionError
from solwaris_env.duel.view import SeatView


class Watcher:
    """A random player that keeps what it is shown."""

    def __init__(self) -> None:
        self.agent = RandomAgent(0)
        self.views: list[SeatView] = []
        self.seeds: list[int | None] = []

    def reset(self, seed: int | None = None) -> None:
        self.agent.reset(seed)
        self.seeds.append(seed)

    def act(self, view: SeatView) -> int:
        self.views.append(view)
        return self.agent.act(view)


def finish(env, seed: int = 0) -> tuple[float, dict, int]:
    """Play the seat at random to the end: last reward, last info, number of steps."""
    rng = np.random.default_rng(seed)
    steps = 0
    while True:
        seen, reward, terminated, truncated, info = env.step(lively(env.action_masks(), rng))
        steps += 1
        assert env.observation_space.contains(seen)
        assert not truncated
        assert np.array_equal(seen["action_mask"], info["action_mask"])
        if terminated:
            return reward, info, steps
        assert reward == 0
        assert info["action_mask"].any()
        assert np.array_equal(info["action_mask"].astype(bool), env.action_masks())
        assert env.duel.seat == env.seat


@pytest.mark.parametrize("size", [1, 2])
def test_every_seat_plays_its_own_duel(size):
    for seat in range(2 * size):
        foe, ally = Watcher(), Watcher()
        env = duel_v0.SingleDuel(foe, seat=seat, ally=ally, team_size=size)
        seen, info = env.reset(seed=seat)
        assert env.observation_space.contains(seen)
        assert info["seat"] == env.seat == seat
        reward, info, _ = finish(env)
        outcome = info["outcome"]
        assert reward == outcome["rewards"][seat]
        assert not info["action_mask"].any()
        assert foe.views
        assert {view.seat % 2 for view in foe.views} == {1 - seat % 2}
        assert {view.seat for view in ally.views} == ({(seat + 2) % 4} if size == 2 else set())
        for view in foe.views + ally.views:
            assert view.action_mask.any()


def test_a_win_pays_one_and_a_loss_costs_one():
    paid = set()
    env = duel_v0.single(options={"map": "caveau"})
    for seed in range(30):
        env.reset(seed=seed)
        reward, info, _ = finish(env, seed)
        winner = info["outcome"]["winner"]
        wanted = 0 if winner is None else 1 if winner == env.seat % 2 else -1
        assert reward == wanted
        paid.add(wanted)
    assert {1, -1} <= paid


def test_seats_are_drawn_where_not_fixed():
    env = duel_v0.single(team_size=None)
    seats = set()
    for seed in range(60):
        _, info = env.reset(seed=seed)
        assert info["seat"] < len(env._env.agents)
        seats.add(info["seat"])
    assert seats == {0, 1, 2, 3}


def test_the_opponents_stream_comes_from_the_seed():
    foe = Watcher()
    env = duel_v0.SingleDuel(foe)
    for seed in (5, 5, 6, None):
        env.reset(seed=seed)
    assert foe.seeds[0] == foe.seeds[1] != foe.seeds[2] != foe.seeds[3]
    assert None not in foe.seeds


def trace(env, seed: int) -> list[bytes]:
    seen, _ = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    shown = [seen["board"].tobytes()]
    for _ in range(60):
        seen, _, terminated, _, _ = env.step(any_action(env.action_masks(), rng))
        shown += [seen["board"].tobytes(), seen["scalars"].tobytes()]
        if terminated:
            break
    return shown


def test_a_seed_says_the_whole_duel():
    env = duel_v0.single()
    first = trace(env, 3)
    assert trace(env, 3) == first
    assert trace(duel_v0.single(), 3) == first
    assert trace(env, 4) != first


def test_an_illegal_action_loses():
    env = duel_v0.single(seat=1)
    env.reset(seed=2)
    before = env.duel.save()
    seen, reward, terminated, truncated, info = env.step(FORFEIT)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert env.duel.save() == before
    assert env.observation_space.contains(seen)
    assert not info["action_mask"].any()
    with pytest.raises(IllegalAction, match=r"the duel is over: call reset\(\)"):
        env.step(0)
    env.reset()
    assert env.action_masks().any()


def test_options_of_the_reset_go_before_those_of_the_environment():
    env = duel_v0.single(options={"map": "canal", "stakes": 0})
    env.reset(seed=1)
    assert env.view().known.stakes == 0
    first = int(env.view().known.map)
    env.reset(seed=1, options={"map": "temple"})
    assert int(env.view().known.map) != first
    assert env.view().known.stakes == 0
    env.reset(seed=1)
    assert int(env.view().known.map) == first


def test_a_price_is_paid_out_of_the_reward():
    env = duel_v0.single(seat=0, price_weight=0.5, options={"purses": [900, 0]})
    for seed in range(40):
        env.reset(seed=seed)
        while env.duel.state.phase < 2:
            mask = env.action_masks()
            env.step(4537 if mask[4537] else int(mask.argmax()))
        if env.duel.state.price:
            break
    price = int(env.duel.state.price)
    assert price == 100  # nobody could follow
    reward, info, _ = finish(env, seed)
    assert info["outcome"]["price_paid"] == [100, 0]
    assert reward == pytest.approx(info["outcome"]["rewards"][0] - 0.05)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"seat": 2}, "seat: 2 is not a seat of this duel, or None"),
        ({"seat": -1}, "seat: -1 is not a seat"),
        ({"seat": "0"}, "seat: '0' is not a seat"),
        ({"seat": 4, "team_size": 2}, "seat: 4 is not a seat"),
        ({"opponent": 5}, r"opponent: 5 has no act\(view\)"),
        ({"ally": 5}, r"ally: 5 has no act\(view\)"),
        ({"team_size": 3}, "team_size: 3 is not 1, 2 or None"),
        ({"price_weight": -1}, "price_weight: -1 is not a number from 0 on"),
        ({"render_mode": "ascii"}, "render_mode: 'ascii' is not one of"),
        ({"options": 5}, "options: 5 is not a mapping"),
    ],
)
def test_wrong_arguments_are_named(arguments, words):
    with pytest.raises(OptionError, match=words):
        duel_v0.single(**arguments)


def test_a_seat_without_a_hero_is_named():
    env = duel_v0.single(seat=3, team_size=None)
    with pytest.raises(OptionError, match="seat: 3 has no hero in a duel of 2"):
        env.reset(seed=1, options={"team_size": 1})
    with pytest.raises(IllegalAction, match=r"call reset\(\)"):
        env.step(0)


def test_agents_are_named_too():
    env = gymnasium.make("solwaris/Duel-v0", opponent="random", ally="random", team_size=2)
    env.reset(seed=1)
    env.close()


def test_drawn_from_the_seats_side():
    env = duel_v0.single(seat=1, render_mode="ansi")
    env.reset(seed=1)
    assert "You are player_1" in env.render()
    env.close()


def test_observations_are_not_aliased():
    env = duel_v0.single()
    first, info = env.reset(seed=1)
    kept = {name: part.copy() for name, part in first.items()}
    for _ in range(10):
        env.step(int(env.action_masks().argmax()))
    for name, part in first.items():
        assert np.array_equal(part, kept[name]), name
    assert np.array_equal(info["action_mask"], kept["action_mask"])
