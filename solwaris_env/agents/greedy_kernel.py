"""The greedy agent's decisions, compiled: tries every legal action on what its seat knows.

Nothing here sees a duel: only known states (`engine.known`), so nothing hidden can matter.
An attempt plays the cast or the walk on a copy of the known state with dice of the agent's
own, and weighs what comes of it.
"""

import numpy as np

from ..duel.content.schema import (
    CELLS,
    NO_SPELL,
    SLOTS,
    Kind,
    On,
    Shape,
    Target,
)
from ..duel.engine.effects import cast
from ..duel.engine.geometry import covers, in_line
from ..duel.engine.kernel import entry, kernel
from ..duel.engine.legality import (
    GO,
    PASS,
    RAISE,
    affordable,
    casts_within,
    reach_of,
    spell_in_slot,
)
from ..duel.engine.movement import flood, walk
from ..duel.engine.rng import below
from ..duel.engine.state import BID_STEP, HEROES, SUMMON_BASE, Phase, Timed
from ..duel.engine.timed import power, resistance

FAR = 80.0  # counts as the way to an enemy that cannot be reached
KILL = 150.0
FALL = 200.0
HOPED = 0.85  # a blow that could still be struck, beside one that was
MARGIN = 0.3  # a gain below this is not worth moving for
STEP_PRICE = 0.05
NOISE = 0.2

# by class: the distance it likes to keep, and the share of its purse the opening is worth
LIKED = (1.0, 1.0, 6.0, 3.0, 4.0, 5.0)
OPENING = (0.5, 0.5, 0.3, 0.0, 0.05, 0.0)


@kernel
def chance(dice):
    """A number from 0 to 1."""
    return below(dice, 1 << 20) / (1 << 20)


@kernel
def bid_or_not(known, dice):
    """Raise while the opening is worth it to the class (A2)."""
    seat = known.seat
    hero = known.hero[seat]
    worth = OPENING[hero.cls] * hero.purse * (0.7 + 0.6 * chance(dice))
    return RAISE if known.price + BID_STEP <= worth else PASS


@kernel
def choose_place(known, rules, mask, dice):
    """Contact classes start near the other zone, the others far and out of its sight (P1)."""
    grid = rules.maps[known.map]
    camp = known.seat & 1
    liked = LIKED[known.hero[known.seat].cls]
    best = -1
    most = -1e9
    for cell in range(CELLS):
        if not mask[GO + cell]:
            continue
        near = FAR
        seen = 0
        for i in range(grid.zone_count[1 - camp]):
            other = grid.zone_cell[1 - camp, i]
            near = min(near, np.float64(rules.distance[cell, other]))
            seen += grid.sight[cell, other]
        score = -near if liked <= 2.0 else 0.3 * near - 0.4 * seen
        score += 2.0 * chance(dice)
        if score > most:
            most = score
            best = cell
    return GO + best


@kernel
def before_fight(known, rules, mask, dice):
    """The action of the placement or of the auction."""
    if known.phase == Phase.PLACEMENT:
        return choose_place(known, rules, mask, dice)
    action = bid_or_not(known, dice)
    return action if mask[action] else PASS


@kernel
def mean_hit(state, rules, spell, source, target):
    """Mean damage of a spell's blows on one enemy, boosts and resistance counted in."""
    total = 0.0
    for i in range(spell.count):
        e = rules.effect[spell.first + i]
        if e.kind == Kind.DAMAGE or e.kind == Kind.CHAIN or e.kind == Kind.DELAYED:
            if e.on != On.CASTER:
                total += 0.5 * (e.a + e.b)
    boost = 100.0 + power(state, rules, source)
    kept = 100.0 - resistance(state, rules, target)
    return total * boost * kept / 10000.0


@kernel
def strikes(state, rules, spell, longest, cell, target):
    """Whether a spell cast from a cell reaches an enemy's, roughly: range, line and sight."""
    grid = rules.maps[state.map]
    goal = state.entity[target].cell
    d = rules.distance[cell, goal]
    slack = 0
    if spell.target == Target.SELF:
        return covers(spell.shape, spell.size, cell, goal)
    if spell.shape == Shape.LINE:
        longest = spell.size
    elif spell.target == Target.CELL:
        slack = spell.size
    if d < spell.range_min or d > longest + slack:
        return False
    if spell.line and not in_line(cell, goal):
        return False
    return not spell.sight or grid.sight[cell, goal] != 0 or slack > 0


