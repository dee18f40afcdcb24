"""The vocabulary of the content: closed sets of kinds, and the Rulebook's layout.

Data files name the members of these enumerations in lower case; the loader turns
them into the numbers below, and kernels compare against the same members.
"""

from enum import IntEnum

import numpy as np

HEIGHT = 18
WIDTH = 28
CELLS = HEIGHT * WIDTH
SLOTS = 8
UNREACHED, TAKEN = 255, 254  # walking distances that are none

CLASS_COUNT = 6
MAP_COUNT = 9
CAMP_NAME = ("Blue", "Red")
SPELL_COUNT = 98  # 6 classes x 8 slots x 2 versions, and two summons' spells
MAX_EFFECTS = 320
MAX_ZONE = 64


# Fields are signed: compiled code turns unsigned and signed together into floats.
_HIDDEN = frozenset(("shape", "size", "flags"))


class Record(np.record):
    """A record whose fields go before the attributes every NumPy scalar has (`shape`, `size`)."""

    def __getattribute__(self, name: str) -> object:
        if name in _HIDDEN and name in super().__getattribute__("dtype").fields:
            return self[name]
        return super().__getattribute__(name)


def record(*fields: tuple) -> np.dtype:
    """A record dtype whose elements read and write as attributes, compiled or not."""
    return np.dtype((Record, list(fields)))


class Terrain(IntEnum):
    """What a cell is made of (B1, B3)."""

    VOID = 0
    FLOOR = 1
    WALL = 2
    HEDGE = 3
    CRATE = 4
    ROCK = 5
    VAULT = 6


class Target(IntEnum):
    """What a spell may be aimed at (S7). An unseen enemy is never an entity to aim at (I1)."""

    SELF = 0
    ALLY = 1  # a hero or mobile summon of the own camp, the caster included at range 0
    ENEMY = 2  # a visible entity of the other camp
    ENTITY = 3  # any visible entity
    FREE = 4  # a cell that looks free
    CELL = 5  # any playable cell
    OWN_CHARGE = 6  # an explosive charge of the caster
    OWN_AUTOMATE = 7  # an Automate of the caster


class Shape(IntEnum):
    """Area around a centre; `size` is its radius, or length for LINE."""

    NONE = 0
    CIRCLE = 1  # Manhattan distance <= size
    CROSS = 2  # the four arms of `size` cells, and the centre
    LINE = 3  # `size` cells from the aimed cell on, away from the caster
    DIAGONAL = 4  # the centre and the cells diagonal to it, up to `size`


class On(IntEnum):
    """Whom an effect falls on."""

    TARGET = 0  # the entity on the aimed cell (a trap: whoever entered)
    CASTER = 1
    AREA = 2  # everyone in the area, the caster included
    OTHERS = 3  # everyone in the area but the caster
    ENEMIES = 4  # the area's entities of the other camp
    ALLIES = 5  # the area's fighters of the own camp, the caster included


class Kind(IntEnum):
    """Effect kinds; the meaning of an effect's numbers a, b, c stands behind each."""

    NONE = 0
    DAMAGE = 1  # a..b hit points
    HEAL = 2  # a..b hit points
    HEAL_LOST = 3  # a % of the lost hit points
    ARMOUR = 4  # a points for `turns`
    RESISTANCE = 5  # a % (may be negative) for `turns`
    POWER = 6  # a % of damage dealt (may be negative) for `turns`
    RANGE = 7  # a cells of maximum range for `turns`
    GAIN_AP = 8  # a points, now in the own turn, else in the next one
    GAIN_MP = 9
    REMOVE_AP = 10  # a tries (R1)
    REMOVE_MP = 11
    PUSH = 12  # a cells; b: own collision damage a cell, 0 for the common one
    PULL = 13  # a cells
    SWAP = 14  # caster and target exchange cells
    TELEPORT = 15  # caster to the aimed cell
    DASH = 16  # caster in a straight line until next to the target
    RETURN = 17  # caster to the cell where its turn began
    SUMMON = 18  # a: summon id
    TRAP = 19  # a: trap id
    POISON = 20  # a points at each start of the victim's turn, for `turns`
    INVISIBLE = 21  # until the target's next turn begins
    ANCHOR = 22  # nothing moves the target, for `turns`
    DETONATE = 23  # the aimed charge explodes
    DETONATE_ALL = 24  # all charges of the caster explode
    COOLDOWN = 25  # the target's running cooldowns grow by a
    DELAYED = 26  # a..b hit points when `turns` have run
    CHAIN = 27  # a..b, c % of it to the nearest other enemy within `turns` cells


class Flag(IntEnum):
    """Bits of an effect's flags."""

    PIERCE = 1  # goes past armour
    UNTIL_TARGET_TURN_END = 2  # lasts until the target's next turn ends, whatever `turns`


