"""What an agent sees: named planes of a board, named slices of scalars.

Both are computed from what the seat knows. The tables below are the layout: kernels take
their offsets from them, documents are generated from them, the schema hash is theirs.
"""

import hashlib
from dataclasses import dataclass

import numpy as np

from .content.schema import (
    CELLS,
    CLASS_COUNT,
    HEIGHT,
    MAP_COUNT,
    NO_SPELL,
    SLOTS,
    WIDTH,
    record,
)
from .engine.geometry import covers
from .engine.kernel import kernel
from .engine.legality import affordable, spell_in_slot
from .engine.movement import flood
from .engine.state import HEROES, SUMMON_BASE, TOUR_LIMIT, Phase, Timed
from .engine.timed import power, resistance

LAYOUT_VERSION = 1  # to be raised when a name keeps its place but changes its meaning


@dataclass(frozen=True)
class Slice:
    """A named part of an observation: where it starts, how long it is, what it tells."""

    name: str
    start: int
    size: int
    meaning: str


def _table(rows: list[tuple[str, int, str]]) -> dict[str, Slice]:
    table, start = {}, 0
    for name, size, meaning in rows:
        table[name] = Slice(name, start, size, meaning)
        start += size
    return table


PLANES = _table(
    [
        ("obstacle", 1, "1 on walls, hedges, crates, rocks, vaults"),
        ("void", 1, "1 on void"),
        ("own_zone", 1, "1 on the own camp's start zone"),
        ("their_zone", 1, "1 on the other camp's start zone"),
        ("self", 1, "1 on the acting entity"),
        ("own_hero", 1, "1 on heroes of the own camp"),
        ("their_hero", 1, "1 on seen heroes of the other camp"),
        ("own_summon", 1, "1 on mobile summons of the own camp"),
        ("their_summon", 1, "1 on seen mobile summons of the other camp"),
        ("own_inert", 1, "1 on charges, barricades and banners of the own camp"),
        ("their_inert", 1, "1 on those of the other camp"),
        ("kind", 1, "1 + class of a hero, 8 + summon id of another entity"),
        ("hp", 1, "hit points of the entity, in percent of its maximum"),
        ("armour", 1, "armour points of the entity, at most 127"),
        ("ap", 1, "its AP: in hand, or of its next turn as far as known"),
        ("mp", 1, "its MP, likewise"),
        ("resistance", 1, "its resistance in percent, at least -100"),
        ("power", 1, "its damage boost in percent, -100 to 127"),
        ("unseen", 1, "1 on invisible fighters of the own camp"),
        ("anchored", 1, "1 on anchored fighters"),
        ("poison", 1, "poison it takes at each of its turns"),
        ("trap", 1, "id of the own camp's trap centred there (1-5)"),
        ("trap_area", 1, "number of own traps whose area holds the cell"),
        ("bonus_ap", 1, "1 where a bonus of AP lies"),
        ("bonus_mp", 1, "1 where a bonus of MP lies"),
        ("bonus_heal", 1, "1 where a healing bonus lies"),
        ("bonus_armour", 1, "1 where an armour bonus lies"),
        ("bonus_power", 1, "1 where a damage bonus lies"),
        ("bonus_range", 1, "1 where a range bonus lies"),
        ("reach", 1, "MP that walking there costs, 0 out of reach"),
        ("sighted", 1, "number of seen heroes of the other camp with a line of sight to the cell"),
        ("their_reach", 1, "MP that walking there costs the nearest of them, 0 out of reach"),
    ]
)
HERO_FACTS = [
    ("present", 1, "1 if this hero is in the duel"),
    ("alive", 1, "1 if standing (or yet to be placed)"),
    ("class", CLASS_COUNT, "class, one-hot"),
    ("variants", SLOTS + 1, "1 for each variant in hand, the passive last"),
    ("hp_share", 1, "hit points / maximum"),
    ("hp", 1, "hit points / 300"),
    ("armour", 1, "armour / 50"),
    ("ap", 1, "AP in hand or of the next turn / 14"),
    ("mp", 1, "MP likewise / 6"),
    ("ap_lost", 1, "AP taken since the own last turn / 4"),
    ("mp_lost", 1, "MP taken since the own last turn / 4"),
    ("resistance", 1, "resistance / 100"),
    ("power", 1, "damage boost / 100"),
    ("range", 1, "range boost / 4"),
    ("invisible", 1, "1 if invisible"),
    ("anchored", 1, "1 if anchored"),
    ("poison", 1, "poison a turn / 10"),
    ("forced", 1, "1 if moved by force since the own last turn"),
    ("delayed", 1, "1 if a delayed blow is on its way to it"),
    ("seen", 1, "1 if its cell is known"),
    ("row", 1, "row / 17"),
    ("column", 1, "column / 27"),
    ("cooldown", SLOTS, "cooldown of each slot / 5"),
]
HERO_SIZE = sum(size for _, size, _ in HERO_FACTS)
SLOT_FACTS = [
    ("spell", 1, "spell id + 1 of the acting entity's slot, 0 for none"),
    ("usable", 1, "1 if AP, cooldown and limits allow it now"),
    ("cost", 1, "AP cost / 6"),
    ("cooldown", 1, "turns until it can be cast again / 5"),
    ("casts_left", 1, "casts left this turn / 3, 1 without a limit"),
]
SLOT_SIZE = sum(size for _, size, _ in SLOT_FACTS)
_HERO_NAMES = ("own", "ally", "foe", "other_foe")
SCALARS = _table(
    [
        ("phase", 3, "placement, auction, fight, one-hot"),
        ("tour", 1, "tour / 40"),
        ("two_against_two", 1, "1 in 2v2"),
        ("summon_acts", 1, "1 when a summon of the seat acts"),
        ("plays_first", 1, "1 if the own camp plays first, as it stands"),
        ("drawn_first", 1, "1 if the draw designated the own camp"),
        ("price", 1, "last bid / 1,000 coins"),
        ("own_purse", 1, "purse of the own camp's bidder / 1,000 coins"),
        ("their_purse", 1, "purse of the other camp's bidder / 1,000 coins"),
        ("own_bid", 1, "1 if the last bid is the own camp's"),
        ("their_bid", 1, "1 if it is the other camp's"),
        ("stakes", 1, "stakes / 1,000 coins"),
        ("map", MAP_COUNT, "map, one-hot"),
    ]
    + [
        (f"{who}_{name}", size, f"{who.replace('_', ' ')}: {meaning}")
        for who in _HERO_NAMES
        for name, size, meaning in HERO_FACTS
    ]
    + [
        (f"slot{slot}_{name}", size, f"slot {slot}: {meaning}")
        for slot in range(SLOTS)
        for name, size, meaning in SLOT_FACTS
    ]
)
PLANE_COUNT = len(PLANES)
SCALAR_SIZE = sum(s.size for s in SCALARS.values())
BOARD_SHAPE = (PLANE_COUNT, HEIGHT, WIDTH)

