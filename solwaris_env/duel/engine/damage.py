"""Hits: draw, boosts, resistance, armour, what a hit reveals, and deaths (D1-D8, I2, E4)."""

import numpy as np

from ..content.schema import Passive
from .events import BOTH, emit, tell
from .kernel import kernel
from .rng import below
from .scratch import MAX_PENDING, Event
from .state import HEROES, SUMMON_BASE, Timed, Until
from .timed import forget, is_hero, power, resistance, reveal

CRITICAL_CHANCE = 10
MULTIPLIER_CAP = 300 * 100  # three times, in hundredths of a percent (D7)
TRAP, EXPLOSION = 0, 1


@kernel
def queue(scratch, kind, what, owner, victim, cell):
    """Put a sprung trap or an explosion in line; they resolve first in, first out."""
    if scratch.tail < MAX_PENDING:
        p = scratch.pending[scratch.tail]
        p.kind = kind
        p.what = what
        p.owner = owner
        p.victim = victim
        p.cell = cell
        scratch.tail += 1


@kernel
def heal(state, scratch, entity, amount):
    """Give back hit points, never above the maximum (D8)."""
    e = state.entity[entity]
    gained = min(amount, e.max_hp - e.hp)
    if e.cell >= 0 and gained > 0:
        e.hp += gained
        tell(state, scratch, Event.HEAL, entity, gained, 0)


@kernel
def remove_from_board(state, entity):
    """Take an entity off its cell, and a summon out of existence."""
    e = state.entity[entity]
    if e.cell >= 0:
        state.occupant[e.cell] = -1
    e.cell = -1
    e.hp = 0
    e.invisible = 0
    forget(state, entity)
    if e.kind >= SUMMON_BASE:
        e.kind = 0
        while state.entities > HEROES and state.entity[state.entities - 1].kind == 0:
            state.entities -= 1


@kernel
def kill(state, rules, scratch, entity):
    """An entity falls; a hero's summons, charges and traps vanish with it (E4)."""
    e = state.entity[entity]
    kind = e.kind
    cell = e.cell
    emit(state, scratch, Event.DIES, entity, -1, 255, cell, 0, 0, BOTH)
    remove_from_board(state, entity)
    if kind < SUMMON_BASE:
        for i in range(HEROES, state.entities):
            if state.entity[i].kind >= SUMMON_BASE and state.entity[i].owner == entity:
                remove_from_board(state, i)
        kept = 0
        for i in range(state.trap_count):
            if state.trap[i].owner != entity:
                copy_trap(state, i, kept)
                kept += 1
        shorten_traps(state, kept)
    elif rules.summon[kind - SUMMON_BASE].charge:
        queue(scratch, EXPLOSION, kind - SUMMON_BASE, e.owner, -1, cell)


@kernel
def copy_trap(state, source, destination):
    if source != destination:
        a = state.trap[source]
        b = state.trap[destination]
        b.kind = a.kind
        b.owner = a.owner
        b.camp = a.camp
        b.turns = a.turns
        b.cell = a.cell


@kernel
def shorten_traps(state, kept):
    """Blank the places past `kept`, so that equal duels have equal bytes."""
    for i in range(kept, state.trap_count):
        t = state.trap[i]
        t.kind = 0
        t.owner = 0
        t.camp = 0
        t.turns = 0
        t.cell = 0
    state.trap_count = kept


@kernel
def turns_left(state, i):
    """Hero turns until the timed effect at place `i` ends, to order armour stocks (D4)."""
    t = state.timed[i]
    if t.until == Until.OWN_TURN_END:
        return 0
    camp = t.source & 1
    size = state.team_size
    member = t.source >> 1
    ally = camp + 2 * (1 - member)
    if size == 2 and state.entity[ally].cell < 0 and state.entity[t.source].cell >= 0:
        size = 1  # the last of a camp plays each of its turns (T5)
        member = 0
    ahead = (member - state.camp_turn[camp] % size + size) % size
    return 2 * ((t.turns - 1) * size + ahead) + (0 if state.next_camp == camp else 1)


@kernel
def absorb(state, scratch, entity, amount):
    """Let armour stocks take what they can, the one ending soonest first; give what is left."""
    left = amount
    while left > 0:
        best = -1
        for i in range(state.timed_count):
            t = state.timed[i]
            if t.kind == Timed.ARMOUR and t.target == entity:
                if best < 0 or turns_left(state, i) < turns_left(state, best):
                    best = i
        if best < 0:
            break
        stock = state.timed[best]
        taken = min(left, stock.value)
        stock.value -= taken
        left -= taken
        if stock.value == 0:
            stock.kind = Timed.NONE
    return left


@kernel
def wound(state, rules, scratch, entity, amount, pierce):
    """Take damage already reduced by resistance: armour, hit points, reveal, death.

    Gives the hit points lost: neither what armour took nor what went past zero (N32).
    """
    e = state.entity[entity]
    left = amount if pierce else absorb(state, scratch, entity, amount)
    if amount > 0:
        reveal(state, scratch, entity)
    lost = min(left, np.int64(e.hp))
    emit(state, scratch, Event.DAMAGE, entity, -1, 255, -1, lost, amount - left, BOTH)
    e.hp -= lost
    if e.hp == 0:
        kill(state, rules, scratch, entity)
    return lost


@kernel
def reduced(base, added, boost, resist, critical, halves):
    """Damage after bonuses, resistance and critical: multiply first, round half up once (D8).

    `added` points on top of `base`, `boost` and a resistance below zero are its bonuses (D7).
    """
    factor = max(0, 100 + np.int64(boost))
    kept = 100 - np.int64(resist)
    raised = (np.int64(base) + added) * factor * max(100, kept)
    raised = min(raised, np.int64(base) * MULTIPLIER_CAP)
    numerator = raised * min(100, kept) * (3 if critical else 2)
    denominator = 2000000 * halves
    return (2 * numerator + denominator) // (2 * denominator)


@kernel
def critical_chance(state, source):
    if is_hero(state.entity[source]) and state.hero[source].passive == Passive.FOCALISATION:
        return state.hero[source].passive_value
    return CRITICAL_CHANCE


@kernel
def strike(state, rules, scratch, source, target, base, added, extra, halves, pierce):
    """One hit of `base` and `added` points (divided by `halves`), `extra` % on top.

    Gives the hit points that the target lost by it.
    """
    e = state.entity[target]
    boost = power(state, rules, source) + extra
    hunted = e.ap_lost > 0 or e.mp_lost > 0 or e.forced
    if source < HEROES and hunted and state.hero[source].passive == Passive.TRAQUE:
        boost += state.hero[source].passive_value
    critical = below(state, 100) < critical_chance(state, source)
    dealt = reduced(base, added, boost, resistance(state, rules, target), critical, halves)
    if critical:
        tell(state, scratch, Event.CRITICAL, source, 0, 0)
    adjacent = (
        e.cell >= 0
        and state.entity[source].cell >= 0
        and rules.distance[e.cell, state.entity[source].cell] == 1
    )
    lost = wound(state, rules, scratch, target, dealt, pierce)
    if source < HEROES and adjacent and state.hero[source].passive == Passive.SOIF_DE_SANG:
        heal(state, scratch, source, (lost * state.hero[source].passive_value + 50) // 100)
    return lost
