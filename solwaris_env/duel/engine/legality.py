"""What the acting seat may do, from what its camp knows (T2, S1-S7, M4, A5)."""

import numpy as np

from ..content.schema import CELLS, NO_SPELL, SLOTS, WIDTH, Kind, Passive, Target
from .geometry import direction, in_line
from .kernel import kernel
from .movement import flood
from .state import BID_STEP, HEROES, SUMMON_BASE, Phase, Timed
from .timed import total

GO = SLOTS * CELLS
PASS = GO + CELLS
RAISE = PASS + 1
FORFEIT = PASS + 2
ACTIONS = PASS + 3
ROWS = SLOTS + 1  # a mask has a row of cells for each slot, and one for walking
GO_ROW = 1 << SLOTS
ALL_ROWS = (1 << ROWS) - 1
LENGTHENED_ABOVE = 1  # boosts lengthen ranges above this (N12)


@kernel
def spell_in_slot(state, rules, actor, slot):
    """Spell id in a slot of the acting entity, NO_SPELL for none."""
    if actor < HEROES:
        return state.hero[actor].spell[slot]
    if slot > 0:
        return NO_SPELL
    return rules.summon[state.entity[actor].kind - SUMMON_BASE].spell


@kernel
def reach_of(state, rules, actor, spell_id):
    """Maximum range of a spell with what lengthens it (N12)."""
    longest = rules.spell[spell_id].range_max
    if longest <= LENGTHENED_ABOVE:
        return longest
    more = total(state, Timed.RANGE, actor)
    if actor < HEROES and state.hero[actor].passive == Passive.ARTILLEUR:
        more += state.hero[actor].passive_value
    return min(longest + more, 250)


@kernel
def standing_of(state, rules, owner, group):
    """How many summons of a group a hero has on the board (N20)."""
    n = 0
    for i in range(HEROES, state.entities):
        e = state.entity[i]
        if e.kind >= SUMMON_BASE and e.cell >= 0 and e.owner == owner:
            if rules.summon[e.kind - SUMMON_BASE].group == group:
                n += 1
    return n


@kernel
def affordable(state, rules, actor, slot, spell_id):
    """Points, cooldown, casts per turn and places for a summon (T2, N6, N20)."""
    spell = rules.spell[spell_id]
    e = state.entity[actor]
    if spell.cost > e.ap or spell.hp_cost >= e.hp:
        return False
    if actor < HEROES:
        hero = state.hero[actor]
        if hero.cooldown[slot] > 0 or (spell.per_turn > 0 and hero.used[slot] >= spell.per_turn):
            return False
        first = rules.effect[spell.first]
        if first.kind == Kind.SUMMON:
            body = rules.summon[first.a]
            if standing_of(state, rules, actor, body.group) >= body.limit:
                return False
    return True


@kernel
def casts_within(state, spell, actor, slot, ap, now):
    """How often the spell in a slot fits into `ap` this turn, or in the next one (T2, N6)."""
    times = ap // spell.cost
    if actor < HEROES and spell.per_turn > 0:
        times = min(times, spell.per_turn - (state.hero[actor].used[slot] if now else 0))
    if spell.cooldown > 0:
        times = min(times, 1)
    return times


@kernel
def fits(state, rules, actor, target, entity):
    """Whether a seen entity is of the kind a spell may be aimed at (S7)."""
    e = state.entity[entity]
    camp = state.entity[actor].camp
    if target == Target.SELF:
        return entity == actor
    if target == Target.ALLY:
        return e.camp == camp and not e.inert
    if target == Target.ENEMY:
        return e.camp != camp
    if target == Target.ENTITY:
        return True
    if e.kind < SUMMON_BASE or e.owner != actor:
        return False
    body = rules.summon[e.kind - SUMMON_BASE]
    return body.charge if target == Target.OWN_CHARGE else body.automate


@kernel
def clear_run(known, rules, from_cell, to_cell):
    """Whether the cells between two aligned cells can be run over, as it looks (N10)."""
    grid = rules.maps[known.map]
    heading = direction(from_cell, to_cell)
    cell = grid.neighbour[from_cell, heading]
    while cell != to_cell:
        if cell < 0 or known.occupant[cell] >= 0:
            return False
        cell = grid.neighbour[cell, heading]
    return True


@kernel
def mask_entities(known, rules, actor, spell_id, longest, mask, row):
    """Mark the cells of seen entities that a spell may be aimed at, from `row` of the mask on."""
    spell = rules.spell[spell_id]
    grid = rules.maps[known.map]
    own = known.entity[actor].cell
    dashes = rules.effect[spell.first].kind == Kind.DASH
    for i in range(known.entities):
        e = known.entity[i]
        if e.kind == 0 or e.cell < 0:
            continue
        d = rules.distance[own, e.cell]
        if d < spell.range_min or d > longest:
            continue
        if spell.line and not in_line(own, e.cell):
            continue
        if spell.sight and not grid.sight[own, e.cell]:
            continue
        if not fits(known, rules, actor, spell.target, i):
            continue
        if dashes and not clear_run(known, rules, own, e.cell):
            continue
        mask[row + e.cell] = 1


