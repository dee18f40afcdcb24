"""The planner's search, compiled: its own turn, then the enemy's answer, on what its seat knows.

Nothing here sees a duel: only known states (`engine.known`). Unseen enemies are put on cells
drawn from those that look free, and every trial runs on one stream of dice whose first draws
are all near the middle: blows of mean damage, none of them critical.
"""

import numpy as np

from ..duel.content.schema import CELLS, SLOTS, record
from ..duel.engine.kernel import entry, kernel
from ..duel.engine.legality import GO, PASS, affordable, spell_in_slot
from ..duel.engine.rng import below, next_word
from ..duel.engine.state import HEROES, Phase
from ..duel.engine.transitions import fight
from .greedy_kernel import before_fight
from .planner_blows import note_facts
from .planner_moves import STAY, WORK, add, best_candidate, note_reach, note_threats, propose
from .planner_weigh import LIKED, price_of_way, ways_to_prey, weigh

# a generator whose first eleven draws lie between 0.46 and 0.60
MIDDLE = np.uint64(0xD6E8556C811AB236)
WIDEST = 32  # states a layer of the search keeps
ENDS = 40  # ends of the turn that are kept
DEEPEST = 9  # casts of one turn
NEVER = -1e9
UNANSWERED = -1
USUAL = 300.0  # nodes at which the search has the shape that follows
TRIES = 6.0  # grows with the root of the budget
WIDTH, RETREATS, ENDINGS = 3.0, 1.5, 5.0  # these faster: narrow layers leave a budget unspent
BROADER = 1.6  # the power of that root which they grow with above the usual budget
MOST_RETREATS = 10
SHARE = 2 / 3  # of the budget, for the own turn
# of the answers, which never become weaker than this and grow with the root of the budget
ANSWER_WIDTH, ANSWER_TRIES, ANSWER_RETREATS = 2.0, 8.0, 2.0
MOST_CARE = 4.0  # times
LIFT = 25.0  # hit points that a policy's certainty is worth, before the answer
FOLLOWED = 4  # a policy's likeliest actions that are tried besides the planner's own

NODE = record(
    ("value", "f8"),
    ("mark", "i8"),  # hash of the state
    ("root", "i4"),  # first action on the way here
)
SEARCH = record(
    ("width", "i4"),
    ("tries", "i4"),  # candidates tried of one state
    ("retreats", "i4"),  # last walks tried of one state
    ("ends", "i4"),  # ends of the turn kept
    ("nodes", "i8"),  # trials made
    ("most", "i8"),  # trials allowed
    ("here", "i4"),  # states in this layer, in the next one, and ends
    ("next", "i4"),
    ("last", "i4"),
    ("lift", "f8"),  # what a policy adds to the worth of states on the way that is tried
    ("work", WORK),
    ("node", NODE, 2 * WIDEST),
    ("end", NODE, ENDS),
)
POOL = 2 * WIDEST + ENDS + 1  # states a search works on: two layers, ends, one to try on
TRIAL = POOL - 1
ENDING = record(
    ("root", "i4"),  # first action of a turn that was thought through, UNANSWERED for none
    ("spare", "i4"),
    ("value", "f8"),  # in hit points, after the answer
)


@kernel
def stir(h, value):
    """A hash of 40 bits with one more number in it."""
    return (h * 1000003 + value) & 0xFFFFFFFFFF


@kernel
def digest(state):
    """Hash of what tells two states of one turn apart."""
    h = np.int64(128 * state.timed_count + state.trap_count)
    for i in range(state.entities):
        e = state.entity[i]
        h = stir(h, 512 * np.int64(e.kind) + e.cell)
        h = stir(h, 4096 * np.int64(e.hp) + 64 * np.int64(e.ap) + e.mp)
        h = stir(h, 64 * np.int64(e.ap_debt) + e.mp_debt)
    for i in range(HEROES):
        for slot in range(SLOTS):
            h = stir(h, 64 * np.int64(state.hero[i].cooldown[slot]) + state.hero[i].used[slot])
    for i in range(state.timed_count):
        h = stir(h, np.int64(state.timed[i].value))
    return h


