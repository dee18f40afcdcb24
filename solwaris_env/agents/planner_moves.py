"""What the planner tries: casts worth a trial, each with the cell to walk to first.

A candidate is a walk, a cast, or a walk and a cast; its promise is a guess that orders the trials.
"""

import numpy as np

from ..duel.content.schema import (
    CELLS,
    NO_SPELL,
    SLOTS,
    Kind,
    On,
    Passive,
    Shape,
    Target,
    record,
)
from ..duel.engine.geometry import covers, direction, in_line, line_covers
from ..duel.engine.kernel import kernel
from ..duel.engine.legality import (
    affordable,
    clear_run,
    fits,
    reach_of,
    returns_home,
    spell_in_slot,
)
from ..duel.engine.movement import flood, trapped
from ..duel.engine.state import HEROES, SUMMON_BASE
from ..duel.engine.timed import power, resistance
from ..duel.observation import points_in_view
from .planner_blows import fill, open_blows

MOST = 512  # candidates of one state
STAY = -1  # no walk, or no cast
KEPT = 3  # best cells tried of a spell that is aimed at free cells
NEVER = -1e8
WORK = record(
    ("field", "u1", CELLS + 1),  # ways to the prey
    ("threat", "f4", CELLS),  # harm that enemies could do on a cell in their next turn
    ("cells", "i4"),  # cells in reach, the own first, nearest first
    ("cell", "i2", CELLS),
    ("step", "i2", CELLS),
    ("found", "i4"),
    ("goal", "i2", MOST),  # cell to walk to first, or STAY
    ("cast", "i4", MOST),  # action, or STAY
    ("promise", "f8", MOST),
    ("score", "f8", CELLS),
)


@kernel
def note_reach(state, rules, scratch, work, actor):
    """Keep the cells that the actor can walk to, without those under traps of its own camp."""
    e = state.entity[actor]
    flood(state, rules, scratch, e.cell, e.mp, -1)
    careful = state.trap_count > 0
    if careful and actor < HEROES and state.hero[actor].passive == Passive.PAS_FEUTRES:
        careful = False
    n = 0
    for i in range(scratch.reached):
        c = scratch.frontier[i]
        if i > 0 and careful and trapped(state, rules, e.camp, c):
            continue
        work.cell[n] = c
        work.step[n] = scratch.steps[c]
        n += 1
    work.cells = n


@kernel
def note_threats(state, rules, facts, scratch, work, actor):
    """Fill `work.threat` for the cells around the actor: what each seen enemy could do there."""
    me = state.entity[actor]
    grid = rules.maps[state.map]
    for i in range(grid.playable_count):
        work.threat[grid.playable_cell[i]] = 0.0
    for a in range(state.entities):
        e = state.entity[a]
        if e.kind == 0 or e.cell < 0 or e.camp == me.camp or e.inert or e.invisible:
            continue
        ap = points_in_view(state, rules, a, False)
        mp = points_in_view(state, rules, a, True)
        flood(state, rules, scratch, e.cell, mp, -1)
        boost = (100.0 + power(state, rules, a)) / 100.0
        boost *= (100.0 - resistance(state, rules, actor)) / 100.0
        for i in range(grid.playable_count):
            c = grid.playable_cell[i]
            if rules.distance[c, me.cell] > me.mp + 5:
                continue
            bits = open_blows(state, rules, facts, scratch, a, ap, c, False, False)
            if bits:
                work.threat[c] += boost * fill(state, rules, facts, a, ap, False, bits)


@kernel
def add(work, goal, cast, promise):
    """Note a candidate."""
    if work.found < MOST:
        work.goal[work.found] = goal
        work.cast[work.found] = cast
        work.promise[work.found] = promise
        work.found += 1


@kernel
def propose_at(state, rules, facts, work, actor, slot, spell_id, longest, target, promise):
    """Casts at an entity: from the nearest cell of each heading, and from the safest one."""
    spell = rules.spell[spell_id]
    grid = rules.maps[state.map]
    goal = state.entity[target].cell
    here = state.entity[actor].cell
    dashes = facts[spell_id].first == Kind.DASH
    moves = facts[spell_id].moves
    headings = 0
    safest = -1
    least = 1e9
    for i in range(work.cells):
        c = work.cell[i]
        d = rules.distance[c, goal]
        if c == goal:
            if target != actor or spell.range_min > 0 or i > 0:
                continue
        elif (
            d < spell.range_min
            or d > longest
            or (spell.line and not in_line(c, goal))
            or (spell.sight and not grid.sight[c, goal])
            or (dashes and not clear_run(state, rules, c, goal))
        ):
            continue
        bit = 1
        if moves and c != goal:
            bit = 2 << (8 * direction(c, goal) + min(d, 6))
        if not headings & bit and (headings == 0 or moves):
            headings |= bit
            add(work, STAY if c == here else c, slot * CELLS + goal, promise - 0.4 * work.step[i])
        risk = work.threat[c] + 0.5 * work.step[i]
        if i > 0 and risk < least:
            least = risk
            safest = c
    if safest >= 0:
        add(work, safest, slot * CELLS + goal, promise - 1.0)