class Passive(IntEnum):
    """The twelve passives."""

    NONE = 0
    FRACAS = 1  # own collisions cost `value` a cell
    CUIRASSE = 2  # +value % resistance
    RAGE = 3  # per lost tenth of HP: +value % damage, +value2 % resistance
    SOIF_DE_SANG = 4  # gets back value % of the damage it deals at distance 1
    FLUX = 5  # up to `value` unspent AP carry over
    FOCALISATION = 6  # critical chance of `value` %
    TRAQUE = 7  # +value % on a target that lost points or was moved by force
    PAS_FEUTRES = 8  # never triggers its own camp's traps
    ROUAGES = 9  # each point taken gives 1 AP in the next turn, `value` at most
    BALANCIER = 10  # its removals ignore `value` points of resistance
    REACTION_EN_CHAINE = 11  # an exploding charge sets off his charges within `value`
    ARTILLEUR = 12  # +value maximum range on spells above range 1


class Bonus(IntEnum):
    """Terrain bonuses (G3)."""

    NONE = 0
    AP = 1
    MP = 2
    HEAL = 3
    ARMOUR = 4
    POWER = 5
    RANGE = 6


class Aura(IntEnum):
    """What an entity lends to its camp's others nearby."""

    NONE = 0
    RESISTANCE = 1
    POWER = 2


EFFECT = record(
    ("kind", "i2"),
    ("on", "i2"),
    ("flags", "i2"),
    ("turns", "i1"),
    ("a", "i2"),
    ("b", "i2"),
    ("c", "i2"),
    ("below", "i2"),  # DAMAGE: +c % on a target under this percentage of its HP
    ("steal", "i2"),  # DAMAGE: the caster heals this percentage of what it dealt
    ("per_loss", "i2"),  # DAMAGE: + this much per AP or MP the target has lost
    ("spare", "i2"),
)
SPELL = record(
    ("cost", "i2"),
    ("hp_cost", "i2"),
    ("range_min", "i2"),
    ("range_max", "i2"),
    ("line", "i2"),
    ("sight", "i2"),  # 0: ignores line of sight (S6)
    ("target", "i2"),
    ("shape", "i2"),
    ("size", "i2"),
    ("from_departure", "i2"),  # the area lies around the cell the caster left
    ("per_turn", "i2"),  # casts per turn, 0: no limit
    ("cooldown", "i2"),
    ("first", "i2"),  # first effect and number of effects
    ("count", "i2"),
)
CLASS = record(
    ("hp", "i2"),
    ("ap", "i1"),
    ("mp", "i1"),
    ("ap_resist", "i2"),
    ("mp_resist", "i2"),
    ("passive", "i2", 2),
    ("passive_value", "i2", 2),
    ("passive_value2", "i2", 2),
    ("spell", "i2", (SLOTS, 2)),
)
SUMMON = record(
    ("hp", "i2"),
    ("ap", "i1"),
    ("mp", "i1"),
    ("mobile", "i2"),
    ("charge", "i2"),  # explodes: can be detonated, and does so when destroyed
    ("automate", "i2"),
    ("limit", "i2"),  # how many of its group one hero may have at a time
    ("group", "i2"),  # summons of one group share the limit
    ("spell", "i2"),  # spell id of its slot 0, NO_SPELL for none
    ("aura", "i2"),
    ("aura_radius", "i2"),
    ("aura_value", "i1"),
    ("shape", "i2"),  # area of its explosion, or of its blow at its turn's end
    ("size", "i2"),
    ("first", "i2"),  # effects of the explosion, or of the blow at its turn's end
    ("count", "i2"),
)
TRAP = record(
    ("shape", "i2"),
    ("size", "i2"),
    ("turns", "i1"),
    ("first", "i2"),
    ("count", "i2"),
)
BONUS = record(("value", "i2"), ("turns", "i1"))
MAP = record(
    ("terrain", "u1", CELLS),
    ("playable", "u1", CELLS),
    ("obstacle", "u1", CELLS),
    ("zone", "u1", CELLS),  # 0 none, 1 camp 0's, 2 camp 1's
    ("untrodden", "u1", CELLS + 1),  # UNREACHED where playable, else TAKEN
    ("backdrop", "i1", (2, 4, CELLS)),  # by camp: obstacle, void, own zone, their zone
    ("playable_count", "i2"),
    ("playable_cell", "i2", CELLS),  # the playable cells in order, then -1
    ("zone_count", "i2", 2),
    ("zone_cell", "i2", (2, MAX_ZONE)),
    ("neighbour", "i2", (CELLS, 4)),  # north, west, east, south playable cell or -1
    ("sight", "u1", (CELLS, CELLS)),  # between playable cells (S4, S5)
)
SUMMON_COUNT = 11
TRAP_COUNT = 5
NO_SPELL = 255
RULEBOOK = record(
    ("effect", EFFECT, MAX_EFFECTS),
    ("spell", SPELL, SPELL_COUNT),
    ("cls", CLASS, CLASS_COUNT),
    ("summon", SUMMON, SUMMON_COUNT),  # id 0 is unused
    ("trap", TRAP, TRAP_COUNT + 1),  # id 0 is unused
    ("bonus", BONUS, len(Bonus)),
    ("distance", "i1", (CELLS, CELLS)),
    ("maps", MAP, MAP_COUNT),
)


class Rulebook(np.ndarray):
    """A (1,) RULEBOOK array that kernels take like any other although it is read-only."""