@kernel
def keep(pool, nodes, base, count, limit, value, mark, root):
    """Put the tried state among the best `limit`, without doubles; give their number."""
    worst = 0
    for i in range(count):
        n = nodes[i]
        if n.mark == mark and (n.root == root or n.value >= value):
            return count
        if n.value < nodes[worst].value:
            worst = i
    place = count
    if count >= limit:
        if value <= nodes[worst].value:
            return count
        place = worst
    pool[base + place] = pool[TRIAL]
    n = nodes[place]
    n.value = value
    n.mark = mark
    n.root = root
    return max(count, place + 1)


@kernel
def perform(state, rules, scratch, action):
    """One action of the fight with middling dice."""
    state.rng = MIDDLE
    fight(state, state, rules, scratch, action)


@kernel
def note_end(pool, search, value, root):
    """Keep the tried state as an end of the turn."""
    mark = digest(pool[TRIAL])
    first = 2 * WIDEST
    search.last = keep(pool, search.end, first, search.last, search.ends, value, mark, root)


@kernel
def try_end(pool, search, rules, facts, weights, scratch, source, cell, root, camp, actor):
    """End the turn from a state, after a walk to `cell` unless it is STAY."""
    pool[TRIAL] = pool[source]
    state = pool[TRIAL]
    search.nodes += 1
    if cell != STAY:
        perform(state, rules, scratch, GO + cell)
    if state.phase == Phase.FIGHT and state.actor == actor:
        perform(state, rules, scratch, PASS)
        # where the next turn's bonuses will lie is not known
        state.bonus[0].kind = 0
        state.bonus[1].kind = 0
    value = weigh(state, rules, facts, weights, scratch, search.work.field, camp, actor, False)
    note_end(pool, search, value + search.lift, root)


@kernel
def lift_of(prior, root):
    """What a policy's chance of the first action adds to the worth of what it leads to."""
    return LIFT * prior[root] if prior.shape[0] > 0 else 0.0


@kernel
def try_ends(
    pool, search, rules, facts, weights, scratch, source, root, camp, actor, mask, prior, first
):
    """End the turn from a state: where one stands, and after the best of the last walks.

    `first`: what comes now is the first action, and must be in the mask.
    """
    work = search.work
    own = PASS if first else root
    if first:
        search.lift = lift_of(prior, own)
    try_end(pool, search, rules, facts, weights, scratch, source, STAY, own, camp, actor)
    state = pool[source]
    liked = 1.0
    if actor < HEROES:
        liked = LIKED[state.hero[actor].cls]
    price = price_of_way(state, weights)
    for i in range(1, work.cells):
        c = work.cell[i]
        way = min(60.0, np.float64(work.field[c]))
        score = -0.5 * work.threat[c] - price * abs(way - liked) - 0.05 * work.step[i]
        for k in range(2):
            if state.bonus[k].kind != 0 and state.bonus[k].cell == c:
                score += 8.0
        work.score[c] = NEVER if first and not mask[GO + c] else score
    for _ in range(search.retreats):
        best = STAY
        most = NEVER
        for i in range(1, work.cells):
            c = work.cell[i]
            if work.score[c] > most:
                most = work.score[c]
                best = c
        if best == STAY or search.nodes >= search.most:
            return
        work.score[best] = NEVER
        own = GO + best if first else root
        if first:
            search.lift = lift_of(prior, own)
        try_end(pool, search, rules, facts, weights, scratch, source, best, own, camp, actor)


@kernel
def try_cast(pool, search, rules, facts, weights, scratch, source, base, goal, cast, root, camp):
    """Walk to `goal` unless it is STAY, cast unless that is, and keep it in the next layer."""
    pool[TRIAL] = pool[source]
    state = pool[TRIAL]
    actor = state.actor
    search.nodes += 1
    if goal != STAY:
        perform(state, rules, scratch, GO + goal)
        if state.phase != Phase.FIGHT or state.actor != actor or state.entity[actor].cell != goal:
            return
    if cast != STAY:
        slot = cast // CELLS
        if not affordable(state, rules, actor, slot, spell_in_slot(state, rules, actor, slot)):
            return
        perform(state, rules, scratch, cast)
    going = state.phase == Phase.FIGHT and state.actor == actor
    value = weigh(state, rules, facts, weights, scratch, search.work.field, camp, actor, going)
    if not going:
        note_end(pool, search, value + search.lift, root)
        return
    other = WIDEST - base
    nodes = search.node[WIDEST:] if base == 0 else search.node[:WIDEST]
    mark = digest(state)
    value += search.lift
    search.next = keep(pool, nodes, other, search.next, search.width, value, mark, root)


