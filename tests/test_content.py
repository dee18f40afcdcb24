"""The sheets and the Rulebook made from them, against the numbers written out here."""

import json
import re

import numpy as np
import pytest

from solwaris_env.cli import main
from solwaris_env.duel.batch import advance
from solwaris_env.duel.content import loader
from solwaris_env.duel.content.effects import AREA_ON
from solwaris_env.duel.content.loader import content, load_content, rulebook, rulebook_hash
from solwaris_env.duel.content.schema import (
    NO_SPELL,
    RULEBOOK,
    Aura,
    Bonus,
    Kind,
    On,
    Passive,
    Shape,
    Target,
)
from solwaris_env.duel.content.sheets import RECONSTRUCTION, SOURCE, Spell
from solwaris_env.duel.engine.kernel import PLAIN
from solwaris_env.duel.game import Duel

# Cost, range, target, what else is asked, limits: then the effects with their numbers.
SHEETS = {
    "guerrier": """
        taillade: 3 1-1 entity 3/t: damage a=22 b=28
        estoc: 4 1-2 entity line 2/t: damage a=26 b=34 flags=1
        bourrade: 4 1-1 entity 2/t: damage a=8 b=12; push a=3
        coup_de_belier: 4 2-5 entity line 1/t: dash @caster; damage a=10 b=14; push a=1
        cri_de_guerre: 3 0-0 self cd3: power @caster a=30 turns=2
        ralliement: 3 0-0 self circle2 cd3: power @allies a=20 turns=2; gain_mp @allies a=1
        banniere: 3 1-3 free cd4: summon a=1
        etendard: 3 1-3 free cd4: summon a=2
        bond: 4 2-4 free nolos cd2: teleport @caster
        ancrage: 2 0-0 self cd4: anchor @caster turns=2
        bouclier_leve: 3 0-0 self cd3: armour @caster a=40 turns=2
        rempart: 4 0-3 ally cd3: armour a=30 turns=2
        coup_de_masse: 4 1-1 entity 1/t: damage a=18 b=24; resistance a=-20 turns=2
        brise_jambes: 4 1-1 entity 2/t: damage a=15 b=20; remove_mp a=3
        lancer_de_hache: 4 2-5 entity 2/t: damage a=20 b=27
        crochet: 3 2-5 entity line 1/t: damage a=8 b=12; pull a=4
    """,
    "brute": """
        coup_de_poing: 3 1-1 entity 3/t: damage a=20 b=30
        coup_de_tete: 4 1-1 entity hp8 2/t: damage a=32 b=42
        peau_de_pierre: 3 0-0 self cd4: resistance @caster a=30 turns=2
        peau_neuve: 4 0-0 self cd4: heal @caster a=35 b=45
        fosse: 4 1-4 free cd3: trap a=1
        secousse: 4 0-0 self circle2 1/t: damage @others a=15 b=20; remove_mp @others a=1
        empoignade: 3 2-4 entity line 1/t: damage a=6 b=10; pull a=3
        projection: 5 1-1 entity 1/t: push a=4 b=18
        charge: 4 2-6 entity line cd2: dash @caster; damage a=14 b=18; push a=1
        bond_ecrasant: 5 2-4 free nolos circle1 cd2: teleport @caster; damage @others a=12 b=16
        hurlement: 2 0-0 self circle2 cd3: push @enemies a=2
        intimidation: 3 1-3 entity cd2: power a=-20 turns=2
        seisme: 6 0-0 self cross3 1/t: damage @others a=28 b=34
        faille: 6 1-1 cell line nolos line4 1/t: damage @others a=24 b=30; $
            resistance @others a=-10 turns=2
        frenesie: 2 0-0 self hp25 cd4: gain_ap @caster a=4
        second_souffle: 3 0-0 self cd4: heal_lost @caster a=20; gain_mp @caster a=2
    """,
    "arcaniste": """
        trait_arcanique: 3 1-7 entity 3/t: damage a=16 b=22
        trait_percant: 4 2-8 entity line nolos 2/t: damage a=15 b=20
        comete: 6 3-8 cell cross1 1/t: damage @area a=34 b=44
        pluie_d_etoiles: 6 3-7 cell nolos circle2 cd2: damage @area a=20 b=26
        oeil_du_mage: 3 0-0 self cd4: power @caster a=30 turns=2
        oeil_lointain: 3 0-0 self cd4: range @caster a=2 turns=2
        elementaire_de_flamme: 5 1-3 free cd5: summon a=3
        elementaire_de_givre: 5 1-3 free cd5: summon a=4
        clignement: 4 1-5 free cd2: teleport @caster
        permutation: 4 1-5 entity cd2: swap
        onde_de_choc: 4 0-0 self cross2 1/t: damage @others a=8 b=12; push @others a=2
        vortex: 4 2-6 cell circle2 cd2: pull @area a=2
        bouclier_de_mana: 3 0-0 self cd3: armour @caster a=35 turns=2
        prison_de_glace: 4 1-6 entity 1/t: damage a=10 b=14; remove_mp a=3
        foudre: 5 1-5 entity 2/t: damage a=26 b=34; remove_ap a=1
        arc_en_chaine: 5 1-5 entity 2/t: chain a=22 b=28 c=50 turns=3
    """,
    "ombre": """
        dague: 3 1-2 entity 3/t: damage a=21 b=28
        lame_empoisonnee: 3 1-1 entity 2/t: damage a=12 b=15; poison a=8 turns=3
        invisibilite: 4 0-0 self cd4: invisible @caster
        linceul: 4 0-3 ally cd5: invisible
        piege_a_pointes: 3 1-5 free 1/t: trap a=2
        mauvais_oeil: 3 1-5 free 1/t: trap a=3
        piege_de_glu: 3 1-5 free 1/t: trap a=4
        shuriken: 3 2-6 entity 2/t: damage a=16 b=22
        piege_a_ressort: 3 1-5 free 1/t: trap a=5
        croc_en_jambe: 3 1-2 entity 2/t: damage a=9 b=14; remove_mp a=2
        peur: 3 1-4 entity line 2/t: push a=3
        appel: 3 2-6 entity line 2/t: pull a=4
        pas_de_l_ombre: 4 1-5 free nolos cd2: teleport @caster
        substitution: 4 1-4 enemy cd2: swap
        execution: 5 1-1 entity 1/t: damage a=32 b=41 c=50 below=30
        saignee: 5 1-1 entity 1/t: damage a=25 b=32 steal=50
    """,
    "horloger": """
        aiguille_des_heures: 3 1-6 entity 2/t: damage a=18 b=24; remove_ap a=1
        aiguille_des_minutes: 3 1-6 entity 2/t: damage a=18 b=24; remove_mp a=1
        sablier: 4 1-5 entity 1/t: remove_ap a=3
        engrenage_grippe: 4 1-5 entity 1/t: remove_mp a=3
        automate: 4 1-2 free cd4: summon a=5
        automate_gardien: 4 1-2 free cd4: summon a=6
        retour: 3 0-0 self nolos cd2: return @caster; heal @caster a=10 b=14
        relais: 3 0-63 own_automate nolos cd2: swap
        desynchronisation: 4 1-5 enemy cd3: cooldown a=1
        acceleration: 3 0-3 ally cd3: gain_ap a=2
        stase: 4 1-4 entity cd3: resistance a=50 flags=2; remove_mp a=4
        bulle_temporelle: 3 0-3 ally cd3: armour a=35 turns=2
        pendule: 4 1-1 cell line line3 2/t: damage @others a=20 b=25; push @others a=2
        remontoir: 4 2-6 entity line 2/t: damage a=14 b=20; pull a=3
        minuit: 6 1-6 entity cd2: damage a=28 b=36 per_loss=6
        douzieme_coup: 5 1-5 enemy cd3: delayed a=56 b=70 turns=2
    """,
    "artificier": """
        charge_explosive: 3 1-4 free: summon a=7
        charge_fumante: 3 1-4 free: summon a=8
        detonation: 2 0-8 own_charge nolos 3/t: detonate
        mise_a_feu: 4 0-0 self cd2: detonate_all @caster
        mousquet: 4 2-7 entity 2/t: damage a=26 b=34
        tromblon: 4 1-1 cell line line3 2/t: damage @others a=25 b=32; push @others a=1
        charge_de_recul: 3 1-4 free: summon a=9
        barricade: 3 1-3 free 2/t: summon a=10
        saut_fusee: 4 2-5 free nolos circle1 departure cd2: teleport @caster; $
            damage @others a=12 b=18
        cloche_de_plongee: 2 0-0 self cd4: anchor @caster turns=2; armour @caster a=20 turns=2
        grenade: 4 2-5 cell nolos circle1 2/t: damage @area a=17 b=23
        grenade_a_clous: 4 2-5 cell nolos circle1 2/t: damage @area a=10 b=13; $
            poison @area a=5 turns=2
        poudre_noire: 3 1-6 cell circle1 cd2: resistance @area a=-20 turns=2
        meche_longue: 2 0-0 self cd3: power @caster a=25 turns=2
        bouquet_final: 6 3-7 cell circle2 cd3: damage @area a=35 b=45
        obus_perforant: 6 2-9 entity line nolos cd2: damage a=35 b=45
    """,
}

