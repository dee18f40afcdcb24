"""`solwaris classes` and `solwaris maps`: the sheets and maps, for players and as JSON."""

import argparse
import json
import textwrap
import unicodedata
from collections.abc import Sequence
from typing import Any, TypeVar

from ...errors import SolwarisError
from . import wording
from .effects import NUMBERS
from .loader import VERSIONS, content
from .schema import HEIGHT, WIDTH, Flag, Kind
from .sheets import (
    NO_AREA,
    Area,
    ClassSheet,
    Content,
    Effect,
    MapSheet,
    PassiveSheet,
    Spell,
    SummonSheet,
    TrapSheet,
)

LINE = 88
SYMBOLS = {
    " ": "  ",
    ".": " .",
    "1": " 1",
    "2": " 2",
    "W": "##",
    "H": "%%",
    "C": "[]",
    "R": "/\\",
    "V": "{}",
}
MEANINGS = {
    ".": "floor",
    "1": "first camp's start zone",
    "2": "second camp's start zone",
    "W": "wall",
    "H": "hedge",
    "C": "crate",
    "R": "rock",
    "V": "vault",
}
_MARKED = "* stated by the game's author; everything else is this project's reconstruction"

Sheet = TypeVar("Sheet", ClassSheet, MapSheet)


def add_classes_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `solwaris classes`."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="one class, e.g. ombre")
    parser.add_argument("--json", action="store_true", help="print a JSON list of objects")


def run_classes(args: argparse.Namespace) -> int:
    """Print all classes, or the one named. Raises SolwarisError for an unknown name."""
    found = choose(content().classes, args.name, "class")
    if args.json:
        _print_json([class_data(sheet, content()) for sheet in found])
        return 0
    if len(found) > 1:
        print(_overview(found))
    for sheet in found:
        print(class_text(sheet, content()))
    print(_MARKED)
    return 0


def add_maps_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `solwaris maps`."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="one map, e.g. caveau")
    parser.add_argument("--json", action="store_true", help="print a JSON list of objects")


def run_maps(args: argparse.Namespace) -> int:
    """Print all maps, or the one named. Raises SolwarisError for an unknown name."""
    found = choose(content().maps, args.name, "map")
    if args.json:
        _print_json([map_data(sheet) for sheet in found])
        return 0
    for sheet in found:
        print(map_text(sheet))
    for sign, words in MEANINGS.items():
        print(f"{SYMBOLS[sign]}  {words}")
    print("    void (blank): nobody stands there, everybody sees across")
    print(_MARKED)
    return 0


def choose(sheets: Sequence[Sheet], name: str | None, called: str) -> Sequence[Sheet]:
    """The sheet of that name or id, accents and case apart; all of them for None.

    Raises SolwarisError, naming the known ones.
    """
    if name is None:
        return sheets
    for sheet in sheets:
        if _plain(name) in (_plain(sheet.id), _plain(sheet.name)):
            return [sheet]
    known = ", ".join(sheet.id for sheet in sheets)
    raise SolwarisError(f"there is no {called} {name!r}; known are {known}")


def class_text(sheet: ClassSheet, of: Content) -> str:
    """A class's whole sheet as terminal text."""
    facts = sheet.facts
    title = f"{sheet.name.upper()}{wording.mark(facts, 'name')}  {sheet.idee}"
    lines = ["", title, "=" * min(LINE, len(title)), sheet.idea]
    points = {key: wording.mark(facts, key) for key in ("ap", "mp", "ap_resist", "mp_resist")}
    lines.append(
        f"{sheet.hp} HP   {sheet.ap}{points['ap']} AP   {sheet.mp}{points['mp']} MP   refuses "
        f"{sheet.ap_resist} %{points['ap_resist']} of AP removals, "
        f"{sheet.mp_resist} %{points['mp_resist']} of MP removals"
    )
    lines += ["", "  Passive"]
    for version, passive in zip(VERSIONS, sheet.passives, strict=True):
        lines += _passive_lines(version, passive)
    for spell in sheet.spells:
        if not spell.variant:
            lines += ["", f"  Slot {spell.slot + 1}"]
        lines += _spell_lines(spell, of)
    lines += ["", "  Advice"]
    for hint in sheet.hints:
        lines += _wrap(hint, "    - ", "      ")
    return "\n".join([*lines, ""])


