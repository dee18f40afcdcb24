"""Options: what they fix is so, what they leave open is drawn, what is wrong is named."""

import re
from collections import Counter

import numpy as np
import pytest
from play import CLASSES, MAPS

from solwaris_env import duel_v0
from solwaris_env.duel.engine.setup import DRAWN
from solwaris_env.duel.game import Duel
from solwaris_env.duel.options import KEYS, OptionError, describe_setup, parse_options, parse_seed

BAD = [
    ({"maps": "caveau"}, "option 'maps' is unknown: expected map, classes, loadouts, purses"),
    ({5: 1}, "option 5 is unknown"),
    ({"map": "Caveau "}, "option map: 'Caveau ' is not one of caveau,"),
    ({"map": 9}, "option map: 9 is not one of"),
    ({"map": -1}, "option map: -1 is not one of"),
    ({"map": True}, "option map: True is not one of"),
    ({"map": 1.0}, r"option map: 1\.0 is not one of"),
    ({"map": ["caveau"]}, r"option map: \['caveau'\] is not one of"),
    ({"map": {}}, "option map: {} is not one of"),
    ({"classes": "ombre"}, "option classes: 'ombre' is not a list with one entry a seat"),
    ({"classes": {"a": 1}}, "option classes: .* is not a list"),
    ({"classes": 3}, "option classes: 3 is not a list"),
    ({"classes": []}, "option classes: 0 entries, expected 2 or 4 entries, one a seat"),
    ({"classes": ["ombre"] * 3}, "option classes: 3 entries, expected 2 or 4"),
    ({"classes": ["ombre"] * 2, "team_size": 2}, "option classes: 2 entries, expected 4 entries"),
    ({"classes": ["ombre"] * 4, "purses": [1, 2]}, "option purses: 2 entries, expected 4"),
    ({"classes": ["ombre", "mage"]}, r"option classes\[1\]: 'mage' is not one of guerrier,"),
    ({"classes": ["ombre", 6]}, r"option classes\[1\]: 6 is not one of"),
    ({"loadouts": [512, 0]}, r"option loadouts\[0\]: 512 is not between 0 and 511"),
    ({"loadouts": [0, -1]}, r"option loadouts\[1\]: -1 is not between 0 and 511"),
    ({"loadouts": [[0] * 8, 0]}, r"option loadouts\[0\]: .* is not 9 truth values"),
    ({"loadouts": [[2] + [0] * 8, 0]}, r"option loadouts\[0\]: .* is not 9 truth values"),
    ({"loadouts": ["000000000", 0]}, r"option loadouts\[0\]: '000000000' is not 9 truth values"),
    ({"loadouts": [[float("nan")] * 9, 0]}, "is not 9 truth values"),
    ({"loadouts": [True, 0]}, r"option loadouts\[0\]: True is not 9 truth values"),
    ({"loadouts": [[[0, 1]] * 9, 0]}, "is not 9 truth values"),
    ({"loadouts": np.zeros((2, 9, 2))}, "is not 9 truth values"),
    ({"purses": [-1, 0]}, r"option purses\[0\]: -1 is not between 0 and 1000000"),
    ({"purses": [0, 1_000_001]}, r"option purses\[1\]: 1000001 is not between"),
    ({"purses": [0.5, 0]}, r"option purses\[0\]: 0\.5 is not a whole number"),
    ({"purses": ["10", 0]}, r"option purses\[0\]: '10' is not a whole number"),
    ({"purses": [float("nan"), 0]}, r"option purses\[0\]: nan is not a whole number"),
    ({"stakes": -5}, "option stakes: -5 is not between 0 and 1000000"),
    ({"stakes": "all"}, "option stakes: 'all' is not a whole number"),
    ({"stakes": True}, "option stakes: True is not a whole number"),
    ({"team_size": 3}, "option team_size: 3 is not between 1 and 2"),
    ({"team_size": 0}, "option team_size: 0 is not between 1 and 2"),
    ({"team_size": "2"}, "option team_size: '2' is not a whole number"),
    ([("map", "caveau")], r"options: \[\('map', 'caveau'\)\] is not a mapping"),
    ("map", "options: 'map' is not a mapping"),
    (5, "options: 5 is not a mapping"),
]
BAD_SEEDS = [-1, 2**64, 1.0, float("nan"), "1", True, None, [1], np.float64(3), np.bool_(True)]


