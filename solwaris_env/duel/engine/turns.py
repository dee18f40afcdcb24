"""The course of a duel: placement, auction, turns, tours (P, A, T, G1, T10)."""

from ..content.schema import Passive
from .damage import copy_trap, reduced, shorten_traps, strike, wound
from .effects import apply_effect, resolve
from .events import BOTH, emit, tell
from .kernel import kernel
from .outcome import check_end, reach_limit
from .rng import below, between
from .scratch import Event
from .state import (
    BID_STEP,
    HEROES,
    SUMMON_BASE,
    TOUR_LIMIT,
    Phase,
    Timed,
    Until,
)
from .timed import compact, end, end_of_own_turn, resistance, reveal

BONUS_KINDS = 6
FREE_CELL_DRAWS = 32


@kernel
def tour(state):
    """The tour being played, from 1 on; 0 before the fight (T9)."""
    if state.turn == 0:
        return 0
    return (state.turn - 1) // (2 * state.team_size) + 1


@kernel
def place(state, rules, scratch, cell):
    """The acting seat takes its start cell; the last one opens the auction (P1, A1)."""
    seat = state.seat
    state.entity[seat].cell = cell
    state.occupant[cell] = seat
    state.hero[seat].placed = 1
    emit(state, scratch, Event.PLACED, seat, -1, 255, cell, 0, 0, 1 << (seat & 1))
    state.seat = seat + 1
    if state.seat == 2 * state.team_size:
        state.phase = Phase.AUCTION
        state.first_camp = state.drawn_camp
        state.seat = 1 - state.drawn_camp
        for i in range(2 * state.team_size):
            e = state.entity[i]
            emit(state, scratch, Event.PLACED, i, -1, 255, e.cell, 0, 0, 2 - (i & 1))


@kernel
def bid(state, scratch):
    """Raise by one step; the other camp answers (A2, A6)."""
    state.price += BID_STEP
    state.bidder = state.seat & 1
    emit(state, scratch, Event.BID, state.seat, -1, 255, -1, state.price, 0, BOTH)
    state.seat = 1 - state.bidder


@kernel
def close_auction(state, rules, scratch):
    """Nobody follows: the last bidder pays and begins, else the drawn camp, free (A3, A4)."""
    emit(state, scratch, Event.AUCTION_PASS, state.seat, -1, 255, -1, 0, 0, BOTH)
    if state.bidder >= 0:
        state.first_camp = state.bidder
        state.hero[state.bidder].purse -= state.price
    state.phase = Phase.FIGHT
    state.next_camp = state.first_camp
    emit(state, scratch, Event.FIGHT_BEGINS, -1, -1, 255, -1, state.first_camp, state.price, BOTH)
    next_hero_turn(state, rules, scratch)


@kernel
def renew_bonuses(state, rules, scratch):
    """Two bonuses of different kinds on random free cells (G1)."""
    for i in range(2):
        state.bonus[i].kind = 0
        state.bonus[i].cell = -1
    first = 0
    for i in range(2):
        kind = 1 + below(state, BONUS_KINDS - i)
        if i == 1 and kind >= first:
            kind += 1
        first = kind
        cell = free_cell(state, rules.maps[state.map])
        if cell < 0:
            return
        state.bonus[i].kind = kind
        state.bonus[i].cell = cell
        emit(state, scratch, Event.BONUS, -1, -1, 255, cell, kind, 0, BOTH)


@kernel
def free_cell(state, grid):
    """A random cell with neither entity nor bonus, -1 if there is none.

    A draw that hits a taken cell is repeated; on a crowded board the next free cell in board
    order from the last draw on serves.
    """
    rank = 0
    for _ in range(FREE_CELL_DRAWS):
        rank = below(state, grid.playable_count)
        cell = grid.playable_cell[rank]
        if state.occupant[cell] < 0 and cell != state.bonus[0].cell:
            return cell
    for i in range(grid.playable_count):
        cell = grid.playable_cell[(rank + i) % grid.playable_count]
        if state.occupant[cell] < 0 and cell != state.bonus[0].cell:
            return cell
    return -1


@kernel
def count_down(state, rules, scratch, hero):
    """The hero's timed effects lose a turn, what ends ends, his traps age (T10, X3)."""
    count = state.timed_count
    for i in range(count):
        t = state.timed[i]
        if t.kind == Timed.NONE or t.source != hero or t.until != Until.TURNS:
            continue
        t.turns -= 1
        if t.turns > 0:
            continue
        kind = t.kind
        target = t.target
        low = t.value
        high = t.value2
        end(state, scratch, i)
        if kind == Timed.DELAYED and state.entity[target].cell >= 0:
            base = between(state, low, high)
            strike(state, rules, scratch, hero, target, base, 0, 0, 1, False)
            resolve(state, rules, scratch)
    kept = 0
    for i in range(state.trap_count):
        t = state.trap[i]
        if t.owner == hero:
            t.turns -= 1
        if t.owner != hero or t.turns > 0:
            copy_trap(state, i, kept)
            kept += 1
    shorten_traps(state, kept)


@kernel
def suffer_poison(state, rules, scratch, entity):
    """Poison on one whose turn begins, and on the inert ones of a hero (N4)."""
    count = state.timed_count
    for i in range(count):
        t = state.timed[i]
        if t.kind != Timed.POISON:
            continue
        e = state.entity[t.target]
        if e.cell < 0:
            continue
        if t.target == entity or (e.inert and e.owner == entity):
            dealt = reduced(t.value, 0, 0, resistance(state, rules, t.target), False, 1)
            wound(state, rules, scratch, t.target, dealt, False)
    resolve(state, rules, scratch)