def map_text(sheet: MapSheet) -> str:
    """A map as terminal text, with the rows and columns that name its cells."""
    top, left = offset(sheet)
    facts = sheet.facts
    inside = ", void inside" + wording.MARK if wording.mark(facts, "inner_void") else ""
    lines = [
        "",
        f"{sheet.name.upper()}{wording.mark(facts, 'name')}  {sheet.idea}",
        f"{sheet.playable}{wording.mark(facts, 'playable')} playable cells, "
        f"{len(sheet.rows)} rows of {len(sheet.rows[0])}{inside}",
        "",
        "  "
        + "".join(
            f"{left + column + 1:>3}"[-2:] if column % 2 == 0 else "  "
            for column in range(len(sheet.rows[0]))
        ),
    ]
    for index, row in enumerate(sheet.rows):
        drawn = "".join(SYMBOLS[sign] for sign in row)
        lines.append(f"{chr(ord('a') + top + index)} {drawn}".rstrip())
    return "\n".join([*lines, ""])


def offset(sheet: MapSheet) -> tuple[int, int]:
    """Row and column of the canvas where the drawing's first cell lies."""
    return (HEIGHT - len(sheet.rows)) // 2, (WIDTH - len(sheet.rows[0])) // 2


def class_data(sheet: ClassSheet, of: Content) -> dict[str, Any]:
    """A class's sheet as plain data."""
    return {
        "id": sheet.id,
        "name": sheet.name,
        "number": sheet.number,
        "idea": sheet.idea,
        "idee": sheet.idee,
        "hints": list(sheet.hints),
        "hp": sheet.hp,
        "ap": sheet.ap,
        "mp": sheet.mp,
        "ap_resist": sheet.ap_resist,
        "mp_resist": sheet.mp_resist,
        "passives": [
            {
                "id": passive.id,
                "name": passive.name,
                "version": version,
                "kind": passive.kind.name.lower(),
                "value": passive.value,
                "value2": passive.value2,
                "text": passive.text,
                "texte": passive.texte,
                "facts": dict(passive.facts),
            }
            for version, passive in zip(VERSIONS, sheet.passives, strict=True)
        ],
        "spells": [_spell_data(spell, of) for spell in sheet.spells],
        "facts": dict(sheet.facts),
    }


def map_data(sheet: MapSheet) -> dict[str, Any]:
    """A map as plain data."""
    top, left = offset(sheet)
    return {
        "id": sheet.id,
        "name": sheet.name,
        "number": sheet.number,
        "idea": sheet.idea,
        "playable": sheet.playable,
        "height": len(sheet.rows),
        "width": len(sheet.rows[0]),
        "top": top,
        "left": left,
        "rows": list(sheet.rows),
        "legend": {" ": "void", **MEANINGS},
        "facts": dict(sheet.facts),
    }


def _plain(name: str) -> str:
    spread = unicodedata.normalize("NFKD", name.casefold().replace("œ", "oe"))
    return "".join(letter for letter in spread if letter.isalnum())


def _print_json(data: list[dict[str, Any]]) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


def _wrap(text: str, first: str, then: str) -> list[str]:
    return textwrap.wrap(text, LINE, initial_indent=first, subsequent_indent=then)


def _overview(sheets: Sequence[ClassSheet]) -> str:
    lines = [f"{'class':<12} {'HP':>4} {'AP':>4} {'MP':>4} {'AP res.':>8} {'MP res.':>8}  idea"]
    for sheet in sheets:
        cells = [
            f"{getattr(sheet, key)}{wording.mark(sheet.facts, key) or ' '}"
            for key in ("hp", "ap", "mp", "ap_resist", "mp_resist")
        ]
        hp, ap, mp, ap_resist, mp_resist = cells
        lines.append(
            f"{sheet.name:<12} {hp:>5}{ap:>5}{mp:>5}{ap_resist:>9}{mp_resist:>9} {sheet.idea}"
        )
    return "\n".join(lines)