@kernel
def propose_entities(state, rules, facts, work, actor, slot, spell_id):
    """Casts aimed at entities: blows, removals, forced moves, gifts, detonations."""
    spell = rules.spell[spell_id]
    f = facts[spell_id]
    me = state.entity[actor]
    longest = reach_of(state, rules, actor, spell_id)
    boost = (100.0 + power(state, rules, actor)) / 100.0
    for i in range(state.entities):
        e = state.entity[i]
        if e.kind == 0 or e.cell < 0 or not fits(state, rules, actor, spell.target, i):
            continue
        promise = 0.0
        if e.camp != me.camp:
            if e.invisible:
                continue
            harm = f.harm * boost * (100.0 - resistance(state, rules, i)) / 100.0
            if harm >= e.hp:
                promise += 60.0 if i < HEROES else 10.0
            promise += min(harm, np.float64(e.hp))
            if f.hurts and f.harm == 0.0:
                promise += 10.0
            elif f.hurts:
                promise += 4.0
            if i >= HEROES:
                promise = 0.4 * promise - 6.0
            promise *= 3.0 / spell.cost
        elif spell.target == Target.ALLY:
            if i >= HEROES:
                continue
            promise = f.gain
        elif spell.target == Target.ENTITY:
            if i < HEROES or f.harm <= 0.0:
                if not (f.moves and i != actor):
                    continue
                promise = -4.0
            else:
                body = rules.summon[e.kind - SUMMON_BASE]
                if not body.charge or e.owner != me.owner:
                    continue
                promise = blast(state, rules, e.cell, body.size, me.camp) - 8.0
        elif spell.target == Target.OWN_CHARGE:
            body = rules.summon[e.kind - SUMMON_BASE]
            promise = blast(state, rules, e.cell, body.size, me.camp)
        propose_at(state, rules, facts, work, actor, slot, spell_id, longest, i, promise)


@kernel
def blast(state, rules, cell, size, camp):
    """Promise of an explosion: enemies within its area less fellows."""
    total = 0.0
    for i in range(HEROES):
        e = state.entity[i]
        if e.kind != 0 and e.cell >= 0 and rules.distance[cell, e.cell] <= size:
            if e.camp == camp:
                total -= 22.0
            elif not e.invisible:
                total += 20.0
    return total


@kernel
def swept(state, rules, spell, camp, actor, origin, aim, heroes_only):
    """Enemies less fellows in an area spell's area, heroes as one, others as a third."""
    grid = rules.maps[state.map]
    total = 0.0
    for i in range(HEROES if heroes_only else state.entities):
        e = state.entity[i]
        if e.kind == 0 or e.cell < 0 or (e.camp != camp and e.invisible):
            continue
        cell = origin if i == actor else e.cell
        if i == actor and rules.effect[spell.first].on != On.AREA:
            continue
        if spell.shape == Shape.LINE:
            inside = line_covers(grid, spell.size, spell.sight, origin, aim, cell)
        else:
            inside = covers(spell.shape, spell.size, aim, cell)
        if inside:
            share = 1.0 if i < HEROES else 0.3
            total += share if e.camp != camp else -1.2 * share
    return total


