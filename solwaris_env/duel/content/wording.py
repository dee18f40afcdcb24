"""Sheets in words: what a spell does and costs, one English line each, for players."""

from collections.abc import Iterable

from .schema import Aura, Flag, Kind, On, Shape, Target
from .sheets import (
    LONG,
    NO_AREA,
    SOURCE,
    Area,
    Content,
    Effect,
    Facts,
    Spell,
    SummonSheet,
    TrapSheet,
)

MARK = "*"

_TARGETS = {
    Target.SELF: "self",
    Target.ALLY: "ally or self",
    Target.ENEMY: "enemy",
    Target.ENTITY: "anyone",
    Target.FREE: "free cell",
    Target.CELL: "any cell",
    Target.OWN_CHARGE: "own charge",
    Target.OWN_AUTOMATE: "own Automate",
}
_WHO = {
    On.TARGET: "",
    On.CASTER: "",
    On.AREA: "everyone",
    On.OTHERS: "everyone else",
    On.ENEMIES: "enemies",
    On.ALLIES: "allies, caster included,",
}
_AREAS = {
    Shape.CIRCLE: "within {size}",
    Shape.CROSS: "in a cross of {size}",
    Shape.LINE: "in a line of {size}",
    Shape.DIAGONAL: "on the cell and its diagonals",
}
_ENTERED = {
    Shape.CIRCLE: "the circle of {size}",
    Shape.CROSS: "the cross of {size}",
    Shape.DIAGONAL: "the cell or its diagonals",
}
_AURAS = {Aura.RESISTANCE: "resistance", Aura.POWER: "damage"}


def mark(facts: Facts, *paths: str) -> str:
    """The mark of a fact stated by the source, for any of the given paths; else nothing."""
    return MARK if any(facts.get(path) == SOURCE for path in paths) else ""


def span(low: int, high: int) -> str:
    """A range of numbers, or the one number it is."""
    return str(low) if low == high else f"{low}-{high}"


def aim(spell: Spell) -> str:
    """At what and how far, e.g. `range 3*-8, any cell`."""
    if spell.target is Target.SELF:
        words = ["self"]
    elif spell.range_max >= LONG:
        words = ["any range", _TARGETS[spell.target]]
    else:
        low = f"{spell.range_min}{mark(spell.facts, 'range.min')}"
        high = f"{spell.range_max}{mark(spell.facts, 'range.max')}"
        reach = low if spell.range_min == spell.range_max else f"{low}-{high}"
        words = [f"range {reach}", _TARGETS[spell.target]]
    if spell.line:
        words.append("in line")
    if not spell.sight and spell.target is not Target.SELF:
        words.append("sight not needed")
    return ", ".join(words)


def limits(spell: Spell) -> str:
    """Casts per turn and cooldown, e.g. `2 a turn`."""
    words = []
    if spell.per_turn:
        words.append(f"{spell.per_turn}{mark(spell.facts, 'per_turn')} a turn")
    if spell.cooldown:
        words.append(f"cooldown {spell.cooldown}{mark(spell.facts, 'cooldown')}")
    return ", ".join(words)


def cost(spell: Spell) -> str:
    """What a cast costs, e.g. `4 AP + 8 HP`."""
    words = f"{spell.cost}{mark(spell.facts, 'cost')} AP"
    if spell.hp_cost:
        words += f" + {spell.hp_cost}{mark(spell.facts, 'hp_cost')} HP"
    return words


def deeds(spell: Spell, content: Content) -> str:
    """All a spell does, with its numbers, in one sentence."""
    place = " of the departure" if spell.from_departure else ""
    return _sentence(spell.effects, spell.facts, spell.area, place, content)


def summon_words(summon: SummonSheet, content: Content) -> str:
    """A summon's body, aura, explosion or blow."""
    facts = summon.facts
    words = [f"{summon.hp}{mark(facts, 'hp')} HP"]
    if summon.mobile:
        if summon.ap:
            words.append(f"{summon.ap}{mark(facts, 'ap')} AP")
        words.append(f"{summon.mp}{mark(facts, 'mp')} MP")
    else:
        words.append(f"inert{mark(facts, 'mobile')}")
    if summon.aura is not Aura.NONE:
        words.append(
            f"+{summon.aura_value} % {_AURAS[summon.aura]} to allies within {summon.aura_radius}"
        )
    if summon.spell is not None:
        spell = next(spell for spell in content.spells if spell.id == summon.spell)
        words.append(f"{spell.name} ({cost(spell)}, {aim(spell)}: {deeds(spell, content)})")
    if summon.effects:
        when = "explodes" if summon.charge else "at its turn's end"
        blow = _sentence(summon.effects, facts, summon.area, "", content)
        words.append(f"{when}: {blow}")
    like = sum(other.group == summon.group for other in content.summons) > 1
    if summon.limit == 1:
        words.append("one at a time")
    else:
        kinds = f" {summon.group}s of any kind" if like else ""
        words.append(f"{summon.limit}{kinds} at a time")
    return ", ".join(words)


