"""The two transitions of a duel: an action of the acting seat, and time up (T11)."""

from ..content.schema import CELLS
from .effects import cast
from .kernel import kernel
from .legality import FORFEIT, GO, PASS, RAISE, spell_in_slot
from .movement import walk
from .outcome import check_end, forfeit
from .rng import below
from .state import Phase
from .timed import compact
from .turns import bid, close_auction, end_turn, place


@kernel
def act(state, known, rules, scratch, action):
    """Apply one legal action; `known` is what its seat knows (chooses the walk's path)."""
    scratch.events = 0
    scratch.truncated = 0
    if action == FORFEIT:
        forfeit(state, scratch)
    elif state.phase == Phase.PLACEMENT:
        place(state, rules, scratch, action - GO)
    elif state.phase == Phase.AUCTION:
        if action == RAISE:
            bid(state, scratch)
        else:
            close_auction(state, rules, scratch)
    else:
        fight(state, known, rules, scratch, action)


@kernel
def fight(state, known, rules, scratch, action):
    """An action of the fight: end the turn, walk, or cast."""
    actor = state.actor
    if action == PASS:
        end_turn(state, rules, scratch)
    elif action >= GO:
        walk(state, known, rules, scratch, actor, action - GO)
    else:
        slot = action // CELLS
        spell_id = spell_in_slot(state, rules, actor, slot)
        cast(state, rules, scratch, actor, slot, spell_id, action % CELLS)
    compact(state)
    if check_end(state, scratch):
        return
    if state.actor == actor and action != PASS and state.entity[actor].cell < 0:
        end_turn(state, rules, scratch)
        compact(state)


@kernel
def time_up(state, rules, scratch):
    """The clock has run out: random placement, auction pass, end of the turn (P2, A7, T3, T6)."""
    scratch.events = 0
    scratch.truncated = 0
    if state.phase == Phase.PLACEMENT:
        camp = state.seat & 1
        grid = rules.maps[state.map]
        free = 0
        for i in range(grid.zone_count[camp]):
            if state.occupant[grid.zone_cell[camp, i]] < 0:
                free += 1
        left = below(state, free)
        chosen = -1
        for i in range(grid.zone_count[camp]):
            cell = grid.zone_cell[camp, i]
            if state.occupant[cell] < 0:
                if left == 0:
                    chosen = cell
                left -= 1
        place(state, rules, scratch, chosen)
    else:
        act(state, state, rules, scratch, PASS)
