"""From the data files to `Content` and to the Rulebook.

Usage: `rulebook()` for kernels, `content()` for names and texts. Both are read once.
"""

import hashlib
from functools import cache
from pathlib import Path

import numpy as np

from . import maps, tables
from .effects import Numbers, read_area, read_effects
from .reader import Table, names, read_toml
from .schema import (
    SLOTS,
    SPELL_COUNT,
    SUMMON_COUNT,
    TRAP_COUNT,
    Aura,
    Bonus,
    Kind,
    On,
    Passive,
    Rulebook,
    Shape,
    Target,
)
from .sheets import (
    LONG,
    NO_AREA,
    BonusSheet,
    ClassSheet,
    Content,
    ContentError,
    PassiveSheet,
    Spell,
    SummonSheet,
    TrapSheet,
)

RULES_VERSION = "1.3.0"
CLASSES = ("guerrier", "brute", "arcaniste", "ombre", "horloger", "artificier")
VERSIONS = ("original", "variant")
_SECOND_VALUE = (Passive.RAGE,)
_NO_VALUE = (Passive.PAS_FEUTRES,)


def load_content(root: Path | None = None) -> Content:
    """Read and check every data file under `root` (default: the package's own).

    Raises ContentError, naming file, key and reason.
    """
    root = Path(__file__).parent if root is None else Path(root)
    trap_file, summon_file = read_toml(root, "traps.toml"), read_toml(root, "summons.toml")
    traps = _read_traps(trap_file)
    summons, summon_spells = _read_summons(summon_file)
    trap_ids = {trap.id: trap.number for trap in traps}
    summon_ids = {summon.id: summon.number for summon in summons}
    strangers = {path.stem for path in (root / "classes").glob("*.toml")} - set(CLASSES)
    if strangers:
        raise ContentError(
            f"classes/{min(strangers)}.toml: the class is not one of {', '.join(CLASSES)}"
        )
    classes = tuple(
        _read_class(read_toml(root, f"classes/{name}.toml"), name, number, summon_ids, trap_ids)
        for number, name in enumerate(CLASSES)
    )
    spells = tuple(spell for sheet in classes for spell in sheet.spells) + summon_spells
    seen: dict[str, str] = {}
    for sheet in classes:
        for index, spell in enumerate(sheet.spells):
            where = f"classes/{sheet.id}.toml: spell[{index}].id"
            if spell.id in seen:
                raise ContentError(f"{where}: {spell.id!r} is already used at {seen[spell.id]}")
            seen[spell.id] = where
    return Content(
        classes=classes,
        spells=spells,
        summons=summons,
        traps=traps,
        bonuses=_read_bonuses(read_toml(root, "bonuses.toml")),
        maps=maps.read_maps(root),
    )


@cache
def content() -> Content:
    """The package's own content."""
    return load_content()


@cache
def _own_rulebook() -> np.ndarray:
    built = tables.build(content()).view(Rulebook)
    built.setflags(write=False)
    return built


def rulebook(of: Content | None = None) -> np.ndarray:
    """The Rulebook of `of` (default: the package's content), shape (1,), dtype RULEBOOK.

    The package's own is built once, shared and read-only: change a copy of it.
    """
    return _own_rulebook() if of is None else tables.build(of)


def rulebook_hash(rules: np.ndarray) -> str:
    """A hash of the rules' version and every number in the Rulebook, 16 hexadecimal digits."""
    digest = hashlib.sha256(RULES_VERSION.encode())
    digest.update(np.ascontiguousarray(rules).view(np.uint8))
    return digest.hexdigest()[:16]


def _check_unique(tables_: list[Table], sheets: list) -> None:
    seen: set[str] = set()
    for table, sheet in zip(tables_, sheets, strict=True):
        if sheet.id in seen:
            raise table.fail("id", f"{sheet.id!r} is used twice")
        seen.add(sheet.id)


def _read_traps(file: Table) -> tuple[TrapSheet, ...]:
    found = file.tables("trap", own_facts=True)
    file.close()
    sheets = [_read_trap(table, number) for number, table in enumerate(found, 1)]
    _check_unique(found, sheets)
    file.check_count("trap", len(sheets), TRAP_COUNT)
    return tuple(sheets)


def _read_trap(table: Table, number: int) -> TrapSheet:
    area = read_area(table)
    if area.shape not in (Shape.CIRCLE, Shape.CROSS, Shape.DIAGONAL):
        raise table.fail("area", "a trap needs a circle, a cross or a diagonal")
    sheet = TrapSheet(
        id=table.slug("id"),
        name=table.text("name"),
        number=number,
        area=area,
        turns=table.number("turns", 1, 99),
        # a trap acts on the one who entered, not on the others in its area (X6)
        effects=read_effects(table, NO_AREA, {}, {}, (On.TARGET,)),
        text=table.text("text"),
        texte=table.text("texte"),
        facts=table.facts(),
    )
    table.close()
    return sheet


