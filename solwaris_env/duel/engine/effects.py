"""Effects: each kind implemented once, and the order in which they fall."""

import numpy as np

from ..content.schema import WIDTH, Flag, Kind, On, Passive, Shape, Target
from .damage import EXPLOSION, TRAP, heal, queue, remove_from_board, strike
from .displacement import (
    enter,
    gain_ap,
    gain_mp,
    pull,
    push,
    relocate,
    swap,
    unmask_at,
)
from .events import BOTH, emit, tell
from .geometry import covers, direction, line_covers
from .kernel import kernel
from .rng import below, between
from .scratch import Event
from .state import HEROES, MAX_ENTITIES, MAX_TRAPS, SUMMON_BASE, Timed, Until
from .timed import is_hero, lay, vanish_from_sight

LOSS_CAP = 4  # points between two own turns (R3)
NO_SPELL_ID = 255
TRAP_SPELL = 240  # + trap id stands for a trap where a spell is named


@kernel
def refusal(state, rules, source, entity, mp):
    """Chance in percent that one point is refused (R1, R2); summons refuse none."""
    e = state.entity[entity]
    if not is_hero(e):
        return 0
    cls = rules.cls[state.hero[entity].cls]
    value = cls.mp_resist if mp else cls.ap_resist
    if source < HEROES and state.hero[source].passive == Passive.BALANCIER:
        value = max(0, value - state.hero[source].passive_value)
    return value


@kernel
def takeable(state, rules, entity, mp):
    """Points the entity still has to lose: in hand, or of its next turn (N14)."""
    e = state.entity[entity]
    if state.actor == entity:
        return e.mp if mp else e.ap
    if e.kind < SUMMON_BASE:
        cls = rules.cls[state.hero[entity].cls]
        return cls.mp + e.mp_gain - e.mp_debt if mp else cls.ap + e.ap_gain - e.ap_debt
    summon = rules.summon[e.kind - SUMMON_BASE]
    return summon.mp + e.mp_gain - e.mp_debt if mp else summon.ap + e.ap_gain - e.ap_debt


@kernel
def remove_points(state, rules, scratch, source, entity, tries, mp):
    """Try to take AP or MP point by point (R1-R4)."""
    e = state.entity[entity]
    chance = refusal(state, rules, source, entity, mp)
    taken = 0
    refused = 0
    for _ in range(tries):
        if (e.mp_lost if mp else e.ap_lost) >= LOSS_CAP:
            break
        if takeable(state, rules, entity, mp) <= 0:
            break
        if below(state, 100) < chance:
            refused += 1
            continue
        taken += 1
        if mp:
            e.mp_lost += 1
            if state.actor == entity:
                e.mp -= 1
            else:
                e.mp_debt += 1
        else:
            e.ap_lost += 1
            if state.actor == entity:
                e.ap -= 1
            else:
                e.ap_debt += 1
    kind = Event.LOSES_MP if mp else Event.LOSES_AP
    tell(state, scratch, kind, entity, taken, refused)
    if source < HEROES and source != entity and state.hero[source].passive == Passive.ROUAGES:
        hero = state.hero[source]
        hero.clockwork = min(hero.passive_value, hero.clockwork + taken)


@kernel
def gather(state, rules, scratch, effect_on, source, shape, size, sight, origin, centre, farthest):
    """Fill `scratch.victim` with the area's entities whom the effect concerns.

    Nearest to the centre first, or farthest first for pushes; equal ones by cell (N8).
    """
    grid = rules.maps[state.map]
    camp = state.entity[source].camp
    n = 0
    for i in range(state.entities):
        e = state.entity[i]
        if e.kind == 0 or e.cell < 0:
            continue
        if effect_on == On.OTHERS and i == source:
            continue
        if effect_on == On.ENEMIES and e.camp == camp:
            continue
        if effect_on == On.ALLIES and (e.camp != camp or e.inert):
            continue
        if shape == Shape.LINE:
            if not line_covers(grid, size, sight, origin, centre, e.cell):
                continue
        elif not covers(shape, size, centre, e.cell):
            continue
        key = np.int64(rules.distance[centre, e.cell]) * 1024 + e.cell
        if farthest:
            key = (255 - np.int64(rules.distance[centre, e.cell])) * 1024 + e.cell
        place = n
        while place > 0:
            o = state.entity[scratch.victim[place - 1]].cell
            other = np.int64(rules.distance[centre, o]) * 1024 + o
            if farthest:
                other = (255 - np.int64(rules.distance[centre, o])) * 1024 + o
            if other <= key:
                break
            scratch.victim[place] = scratch.victim[place - 1]
            place -= 1
        scratch.victim[place] = i
        n += 1
    scratch.victims = n


