"""Clone, save, load, pickle, deepcopy and the notation keep a duel, at every ply."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import any_action, lively, matrix, started

from solwaris_env import duel_v0
from solwaris_env.duel.engine.state import STATE
from solwaris_env.duel.game import Duel, SaveError
from solwaris_env.duel.notation import NotationError, from_notation, to_notation
from solwaris_env.duel.options import OptionError

CASES = [matrix(1)[k] for k in (3, 31)] + [matrix(2)[25]]
AHEAD = 6  # decisions played on by a copy


def image(duel: Duel) -> tuple[bytes, ...]:
    b = duel.buffers
    return tuple(a.tobytes() for a in (b.states, b.mask, b.board, b.scalars))


def ahead(duel: Duel, seed: int) -> list[tuple[bytes, ...]]:
    """What some further decisions show."""
    rng = np.random.default_rng(seed)
    shown = [image(duel)]
    for _ in range(AHEAD):
        if duel.seat < 0:
            break
        duel.apply(any_action(duel.mask(), rng))
        shown.append(image(duel))
    return shown


@pytest.mark.parametrize("options", CASES)
def test_copies_of_a_duel_at_every_ply(options):
    duel = Duel.new(17, allow_forfeit=False, **options)
    rng = np.random.default_rng(17)
    ply = 0
    while True:
        before = image(duel)
        data = duel.save()
        copies = [duel.clone(), copy.deepcopy(duel), Duel.load(data, allow_forfeit=False)]
        if ply % 8 == 0:
            copies.append(pickle.loads(pickle.dumps(duel)))
        futures = [ahead(one, ply) for one in copies]
        assert all(future == futures[0] for future in futures)
        assert futures[0][0] == before
        # playing a copy on leaves the original alone
        assert image(duel) == before
        assert duel.save() == data
        if duel.seat < 0:
            break
        duel.apply(lively(duel.mask(), rng))
        ply += 1
    assert ply > 30
    assert copies[0].outcome == copies[2].outcome == duel.outcome


def test_copies_keep_whether_one_may_give_up():
    for allowed in (True, False):
        duel = Duel.new(3, allow_forfeit=allowed)
        for one in (duel.clone(), copy.deepcopy(duel), pickle.loads(pickle.dumps(duel))):
            assert bool(one.mask()[-1]) == allowed


def test_a_clone_is_nobodys_alias():
    duel = started(5, 40)
    other = duel.clone()
    for name, array in vars(duel.buffers).items():
        assert not np.shares_memory(array, getattr(other.buffers, name)), name
    duel.state.entity[0].hp = 1
    assert other.state.entity[0].hp != 1


def tell(env) -> list:
    """All that the environment says to everyone."""
    said = [env.agents[:], env.agent_selection, dict(env.rewards), dict(env.terminations)]
    said += [dict(env.truncations), dict(env.unwrapped._cumulative_rewards)]
    for agent in env.agents:
        seen = env.observe(agent)
        said.append(seen["observation"]["board"].tobytes())
        said.append(seen["observation"]["scalars"].tobytes())
        said.append(seen["action_mask"].tobytes())
        said.append(env.infos[agent]["action_mask"].tobytes())
    return said


def play_on(env, seed: int, steps: int) -> list:
    rng = np.random.default_rng(seed)
    said = [tell(env)]
    for _ in range(steps):
        if not env.agents:
            break
        _, _, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else any_action(info["action_mask"], rng))
        if env.agents:
            said.append(tell(env))
    return said


@pytest.mark.parametrize("wrapped", [True, False])
@pytest.mark.parametrize("size", [1, 2])
def test_copies_of_an_environment(wrapped, size):
    make = duel_v0.env if wrapped else duel_v0.raw_env
    env = make(team_size=size, price_weight=0.5)
    env.reset(seed=23)
    rng = np.random.default_rng(23)
    ply = 0
    while env.agents:
        left = env.unwrapped.duel.seat < 0
        if ply % 25 == 0 or left:
            now = tell(env)
            copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
            if not wrapped:
                copies.append(env.clone())
            futures = [play_on(one, ply, 8) for one in copies]
            assert all(future == futures[0] for future in futures)
            assert futures[0][0] == now == tell(env)
        _, _, terminated, _, info = env.last()
        env.step(None if terminated else lively(info["action_mask"], rng))
        ply += 1
    assert ply > 60


def test_copies_draw_the_same_next_duels():
    env = duel_v0.raw_env()
    env.reset(seed=4)
    copies = [env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env]
    for _ in range(3):
        saves = []
        for one in copies:
            one.reset()
            saves.append(one.save())
        assert len(set(saves)) == 1


def test_an_environment_goes_on_from_a_save():
    env = duel_v0.env()
    env.reset(seed=31, options={"team_size": 2})
    rng = np.random.default_rng(0)
    for _ in range(100):
        env.step(lively(env.unwrapped.duel.mask(), rng))
    data = env.unwrapped.save()
    other = duel_v0.raw_env()
    other.load(data)
    assert other.agents == env.agents
    assert other.agent_selection == env.agent_selection
    assert play_on(other, 9, 30) == play_on(env, 9, 30)


def test_a_finished_duel_is_loaded_with_its_rewards():
    env = duel_v0.raw_env(team_size=1, allow_forfeit=True)
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.infos["player_0"]["action_mask"])[-1]))
    other = duel_v0.raw_env(team_size=1)
    other.load(env.save())
    assert other.rewards == env.rewards == {"player_0": -1.0, "player_1": 1.0}
    assert all(other.terminations.values())


def test_a_save_of_another_size_is_refused():
    env = duel_v0.raw_env(team_size=1)
    env.reset(seed=1)
    before = env.save()
    data = Duel.new(1, team_size=2).save()
    with pytest.raises(OptionError, match="the saved duel is 2v2, but the environment was made"):
        env.load(data)
    assert env.save() == before


SAVED = started(6, 60, team_size=1).save()
HEAD = SAVED.index(b"\n", SAVED.index(b"\n") + 1) + 1


def test_no_truncated_save_is_read():
    lengths = [*range(HEAD + 8), *range(HEAD + 8, len(SAVED), 97), len(SAVED) - 1]
    for length in lengths:
        with pytest.raises(SaveError) as caught:
            Duel.load(SAVED[:length])
        assert "\n" not in str(caught.value).strip()
    with pytest.raises(SaveError, match=r"has \d+ bytes of state, expected \d+"):
        Duel.load(SAVED + b"x")


def test_no_altered_save_is_read():
    for place in [*range(HEAD + 4), *range(HEAD + 4, len(SAVED), 3)]:
        altered = bytearray(SAVED)
        altered[place] ^= 1 << (place % 8)
        with pytest.raises(SaveError):
            Duel.load(bytes(altered))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a saved duel: the first line is wrong"),
        (b"PK\x03\x04", "not a saved duel"),
        ("text", "a saved duel is bytes, not str"),
        (None, "a saved duel is bytes, not NoneType"),
        (5, "a saved duel is bytes, not int"),
        (SAVED.replace(b" 1.3.0 " if b" 1.3.0 " in SAVED else b"1.3.0 ", b"0.9.0 ", 1), "version"),
        (SAVED[:-9] + b"\0" * 9 if SAVED[-9:] != b"\0" * 9 else SAVED[:-9] + b"\1" * 9, "altered"),
    ],
)
def test_what_is_no_save_is_named(data, words):
    with pytest.raises(SaveError, match=words):
        Duel.load(data)
    env = duel_v0.raw_env()
    env.reset(seed=2)
    before = tell(env)
    with pytest.raises(SaveError, match=words):
        env.load(data)
    assert tell(env) == before


def test_saves_are_the_same_anywhere():
    """The header is text, the body the record: nothing of the process gets in."""
    assert SAVED.startswith(b"solwaris duel\n1.3.0 ")
    assert started(6, 60, team_size=1).save() == SAVED
    assert len(SAVED) == HEAD + 4 + STATE.itemsize


# notation


@pytest.mark.parametrize("options", CASES)
def test_the_notation_says_every_ply(options):
    duel = Duel.new(29, allow_forfeit=False, **options)
    rng = np.random.default_rng(29)
    texts = set()
    while True:
        text = to_notation(duel.state)
        assert from_notation(text).tobytes() == duel.state.tobytes()
        assert to_notation(from_notation(text)) == text
        texts.add(text)
        if duel.seat < 0:
            break
        for _ in range(3):
            if duel.seat >= 0:
                duel.apply(lively(duel.mask(), rng))
    assert len(texts) > 20


def test_a_duel_goes_on_from_its_notation():
    duel = started(8, 70)
    other = duel.clone()
    other.buffers.states[0] = from_notation(to_notation(duel.state))
    other.refresh()
    assert ahead(other, 1) == ahead(duel, 1)


NOTED = to_notation(started(8, 70).state)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: expected 'solwaris 1.3.0'"),
        (NOTED.replace("1.3.0", "0.9.0", 1), "line 1: expected 'solwaris 1.3.0', found"),
        (NOTED + "dragon 0 hp=3\n", r"line \d+: 'dragon 0 hp=3' does not read: it names no part"),
        (NOTED + "hero 4 cls=1\n", "hero 4 does not exist"),
        (NOTED + "hero -1 cls=1\n", "hero -1 does not exist"),
        (NOTED + "hero x cls=1\n", "does not read"),
        (NOTED + "hero\n", "does not read"),
        (NOTED + "hero 0 cls=99999\n", "'cls=99999' is out of bounds"),
        (NOTED + "hero 0 cls=\n", "does not read"),
        (NOTED + "hero 0 cls\n", "'cls' is not a field of it"),
        (NOTED + "hero 0 wings=2\n", "'wings=2' is not a field of it"),
        (NOTED + "hero 0 spell=1,2\n", "spell takes 8 numbers"),
        (NOTED + "hero 0 cls=1,2\n", "cls takes one number"),
        (NOTED + "entity 0 cell=z9\n", "'z9' is not a cell"),
        (NOTED + "state occupant=1\n", "'occupant=1' is not a field of it"),
        (NOTED + "entity 0 cell=h12\nentity 1 cell=h12\n", "stands where another one stands"),
        (NOTED + "entity 0 cell=504\n", "'cell=504' is out of bounds"),
        (NOTED + "entity 0 cell=-2\n", "'cell=-2' is out of bounds"),
        (NOTED + "\n\nfoo\n", "'' does not read: it names no part of a state"),
    ],
)
def test_what_the_notation_does_not_say_is_named(text, words):
    with pytest.raises(NotationError, match=words) as caught:
        from_notation(text)
    assert "\n" not in str(caught.value)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_altered_notations_are_read_or_refused(data):
    place = data.draw(st.integers(0, len(NOTED) - 1))
    sign = data.draw(st.characters(codec="utf-8") | st.sampled_from(list("0123456789=, \n-ahx")))
    text = NOTED[:place] + sign + NOTED[place + data.draw(st.integers(0, 2)) :]
    try:
        made = from_notation(text)
    except NotationError as error:
        assert "\n" not in str(error)
    else:
        assert from_notation(to_notation(made)).tobytes() == made.tobytes()
