"""V: variants and loadouts."""

import pytest
from scenario import scenario

from solwaris_env.duel.content.loader import content
from solwaris_env.duel.game import Duel

CLASSES = content().classes


@pytest.mark.rule("V1")
@pytest.mark.parametrize("sheet", CLASSES, ids=[c.id for c in CLASSES])
def test_two_versions_of_eight_spells_and_of_the_passive(sheet):
    assert len(sheet.spells) == 16 and len(sheet.passives) == 2
    assert [(s.slot, s.variant) for s in sheet.spells] == [
        (slot, variant) for slot in range(8) for variant in (False, True)
    ]
    assert len({s.id for s in sheet.spells}) == 16
    assert sheet.passives[0].kind != sheet.passives[1].kind


@pytest.mark.rule("V1", "V2")
@pytest.mark.parametrize("number", range(6))
def test_every_loadout_holds_one_version_of_each_slot(number):
    sheet = CLASSES[number]
    for loadout in range(512):
        duel = Duel.new(1, map=0, team_size=1, classes=[number, 0], loadouts=[loadout, 0])
        hand = [int(s) for s in duel.state.hero[0].spell]
        wanted = [sheet.spells[2 * s + (loadout >> s & 1)].number for s in range(8)]
        assert hand == wanted
        assert duel.state.hero[0].passive == sheet.passives[loadout >> 8].kind


@pytest.mark.rule("V2")
@pytest.mark.parametrize("slot", range(1, 9))
def test_a_variant_replaces_its_own_original_only(slot):
    plain = [int(s) for s in scenario("A b").hero("A").spell]
    mixed = [int(s) for s in scenario("A b", A=f"guerrier {slot}").hero("A").spell]
    assert [s for s in range(8) if plain[s] != mixed[s]] == [slot - 1]


@pytest.mark.rule("V3")
def test_the_choice_is_fixed_and_visible_to_everyone():
    board = scenario("A . . . b", A="ombre 36 p", b="brute 18")
    chosen = [int(board.hero(x).loadout) for x in "Ab"]
    assert chosen == [0b100100100, 0b010000001]
    for _ in range(6):
        board.end()
        for viewer in (0, 1):
            known = board.duel.known(viewer)
            assert [int(known.hero[i].loadout) for i in (0, 1)] == chosen
            for i in (0, 1):
                assert (known.hero[i].spell == board.state.hero[i].spell).all()


@pytest.mark.rule("V4")
def test_variants_obey_the_common_rules():
    # range, sight, cost and limit of a variant (Estoc: 4 AP, 1-2 in line, twice)
    board = scenario("A . . b", A="guerrier 1")
    assert not board.can(1, "b")
    board.move("b", (0, 2))
    assert board.can(1, "b")
    board.cast(1, "b").cast(1, "b")
    assert board["A"].ap == 4 and not board.can(1, "b")
    assert not scenario("A # b", A="guerrier 1").can(1, "b")
    # removals meet the common limit of 4 (Aiguille des minutes and Engrenage grippé)
    board = scenario("A . . b", A="horloger 12")
    board.duel.rules[0].cls[0].mp_resist = 0
    board.cast(2, "b").cast(1, "b").cast(1, "b")
    assert board["b"].mp_lost == 4