BODIES = {  # HP, AP, MP, AP and MP resistance, passive, its values, the variant's
    "guerrier": (338, 12, 6, 35, 35, "FRACAS", 18, 0, "CUIRASSE", 15, 0),
    "brute": (332, 12, 6, 25, 45, "RAGE", 4, 2, "SOIF_DE_SANG", 20, 0),
    "arcaniste": (271, 14, 6, 25, 20, "FLUX", 3, 0, "FOCALISATION", 20, 0),
    "ombre": (264, 12, 6, 30, 35, "TRAQUE", 20, 0, "PAS_FEUTRES", 0, 0),
    "horloger": (402, 12, 5, 45, 30, "ROUAGES", 2, 0, "BALANCIER", 15, 0),
    "artificier": (318, 12, 6, 35, 30, "REACTION_EN_CHAINE", 2, 0, "ARTILLEUR", 1, 0),
}
# What the source states, and nothing else.
STATED = {
    "guerrier": {"name", "ap", "mp"},
    "brute": {"name", "ap", "mp", "mp_resist"},
    "arcaniste": {"name", "ap", "mp", "ap_resist", "mp_resist"},
    "ombre": {"name", "ap", "mp"},
    "horloger": {"name", "ap", "mp", "ap_resist"},
    "artificier": {"name", "ap", "mp"},
    "passive cuirasse": {"name", "kind"},
    "passive rage": {"name", "kind"},
    "spell bourrade": {"name", "effects[1].kind"},
    "spell cri_de_guerre": {"name", "effects[0].kind", "effects[0].on"},
    "spell banniere": {"name", "effects[0].kind"},
    "spell ancrage": {"name", "version", "effects[0].kind", "effects[0].on"},
    "spell coup_de_masse": {"name", "effects[1].kind"},
    "spell peau_de_pierre": {"name", "effects[0].kind"},
    "spell fosse": {"name", "effects[0].kind", "effects[0].trap"},
    "spell projection": {"effects[0].collision"},
    "spell comete": {"name", "range.min"},
    "spell oeil_du_mage": {"name", "effects[0].kind", "effects[0].on"},
    "spell elementaire_de_flamme": {"name", "effects[0].kind"},
    "spell invisibilite": {"name", "effects[0].kind"},
    "spell piege_a_pointes": {"effects[0].kind"},
    "spell mauvais_oeil": {"name", "version", "effects[0].kind", "effects[0].trap"},
    "spell piege_de_glu": {"effects[0].kind"},
    "spell piege_a_ressort": {"effects[0].kind"},
    "spell peur": {"name", "effects[0].kind"},
    "spell automate": {"name", "effects[0].kind"},
    "spell charge_explosive": {"effects[0].kind"},
    "spell cloche_de_plongee": {"name", "version", "effects[0].kind", "effects[0].on"},
    "summon banniere": {"name", "mobile"},
    "summon elementaire_flamme": {"name", "mobile"},
    "summon automate": {"name", "ap", "mobile"},
    "summon charge_explosive": {"mobile", "charge"},
    "trap fosse": {"name", "turns", "area.shape", "area.size"},
    "trap piege_a_pointes": {"turns", "area.shape", "area.size"},
    "trap mauvais_oeil": {"name", "turns", "area.shape", "area.size"},
    "trap piege_de_glu": {"turns", "area.shape", "area.size"},
    "trap piege_a_ressort": {"turns", "area.shape", "area.size"},
    "bonus ap": {"kind", "value"},
}
SUMMONS = """
    banniere: 40 0 0 inert limit1 aura RESISTANCE 15 2
    etendard: 40 0 0 inert limit1 aura POWER 15 2
    elementaire_flamme: 60 6 4 mobile limit1
    elementaire_givre: 60 6 4 mobile limit1
    automate: 70 0 4 mobile limit1 circle1: damage @enemies a=12 b=16; remove_mp @enemies a=1
    automate_gardien: 70 0 4 mobile limit1 aura RESISTANCE 15 1
    charge_explosive: 20 0 0 inert limit3 circle1: damage @area a=22 b=28
    charge_fumante: 20 0 0 inert limit3 circle1: damage @area a=12 b=16; remove_mp @area a=2
    charge_de_recul: 20 0 0 inert limit3 circle2: damage @area a=8 b=12; push @area a=3
    barricade: 50 0 0 inert limit3
"""
TRAPS = """
    fosse: CIRCLE 2: damage a=25 b=32; remove_mp a=2
    piege_a_pointes: CROSS 1: damage a=28 b=36
    mauvais_oeil: DIAGONAL 1: damage a=12 b=16; resistance a=-25 turns=2
    piege_de_glu: CROSS 1: damage a=10 b=14; remove_mp a=3
    piege_a_ressort: CROSS 1: damage a=8 b=12; push a=3
"""
RULES = rulebook()[0]


