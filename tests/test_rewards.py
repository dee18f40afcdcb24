"""Rewards, the price of the initiative, shaping, what an outcome says, flat observations."""

import numpy as np
import pytest
from play import lively

from solwaris_env import duel_v0
from solwaris_env.duel.codec import FORFEIT, PASS, RAISE
from solwaris_env.duel.engine.state import Phase
from solwaris_env.duel.game import Duel
from solwaris_env.duel.rewards import PRICE_UNIT, PotentialShaping, final_rewards, hp_lead
from solwaris_env.duel.wrappers import FLAT_SIZE


def totals(env, seed: int, play=lively) -> dict[str, float]:
    """What each agent was paid over a duel, as `last` tells it."""
    rng = np.random.default_rng(seed)
    paid: dict[str, float] = {}
    for agent in env.agent_iter():
        _, reward, terminated, _, info = env.last()
        paid[agent] = paid.get(agent, 0.0) + reward
        env.step(None if terminated else play(info["action_mask"], rng))
    return paid


@pytest.mark.parametrize("size", [1, 2])
def test_rewards_are_the_outcomes_and_sum_to_zero(size):
    env = duel_v0.env(team_size=size)
    for seed in range(6):
        env.reset(seed=seed, options={"map": "caveau"})
        paid = totals(env, seed)
        outcome = env.unwrapped.duel.outcome
        assert tuple(paid[f"player_{seat}"] for seat in range(2 * size)) == outcome.rewards
        assert sum(paid.values()) == 0


def auctioned(env, seed: int, raises: int) -> int:
    """Begin a duel and raise so often; the number of raises made."""
    env.reset(seed=seed, options={"purses": [2000, 2000], "team_size": 1})
    duel = env.unwrapped.duel
    made = 0
    while duel.state.phase != Phase.FIGHT:
        if duel.placing:
            env.step(int(duel.mask().argmax()))
        elif made < raises:
            env.step(RAISE)
            made += 1
        else:
            env.step(PASS)
    return made


@pytest.mark.rule("A3", "A4")
@pytest.mark.parametrize("raises", [0, 1, 2, 5])
@pytest.mark.parametrize("weight", [0.0, 0.25, 1.0])
def test_the_price_weighs_on_the_buyer_alone(raises, weight):
    env = duel_v0.env(team_size=1, price_weight=weight)
    auctioned(env, 3, raises)
    duel = env.unwrapped.duel
    buyer = int(duel.state.bidder)
    paid = totals(env, 3)
    outcome = duel.outcome
    price = 100 * raises
    assert outcome.price_paid == tuple(price if seat == buyer else 0 for seat in (0, 1))
    for seat in (0, 1):
        wanted = outcome.rewards[seat] - (weight * price / 1000 if seat == buyer else 0)
        assert paid[f"player_{seat}"] == pytest.approx(wanted)
    wanted = [paid[f"player_{seat}"] for seat in (0, 1)]
    assert final_rewards(outcome, weight) == pytest.approx(wanted)
    assert PRICE_UNIT == 1000


@pytest.mark.rule("E2", "Q1", "Q2")
@pytest.mark.parametrize("tours", [0, 1, 3, 4, 9])
@pytest.mark.parametrize("size", [1, 2])
def test_giving_up(tours, size):
    """From the 4th tour on the one who stays keeps everything, before it nothing counts for him."""
    env = duel_v0.env(team_size=size, allow_forfeit=True)
    env.reset(seed=tours)
    duel = env.unwrapped.duel
    while duel.tour < tours:
        env.step(int(duel.mask().argmax()) if duel.placing else PASS)
    camp = duel.seat % 2
    env.step(FORFEIT)
    outcome = duel.outcome
    seats = range(2 * size)
    assert outcome.termination == "forfeit"
    assert outcome.winner == 1 - camp
    assert outcome.quitter == camp
    assert outcome.tours == tours
    late = tours >= 4
    assert outcome.rewarded == tuple(late and seat % 2 != camp for seat in seats)
    assert outcome.rating_counts == tuple(late or seat % 2 == camp for seat in seats)
    assert outcome.rewards == tuple(-1.0 if seat % 2 == camp else 1.0 for seat in seats)
    assert outcome.as_dict()["rewarded"] == list(outcome.rewarded)


