"""Walking: what is in reach, the path taken, and each step resolved (M1-M4)."""

from ..content.schema import CELLS, TAKEN, UNREACHED
from .displacement import enter, set_cell
from .effects import resolve
from .events import emit, witnesses
from .geometry import covers
from .kernel import kernel
from .scratch import Event


@kernel
def flood(known, rules, scratch, start, limit, until):
    """Walking distances from `start` over cells that look free, up to `limit` (M2, M4).

    Stops once `until` (-1: no cell) is reached: all nearer cells have been by then.

    Fills `scratch.steps` (u1; TAKEN and UNREACHED are no distances) and `scratch.frontier`
    (cells by distance).
    """
    grid = rules.maps[known.map]
    steps = scratch.steps
    frontier = scratch.frontier
    # one place more than cells: a neighbour of -1 reads it, and finds it taken
    for c in range(CELLS + 1):
        steps[c] = grid.untrodden[c]
    for i in range(known.entities):
        if known.entity[i].kind != 0 and known.entity[i].cell >= 0:
            steps[known.entity[i].cell] = TAKEN
    steps[start] = 0
    frontier[0] = start
    n = 1
    i = 0
    while i < n:
        cell = frontier[i]
        if cell == until:
            break
        i += 1
        d = steps[cell] + 1
        if d > limit:
            break
        near = grid.neighbour[cell]
        for k in range(4):
            # no branch here: it would be mispredicted at every other cell
            nxt = near[k]
            known_steps = steps[nxt]
            fresh = known_steps == UNREACHED
            steps[nxt] = d if fresh else known_steps
            frontier[n] = nxt
            n += fresh
    scratch.reached = n


@kernel
def trapped(known, rules, camp, cell):
    """Whether a trap known to the camp covers the cell."""
    for i in range(known.trap_count):
        t = known.trap[i]
        if t.camp == camp:
            kind = rules.trap[t.kind]
            if covers(kind.shape, kind.size, t.cell, cell):
                return True
    return False


@kernel
def weigh(known, rules, scratch, camp, start):
    """Fewest known trapped cells on a shortest path from each flooded cell to the goal."""
    grid = rules.maps[known.map]
    for i in range(scratch.reached):
        cell = scratch.frontier[i]
        toll = 0
        if i > 0:
            toll = 254
            for k in range(4):
                nxt = grid.neighbour[cell, k]
                if nxt >= 0 and scratch.steps[nxt] == scratch.steps[cell] - 1:
                    toll = min(toll, scratch.toll[nxt])
        if cell != start and trapped(known, rules, camp, cell):
            toll += 1
        scratch.toll[cell] = min(toll, 254)


@kernel
def walk(state, known, rules, scratch, walker, goal):
    """Walk to `goal` on a path chosen from what the camp knows, step by step (M3, M4).

    Ties go north, west, east, south.
    """
    e = state.entity[walker]
    grid = rules.maps[state.map]
    start = e.cell
    known.entity[walker].cell = -1
    flood(known, rules, scratch, goal, e.mp, start)
    known.entity[walker].cell = start
    careful = known.trap_count > 0
    if careful:
        weigh(known, rules, scratch, e.camp, start)
    while e.cell != goal:
        here = e.cell
        nxt = -1
        for k in range(4):
            c = grid.neighbour[here, k]
            if c >= 0 and scratch.steps[c] == scratch.steps[here] - 1:
                if nxt < 0 or (careful and scratch.toll[c] < scratch.toll[nxt]):
                    nxt = c
        e.mp -= 1
        if state.occupant[nxt] >= 0:
            camps = witnesses(state, walker)
            emit(state, scratch, Event.BLOCKED, walker, -1, 255, nxt, 0, 0, camps)
            return
        set_cell(state, walker, nxt)
        emit(state, scratch, Event.STEP, walker, -1, 255, nxt, 0, 0, witnesses(state, walker))
        if enter(state, rules, scratch, walker):
            resolve(state, rules, scratch)
            return
