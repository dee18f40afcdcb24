"""The beginning of a duel: what the options fix and what the generator draws (V1, V2)."""

import numpy as np

from ..content.schema import CELLS, CLASS_COUNT, MAP_COUNT, SLOTS, record
from .kernel import kernel
from .rng import below
from .state import HEROES, MAX_ENTITIES, Phase

DRAWN = -1
LOADOUTS = 1 << (SLOTS + 1)
PURSE_STEPS = 21  # drawn purses: 0 to 2,000 coins by steps of 100
COIN_STEP = 100
STAKE_STEPS = 10  # drawn stakes: none in half of the duels, else 100 to 1,000 coins

SETUP = record(
    ("seed", "u8"),  # of the next duel
    ("rng", "u8"),  # where later duels' seeds come from
    ("map", "i4"),
    ("team_size", "i4"),
    ("stakes", "i4"),
    ("cls", "i4", HEROES),
    ("loadout", "i4", HEROES),
    ("purse", "i4", HEROES),
)


def drawn_setup(n: int = 1) -> np.ndarray:
    """(n,) SETUP array that leaves everything to the generator."""
    setup = np.zeros(n, SETUP)
    for field in ("map", "team_size", "stakes", "cls", "loadout", "purse"):
        setup[field] = DRAWN
    return setup


@kernel
def clear(state):
    """Blank all that a former duel left in the record."""
    state.phase = Phase.PLACEMENT
    state.actor = -1
    state.first_camp = -1
    state.bidder = -1
    state.winner = -1
    state.termination = 0
    state.quitter = -1
    state.trap_count = 0
    state.timed_count = 0
    state.next_camp = -1
    state.price = 0
    state.turn = 0
    state.serial = 0
    state.entities = HEROES
    for c in range(2):
        state.camp_turn[c] = 0
        state.bonus[c].kind = 0
        state.bonus[c].cell = 0
    for c in range(CELLS):
        state.occupant[c] = -1
    for i in range(MAX_ENTITIES):
        e = state.entity[i]
        e.kind = 0
        e.camp = 0
        e.owner = 0
        e.invisible = 0
        e.cell = -1
        e.hp = 0
        e.max_hp = 0
        e.ap = 0
        e.mp = 0
        e.ap_lost = 0
        e.mp_lost = 0
        e.ap_debt = 0
        e.mp_debt = 0
        e.ap_gain = 0
        e.mp_gain = 0
        e.forced = 0
        e.inert = 0
        e.serial = 0
    for i in range(HEROES):
        h = state.hero[i]
        h.cls = 0
        h.passive = 0
        h.passive_value = 0
        h.passive_value2 = 0
        h.loadout = 0
        h.start_cell = -1
        h.carried = 0
        h.clockwork = 0
        h.placed = 0
        h.purse = 0
        for slot in range(SLOTS):
            h.spell[slot] = 0
            h.cooldown[slot] = 0
            h.used[slot] = 0


@kernel
def equip(state, rules, seat, cls, loadout):
    """Give a seat its class and one version of each spell and of the passive (V1, V2)."""
    sheet = rules.cls[cls]
    h = state.hero[seat]
    h.cls = cls
    h.loadout = loadout
    for slot in range(SLOTS):
        h.spell[slot] = sheet.spell[slot, (loadout >> slot) & 1]
    version = (loadout >> SLOTS) & 1
    h.passive = sheet.passive[version]
    h.passive_value = sheet.passive_value[version]
    h.passive_value2 = sheet.passive_value2[version]
    e = state.entity[seat]
    e.kind = 1 + cls
    e.camp = seat & 1
    e.owner = seat
    e.hp = sheet.hp
    e.max_hp = sheet.hp


@kernel
def begin(state, rules, setup):
    """Start a duel in a record, drawing what the set-up leaves open in the documented order."""
    timed = state.timed_count
    for i in range(timed):
        t = state.timed[i]
        t.kind = 0
        t.target = 0
        t.source = 0
        t.until = 0
        t.spell = 0
        t.turns = 0
        t.value = 0
        t.value2 = 0
    for i in range(state.trap_count):
        t = state.trap[i]
        t.kind = 0
        t.owner = 0
        t.camp = 0
        t.turns = 0
        t.cell = 0
    clear(state)
    state.rng = setup.seed
    state.team_size = setup.team_size if setup.team_size > 0 else 1 + below(state, 2)
    state.map = setup.map if setup.map >= 0 else below(state, MAP_COUNT)
    state.drawn_camp = below(state, 2)
    state.seat = 0
    seats = 2 * state.team_size
    for seat in range(seats):
        cls = setup.cls[seat] if setup.cls[seat] >= 0 else below(state, CLASS_COUNT)
        loadout = setup.loadout[seat] if setup.loadout[seat] >= 0 else below(state, LOADOUTS)
        equip(state, rules, seat, cls, loadout)
    for seat in range(seats):
        drawn = setup.purse[seat] < 0
        coins = COIN_STEP * below(state, PURSE_STEPS) if drawn else setup.purse[seat]
        state.hero[seat].purse = coins
    if setup.stakes >= 0:
        state.stakes = setup.stakes
    else:
        drawn_stakes = below(state, 2 * STAKE_STEPS)
        state.stakes = COIN_STEP * max(0, drawn_stakes - STAKE_STEPS + 1)