@kernel
def propose_area(state, rules, facts, work, actor, slot, spell_id):
    """Casts of areas at cells, so that seen enemies are within."""
    spell = rules.spell[spell_id]
    f = facts[spell_id]
    grid = rules.maps[state.map]
    me = state.entity[actor]
    longest = reach_of(state, rules, actor, spell_id)
    value = (f.harm + (6.0 if f.hurts else 0.0)) * 3.0 / spell.cost
    for t in range(state.entities):
        e = state.entity[t]
        if e.kind == 0 or e.cell < 0 or e.camp == me.camp or e.invisible:
            continue
        span = work.step[work.cells - 1] + longest + spell.size
        if rules.distance[me.cell, e.cell] > span:
            continue
        if spell.shape == Shape.LINE:
            for i in range(work.cells):
                c = work.cell[i]
                if not in_line(c, e.cell) or rules.distance[c, e.cell] > spell.size:
                    continue
                if c == e.cell:
                    continue
                aim = grid.neighbour[c, direction(c, e.cell)]
                if aim < 0:
                    continue
                share = swept(state, rules, spell, me.camp, actor, c, aim, False)
                if share > 0.0:
                    goal = STAY if i == 0 else c
                    promise = share * value - 0.4 * work.step[i] - 0.02 * work.threat[c]
                    add(work, goal, slot * CELLS + aim, promise)
            continue
        for k in range(grid.playable_count):
            aim = grid.playable_cell[k]
            if not covers(spell.shape, spell.size, aim, e.cell):
                continue
            for i in range(work.cells):
                c = work.cell[i]
                d = rules.distance[c, aim]
                if d < spell.range_min or d > longest or (spell.line and not in_line(c, aim)):
                    continue
                if spell.sight and not grid.sight[c, aim]:
                    continue
                share = swept(state, rules, spell, me.camp, actor, c, aim, False)
                if share > 0.0:
                    off = 0.3 * rules.distance[aim, e.cell]
                    goal = STAY if i == 0 else c
                    add(work, goal, slot * CELLS + aim, share * value - 0.4 * work.step[i] - off)
                break


@kernel
def propose_self(state, rules, facts, work, actor, slot, spell_id):
    """Casts at oneself: gifts where one stands, blows around oneself where they hit."""
    spell = rules.spell[spell_id]
    f = facts[spell_id]
    me = state.entity[actor]
    if f.first == Kind.RETURN and not returns_home(state, actor):
        return
    if f.first == Kind.DETONATE_ALL:
        total = 0.0
        for i in range(HEROES, state.entities):
            e = state.entity[i]
            if e.kind != 0 and e.cell >= 0 and e.owner == actor:
                body = rules.summon[e.kind - SUMMON_BASE]
                if body.charge:
                    total += blast(state, rules, e.cell, body.size, me.camp)
        if total > 0.0:
            add(work, STAY, slot * CELLS + me.cell, total)
        return
    if spell.shape == Shape.NONE or not f.hurts:
        promise = f.gain * 3.0 / spell.cost
        add(work, STAY, slot * CELLS + me.cell, promise)
        return
    value = (f.harm + 5.0) * 3.0 / spell.cost
    best = -1
    safest = -1
    most = 0.0
    least = 1e9
    for i in range(work.cells):
        c = work.cell[i]
        share = swept(state, rules, spell, me.camp, actor, c, c, False)
        if share <= 0.0:
            continue
        promise = share * value - 0.4 * work.step[i]
        if promise > most:
            most = promise
            best = i
        if work.threat[c] < least:
            least = work.threat[c]
            safest = i
    if best >= 0:
        cell = work.cell[best]
        add(work, STAY if best == 0 else cell, slot * CELLS + cell, most)
    if safest >= 0 and safest != best:
        cell = work.cell[safest]
        add(work, STAY if safest == 0 else cell, slot * CELLS + cell, most - 2.0)


@kernel
def take_best(work, cells_of, count, slot, goal):
    """Add the highest `work.score` of the playable cells as casts."""
    for _ in range(KEPT):
        best = -1
        most = 0.0
        for k in range(count):
            c = cells_of[k]
            if work.score[c] > most:
                most = work.score[c]
                best = c
        if best < 0:
            return
        work.score[best] = 0.0
        add(work, goal, slot * CELLS + best, most)


@kernel
def nearest_enemy(state, rules, camp, cell):
    """Distance from a cell to the nearest seen enemy hero, 99 if none is seen."""
    best = 99
    for i in range(HEROES):
        e = state.entity[i]
        if e.kind != 0 and e.cell >= 0 and e.camp != camp and not e.invisible:
            best = min(best, np.int64(rules.distance[cell, e.cell]))
    return best


@kernel
def score_jump(state, rules, facts, scratch, work, actor, spell, cell):
    """Promise of a teleport's goal: blows from there, or safety."""
    me = state.entity[actor]
    value = 4.0 + 0.12 * (work.threat[me.cell] - work.threat[cell])
    value += 0.8 * (np.float64(min(work.field[me.cell], 60)) - min(work.field[cell], 60))
    scratch.frontier[0] = cell
    scratch.reached = 1
    for t in range(HEROES):
        v = state.entity[t]
        if v.kind == 0 or v.cell < 0 or v.camp == me.camp or v.invisible:
            continue
        if rules.distance[cell, v.cell] > 12:
            continue
        left = me.ap - spell.cost
        bits = open_blows(state, rules, facts, scratch, actor, left, v.cell, True, True)
        value += 0.8 * fill(state, rules, facts, actor, left, True, bits)
        if spell.shape != Shape.NONE and covers(spell.shape, spell.size, cell, v.cell):
            value += 14.0
    return value


