"""No spell of the game goes untested."""

import test_spells_arcaniste
import test_spells_artificier
import test_spells_brute
import test_spells_guerrier
import test_spells_horloger
import test_spells_ombre
from scenario import loadout_of

from solwaris_env.duel.content.loader import content

MODULES = [
    test_spells_guerrier,
    test_spells_brute,
    test_spells_arcaniste,
    test_spells_ombre,
    test_spells_horloger,
    test_spells_artificier,
]
# What the common check of sheets does not fit; their own tests look at cost, range and limits.
APART = {
    "frenesie": test_spells_brute.test_frenesie,
    "relais": test_spells_horloger.test_relais,
    "detonation": test_spells_artificier.test_detonation,
    "flammeche": test_spells_arcaniste.test_elementaire_de_flamme_and_its_flammeche,
    "morsure": test_spells_arcaniste.test_elementaire_de_givre_and_its_morsure,
}


def test_every_sheet_is_checked():
    book = content()
    checked = set(APART)
    for module in MODULES:
        for hero, slot, *_ in module.SHEETS:
            number, loadout, _ = loadout_of(hero)
            spells = book.classes[number].spells
            checked.add(spells[2 * (slot - 1) + (loadout >> (slot - 1) & 1)].id)
    assert checked == {spell.id for spell in book.spells}
    assert len(book.spells) == 98


def test_every_spell_has_a_test_of_its_effects():
    book = content()
    names = {name for module in MODULES for name in vars(module) if name.startswith("test_")}
    for spell in book.spells:
        assert any(spell.id in name for name in names), spell.id


def test_every_passive_has_a_test():
    names = {name for module in MODULES for name in vars(module) if name.startswith("test_")}
    for sheet in content().classes:
        for passive in sheet.passives:
            assert f"test_{passive.id}" in names, passive.id
