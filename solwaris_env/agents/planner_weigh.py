"""What the planner thinks of a position: blows each side could strike, and the board's worth.

Everything is read from one state in which every fighter has a cell: a known state whose unseen
enemies were put somewhere (`planner_kernel.imagine`).
"""

import numpy as np

from ..duel.content.schema import (
    CELLS,
    NO_SPELL,
    SLOTS,
    SPELL_COUNT,
    Kind,
    On,
    Passive,
    Shape,
    Target,
    record,
)
from ..duel.engine.geometry import covers, in_line
from ..duel.engine.kernel import kernel
from ..duel.engine.legality import affordable, reach_of, spell_in_slot
from ..duel.engine.movement import flood
from ..duel.engine.state import HEROES, SUMMON_BASE, TOUR_LIMIT, Phase, Timed
from ..duel.engine.timed import power, resistance
from ..duel.observation import points_in_view
from .greedy_kernel import prey

FAR = 30.0  # counts as the way to an enemy that cannot be reached
WON = 2000.0
PATIENCE = 9.0  # tours after which waiting for the enemy to come loses its worth
FRONT = 14  # cells from the nearest enemy hero within which an aura is worth staying in

FACTS = record(
    ("harm", "f8"),  # mean damage to one enemy, poison and delayed blows counted in part
    ("hurts", "i2"),  # any effect that an enemy would rather not have
    ("area", "i2"),  # it strikes an area
    ("first", "i2"),  # kind of its first effect
    ("first_a", "i2"),
    ("moves", "i2"),  # pushes, pulls or swaps its target
    ("gain", "f8"),  # worth of what it lays on its caster or an ally
)
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
def note_facts(rules, facts):
    """Write what the spells do into `facts`, (SPELL_COUNT,) FACTS."""
    for s in range(SPELL_COUNT):
        spell = rules.spell[s]
        f = facts[s]
        f.harm = 0.0
        f.hurts = 0
        f.moves = 0
        f.gain = 0.0
        f.area = 1 if spell.shape != Shape.NONE else 0
        f.first = rules.effect[spell.first].kind
        f.first_a = rules.effect[spell.first].a
        for i in range(spell.count):
            e = rules.effect[spell.first + i]
            kind = e.kind
            mean = 0.5 * (e.a + e.b)
            own = e.on == On.CASTER or e.on == On.ALLIES or spell.target == Target.ALLY
            if kind == Kind.DAMAGE or kind == Kind.CHAIN:
                f.harm += mean
                f.gain += 0.004 * mean * e.steal
            elif kind == Kind.DELAYED:
                f.harm += 0.7 * mean
            elif kind == Kind.POISON:
                f.harm += 0.8 * e.a * e.turns
            elif kind == Kind.PUSH or kind == Kind.PULL or kind == Kind.SWAP:
                f.moves = 1
                f.hurts = 1
            elif kind == Kind.REMOVE_AP or kind == Kind.REMOVE_MP or kind == Kind.COOLDOWN:
                f.hurts = 1
            elif kind == Kind.RESISTANCE and e.a > 0 and own:
                f.gain += 0.4 * e.a
            elif kind == Kind.POWER and e.a > 0:
                f.gain += 0.5 * e.a
            elif kind == Kind.RESISTANCE or kind == Kind.POWER:
                f.hurts = 1
            elif kind == Kind.HEAL or kind == Kind.ARMOUR:
                f.gain += mean if kind == Kind.HEAL else 0.5 * e.a
            elif kind == Kind.GAIN_AP:
                f.gain += 6.0 * e.a
            elif kind == Kind.GAIN_MP or kind == Kind.RANGE:
                f.gain += 3.0 * e.a
            elif kind == Kind.INVISIBLE:
                f.gain += 12.0
            elif kind == Kind.HEAL_LOST:
                f.gain += 10.0
            elif kind == Kind.ANCHOR:
                f.gain += 1.0
        if f.harm > 0.0:
            f.hurts = 1


@kernel
def strikes(state, rules, spell, longest, cell, goal):
    """Whether a spell cast from `cell` reaches whoever stands on `goal`: range, line, sight."""
    d = rules.distance[cell, goal]
    if spell.target == Target.SELF:
        return covers(spell.shape, spell.size, cell, goal)
    grid = rules.maps[state.map]
    slack = 0
    if spell.shape == Shape.LINE:
        longest = spell.size
    elif spell.target == Target.CELL:
        slack = spell.size
    if d < spell.range_min - slack or d > longest + slack:
        return False
    if spell.line and not in_line(cell, goal):
        return False
    return not spell.sight or grid.sight[cell, goal] != 0


@kernel
def ready(state, rules, a, slot, spell_id, now):
    """Whether a spell can be cast: now, or in the entity's next turn."""
    if now:
        return affordable(state, rules, a, slot, spell_id)
    if a >= HEROES:
        return True
    hero = state.hero[a]
    return hero.cooldown[slot] <= 1 and rules.spell[spell_id].hp_cost < state.entity[a].hp


