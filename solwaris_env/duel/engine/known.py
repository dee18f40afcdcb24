"""The door between the rules and the players: a state without what a seat may not know.

Mask, observation, views and scripted agents are computed from it alone.
"""

from .damage import copy_trap, shorten_traps
from .kernel import kernel
from .state import HEROES, Phase


@kernel
def placing(state):
    """Whether a hero is still to be placed, even if the duel ended before; the last seat chooses
    last (P1, P3)."""
    return state.hero[2 * state.team_size - 1].placed == 0


@kernel
def hides(state, camp):
    """Whether anything but the generator is hidden from the camp."""
    if placing(state):
        return True
    for i in range(state.trap_count):
        if state.trap[i].camp != camp:
            return True
    for i in range(state.entities):
        if state.entity[i].invisible and state.entity[i].camp != camp:
            return True
    return False


@kernel
def redact(known, camp):
    """Blank in `known`, a copy of a state, all that the camp may not know (P3, X1, I1, I5).

    Gone are the generator, the other camp's traps, its placements until all are placed,
    and the cells of its unseen fighters. Once the duel is over only placements that were never
    told stay hidden (N30).
    """
    known.rng = 0
    if placing(known):
        for i in range(HEROES):
            e = known.entity[i]
            if e.camp != camp and e.cell >= 0:
                known.occupant[e.cell] = -1
                e.cell = -1
        return
    if known.phase == Phase.OVER:
        return
    kept = 0
    for i in range(known.trap_count):
        if known.trap[i].camp == camp:
            copy_trap(known, i, kept)
            kept += 1
    shorten_traps(known, kept)
    for i in range(known.entities):
        e = known.entity[i]
        if e.invisible and e.camp != camp and e.cell >= 0:
            known.occupant[e.cell] = -1
            if i < HEROES:
                known.hero[i].start_cell = -1
            e.cell = -1