_P = {name: s.start for name, s in PLANES.items()}
_SELF, _OWN_HERO, _OWN_SUMMON, _OWN_INERT = (
    _P["self"],
    _P["own_hero"],
    _P["own_summon"],
    _P["own_inert"],
)
_KIND, _HP, _ARMOUR, _AP, _MP = _P["kind"], _P["hp"], _P["armour"], _P["ap"], _P["mp"]
_RESISTANCE, _POWER, _UNSEEN = _P["resistance"], _P["power"], _P["unseen"]
_ANCHORED, _POISON = _P["anchored"], _P["poison"]
_TRAP, _TRAP_AREA, _BONUS, _REACH = _P["trap"], _P["trap_area"], _P["bonus_ap"] - 1, _P["reach"]
_SIGHTED, _THEIR_REACH = _P["sighted"], _P["their_reach"]
DENSE = _REACH  # planes from here on are mostly marked, those before hardly
_MAP_AT = SCALARS["map"].start
_HEROES_AT = SCALARS["own_present"].start
_SLOTS_AT = SCALARS["slot0_spell"].start

MARKS = 250
# What a duel's mask and board show. Most of both is blank and stays so: blanked is what was
# marked, for a batch is larger than the processor's caches.
DRAWN = record(
    ("backdrop", "i2"),  # 1 + 2 * map + camp
    ("rows", "i2"),  # of the mask: bit s for slot s, bit 8 for walking
    ("marks", "i2"),  # places in `mark`; MARKS: too many to list
    ("mark", "i2", MARKS),  # plane * CELLS + cell of each mark on a sparse plane
)


