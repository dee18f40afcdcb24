"""The environments keep their libraries' contracts: every ordered class pair, every map."""

import os
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from play import CLASSES, MAPS, PAIRS, any_action, fixed, fixed_env, label, matrix, product

from solwaris_env import duel_v0
from solwaris_env.duel.aec import raw_env

with warnings.catch_warnings():
    # PettingZoo's tests import one of its own games by the old way that they warn of
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

# PettingZoo advises against dictionaries, but exempts its own environments with a mask by name
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning"),
]

ROOT = Path(__file__).parent.parent
CASES = [pytest.param(o, id=label(o)) for size in (1, 2) for o in matrix(size)]
PRODUCT = [pytest.param(o, id=label(o)) for size in (1, 2) for o in product(size)]
WHOLE_DUELS = """
import hashlib
import numpy as np
from solwaris_env import duel_v0

digest = hashlib.sha256()
for seed in range(8):
    env = duel_v0.env()
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        digest.update(seen["observation"]["board"].tobytes())
        digest.update(seen["observation"]["scalars"].tobytes())
        digest.update(seen["action_mask"].tobytes())
        digest.update(repr((agent, reward, terminated, truncated)).encode())
        over = terminated or truncated
        env.step(None if over else int(rng.choice(np.flatnonzero(info["action_mask"]))))
    digest.update(env.unwrapped.state().tobytes())
print(digest.hexdigest())
"""


def test_the_cases_meet_every_pair_and_every_map():
    for size in (1, 2):
        cases = matrix(size)
        assert {tuple(o["classes"][:2]) for o in cases} == set(PAIRS)
        assert {o["map"] for o in cases} == set(MAPS)
        assert {name for o in cases for name in o["classes"]} == set(CLASSES)
    assert len(PAIRS) == 36
    assert len(MAPS) == 9


@pytest.mark.parametrize("options", CASES)
def test_api(options, capsys):
    api_test(fixed_env(options), num_cycles=25)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("options", PRODUCT)
def test_api_over_the_product(options):
    api_test(fixed_env(options), num_cycles=150)
    api_test(fixed(raw_env(team_size=options["team_size"]), options), num_cycles=100)


@pytest.mark.parametrize("options", CASES[::5])
def test_api_of_the_bare_environment(options):
    api_test(fixed(raw_env(team_size=options["team_size"]), options), num_cycles=25)


@pytest.mark.parametrize("options", CASES[::3])
def test_seeds(options):
    seed_test(partial(fixed_env, options), num_cycles=10)


@pytest.mark.slow
@pytest.mark.parametrize("options", PRODUCT)
def test_seeds_over_the_product(options):
    seed_test(partial(fixed_env, options), num_cycles=60)


@pytest.mark.parametrize("options", CASES)
def test_every_case_is_drawn(options):
    pytest.importorskip("PIL")
    env = fixed_env(options, render_mode="rgb_array")
    env.reset(seed=3)
    for _ in range(12):
        env.step(any_action(env.unwrapped.duel.mask(), np.random.default_rng(3)))
    picture = env.render()
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert picture.shape[2] == 3
    assert picture.std() > 10
    env.unwrapped.render_mode = "ansi"
    assert env.render().count("\n") > 20


@pytest.mark.parametrize("options", [CASES[9], CASES[70]])
def test_render(options):
    pytest.importorskip("PIL")
    pytest.importorskip("pygame")
    text = {"ansi": lambda drawn: isinstance(drawn, str)}
    render_test(partial(fixed_env, options), custom_tests=text)


@pytest.mark.slow
@pytest.mark.parametrize("options", PRODUCT[::12])
def test_render_over_the_product(options):
    pytest.importorskip("PIL")
    pytest.importorskip("pygame")
    text = {"ansi": lambda drawn: isinstance(drawn, str)}
    render_test(partial(fixed_env, options), custom_tests=text)


def test_the_same_duels_in_fresh_processes():
    def played(hash_seed: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", WHOLE_DUELS],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    first = played("1")
    assert len(first) == 64
    assert first == played("4242")


def test_api_of_the_flat_observation():
    api_test(duel_v0.FlatObservation(duel_v0.env()), num_cycles=200)


def test_registered_with_pettingzoo():
    env = pettingzoo.make("aec", "solwaris/duel_v0", team_size=1)
    api_test(env, num_cycles=25)
    assert isinstance(env.unwrapped, raw_env)
    assert env.possible_agents == ["player_0", "player_1"]


def test_registered_with_gymnasium():
    env = gymnasium.make("solwaris/Duel-v0", seat=1, options={"map": MAPS[3]})
    seen, info = env.reset(seed=5)
    assert env.observation_space.contains(seen)
    assert info["seat"] == 1
    assert np.array_equal(env.unwrapped.action_masks(), info["action_mask"].astype(bool))
    seen, _, _, _, info = env.step(int(info["action_mask"].argmax()))
    assert env.observation_space.contains(seen)
    env.close()


def test_metadata_is_complete():
    for metadata in (raw_env.metadata, duel_v0.SingleDuel.metadata):
        assert set(metadata["render_modes"]) == {"human", "rgb_array", "ansi"}
        assert metadata["render_fps"] > 0
    assert raw_env.metadata["name"] == "solwaris_duel_v0"
    assert raw_env.metadata["is_parallelizable"] is False


def gymnasium_env(**arguments):
    return gymnasium.make("solwaris/Duel-v0", **arguments).unwrapped


@pytest.mark.filterwarnings("ignore:.*For Box action spaces.*")
@pytest.mark.parametrize("arguments", [{}, {"team_size": 2}, {"team_size": None}])
def test_gymnasiums_checker(arguments):
    check_env(gymnasium_env(**arguments), skip_render_check=True)


def test_gymnasiums_checker_of_the_drawing():
    pytest.importorskip("PIL")
    pytest.importorskip("pygame")
    check_env(gymnasium_env(render_mode="rgb_array"))  # and in the other modes, too


def test_stable_baselines_checker():
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(gymnasium_env(), warn=False)
    checker.check_env(gymnasium_env(team_size=2, seat=3), warn=False)
