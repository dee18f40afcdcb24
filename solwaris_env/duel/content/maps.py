"""Reading maps: a short header of `key: value` lines, then the drawing.

In a drawing '.' is floor, ' ' or '_' void, W H C R V obstacles, '1' and '2' the floor
of the camps' start zones.
"""

import re
from pathlib import Path

import numpy as np

from .reader import read_text
from .schema import HEIGHT, MAP_COUNT, MAX_ZONE, WIDTH, Terrain
from .sheets import RECONSTRUCTION, SOURCE, ContentError, Facts, MapSheet

MAPS = (
    "caveau",
    "grande_plaine",
    "gouffre",
    "anneau",
    "haies",
    "entrepot",
    "carriere",
    "temple",
    "canal",
)
LETTERS = {
    " ": Terrain.VOID,
    "_": Terrain.VOID,
    ".": Terrain.FLOOR,
    "1": Terrain.FLOOR,
    "2": Terrain.FLOOR,
    "W": Terrain.WALL,
    "H": Terrain.HEDGE,
    "C": Terrain.CRATE,
    "R": Terrain.ROCK,
    "V": Terrain.VAULT,
}
ZONES = "12"
LEAST_ZONE = 8
_HEADER = re.compile(r"([a-z_]+): *(.*)")
_KEYS = ("id", "name", "idea", "playable", "source")
_FACTS = ("name", "playable", "inner_void", "drawing")


def split(text: str) -> tuple[dict[str, str], list[str]]:
    """Header and drawing of a map's text; the drawing's rows are made equally long."""
    lines = text.split("\n")
    header: dict[str, str] = {}
    while lines and (found := _HEADER.fullmatch(lines[0])):
        header[found[1]] = found[2].strip()
        del lines[0]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    width = max(map(len, lines), default=0)
    return header, [line.replace("_", " ").ljust(width) for line in lines]


def check_drawing(where: str, rows: list[str]) -> None:
    """Refuse a drawing that fits no canvas or holds unknown characters (ContentError)."""
    if not rows:
        raise ContentError(f"{where}: drawing: is empty")
    for index, row in enumerate(rows, 1):
        for column, letter in enumerate(row, 1):
            if letter not in LETTERS:
                raise ContentError(
                    f"{where}: drawing: row {index}, column {column}: {letter!r} "
                    f"is not one of {' '.join(LETTERS).strip()}"
                )
    if len(rows) > HEIGHT or len(rows[0]) > WIDTH:
        raise ContentError(
            f"{where}: drawing: {len(rows)} rows of {len(rows[0])} do not fit in "
            f"{HEIGHT} rows of {WIDTH}"
        )


def read_maps(root: Path) -> tuple[MapSheet, ...]:
    """Read and check the nine maps under `root` (B2-B5). Raises ContentError."""
    strangers = {path.stem for path in (root / "maps").glob("*.txt")} - set(MAPS)
    if strangers:
        raise ContentError(f"maps/{min(strangers)}.txt: the map is not one of {', '.join(MAPS)}")
    assert len(MAPS) == MAP_COUNT
    return tuple(_read_map(root, name, number) for number, name in enumerate(MAPS))


def _read_map(root: Path, name: str, number: int) -> MapSheet:
    where = f"maps/{name}.txt"
    header, rows = split(read_text(root, where))
    for key in _KEYS:
        if not header.get(key):
            raise ContentError(f"{where}: {key}: is missing")
    for key in header:
        if key not in _KEYS:
            raise ContentError(
                f"{where}: {key}: is not a key of a map (it knows {', '.join(_KEYS)})"
            )
    if header["id"] != name:
        raise ContentError(
            f"{where}: id: {header['id']!r} is not {name!r}, as the file's name says"
        )
    check_drawing(where, rows)
    _check_balance(where, rows)
    playable = sum(LETTERS[letter] is Terrain.FLOOR for row in rows for letter in row)
    if header["playable"] != str(playable):
        raise ContentError(
            f"{where}: playable: {header['playable']} is stated, {playable} cells are drawn"
        )
    return MapSheet(
        id=name,
        name=header["name"],
        number=number,
        idea=header["idea"],
        playable=playable,
        rows=tuple(rows),
        facts=_facts(where, header["source"]),
    )


def _facts(where: str, listed: str) -> Facts:
    sources = [] if listed == "none" else [word.strip() for word in listed.split(",")]
    for word in sources:
        if word not in _FACTS:
            raise ContentError(f"{where}: source: {word!r} is not one of {', '.join(_FACTS)}")
    return {fact: SOURCE if fact in sources else RECONSTRUCTION for fact in _FACTS}


def _check_balance(where: str, rows: list[str]) -> None:
    turned = [row[::-1].translate(str.maketrans("12", "21")) for row in reversed(rows)]
    for index, (row, image) in enumerate(zip(rows, turned, strict=True), 1):
        for column, (letter, other) in enumerate(zip(row, image, strict=True), 1):
            if letter != other:
                raise ContentError(
                    f"{where}: drawing: row {index}, column {column}: {letter!r}, "
                    f"but a half-turn puts {other!r} there (B5)"
                )
    for zone in ZONES:
        count = sum(row.count(zone) for row in rows)
        if not LEAST_ZONE <= count <= MAX_ZONE:
            raise ContentError(
                f"{where}: drawing: zone {zone} has {count} cells, not "
                f"{LEAST_ZONE} to {MAX_ZONE} (B5)"
            )
    floor = np.array([[LETTERS[letter] is Terrain.FLOOR for letter in row] for row in rows])
    reached = np.zeros_like(floor)
    start = tuple(np.argwhere(floor)[0])
    reached[start] = True
    while True:
        grown = reached.copy()
        grown[1:] |= reached[:-1]
        grown[:-1] |= reached[1:]
        grown[:, 1:] |= reached[:, :-1]
        grown[:, :-1] |= reached[:, 1:]
        grown &= floor
        if (grown == reached).all():
            break
        reached = grown
    for row, column in np.argwhere(floor & ~reached):
        raise ContentError(
            f"{where}: drawing: row {row + 1}, column {column + 1}: cannot be "
            f"reached from row {start[0] + 1}, column {start[1] + 1} (B5)"
        )