def one_sentence(error: BaseException) -> str:
    text = str(error)
    assert text
    assert "\n" not in text
    return text


@pytest.mark.parametrize(("options", "words"), BAD)
def test_wrong_options_are_named(options, words):
    with pytest.raises(OptionError, match=words) as caught:
        parse_options(options)
    one_sentence(caught.value)
    env = duel_v0.env()
    env.reset(seed=1)
    before = env.unwrapped.save()
    with pytest.raises(OptionError, match=words):
        env.reset(seed=2, options=options)
    assert env.unwrapped.save() == before
    with pytest.raises(OptionError) as caught:
        duel_v0.single(team_size=None).reset(seed=2, options=options)
    assert re.search(words, one_sentence(caught.value))


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


ODD = [
    True, -1, 1.5, float("nan"), 1j, "", b"caveau", [], {}, {1}, range(3), 10**5000, -(2**70),
    object(), Unprintable(), bytearray(b"ab"), np.datetime64("2020-01-01"), np.ma.masked,
    np.array(1), np.zeros((2, 9)), np.array([None]), np.array([[1, 0]] * 9),
    [np.array([1, 0])] * 9, [np.array([1, 0]), None], [[Unprintable()] * 9] * 2,
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_values_of_odd_kinds_are_refused_in_one_sentence(key):
    refused = 0
    for odd in ODD:
        listed = np.empty(2, object)
        listed[:] = [odd, odd]
        for value in (odd, [odd] * 2, (odd,) * 4, listed, [[odd] + [0] * 8] * 2):
            try:
                parse_options({key: value})
            except OptionError as error:
                assert len(one_sentence(error)) < 250
                refused += 1
    assert refused > 4 * len(ODD)
    for odd in ODD:
        with pytest.raises(OptionError) as caught:
            parse_seed(odd)
        one_sentence(caught.value)


@pytest.mark.parametrize("seed", BAD_SEEDS)
def test_wrong_seeds_are_named(seed):
    with pytest.raises(OptionError, match=r"^seed: .* is not"):
        parse_seed(seed)
    with pytest.raises(OptionError, match=r"^seed: "):
        Duel.new(seed)
    if seed is not None:
        for env in (duel_v0.raw_env(), duel_v0.env(), duel_v0.single()):
            with pytest.raises(OptionError, match=r"^seed: "):
                env.reset(seed=seed)


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1, np.int8(5), np.uint64(2**64 - 1)])
def test_any_64_bits_are_a_seed(seed):
    duel = Duel.new(seed)
    assert duel.save() == Duel.new(int(seed)).save()


def test_options_hold():
    loadouts = [[0, 1, 0, 1, 0, 1, 0, 1, 1], 5]
    duel = Duel.new(
        1, map="canal", classes=["ombre", 1], loadouts=loadouts, purses=[300, 700], stakes=250
    )
    state = duel.state
    assert MAPS[int(state.map)] == "canal"
    assert duel.team_size == 1
    assert [CLASSES[int(state.hero[seat].cls)] for seat in (0, 1)] == ["ombre", "brute"]
    assert [int(state.hero[seat].loadout) for seat in (0, 1)] == [0b110101010, 0b101]
    assert [int(state.hero[seat].purse) for seat in (0, 1)] == [300, 700]
    assert int(state.stakes) == 250
    assert not state.entity[2].kind


@pytest.mark.rule("V1", "V2")
@pytest.mark.parametrize("cls", range(6))
def test_a_loadout_puts_one_version_of_each_slot_in_hand(cls):
    rules = Duel.new(0).rules[0].cls[cls]
    for loadout in (0, 511, 0b101010101, 0b010101010, 37):
        hero = Duel.new(3, classes=[cls, None], loadouts=[loadout, None]).state.hero[0]
        for slot in range(8):
            assert hero.spell[slot] == rules.spell[slot, (loadout >> slot) & 1]
        assert hero.passive == rules.passive[loadout >> 8]