@kernel
def fill(state, rules, facts, a, ap, now, bits):
    """Damage, boosts aside, of the best use of `ap` on the spells of the set `bits`."""
    total = 0.0
    left = ap
    while bits:
        best = -1
        most = 0.0
        for slot in range(SLOTS):
            if (bits >> slot) & 1:
                spell_id = spell_in_slot(state, rules, a, slot)
                cost = rules.spell[spell_id].cost
                if cost <= left and facts[spell_id].harm > most * cost:
                    most = facts[spell_id].harm / cost
                    best = slot
        if best < 0:
            break
        spell = rules.spell[spell_in_slot(state, rules, a, best)]
        times = left // spell.cost
        if a < HEROES and spell.per_turn > 0:
            times = min(times, spell.per_turn - (state.hero[a].used[best] if now else 0))
        if spell.cooldown > 0:
            times = min(times, 1)
        total += most * spell.cost * times
        left -= spell.cost * times
        bits &= ~(1 << best)
    return total


@kernel
def jump_of(state, rules, facts, a, now):
    """Slot of a teleport that is ready, -1 for none."""
    if a >= HEROES:
        return -1
    for slot in range(SLOTS):
        spell_id = state.hero[a].spell[slot]
        if facts[spell_id].first == Kind.TELEPORT:
            if ready(state, rules, a, slot, spell_id, now):
                return slot
    return -1


@kernel
def open_blows(state, rules, facts, scratch, a, ap, goal, now, here_only):
    """Slots whose spells reach `goal` from the flooded cells (or only the first of them)."""
    bits = 0
    cells = 1 if here_only else scratch.reached
    near = rules.distance[scratch.frontier[0], goal]
    span = 0 if here_only else scratch.steps[scratch.frontier[cells - 1]]
    for slot in range(SLOTS if a < HEROES else 1):
        spell_id = spell_in_slot(state, rules, a, slot)
        if spell_id == NO_SPELL or facts[spell_id].harm <= 0.0:
            continue
        spell = rules.spell[spell_id]
        if spell.cost > ap or not ready(state, rules, a, slot, spell_id, now):
            continue
        longest = reach_of(state, rules, a, spell_id)
        if near > span + longest + spell.size + 1:
            continue
        for i in range(cells):
            if strikes(state, rules, spell, longest, scratch.frontier[i], goal):
                bits |= 1 << slot
                break
    return bits


@kernel
def blows(state, rules, facts, weights, scratch, a, now):
    """What an entity's blows are worth, on the best enemy hero: now, if it acts, or next turn."""
    e = state.entity[a]
    ap = np.int64(points_in_view(state, rules, a, False))
    mp = np.int64(points_in_view(state, rules, a, True))
    if ap < 2:
        return 0.0
    best = 0.0
    flooded = False
    boost = 0.0
    jump = jump_of(state, rules, facts, a, now)
    for t in range(HEROES):
        v = state.entity[t]
        if v.kind == 0 or v.cell < 0 or v.camp == e.camp or (now and v.invisible):
            continue
        if rules.distance[e.cell, v.cell] > mp + 16:
            continue
        if not flooded:
            flood(state, rules, scratch, e.cell, mp, -1)
            flooded = True
            boost = (100.0 + power(state, rules, a)) / 100.0
        kept = (100.0 - resistance(state, rules, t)) / 100.0
        bits = open_blows(state, rules, facts, scratch, a, ap, v.cell, now, False)
        harm = fill(state, rules, facts, a, ap, now, bits)
        if now:
            here = open_blows(state, rules, facts, scratch, a, ap, v.cell, now, True)
            standing = fill(state, rules, facts, a, ap, now, here)
            harm = max(weights.hope * standing, weights.reach * harm)
        if jump >= 0:
            spell = rules.spell[state.hero[a].spell[jump]]
            if rules.distance[e.cell, v.cell] <= mp + spell.range_max + 1:
                every = 0
                for slot in range(SLOTS):
                    if facts[state.hero[a].spell[slot]].harm > 0.0 and slot != jump:
                        if ready(state, rules, a, slot, state.hero[a].spell[slot], now):
                            every |= 1 << slot
                after = fill(state, rules, facts, a, ap - spell.cost, now, every)
                harm = max(harm, 0.7 * after)
        harm *= boost * kept
        stock = np.float64(v.hp)
        for i in range(state.timed_count):
            if state.timed[i].kind == Timed.ARMOUR and state.timed[i].target == t:
                stock += state.timed[i].value
        if v.invisible:
            harm *= 0.4
        worth = min(harm, stock)
        if harm >= stock:
            worth += weights.doom
        elif harm > 0.8 * stock:
            worth += weights.doom * (harm / stock - 0.8) * 2.5
        best = max(best, worth)
    return best


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
def weigh_summon(state, rules, weights, i):
    """What a summon on the board is worth to its own camp."""
    e = state.entity[i]
    body = rules.summon[e.kind - SUMMON_BASE]
    worth = weights.body * e.hp
    if body.mobile:
        worth += weights.mobile
    front = FRONT + 1
    for k in range(HEROES):
        h = state.entity[k]
        if h.kind != 0 and h.cell >= 0 and h.camp != e.camp:
            front = min(front, rules.distance[e.cell, h.cell])
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
        elif body.aura != 0 and h.camp == e.camp and d <= body.aura_radius and front <= FRONT:
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