def schema_hash() -> str:
    """Hash of the layout: a model trained on another one must be refused."""
    digest = hashlib.sha256(repr((LAYOUT_VERSION, BOARD_SHAPE, SCALAR_SIZE)).encode())
    for table in (PLANES, SCALARS):
        for s in table.values():
            digest.update(f"{s.name} {s.start} {s.size}\n".encode())
    return digest.hexdigest()[:16]


@kernel
def points_in_view(known, rules, entity, mp):
    """AP or MP in hand in the own turn, else those of the next turn as they stand (R4)."""
    e = known.entity[entity]
    if known.actor == entity:
        return e.mp if mp else e.ap
    if e.kind < SUMMON_BASE:
        cls = rules.cls[known.hero[entity].cls]
        base = cls.mp if mp else cls.ap + known.hero[entity].carried + known.hero[entity].clockwork
    else:
        body = rules.summon[e.kind - SUMMON_BASE]
        base = body.mp if mp else body.ap
    gain = e.mp_gain - e.mp_debt if mp else e.ap_gain - e.ap_debt
    return max(0, base + gain)


@kernel
def measure(known, rules, scratch):
    """Fill `scratch.resistance` and `scratch.power` of every entity, once for all who ask."""
    for i in range(known.entities):
        if known.entity[i].kind != 0 and known.entity[i].hp > 0:
            scratch.resistance[i] = max(-100, resistance(known, rules, i))
            scratch.power[i] = min(127, max(-100, power(known, rules, i)))


@kernel
def put(board, drawn, plane, cell, value):
    """Mark a cell of a sparse plane, to be blanked when the board is written again."""
    if value != 0:
        board[plane, cell] = value
        if drawn.marks < MARKS:
            drawn.mark[drawn.marks] = plane * CELLS + cell
            drawn.marks += 1


@kernel
def blank(board, drawn):
    """Clear all planes but the backdrop's."""
    flat = board.reshape(PLANE_COUNT * CELLS)
    if drawn.marks < MARKS:
        for i in range(drawn.marks):
            flat[drawn.mark[i]] = 0
    else:
        for i in range(_SELF * CELLS, DENSE * CELLS):
            flat[i] = 0
    drawn.marks = 0
    for i in range(DENSE * CELLS, PLANE_COUNT * CELLS):
        flat[i] = 0