@kernel
def summon(state, rules, scratch, source, kind, cell):
    """Set a summon on a cell: it holds it, and has entered it (T6, X6)."""
    slot = HEROES
    while slot < state.entities and state.entity[slot].kind != 0:
        slot += 1
    if slot == MAX_ENTITIES:
        return
    state.entities = max(state.entities, slot + 1)
    body = rules.summon[kind]
    e = state.entity[slot]
    e.kind = SUMMON_BASE + kind
    e.camp = state.entity[source].camp
    e.owner = source
    e.invisible = 0
    e.cell = cell
    e.hp = body.hp
    e.max_hp = body.hp
    e.ap = 0
    e.mp = 0
    e.ap_lost = 0
    e.mp_lost = 0
    e.ap_debt = 0
    e.mp_debt = 0
    e.ap_gain = 0
    e.mp_gain = 0
    e.forced = 0
    e.inert = 0 if body.mobile else 1
    state.serial += 1
    e.serial = state.serial
    state.occupant[cell] = slot
    emit(state, scratch, Event.SUMMONED, source, slot, NO_SPELL_ID, cell, 0, 0, BOTH)
    enter(state, rules, scratch, slot)


@kernel
def lay_trap(state, rules, scratch, source, kind, cell):
    """Hide a trap on a cell (X1, X3)."""
    if state.trap_count == MAX_TRAPS:
        return
    t = state.trap[state.trap_count]
    t.kind = kind
    t.owner = source
    t.camp = state.entity[source].camp
    t.turns = rules.trap[kind].turns
    t.cell = cell
    state.trap_count += 1
    camps = 1 << t.camp
    emit(state, scratch, Event.TRAP_LAID, source, -1, NO_SPELL_ID, cell, kind, 0, camps)


@kernel
def detonate(state, scratch, entity):
    """Set off a charge: it leaves the board and its explosion is queued."""
    e = state.entity[entity]
    kind = e.kind - SUMMON_BASE
    owner = e.owner
    cell = e.cell
    remove_from_board(state, entity)
    queue(scratch, EXPLOSION, kind, owner, -1, cell)


@kernel
def detonate_all(state, rules, scratch, owner, centre, radius):
    """Set off the hero's charges within a radius, in order of creation."""
    for _ in range(MAX_ENTITIES):
        first = -1
        for i in range(HEROES, state.entities):
            e = state.entity[i]
            if e.kind >= SUMMON_BASE and e.cell >= 0 and e.owner == owner:
                near = rules.distance[centre, e.cell] <= radius
                if rules.summon[e.kind - SUMMON_BASE].charge and near:
                    if first < 0 or e.serial < state.entity[first].serial:
                        first = i
        if first < 0:
            return
        detonate(state, scratch, first)


