"""What the planner thinks of a position: the blows to come, and the board's worth.

It reads states as `planner_blows` does, every fighter having a cell.
"""

import numpy as np

from ..duel.content.schema import CELLS, SLOTS, Passive, record
from ..duel.engine.kernel import kernel
from ..duel.engine.movement import flood
from ..duel.engine.state import HEROES, SUMMON_BASE, TOUR_LIMIT, Phase, Timed
from .greedy_kernel import prey
from .planner_blows import blows

FAR = 30.0  # counts as the way to an enemy that cannot be reached
WON = 2000.0
PATIENCE = 9.0  # tours after which waiting for the enemy to come loses its worth
FRONT = 14  # cells from the nearest enemy hero within which an aura is worth staying in

WEIGHTS = record(
    ("hope", "f8"),  # a blow still open in the own turn, beside one struck
    ("reach", "f8"),  # the same where a walk comes first
    ("soon", "f8"),  # blows of the side that is to move
    ("later", "f8"),  # blows of the other side, a turn later
    ("threat", "f8"),  # the enemies' blows while the own turn goes on
    ("fall", "f8"),  # a hero that falls, besides its hit points
    ("doom", "f8"),  # a hero that could be felled at once
    ("armour", "f8"),  # a point of armour
    ("resist", "f8"),  # a percent of resistance for a turn
    ("power", "f8"),  # a percent of damage for a turn
    ("poison", "f8"),  # a point of poison to come
    ("ap", "f8"),  # a point taken from or given to the next turn
    ("mp", "f8"),
    ("veil", "f8"),  # being unseen
    ("cooldown", "f8"),  # a turn a spell has to wait
    ("trap", "f8"),  # a trap that lies
    ("near_trap", "f8"),  # and each cell an enemy is nearer than seven
    ("charge", "f8"),  # a charge with an enemy in its area
    ("body", "f8"),  # a hit point of a summon
    ("mobile", "f8"),
    ("aura", "f8"),
    ("away", "f8"),  # each cell of the way to the prey beyond what the class likes
    ("urge", "f8"),  # how much more of that with each tour after PATIENCE, as a share
    ("close", "f8"),  # each cell nearer than that
    ("low", "f8"),  # bends the worth of hit points: the last ones are worth more
    ("bonus", "f8"),  # each cell nearer to a terrain bonus, up to six
)
DEFAULT = {
    "hope": 0.98, "reach": 0.92, "soon": 0.85, "later": 0.1, "threat": 0.4, "fall": 80.0,
    "doom": 40.0, "armour": 0.55, "resist": 0.25, "power": 0.06, "poison": 0.8, "ap": 3.0,
    "mp": 2.0, "veil": 12.0, "cooldown": 0.6, "trap": 4.0, "near_trap": 1.2, "charge": 6.0,
    "body": 0.15, "mobile": 8.0, "aura": 5.0, "away": 0.7, "urge": 0.8, "close": 0.5,
    "low": 1.0, "bonus": 0.3,
}  # fmt: skip
# by class: the distance it likes to keep
LIKED = (1.0, 1.0, 6.0, 3.0, 5.0, 5.0)


def default_weights() -> np.ndarray:
    """Return (1,) WEIGHTS as tuned."""
    return np.array([tuple(DEFAULT[name] for name in WEIGHTS.names)], WEIGHTS)


@kernel
def weigh_timed(state, weights, camp):
    """What the effects that run are worth."""
    total = 0.0
    for i in range(state.timed_count):
        t = state.timed[i]
        if t.kind == 0 or state.entity[t.target].kind == 0:
            continue
        side = 1.0 if state.entity[t.target].camp == camp else -1.0
        if t.target >= HEROES:
            side *= 0.2
        turns = max(1.0, min(2.0, np.float64(t.turns)))
        worth = 0.0
        if t.kind == Timed.ARMOUR:
            worth = weights.armour * t.value
        elif t.kind == Timed.RESISTANCE:
            worth = weights.resist * t.value * turns
        elif t.kind == Timed.POWER:
            worth = weights.power * t.value * turns
        elif t.kind == Timed.POISON:
            worth = -weights.poison * t.value * t.turns
        elif t.kind == Timed.DELAYED:
            worth = -0.4 * (t.value + t.value2)
        elif t.kind == Timed.RANGE or t.kind == Timed.ANCHOR:
            worth = 2.0
        total += side * worth
    return total


