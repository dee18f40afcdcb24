"""From an entity's kind to its sheet: kinds are numbered heroes' classes first, then summons."""

from .content.loader import content
from .content.sheets import ClassSheet, SummonSheet
from .engine.state import SUMMON_BASE


def class_of(kind: int) -> ClassSheet:
    """The class of a hero's kind, which is 1 and more."""
    return content().classes[int(kind) - 1]


def summon_of(kind: int) -> SummonSheet:
    """The sheet of a summon's kind, which is above SUMMON_BASE."""
    return content().summons[int(kind) - SUMMON_BASE - 1]


def sheet_of(kind: int) -> ClassSheet | SummonSheet:
    """The sheet of an entity's kind, be it a hero's or a summon's."""
    return class_of(kind) if kind < SUMMON_BASE else summon_of(kind)