def test_none_and_missing_are_drawn():
    drawn = [parse_options(o) for o in (None, {}, dict.fromkeys(KEYS))]
    assert len({setup.tobytes() for setup in drawn}) == 1
    one = parse_options({"classes": ["ombre", None]})[0]
    assert one["cls"].tolist() == [CLASSES.index("ombre"), DRAWN, DRAWN, DRAWN]
    assert one["team_size"] == 1
    assert one["map"] == DRAWN


def test_a_fixed_option_leaves_earlier_draws_alone():
    """Stakes are drawn last: to fix them changes nothing else."""
    duel = Duel.new(12)
    state = duel.state
    size = 2 * duel.team_size
    again = Duel.new(12, stakes=int(state.stakes))
    assert again.state.map == state.map
    assert [int(h.purse) for h in again.state.hero[:size]] == [
        int(h.purse) for h in state.hero[:size]
    ]


def test_draws_are_even():
    """3,000 duels: each class, map, size and variant occurs as often as chance has it."""
    met: Counter = Counter()
    for seed in range(3000):
        state = Duel.new(seed).state
        met["map", int(state.map)] += 1
        met["size", int(state.team_size)] += 1
        met["drawn", int(state.drawn_camp)] += 1
        met["class", int(state.hero[0].cls)] += 1
        met["free", state.stakes == 0] += 1
        for bit in range(9):
            met["variant", bit] += (int(state.hero[1].loadout) >> bit) & 1
    for (kind, _), count in met.items():
        share = {"map": 1 / 9, "class": 1 / 6}.get(kind, 1 / 2)
        # 5 standard deviations: fails one good generator in 10,000 runs of all of these
        assert abs(count - 3000 * share) < 5 * (3000 * share * (1 - share)) ** 0.5, (kind, count)
    assert sum(1 for kind, _ in met if kind == "map") == 9
    assert sum(1 for kind, _ in met if kind == "class") == 6


@pytest.mark.parametrize(
    "options",
    [
        {"map": "gouffre", "classes": ["brute", None], "stakes": 0, "team_size": 1},
        {"loadouts": [1, None, 3, 511], "team_size": 2},
        {"purses": [0, 100], "team_size": 1},
        {},
    ],
)
def test_options_can_be_told_again(options):
    setup = parse_options(options)
    assert describe_setup(setup) == options
    assert parse_options(describe_setup(setup)).tobytes() == setup.tobytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"team_size": 3}, "team_size: 3 is not 1, 2 or None"),
        ({"team_size": "2"}, "team_size: '2' is not 1, 2 or None"),
        ({"price_weight": -0.1}, r"price_weight: -0\.1 is not a number from 0 on"),
        ({"price_weight": float("nan")}, "price_weight: nan is not a number from 0 on"),
        ({"price_weight": float("inf")}, "price_weight: inf is not"),
        ({"price_weight": "1"}, "price_weight: '1' is not a number"),
        ({"price_weight": True}, "price_weight: True is not a number"),
        ({"render_mode": "ascii"}, "render_mode: 'ascii' is not one of human, rgb_array, ansi"),
        ({"perspective": 4}, "perspective: 4 is not a seat from 0 to 3, or None"),
        ({"perspective": "player_0"}, "perspective: 'player_0' is not a seat"),
    ],
)
def test_wrong_arguments_are_named(arguments, words):
    for make in (duel_v0.env, duel_v0.raw_env):
        with pytest.raises(OptionError, match=words):
            make(**arguments)


def test_sizes_must_agree():
    env = duel_v0.env(team_size=1)
    with pytest.raises(OptionError, match="team_size: 2, but the environment was made for 1"):
        env.reset(seed=1, options={"team_size": 2})
    with pytest.raises(OptionError, match="classes: 4 entries, expected 2"):
        env.reset(seed=1, options={"classes": ["ombre"] * 4})


def test_the_environments_size_decides_the_agents():
    assert duel_v0.env(team_size=1).possible_agents == ["player_0", "player_1"]
    env = duel_v0.env()
    assert len(env.possible_agents) == 4
    for size in (1, 2):
        env.reset(seed=1, options={"team_size": size})
        assert env.agents == [f"player_{seat}" for seat in range(2 * size)]