@kernel
def follow(work, mask, prior):
    """Promise more to what a policy likes, and try its likeliest actions in any case."""
    for i in range(work.found):
        own = work.cast[i] if work.goal[i] == STAY else GO + work.goal[i]
        work.promise[i] += LIFT * prior[own]
    above = 2.0
    for _ in range(FOLLOWED):
        best = -1
        for action in range(PASS):
            p = prior[action]
            if mask[action] and p < above and (best < 0 or p > prior[best]):
                best = action
        if best < 0 or prior[best] < 0.02:
            return
        above = prior[best]
        if best >= GO:
            add(work, best - GO, STAY, LIFT * above)
        else:
            add(work, STAY, best, LIFT * above)


@kernel
def search_turn(pool, search, rules, facts, weights, scratch, mask, prior, masked):
    """Search the acting entity's turn from `pool[0]`; its best ends are kept, with their states.

    With `masked` only actions of `mask` may come first, and `prior` may tell which are likely.
    """
    work = search.work
    actor = pool[0].actor
    camp = pool[0].entity[actor].camp
    search.last = 0
    search.here = 1
    ways_to_prey(pool[0], rules, scratch, actor, work.field)
    note_threats(pool[0], rules, facts, scratch, work, actor)
    base = 0
    for depth in range(DEEPEST):
        search.next = 0
        first = masked and depth == 0
        for b in range(search.here):
            source = base + b
            root = search.node[source].root
            state = pool[source]
            search.lift = lift_of(prior, root) if masked else 0.0
            note_reach(state, rules, scratch, work, actor)
            try_ends(
                pool, search, rules, facts, weights, scratch, source, root, camp, actor, mask,
                prior, first,
            )  # fmt: skip
            if state.entity[actor].ap <= 0:
                continue
            propose(state, rules, facts, scratch, work, actor)
            if first and prior.shape[0] > 0:
                follow(work, mask, prior)
            for _ in range(search.tries * 3 if first else search.tries):
                k = best_candidate(work)
                if k < 0 or search.nodes >= search.most:
                    break
                work.promise[k] = NEVER
                goal = work.goal[k]
                cast = work.cast[k]
                own = root
                if first:
                    own = cast if goal == STAY else GO + goal
                    if not mask[own]:
                        continue
                    search.lift = lift_of(prior, own)
                try_cast(
                    pool, search, rules, facts, weights, scratch, source, base, goal, cast,
                    own, camp,
                )  # fmt: skip
        if search.next == 0 or search.nodes >= search.most:
            break
        base = WIDEST - base
        search.here = search.next


@kernel
def best_end(search):
    """Place of the most valued end of the turn."""
    best = 0
    for i in range(1, search.last):
        if search.end[i].value > search.end[best].value:
            best = i
    return best


@kernel
def answer(pool, search, rules, facts, weights, scratch, mask, prior, camp, care):
    """Play on from `pool[0]` until a hero of the camp is to move; give what it is worth to it.

    `care`: how many times as wide as at the usual budget the enemy's turn is searched.
    """
    for _ in range(8):
        state = pool[0]
        if state.phase != Phase.FIGHT:
            break
        actor = state.actor
        if state.entity[actor].camp == camp and actor < HEROES:
            break
        search.width = np.int64(ANSWER_WIDTH * care) if actor < HEROES else 1
        search.tries = np.int64(ANSWER_TRIES * care)
        search.retreats = np.int64(ANSWER_RETREATS * care)
        search.ends = 1
        search_turn(pool, search, rules, facts, weights, scratch, mask, prior, False)
        pool[0] = pool[2 * WIDEST]
    state = pool[0]
    actor = max(0, state.actor)
    ways_to_prey(state, rules, scratch, actor, search.work.field)
    return weigh(state, rules, facts, weights, scratch, search.work.field, camp, actor, False)


@kernel
def imagine(state, rules, dice, camp):
    """Put unseen enemies on cells that look free, near enough to matter."""
    grid = rules.maps[state.map]
    for i in range(state.entities):
        e = state.entity[i]
        if e.kind == 0 or e.cell >= 0 or e.camp == camp or e.hp <= 0:
            continue
        chosen = -1
        for _ in range(64):
            cell = grid.playable_cell[below(dice, grid.playable_count)]
            if state.occupant[cell] < 0:
                chosen = cell
                if rules.distance[cell, state.entity[state.actor].cell] <= 12:
                    break
        if chosen >= 0:
            e.cell = chosen
            state.occupant[chosen] = i