@kernel
def write_entities(known, rules, scratch, camp, drawn, board):
    """The planes of who stands where."""
    for i in range(known.entities):
        e = known.entity[i]
        if e.kind == 0 or e.cell < 0:
            continue
        c = e.cell
        other = 0 if e.camp == camp else 1
        if i < HEROES:
            put(board, drawn, _OWN_HERO + other, c, 1)
        elif e.inert:
            put(board, drawn, _OWN_INERT + other, c, 1)
        else:
            put(board, drawn, _OWN_SUMMON + other, c, 1)
        if i == known.actor:
            put(board, drawn, _SELF, c, 1)
        put(board, drawn, _KIND, c, e.kind)
        put(board, drawn, _HP, c, (100 * e.hp + e.max_hp - 1) // e.max_hp)
        put(board, drawn, _AP, c, points_in_view(known, rules, i, False))
        put(board, drawn, _MP, c, points_in_view(known, rules, i, True))
        put(board, drawn, _RESISTANCE, c, scratch.resistance[i])
        put(board, drawn, _POWER, c, scratch.power[i])
        put(board, drawn, _UNSEEN, c, e.invisible)
    for i in range(known.timed_count):
        t = known.timed[i]
        if t.kind == 0:
            continue
        c = known.entity[t.target].cell
        if c < 0:
            continue
        if t.kind == Timed.ARMOUR:
            put(board, drawn, _ARMOUR, c, min(127, board[_ARMOUR, c] + t.value))
        elif t.kind == Timed.ANCHOR:
            put(board, drawn, _ANCHORED, c, 1)
        elif t.kind == Timed.POISON:
            put(board, drawn, _POISON, c, min(127, board[_POISON, c] + t.value))


@kernel
def write_ground(known, rules, drawn, board):
    """The planes of traps and bonuses."""
    for i in range(known.trap_count):
        t = known.trap[i]
        kind = rules.trap[t.kind]
        put(board, drawn, _TRAP, t.cell, t.kind)
        row, column = t.cell // WIDTH, t.cell % WIDTH
        for r in range(max(0, row - kind.size), min(HEIGHT, row + kind.size + 1)):
            for k in range(max(0, column - kind.size), min(WIDTH, column + kind.size + 1)):
                c = r * WIDTH + k
                if rules.maps[known.map].playable[c] and covers(kind.shape, kind.size, t.cell, c):
                    put(board, drawn, _TRAP_AREA, c, board[_TRAP_AREA, c] + 1)
    for i in range(2):
        b = known.bonus[i]
        if b.kind != 0:
            put(board, drawn, _BONUS + b.kind, b.cell, 1)


@kernel
def write_backdrop(known, rules, camp, board):
    """Write the planes that depend on the map and the camp alone."""
    backdrop = rules.maps[known.map].backdrop[camp]
    for p in range(_SELF):
        plane, drawn = board[p], backdrop[p]
        for c in range(CELLS):
            plane[c] = drawn[c]


@kernel
def write_board(known, rules, scratch, camp, acting, drawn, board):
    """Write the other planes, after `measure`: int8 (PLANES, CELLS); `acting`: so was the mask.

    `drawn`, a DRAWN, is what they show already.
    """
    blank(board, drawn)
    write_entities(known, rules, scratch, camp, drawn, board)
    write_ground(known, rules, drawn, board)
    if acting and known.phase == Phase.FIGHT and known.entity[known.actor].mp > 0:
        for i in range(1, scratch.reached):
            cell = scratch.frontier[i]
            board[_REACH, cell] = scratch.steps[cell]
    if known.phase == Phase.FIGHT:
        write_threats(known, rules, scratch, camp, board)


@kernel
def write_threats(known, rules, scratch, camp, board):
    """The planes of what the other camp's seen heroes see, and where they can walk to (S4, M2).

    Overwrites the walking distances in `scratch`.
    """
    sighted, their_reach = board[_SIGHTED], board[_THEIR_REACH]
    for i in range(1 - camp, 2 * known.team_size, 2):
        cell = known.entity[i].cell
        if cell < 0 or known.entity[i].hp <= 0:
            continue
        sight = rules.maps[known.map].sight[cell]
        for c in range(CELLS):
            sighted[c] += np.int8(sight[c])
        flood(known, rules, scratch, cell, points_in_view(known, rules, i, True), -1)
        for k in range(1, scratch.reached):
            c = scratch.frontier[k]
            steps = np.int8(scratch.steps[c])
            if their_reach[c] == 0 or steps < their_reach[c]:
                their_reach[c] = steps


@kernel
def write_hero(known, rules, scratch, seat, out, at):
    """One hero's block of scalars, float32 (HERO_SIZE,) from `at` on, zeroed before."""
    e = known.entity[seat]
    h = known.hero[seat]
    out[at] = 1.0
    out[at + 1] = 1.0 if e.hp > 0 else 0.0
    out[at + 2 + h.cls] = 1.0
    at += 2 + CLASS_COUNT
    for slot in range(SLOTS + 1):
        out[at + slot] = (h.loadout >> slot) & 1
    at += SLOTS + 1
    if e.hp > 0:
        out[at] = e.hp / e.max_hp
        out[at + 1] = e.hp * (1.0 / 300.0)
        out[at + 3] = points_in_view(known, rules, seat, False) * (1.0 / 14.0)
        out[at + 4] = points_in_view(known, rules, seat, True) * (1.0 / 6.0)
        out[at + 7] = scratch.resistance[seat] * (1.0 / 100.0)
        out[at + 8] = scratch.power[seat] * (1.0 / 100.0)
        out[at + 5] = e.ap_lost * (1.0 / 4.0)
        out[at + 6] = e.mp_lost * (1.0 / 4.0)
        out[at + 10] = e.invisible
        out[at + 13] = e.forced
        if e.cell >= 0:
            out[at + 15] = 1.0
            out[at + 16] = (e.cell // WIDTH) * (1.0 / 17.0)
            out[at + 17] = (e.cell % WIDTH) * (1.0 / 27.0)
    for i in range(known.timed_count):
        t = known.timed[i]
        if t.target != seat or t.kind == 0:
            continue
        if t.kind == Timed.ARMOUR:
            out[at + 2] += t.value * (1.0 / 50.0)
        elif t.kind == Timed.RANGE:
            out[at + 9] += t.value * (1.0 / 4.0)
        elif t.kind == Timed.ANCHOR:
            out[at + 11] = 1.0
        elif t.kind == Timed.POISON:
            out[at + 12] += t.value * (1.0 / 10.0)
        elif t.kind == Timed.DELAYED:
            out[at + 14] = 1.0
    at += 18
    for slot in range(SLOTS):
        out[at + slot] = h.cooldown[slot] * (1.0 / 5.0)


@kernel
def write_slots(known, rules, actor, out):
    """The blocks of the acting entity's spells in the scalars, zeroed before."""
    for slot in range(SLOTS):
        spell_id = spell_in_slot(known, rules, actor, slot)
        if spell_id == NO_SPELL:
            continue
        spell = rules.spell[spell_id]
        at = _SLOTS_AT + slot * SLOT_SIZE
        out[at] = spell_id + 1
        if affordable(known, rules, actor, slot, spell_id):
            out[at + 1] = 1.0
        out[at + 2] = spell.cost * (1.0 / 6.0)
        out[at + 4] = 1.0
        if actor < HEROES:
            h = known.hero[actor]
            out[at + 3] = h.cooldown[slot] * (1.0 / 5.0)
            if spell.per_turn > 0:
                out[at + 4] = max(0, spell.per_turn - np.int64(h.used[slot])) * (1.0 / 3.0)


@kernel
def write_scalars(known, rules, scratch, seat, out):
    """Write the scalars: float32 (SCALARS,), after `measure`."""
    for i in range(SCALAR_SIZE):
        out[i] = 0.0
    camp = seat & 1
    if known.phase < 3:
        out[known.phase] = 1.0
    if known.turn > 0:
        out[3] = ((known.turn - 1) // (2 * known.team_size) + 1) * (1.0 / TOUR_LIMIT)
    out[4] = known.team_size - 1
    out[5] = 1.0 if known.actor >= HEROES else 0.0
    out[6] = 1.0 if leading(known) == camp else 0.0
    out[7] = 1.0 if known.drawn_camp == camp else 0.0
    out[8] = known.price * (1.0 / 1000.0)
    out[9] = known.hero[camp].purse * (1.0 / 1000.0)
    out[10] = known.hero[1 - camp].purse * (1.0 / 1000.0)
    out[11] = 1.0 if known.bidder == camp else 0.0
    out[12] = 1.0 if known.bidder == 1 - camp else 0.0
    out[13] = known.stakes * (1.0 / 1000.0)
    out[_MAP_AT + known.map] = 1.0
    seats = 2 * known.team_size
    for k in range(seats):
        # own, ally, next foe, other foe; in 1v1 the ally's block stays empty
        who = seat
        block = 0
        if k == 1:
            who = (seat + 1) % seats
            block = 2
        elif k == 2:
            who = (seat + 2) % seats
            block = 1
        elif k == 3:
            who = (seat + 3) % seats
            block = 3
        at = _HEROES_AT + block * HERO_SIZE
        write_hero(known, rules, scratch, who, out, at)
    actor = known.actor if known.actor >= 0 and known.seat == seat else seat
    write_slots(known, rules, actor, out)


@kernel
def leading(known):
    """The camp that plays first, or would if nobody raised any more (A3, A4)."""
    return known.bidder if known.bidder >= 0 else known.drawn_camp