def lines(text: str) -> list[str]:
    """The lines of a table above; a line that ends with $ goes on in the next."""
    joined = re.sub(r"\$\n *", "", text)
    return [line.strip() for line in joined.strip().splitlines()]


def effects_in_words(record: np.record) -> str:
    """A Rulebook record's effects in the notation of the tables above."""
    words = []
    for effect in RULES.effect[record.first : record.first + record.count]:
        word = Kind(effect.kind).name.lower()
        if effect.on != On.TARGET:
            word += f" @{On(effect.on).name.lower()}"
        fields = ("a", "b", "c", "turns", "below", "steal", "per_loss", "flags")
        words.append(word + "".join(f" {name}={effect[name]}" for name in fields if effect[name]))
    return "; ".join(words)


def spell_in_words(record: np.record) -> str:
    """A Rulebook spell in the notation of the tables above."""
    words = f"{record.cost} {record.range_min}-{record.range_max} "
    words += Target(record.target).name.lower()
    words += " line" * record.line + " nolos" * (1 - record.sight)
    if record.shape:
        words += f" {Shape(record.shape).name.lower()}{record.size}"
    words += " departure" * record.from_departure
    for field, form in (("hp_cost", "hp{}"), ("per_turn", "{}/t"), ("cooldown", "cd{}")):
        if record[field]:
            words += " " + form.format(record[field])
    return f"{words}: {effects_in_words(record)}"


