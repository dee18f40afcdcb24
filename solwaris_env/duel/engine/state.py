"""The state of one duel as one NumPy record.

Cloning is a copy, saving is its bytes, a batch is an array of records.
"""

from enum import IntEnum

from ..content.schema import CELLS, SLOTS, record

HEROES = 4
MAX_ENTITIES = 28  # 4 heroes, and at most 6 summons each
MAX_TIMED = 128
MAX_TRAPS = 96
TOUR_LIMIT = 40
BID_STEP = 100


class Phase(IntEnum):
    """What is being decided."""

    PLACEMENT = 0
    AUCTION = 1
    FIGHT = 2
    OVER = 3


class Termination(IntEnum):
    """Why a duel ended (E1-E4)."""

    NONE = 0
    KNOCKOUT = 1
    DOUBLE_KNOCKOUT = 2
    FORFEIT = 3
    TOUR_LIMIT = 4


class Timed(IntEnum):
    """Kinds of timed effect."""

    NONE = 0
    ARMOUR = 1
    RESISTANCE = 2
    POWER = 3
    RANGE = 4
    POISON = 5
    ANCHOR = 6
    DELAYED = 7
    BONUS_POWER = 8  # a terrain bonus adds to spells' boosts, as a passive does


class Until(IntEnum):
    """When a timed effect ends."""

    TURNS = 0  # counts down at each start of its source's turn (T10)
    OWN_TURN_END = 1  # when the target's own turn next ends


ENTITY = record(
    ("kind", "i2"),  # 0 none, 1 + class id for a hero, 8 + summon id otherwise
    ("camp", "i1"),
    ("owner", "i1"),  # hero index; a hero owns itself
    ("invisible", "i2"),
    ("cell", "i2"),  # -1: not on the board
    ("hp", "i4"),
    ("max_hp", "i4"),
    ("ap", "i1"),  # points in hand during the own turn
    ("mp", "i1"),
    ("ap_lost", "i1"),  # taken since the end of the own last turn (R3, R4)
    ("mp_lost", "i1"),
    ("ap_debt", "i1"),  # of these, still to be paid at the next start
    ("mp_debt", "i1"),
    ("ap_gain", "i1"),  # gained outside the own turn, for the next one
    ("mp_gain", "i1"),
    ("forced", "i2"),  # moved by force since the end of the own last turn
    ("inert", "i2"),  # plays no turn (T8)
    ("serial", "i4"),  # order of creation
)
HERO = record(
    ("cls", "i2"),
    ("passive", "i2"),
    ("passive_value", "i2"),
    ("passive_value2", "i2"),
    ("loadout", "i2"),  # bit s: slot s holds its variant; bit 8: the passive's
    ("spell", "i2", SLOTS),
    ("cooldown", "i2", SLOTS),
    ("used", "i2", SLOTS),
    ("start_cell", "i2"),  # where its turn began
    ("carried", "i1"),  # AP kept from the last turn (Flux)
    ("clockwork", "i1"),  # AP earned by taking points (Rouages), for the next turn
    ("placed", "i2"),
    ("spare", "i2"),
    ("purse", "i4"),
)
TIMED = record(
    ("kind", "i2"),
    ("target", "i1"),
    ("source", "i1"),  # hero whose turns count
    ("until", "i2"),
    ("spell", "i2"),
    ("turns", "i1"),
    ("value", "i2"),
    ("value2", "i2"),
)
TRAP_LAID = record(("kind", "i2"), ("owner", "i1"), ("camp", "i1"), ("turns", "i1"), ("cell", "i2"))
BONUS_LAID = record(("kind", "i2"), ("spare", "i2"), ("cell", "i2"))
STATE = record(
    ("rng", "u8"),
    ("phase", "i2"),
    ("map", "i2"),
    ("team_size", "i2"),
    ("seat", "i1"),  # hero who decides, -1 when over
    ("actor", "i1"),  # entity that acts in the fight, -1 otherwise
    ("first_camp", "i1"),  # plays first: as drawn, then as bought
    ("drawn_camp", "i1"),
    ("bidder", "i1"),  # camp of the last bid, -1: none
    ("winner", "i1"),  # camp, -1: none or draw
    ("termination", "i2"),
    ("quitter", "i1"),  # camp that gave up, -1: none
    ("trap_count", "i2"),
    ("timed_count", "i2"),
    ("next_camp", "i1"),  # camp whose hero plays next
    ("entities", "i2"),  # places of `entity` in use, heroes' included
    ("price", "i4"),  # coins of the last bid
    ("stakes", "i4"),
    ("turn", "i4"),  # hero turns begun
    ("camp_turn", "i4", 2),  # hero turns begun by each camp
    ("serial", "i4"),
    ("hero", HERO, HEROES),
    ("entity", ENTITY, MAX_ENTITIES),  # 0-3 are the heroes
    ("bonus", BONUS_LAID, 2),
    ("trap", TRAP_LAID, MAX_TRAPS),  # oldest first
    ("timed", TIMED, MAX_TIMED),  # oldest first
    ("occupant", "i1", CELLS),  # entity on each cell, -1 for none
)
SUMMON_BASE = 8
