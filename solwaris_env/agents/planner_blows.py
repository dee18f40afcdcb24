"""What spells do, and the blows that a fighter could strike with them: now, or in its next turn.

Everything is read from one state in which every fighter has a cell: a known state whose unseen
enemies were put somewhere (`planner_kernel.imagine`).
"""

import numpy as np

from ..duel.content.schema import NO_SPELL, SLOTS, SPELL_COUNT, Kind, On, Shape, Target, record
from ..duel.engine.geometry import covers, in_line
from ..duel.engine.kernel import kernel
from ..duel.engine.legality import affordable, casts_within, reach_of, spell_in_slot
from ..duel.engine.movement import flood
from ..duel.engine.state import HEROES, Timed
from ..duel.engine.timed import power, resistance
from ..duel.observation import points_in_view

FACTS = record(
    ("harm", "f8"),  # mean damage to one enemy, poison and delayed blows counted in part
    ("hurts", "i2"),  # any effect that an enemy would rather not have
    ("area", "i2"),  # it strikes an area
    ("first", "i2"),  # kind of its first effect
    ("first_a", "i2"),
    ("moves", "i2"),  # pushes, pulls or swaps its target
    ("gain", "f8"),  # worth of what it lays on its caster or an ally
)


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
        times = casts_within(state, spell, a, best, left, now)
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