@pytest.mark.rule("N25")
def test_an_outcome_says_all_it_must():
    duel = Duel.new(4, allow_forfeit=False, map="caveau", team_size=1)
    rng = np.random.default_rng(4)
    while duel.seat >= 0:
        assert duel.outcome is None
        duel.apply(lively(duel.mask(), rng))
    told = duel.outcome.as_dict()
    assert set(told) == {
        "winner", "termination", "tours", "rewards", "price_paid", "hp_share", "quitter",
        "rewarded", "rating_counts",
    }  # fmt: skip
    assert told["quitter"] is None
    assert told["rewarded"] == told["rating_counts"] == [True, True]
    assert all(0 <= share <= 1 for share in told["hp_share"])


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("weight", [0.5, 2.0])
def test_shaping_telescopes(size, weight):
    """The shaped sum is the plain one, less what the beginning was worth: nothing."""
    for seed in range(3):
        plain = duel_v0.env(team_size=size)
        shaped = PotentialShaping(duel_v0.env(team_size=size), weight=weight)
        for env in (plain, shaped):
            env.reset(seed=seed, options={"map": "gouffre"})
        assert hp_lead(shaped.unwrapped.duel) == 0
        bare, paid = totals(plain, seed), totals(shaped, seed)
        assert paid == pytest.approx(bare)
        assert plain.unwrapped.duel.save() == shaped.unwrapped.duel.save()


def test_shaping_pays_the_change_of_the_lead():
    env = PotentialShaping(duel_v0.env(team_size=1), weight=0.5, gamma=0.9)
    env.reset(seed=2, options={"map": "caveau"})
    duel = env.unwrapped.duel
    rng = np.random.default_rng(2)
    paying = 0
    while env.agents and not any(env.terminations.values()):
        before = hp_lead(duel)
        env.step(lively(duel.mask(), rng))
        over = any(env.terminations.values())
        gain = 0.5 * (0.9 * (0 if over else hp_lead(duel)) - before)
        own = duel.outcome.rewards if over else (0, 0)
        assert env.rewards["player_0"] == pytest.approx(own[0] + gain)
        assert env.rewards["player_1"] == pytest.approx(own[1] - gain)
        paying += gain != 0
    assert paying > 10


def test_shaping_of_an_illegal_action_ends_at_nothing():
    env = PotentialShaping(duel_v0.env(team_size=1), weight=1.0)
    env.reset(seed=2)
    env.unwrapped.duel.state.entity[0].hp //= 2
    env._lead = hp_lead(env.unwrapped.duel)
    env.step(FORFEIT)
    assert env.rewards == {"player_0": pytest.approx(-0.5), "player_1": pytest.approx(0.5)}


def test_flat_observation():
    env = duel_v0.FlatObservation(duel_v0.env(team_size=2))
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(60):
        agent = env.agent_selection
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        assert env.observation_space(agent) is env.observation_space(agent)
        parts = env.unwrapped.observe(agent)["observation"]
        board = parts["board"].size
        assert seen["observation"].shape == (FLAT_SIZE,)
        assert np.array_equal(seen["observation"][:board], parts["board"].ravel())
        assert np.array_equal(seen["observation"][board:], parts["scalars"])
        assert np.array_equal(env.last()[0]["observation"], seen["observation"])
        env.step(lively(seen["action_mask"], rng))


@pytest.mark.parametrize("seat", range(4))
def test_the_perspective_decides_who_is_drawn_for(seat):
    env = duel_v0.env(team_size=2, render_mode="ansi", perspective=seat)
    acting = duel_v0.env(team_size=2, render_mode="ansi")
    for one in (env, acting):
        one.reset(seed=3)
    rng = np.random.default_rng(3)
    for _ in range(50):
        assert f"You are player_{seat} " in env.render()
        assert f"You are player_{acting.unwrapped.duel.seat} " in acting.render()
        action = lively(env.unwrapped.duel.mask(), rng)
        env.step(action)
        acting.step(action)
