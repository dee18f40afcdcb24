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
from .greedy_kernel import bid_or_not, choose_place
from .planner_moves import WORK, best_candidate, note_reach, note_threats, propose
from .planner_weigh import LIKED, note_facts, ways_to_prey, weigh

# a generator whose first eleven draws lie between 0.46 and 0.60
MIDDLE = np.uint64(0xD6E8556C811AB236)
WIDEST = 32  # states a layer of the search keeps
ENDS = 12  # ends of the turn that are kept
DEEPEST = 9  # casts of one turn
NEVER = -1e9

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
    ("work", WORK),
    ("node", NODE, 2 * WIDEST),
    ("end", NODE, ENDS),
)
POOL = 2 * WIDEST + ENDS + 1  # states a search works on: two layers, ends, one to try on


@kernel
def digest(state):
    """Hash of what tells two states of one turn apart."""
    h = np.int64(state.timed_count * 31 + state.trap_count)
    for i in range(state.entities):
        e = state.entity[i]
        h = h * 1000003 + e.cell
        h = h * 1000003 + e.hp
        h = h * 1000003 + 64 * np.int64(e.ap) + e.mp + 4096 * e.kind
        h = h * 1000003 + 16 * np.int64(e.ap_debt) + e.mp_debt
    for i in range(HEROES):
        for slot in range(SLOTS):
            h = h * 31 + state.hero[i].cooldown[slot]
            h = h * 31 + state.hero[i].used[slot]
    for i in range(state.timed_count):
        h = h * 1000003 + state.timed[i].value
    return h


@kernel
def keep(pool, nodes, base, count, limit, trial, value, mark, root):
    """Put the tried state among the best `limit`, without doubles; give their number."""
    worst = 0
    for i in range(count):
        n = nodes[i]
        if n.mark == mark and n.root == root:
            return count
        if n.mark == mark and n.value >= value:
            return count
        if n.value < nodes[worst].value:
            worst = i
    place = count
    if count >= limit:
        if value <= nodes[worst].value:
            return count
        place = worst
    pool[base + place] = pool[trial]
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
def note_end(pool, search, trial, value, root):
    """Keep an end of the turn."""
    search.last = keep(
        pool,
        search.end,
        2 * WIDEST,
        search.last,
        search.ends,
        trial,
        value,
        digest(pool[trial]),
        root,
    )


@kernel
def try_end(pool, search, rules, facts, weights, scratch, source, cell, root, camp, actor):
    """End the turn from a state, after a walk to `cell` unless it is -1."""
    trial = POOL - 1
    pool[trial] = pool[source]
    state = pool[trial]
    search.nodes += 1
    if cell >= 0:
        perform(state, rules, scratch, GO + cell)
    if state.phase == Phase.FIGHT and state.actor == actor:
        perform(state, rules, scratch, PASS)
        # where the next turn's bonuses will lie is not known
        state.bonus[0].kind = 0
        state.bonus[1].kind = 0
    value = weigh(
        state, rules, facts, weights, scratch, search.work.field, camp, actor, False
    )
    note_end(pool, search, trial, value, root)


@kernel
def try_ends(pool, search, rules, facts, weights, scratch, source, root, camp, actor, mask, first):
    """End the turn from a state: where one stands, and after the best of the last walks."""
    work = search.work
    state = pool[source]
    if not first or mask[PASS]:
        own = PASS if first else root
        try_end(pool, search, rules, facts, weights, scratch, source, -1, own, camp, actor)
    liked = 1.0
    if actor < HEROES:
        liked = LIKED[state.hero[actor].cls]
    for i in range(1, work.cells):
        c = work.cell[i]
        way = min(60.0, np.float64(work.field[c]))
        score = -0.5 * work.threat[c] - weights.away * abs(way - liked) - 0.05 * work.step[i]
        for k in range(2):
            if state.bonus[k].kind != 0 and state.bonus[k].cell == c:
                score += 8.0
        work.score[c] = score
        if first and not mask[GO + c]:
            work.score[c] = NEVER
    for _ in range(search.retreats):
        best = -1
        most = NEVER
        for i in range(1, work.cells):
            c = work.cell[i]
            if work.score[c] > most:
                most = work.score[c]
                best = c
        if best < 0 or search.nodes >= search.most:
            return
        work.score[best] = NEVER
        own = GO + best if first else root
        try_end(pool, search, rules, facts, weights, scratch, source, best, own, camp, actor)