@kernel
def place_of(endings, tried, value):
    """Where the turn answered after `tried` others is noted, -1 where better ones take the room."""
    if tried < endings.shape[0]:
        return tried
    worst = -1
    for k in range(endings.shape[0]):
        if value > endings[k].value and (worst < 0 or endings[k].value < endings[worst].value):
            worst = k
    return worst


@kernel
def plan(
    known, pool, search, reply_pool, reply, rules, facts, weights, scratch, mask, prior, dice,
    nodes, endings, leaves,
):  # fmt: skip
    """Search one turn and the answers to its best ends within about `nodes` trials.

    Writes the ends that were answered, the best that there is room for, and the states after the
    answer. Gives the first action of the best one.
    """
    pool[0] = known
    camp = known.entity[known.actor].camp
    imagine(pool[0], rules, dice, camp)
    scale = np.sqrt(nodes / USUAL)
    breadth = max(scale, scale**BROADER)
    # an enemy that answers weakly flatters the turns that a good answer would punish
    care = min(MOST_CARE, max(1.0, scale))
    search.width = min(WIDEST, np.int64(1.0 + WIDTH * breadth))
    search.tries = np.int64(2.0 + TRIES * scale)
    search.retreats = min(MOST_RETREATS, np.int64(1.0 + RETREATS * breadth))
    search.ends = min(ENDS, np.int64(1.0 + ENDINGS * breadth))
    search.nodes = 0
    search.most = np.int64(nodes * SHARE)
    search.node[0].root = PASS
    search_turn(pool, search, rules, facts, weights, scratch, mask, prior, True)
    reply.nodes = search.nodes
    reply.most = 1 << 40
    for k in range(endings.shape[0]):
        endings[k].root = UNANSWERED
    best, most = PASS, 2.0 * NEVER
    for tried in range(search.last):
        # an answer cut short would flatter: none is begun that may not be ended
        if tried > 0 and reply.nodes + (reply.nodes - search.nodes) // tried > nodes:
            break
        k = best_end(search)
        root = search.end[k].root
        value = search.end[k].value
        search.end[k].value = 2.0 * NEVER
        reply_pool[0] = pool[2 * WIDEST + k]
        if search.last > 1 or leaves.shape[0] > 0:
            value = answer(
                reply_pool, reply, rules, facts, weights, scratch, mask, prior, camp, care
            )
        place = place_of(endings, tried, value)
        if place >= 0:
            endings[place].root = root
            endings[place].value = value
            if place < leaves.shape[0]:
                leaves[place] = reply_pool[0]
        if value > most:
            best, most = root, value
    return best


@entry
def choose(
    known, pool, search, reply_pool, reply, rules, facts, weights, scratch, masks, priors, dice,
    seed, nodes, endings, leaves, actions,
):  # fmt: skip
    """Decide for n seats.

    known: (n,) STATE; pool, reply_pool: (POOL,) STATE to try on; search, reply: (1,) SEARCH;
    rules: (1,) RULEBOOK; facts: (SPELL_COUNT,) FACTS, written; weights: (1,) WEIGHTS; scratch:
    (1,) SCRATCH; masks: uint8 (n, A); priors: float32 (n, A) chances of a policy's actions, or
    (n, 0); dice: (1,) SETUP whose `rng` is overwritten; seed: int; nodes: trials a decision may
    take; endings: (n, e) ENDING and leaves: (n, e) STATE, written where the seat is in a fight,
    or (n, 0); actions: int64 (n,), written. Returns the trials made.
    """
    note_facts(rules[0], facts)
    scratch[0].record_events = 0
    made = 0
    for i in range(known.shape[0]):
        # a decision depends on what is known and on the seed, not on those before it
        dice[0].rng = np.uint64(seed) + np.uint64(known[i].turn)
        next_word(dice[0])
        if known[i].phase < Phase.FIGHT:
            actions[i] = before_fight(known[i], rules[0], masks[i], dice[0])
        else:
            actions[i] = plan(
                known[i], pool, search[0], reply_pool, reply[0], rules[0], facts, weights[0],
                scratch[0], masks[i], priors[i], dice[0], nodes, endings[i], leaves[i],
            )  # fmt: skip
            made += reply[0].nodes
    return made
