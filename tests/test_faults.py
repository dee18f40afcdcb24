"""Bad input to the environments: one clear sentence, and the duel as it was."""

import warnings

import numpy as np
import pytest
from play import lively

from solwaris_env import duel_v0
from solwaris_env.duel.codec import ACTIONS, FORFEIT, GO
from solwaris_env.duel.game import Duel, IllegalAction
from solwaris_env.errors import SolwarisError

# no action at all, whatever the mask says
NO_ACTIONS = [
    -1, ACTIONS, 10**30, -(10**30), 3.0, float("nan"), float("inf"), np.float64(3), "3", b"3",
    True, False, np.bool_(True), [3], (3,), {}, np.array([3]), np.array([3, 4]), object, 1j,
]  # fmt: skip
WORDS = r"is not a whole number|is out of range 0\.\.4538"


def state_of(env) -> tuple:
    base = env.unwrapped
    return (base.save(), list(base.agents), base.agent_selection, dict(base.rewards))


def sentence(caught) -> str:
    text = str(caught.value)
    assert text
    assert "\n" not in text
    return text


@pytest.mark.parametrize("action", [*NO_ACTIONS, None], ids=repr)
@pytest.mark.parametrize("make", [duel_v0.env, duel_v0.raw_env])
def test_no_action_at_all(make, action):
    env = make(team_size=1)
    env.reset(seed=1)
    for _ in range(2):
        before = state_of(env)
        with pytest.raises(IllegalAction, match=WORDS) as caught:
            env.step(action)
        sentence(caught)
        assert state_of(env) == before
        env.step(int(env.unwrapped.duel.mask().argmax()))


@pytest.mark.parametrize("action", [*NO_ACTIONS, None], ids=repr)
def test_no_action_at_all_of_one_duel_and_one_seat(action):
    duel = Duel.new(1)
    before = duel.save()
    with pytest.raises(IllegalAction, match=WORDS) as caught:
        duel.apply(action)
    sentence(caught)
    assert duel.save() == before
    env = duel_v0.single()
    env.reset(seed=1)
    before = env.duel.save()
    with pytest.raises(IllegalAction, match=WORDS) as caught:
        env.step(action)
    sentence(caught)
    assert env.duel.save() == before


@pytest.mark.parametrize("kind", [int, np.int16, np.int32, np.int64, np.uint16, np.uint64])
def test_numpys_whole_numbers_are_actions(kind):
    for make in (duel_v0.env, duel_v0.raw_env):
        env = make()
        env.reset(seed=3)
        env.step(kind(env.unwrapped.duel.mask().argmax()))
        assert env.unwrapped.duel.seat == 1
    single = duel_v0.single()
    single.reset(seed=3)
    single.step(np.array(single.action_masks().argmax()))


def test_an_illegal_action_of_the_bare_environment():
    env = duel_v0.raw_env()
    env.reset(seed=2)
    before = state_of(env)
    for action, text in ((0, "cast 1 a1"), (GO, "place a1"), (FORFEIT, "forfeit")):
        with pytest.raises(IllegalAction, match=rf"^{text} is not legal for seat 0 now$"):
            env.step(action)
        assert state_of(env) == before


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("decisions", [0, 1, 60])
def test_an_illegal_action_behind_the_wrappers_loses(size, decisions):
    env = duel_v0.env(team_size=size)
    env.reset(seed=4)
    rng = np.random.default_rng(4)
    for _ in range(decisions):
        env.step(lively(env.unwrapped.duel.mask(), rng))
    offender = env.agent_selection
    before = env.unwrapped.save()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        env.step(FORFEIT)
    assert env.unwrapped.save() == before
    camp = int(offender[-1]) % 2
    assert env.rewards == {a: -1.0 if int(a[-1]) % 2 == camp else 1.0 for a in env.agents}
    assert sum(env.rewards.values()) == 0
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert not any(env.infos[a]["action_mask"].any() for a in env.agents)
    collected = {}
    for agent in env.agent_iter():
        _, reward, terminated, _, _ = env.last()
        assert terminated
        collected[agent] = reward
        env.step(None)
    assert len(collected) == 2 * size
    assert sum(collected.values()) == 0
    assert collected[offender] == -1.0
    assert env.agents == []


def finished() -> list:
    found = []
    for make in (duel_v0.env, duel_v0.raw_env):
        env = make(team_size=1, allow_forfeit=True)
        env.reset(seed=5)
        env.step(FORFEIT)
        found.append(env)
    return found