@kernel
def try_cast(pool, search, rules, facts, weights, scratch, source, base, goal, cast, root, camp):
    """Walk to `goal` unless it is -1, cast, and keep what comes of it in the next layer."""
    trial = POOL - 1
    pool[trial] = pool[source]
    state = pool[trial]
    actor = state.actor
    search.nodes += 1
    if goal >= 0:
        perform(state, rules, scratch, GO + goal)
        if state.phase != Phase.FIGHT or state.actor != actor:
            return
        if state.entity[actor].cell != goal:
            return
        slot = cast // CELLS
        if not affordable(state, rules, actor, slot, spell_in_slot(state, rules, actor, slot)):
            return
    perform(state, rules, scratch, cast)
    going = state.phase == Phase.FIGHT and state.actor == actor
    value = weigh(
        state, rules, facts, weights, scratch, search.work.field, camp, actor, going
    )
    if not going:
        note_end(pool, search, trial, value, root)
        return
    other = WIDEST - base
    if base == 0:
        nodes = search.node[WIDEST:]
    else:
        nodes = search.node[:WIDEST]
    mark = digest(state)
    search.next = keep(
        pool, nodes, other, search.next, search.width, trial, value, mark, root
    )


@kernel
def search_turn(pool, search, rules, facts, weights, scratch, mask, masked):
    """Search the acting entity's turn from `pool[0]`; its best ends are kept, with their states.

    With `masked` only actions of `mask` may come first.
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
        for b in range(search.here):
            source = base + b
            first = depth == 0
            root = search.node[source].root
            state = pool[source]
            note_reach(state, rules, scratch, work, actor)
            try_ends(
                pool,
                search,
                rules,
                facts,
                weights,
                scratch,
                source,
                root,
                camp,
                actor,
                mask,
                first and masked,
            )
            if state.entity[actor].ap <= 0:
                continue
            propose(state, rules, facts, scratch, work, actor, 3)
            tries = search.tries * 3 if first else search.tries
            for _ in range(tries):
                k = best_candidate(work)
                if k < 0 or search.nodes >= search.most:
                    break
                work.promise[k] = NEVER
                goal = work.goal[k]
                cast = work.cast[k]
                own = root
                if first and masked:
                    own = cast if goal < 0 else GO + goal
                    if not mask[own]:
                        continue
                try_cast(
                    pool,
                    search,
                    rules,
                    facts,
                    weights,
                    scratch,
                    source,
                    base,
                    goal,
                    cast,
                    own,
                    camp,
                )
        if search.next == 0 or search.nodes >= search.most:
            break
        base = WIDEST - base
        search.here = search.next


@kernel
def best_end(search):
    """Place of the best end of the turn, -1 if there is none."""
    best = -1
    for i in range(search.last):
        if best < 0 or search.end[i].value > search.end[best].value:
            best = i
    return best


@kernel
def answer(pool, search, rules, facts, weights, scratch, mask, camp):
    """Play on from `pool[0]` until the camp is to move again; give what it is worth to it."""
    for _ in range(8):
        state = pool[0]
        if state.phase != Phase.FIGHT:
            break
        if state.entity[state.actor].camp == camp and state.actor < HEROES:
            break
        actor = state.actor
        search.width = 2 if actor < HEROES else 1
        search.tries = 8
        search.retreats = 2
        search.ends = 1
        search.node[0].root = 0
        search_turn(pool, search, rules, facts, weights, scratch, mask, False)
        if search.last == 0:
            break
        pool[0] = pool[2 * WIDEST]
    state = pool[0]
    if state.phase == Phase.OVER:
        actor = 0
    else:
        actor = state.actor
        ways_to_prey(state, rules, scratch, actor, search.work.field)
    return weigh(state, rules, facts, weights, scratch, search.work.field, camp, actor, False)


@kernel
def imagine(state, rules, dice, camp):
    """Put unseen enemies on cells that look free, near enough to matter."""
    grid = rules.maps[state.map]
    for i in range(state.entities):
        e = state.entity[i]
        hidden = e.kind != 0 and e.cell < 0 and e.camp != camp and e.hp > 0
        if not hidden:
            continue
        chosen = -1
        for _ in range(64):
            cell = grid.playable_cell[below(dice, grid.playable_count)]
            if state.occupant[cell] >= 0:
                continue
            chosen = cell
            if rules.distance[cell, state.entity[state.actor].cell] <= 12:
                break
        if chosen < 0:
            continue
        e.cell = chosen
        state.occupant[chosen] = i


@kernel
def plan(known, pool, search, reply_pool, reply, rules, facts, weights, scratch, mask, dice, nodes):
    """The first action of the best turn found within about `nodes` trials."""
    pool[0] = known
    state = pool[0]
    camp = known.entity[known.actor].camp
    imagine(state, rules, dice, camp)
    scale = np.sqrt(nodes / 300.0)
    search.width = min(WIDEST, np.int64(3.0 * scale + 1.0))
    search.tries = np.int64(6.0 * scale + 2.0)
    search.retreats = np.int64(min(8.0, 1.0 + 1.5 * scale))
    search.ends = min(ENDS, np.int64(1.0 + 2.0 * scale))
    search.nodes = 0
    search.most = nodes * 2 // 3
    search.node[0].root = PASS
    search_turn(pool, search, rules, facts, weights, scratch, mask, True)
    best, most = PASS, NEVER
    reply.nodes = search.nodes
    reply.most = nodes
    if search.last == 1:
        return search.end[0].root
    for _ in range(search.last):
        k = best_end(search)
        value = search.end[k].value
        root = search.end[k].root
        search.end[k].value = 2.0 * NEVER
        if reply.nodes >= nodes:
            break
        reply_pool[0] = pool[2 * WIDEST + k]
        value = answer(reply_pool, reply, rules, facts, weights, scratch, mask, camp)
        if value > most:
            best, most = root, value
    return best


@entry
def choose(
    known, pool, search, reply_pool, reply, rules, facts, weights, scratch, masks, dice, seed,
    nodes, actions,
):  # fmt: skip
    """Decide for n seats.

    known: (n,) STATE; pool, reply_pool: (POOL,) STATE to try on; search, reply: (1,) SEARCH;
    rules: (1,) RULEBOOK; facts: (SPELL_COUNT,) FACTS, written; weights: (1,) WEIGHTS; scratch:
    (1,) SCRATCH; masks: uint8 (n, A); dice: (1,) SETUP whose `rng` is overwritten; seed: int;
    nodes: trials a decision may take; actions: int64 (n,), written. Returns the trials made.
    """
    note_facts(rules[0], facts)
    scratch[0].record_events = 0
    made = 0
    for i in range(known.shape[0]):
        # a decision depends on what is known and on the seed, not on those before it
        dice[0].rng = np.uint64(seed) + np.uint64(known[i].turn)
        next_word(dice[0])
        if known[i].phase == Phase.PLACEMENT:
            actions[i] = choose_place(known[i], rules[0], masks[i], dice[0])
        elif known[i].phase == Phase.AUCTION:
            actions[i] = bid_or_not(known[i], dice[0])
            if not masks[i, actions[i]]:
                actions[i] = PASS
        else:
            actions[i] = plan(
                known[i],
                pool,
                search[0],
                reply_pool,
                reply[0],
                rules[0],
                facts,
                weights[0],
                scratch[0],
                masks[i],
                dice[0],
                nodes,
            )
            made += reply[0].nodes
    return made
