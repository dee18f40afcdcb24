"""What requests and answers hold, as the OpenAPI document tells it; the view has its own file."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from ..duel.content.schema import SLOTS
from .fields import Cell, ClassId, Coins, MapId, Part, Seat, View

Name = Annotated[str, StringConstraints(max_length=40, pattern=r"^[^\x00-\x1f\x7f]*$")]
Code = Literal[
    "bad_range",
    "bad_request",
    "forbidden",
    "full",
    "hidden",
    "illegal_action",
    "internal",
    "invalid",
    "method_not_allowed",
    "no_spectators",
    "not_found",
    "not_over",
    "not_your_turn",
    "over",
    "rate_limited",
    "refused_opponent",
    "stale",
    "too_large",
    "too_many_connections",
    "too_many_duels",
    "too_slow",
    "unauthorized",
    "unavailable",
]
Slot = Annotated[int, Field(ge=0, lt=SLOTS, strict=True)]


class ErrorBody(Part):
    """What went wrong."""

    code: Code = Field(description="A fixed word to branch on.", examples=["illegal_action"])
    message: str = Field(description="One sentence for people.")


class ErrorAnswer(Part):
    """The answer of every request that fails."""

    error: ErrorBody


class PlaceAction(Part):
    """Choose the start cell."""

    type: Literal["place"]
    cell: Cell


class GoAction(Part):
    """Walk to a cell in reach."""

    type: Literal["go"]
    cell: Cell


class CastAction(Part):
    """Cast the spell of a slot, 0 to 7, at a cell; a summon's own spell is in slot 0."""

    type: Literal["cast"]
    slot: Slot
    cell: Cell


class PassAction(Part):
    """End the turn, or decline to bid."""

    type: Literal["pass"]


class RaiseAction(Part):
    """Raise the bid by one step."""

    type: Literal["raise"]


class ForfeitAction(Part):
    """Give up."""

    type: Literal["forfeit"]


Action = Annotated[
    PlaceAction | GoAction | CastAction | PassAction | RaiseAction | ForfeitAction,
    Field(discriminator="type"),
]


class TimeUp(Part):
    """Not an action: the clock of the acting seat ran out (T11)."""

    type: Literal["time_up"]


ToldAction = Annotated[
    PlaceAction | GoAction | CastAction | PassAction | RaiseAction | ForfeitAction | TimeUp,
    Field(discriminator="type"),
]


class NewSeat(Part):
    """A seat of a new duel; class, loadout and purse are drawn where null or left out."""

    player: Name = Field(
        default="human", description="human, or an opponent's name.", examples=["greedy"]
    )
    name: Name | None = Field(
        default=None, description="How the player is called. Null: as `player` has it."
    )
    class_: ClassId | None = Field(default=None, alias="class", description="Class.")
    loadout: list[bool] | None = Field(
        default=None,
        description="For slots 1-8, then the passive: whether to take the variant.",
        min_length=SLOTS + 1,
        max_length=SLOTS + 1,
    )
    purse: Coins | None = Field(default=None, description="Coins for the auction.")


class NewDuel(Part):
    """A duel to begin; map and seed are drawn where null or left out, stakes where null."""

    seats: list[NewSeat] = Field(
        description="Two seats, or four: seats 0 and 2 against 1 and 3.",
        min_length=2,
        max_length=4,
        examples=[[{"player": "human", "class": "ombre"}, {"player": "greedy"}]],
    )
    map: MapId | None = Field(default=None, description="Map.")
    stakes: Coins | None = Field(default=0, description="Coins at stake.")
    seed: int | None = Field(
        default=None,
        description="Number that all chance comes from; who knows it can foresee the dice.",
        ge=0,
        lt=1 << 64,
        strict=True,
    )
    clocks: bool = Field(default=True, description="Whether the rules' clocks run.")
    spectators: bool = Field(default=True, description="Whether anybody may look on.")
    wait: bool = Field(
        default=False,
        description="Whether to wait for every person to come, an hour at most: until then no "
        "clock runs and nobody is away.",
    )
    pace: float = Field(
        default=0.0, description="Least seconds between two actions of an opponent.", ge=0, le=3
    )


class Act(Part):
    """An action to take."""

    action: Action
    seq: int | None = Field(
        default=None,
        description="The duel's seq as the player knows it; another one is refused as stale.",
        ge=0,
        strict=True,
    )


class DecisionWish(Part):
    """A decision to make for a duel that the frontend runs itself."""

    opponent: Name = Field(description="Name of the opponent.", examples=["expert"])
    view: View
    alternatives: int = Field(
        default=0,
        description="How many of the likeliest actions to tell, up to 50. Opponents that tell no "
        "probabilities tell of one, their choice.",
        ge=0,
        le=50,
        strict=True,
    )
    temperature: float | None = Field(
        default=None,
        description="Of a policy: 0 takes the best action of the likeliest kind (to cast, to walk "
        "or be placed, to pass, to raise), 1 draws as it was trained, null is what its file says. "
        "Other opponents ignore it.",
        ge=0,
        le=100,
    )


class ViewWish(Part):
    """A view to check."""

    view: View


class ReplayWish(Part):
    """A replay file to show."""

    replay: dict[str, Any]
    from_: int = Field(default=0, alias="from", ge=0, le=1_000_000, strict=True)
    limit: int = Field(default=100, ge=1, le=100, strict=True)
    seat: Seat | None = None


