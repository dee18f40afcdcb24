"""The event log in words, as a seat may know it."""

import numpy as np

from .codec import cell_name
from .content.loader import content
from .content.schema import CAMP_NAME, Bonus
from .engine.scratch import Event
from .engine.state import SUMMON_BASE, Termination, Timed
from .kinds import class_of, summon_of

_TRAP_SPELL, _BONUS_SPELL, _NO_SPELL = 240, 254, 255
_TIMED_WORDS = {
    Timed.ARMOUR: "{who} has {n} armour",
    Timed.RESISTANCE: "{who}: resistance {n:+d} %",
    Timed.POWER: "{who}: damage {n:+d} %",
    Timed.RANGE: "{who}: range {n:+d}",
    Timed.POISON: "{who} is poisoned, {n} a turn",
    Timed.ANCHOR: "nothing moves {who} any more",
    Timed.DELAYED: "a delayed blow is on its way to {who}",
    Timed.BONUS_POWER: "{who}: damage {n:+d} % this turn",
}
_ENDED_WORDS = {
    Timed.ARMOUR: "{who}'s armour ends",
    Timed.RESISTANCE: "{who}: resistance {n:+d} % ends",
    Timed.POWER: "{who}: damage {n:+d} % ends",
    Timed.RANGE: "{who}: range {n:+d} ends",
    Timed.POISON: "the poison on {who} ends",
    Timed.ANCHOR: "{who} can be moved again",
    Timed.DELAYED: "the delayed blow strikes {who}",
    Timed.BONUS_POWER: "{who}: damage {n:+d} % ends",
}
_BONUS_WORDS = {
    Bonus.AP: "AP",
    Bonus.MP: "MP",
    Bonus.HEAL: "healing",
    Bonus.ARMOUR: "armour",
    Bonus.POWER: "damage",
    Bonus.RANGE: "range",
}


def entity_name(index: int, kind: int) -> str:
    """Name of an entity: a hero's class with its seat, a summon's name with its owner's sign."""
    if kind <= 0:
        return "nobody"
    if kind < SUMMON_BASE:
        return f"{class_of(kind).name} (player_{index})"
    return summon_of(kind).name


def spell_name(spell: int) -> str:
    """Name of what an event calls a spell: a spell, a trap, or a terrain bonus."""
    book = content()
    if spell < len(book.spells):
        return book.spells[spell].name
    if _TRAP_SPELL < spell <= _TRAP_SPELL + len(book.traps):
        return book.traps[spell - _TRAP_SPELL - 1].name
    return "a terrain bonus" if spell == _BONUS_SPELL else ""


def _points(e: np.record, who: str, other: str, where: str) -> str:
    points = "AP" if e.kind in (Event.LOSES_AP, Event.GAINS_AP) else "MP"
    if e.kind in (Event.GAINS_AP, Event.GAINS_MP):
        return f"{who} gains {e.value} {points}"
    refused = f" ({e.value2} refused)" if e.value2 else ""
    return f"{who} loses {e.value} {points}{refused}"


def _damage(e: np.record, who: str, other: str, where: str) -> str:
    absorbed = f", armour takes {e.value2}" if e.value2 else ""
    return f"{who} loses {e.value} HP{absorbed}"


def _cast(e: np.record, who: str, other: str, where: str) -> str:
    aim = f" at {where}" if where else ""
    on = f" on {other}" if e.target >= 0 and e.target != e.actor else ""
    return f"{who} casts {spell_name(e.spell)}{aim}{on}"


def _ends(e: np.record, who: str, other: str, where: str) -> str:
    reason = Termination(int(e.value2)).name.lower().replace("_", " ")
    return f"The duel is over ({reason}): " + (
        "a draw" if e.value < 0 else f"{CAMP_NAME[e.value]} wins"
    )


