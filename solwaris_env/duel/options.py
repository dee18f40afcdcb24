"""Options of a duel, checked: what `reset(options=...)` and the command line may fix."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import SolwarisError
from .content.loader import content
from .content.schema import SLOTS
from .engine.setup import drawn_setup
from .engine.state import HEROES

LONGEST_TOLD = 80  # signs of a wrong value in a message
KEYS = ("map", "classes", "loadouts", "purses", "stakes", "team_size")
MOST_COINS = 1_000_000


class OptionError(SolwarisError):
    """An option of a duel is wrong."""


def _told(value: Any) -> str:
    """A wrong value as a message shows it: on one line and not too long."""
    try:
        line = " ".join(repr(value).split())
    except Exception:  # a `repr` of one's own, or a number of too many digits
        line = f"a value of type {type(value).__name__}"
    return line if len(line) <= LONGEST_TOLD else f"{line[: LONGEST_TOLD - 4]} ..."


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise OptionError(f"option {name}: {_told(value)} is not a whole number")
    if not low <= value <= high:
        raise OptionError(f"option {name}: {_told(value)} is not between {low} and {high}")
    return int(value)


def _named(name: str, value: Any, known: Sequence[str]) -> int:
    if isinstance(value, str) and value in known:
        return known.index(value)
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        if 0 <= value < len(known):
            return int(value)
    raise OptionError(f"option {name}: {_told(value)} is not one of {', '.join(known)}")


def _loadout(name: str, value: Any) -> int:
    """A loadout: nine truth values (slots, then passive), or their bits as a number (V2)."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return _whole(name, value, 0, (1 << (SLOTS + 1)) - 1)
    if isinstance(value, np.ndarray):
        value = value.tolist()  # an array's rows have no truth value, a scalar array no length
    if (
        not isinstance(value, Sequence)
        or isinstance(value, str)
        or len(value) != SLOTS + 1
        or any(
            not isinstance(v, bool | int | np.bool_ | np.integer) or v not in (0, 1) for v in value
        )
    ):
        raise OptionError(
            f"option {name}: {_told(value)} is not {SLOTS + 1} truth values, "
            "one a slot and the passive"
        )
    return sum(int(bool(v)) << i for i, v in enumerate(value))


def _per_seat(name: str, value: Any, seats: int | None) -> list:
    if isinstance(value, np.ndarray) and value.ndim:
        value = list(value)
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise OptionError(f"option {name}: {_told(value)} is not a list with one entry a seat")
    if len(value) not in ((2, 4) if seats is None else (seats,)):
        wanted = "2 or 4 entries" if seats is None else f"{seats} entries"
        raise OptionError(f"option {name}: {len(value)} entries, expected {wanted}, one a seat")
    return list(value)


def is_choice(value: Any, allowed: tuple[int, ...]) -> bool:
    """Whether the value is None or one of the whole numbers allowed."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_)
    return value is None or (whole and value in allowed)


def parse_seed(seed: Any) -> int:
    """A seed as the generator takes it.

    Raises OptionError when it is not a whole number from 0 to 2**64 - 1.
    """
    if isinstance(seed, bool | np.bool_) or not isinstance(seed, int | np.integer):
        raise OptionError(f"seed: {_told(seed)} is not a whole number")
    if not 0 <= seed < 1 << 64:
        raise OptionError(f"seed: {_told(seed)} is not between 0 and 2**64 - 1")
    return int(seed)


def parse_options(options: Mapping[str, Any] | None, team_size: int | None = None) -> np.ndarray:
    """(1,) SETUP of the options; what is missing or None is drawn.

    `map`: id or number; `classes`: id or number per seat; `loadouts`: per seat nine truth
    values or their bits; `purses`: coins per seat; `stakes`: coins, 0 for none; `team_size`:
    1 or 2. An entry of None within a list is drawn too. Raises OptionError.
    """
    if options is not None and not isinstance(options, Mapping):
        raise OptionError(f"options: {_told(options)} is not a mapping")
    given = {key: value for key, value in (options or {}).items() if value is not None}
    for key in given:
        if key not in KEYS:
            raise OptionError(f"option {_told(key)} is unknown: expected {', '.join(KEYS)}")
    setup = drawn_setup(1)
    book = content()
    if "team_size" in given:
        size = _whole("team_size", given["team_size"], 1, 2)
        if team_size is not None and size != team_size:
            raise OptionError(
                f"option team_size: {size}, but the environment was made for {team_size}"
            )
        team_size = size
    seats = None if team_size is None else 2 * team_size
    readers = {
        "classes": ("cls", lambda n, v: _named(n, v, [c.id for c in book.classes])),
        "loadouts": ("loadout", _loadout),
        "purses": ("purse", lambda n, v: _whole(n, v, 0, MOST_COINS)),
    }
    for key, (field, read) in readers.items():
        if key not in given:
            continue
        entries = _per_seat(key, given[key], seats)
        seats = len(entries)
        for seat, entry in enumerate(entries):
            if entry is not None:
                setup[field][0, seat] = read(f"{key}[{seat}]", entry)
    if seats is not None:
        setup["team_size"] = seats // 2
    if "map" in given:
        setup["map"] = _named("map", given["map"], [m.id for m in book.maps])
    if "stakes" in given:
        setup["stakes"] = _whole("stakes", given["stakes"], 0, MOST_COINS)
    return setup


def describe_setup(setup: np.ndarray) -> dict[str, Any]:
    """The options that `parse_options` would read back from a (1,) SETUP."""
    one = setup[0]
    book = content()
    found: dict[str, Any] = {}
    if one["map"] >= 0:
        found["map"] = book.maps[one["map"]].id
    if one["team_size"] > 0:
        found["team_size"] = int(one["team_size"])
    if one["stakes"] >= 0:
        found["stakes"] = int(one["stakes"])
    seats = HEROES if one["team_size"] != 1 else 2
    for key, field in (("classes", "cls"), ("loadouts", "loadout"), ("purses", "purse")):
        values = [int(v) for v in one[field][:seats]]
        if any(v >= 0 for v in values):
            if key == "classes":
                found[key] = [book.classes[v].id if v >= 0 else None for v in values]
            else:
                found[key] = [v if v >= 0 else None for v in values]
    return found


__all__ = ["KEYS", "OptionError", "describe_setup", "is_choice", "parse_options", "parse_seed"]
