"""Reading effects and areas: which numbers each kind of effect takes, and on whom it may fall."""

from dataclasses import dataclass

from .reader import Table, names
from .schema import Flag, Kind, On, Shape
from .sheets import NO_AREA, Area, Effect

Numbers = dict[str, int]  # ids and their numbers in the Rulebook
AREA_ON = (On.AREA, On.OTHERS, On.ENEMIES, On.ALLIES)


@dataclass(frozen=True)
class Number:
    """A key of an effect, the field of `Effect` it fills, and its bounds."""

    key: str
    field: str
    low: int
    high: int
    default: int | None = None


_TURNS = Number("turns", "turns", 1, 9)
_LEAST = Number("min", "a", 1, 200)
_MOST = Number("max", "b", 1, 200)
_PERCENT = Number("percent", "a", -100, 100)
_CELLS = Number("cells", "a", 1, 9)
_POINTS = Number("points", "a", 1, 100)
_TRIES = Number("tries", "a", 1, 9)

NUMBERS: dict[Kind, tuple[Number, ...]] = {
    Kind.DAMAGE: (
        _LEAST,
        _MOST,
        Number("bonus", "c", 1, 200, 0),
        Number("below", "below", 1, 99, 0),
        Number("steal", "steal", 1, 100, 0),
        Number("per_loss", "per_loss", 1, 50, 0),
    ),
    Kind.HEAL: (_LEAST, _MOST),
    Kind.HEAL_LOST: (Number("percent", "a", 1, 100),),
    Kind.ARMOUR: (_POINTS, _TURNS),
    Kind.RESISTANCE: (_PERCENT, Number("turns", "turns", 1, 9, 0)),
    Kind.POWER: (_PERCENT, _TURNS),
    Kind.RANGE: (_CELLS, _TURNS),
    Kind.GAIN_AP: (_POINTS,),
    Kind.GAIN_MP: (_POINTS,),
    Kind.REMOVE_AP: (_TRIES,),
    Kind.REMOVE_MP: (_TRIES,),
    Kind.PUSH: (_CELLS, Number("collision", "b", 1, 99, 0)),
    Kind.PULL: (_CELLS,),
    Kind.SWAP: (),
    Kind.TELEPORT: (),
    Kind.DASH: (),
    Kind.RETURN: (),
    Kind.SUMMON: (),
    Kind.TRAP: (),
    Kind.POISON: (_POINTS, _TURNS),
    Kind.INVISIBLE: (),
    Kind.ANCHOR: (_TURNS,),
    Kind.DETONATE: (),
    Kind.DETONATE_ALL: (),
    Kind.COOLDOWN: (Number("turns", "a", 1, 9),),
    Kind.DELAYED: (_LEAST, _MOST, _TURNS),
    Kind.CHAIN: (
        _LEAST,
        _MOST,
        Number("percent", "c", 1, 100),
        Number("radius", "turns", 1, 9),
    ),
}

# Kinds whose subject follows from their meaning; data may not name another.
FIXED_ON: dict[Kind, On] = {
    Kind.SWAP: On.TARGET,
    Kind.TELEPORT: On.CASTER,
    Kind.DASH: On.CASTER,
    Kind.RETURN: On.CASTER,
    Kind.SUMMON: On.TARGET,
    Kind.TRAP: On.TARGET,
    Kind.DETONATE: On.TARGET,
    Kind.DETONATE_ALL: On.CASTER,
    Kind.COOLDOWN: On.TARGET,
    Kind.DELAYED: On.TARGET,
    Kind.CHAIN: On.TARGET,
}


def read_area(table: Table) -> Area:
    """The optional key `area` of a sheet."""
    if not table.has("area"):
        return NO_AREA
    inner = table.table("area")
    area = Area(inner.choice("shape", Shape), inner.number("size", 1, 9))
    inner.close()
    return area


def read_effects(
    table: Table, area: Area, summons: Numbers, traps: Numbers, allowed: tuple[On, ...]
) -> tuple[Effect, ...]:
    """The key `effects` of a sheet.

    `summons` and `traps` give the numbers of the ids an effect may name; `allowed` is whom
    the sheet's effects may fall on. Raises ContentError.
    """
    tables = table.tables("effects")
    if not tables:
        raise table.fail("effects", "is empty")
    effects = tuple(_read_effect(inner, area, summons, traps, allowed) for inner in tables)
    if area != NO_AREA and not any(effect.on in AREA_ON for effect in effects):
        raise table.fail("area", "no effect falls on it")
    return effects


def _read_effect(
    table: Table, area: Area, summons: Numbers, traps: Numbers, allowed: tuple[On, ...]
) -> Effect:
    kind = table.choice("kind", Kind)
    values: dict[str, int] = {}
    for number in NUMBERS[kind]:
        values[number.field] = table.number(number.key, number.low, number.high, number.default)
    if kind in FIXED_ON:
        on = FIXED_ON[kind]
    else:
        on = table.choice("on", On, On.TARGET)
        if on not in allowed:
            known = ", ".join(name for name in names(On) if On[name.upper()] in allowed)
            raise table.fail("on", f"{on.name.lower()!r} is not one of {known}")
    if on in AREA_ON and area == NO_AREA:
        raise table.fail("on", f"{on.name.lower()!r} needs an area, and there is none")
    if kind is Kind.SUMMON:
        values["a"] = summons[table.one_of("summon", list(summons))]
    if kind is Kind.TRAP:
        values["a"] = traps[table.one_of("trap", list(traps))]
    _check_pair(table, kind, values)
    effect = Effect(kind, on, flags=_read_flags(table, kind, values), **values)
    table.close()
    return effect


def _check_pair(table: Table, kind: Kind, values: dict[str, int]) -> None:
    if _MOST in NUMBERS[kind] and values["a"] > values["b"]:
        raise table.fail("max", f"{values['b']} is below min, {values['a']}")
    if _PERCENT in NUMBERS[kind] and values["a"] == 0:
        raise table.fail("percent", "0 changes nothing")
    if kind is Kind.DAMAGE and (values["below"] > 0) != (values["c"] > 0):
        raise table.fail("below" if values["c"] else "bonus", "bonus and below go together")


def _read_flags(table: Table, kind: Kind, values: dict[str, int]) -> int:
    flags = 0
    if kind is Kind.DAMAGE and table.flag("pierce", False):
        flags |= Flag.PIERCE
    if kind is Kind.RESISTANCE:
        if table.flag("until_target_turn_end", False):
            flags |= Flag.UNTIL_TARGET_TURN_END
        if bool(flags) == bool(values["turns"]):
            raise table.fail("turns", "either turns or until_target_turn_end is needed, not both")
    return int(flags)