class Event(Part):
    """Something that happened, as far as the viewer may know of it."""

    kind: str = Field(examples=["damage"])
    actor: int | None = Field(description="Entity it happened to, or who did it.")
    actor_kind: str | None = Field(examples=["hero:brute"])
    target: int | None
    target_kind: str | None
    cause: str | None = Field(description="Spell's id, trap:ID or bonus.")
    cell: Cell | None
    value: int | None
    value2: int | None
    text: str = Field(description="The same in words.")
    what: str | None = Field(default=None, description="What a number stands for, by name.")


class Step(Part):
    """A transition of the duel."""

    seq: int = Field(description="Its number, from 1 on.")
    seat: int = Field(description="Seat that acted.")
    action: ToldAction | None = Field(description="What it did; null: not for the viewer to know.")
    events: list[Event]


class Legal(Part):
    """The legal actions of the seat that is to act."""

    go: list[Cell] = Field(description="Cells in reach.")
    place: list[Cell] = Field(description="Free cells of the start zone.")
    cast: list[list[Cell]] = Field(description="For each slot, the cells it can be aimed at.")
    pass_: bool = Field(
        alias="pass", description="Whether the turn can be ended, or a bid declined."
    )
    raise_: bool = Field(alias="raise", description="Whether the bid can be raised.")
    forfeit: bool = Field(description="Whether one can give up.")


class SeatState(Part):
    """Who plays a seat."""

    seat: int
    camp: int
    player: str
    name: str
    present: bool
    resigned: bool


class ClockState(Part):
    """The clock that runs."""

    kind: Literal["placement", "auction", "turn", "summon"]
    seat: int
    limit: float = Field(description="Seconds it gives.")
    left: float = Field(description="Seconds left.")


class AwayState(Part):
    """A player who is away."""

    seat: int
    left: float = Field(description="Seconds until he has given up.")


class OutcomeState(Part):
    """How the duel ended."""

    winner: int | None = Field(description="Camp, null for a draw.")
    termination: str
    tours: int
    rewards: list[float] = Field(description="A seat's +1, -1 or 0.")
    price_paid: list[int]
    hp_share: list[float] = Field(description="Share of its HP that each camp kept.")
    quitter: int | None = Field(description="Camp that gave up.")
    rewarded: list[bool] = Field(description="Whether a seat keeps XP, coins, loot (Q1, Q2).")
    rating_counts: list[bool] = Field(description="Whether the duel moves a seat's rating.")


class State(Part):
    """A hosted duel as a seat, or a spectator, may know it."""

    duel: str
    seq: int = Field(description="How many transitions have happened.")
    seat: int | None = Field(description="Whose state this is, null: a spectator's.")
    over: bool
    clocks: bool
    spectators: bool = Field(description="Whether anybody may look on.")
    seats: list[SeatState]
    waiting: list[int] = Field(description="Seats whose player the duel waits for.")
    clock: ClockState | None
    away: list[AwayState] | None
    view: View
    legal: Legal | None = Field(description="Told to the seat that is to act.")
    outcome: OutcomeState | None
    seed: str | None = Field(description="Told once the duel is over, as decimal digits.")


class Created(Part):
    """A duel that was begun."""

    duel: str
    secrets: list[str | None] = Field(description="Of each human seat; told this once.")
    links: dict[str, str]
    state: State


class Acted(Part):
    """An action that is on the disk."""

    seq: int
    events: list[Event]
    state: State


class Steps(Part):
    """Transitions, in order."""

    seq: int
    steps: list[Step]


class Frame(Part):
    """A moment of a replay."""

    seq: int
    seat: int | None = Field(description="Seat that acted.")
    action: ToldAction | None
    text: str | None
    events: list[Event]
    view: View


class Frames(Part):
    """Moments of a replay."""

    total: int
    frames: list[Frame]


class Choice(Part):
    """An action and how probable the opponent finds it."""

    action: Action
    text: str
    probability: float | None = Field(
        description="Of a policy's: at the temperature that it decides at; where that is 0, at 1."
    )


class DecisionAnswer(Choice):
    """What the opponent does."""

    value: float | None = Field(description="A policy's estimate of the outcome, -1 to 1.")
    alternatives: list[Choice] = Field(description="The likeliest first.")
    legal_actions: int = Field(description="How many actions were legal.")
    opponent: str


class CheckedView(Part):
    """A view that is in order."""

    view: View
    legal: Legal


class Texts(Part):
    """A text in both languages."""

    fr: str = Field(description="French.")
    en: str = Field(description="English.")


class OpponentInfo(Part):
    """An opponent on offer."""

    name: str
    kind: Literal["policy", "search", "scripted"]
    title: Texts = Field(description="What to call it on a screen.")
    about: Texts = Field(description="How it plays, in a line.")
    level: str | None
    rating: float | None = Field(description="Elo as its file states it.")
    interval: str | None = Field(description="95 % interval of the rating.")
    scale: str | None = Field(description="What the rating is measured against.")
    probabilities: bool = Field(description="Whether it tells probabilities: a policy does.")
    metadata: dict[str, str]


class Opponents(Part):
    """The opponents on offer."""

    opponents: list[OpponentInfo]


class Health(Part):
    """Whether the server is well."""

    status: Literal["ok", "failing", "stopping"] = Field(
        description="`failing`: the log refused the last that was to be written."
    )
    version: str
    rules: str
    duels: int = Field(description="Running now.")
