"""How a duel ends (E1-E4)."""

from .events import BOTH, emit
from .kernel import kernel
from .scratch import Event
from .state import HEROES, Phase, Termination


@kernel
def finish(state, scratch, winner, termination):
    """Close the duel; winner -1 is a draw."""
    state.phase = Phase.OVER
    state.winner = winner
    state.termination = termination
    state.seat = -1
    state.actor = -1
    emit(state, scratch, Event.ENDS, -1, -1, 255, -1, winner, termination, BOTH)


@kernel
def standing(state, camp):
    """Heroes of a camp still on the board."""
    n = 0
    for i in range(HEROES):
        if state.entity[i].kind != 0 and state.entity[i].camp == camp and state.entity[i].cell >= 0:
            n += 1
    return n


@kernel
def check_end(state, scratch):
    """End the duel if a camp has no hero standing (E1, E4); true when it is over."""
    if state.phase == Phase.OVER:
        return True
    first = standing(state, 0)
    second = standing(state, 1)
    if first > 0 and second > 0:
        return False
    if first == 0 and second == 0:
        finish(state, scratch, -1, Termination.DOUBLE_KNOCKOUT)
    else:
        finish(state, scratch, 0 if first > 0 else 1, Termination.KNOCKOUT)
    return True


@kernel
def share_winner(state):
    """Camp that kept the larger share of its hit points, -1 for equal shares (E3)."""
    left0 = 0
    full0 = 0
    left1 = 0
    full1 = 0
    for i in range(HEROES):
        e = state.entity[i]
        if e.kind != 0:
            if e.camp == 0:
                left0 += e.hp
                full0 += e.max_hp
            else:
                left1 += e.hp
                full1 += e.max_hp
    a = left0 * full1
    b = left1 * full0
    if a == b:
        return -1
    return 0 if a > b else 1


@kernel
def reach_limit(state, scratch):
    """The tour limit: a draw, but with stakes the larger share of HP wins (E3)."""
    winner = share_winner(state) if state.stakes > 0 else -1
    finish(state, scratch, winner, Termination.TOUR_LIMIT)


@kernel
def forfeit(state, scratch):
    """The acting seat's camp gives up (E2)."""
    camp = state.seat & 1
    state.quitter = camp
    emit(state, scratch, Event.FORFEITS, state.seat, -1, 255, -1, camp, 0, BOTH)
    finish(state, scratch, 1 - camp, Termination.FORFEIT)
