"""The view that travels as JSON: every field with its bounds, its meaning and an example.

The published schema (`/v1/view/schema`) and docs/view.md are made from these models, so that
a view can be built by somebody who never saw the code.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from ..duel.content.loader import CLASSES, RULES_VERSION
from ..duel.content.maps import MAPS
from ..duel.content.schema import HEIGHT, SLOTS, WIDTH
from ..duel.engine.state import BID_STEP, MAX_ENTITIES, MAX_TIMED, MAX_TRAPS, TOUR_LIMIT
from ..duel.options import MOST_COINS

VIEW_SCHEMA = "solwaris-view"
VIEW_VERSION = 1
MOST_POINTS = 60
MOST_HP = 2000
MOST_VALUE = 1000

Row = Annotated[int, Field(ge=0, lt=HEIGHT, strict=True)]
Column = Annotated[int, Field(ge=0, lt=WIDTH, strict=True)]
Cell = tuple[Row, Column]
Seat = Annotated[int, Field(ge=0, le=3, strict=True)]
Camp = Annotated[int, Field(ge=0, le=1, strict=True)]
EntityIndex = Annotated[int, Field(ge=0, lt=MAX_ENTITIES, strict=True)]
Coins = Annotated[int, Field(ge=0, le=MOST_COINS, strict=True)]
Points = Annotated[int, Field(ge=0, le=MOST_POINTS, strict=True)]
Turns = Annotated[int, Field(ge=0, le=99, strict=True)]
Count = Annotated[int, Field(ge=0, le=9, strict=True)]
Value = Annotated[int, Field(ge=-MOST_VALUE, le=MOST_VALUE, strict=True)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=40)]
ClassId = Literal[CLASSES]
MapId = Literal[MAPS]
PhaseName = Literal["placement", "auction", "fight", "over"]
EffectName = Literal[
    "armour", "resistance", "power", "range", "poison", "anchor", "delayed", "bonus_power"
]
SLOT_LIST = {"min_length": SLOTS, "max_length": SLOTS}


def example(meaning: str, *values: Any, **bounds: Any) -> Any:
    """A required field: its meaning and examples."""
    return Field(description=meaning, examples=list(values), **bounds)


def optional(default: Any, meaning: str, *values: Any, **bounds: Any) -> Any:
    """A field that may be left out: its default, meaning and examples."""
    if isinstance(default, list):
        return Field(
            default_factory=lambda: list(default),
            description=meaning,
            examples=list(values),
            **bounds,
        )
    return Field(default=default, description=meaning, examples=list(values), **bounds)


class Part(BaseModel):
    """What all parts share: a key that no field has is an error, not overlooked."""

    model_config = ConfigDict(extra="forbid")


class Auction(Part):
    """The auction of the initiative (A1-A6)."""

    drawn_camp: Camp = example("Camp that the draw named to play first (A1).", 0)
    price: Coins = optional(
        0, f"Coins of the last bid, 0 before any; each is {BID_STEP} more (A2).", 100
    )
    bidder: Camp | None = optional(None, "Camp of the last bid, null before any.", 1)


class Hero(Part):
    """What a player brings into the duel and what his turn has used."""

    seat: Seat = example("Seat: even ones are camp 0, odd ones camp 1.", 0)
    class_: ClassId = Field(
        alias="class", description="Class, see the catalogue.", examples=["ombre"]
    )
    variants: list[bool] = optional(
        [False] * (SLOTS + 1),
        "Nine truth values: for slots 1-8 and then the passive, whether the variant is in hand. "
        "Everybody sees them (V3).",
        [False, True, False, False, False, False, False, False, True],
        min_length=SLOTS + 1,
        max_length=SLOTS + 1,
    )
    placed: bool | None = optional(
        None,
        "Whether the hero has chosen its start cell (P1). Null: in the placement those before "
        "to_act have, later all.",
        True,
    )
    purse: Coins = optional(0, "Coins left for the auction (A5).", 500)
    cooldowns: list[Turns] = optional(
        [0] * SLOTS,
        "Own turns until each slot can be cast again, 0: now (T10).",
        [0, 0, 2, 0, 0, 0, 0, 0],
        **SLOT_LIST,
    )
    used: list[Count] = optional(
        [0] * SLOTS,
        "Casts of each slot in its turn being played, else in its last one; they count for spells "
        "with a limit a turn.",
        [1, 0, 0, 0, 0, 0, 0, 0],
        **SLOT_LIST,
    )
    turn_start: Cell | None = optional(
        None,
        "Cell where its last turn began; only the spell Retour needs it. Null: its present cell.",
        [7, 3],
    )
    carried_ap: Points = optional(
        0, "AP kept from the last turn by the passive Flux, added to the next one.", 2
    )
    earned_ap: Points = optional(
        0, "AP earned by taking points away (passive Rouages), added to the next turn.", 1
    )
    spells: list[Id] | None = optional(
        None,
        "Ids of the eight spells in hand. Follows from class and variants: ignored when sent.",
        [
            "dague",
            "invisibilite",
            "piege_a_pointes",
            "piege_de_glu",
            "piege_a_ressort",
            "peur",
            "pas_de_l_ombre",
            "execution",
        ],
    )
    passive: Id | None = optional(None, "Id of the passive in hand: ignored when sent.", "traque")


class Shown(Part):
    """What a screen shows of an entity, computed by the server: ignored when sent."""

    alive: bool = example("Whether it stands, or is yet to be placed.", True)
    ap: int = example("AP in hand in the own turn, else those its next turn will begin with.", 12)
    mp: int = example("MP, likewise.", 6)
    armour: int = example("Sum of its armours.", 10)
    resistance: int = example("Percentage off the damage it takes; below zero: on top.", 20)
    power: int = example("Percentage on top of the damage it deals.", 15)
    range: int = example("Cells that effects add to its spells' greatest range (N12).", 1)


class Entity(Part):
    """Whatever stands, or stood, on a cell: heroes 0-3 (also dead ones), summons from 4 on."""

    index: EntityIndex = example("Its number: a hero's is its seat, summons have 4 to 27.", 0)
    kind: Id = example('"hero", or the id of a summon in the catalogue.', "hero", "automate")
    class_: ClassId | None = Field(
        default=None,
        alias="class",
        description="A hero's class, null for a summon: ignored when sent.",
        examples=["ombre"],
    )
    camp: Camp | None = optional(None, "Camp; follows from the owner: ignored when sent.", 0)
    owner: Seat | None = optional(
        None, "Seat that leads it. A hero's is itself; a summon needs one.", 0
    )
    cell: Cell | None = optional(
        None, "Where it stands; null: unknown to the viewer, not placed yet, or dead.", [7, 3]
    )
    hp: int = example("Hit points, 0: dead.", 210, ge=0, le=MOST_HP, strict=True)
    max_hp: int | None = optional(
        None, "Most hit points; null: the sheet's.", 260, ge=1, le=MOST_HP, strict=True
    )
    ap: Points = optional(0, "AP in hand; 0 outside its own turn.", 12)
    mp: Points = optional(0, "MP in hand; 0 outside its own turn.", 6)
    ap_lost: Points = optional(
        0, "AP taken from it since the end of its last turn, at most 4 can be (R3, R4).", 1
    )
    mp_lost: Points = optional(0, "MP, likewise.", 0)
    ap_debt: Points = optional(
        0, "Of these, AP that its next turn will begin without: those taken outside its turn.", 1
    )
    mp_debt: Points = optional(0, "MP, likewise.", 0)
    ap_gain: Points = optional(0, "AP gained outside its turn, for its next one (N15).", 2)
    mp_gain: Points = optional(0, "MP, likewise.", 0)
    forced: bool = optional(
        False, "Whether it was moved by force since the end of its last turn (for Traque).", False
    )
    invisible: bool = optional(
        False, "Whether it is invisible. The other camp then sees no cell of it (I1).", False
    )
    serial: int | None = optional(
        None,
        "Order in which summons were made (1 first); several play in that order (T6). "
        "Null: in the order of the list.",
        1,
        ge=0,
        le=1 << 20,
        strict=True,
    )
    shown: Shown | None = optional(
        None,
        "What a screen shows of it: ignored when sent.",
        {
            "alive": True,
            "ap": 12,
            "mp": 6,
            "armour": 0,
            "resistance": 0,
            "power": 0,
            "range": 0,
        },
    )


class Effect(Part):
    """A timed effect on an entity; everybody sees it."""

    kind: EffectName = example(
        "armour: value points; resistance, power: value %; range: value cells; poison: value HP "
        "at each of the target's turns; anchor: nothing moves it; delayed: value to value2 damage "
        "when its turns have run; bonus_power: value % by a terrain bonus.",
        "armour",
    )
    target: EntityIndex = example("Entity it lies on.", 0)
    source: Seat = example("Hero whose turns count it down (T10).", 1)
    value: Value = optional(0, "Its number, see kind; 0 for an anchor only.", 20)
    value2: Value = optional(
        0, "Its second number: delayed damage's highest, no less than value.", 0
    )
    turns: Turns = optional(
        1, "Turns of its source until it ends, 1 or more: 1 ends at his next one.", 2
    )
    until: Literal["turns", "own_turn_end"] = optional(
        "turns",
        "own_turn_end: it ends with the target's own next turn, whatever turns, 0 too.",
        "turns",
    )
    cause: Id | None = optional(
        None,
        'What laid it: a spell\'s id, "trap:" and a trap\'s id, or "bonus" (terrain). The same '
        "effect of the same cause and source is renewed rather than added (N2).",
        "cri_de_guerre",
        "trap:fosse",
        "bonus",
    )


class Trap(Part):
    """A trap that the viewer's camp knows of, so one of its own (X1)."""

    kind: Id = example("Id of the trap in the catalogue.", "fosse")
    owner: Seat = example("Seat that laid it.", 0)
    cell: Cell = example("Its centre.", [7, 9])
    turns: Turns = optional(8, "Turns of its owner until it vanishes, 8 to 1 (X3).", 7)
    area: list[Cell] | None = optional(
        None, "Cells that spring it: ignored when sent.", [[7, 9], [7, 10]]
    )


