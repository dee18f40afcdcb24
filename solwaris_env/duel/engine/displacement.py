"""Changing cells: entering them, forced moves and collisions (F1-F8, X2, G2)."""

from ..content.schema import Bonus, Passive
from .damage import TRAP, copy_trap, heal, queue, shorten_traps, strike
from .events import BOTH, emit, tell, witnesses
from .geometry import EAST, NORTH, SOUTH, WEST, covers
from .kernel import kernel
from .scratch import Event
from .state import HEROES, Timed, Until
from .timed import has_timed, is_hero, lay, reveal

COLLISION = 12  # a cell not travelled (F2)
BONUS_SPELL = 254  # stands for a terrain bonus where a spell is named


@kernel
def gain_ap(state, scratch, entity, points):
    """Points now in the own turn, in the next one otherwise (G3, N15)."""
    if state.actor == entity:
        state.entity[entity].ap += points
    else:
        state.entity[entity].ap_gain += points
    tell(state, scratch, Event.GAINS_AP, entity, points, 0)


@kernel
def gain_mp(state, scratch, entity, points):
    if state.actor == entity:
        state.entity[entity].mp += points
    else:
        state.entity[entity].mp_gain += points
    tell(state, scratch, Event.GAINS_MP, entity, points, 0)


@kernel
def collect(state, rules, scratch, entity):
    """Take the terrain bonus on the entity's cell, if any (G2, G3)."""
    e = state.entity[entity]
    for i in range(2):
        b = state.bonus[i]
        if b.kind != Bonus.NONE and b.cell == e.cell:
            kind = b.kind
            b.kind = 0
            b.cell = 0
            given = rules.bonus[kind]
            emit(
                state,
                scratch,
                Event.COLLECTS,
                entity,
                -1,
                255,
                -1,
                kind,
                0,
                BOTH,
            )
            source = e.owner
            if kind == Bonus.AP:
                gain_ap(state, scratch, entity, given.value)
            elif kind == Bonus.MP:
                gain_mp(state, scratch, entity, given.value)
            elif kind == Bonus.HEAL:
                heal(state, scratch, entity, given.value)
            elif kind == Bonus.ARMOUR:
                lay(
                    state,
                    scratch,
                    Timed.ARMOUR,
                    entity,
                    source,
                    Until.TURNS,
                    BONUS_SPELL,
                    given.turns,
                    given.value,
                    0,
                )
            elif kind == Bonus.POWER:
                lay(
                    state,
                    scratch,
                    Timed.BONUS_POWER,
                    entity,
                    source,
                    Until.OWN_TURN_END,
                    BONUS_SPELL,
                    1,
                    given.value,
                    0,
                )
            else:
                lay(
                    state,
                    scratch,
                    Timed.RANGE,
                    entity,
                    source,
                    Until.OWN_TURN_END,
                    BONUS_SPELL,
                    1,
                    given.value,
                    0,
                )


@kernel
def spring_traps(state, rules, scratch, entity):
    """Queue every trap whose area holds the entity's cell, oldest first (X2, X5)."""
    e = state.entity[entity]
    quiet = is_hero(e) and state.hero[entity].passive == Passive.PAS_FEUTRES
    sprung = False
    kept = 0
    count = state.trap_count
    for i in range(count):
        t = state.trap[i]
        kind = rules.trap[t.kind]
        own = quiet and t.camp == e.camp
        if not own and covers(kind.shape, kind.size, t.cell, e.cell):
            emit(state, scratch, Event.TRAP_SPRUNG, t.owner, entity, 255, t.cell, t.kind, 0, BOTH)
            queue(scratch, TRAP, t.kind, t.owner, entity, t.cell)
            sprung = True
        else:
            copy_trap(state, i, kept)
            kept += 1
    if sprung:
        shorten_traps(state, kept)
    return sprung


@kernel
def enter(state, rules, scratch, entity):
    """What a cell does to who comes onto it; inert entities feel nothing (G2, X6)."""
    if state.entity[entity].inert:
        return False
    collect(state, rules, scratch, entity)
    if state.trap_count == 0:
        return False
    return spring_traps(state, rules, scratch, entity)


@kernel
def set_cell(state, entity, cell):
    """Move an entity on the board, nothing else."""
    e = state.entity[entity]
    state.occupant[e.cell] = -1
    state.occupant[cell] = entity
    e.cell = cell


@kernel
def relocate(state, rules, scratch, entity, cell):
    """Put an entity on a free cell by teleport, jump or dash; true when a trap sprang."""
    set_cell(state, entity, cell)
    camps = witnesses(state, entity)
    emit(state, scratch, Event.MOVED, entity, -1, 255, cell, 0, 0, camps)
    return enter(state, rules, scratch, entity)