def test_classes_come_in_the_order_of_their_numbers() -> None:
    assert [sheet.id for sheet in content().classes] == list(SHEETS)
    assert [sheet.number for sheet in content().classes] == list(range(6))


@pytest.mark.rule("V1")
def test_there_are_96_spells_12_passives_and_what_they_summon() -> None:
    of = content()
    assert [len(sheet.spells) for sheet in of.classes] == [16] * 6
    assert [len(sheet.passives) for sheet in of.classes] == [2] * 6
    assert len({spell.id for spell in of.spells}) == len(of.spells) == 98
    assert (len(of.summons), len(of.traps), len(of.bonuses), len(of.maps)) == (10, 5, 6, 9)
    for sheet in of.classes:
        kinds = [(spell.slot, spell.variant) for spell in sheet.spells]
        assert kinds == [(slot, variant) for slot in range(8) for variant in (False, True)]


@pytest.mark.rule("T1", "R2")
@pytest.mark.parametrize("name", BODIES)
def test_a_class_has_the_body_its_sheet_states(name: str) -> None:
    number = list(BODIES).index(name)
    record = RULES.cls[number]
    found = [int(record[key]) for key in ("hp", "ap", "mp", "ap_resist", "mp_resist")]
    for version in range(2):
        found += [
            Passive(record.passive[version]).name,
            int(record.passive_value[version]),
            int(record.passive_value2[version]),
        ]
    assert tuple(found) == BODIES[name]
    assert record.spell.tolist() == [
        [number * 16 + slot * 2, number * 16 + slot * 2 + 1] for slot in range(8)
    ]


