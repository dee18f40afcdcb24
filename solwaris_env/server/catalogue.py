"""The catalogue: all that the game contains, in numbers and in two languages."""

from functools import cache
from typing import Any

from ..duel.content.describe import class_data, map_data, offset, summon_data, trap_data
from ..duel.content.loader import RULES_VERSION, content, rulebook, rulebook_hash
from ..duel.content.schema import HEIGHT, WIDTH
from ..duel.content.sheets import BonusSheet, MapSheet
from ..duel.engine.damage import CRITICAL_CHANCE
from ..duel.engine.displacement import COLLISION
from ..duel.engine.state import BID_STEP, TOUR_LIMIT
from ..duel.engine.timed import RESISTANCE_CAP
from .clocks import LIMITS

PARTS = ("classes", "summons", "traps", "bonuses", "maps")
CONSTANTS = {
    "tour_limit": TOUR_LIMIT,
    "bid_step": BID_STEP,
    "critical_chance": CRITICAL_CHANCE,
    "most_resistance": RESISTANCE_CAP,
    "collision": COLLISION,
}


@cache
def catalogue() -> dict[str, Any]:
    """The whole catalogue as plain data."""
    book = content()
    return {
        "rules": RULES_VERSION,
        "rulebook": rulebook_hash(rulebook()),
        "canvas": {"height": HEIGHT, "width": WIDTH},
        "classes": [class_data(sheet, book) for sheet in book.classes],
        "summons": [summon_data(sheet, book) for sheet in book.summons],
        "traps": [trap_data(sheet, book) for sheet in book.traps],
        "bonuses": [_bonus_data(sheet) for sheet in book.bonuses],
        "maps": [_map(sheet) for sheet in book.maps],
        "clocks": LIMITS,
        "constants": CONSTANTS,
    }


def _bonus_data(sheet: BonusSheet) -> dict[str, Any]:
    return {
        "id": sheet.id,
        "name": sheet.name,
        "value": sheet.value,
        "turns": sheet.turns,
        "text": sheet.text,
        "texte": sheet.texte,
    }


def _map(sheet: MapSheet) -> dict[str, Any]:
    """A map, and its drawing on the whole canvas: `[row, column]` of a view index it."""
    top, left = offset(sheet)
    canvas = [" " * WIDTH] * HEIGHT
    for number, row in enumerate(sheet.rows):
        canvas[top + number] = f"{' ' * left}{row}".ljust(WIDTH)
    ground = str.maketrans("12_", ".. ")
    return {
        **map_data(sheet),
        "terrain": [row.translate(ground) for row in canvas],
        "zones": ["".join(s if s in "12" else "." for s in row) for row in canvas],
    }