@kernel
def hoped(state, rules, actor):
    """Damage the actor could still deal from where it stands with the AP it has left."""
    e = state.entity[actor]
    left = e.ap
    total = 0.0
    used = 0
    for _ in range(SLOTS):
        best = -1
        most = 0.0
        for slot in range(SLOTS if actor < HEROES else 1):
            if (used >> slot) & 1:
                continue
            spell_id = spell_in_slot(state, rules, actor, slot)
            if spell_id == NO_SPELL or not affordable(state, rules, actor, slot, spell_id):
                continue
            spell = rules.spell[spell_id]
            if spell.cost > left:
                continue
            longest = reach_of(state, rules, actor, spell_id)
            for i in range(state.entities):
                t = state.entity[i]
                if t.kind == 0 or t.cell < 0 or t.camp == e.camp:
                    continue
                if strikes(state, rules, spell, longest, e.cell, i):
                    hit = min(mean_hit(state, rules, spell, actor, i), np.float64(t.hp))
                    rate = hit * (1.0 if i < HEROES else 0.4) / spell.cost
                    if rate > most:
                        most = rate
                        best = slot
        if best < 0:
            break
        spell = rules.spell[spell_in_slot(state, rules, actor, best)]
        times = casts_within(state, spell, actor, best, left, True)
        total += most * spell.cost * times
        left -= spell.cost * times
        used |= 1 << best
    return total


@kernel
def weigh_entity(state, rules, i, own):
    """What one entity on the board is worth to its own camp."""
    e = state.entity[i]
    if i < HEROES:
        if e.hp <= 0:
            return -(FALL if own else KILL)
        lost = 4.0 * e.ap_debt + 3.0 * e.mp_debt
        gained = 3.0 * e.ap_gain + 2.0 * e.mp_gain
        hidden = 10.0 if e.invisible else 0.0
        return np.float64(e.hp) - lost + gained + hidden
    body = rules.summon[e.kind - SUMMON_BASE]
    worth = 0.3 * e.hp
    if body.mobile:
        worth += 8.0
    near = 0.0
    for k in range(HEROES):
        h = state.entity[k]
        if h.kind == 0 or h.cell < 0:
            continue
        d = rules.distance[e.cell, h.cell]
        if body.charge and d <= body.size:
            near += 14.0 if h.camp != e.camp else -16.0
        elif body.charge and h.camp != e.camp and d <= body.size + 2:
            near += 4.0
        elif body.automate and body.count > 0 and h.camp != e.camp and d <= 1:
            near += 14.0
        elif body.aura != 0 and h.camp == e.camp and d <= body.aura_radius:
            near += 5.0
    return worth + near


@kernel
def weigh_timed(state, camp):
    """What the effects that run are worth."""
    total = 0.0
    for i in range(state.timed_count):
        t = state.timed[i]
        if t.kind == 0 or state.entity[t.target].kind == 0:
            continue
        side = 1.0 if state.entity[t.target].camp == camp else -1.0
        weight = 1.0 if t.target < HEROES else 0.2
        worth = 0.0
        if t.kind == Timed.ARMOUR:
            worth = 0.6 * t.value
        elif t.kind == Timed.RESISTANCE:
            worth = 0.25 * t.value
        elif t.kind == Timed.POWER:
            worth = 0.15 * t.value
        elif t.kind == Timed.POISON:
            worth = -0.8 * t.value * t.turns
        elif t.kind == Timed.DELAYED:
            worth = -0.4 * (t.value + t.value2)
        elif t.kind == Timed.RANGE or t.kind == Timed.ANCHOR:
            worth = 2.0
        total += side * weight * worth
    return total