@pytest.mark.rule("S2", "S3", "S6", "S7", "T2")
@pytest.mark.parametrize("name", SHEETS)
def test_a_spell_costs_reaches_and_does_what_its_sheet_states(name: str) -> None:
    sheet = next(sheet for sheet in content().classes if sheet.id == name)
    found = [f"{spell.id}: {spell_in_words(RULES.spell[spell.number])}" for spell in sheet.spells]
    assert found == lines(SHEETS[name])
    assert [spell.number for spell in sheet.spells] == [sheet.number * 16 + i for i in range(16)]


@pytest.mark.rule("T7", "T8")
def test_summons() -> None:
    assert [line.split(":")[0] for line in lines(SUMMONS)] == [s.id for s in content().summons]
    for record, line in zip(RULES.summon[1:], lines(SUMMONS), strict=True):
        words = f"{record.hp} {record.ap} {record.mp} {'mobile' if record.mobile else 'inert'}"
        words += f" limit{record.limit}"
        if record.aura:
            words += f" aura {Aura(record.aura).name} {record.aura_value} {record.aura_radius}"
        if record.shape:
            words += f" {Shape(record.shape).name.lower()}{record.size}: "
            words += effects_in_words(record)
        assert line.split(": ", 1)[1] == words
    assert RULES.summon["charge"].tolist() == [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0]
    assert RULES.summon["automate"].tolist() == [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0]
    assert RULES.summon["spell"].tolist() == [NO_SPELL] * 3 + [96, 97] + [NO_SPELL] * 6
    group = RULES.summon["group"].tolist()
    assert group[1] == group[2] and group[3] == group[4] and group[5] == group[6]
    assert group[7] == group[8] == group[9] and len(set(group[1:])) == 5
    assert spell_in_words(RULES.spell[96]) == "3 1-4 entity: damage a=10 b=14"
    assert spell_in_words(RULES.spell[97]) == "3 1-4 entity: damage a=6 b=9; remove_mp a=1"


@pytest.mark.rule("X3", "X4")
def test_traps() -> None:
    assert [line.split(":")[0] for line in lines(TRAPS)] == [trap.id for trap in content().traps]
    for record, line in zip(RULES.trap[1:], lines(TRAPS), strict=True):
        words = f"{Shape(record.shape).name} {record.size}: {effects_in_words(record)}"
        assert line.split(": ", 1)[1] == words
        assert record.turns == 8


@pytest.mark.rule("G3")
def test_bonuses() -> None:
    found = {Bonus(i).name: (int(r.value), int(r.turns)) for i, r in enumerate(RULES.bonus)}
    assert found == {
        "NONE": (0, 0),
        "AP": (2, 0),
        "MP": (2, 0),
        "HEAL": (20, 0),
        "ARMOUR": (20, 2),
        "POWER": (25, 1),
        "RANGE": (1, 1),
    }