@kernel
def at_the_front(state, rules, i):
    """Whether an enemy hero stands near enough to an entity for the fight to come to it."""
    e = state.entity[i]
    for k in range(HEROES):
        h = state.entity[k]
        if h.kind != 0 and h.cell >= 0 and h.camp != e.camp:
            if rules.distance[e.cell, h.cell] <= FRONT:
                return True
    return False


@kernel
def weigh_summon(state, rules, weights, i):
    """What a summon on the board is worth to its own camp."""
    e = state.entity[i]
    body = rules.summon[e.kind - SUMMON_BASE]
    worth = weights.body * e.hp
    if body.mobile:
        worth += weights.mobile
    for k in range(HEROES):
        h = state.entity[k]
        if h.kind == 0 or h.cell < 0:
            continue
        d = rules.distance[e.cell, h.cell]
        if body.charge and d <= body.size:
            worth += weights.charge if h.camp != e.camp else -weights.charge
        elif body.charge and h.camp != e.camp and d <= body.size + 2:
            worth += 0.35 * weights.charge
        elif body.mobile and h.camp != e.camp:
            worth += max(0.0, 6.0 - d)
        elif body.aura != 0 and h.camp == e.camp and d <= body.aura_radius:
            if at_the_front(state, rules, i):
                worth += weights.aura
    return worth


@kernel
def weigh_hero(state, rules, weights, i):
    """What a hero is worth to its own camp."""
    e = state.entity[i]
    if e.cell < 0:
        return -weights.fall
    cls = rules.cls[state.hero[i].cls]
    h = state.hero[i]
    # the removals tried here all succeed, those of the duel do not
    ap_kept = (100.0 - cls.ap_resist) / 100.0
    mp_kept = (100.0 - cls.mp_resist) / 100.0
    worth = e.hp + weights.low * 30.0 * np.log(e.hp + 15.0)
    worth -= weights.ap * ap_kept * e.ap_debt + weights.mp * mp_kept * e.mp_debt
    worth += weights.ap * (e.ap_gain + h.carried + h.clockwork) + weights.mp * e.mp_gain
    if e.invisible:
        worth += weights.veil
    for slot in range(SLOTS):
        worth -= weights.cooldown * h.cooldown[slot]
    return worth


@kernel
def weigh_ground(state, rules, weights, camp):
    """What traps and terrain bonuses are worth to a camp."""
    total = 0.0
    for i in range(state.trap_count):
        t = state.trap[i]
        side = 1.0 if t.camp == camp else -1.0
        worth = weights.trap
        for k in range(HEROES):
            h = state.entity[k]
            if h.kind != 0 and h.cell >= 0:
                d = rules.distance[t.cell, h.cell]
                if h.camp != t.camp:
                    worth += weights.near_trap * max(0.0, 7.0 - d)
                elif state.hero[k].passive != Passive.PAS_FEUTRES:
                    worth += min(0.0, d - 3.0)
        total += side * worth
    for i in range(2):
        b = state.bonus[i]
        if b.kind != 0:
            for k in range(HEROES):
                h = state.entity[k]
                if h.kind != 0 and h.cell >= 0:
                    near = max(0.0, 6.0 - rules.distance[b.cell, h.cell])
                    total += weights.bonus * (near if h.camp == camp else -near)
    return total


