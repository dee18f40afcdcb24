"""Reading one TOML table key by key, so that every fault names its file and its key."""

import re
import tomllib
from enum import IntEnum
from pathlib import Path
from typing import Any, TypeVar

from .sheets import RECONSTRUCTION, SOURCE, ContentError, Facts

E = TypeVar("E", bound=IntEnum)
_SLUG = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_PROSE = ("id", "text", "texte", "idea", "idee", "hints", "source")


def read_text(root: Path, name: str) -> str:
    """The text of the file `name` under `root`, whatever system ended its lines.

    Raises ContentError when it cannot be read.
    """
    try:
        return (root / name).read_bytes().decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        raise ContentError(f"{name}: the file is missing") from None
    except UnicodeDecodeError as error:
        raise ContentError(f"{name}: byte {error.start} is not UTF-8") from None
    except OSError as error:
        raise ContentError(f"{name}: cannot be read: {error.strerror}") from None


def names(kinds: type[IntEnum], leave_out: tuple[str, ...] = ("none",)) -> list[str]:
    """The members of `kinds` as the data files spell them."""
    return [kind.name.lower() for kind in kinds if kind.name.lower() not in leave_out]


class Table:
    """A TOML table under examination.

    Each reader takes a key, checks its type and bounds, and records it as a fact of the
    sheet; `close` refuses what nobody read. All raise ContentError.
    """

    def __init__(
        self,
        file: str,
        data: dict[str, Any],
        path: str = "",
        fact: str = "",
        facts: list[str] | None = None,
    ) -> None:
        self.file = file
        self._data = data
        self._path = path
        self._fact = fact
        self._facts = [] if facts is None else facts
        self._known: set[str] = set()

    def fail(self, key: str, reason: str) -> ContentError:
        """The error for `key` (empty: the table itself), to be raised."""
        where = f"{self._path}.{key}" if self._path and key else self._path or key
        return ContentError(
            f"{self.file}: {where}: {reason}" if where else f"{self.file}: {reason}"
        )

    def has(self, key: str) -> bool:
        """Whether the key, which may be left out, is there."""
        self._known.add(key)
        return key in self._data

    def _take(self, key: str, kind: type, called: str) -> Any:
        if not self.has(key):
            raise self.fail(key, "is missing")
        value = self._data[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.fail(key, f"{value!r} is not {called}")
        if key not in _PROSE and kind not in (dict, list):
            self._facts.append(self._fact + key)
        return value

    def text(self, key: str) -> str:
        """A string with something in it."""
        value = self._take(key, str, "a text")
        if not value.strip():
            raise self.fail(key, "is empty")
        return value

    def slug(self, key: str) -> str:
        """An id: lower-case ASCII words joined by underscores."""
        value = self.text(key)
        if not _SLUG.fullmatch(value):
            raise self.fail(key, f"{value!r} is not lower-case ASCII words joined by '_'")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings."""
        value = self._take(key, list, "a list")
        for index, item in enumerate(value):
            if not isinstance(item, str) or not item.strip():
                raise self.fail(f"{key}[{index}]", f"{item!r} is not a text")
        return tuple(value)

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number from `low` to `high`; `default` when the key may be left out."""
        if default is not None and not self.has(key):
            return default
        value = self._take(key, int, "a whole number")
        if not low <= value <= high:
            raise self.fail(key, f"{value} is not between {low} and {high}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        return self._take(key, bool, "true or false") if self.has(key) else default

    def choice(self, key: str, kinds: type[E], default: E | None = None) -> E:
        """A member of `kinds`, written in lower case."""
        if default is not None and not self.has(key):
            return default
        return kinds[self.one_of(key, names(kinds)).upper()]

    def one_of(self, key: str, allowed: list[str]) -> str:
        """One of the given words."""
        value = self._take(key, str, "a text")
        if value not in allowed:
            raise self.fail(key, f"{value!r} is not one of {', '.join(allowed)}")
        return value

    def table(self, key: str) -> "Table":
        """The table under `key`; its facts belong to this sheet."""
        data = self._take(key, dict, "a table")
        path = f"{self._path}.{key}" if self._path else key
        return Table(self.file, data, path, f"{self._fact}{key}.", self._facts)

    def tables(self, key: str, own_facts: bool = False) -> list["Table"]:
        """The tables of the list under `key`; `own_facts` when each is a sheet of its own."""
        path = f"{self._path}.{key}" if self._path else key
        found = []
        for index, data in enumerate(self._take(key, list, "a list of tables")):
            if not isinstance(data, dict):
                raise self.fail(f"{key}[{index}]", f"{data!r} is not a table")
            fact = "" if own_facts else f"{self._fact}{key}[{index}]."
            facts = None if own_facts else self._facts
            found.append(Table(self.file, data, f"{path}[{index}]", fact, facts))
        return found

    def check_count(self, key: str, found: int, expected: int) -> None:
        """Refuse a list that is not as long as the game needs."""
        if found != expected:
            raise self.fail(key, f"there are {found}, not {expected}")

    def close(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self._data:
            if key not in self._known:
                known = ", ".join(sorted(self._known))
                raise self.fail(key, f"is not a key of this table (it knows {known})")

    def facts(self) -> Facts:
        """Every fact read so far with its provenance, as the key `source` lists it."""
        listed = self.texts("source")
        for index, fact in enumerate(listed):
            if fact not in self._facts:
                raise self.fail(f"source[{index}]", f"{fact!r} is no fact of this table")
            if fact in listed[:index]:
                raise self.fail(f"source[{index}]", f"{fact!r} is listed twice")
        return {fact: SOURCE if fact in listed else RECONSTRUCTION for fact in self._facts}


def read_toml(root: Path, name: str) -> Table:
    """The TOML file `name` under `root` as one Table. Raises ContentError."""
    try:
        return Table(name, tomllib.loads(read_text(root, name)))
    except tomllib.TOMLDecodeError as error:
        raise ContentError(f"{name}: is not TOML: {error}") from None