@kernel
def weigh(state, rules, actor, field, liked, hopeful):
    """What a known state is worth to the actor's camp; `hopeful` counts blows still open."""
    me = state.entity[actor]
    camp = me.camp
    total = weigh_timed(state, camp)
    for i in range(state.entities):
        e = state.entity[i]
        if e.kind == 0 or (i >= HEROES and e.cell < 0):
            continue
        worth = weigh_entity(state, rules, i, e.camp == camp)
        total += worth if e.camp == camp else -worth
    for i in range(state.trap_count):
        t = state.trap[i]
        total += 3.0
        for k in range(HEROES):
            h = state.entity[k]
            if h.kind != 0 and h.cell >= 0:
                d = rules.distance[t.cell, h.cell]
                total += max(0.0, 7.0 - d) if h.camp != camp else min(0.0, d - 3.0)
    for k in range(HEROES):
        h = state.entity[k]
        if h.kind != 0 and h.camp != camp:
            for slot in range(SLOTS):
                total += 0.5 * state.hero[k].cooldown[slot]
    if me.cell < 0 or me.kind == 0:
        return total
    if hopeful and me.ap > 0:
        total += HOPED * hoped(state, rules, actor)
    way = FAR if field[me.cell] >= 250 else np.float64(field[me.cell])
    return total - 1.2 * abs(way - liked) if way > liked else total - 0.8 * abs(way - liked)


@kernel
def prey(known, rules, actor):
    """The seen enemy hero to go for: hurt and near, -1 if none is seen."""
    me = known.entity[actor]
    best = -1
    least = 1e9
    for i in range(HEROES):
        e = known.entity[i]
        if e.kind == 0 or e.cell < 0 or e.camp == me.camp:
            continue
        score = 0.1 * e.hp + 2.0 * rules.distance[me.cell, e.cell]
        if score < least:
            least = score
            best = i
    return best


@kernel
def liked_distance(known, rules, actor):
    """How far from its prey the actor wants to stand."""
    if actor < HEROES:
        return LIKED[known.hero[actor].cls]
    return 1.0 if rules.summon[known.entity[actor].kind - SUMMON_BASE].automate else 3.0


@kernel
def choose_fight(known, trial, rules, scratch, mask, field, dice):
    """The best of all casts and walks, or the end of the turn."""
    actor = known.actor
    me = known.entity[actor]
    target = prey(known, rules, actor)
    for c in range(CELLS + 1):
        field[c] = 255
    if target >= 0:
        flood(known, rules, scratch, known.entity[target].cell, 200, -1)
        for c in range(CELLS):
            field[c] = scratch.steps[c]
        # the flood ends beside whoever stands in the way: the actor's own cell is next to it
        here = 255
        for k in range(4):
            nxt = rules.maps[known.map].neighbour[me.cell, k]
            if nxt >= 0 and field[nxt] < 250:
                here = min(here, field[nxt] + 1)
        field[me.cell] = here
    liked = liked_distance(known, rules, actor)
    now = weigh(known, rules, actor, field, liked, True)
    ending = weigh(known, rules, actor, field, liked, False)
    best, most = PASS, -1e9
    best_cast, most_cast = -1, -1e9
    for action in range(PASS):
        if not mask[action]:
            continue
        trial[0] = known
        state = trial[0]
        state.rng = dice.rng + np.uint64(action)
        value = NOISE * chance(dice)
        if action >= GO:
            value -= STEP_PRICE * np.float64(rules.distance[me.cell, action - GO])
            walk(state, known, rules, scratch, actor, action - GO)
        else:
            slot = action // CELLS
            spell_id = spell_in_slot(known, rules, actor, slot)
            cast(state, rules, scratch, actor, slot, spell_id, action % CELLS)
        value += weigh(state, rules, actor, field, liked, True)
        if value > most:
            best, most = action, value
        if action < GO and value > most_cast:
            best_cast, most_cast = action, value
    if most > now + MARGIN:
        return best
    # nothing beats keeping the hope of a blow, but hope ends with the turn
    if best_cast >= 0 and most_cast > ending + MARGIN:
        return best_cast
    return PASS


@entry
def choose(known, trial, rules, scratch, masks, field, dice, actions):
    """Decide for n seats.

    known: (n,) STATE; trial: (1,) STATE to try on; rules: (1,) RULEBOOK; scratch: (1,)
    SCRATCH; masks: uint8 (n, A); field: uint8 (CELLS + 1,) of working memory; dice: (1,) SETUP
    whose `rng` is drawn from; actions: int64 (n,), written.
    """
    for i in range(known.shape[0]):
        scratch[0].record_events = 0
        if known[i].phase < Phase.FIGHT:
            actions[i] = before_fight(known[i], rules[0], masks[i], dice[0])
        else:
            actions[i] = choose_fight(
                known[i], trial, rules[0], scratch[0], masks[i], field, dice[0]
            )