class LaidBonus(Part):
    """A terrain bonus that lies on the board: two at most, of different kinds, where no hero and
    no mobile summon stands (G1, G2)."""

    kind: Literal["ap", "mp", "heal", "armour", "power", "range"] = example("Its kind.", "ap")
    cell: Cell = example("Where it lies.", [3, 9])


class View(Part):
    """What one seat may know of a duel, version 1.

    Cells are [row, column] on a canvas of 18 rows and 28 columns, the same for every map; row 0
    is the top. The maps' drawings on the canvas are in the catalogue. Hidden things are absent:
    traps of the other camp, the cells of its invisible fighters (null), its placements until
    everybody is placed. Once the duel is over only placements that were never told are (N30).
    """

    schema_: Literal[VIEW_SCHEMA] = Field(
        default=VIEW_SCHEMA, alias="schema", description="What this is.", examples=[VIEW_SCHEMA]
    )
    version: Literal[VIEW_VERSION] = optional(VIEW_VERSION, "Version of this schema.", VIEW_VERSION)
    rules: Id = optional(
        RULES_VERSION, "Version of the rules; another one is refused.", RULES_VERSION
    )
    seat: Seat | None = example("Who sees it; null: a spectator.", 0)
    phase: PhaseName = example("What is being decided.", "fight")
    map: MapId = example("Map, see the catalogue.", "caveau")
    team_size: Literal[1, 2] = optional(1, "Heroes a camp: 1 (seats 0, 1) or 2 (seats 0-3).", 1)
    stakes: Coins = optional(0, "Coins at stake; they decide the tour limit (E3).", 0)
    to_act: Seat | None = example("Seat that decides; null: the duel is over.", 0)
    actor: EntityIndex | None = optional(
        None, "Entity that acts in the fight: the hero, or a summon of its; else null.", 0
    )
    turn: int = optional(
        0,
        f"Heroes' turns begun, the present one included; 0 before the fight, at most {TOUR_LIMIT} "
        "for each hero that began it (E3).",
        5,
        ge=0,
        le=4 * TOUR_LIMIT,
        strict=True,
    )
    tour: int | None = optional(None, "Tour being played (T9): ignored when sent.", 3)
    camp_turns: tuple[int, int] | None = optional(
        None,
        "Heroes' turns begun by each camp: in turn, beginning with first_camp (T4). Null: worked "
        "out.",
        [3, 2],
    )
    next_camp: Camp | None = optional(
        None,
        "Camp whose hero plays next: the one that does not act now (T4). Null: worked out, or not "
        "in the fight.",
        1,
    )
    first_camp: Camp | None = optional(
        None,
        "Camp that plays first, or would as the auction stands: bidder, else drawn_camp. Null: "
        "worked out, or still in the placement.",
        0,
    )
    auction: Auction = example("The auction.", {"drawn_camp": 0, "price": 100, "bidder": 1})
    winner: Camp | None = optional(None, "Camp that won; null: none, or a draw.", 0)
    termination: Literal["knockout", "double_knockout", "forfeit", "tour_limit"] | None = optional(
        None, "Why the duel ended (E1-E4).", None
    )
    quitter: Camp | None = optional(None, "Camp that gave up.", 1)
    heroes: list[Hero] = example(
        "One a seat, in order.",
        [{"seat": 0, "class": "ombre"}, {"seat": 1, "class": "brute"}],
        min_length=2,
        max_length=4,
    )
    entities: list[Entity] = example(
        "All heroes, and the summons on the board.",
        [{"index": 0, "kind": "hero", "cell": [7, 3], "hp": 210}],
        min_length=2,
        max_length=MAX_ENTITIES,
    )
    effects: list[Effect] = optional(
        [],
        "Timed effects, in the order in which they were laid.",
        [{"kind": "armour", "target": 0, "source": 0, "value": 20, "turns": 2, "cause": "bonus"}],
        max_length=MAX_TIMED,
    )
    traps: list[Trap] = optional(
        [],
        "Traps that the viewer knows of, oldest first.",
        [{"kind": "fosse", "owner": 0, "cell": [7, 9], "turns": 7}],
        max_length=MAX_TRAPS,
    )
    bonuses: list[LaidBonus] = optional(
        [], "Terrain bonuses.", [{"kind": "ap", "cell": [3, 9]}], max_length=2
    )