@kernel
def begin_points(state, entity, ap, mp):
    """Points of the turn that begins: base, gains, less what was taken (T1, R4)."""
    e = state.entity[entity]
    e.ap = max(0, ap + e.ap_gain - e.ap_debt)
    e.mp = max(0, mp + e.mp_gain - e.mp_debt)
    e.ap_gain = 0
    e.mp_gain = 0
    e.ap_debt = 0
    e.mp_debt = 0


@kernel
def begin_hero_turn(state, rules, scratch, hero):
    """A hero's turn begins, in the documented order (N18); false if he does not live to play."""
    state.actor = hero
    state.seat = hero
    tell(state, scratch, Event.TURN_BEGINS, hero, tour(state), 0)
    renew_bonuses(state, rules, scratch)
    e = state.entity[hero]
    h = state.hero[hero]
    h.start_cell = e.cell
    cls = rules.cls[h.cls]
    begin_points(state, hero, cls.ap + h.carried + h.clockwork, cls.mp)
    h.carried = 0
    h.clockwork = 0
    count_down(state, rules, scratch, hero)
    if check_end(state, scratch):
        return False
    for slot in range(8):
        if h.cooldown[slot] > 0:
            h.cooldown[slot] -= 1
        h.used[slot] = 0
    reveal(state, scratch, hero)
    suffer_poison(state, rules, scratch, hero)
    h.start_cell = e.cell
    return e.cell >= 0


@kernel
def next_hero_turn(state, rules, scratch):
    """Give the turn to the camp whose it is, until a hero can play (T4, T5, N17)."""
    while True:
        if check_end(state, scratch):
            return
        if state.turn >= TOUR_LIMIT * 2 * state.team_size:
            reach_limit(state, scratch)
            return
        camp = state.next_camp
        scheduled = camp + 2 * (state.camp_turn[camp] % state.team_size)
        state.camp_turn[camp] += 1
        state.turn += 1
        state.next_camp = 1 - camp
        hero = scheduled
        if state.entity[scheduled].cell < 0:
            hero = camp + 2 * (1 - (scheduled >> 1))
            state.actor = -1
            count_down(state, rules, scratch, scheduled)
            if check_end(state, scratch):
                return
        alive = begin_hero_turn(state, rules, scratch, hero)
        compact(state)
        if check_end(state, scratch) or alive:
            return


@kernel
def following_summon(state, hero, serial):
    """The hero's next mobile summon created after `serial`, -1 for none (T6)."""
    best = -1
    for i in range(HEROES, state.entities):
        e = state.entity[i]
        if e.kind >= SUMMON_BASE and e.cell >= 0 and e.owner == hero and not e.inert:
            if e.serial > serial and (best < 0 or e.serial < state.entity[best].serial):
                best = i
    return best


@kernel
def close_turn(state, rules, scratch, entity):
    """What the end of an entity's own turn does: its blow, lost points, window (T1, R4)."""
    e = state.entity[entity]
    if e.cell >= 0 and e.kind >= SUMMON_BASE:
        body = rules.summon[e.kind - SUMMON_BASE]
        if not body.charge:
            for i in range(body.count):
                if e.cell < 0:
                    break
                effect = rules.effect[body.first + i]
                apply_effect(
                    state,
                    rules,
                    scratch,
                    effect,
                    entity,
                    -1,
                    255,
                    body.shape,
                    body.size,
                    False,
                    e.cell,
                    e.cell,
                    e.cell,
                )
                resolve(state, rules, scratch)
    if entity < HEROES and state.hero[entity].passive == Passive.FLUX:
        state.hero[entity].carried = min(e.ap, state.hero[entity].passive_value)
    e.ap = 0
    e.mp = 0
    e.ap_lost = 0
    e.mp_lost = 0
    e.forced = 0
    end_of_own_turn(state, scratch, entity)
    if e.kind != 0:
        tell(state, scratch, Event.TURN_ENDS, entity, 0, 0)


@kernel
def begin_summon_turn(state, rules, scratch, entity):
    """A mobile summon's turn begins; false if it does not live to play (T6, T7)."""
    state.actor = entity
    e = state.entity[entity]
    state.seat = e.owner
    tell(state, scratch, Event.TURN_BEGINS, entity, tour(state), 0)
    body = rules.summon[e.kind - SUMMON_BASE]
    begin_points(state, entity, body.ap, body.mp)
    reveal(state, scratch, entity)
    suffer_poison(state, rules, scratch, entity)
    return e.cell >= 0


@kernel
def end_turn(state, rules, scratch):
    """Close the acting turn and begin the next: own summons first, then the other camp (T6)."""
    actor = state.actor
    hero = state.entity[actor].owner
    serial = -1 if actor < HEROES else state.entity[actor].serial
    close_turn(state, rules, scratch, actor)
    while not check_end(state, scratch):
        follower = -1
        if state.entity[hero].cell >= 0:
            follower = following_summon(state, hero, serial)
        if follower < 0:
            next_hero_turn(state, rules, scratch)
            return
        serial = state.entity[follower].serial
        if begin_summon_turn(state, rules, scratch, follower):
            compact(state)
            if not check_end(state, scratch):
                return
        else:
            compact(state)