def all_sheets() -> dict[str, object]:
    """Every sheet but the maps, by what it is and its id."""
    of = content()
    found: dict[str, object] = {sheet.id: sheet for sheet in of.classes}
    found |= {f"passive {p.id}": p for sheet in of.classes for p in sheet.passives}
    found |= {f"spell {spell.id}": spell for spell in of.spells}
    found |= {f"summon {summon.id}": summon for summon in of.summons}
    found |= {f"trap {trap.id}": trap for trap in of.traps}
    return found | {f"bonus {bonus.id}": bonus for bonus in of.bonuses}


@pytest.mark.parametrize("name", all_sheets())
def test_exactly_the_facts_the_source_states_are_marked_so(name: str) -> None:
    facts = all_sheets()[name].facts
    assert {fact for fact, of in facts.items() if of == SOURCE} == STATED.get(name, set())
    assert set(facts.values()) <= {SOURCE, RECONSTRUCTION}


def nature(spell: Spell) -> tuple:
    """What kind of spell it is: everything but how much, how dear and how often."""
    of = content()

    def deed(effect) -> tuple:
        if effect.kind is Kind.SUMMON:
            body = of.summons[effect.a - 1]
            own = next((nature(s) for s in of.spells if s.id == body.spell), None)
            return (
                effect.kind,
                body.mobile,
                body.charge,
                body.aura,
                body.area,
                own,
                tuple(map(deed, body.effects)),
            )
        if effect.kind is Kind.TRAP:
            trap = of.traps[effect.a - 1]
            return (effect.kind, trap.area, tuple(map(deed, trap.effects)))
        return (
            effect.kind,
            effect.on,
            effect.flags,
            effect.a < 0,
            effect.b > 0,
            effect.below > 0,
            effect.steal > 0,
            effect.per_loss > 0,
        )

    return (
        spell.target,
        spell.area.shape,
        spell.line,
        spell.sight,
        spell.hp_cost > 0,
        spell.from_departure,
        spell.range_min > 1,
        spell.range_max > 1,
        tuple(map(deed, spell.effects)),
    )


@pytest.mark.rule("V1", "V2")
@pytest.mark.parametrize("name", SHEETS)
def test_every_two_spells_of_a_class_differ_in_kind(name: str) -> None:
    sheet = all_sheets()[name]
    natures = {spell.id: nature(spell) for spell in sheet.spells}
    for one, a in natures.items():
        for other, b in natures.items():
            assert one == other or a != b, f"{one} and {other} differ in numbers only"


def test_the_twelve_passives_differ_in_kind() -> None:
    kinds = [passive.kind for sheet in content().classes for passive in sheet.passives]
    assert sorted(kinds) == [kind for kind in Passive if kind is not Passive.NONE]


def test_every_summon_and_trap_is_some_spells_and_every_kind_of_effect_is_used() -> None:
    of = content()
    effects = [effect for spell in of.spells for effect in spell.effects]
    assert {e.a for e in effects if e.kind is Kind.SUMMON} == set(range(1, 11))
    assert {e.a for e in effects if e.kind is Kind.TRAP} == set(range(1, 6))
    assert {e.kind for e in effects} == set(Kind) - {Kind.NONE}


@pytest.mark.rule("V4")
def test_damage_is_aimed_at_someone_and_areas_at_a_cell() -> None:
    for spell in content().spells:
        on = {effect.on for effect in spell.effects}
        if spell.target in (Target.FREE, Target.CELL):
            plain = {effect.kind for effect in spell.effects if effect.on is On.TARGET}
            assert plain <= {Kind.SUMMON, Kind.TRAP}
        assert bool(on & set(AREA_ON)) == (spell.area.size > 0)


