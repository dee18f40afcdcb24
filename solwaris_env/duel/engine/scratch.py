"""Working memory of the kernels: what they queue, gather and report within one call."""

from enum import IntEnum

from ..content.schema import CELLS, record
from .state import MAX_ENTITIES

MAX_PENDING = 256
MAX_EVENTS = 1024

PENDING = record(
    ("kind", "i2"),  # 0 trap, 1 explosion
    ("what", "i2"),  # trap id or summon id
    ("owner", "i1"),
    ("victim", "i1"),  # whom a trap caught
    ("cell", "i2"),
)
EVENT = record(
    ("kind", "i2"),
    ("camps", "i2"),  # bit per camp that may know of it
    ("spell", "i2"),
    ("actor", "i1"),
    ("actor_kind", "i2"),
    ("target", "i1"),
    ("target_kind", "i2"),
    ("spare", "i2"),
    ("cell", "i2"),
    ("value", "i4"),
    ("value2", "i4"),
)
SCRATCH = record(
    ("record_events", "i2"),
    ("truncated", "i2"),
    ("events", "i4"),
    ("head", "i4"),
    ("tail", "i4"),
    ("victims", "i4"),
    ("victim", "i1", MAX_ENTITIES),
    ("reached", "i4"),  # cells in `frontier`, in order of distance
    ("frontier", "i2", CELLS + 1),
    ("steps", "u1", CELLS + 1),  # walking distances, see `movement.flood`
    ("toll", "u1", CELLS),  # fewest trapped cells on a shortest path
    ("resistance", "i2", MAX_ENTITIES),  # as last measured for an observation
    ("power", "i2", MAX_ENTITIES),
    ("pending", PENDING, MAX_PENDING),
    ("event", EVENT, MAX_EVENTS),
)


class Event(IntEnum):
    """Kinds of event; `value`, `value2` as told behind each."""

    PLACED = 1
    BID = 2  # price
    AUCTION_PASS = 3
    FIGHT_BEGINS = 4  # first camp, price paid
    TURN_BEGINS = 5  # tour
    TURN_ENDS = 6
    CAST = 7
    STEP = 8
    BLOCKED = 9  # an unseen fighter in the way
    DAMAGE = 10  # hit points lost, absorbed by armour
    CRITICAL = 11
    HEAL = 12  # hit points
    COSTS_HP = 13  # hit points
    TIMED = 14  # value, Timed kind
    ENDED = 15  # value, Timed kind
    LOSES_AP = 16  # points, points refused
    LOSES_MP = 17
    GAINS_AP = 18
    GAINS_MP = 19
    PUSHED = 20  # cells travelled
    PULLED = 21
    COLLIDES = 22  # cells not travelled
    MOVED = 23  # teleported, swapped, dashed or returned
    TRAP_LAID = 24  # trap id
    TRAP_SPRUNG = 25  # trap id
    SUMMONED = 26
    EXPLODES = 27
    DIES = 28
    BONUS = 29  # bonus kind appears
    COLLECTS = 30  # bonus kind
    VANISHES_FROM_SIGHT = 31
    APPEARS = 32
    FAILS = 33  # something unseen held the cell
    COOLDOWNS = 34  # turns added
    FORFEITS = 35  # camp
    ENDS = 36  # winner, termination
