"""The action layout: index <-> named action <-> text. Nothing else knows the numbers.

`Discrete(9 * N + 3)` with N = 504 cells: `slot * N + cell` casts, `8 * N + cell` goes (or
places, before the fight), then pass, raise, forfeit.
"""

from typing import Any

from ..errors import SolwarisError
from .content.schema import CELLS, HEIGHT, SLOTS, WIDTH
from .engine.legality import ACTIONS, FORFEIT, GO, PASS, RAISE

__all__ = [
    "ACTIONS",
    "FORFEIT",
    "GO",
    "PASS",
    "RAISE",
    "ActionError",
    "cell_name",
    "decode",
    "encode",
    "parse_action",
    "parse_cell",
    "to_text",
]
_PLAIN = {"pass": PASS, "raise": RAISE, "forfeit": FORFEIT}
_SLOT_NUMBERS = tuple(str(slot + 1) for slot in range(SLOTS))
_PLAIN_NAMES = {index: name for name, index in _PLAIN.items()}


class ActionError(SolwarisError):
    """A named action or its text does not say an action."""


def cell_name(cell: int) -> str:
    """Name of a cell index: row letter and column number, `h12`."""
    return f"{chr(ord('a') + cell // WIDTH)}{cell % WIDTH + 1}"


def parse_cell(text: str) -> int:
    """Cell index of a name such as `h12`.

    Raises ActionError when it is not a cell of the canvas.
    """
    letter = text[:1].lower()
    row = ord(letter) - ord("a") if len(letter) == 1 else -1
    digits = text[1:]
    plain = len(digits) <= 2 and digits.isascii() and digits.isdecimal()
    column = int(digits) - 1 if plain else -1
    if not (0 <= row < HEIGHT and 0 <= column < WIDTH):
        last = cell_name(CELLS - 1)
        raise ActionError(
            f"{text!r:.40} is not a cell: expected row letter and column, a1 to {last}"
        )
    return row * WIDTH + column


def decode(index: int, placing: bool = False) -> dict[str, Any]:
    """Named action of an index; `placing` says that going means placing (P1).

    Raises ActionError when the index is out of range.
    """
    if not 0 <= index < ACTIONS:
        raise ActionError(f"action {index} is out of range 0..{ACTIONS - 1}")
    if index in _PLAIN_NAMES:
        return {"type": _PLAIN_NAMES[index]}
    slot, cell = divmod(int(index), CELLS)
    where = [cell // WIDTH, cell % WIDTH]
    if slot == SLOTS:
        return {"type": "place" if placing else "go", "cell": where}
    return {"type": "cast", "slot": slot, "cell": where}


def encode(action: dict[str, Any]) -> int:
    """Index of a named action.

    Raises ActionError naming the key that is missing or wrong.
    """
    if not isinstance(action, dict):
        raise ActionError(f"an action is an object with a type, not {action!r:.40}")
    kind = action.get("type")
    if isinstance(kind, str) and kind in _PLAIN:
        wanted = {"type"}
    elif kind in ("go", "place"):
        wanted = {"type", "cell"}
    elif kind == "cast":
        wanted = {"type", "slot", "cell"}
    else:
        known = "cast, go, place, " + ", ".join(_PLAIN)
        raise ActionError(f"action type {action.get('type')!r:.40} is not one of {known}")
    for key in wanted ^ set(action):
        state = "lacks" if key in wanted else "does not take"
        raise ActionError(f"action {kind!r} {state} the key {key!r:.40}")
    if kind in _PLAIN:
        return _PLAIN[kind]
    cell = action["cell"]
    if not (
        isinstance(cell, list | tuple)
        and len(cell) == 2
        and all(isinstance(x, int) and not isinstance(x, bool) for x in cell)
        and 0 <= cell[0] < HEIGHT
        and 0 <= cell[1] < WIDTH
    ):
        raise ActionError(
            f"action cell {cell!r:.40} is not [row 0..{HEIGHT - 1}, column 0..{WIDTH - 1}]"
        )
    slot = SLOTS
    if kind == "cast":
        slot = action["slot"]
        if not isinstance(slot, int) or isinstance(slot, bool) or not 0 <= slot < SLOTS:
            raise ActionError(f"action slot {slot!r:.40} is not 0..{SLOTS - 1}")
    return slot * CELLS + cell[0] * WIDTH + cell[1]


def to_text(index: int, placing: bool = False) -> str:
    """Text of an action: `cast 3 h12` (slots from 1), `go h12`, `place h12`, `pass` ...

    Raises ActionError when the index is out of range.
    """
    action = decode(index, placing)
    if "cell" not in action:
        return action["type"]
    name = cell_name(action["cell"][0] * WIDTH + action["cell"][1])
    if action["type"] == "cast":
        return f"cast {action['slot'] + 1} {name}"
    return f"{action['type']} {name}"


def parse_action(text: str) -> int:
    """Index of an action's text.

    Raises ActionError when the text does not say an action.
    """
    words = text.split()
    if len(words) == 1 and words[0] in _PLAIN:
        return _PLAIN[words[0]]
    if len(words) == 2 and words[0] in ("go", "place"):
        return GO + parse_cell(words[1])
    if len(words) == 3 and words[0] == "cast":
        slot = int(words[1]) - 1 if words[1] in _SLOT_NUMBERS else -1
        if not 0 <= slot < SLOTS:
            raise ActionError(f"{words[1]!r:.40} is not a slot: expected 1 to {SLOTS}")
        return slot * CELLS + parse_cell(words[2])
    raise ActionError(
        f"{text!r:.40} is not an action: expected `cast SLOT CELL`, `go CELL`, `place CELL`, "
        "`pass`, `raise` or `forfeit`"
    )