def test_texts_are_single_sentences_in_two_languages() -> None:
    for sheet in all_sheets().values():
        if hasattr(sheet, "text"):
            assert sheet.text.endswith(".") and sheet.texte.endswith(".")
            assert not re.search(r"[.!?] ", sheet.text) and sheet.text != sheet.texte
            assert "{" not in sheet.text + sheet.texte


def test_the_rulebook_is_one_record_built_once() -> None:
    rules = rulebook()
    assert rules.shape == (1,) and rules.dtype == RULEBOOK
    assert rulebook() is rules


def test_the_shared_rulebook_is_read_only_and_a_copy_is_not() -> None:
    with pytest.raises(ValueError, match="read-only"):
        rulebook()["spell"]["cost"][0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        Duel.new(1).rules["cls"]["hp"] = 1
    rulebook().copy()["spell"]["cost"][0, 0] = 1


@pytest.mark.skipif(PLAIN, reason="nothing is compiled")
def test_kernels_are_compiled_once_for_shared_and_for_changed_rules() -> None:
    shared, changed = Duel.new(1), Duel.new(1, rules=rulebook().copy())
    for _ in range(20):
        action = int(shared.mask().argmax())
        shared.apply(action)
        changed.apply(action)
    assert shared.save() == changed.save()
    assert len(advance.overloads) == 1


def test_the_rulebook_hash_changes_with_any_number_and_with_the_version(monkeypatch) -> None:
    first = rulebook_hash(rulebook())
    built = rulebook(load_content())
    assert rulebook_hash(built) == first
    assert re.fullmatch("[0-9a-f]{16}", first)
    built["spell"]["cost"][0, 0] += 1
    assert rulebook_hash(built) != first
    monkeypatch.setattr(loader, "RULES_VERSION", "9.9.9")
    assert rulebook_hash(rulebook()) != first


@pytest.mark.rule("S1")
def test_distance_is_counted_in_steps_along_rows_and_columns() -> None:
    distance = RULES.distance
    assert distance[0, 0] == 0
    assert distance[5 * 28 + 4, 2 * 28 + 6] == 3 + 2
    assert distance[0, 17 * 28 + 27] == 17 + 27
    assert (distance == distance.T).all()


def output(capsys, *words: str) -> str:
    """What the command prints; it must succeed."""
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_the_command_prints_every_class_and_spell(capsys) -> None:
    text = output(capsys, "classes")
    for sheet in content().classes:
        for spell in sheet.spells:
            assert spell.name in text
        for passive in sheet.passives:
            assert passive.name in text
    assert "6 AP, range 3*-8, any cell, 1 a turn" in text
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("name", ["Ombre", "OMBRE", "ombre"])
def test_the_command_prints_one_class_by_its_name(capsys, name: str) -> None:
    text = output(capsys, "classes", name)
    assert "Mauvais œil*" in text and "Taillade" not in text


def test_the_command_gives_classes_as_json(capsys) -> None:
    data = json.loads(output(capsys, "classes", "--json"))
    assert [one["id"] for one in data] == list(SHEETS)
    assert [one["name"] for one in data] == [sheet.name for sheet in content().classes]
    assert all(len(one["spells"]) == 16 and len(one["passives"]) == 2 for one in data)
    comete = data[2]["spells"][2]
    assert comete["id"] == "comete" and comete["range"] == [3, 8] and comete["slot"] == 2
    assert comete["facts"]["range.min"] == SOURCE and comete["facts"]["cost"] == RECONSTRUCTION
    assert comete["effects"] == [{"kind": "damage", "on": "area", "min": 34, "max": 44}]
    one = json.loads(output(capsys, "classes", "horloger", "--json"))
    assert one == [data[4]]


def test_an_unknown_class_is_one_sentence_with_the_known_ones(capsys) -> None:
    assert main(["classes", "paladin"]) == 2
    assert capsys.readouterr().err == (
        "solwaris: there is no class 'paladin'; known are guerrier, brute, arcaniste, ombre, "
        "horloger, artificier\n"
    )