@kernel
def score_free(state, rules, facts, scratch, work, actor, spell_id, cell):
    """Promise of laying or setting something on a free cell."""
    spell = rules.spell[spell_id]
    f = facts[spell_id]
    me = state.entity[actor]
    near = nearest_enemy(state, rules, me.camp, cell)
    if f.first == Kind.TELEPORT:
        return score_jump(state, rules, facts, scratch, work, actor, spell, cell)
    own = rules.distance[me.cell, cell]
    if f.first == Kind.TRAP:
        value = 9.0 - 1.5 * abs(near - 2)
        if near + own <= nearest_enemy(state, rules, me.camp, me.cell):
            value += 3.0
        if own <= 1:
            value -= 2.0
        return value
    body = rules.summon[f.first_a]
    if body.charge:
        value = 5.0 + blast(state, rules, cell, body.size, me.camp)
        return value + max(0.0, 4.0 - near)
    if body.mobile:
        return 14.0 - 0.5 * near
    if body.aura != 0:
        return 8.0 + 0.3 * near - own if near < 12 else 2.0 - own
    return 4.0 - 0.5 * abs(near - 2) if near + own <= near + 2 else 1.0


@kernel
def propose_free(state, rules, facts, scratch, work, actor, slot, spell_id):
    """Teleports, traps and summons: the best cells from here, and after an approach."""
    spell = rules.spell[spell_id]
    grid = rules.maps[state.map]
    me = state.entity[actor]
    longest = reach_of(state, rules, actor, spell_id)
    traps = facts[spell_id].first == Kind.TRAP
    jumps = facts[spell_id].first == Kind.TELEPORT
    approach = 0
    for i in range(work.cells):
        if work.field[work.cell[i]] < work.field[work.cell[approach]]:
            approach = i
    for turn in range(1 if jumps or approach == 0 else 2):
        origin = me.cell if turn == 0 else work.cell[approach]
        count = grid.playable_count
        for k in range(count):
            c = grid.playable_cell[k]
            work.score[c] = 0.0
            d = rules.distance[origin, c]
            if d < spell.range_min or d > longest or state.occupant[c] >= 0:
                continue
            if spell.sight and not grid.sight[origin, c]:
                continue
            if spell.line and not in_line(origin, c):
                continue
            if traps and trap_at(state, me.camp, c):
                continue
            if jumps and state.trap_count > 0 and trapped(state, rules, me.camp, c):
                continue
            value = score_free(state, rules, facts, scratch, work, actor, spell_id, c)
            work.score[c] = value - 0.4 * work.step[approach] * turn
        goal = STAY if turn == 0 else origin
        take_best(work, grid.playable_cell, count, slot, goal)


@kernel
def trap_at(state, camp, cell):
    """Whether a trap of the camp has its centre on the cell (X7)."""
    for i in range(state.trap_count):
        if state.trap[i].camp == camp and state.trap[i].cell == cell:
            return True
    return False


@kernel
def propose(state, rules, facts, scratch, work, actor):
    """Fill the candidates of a state in which the actor's turn goes on; needs `note_reach`."""
    work.found = 0
    for i in range(1, work.cells):
        for k in range(2):
            if state.bonus[k].kind != 0 and state.bonus[k].cell == work.cell[i]:
                add(work, work.cell[i], STAY, 12.0 - work.step[i])
    for slot in range(SLOTS if actor < HEROES else 1):
        spell_id = spell_in_slot(state, rules, actor, slot)
        if spell_id == NO_SPELL or not affordable(state, rules, actor, slot, spell_id):
            continue
        target = rules.spell[spell_id].target
        if target == Target.SELF:
            propose_self(state, rules, facts, work, actor, slot, spell_id)
        elif target == Target.CELL:
            propose_area(state, rules, facts, work, actor, slot, spell_id)
        elif target == Target.FREE:
            propose_free(state, rules, facts, scratch, work, actor, slot, spell_id)
        else:
            propose_entities(state, rules, facts, work, actor, slot, spell_id)


@kernel
def best_candidate(work):
    """Take the most promising candidate off the list: its index, -1 when none is left."""
    best = -1
    most = NEVER
    for i in range(work.found):
        if work.promise[i] > most:
            most = work.promise[i]
            best = i
    return best