def _passive_lines(version: str, passive: PassiveSheet) -> list[str]:
    name = passive.name + wording.mark(passive.facts, "name")
    detail = passive.text + wording.mark(passive.facts, "kind")
    return [
        f"    {version:<9} {name}",
        *_wrap(detail, " " * 14, " " * 14),
        *_wrap(passive.texte, " " * 14, " " * 14),
    ]


def _spell_lines(spell: Spell, of: Content) -> list[str]:
    version = VERSIONS[spell.variant]
    name = spell.name + wording.mark(spell.facts, "name")
    terms = ", ".join(
        filter(None, (wording.cost(spell), wording.aim(spell), wording.limits(spell)))
    )
    deeds = wording.deeds(spell, of)
    head = f"    {version + wording.mark(spell.facts, 'version'):<9} {name:<24} "
    indent = " " * 14
    return [
        *_wrap(terms, head, " " * len(head)),
        *_wrap(deeds[0].upper() + deeds[1:] + ".", indent, indent),
        *_wrap(spell.text, indent, indent),
        *_wrap(spell.texte, indent, indent),
    ]


def _area_data(area: Area) -> dict[str, Any] | None:
    return None if area == NO_AREA else {"shape": area.shape.name.lower(), "size": area.size}


def _effect_data(effect: Effect, of: Content) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": effect.kind.name.lower(), "on": effect.on.name.lower()}
    for number in NUMBERS[effect.kind]:
        if value := getattr(effect, number.field):
            data[number.key] = value
    if effect.flags & Flag.PIERCE:
        data["pierce"] = True
    if effect.flags & Flag.UNTIL_TARGET_TURN_END:
        data["until_target_turn_end"] = True
    if effect.kind is Kind.SUMMON:
        data["summon"] = summon_data(of.summons[effect.a - 1], of)
    if effect.kind is Kind.TRAP:
        data["trap"] = trap_data(of.traps[effect.a - 1], of)
    return data


def summon_data(summon: SummonSheet, of: Content) -> dict[str, Any]:
    """A summon's sheet as plain data."""
    spell = next((spell for spell in of.spells if spell.id == summon.spell), None)
    return {
        "id": summon.id,
        "name": summon.name,
        "group": summon.group,
        "limit": summon.limit,
        "hp": summon.hp,
        "ap": summon.ap,
        "mp": summon.mp,
        "mobile": summon.mobile,
        "charge": summon.charge,
        "spell": None if spell is None else _spell_data(spell, of),
        "aura": None
        if not summon.aura
        else {
            "kind": summon.aura.name.lower(),
            "percent": summon.aura_value,
            "radius": summon.aura_radius,
        },
        "area": _area_data(summon.area),
        "effects": [_effect_data(effect, of) for effect in summon.effects],
        "text": summon.text,
        "texte": summon.texte,
        "facts": dict(summon.facts),
    }


def trap_data(trap: TrapSheet, of: Content) -> dict[str, Any]:
    """A trap's sheet as plain data."""
    return {
        "id": trap.id,
        "name": trap.name,
        "turns": trap.turns,
        "area": _area_data(trap.area),
        "effects": [_effect_data(effect, of) for effect in trap.effects],
        "text": trap.text,
        "texte": trap.texte,
        "facts": dict(trap.facts),
    }


def _spell_data(spell: Spell, of: Content) -> dict[str, Any]:
    return {
        "id": spell.id,
        "name": spell.name,
        "slot": spell.slot + 1,
        "version": VERSIONS[spell.variant],
        "cost": spell.cost,
        "hp_cost": spell.hp_cost,
        "range": [spell.range_min, spell.range_max],
        "line": spell.line,
        "sight": spell.sight,
        "target": spell.target.name.lower(),
        "area": _area_data(spell.area),
        "from_departure": spell.from_departure,
        "per_turn": spell.per_turn,
        "cooldown": spell.cooldown,
        "effects": [_effect_data(effect, of) for effect in spell.effects],
        "sentence": wording.deeds(spell, of),
        "text": spell.text,
        "texte": spell.texte,
        "facts": dict(spell.facts),
    }