def _read_summons(file: Table) -> tuple[tuple[SummonSheet, ...], tuple[Spell, ...]]:
    spell_tables = file.tables("spell", own_facts=True)
    spells = [
        _read_spell(table, tables.FIRST_SUMMON_SPELL + index, 0, False, {}, {})
        for index, table in enumerate(spell_tables)
    ]
    _check_unique(spell_tables, spells)
    file.check_count("spell", len(spells), SPELL_COUNT - tables.FIRST_SUMMON_SPELL)
    found = file.tables("summon", own_facts=True)
    file.close()
    ids = [spell.id for spell in spells]
    sheets = [_read_summon(table, number, ids) for number, table in enumerate(found, 1)]
    _check_unique(found, sheets)
    file.check_count("summon", len(sheets), SUMMON_COUNT - 1)
    limits: dict[str, int] = {}
    for table, sheet in zip(found, sheets, strict=True):
        if limits.setdefault(sheet.group, sheet.limit) != sheet.limit:
            raise table.fail(
                "limit", f"{sheet.limit} differs from the group's, {limits[sheet.group]}"
            )
    return tuple(sheets), tuple(spells)


def _read_summon(table: Table, number: int, spells: list[str]) -> SummonSheet:
    area = read_area(table)
    aura = table.table("aura") if table.has("aura") else None
    sheet = SummonSheet(
        id=table.slug("id"),
        name=table.text("name"),
        number=number,
        group=table.slug("group"),
        limit=table.number("limit", 1, 3),
        hp=table.number("hp", 1, 500),
        ap=table.number("ap", 0, 20, 0),
        mp=table.number("mp", 0, 20, 0),
        mobile=table.flag("mobile", False),
        charge=table.flag("charge", False),
        automate=table.flag("automate", False),
        spell=table.one_of("spell", spells) if table.has("spell") else None,
        aura=Aura.NONE if aura is None else aura.choice("kind", Aura),
        aura_radius=0 if aura is None else aura.number("radius", 1, 9),
        aura_value=0 if aura is None else aura.number("percent", 1, 100),
        area=area,
        effects=()
        if area == NO_AREA
        else read_effects(table, area, {}, {}, (On.AREA, On.OTHERS, On.ENEMIES, On.ALLIES)),
        text=table.text("text"),
        texte=table.text("texte"),
        facts=table.facts(),
    )
    if aura is not None:
        aura.close()
    table.close()
    if not sheet.mobile and (sheet.ap or sheet.mp):
        raise table.fail("mobile", "only a mobile summon has AP or MP")
    if sheet.mobile and not sheet.mp:
        raise table.fail("mp", "a mobile summon needs MP")
    if (sheet.spell is not None) != (sheet.ap > 0):
        raise table.fail("spell", "a summon has a spell exactly when it has AP")
    if sheet.charge and (sheet.mobile or not sheet.effects):
        raise table.fail("charge", "a charge is inert and has effects when it explodes")
    return sheet


def _read_bonuses(file: Table) -> tuple[BonusSheet, ...]:
    found = file.tables("bonus", own_facts=True)
    file.close()
    expected = names(Bonus)
    sheets = []
    for index, table in enumerate(found):
        kind = table.one_of("kind", expected)
        if expected.index(kind) != index:
            raise table.fail("kind", f"the bonuses come in the order {', '.join(expected)}")
        sheets.append(
            BonusSheet(
                id=kind,
                name=table.text("name"),
                kind=Bonus[kind.upper()],
                value=table.number("value", 1, 100),
                turns=table.number("turns", 0, 9, 0),
                text=table.text("text"),
                texte=table.text("texte"),
                facts=table.facts(),
            )
        )
        table.close()
    file.check_count("bonus", len(sheets), len(expected))
    return tuple(sheets)


def _read_class(
    file: Table, name: str, number: int, summons: Numbers, traps: Numbers
) -> ClassSheet:
    if (own := file.slug("id")) != name:
        raise file.fail("id", f"{own!r} is not {name!r}, as the file's name says")
    passive_tables = file.tables("passive", own_facts=True)
    passives = [_read_passive(table) for table in passive_tables]
    file.check_count("passive", len(passives), len(VERSIONS))
    _check_unique(passive_tables, passives)
    spell_tables = file.tables("spell", own_facts=True)
    spells = []
    for index, table in enumerate(spell_tables):
        slot, version = index // len(VERSIONS), VERSIONS[index % len(VERSIONS)]
        if (
            table.number("slot", 1, SLOTS) != slot + 1
            or table.one_of("version", list(VERSIONS)) != version
        ):
            raise table.fail("slot", f"expected slot {slot + 1}, {version}")
        spells.append(
            _read_spell(
                table,
                tables.spell_number(number, slot, index % len(VERSIONS)),
                slot,
                version == "variant",
                summons,
                traps,
            )
        )
    file.check_count("spell", len(spells), SLOTS * len(VERSIONS))
    sheet = ClassSheet(
        id=name,
        name=file.text("name"),
        number=number,
        idea=file.text("idea"),
        idee=file.text("idee"),
        hints=file.texts("hints"),
        hp=file.number("hp", 1, 1000),
        ap=file.number("ap", 1, 20),
        mp=file.number("mp", 1, 20),
        ap_resist=file.number("ap_resist", 0, 100),
        mp_resist=file.number("mp_resist", 0, 100),
        passives=(passives[0], passives[1]),
        spells=tuple(spells),
        facts=file.facts(),
    )
    file.close()
    return sheet