def test_after_the_end_only_none_is_taken():
    for env in finished():
        agent = env.agent_selection
        before = state_of(env)
        with pytest.raises(IllegalAction, match=f"{agent}'s duel is over: the only action is None"):
            env.step(0)
        assert state_of(env) == before
        env.step(None)
        env.step(None)
        assert env.agents == []


def test_after_everyone_has_left():
    env, bare = finished()
    for one in (env, bare):
        one.step(None)
        one.step(None)
    for action in (None, 0):
        before = state_of(env)
        env.step(action)  # PettingZoo's own wrapper logs a warning, and that is all
        with pytest.raises(IllegalAction, match=r"call reset\(\)"):
            bare.step(action)
        assert state_of(env) == before
    for one in (env, bare):
        one.reset(seed=1)
        assert len(one.agents) == 2


def test_a_duel_that_is_over_takes_nothing():
    duel = Duel.new(5)
    duel.apply(FORFEIT)
    before = duel.save()
    for action in (0, FORFEIT, -1):
        with pytest.raises(IllegalAction, match="the duel is over: no action is legal"):
            duel.apply(action)
    with pytest.raises(IllegalAction, match="the duel is over: no clock runs"):
        duel.time_up()
    assert duel.save() == before


def test_reset_in_mid_duel_begins_anew():
    env, fresh = duel_v0.env(), duel_v0.env()
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(90):
        env.step(lively(env.unwrapped.duel.mask(), rng))
    env.reset(seed=8)
    fresh.reset(seed=8)
    assert state_of(env) == state_of(fresh)
    assert env.unwrapped._cumulative_rewards == fresh.unwrapped._cumulative_rewards
    for agent in env.agents:
        mine, other = env.observe(agent), fresh.observe(agent)
        assert mine["action_mask"].tobytes() == other["action_mask"].tobytes()
        for part in ("board", "scalars"):
            assert mine["observation"][part].tobytes() == other["observation"][part].tobytes()
    # ... and the next unseeded duels agree too
    env.reset()
    fresh.reset()
    assert state_of(env) == state_of(fresh)


@pytest.mark.parametrize("agent", ["player_4", "", "Player_0", 0, None, ("player_0",)])
def test_unknown_agents_are_named(agent):
    for env in (duel_v0.env(), duel_v0.raw_env()):
        env.reset(seed=1)
        with pytest.raises(SolwarisError, match="is not one of player_0, player_1") as caught:
            env.observe(agent)
        sentence(caught)


def test_players_of_a_smaller_duel_see_it_is_not_theirs():
    env = duel_v0.raw_env()
    env.reset(seed=1, options={"team_size": 1})
    with pytest.raises(SolwarisError, match="player_3"):
        env.observe("player_3")
    with pytest.raises(SolwarisError, match="player_3"):
        env.view("player_3")


def test_before_reset_there_is_nothing_to_see_or_do():
    env = duel_v0.raw_env()
    with pytest.raises(SolwarisError, match=r"call reset\(\)"):
        env.step(0)
    with pytest.raises(SolwarisError, match=r"call reset\(\)"):
        env.observe("player_0")
    with pytest.raises(SolwarisError, match=r"call reset\(\)"):
        duel_v0.single().step(0)


def test_render_without_a_mode_is_warned_of():
    env = duel_v0.raw_env()
    env.reset(seed=1)
    before = state_of(env)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert env.render() is None
    assert state_of(env) == before


def test_drawing_changes_nothing():
    pytest.importorskip("PIL")
    env = duel_v0.raw_env(render_mode="ansi", perspective=0)
    env.reset(seed=1, options={"team_size": 1})
    rng = np.random.default_rng(1)
    for _ in range(40):
        before = state_of(env)
        env.render()
        assert state_of(env) == before
        env.step(lively(env.unwrapped.duel.mask(), rng))


def test_a_perspective_without_a_hero_is_named():
    env = duel_v0.raw_env(render_mode="ansi", perspective=3)
    env.reset(seed=1, options={"team_size": 1})
    with pytest.raises(SolwarisError, match="perspective: 3"):
        env.render()


def test_closing_twice_is_no_fault():
    env = duel_v0.env(render_mode="ansi")
    env.reset(seed=1)
    env.close()
    env.close()


def test_masks_handed_out_are_nobodys_alias():
    """Writing to what the environment hands out does not change what it will accept."""
    env = duel_v0.raw_env()
    env.reset(seed=1)
    seen, _, _, _, info = env.last()
    legal = int(info["action_mask"].argmax())
    assert seen["action_mask"] is info["action_mask"]
    for array in (seen["action_mask"], *seen["observation"].values()):
        array[...] = 0
    env.step(legal)
    assert env.observe(env.agent_selection)["action_mask"].any()
