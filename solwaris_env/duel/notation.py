"""A text that says a duel's whole state, and back.

One line a part, only what differs from a blank record:

    solwaris 1.3.0
    state rng=81985529216486895 phase=2 map=3 team_size=1 seat=0 ...
    hero 0 cls=3 spell=48,50,52,54,56,58,60,62 ...
    entity 0 kind=4 cell=h12 hp=212 max_hp=300 ...
    trap 0 kind=2 owner=0 turns=7 cell=h14
"""

import numpy as np

from ..errors import SolwarisError
from .check import find_fault
from .codec import ActionError, cell_name, parse_cell
from .content.loader import RULES_VERSION, rulebook
from .content.schema import CELLS
from .engine.state import STATE

_PARTS = ("hero", "entity", "bonus", "trap", "timed")
_DERIVED = "occupant"


class _Cells:
    """Bounds of a cell's number; -1 is on no cell."""

    min, max = -1, CELLS - 1


class NotationError(SolwarisError):
    """A text that does not say a state."""


def _blank() -> np.ndarray:
    blank = np.zeros(1, STATE)
    blank["entity"]["cell"] = -1
    return blank


def _write(record: np.void, blank: np.void, names: tuple[str, ...]) -> list[str]:
    words = []
    for name in names:
        value, usual = record[name], blank[name]
        if np.array_equal(value, usual):
            continue
        if name == "cell" and value >= 0:
            words.append(f"cell={cell_name(int(value))}")
        elif np.ndim(value):
            words.append(f"{name}={','.join(str(int(v)) for v in value)}")
        else:
            words.append(f"{name}={int(value)}")
    return words


def to_notation(state: np.void) -> str:
    """The text of a STATE record."""
    state, blank = np.asarray(state, STATE), _blank()[0]
    top = tuple(n for n in STATE.names if n not in (*_PARTS, _DERIVED))
    lines = [f"solwaris {RULES_VERSION}", " ".join(["state", *_write(state, blank, top)])]
    for part in _PARTS:
        for index in range(len(blank[part])):
            here, usual = state[part][index], blank[part][index]
            words = _write(here, usual, here.dtype.names)
            if words:
                lines.append(" ".join([part, str(index), *words]))
    return "\n".join(lines) + "\n"


def from_notation(text: str) -> np.record:
    """The STATE record that a text says.

    Raises NotationError naming the line that does not read.
    """
    lines = text.strip().split("\n")
    if lines[0].split() != ["solwaris", RULES_VERSION]:
        raise NotationError(f"line 1: expected 'solwaris {RULES_VERSION}', found {lines[0]!r}")
    made = _blank()
    for number, line in enumerate(lines[1:], 2):
        words = line.split()
        try:
            if words and words[0] == "state":
                _read(made[0], words[1:])
            elif words and words[0] in _PARTS:
                index = int(words[1])
                if not 0 <= index < len(made[words[0]][0]):
                    raise ValueError(f"{words[0]} {index} does not exist")
                _read(made[words[0]][0, index], words[2:])
            else:
                raise ValueError("it names no part of a state")
        except (ValueError, IndexError, OverflowError) as error:
            raise NotationError(f"line {number}: {line[:60]!r} does not read: {error}") from error
    made["occupant"] = -1
    for index, entity in enumerate(made["entity"][0]):
        if entity["kind"] != 0 and entity["cell"] >= 0:
            if made["occupant"][0, entity["cell"]] >= 0:
                raise NotationError(f"entity {index} stands where another one stands")
            made["occupant"][0, entity["cell"]] = index
    fault = find_fault(made, rulebook())
    if fault:
        raise NotationError(f"the text says no duel: {fault}")
    return made[0]


def _read(record: np.void, words: list[str]) -> None:
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or name not in record.dtype.names or name in (*_PARTS, _DERIVED):
            raise ValueError(f"{word!r} is not a field of it")
        field = record.dtype[name]
        if name == "cell" and not value.lstrip("-").isdigit():
            try:
                record[name] = parse_cell(value)
            except ActionError as error:
                raise ValueError(str(error)) from error
            continue
        numbers = [int(v) for v in value.split(",")]
        limits = np.iinfo(field.base)
        if name == "cell":
            limits = _Cells
        if any(not limits.min <= n <= limits.max for n in numbers):
            raise ValueError(f"{word!r} is out of bounds")
        if field.shape:
            if len(numbers) != field.shape[0]:
                raise ValueError(f"{name} takes {field.shape[0]} numbers")
            record[name] = numbers
        elif len(numbers) == 1:
            record[name] = numbers[0]
        else:
            raise ValueError(f"{name} takes one number")