@kernel
def hurt(state, rules, scratch, effect, source, entity):
    """The DAMAGE kind with its riders: threshold bonus, lost points, stolen hit points."""
    e = state.entity[entity]
    extra = 0
    if effect.below > 0 and 100 * e.hp < effect.below * e.max_hp:
        extra = effect.c
    added = effect.per_loss * (e.ap_lost + e.mp_lost)
    base = between(state, effect.a, effect.b)
    pierce = (effect.flags & Flag.PIERCE) != 0
    lost = strike(state, rules, scratch, source, entity, base, added, extra, 1, pierce)
    if effect.steal > 0:
        heal(state, scratch, source, (lost * effect.steal + 50) // 100)


@kernel
def chain(state, rules, scratch, effect, source, entity):
    """The CHAIN kind: a hit, then part of it to the nearest other enemy."""
    cell = state.entity[entity].cell
    camp = state.entity[source].camp
    base = between(state, effect.a, effect.b)
    strike(state, rules, scratch, source, entity, base, 0, 0, 1, False)
    best = -1
    for i in range(state.entities):
        e = state.entity[i]
        if e.kind == 0 or e.cell < 0 or e.camp == camp or i == entity or e.invisible:
            continue
        if rules.distance[cell, e.cell] > effect.turns:
            continue
        if best < 0:
            best = i
            continue
        b = state.entity[best].cell
        a = np.int64(rules.distance[cell, e.cell]) * 1024 + e.cell
        if a < np.int64(rules.distance[cell, b]) * 1024 + b:
            best = i
    if best >= 0:
        strike(state, rules, scratch, source, best, base * effect.c, 0, 0, 100, False)


@kernel
def fall_on(state, rules, scratch, effect, source, entity, spell, heading, centre):
    """One effect falls on one entity."""
    e = state.entity[entity]
    if e.cell < 0 or e.kind == 0:
        return
    kind = effect.kind
    hero = state.entity[source].owner
    until = Until.TURNS
    if effect.flags & Flag.UNTIL_TARGET_TURN_END:
        until = Until.OWN_TURN_END
    if kind == Kind.DAMAGE:
        hurt(state, rules, scratch, effect, source, entity)
    elif kind == Kind.CHAIN:
        chain(state, rules, scratch, effect, source, entity)
    elif kind == Kind.HEAL:
        heal(state, scratch, entity, between(state, effect.a, effect.b))
    elif kind == Kind.HEAL_LOST:
        heal(state, scratch, entity, ((e.max_hp - e.hp) * effect.a + 50) // 100)
    elif kind == Kind.REMOVE_AP or kind == Kind.REMOVE_MP:
        mp = kind == Kind.REMOVE_MP
        remove_points(state, rules, scratch, source, entity, effect.a, mp)
    elif kind == Kind.GAIN_AP:
        gain_ap(state, scratch, entity, effect.a)
    elif kind == Kind.GAIN_MP:
        gain_mp(state, scratch, entity, effect.a)
    elif kind == Kind.PUSH:
        push(state, rules, scratch, source, entity, heading, effect.a, effect.b)
    elif kind == Kind.PULL:
        pull(state, rules, scratch, source, entity, heading, effect.a, centre, WIDTH)
    elif kind == Kind.INVISIBLE:
        vanish_from_sight(state, scratch, entity)
    elif kind == Kind.COOLDOWN:
        if is_hero(e):
            for slot in range(8):
                if state.hero[entity].cooldown[slot] > 0:
                    state.hero[entity].cooldown[slot] += effect.a
            tell(state, scratch, Event.COOLDOWNS, entity, effect.a, 0)
    else:
        timed = Timed.ARMOUR
        if kind == Kind.RESISTANCE:
            timed = Timed.RESISTANCE
        elif kind == Kind.POWER:
            timed = Timed.POWER
        elif kind == Kind.RANGE:
            timed = Timed.RANGE
        elif kind == Kind.POISON:
            timed = Timed.POISON
        elif kind == Kind.ANCHOR:
            timed = Timed.ANCHOR
        elif kind == Kind.DELAYED:
            timed = Timed.DELAYED
        lay(state, scratch, timed, entity, hero, until, spell, effect.turns, effect.a, effect.b)


@kernel
def dash(state, rules, scratch, caster, aim):
    """Run in a straight line until next to the aimed cell; true when it got there (N10)."""
    grid = rules.maps[state.map]
    heading = direction(state.entity[caster].cell, aim)
    while rules.distance[state.entity[caster].cell, aim] > 1:
        nxt = grid.neighbour[state.entity[caster].cell, heading]
        if nxt < 0 or state.occupant[nxt] >= 0:
            return False
        if relocate(state, rules, scratch, caster, nxt):
            return rules.distance[state.entity[caster].cell, aim] == 1
    return True


@kernel
def apply_effect(
    state, rules, scratch, effect, source, target, spell, shape, size, sight, origin, aim, centre
):
    """Apply one effect to all it concerns; false when the rest of the spell is lost."""
    kind = effect.kind
    if kind == Kind.TELEPORT or kind == Kind.RETURN:
        goal = aim
        if kind == Kind.RETURN:
            goal = state.hero[source].start_cell
        if goal != state.entity[source].cell:
            if unmask_at(state, scratch, goal):
                return False
            relocate(state, rules, scratch, source, goal)
    elif kind == Kind.DASH:
        return dash(state, rules, scratch, source, aim)
    elif kind == Kind.SUMMON:
        if unmask_at(state, scratch, aim):
            return False
        summon(state, rules, scratch, source, effect.a, aim)
    elif kind == Kind.TRAP:
        if unmask_at(state, scratch, aim):
            return False
        lay_trap(state, rules, scratch, source, effect.a, aim)
    elif kind == Kind.SWAP:
        swap(state, rules, scratch, source, target)
    elif kind == Kind.DETONATE:
        detonate(state, scratch, target)
    elif kind == Kind.DETONATE_ALL:
        detonate_all(state, rules, scratch, source, state.entity[source].cell, 255)
    elif effect.on == On.CASTER:
        fall_on(state, rules, scratch, effect, source, source, spell, -1, centre)
    elif effect.on == On.TARGET:
        if target >= 0 and state.entity[target].cell >= 0:
            mine = state.entity[source].cell
            theirs = state.entity[target].cell
            towards = kind == Kind.PULL
            heading = direction(theirs, mine) if towards else direction(mine, theirs)
            fall_on(state, rules, scratch, effect, source, target, spell, heading, mine)
    else:
        farthest = kind == Kind.PUSH
        gather(
            state, rules, scratch, effect.on, source, shape, size, sight, origin, centre, farthest
        )
        hub = origin if shape == Shape.LINE else centre
        for i in range(scratch.victims):
            victim = scratch.victim[i]
            cell = state.entity[victim].cell
            if cell < 0:
                continue
            heading = direction(cell, hub) if kind == Kind.PULL else direction(hub, cell)
            fall_on(state, rules, scratch, effect, source, victim, spell, heading, hub)
    return True


@kernel
def resolve(state, rules, scratch):
    """Sprung traps and explosions, first in, first out, until none is left (N21)."""
    while scratch.head < scratch.tail:
        p = scratch.pending[scratch.head]
        scratch.head += 1
        owner = p.owner
        cell = p.cell
        if p.kind == TRAP:
            trap = rules.trap[p.what]
            for i in range(trap.count):
                effect = rules.effect[trap.first + i]
                victim = p.victim
                here = state.entity[victim].cell
                if here < 0:
                    break
                heading = direction(cell, here)
                if heading < 0 and state.entity[owner].cell >= 0:
                    heading = direction(state.entity[owner].cell, here)
                fall_on(
                    state,
                    rules,
                    scratch,
                    effect,
                    owner,
                    victim,
                    TRAP_SPELL + p.what,
                    heading,
                    cell,
                )
        else:
            charge = rules.summon[p.what]
            emit(state, scratch, Event.EXPLODES, owner, -1, NO_SPELL_ID, cell, p.what, 0, BOTH)
            for i in range(charge.count):
                effect = rules.effect[charge.first + i]
                apply_effect(
                    state,
                    rules,
                    scratch,
                    effect,
                    owner,
                    -1,
                    NO_SPELL_ID,
                    charge.shape,
                    charge.size,
                    False,
                    cell,
                    cell,
                    cell,
                )
            if state.hero[owner].passive == Passive.REACTION_EN_CHAINE:
                radius = state.hero[owner].passive_value
                detonate_all(state, rules, scratch, owner, cell, radius)
    scratch.head = 0
    scratch.tail = 0


@kernel
def cast(state, rules, scratch, source, slot, spell_id, aim):
    """Pay for a spell and let its effects fall, one after the other (S7, T2)."""
    spell = rules.spell[spell_id]
    caster = state.entity[source]
    target = state.occupant[aim]
    origin = caster.cell
    caster.ap -= spell.cost
    if source < HEROES:
        state.hero[source].used[slot] += 1
        state.hero[source].cooldown[slot] = spell.cooldown
    report_cast(state, rules, scratch, source, target, spell_id, aim)
    if spell.hp_cost > 0:
        caster.hp -= spell.hp_cost
        tell(state, scratch, Event.COSTS_HP, source, spell.hp_cost, 0)
    centre = origin if spell.from_departure else aim
    for i in range(spell.count):
        effect = rules.effect[spell.first + i]
        goes_on = apply_effect(
            state,
            rules,
            scratch,
            effect,
            source,
            target,
            spell_id,
            spell.shape,
            spell.size,
            spell.sight,
            origin,
            aim,
            centre,
        )
        resolve(state, rules, scratch)
        if not goes_on or caster.cell < 0:
            break


@kernel
def report_cast(state, rules, scratch, source, target, spell_id, aim):
    """Tell of a cast; the other camp hears no cell that would betray something unseen."""
    spell = rules.spell[spell_id]
    caster = state.entity[source]
    own = 1 << caster.camp
    known = target
    secret = rules.effect[spell.first].kind == Kind.TRAP
    if target >= 0 and state.entity[target].invisible:
        if state.entity[target].camp == caster.camp:
            secret = True
        else:
            known = -1
    aimed = spell.target == Target.ENEMY or spell.target == Target.ENTITY
    if caster.invisible and not aimed and spell.target != Target.CELL:
        secret = True
    emit(state, scratch, Event.CAST, source, known, spell_id, aim, 0, 0, own)
    if secret:
        emit(state, scratch, Event.CAST, source, -1, spell_id, -1, 0, 0, BOTH - own)
    else:
        emit(state, scratch, Event.CAST, source, target, spell_id, aim, 0, 0, BOTH - own)