@kernel
def mark_cells(lit, distance, own, line, shortest, longest, mask, row):
    """Mark the lit cells within a range, on the four straight lines or all around."""
    if line:
        for k in range(4):
            step = WIDTH if k == 3 else (1 if k == 2 else (-1 if k == 1 else -WIDTH))
            cell = own
            for d in range(1, longest + 1):
                cell += step
                if cell < 0 or cell >= CELLS or not in_line(own, cell):
                    break
                if d >= shortest and lit[cell]:
                    mask[row + cell] = 1
        if shortest == 0:
            mask[row + own] = 1
        return
    # bytes compared with bytes: the loop takes 32 cells at a time
    low, high = np.int8(shortest), np.int8(min(longest, 127))
    cells = mask[row : row + CELLS]
    for c in range(CELLS):
        cells[c] = (distance[c] >= low) & (distance[c] <= high) & (lit[c] != 0)


@kernel
def mask_cells(known, rules, actor, spell_id, longest, mask, row):
    """Mark the free-looking or playable cells that a spell may be aimed at."""
    spell = rules.spell[spell_id]
    grid = rules.maps[known.map]
    own = known.entity[actor].cell
    distance = rules.distance[own]
    if spell.sight:
        mark_cells(grid.sight[own], distance, own, spell.line, spell.range_min, longest, mask, row)
    else:
        mark_cells(grid.playable, distance, own, spell.line, spell.range_min, longest, mask, row)
    if spell.target == Target.FREE:
        for i in range(known.entities):
            e = known.entity[i]
            if e.kind != 0 and e.cell >= 0:
                mask[row + e.cell] = 0
        if rules.effect[spell.first].kind == Kind.TRAP:
            camp = known.entity[actor].camp
            for i in range(known.trap_count):
                if known.trap[i].camp == camp:
                    mask[row + known.trap[i].cell] = 0


@kernel
def returns_home(known, actor):
    """Retour: the cell where the turn began is the own one or looks free."""
    home = known.hero[actor].start_cell
    return known.occupant[home] < 0 or known.occupant[home] == actor


@kernel
def mask_spell(known, rules, actor, slot, mask):
    """Mark the cells that the spell in a slot may be aimed at; false if it cannot be cast."""
    row = slot * CELLS
    spell_id = spell_in_slot(known, rules, actor, slot)
    if spell_id == NO_SPELL or not affordable(known, rules, actor, slot, spell_id):
        return False
    spell = rules.spell[spell_id]
    if spell.target == Target.SELF:
        first = rules.effect[spell.first].kind
        if first != Kind.RETURN or returns_home(known, actor):
            mask[row + known.entity[actor].cell] = 1
        return True
    longest = reach_of(known, rules, actor, spell_id)
    if spell.target == Target.FREE or spell.target == Target.CELL:
        mask_cells(known, rules, actor, spell_id, longest, mask, row)
    else:
        mask_entities(known, rules, actor, spell_id, longest, mask, row)
    return True


@kernel
def blank_mask(mask, rows):
    """Clear an action mask, of whose rows of cells only those in the bits of `rows` are marked."""
    for row in range(ROWS):
        if rows >> row & 1:
            part = mask[row * CELLS : (row + 1) * CELLS]
            for c in range(CELLS):
                part[c] = 0
    mask[PASS] = 0
    mask[RAISE] = 0
    mask[FORFEIT] = 0


@kernel
def write_mask(known, rules, scratch, mask, rows, allow_forfeit):
    """Write the acting seat's action mask: uint8 (ACTIONS,), 1 = legal.

    `rows` are those that may be marked already, as bits; those that may be now are returned.
    """
    blank_mask(mask, rows)
    if known.phase == Phase.OVER:
        return 0
    if allow_forfeit:
        mask[FORFEIT] = 1
    if known.phase == Phase.PLACEMENT:
        camp = known.seat & 1
        grid = rules.maps[known.map]
        for i in range(grid.zone_count[camp]):
            cell = grid.zone_cell[camp, i]
            if known.occupant[cell] < 0:
                mask[GO + cell] = 1
        return GO_ROW
    mask[PASS] = 1
    if known.phase == Phase.AUCTION:
        if known.hero[known.seat].purse >= known.price + BID_STEP:
            mask[RAISE] = 1
        return 0
    marked = 0
    actor = known.actor
    e = known.entity[actor]
    if e.mp > 0:
        flood(known, rules, scratch, e.cell, e.mp, -1)
        for i in range(1, scratch.reached):
            mask[GO + scratch.frontier[i]] = 1
        marked = GO_ROW
    if e.ap > 0:
        for slot in range(SLOTS if actor < HEROES else 1):
            if mask_spell(known, rules, actor, slot, mask):
                marked |= 1 << slot
    return marked