def trap_words(trap: TrapSheet, content: Content) -> str:
    """A trap's area, time and effects."""
    area = _ENTERED[trap.area.shape].format(size=trap.area.size)
    area += mark(trap.facts, "area.shape")
    blow = _sentence(trap.effects, trap.facts, NO_AREA, "", content)
    return f"for {trap.turns}{mark(trap.facts, 'turns')} turns, whoever enters {area}: {blow}"


def _sentence(
    effects: Iterable[Effect], facts: Facts, area: Area, place: str, content: Content
) -> str:
    parts: list[str] = []
    last = On.TARGET
    for index, effect in enumerate(effects):
        words = _effect(effect, content, mark(facts, f"effects[{index}].kind"))
        if effect.on is not last and _WHO[effect.on]:
            where = _AREAS[area.shape].format(size=area.size) + mark(facts, "area.shape")
            words = f"{_WHO[effect.on]} {where}{place}: {words}"
        last = effect.on
        parts.append(words)
    return ", ".join(parts)


def _turns(effect: Effect) -> str:
    if effect.flags & Flag.UNTIL_TARGET_TURN_END:
        return "until the target's next turn ends"
    return f"for {effect.turns} turn{'s' if effect.turns > 1 else ''}"


def _damage(effect: Effect) -> str:
    words = f"{span(effect.a, effect.b)} damage"
    if effect.flags & Flag.PIERCE:
        words += " past armour"
    if effect.per_loss:
        words += f", +{effect.per_loss} per AP or MP the target has lost"
    if effect.below:
        words += f", +{effect.c} % on a target under {effect.below} % HP"
    if effect.steal:
        words += f", {effect.steal} % of it healed"
    return words


def _effect(effect: Effect, content: Content, star: str) -> str:
    kind, a = effect.kind, effect.a
    if kind is Kind.SUMMON:
        summon = content.summons[a - 1]
        return f"places{star} {summon.name}: {summon_words(summon, content)}"
    if kind is Kind.TRAP:
        return f"lays a trap{star}: {trap_words(content.traps[a - 1], content)}"
    if kind is Kind.DAMAGE:
        return _damage(effect) + star
    if kind is Kind.PUSH and effect.b:
        return f"push {a}{star}, own collision {effect.b} a cell"
    words = _PLAIN[kind].format(
        a=a, c=effect.c, turns=effect.turns, span=span(a, effect.b), time=_turns(effect)
    )
    return words + star


_PLAIN = {
    Kind.HEAL: "heal {span}",
    Kind.HEAL_LOST: "heal {a} % of the lost HP",
    Kind.ARMOUR: "armour {a} {time}",
    Kind.RESISTANCE: "resistance {a:+} % {time}",
    Kind.POWER: "damage dealt {a:+} % {time}",
    Kind.RANGE: "range +{a} {time}",
    Kind.GAIN_AP: "+{a} AP",
    Kind.GAIN_MP: "+{a} MP",
    Kind.REMOVE_AP: "removes {a} AP",
    Kind.REMOVE_MP: "removes {a} MP",
    Kind.PUSH: "push {a}",
    Kind.PULL: "pull {a}",
    Kind.SWAP: "caster and target swap places",
    Kind.TELEPORT: "caster jumps there",
    Kind.DASH: "caster dashes next to the target",
    Kind.RETURN: "back to the cell where the turn began",
    Kind.POISON: "poison {a} a turn {time}",
    Kind.INVISIBLE: "invisible until its next turn",
    Kind.ANCHOR: "nothing moves the caster {time}",
    Kind.DETONATE: "the charge explodes",
    Kind.DETONATE_ALL: "all own charges explode",
    Kind.COOLDOWN: "running cooldowns +{a}",
    Kind.DELAYED: "{span} damage at the start of the caster's turn, {turns} turns from now",
    Kind.CHAIN: "{span} damage, {c} % of it to the nearest other enemy within {turns}",
}
