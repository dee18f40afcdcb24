"""Pairings: every class, pair of classes and map as often as the number allows."""

import numpy as np
import pytest

from solwaris_env.duel.content.loader import content
from solwaris_env.errors import SolwarisError
from solwaris_env.evaluation.pairing import check_duels, plan

CLASSES, MAPS = 6, 9
CELLS = CLASSES * CLASSES * MAPS


def counts(setups: np.ndarray) -> dict[str, np.ndarray]:
    """How often each map, class in a seat, pair of classes, and cell of all comes up."""
    own, foe = setups["cls"][:, 0], setups["cls"][:, 1]
    pair = own * CLASSES + foe
    sizes = {"map": MAPS, "own": CLASSES, "foe": CLASSES, "pair": CLASSES**2, "cell": CELLS}
    values = {"map": setups["map"], "own": own, "foe": foe, "pair": pair,
              "cell": pair * MAPS + setups["map"]}  # fmt: skip
    return {key: np.bincount(values[key], minlength=sizes[key]) for key in sizes}


@pytest.mark.parametrize("pairs", [1, 5, 9, 36, 50, 100, 300, 324, 325, 700])
def test_all_strata_come_up_equally_often(pairs: int) -> None:
    for seed in range(3):
        for name, found in counts(plan(pairs, seed)).items():
            assert found.sum() == pairs
            assert set(found) <= {pairs // len(found), -(-pairs // len(found))}, name


def test_a_whole_round_is_exact() -> None:
    assert (counts(plan(2 * CELLS, 7))["cell"] == 2).all()


def test_a_longer_plan_begins_with_the_shorter_one() -> None:
    assert (plan(500, 3)[:80] == plan(80, 3)).all()
    assert (plan(80, 3) != plan(80, 4)).any()
    assert (plan(80, [3, 0])["seed"] != plan(80, [3, 1])["seed"]).all()
    assert len(set(plan(500, 3)["seed"])) == 500


def test_classes_do_not_hang_together_with_maps() -> None:
    """In 36 pairings each class meets 6 maps of 9 at most; over seeds it meets all alike."""
    met = np.zeros((CLASSES, MAPS))
    for seed in range(200):
        setups = plan(36, seed)
        np.add.at(met, (setups["cls"][:, 0], setups["map"]), 1)
    # 1200 pairings a class, 133.3 a map, with a standard deviation of about 11
    assert np.abs(met - 200 * 36 / 54).max() < 55


def test_what_is_fixed_stays_and_the_rest_is_balanced() -> None:
    setups = plan(100, 1, map="canal", classes=["ombre", "brute"])
    book = content()
    assert {book.maps[m].id for m in setups["map"]} == {"canal"}
    assert {tuple(book.classes[c].id for c in row[:2]) for row in setups["cls"]} == {
        ("ombre", "brute")
    }
    on_canal = counts(plan(100, 1, map="canal"))["pair"]
    assert set(on_canal) == {2, 3}
    with_classes = np.bincount(plan(100, 1, classes=["ombre", "brute"])["map"], minlength=MAPS)
    assert set(with_classes) == {11, 12}


def test_two_a_side_balances_the_second_heroes_too() -> None:
    setups = plan(72, 2, team_size=2)
    assert set(setups["team_size"]) == {2}
    second = setups["cls"][:, 2] * CLASSES + setups["cls"][:, 3]
    assert (np.bincount(second, minlength=36) == 2).all()
    assert (second != setups["cls"][:, 0] * CLASSES + setups["cls"][:, 1]).any()


def test_both_sizes_come_up_alike_and_apart_from_classes() -> None:
    setups = plan(3600, 2, team_size=None)
    assert (np.bincount(setups["team_size"]) == [0, 1800, 1800]).all()
    with_two = np.bincount(setups["cls"][setups["team_size"] == 2, 0], minlength=CLASSES)
    assert np.abs(with_two - 300).max() < 60  # five standard deviations


def test_loadouts_purses_and_stakes_are_left_to_the_seed() -> None:
    setups = plan(10, 0)
    for field in ("loadout", "purse", "stakes"):
        assert (setups[field] == -1).all()


@pytest.mark.parametrize("duels", [0, -2, 1, 7, 2.0, True, None])
def test_duels_come_by_twos(duels: object) -> None:
    with pytest.raises(SolwarisError, match=f"must be even and above 0.*; got {duels}$"):
        check_duels(duels)


def test_faulty_options() -> None:
    for options, word in (({"map": "atlantis"}, "atlantis"), ({"classes": ["x", "y"]}, "'x'"),
                          ({"team_size": 3}, "team_size")):  # fmt: skip
        with pytest.raises(SolwarisError, match=word):
            plan(2, 0, **options)
    with pytest.raises(SolwarisError, match="seed: -1"):
        plan(2, -1)