def _read_passive(table: Table) -> PassiveSheet:
    kind = table.choice("kind", Passive)
    value = 0 if kind in _NO_VALUE else table.number("value", 1, 100)
    value2 = table.number("value2", 1, 100) if kind in _SECOND_VALUE else 0
    text, texte = (
        table.text(key).replace("{value}", str(value)).replace("{value2}", str(value2))
        for key in ("text", "texte")
    )
    sheet = PassiveSheet(
        id=table.slug("id"),
        name=table.text("name"),
        kind=kind,
        value=value,
        value2=value2,
        text=text,
        texte=texte,
        facts=table.facts(),
    )
    table.close()
    return sheet


def _read_spell(
    table: Table,
    number: int,
    slot: int,
    variant: bool,
    summons: Numbers,
    traps: Numbers,
) -> Spell:
    area = read_area(table)
    target = table.choice("target", Target)
    low, high = _read_range(table, target)
    spell = Spell(
        id=table.slug("id"),
        name=table.text("name"),
        number=number,
        slot=slot,
        variant=variant,
        cost=table.number("cost", 1, 14),
        hp_cost=table.number("hp_cost", 1, 100, 0),
        range_min=low,
        range_max=high,
        line=table.flag("line", False),
        sight=table.flag("sight", True),
        target=target,
        area=area,
        from_departure=table.flag("from_departure", False),
        per_turn=table.number("per_turn", 1, 9, 0),
        cooldown=table.number("cooldown", 1, 9, 0),
        effects=read_effects(table, area, summons, traps, tuple(On)),
        text=table.text("text"),
        texte=table.text("texte"),
        facts=table.facts(),
    )
    table.close()
    _check_spell(table, spell)
    return spell


def _read_range(table: Table, target: Target) -> tuple[int, int]:
    if target is Target.SELF:
        return 0, 0
    inner = table.table("range")
    low, high = inner.number("min", 0, LONG), inner.number("max", 1, LONG)
    if low > high:
        raise inner.fail("min", f"{low} is above max, {high}")
    inner.close()
    return low, high


# What a kind of effect needs its spell to aim at.
_NEEDS: dict[Kind, tuple[Target, ...]] = {
    Kind.TELEPORT: (Target.FREE,),
    Kind.SUMMON: (Target.FREE,),
    Kind.TRAP: (Target.FREE,),
    Kind.DETONATE: (Target.OWN_CHARGE,),
    Kind.SWAP: (Target.ALLY, Target.ENEMY, Target.ENTITY, Target.OWN_AUTOMATE),
    Kind.DASH: (Target.ENEMY, Target.ENTITY),
    Kind.COOLDOWN: (Target.ENEMY, Target.ENTITY),
    Kind.DELAYED: (Target.ENEMY, Target.ENTITY),
    Kind.CHAIN: (Target.ENEMY, Target.ENTITY),
}


def _check_spell(table: Table, spell: Spell) -> None:
    for index, effect in enumerate(spell.effects):
        needed = _NEEDS.get(effect.kind)
        if needed and spell.target not in needed:
            raise table.fail(
                f"effects[{index}].kind",
                f"{effect.kind.name.lower()!r} needs the "
                f"target {' or '.join(target.name.lower() for target in needed)}",
            )
        if (
            effect.on is On.TARGET
            and effect.kind not in _NEEDS
            and spell.target in (Target.FREE, Target.CELL)
        ):
            raise table.fail(
                f"effects[{index}].on", f"nobody stands on a target {spell.target.name.lower()!r}"
            )
    kinds = [effect.kind for effect in spell.effects]
    if Kind.DASH in kinds and not spell.line:
        raise table.fail("line", "a dash needs a line")
    if spell.area.shape is Shape.LINE and not (spell.line and spell.range_max == 1):
        raise table.fail("area.shape", "a line needs line = true and the range 1")
    if spell.from_departure and (Kind.TELEPORT not in kinds or spell.area == NO_AREA):
        raise table.fail("from_departure", "needs a teleport and an area")
