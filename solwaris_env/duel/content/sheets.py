"""The content as frozen Python objects: what the data files say, checked and named.

Every sheet has `id` (ASCII), `name` (as the author wrote it) and `facts`, which maps
each fact's path in its table (`cost`, `effects[0].kind`) to SOURCE or RECONSTRUCTION.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from ...errors import SolwarisError
from .schema import Aura, Bonus, Kind, On, Passive, Shape, Target

SOURCE = "source"
RECONSTRUCTION = "reconstruction"
LONG = 63  # the longest range a sheet may state: beyond every distance on the canvas
Facts = Mapping[str, str]


class ContentError(SolwarisError):
    """A content file is faulty; the message names the file, the key and the reason."""


@dataclass(frozen=True)
class Effect:
    """One effect; a, b, c mean what `Kind` says of its kind."""

    kind: Kind
    on: On
    turns: int = 0
    a: int = 0
    b: int = 0
    c: int = 0
    below: int = 0
    steal: int = 0
    per_loss: int = 0
    flags: int = 0


@dataclass(frozen=True)
class Area:
    """A shape and its size in cells."""

    shape: Shape
    size: int


NO_AREA = Area(Shape.NONE, 0)


@dataclass(frozen=True)
class Spell:
    """One version of a slot's spell, or a summon's spell (`slot` and `variant` are 0 then)."""

    id: str
    name: str
    number: int  # its index in the Rulebook
    slot: int  # 0-7
    variant: bool
    cost: int
    hp_cost: int
    range_min: int
    range_max: int
    line: bool
    sight: bool
    target: Target
    area: Area
    from_departure: bool
    per_turn: int
    cooldown: int
    effects: tuple[Effect, ...]
    text: str
    texte: str
    facts: Facts


@dataclass(frozen=True)
class PassiveSheet:
    """One version of a class's passive."""

    id: str
    name: str
    kind: Passive
    value: int
    value2: int
    text: str
    texte: str
    facts: Facts


@dataclass(frozen=True)
class ClassSheet:
    """A class; `spells` holds slot 0 original, slot 0 variant, slot 1 original, ..."""

    id: str
    name: str
    number: int
    idea: str
    idee: str
    hints: tuple[str, ...]
    hp: int
    ap: int
    mp: int
    ap_resist: int
    mp_resist: int
    passives: tuple[PassiveSheet, PassiveSheet]
    spells: tuple[Spell, ...]
    facts: Facts


@dataclass(frozen=True)
class SummonSheet:
    """Anything a spell puts on a cell; `effects` are its explosion, or its blow at turn's end."""

    id: str
    name: str
    number: int
    group: str
    limit: int
    hp: int
    ap: int
    mp: int
    mobile: bool
    charge: bool
    automate: bool
    spell: str | None
    aura: Aura
    aura_radius: int
    aura_value: int
    area: Area
    effects: tuple[Effect, ...]
    text: str
    texte: str
    facts: Facts


@dataclass(frozen=True)
class TrapSheet:
    """A trap; its effects fall on whoever enters its area."""

    id: str
    name: str
    number: int
    area: Area
    turns: int
    effects: tuple[Effect, ...]
    text: str
    texte: str
    facts: Facts


@dataclass(frozen=True)
class BonusSheet:
    """A kind of terrain bonus."""

    id: str
    name: str
    kind: Bonus
    value: int
    turns: int
    text: str
    texte: str
    facts: Facts


@dataclass(frozen=True)
class MapSheet:
    """A map; `rows` are its drawing, equally long, void as spaces."""

    id: str
    name: str
    number: int
    idea: str
    playable: int
    rows: tuple[str, ...]
    facts: Facts


@dataclass(frozen=True)
class Content:
    """Everything the game contains, each tuple in the order of the Rulebook's numbers."""

    classes: tuple[ClassSheet, ...]
    spells: tuple[Spell, ...]
    summons: tuple[SummonSheet, ...]
    traps: tuple[TrapSheet, ...]
    bonuses: tuple[BonusSheet, ...]
    maps: tuple[MapSheet, ...]