@kernel
def price_of_way(state, weights):
    """What a cell of the way to the prey costs, in hit points.

    Who waits where the enemy cannot strike must not wait there until the duel is drawn.
    """
    tours = state.turn / (2.0 * state.team_size)
    return weights.away * (1.0 + weights.urge * max(0.0, tours - PATIENCE))


@kernel
def weigh_place(state, rules, weights, field, a):
    """What the standing of a hero or mobile summon is worth: its way to the prey."""
    e = state.entity[a]
    if e.cell < 0 or e.kind == 0:
        return 0.0
    liked = 1.0
    if a < HEROES:
        liked = LIKED[state.hero[a].cls]
    elif not rules.summon[e.kind - SUMMON_BASE].automate:
        liked = 3.0
    way = FAR if field[e.cell] >= 250 else np.float64(field[e.cell])
    if way > liked:
        return -price_of_way(state, weights) * (way - liked)
    return -weights.close * (liked - way)


@kernel
def settled(state, camp):
    """Worth of a duel that is over."""
    if state.winner < 0:
        return -50.0
    return WON - state.turn if state.winner == camp else -WON + state.turn


@kernel
def weigh(state, rules, facts, weights, scratch, field, camp, actor, acting):
    """What a state is worth to a camp; `field` are ways to the prey of `actor`, its fighter.

    With `acting` the actor's turn goes on; otherwise the turn is the fighter's whom the state
    names.
    """
    if state.phase == Phase.OVER:
        return settled(state, camp)
    total = weigh_timed(state, weights, camp) + weigh_ground(state, rules, weights, camp)
    for i in range(state.entities):
        e = state.entity[i]
        if e.kind == 0:
            continue
        side = 1.0 if e.camp == camp else -1.0
        if i >= HEROES:
            if e.cell >= 0:
                total += side * weigh_summon(state, rules, weights, i)
            continue
        total += side * weigh_hero(state, rules, weights, i)
        if e.cell < 0:
            continue
        now = state.actor == i
        if now:
            weight = 1.0 if acting else weights.soon
        elif acting:
            weight = weights.threat
        else:
            weight = weights.soon if state.next_camp == e.camp else weights.later
            if state.entity[state.actor].camp != e.camp:
                weight = weights.later
        if e.invisible and not now:
            weight *= 0.8
        if weight > 0.0:
            total += side * weight * blows(state, rules, facts, weights, scratch, i, now)
    if acting and actor >= HEROES and state.entity[actor].cell >= 0:
        total += blows(state, rules, facts, weights, scratch, actor, True)
    late = state.turn / (TOUR_LIMIT * 2.0 * state.team_size)
    total += late * late * lead(state, camp)
    return total + weigh_place(state, rules, weights, field, actor)


@kernel
def lead(state, camp):
    """How much more of its hit points the camp has kept than the other, at most 60 points."""
    if state.stakes <= 0:
        return 0.0
    left = 0.0
    for i in range(HEROES):
        e = state.entity[i]
        if e.kind != 0:
            share = 200.0 * e.hp / e.max_hp
            left += share if e.camp == camp else -share
    return max(-60.0, min(60.0, left))


@kernel
def ways_to_prey(state, rules, scratch, actor, field):
    """Fill `field`, uint8 (CELLS + 1,), with walking distances to the enemy to go for."""
    best = prey(state, rules, actor)
    for c in range(CELLS + 1):
        field[c] = 255
    if best < 0:
        return
    flood(state, rules, scratch, state.entity[best].cell, 200, -1)
    for c in range(CELLS):
        field[c] = scratch.steps[c]
    # the flood ends beside whoever stands in the way; their own cells are a step further
    grid = rules.maps[state.map]
    for i in range(state.entities):
        e = state.entity[i]
        if e.kind != 0 and e.cell >= 0 and i != best:
            here = 255
            for k in range(4):
                nxt = grid.neighbour[e.cell, k]
                if nxt >= 0 and scratch.steps[nxt] < 250:
                    here = min(here, scratch.steps[nxt] + 1)
            field[e.cell] = here
