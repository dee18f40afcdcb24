"""Timed effects: laying, renewing, counting down, and what they add up to."""

from ..content.schema import Aura, Passive
from .events import emit, tell, witnesses
from .kernel import kernel
from .scratch import Event
from .state import HEROES, MAX_TIMED, SUMMON_BASE, Timed, Until

RESISTANCE_CAP = 75


@kernel
def is_hero(entity):
    return 0 < entity.kind < SUMMON_BASE


@kernel
def compact(state):
    """Close the gaps that ended effects left, keeping the order of laying."""
    kept = 0
    for i in range(state.timed_count):
        t = state.timed[i]
        if t.kind != Timed.NONE:
            if kept != i:
                k = state.timed[kept]
                k.kind = t.kind
                k.target = t.target
                k.source = t.source
                k.until = t.until
                k.spell = t.spell
                k.turns = t.turns
                k.value = t.value
                k.value2 = t.value2
            kept += 1
    for i in range(kept, state.timed_count):
        t = state.timed[i]
        t.kind = 0
        t.target = 0
        t.source = 0
        t.until = 0
        t.spell = 0
        t.turns = 0
        t.value = 0
        t.value2 = 0
    state.timed_count = kept


@kernel
def lay(state, scratch, kind, target, source, until, spell, turns, value, value2):
    """Lay a timed effect; the same one from the same caster's spell is renewed instead."""
    slot = -1
    for i in range(state.timed_count):
        t = state.timed[i]
        if t.kind == kind and t.target == target and t.source == source and t.spell == spell:
            slot = i
    if slot < 0:
        if state.timed_count == MAX_TIMED:
            compact(state)
        if state.timed_count == MAX_TIMED:
            # no duel comes near; the one that ends soonest gives way
            slot = 0
            for i in range(1, MAX_TIMED):
                if state.timed[i].turns < state.timed[slot].turns:
                    slot = i
        else:
            slot = state.timed_count
            state.timed_count += 1
    t = state.timed[slot]
    t.kind = kind
    t.target = target
    t.source = source
    t.until = until
    t.spell = spell
    t.turns = turns
    t.value = value
    t.value2 = value2
    emit(state, scratch, Event.TIMED, source, target, spell, -1, value, kind, 3)


@kernel
def end(state, scratch, i):
    """End the timed effect at place `i`; the gap is closed by `compact`."""
    t = state.timed[i]
    tell(state, scratch, Event.ENDED, t.target, t.value, t.kind)
    t.kind = Timed.NONE


@kernel
def forget(state, entity):
    """Drop all timed effects on an entity that left the board."""
    for i in range(state.timed_count):
        if state.timed[i].target == entity:
            state.timed[i].kind = Timed.NONE


@kernel
def end_of_own_turn(state, scratch, entity):
    """End what lasts until this entity's own turn ends; inert ones share their owner's (N23)."""
    for i in range(state.timed_count):
        t = state.timed[i]
        if t.kind != Timed.NONE and t.until == Until.OWN_TURN_END:
            e = state.entity[t.target]
            inert = e.kind >= SUMMON_BASE and e.owner == entity and e.inert == 1
            if t.target == entity or inert:
                end(state, scratch, i)


@kernel
def reveal(state, scratch, entity):
    """An invisible fighter appears."""
    e = state.entity[entity]
    if e.invisible:
        e.invisible = 0
        emit(state, scratch, Event.APPEARS, entity, -1, 255, e.cell, 0, 0, 3)


@kernel
def vanish_from_sight(state, scratch, entity):
    """A fighter turns invisible (I1)."""
    state.entity[entity].invisible = 1
    camps = witnesses(state, entity)
    cell = state.entity[entity].cell
    emit(state, scratch, Event.VANISHES_FROM_SIGHT, entity, -1, 255, cell, 0, 0, camps)
    emit(state, scratch, Event.VANISHES_FROM_SIGHT, entity, -1, 255, -1, 0, 0, 3 - camps)


@kernel
def has_timed(state, kind, entity):
    for i in range(state.timed_count):
        t = state.timed[i]
        if t.kind == kind and t.target == entity:
            return True
    return False


@kernel
def total(state, kind, entity):
    """Sum of the values of one kind on an entity."""
    value = 0
    for i in range(state.timed_count):
        t = state.timed[i]
        if t.kind == kind and t.target == entity:
            value += t.value
    return value


@kernel
def aura(state, rules, kind, entity, strongest):
    """What own Bannières, Étendards and guardians nearby lend (sum, or the strongest)."""
    e = state.entity[entity]
    value = 0
    if e.cell < 0:
        return value
    for i in range(HEROES, state.entities):
        b = state.entity[i]
        if b.kind >= SUMMON_BASE and b.cell >= 0 and b.camp == e.camp and i != entity:
            s = rules.summon[b.kind - SUMMON_BASE]
            if s.aura == kind and rules.distance[b.cell, e.cell] <= s.aura_radius:
                if strongest:
                    value = max(value, s.aura_value)
                else:
                    value += s.aura_value
    return value


@kernel
def lost_tenths(entity):
    return 10 * (entity.max_hp - entity.hp) // entity.max_hp


@kernel
def resistance(state, rules, entity):
    """Percentage off damage taken: spells, auras and passives, capped at 75 (D3, D5)."""
    value = total(state, Timed.RESISTANCE, entity) + aura(
        state, rules, Aura.RESISTANCE, entity, False
    )
    e = state.entity[entity]
    if is_hero(e):
        hero = state.hero[entity]
        if hero.passive == Passive.CUIRASSE:
            value += hero.passive_value
        elif hero.passive == Passive.RAGE:
            value += hero.passive_value2 * lost_tenths(e)
    return min(value, RESISTANCE_CAP)


@kernel
def power(state, rules, entity):
    """Percentage added to damage dealt: the strongest spell boost, less the strongest malus,
    plus terrain bonus and Rage (D6)."""
    boost = aura(state, rules, Aura.POWER, entity, True)
    malus = 0
    value = 0
    for i in range(state.timed_count):
        t = state.timed[i]
        if t.target == entity:
            if t.kind == Timed.POWER:
                boost = max(boost, t.value)
                malus = min(malus, t.value)
            elif t.kind == Timed.BONUS_POWER:
                value += t.value
    value += boost + malus
    e = state.entity[entity]
    if is_hero(e) and state.hero[entity].passive == Passive.RAGE:
        value += state.hero[entity].passive_value * lost_tenths(e)
    return value