_SENTENCES = {
    Event.PLACED: lambda e, who, other, where: f"{who} starts at {where}",
    Event.BID: lambda e, who, other, where: f"{who} raises to {e.value} coins",
    Event.AUCTION_PASS: lambda e, who, other, where: f"{who} does not follow",
    Event.FIGHT_BEGINS: lambda e, who, other, where: (
        f"{CAMP_NAME[e.value]} plays first" + (f", for {e.value2} coins" if e.value2 else ", free")
    ),
    Event.TURN_BEGINS: lambda e, who, other, where: f"{who}'s turn begins (tour {e.value})",
    Event.TURN_ENDS: lambda e, who, other, where: f"{who}'s turn ends",
    Event.CAST: _cast,
    Event.STEP: lambda e, who, other, where: f"{who} walks to {where}",
    Event.BLOCKED: lambda e, who, other, where: f"something unseen stops {who} before {where}",
    Event.DAMAGE: _damage,
    Event.CRITICAL: lambda e, who, other, where: f"critical hit of {who}",
    Event.HEAL: lambda e, who, other, where: f"{who} gets back {e.value} HP",
    Event.COSTS_HP: lambda e, who, other, where: f"it costs {who} {e.value} HP",
    Event.TIMED: lambda e, who, other, where: _TIMED_WORDS[int(e.value2)].format(
        who=other, n=int(e.value)
    ),
    Event.ENDED: lambda e, who, other, where: _ENDED_WORDS[int(e.value2)].format(
        who=who, n=int(e.value)
    ),
    Event.LOSES_AP: _points,
    Event.LOSES_MP: _points,
    Event.GAINS_AP: _points,
    Event.GAINS_MP: _points,
    Event.PUSHED: lambda e, who, other, where: f"{other} is pushed {e.value} to {where}",
    Event.PULLED: lambda e, who, other, where: f"{other} is pulled {e.value} to {where}",
    Event.COLLIDES: lambda e, who, other, where: (
        f"{who} collides with {other if e.target >= 0 else 'the scenery'}, {e.value} short"
    ),
    Event.MOVED: lambda e, who, other, where: f"{who} is now at {where}",
    Event.TRAP_LAID: lambda e, who, other, where: (
        f"{who} hides {content().traps[e.value - 1].name} at {where}"
    ),
    Event.TRAP_SPRUNG: lambda e, who, other, where: (
        f"{other} springs {content().traps[e.value - 1].name} at {where}"
    ),
    Event.SUMMONED: lambda e, who, other, where: f"{other} appears at {where}",
    Event.EXPLODES: lambda e, who, other, where: (
        f"{content().summons[e.value - 1].name} explodes at {where}"
    ),
    Event.DIES: lambda e, who, other, where: f"{who} falls",
    Event.BONUS: lambda e, who, other, where: (
        f"a bonus of {_BONUS_WORDS[int(e.value)]} appears at {where}"
    ),
    Event.COLLECTS: lambda e, who, other, where: (
        f"{who} takes the bonus of {_BONUS_WORDS[int(e.value)]}"
    ),
    Event.VANISHES_FROM_SIGHT: lambda e, who, other, where: f"{who} vanishes from sight",
    Event.APPEARS: lambda e, who, other, where: f"{who} appears at {where}",
    Event.FAILS: lambda e, who, other, where: f"something unseen held {where}: it fails",
    Event.COOLDOWNS: lambda e, who, other, where: f"{who}'s cooldowns grow by {e.value}",
    Event.FORFEITS: lambda e, who, other, where: f"{who} gives up",
    Event.ENDS: _ends,
}


def sentences(events: np.ndarray, camp: int) -> list[str]:
    """The events that a camp may know of, one sentence each, in order."""
    told = []
    for e in events:
        if not (int(e.camps) >> camp) & 1:
            continue
        who = entity_name(int(e.actor), int(e.actor_kind))
        other = entity_name(int(e.target), int(e.target_kind))
        where = cell_name(int(e.cell)) if e.cell >= 0 else ""
        told.append(_SENTENCES[int(e.kind)](e, who, other, where))
    return told