@kernel
def anchored(state, entity):
    """Whether nothing may move this entity (F6)."""
    return has_timed(state, Timed.ANCHOR, entity)


@kernel
def collide(state, rules, scratch, source, victim, other, cells, own):
    """A blocked push: damage for each cell not travelled, half to what was run into (F2-F4)."""
    per_cell = COLLISION
    if source < HEROES and state.hero[source].passive == Passive.FRACAS:
        per_cell = state.hero[source].passive_value
    per_cell = max(per_cell, own)
    emit(state, scratch, Event.COLLIDES, victim, other, 255, -1, cells, 0, BOTH)
    strike(state, rules, scratch, source, victim, per_cell * cells, 0, 0, 1, False)
    if other >= 0 and state.entity[other].cell >= 0:
        strike(state, rules, scratch, source, other, per_cell * cells, 0, 0, 2, False)


@kernel
def push(state, rules, scratch, source, entity, heading, cells, own):
    """Push an entity straight on; a trap stops it, anything else collides (F1, F5)."""
    if heading < 0 or state.entity[entity].cell < 0 or anchored(state, entity):
        return
    grid = rules.maps[state.map]
    travelled = 0
    blocked = False
    other = -1
    while travelled < cells:
        nxt = grid.neighbour[state.entity[entity].cell, heading]
        if nxt < 0 or state.occupant[nxt] >= 0:
            blocked = True
            other = state.occupant[nxt] if nxt >= 0 else -1
            break
        set_cell(state, entity, nxt)
        state.entity[entity].forced = 1
        travelled += 1
        if enter(state, rules, scratch, entity):
            break
    report_forced(state, scratch, Event.PUSHED, source, entity, travelled)
    if blocked:
        collide(state, rules, scratch, source, entity, other, cells - travelled, own)


@kernel
def report_forced(state, scratch, kind, source, entity, travelled):
    """Tell of a forced move; who does not see the moved one hears no cell."""
    if travelled > 0:
        camps = witnesses(state, entity)
        cell = state.entity[entity].cell
        emit(state, scratch, kind, source, entity, 255, cell, travelled, 0, camps)


@kernel
def nearer(cell, heading, centre, width):
    """Whether the axis offset towards `centre` is not used up (N8)."""
    if heading == NORTH:
        return cell // width > centre // width
    if heading == SOUTH:
        return cell // width < centre // width
    if heading == WEST:
        return cell % width > centre % width
    if heading == EAST:
        return cell % width < centre % width
    return False


@kernel
def pull(state, rules, scratch, source, entity, heading, cells, centre, width):
    """Pull an entity towards a centre; blocked, it just stops (F7)."""
    if heading < 0 or state.entity[entity].cell < 0 or anchored(state, entity):
        return
    grid = rules.maps[state.map]
    travelled = 0
    while travelled < cells and nearer(state.entity[entity].cell, heading, centre, width):
        nxt = grid.neighbour[state.entity[entity].cell, heading]
        if nxt < 0 or state.occupant[nxt] >= 0:
            break
        set_cell(state, entity, nxt)
        state.entity[entity].forced = 1
        travelled += 1
        if enter(state, rules, scratch, entity):
            break
    report_forced(state, scratch, Event.PULLED, source, entity, travelled)


@kernel
def swap(state, rules, scratch, caster, target):
    """Caster and target exchange cells; an anchored one stays, and so do both (F6, N24)."""
    a = state.entity[caster]
    b = state.entity[target]
    if target == caster or b.cell < 0 or anchored(state, target) or anchored(state, caster):
        return
    mine, theirs = a.cell, b.cell
    a.cell, b.cell = theirs, mine
    state.occupant[mine] = target
    state.occupant[theirs] = caster
    b.forced = 1
    emit(state, scratch, Event.MOVED, caster, -1, 255, theirs, 0, 0, witnesses(state, caster))
    emit(state, scratch, Event.MOVED, target, -1, 255, mine, 0, 0, witnesses(state, target))
    enter(state, rules, scratch, caster)
    enter(state, rules, scratch, target)


@kernel
def unmask_at(state, scratch, cell):
    """Something unseen holds the cell: it is unmasked, and what was tried fails (I4)."""
    other = state.occupant[cell]
    if other < 0:
        return False
    emit(state, scratch, Event.FAILS, state.actor, -1, 255, cell, 0, 0, BOTH)
    reveal(state, scratch, other)
    return True
