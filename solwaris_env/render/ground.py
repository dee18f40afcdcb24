"""The still part of the board: abyss, floor with its cliffs, obstacles, zones.

Seen from above and slightly from the south: whatever stands has a top, and a front
below it. Drawn at twice the size and reduced; kept per map and size.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from .obstacles import BLOCKS, Block, Box, noise, sign_at
from .palette import ABYSS, CAMP, GROUND, NIGHT, Colour, blend

FINE = 2


@dataclass(frozen=True)
class Grid:
    """Where the map lies: its rows and columns on the canvas, and pixels of the picture."""

    top: int
    left: int
    rows: int
    columns: int
    x: int
    y: int
    side: int

    def corner(self, row: int, column: int) -> tuple[int, int]:
        """Pixel of the cell's north-west corner."""
        return self.x + (column - self.left) * self.side, self.y + (row - self.top) * self.side

    def centre(self, row: int, column: int) -> tuple[float, float]:
        """Pixel of the cell's centre."""
        x, y = self.corner(row, column)
        return x + self.side / 2, y + self.side / 2


def bounds(terrain: tuple[str, ...]) -> tuple[int, int, int, int]:
    """First row, first column, rows and columns of what is not void."""
    rows = [row for row, line in enumerate(terrain) if line.strip()]
    columns = [column for line in terrain for column, sign in enumerate(line) if sign != " "]
    if not rows:
        return 0, 0, len(terrain), len(terrain[0])
    return rows[0], min(columns), rows[-1] - rows[0] + 1, max(columns) - min(columns) + 1


def lay_out(terrain: tuple[str, ...], x: int, y: int, wide: int, high: int) -> Grid:
    """The grid of the map, as large as the room allows, in its middle.

    A quarter of a cell stays free above and half a cell below, for tops and cliffs.
    """
    top, left, rows, columns = bounds(terrain)
    side = max(6, int(min(wide / (columns + 1.2), high / (rows + 1.6), wide / 14)))
    return Grid(
        top,
        left,
        rows,
        columns,
        x + (wide - columns * side) // 2,
        y + (high - rows * side) // 2 + side // 8,
        side,
    )


def mood(terrain: tuple[str, ...]) -> tuple[Colour, Colour, Colour]:
    """Light tile, dark tile and earth of a map, by its most frequent obstacle."""
    counts = {kind: sum(line.count(kind) for line in terrain) for kind in "WHCRV"}
    kind = max(counts, key=lambda one: counts[one])
    return GROUND[kind if counts[kind] else ""]


@lru_cache(maxsize=16)
def abyss(wide: int, high: int) -> Image.Image:
    """The dark behind everything: a glow in the middle and some distant motes."""
    small = Image.new("RGB", (64, 64))
    for y in range(64):
        for x in range(64):
            far = min(1.0, math.hypot((x - 31.5) / 40, (y - 28) / 36))
            small.putpixel((x, y), blend(blend(ABYSS, (58, 70, 108), 0.42), NIGHT, far))
    picture = small.resize((wide, high), Image.Resampling.BICUBIC)
    draw = ImageDraw.Draw(picture)
    for mote in range(wide * high // 9000):
        x, y = int(noise(mote, 1) * wide), int(noise(mote, 2) * high)
        glow = blend(picture.getpixel((x, y)), (150, 170, 220), 0.12 + 0.3 * noise(mote, 3))
        draw.point((x, y), fill=glow)
    return picture


@lru_cache(maxsize=16)
def ground(terrain: tuple[str, ...], size: tuple[int, int], grid: Grid) -> Image.Image:
    """The whole still picture of `size`; the caller copies it before drawing on it."""
    room = (
        grid.x - grid.side,
        grid.y - grid.side,
        grid.x + (grid.columns + 1) * grid.side,
        grid.y + (grid.rows + 2) * grid.side,
    )
    picture = abyss(*size).copy()
    part = picture.crop(room)
    part = part.resize((part.width * FINE, part.height * FINE), Image.Resampling.BICUBIC)
    side = grid.side * FINE
    cells = [
        (row, column, sign_at(terrain, row, column))
        for row in range(grid.top, grid.top + grid.rows)
        for column in range(grid.left, grid.left + grid.columns)
    ]
    solid = [(row, column, sign) for row, column, sign in cells if sign != " "]

    def box(row: int, column: int) -> Box:
        x, y = (column - grid.left + 1) * side, (row - grid.top + 1) * side
        return x, y, x + side, y + side

    _cliffs(part, terrain, solid, box, side)
    draw = ImageDraw.Draw(part)
    for row, column, _ in solid:
        _tile(draw, terrain, row, column, box(row, column), side)
    _shade(part, [box(row, column) for row, column, sign in solid if sign != "."], side)
    draw = ImageDraw.Draw(part)
    for row, column, sign in solid:
        if sign != ".":
            BLOCKS[sign](draw, Block(terrain, row, column, box(row, column), side))
    picture.paste(
        part.resize((part.width // FINE, part.height // FINE), Image.Resampling.BOX), room[:2]
    )
    return picture


def _cliffs(
    part: Image.Image,
    terrain: tuple[str, ...],
    solid: list[tuple[int, int, str]],
    box: Callable[[int, int], Box],
    side: int,
) -> None:
    """The island's shadow in the deep, and its rock below every southern edge."""
    earth = mood(terrain)[2]
    mask = Image.new("L", part.size, 0)
    draw = ImageDraw.Draw(mask)
    for row, column, _ in solid:
        x0, y0, x1, y1 = box(row, column)
        draw.rectangle((x0, y0 + side * 0.35, x1, y1 + side * 0.75), fill=150)
    mask = mask.filter(ImageFilter.GaussianBlur(side * 0.3))
    part.paste((8, 9, 16), (0, 0), mask)
    draw = ImageDraw.Draw(part)
    deep = 0.7 * side
    for row, column, _ in solid:
        if sign_at(terrain, row + 1, column) != " ":
            continue
        x0, _, x1, y1 = box(row, column)
        columns = 6
        for strip in range(columns):
            left = x0 + (x1 - x0) * strip / columns
            right = x0 + (x1 - x0) * (strip + 1) / columns
            length = deep * (0.72 + 0.4 * noise(row, column, strip))
            tone = 0.1 * noise(column, strip, 7)
            steps = max(3, int(length / 3))
            for step in range(steps):
                share = step / steps
                fill = blend(blend(earth, (0, 0, 0), tone), ABYSS, min(1, share**1.4))
                y = y1 + length * share
                draw.rectangle((left, y, right - 1, y + length / steps + 1), fill=fill)


def _tile(
    draw: ImageDraw.ImageDraw,
    terrain: tuple[str, ...],
    row: int,
    column: int,
    at: Box,
    side: int,
) -> None:
    light, dark, earth = mood(terrain)
    base = light if (row + column) % 2 == 0 else dark
    base = blend(base, (255, 255, 255), 0.05 * noise(row, column, 11))
    x0, y0, x1, y1 = at
    draw.rectangle((x0, y0, x1 - 1, y1 - 1), fill=base)
    line = max(1, side // 32)
    draw.rectangle((x0, y0, x1 - 1, y0 + line - 1), fill=blend(base, (255, 255, 255), 0.22))
    draw.rectangle((x0, y0, x0 + line - 1, y1 - 1), fill=blend(base, (255, 255, 255), 0.14))
    draw.rectangle((x0, y1 - line, x1 - 1, y1 - 1), fill=blend(base, earth, 0.3))
    draw.rectangle((x1 - line, y0, x1 - 1, y1 - 1), fill=blend(base, earth, 0.22))
    for grain in range(4):
        x = x0 + side * (0.12 + 0.74 * noise(row, column, grain, 1))
        y = y0 + side * (0.12 + 0.74 * noise(row, column, grain, 2))
        tone = (255, 255, 255) if grain % 2 else earth
        size = max(1, side // 40) * (1 + (grain == 0))
        draw.ellipse((x, y, x + size * 2, y + size), fill=blend(base, tone, 0.18))
    rim = max(2, side // 14)
    if sign_at(terrain, row + 1, column) == " ":
        draw.rectangle((x0, y1 - rim, x1 - 1, y1 - 1), fill=blend(base, (255, 255, 255), 0.3))
    for step, edge in ((-1, (x0, y0, x0 + rim // 2, y1)), (1, (x1 - rim // 2, y0, x1, y1))):
        if sign_at(terrain, row, column + step) == " ":
            draw.rectangle(edge, fill=blend(base, earth, 0.45))
    if sign_at(terrain, row - 1, column) == " ":
        draw.rectangle((x0, y0, x1 - 1, y0 + rim // 2), fill=blend(base, earth, 0.45))


def _shade(part: Image.Image, boxes: list[Box], side: int) -> None:
    """Soft shadows of obstacles, to the south-east."""
    mask = Image.new("L", part.size, 0)
    draw = ImageDraw.Draw(mask)
    for x0, y0, x1, y1 in boxes:
        shift = side * 0.2
        draw.rectangle((x0 + shift, y0 + shift, x1 + shift, y1 + shift), fill=90)
    mask = mask.filter(ImageFilter.GaussianBlur(side * 0.12))
    part.paste((22, 20, 40), (0, 0), mask)


@lru_cache(maxsize=32)
def tint(side: int, colour: Colour, fill: int, edge: int, inset: float) -> Image.Image:
    """A soft square for one cell: `fill` and `edge` are opacities of 255."""
    fine = Image.new("RGBA", (side * 4, side * 4), (*colour, 0))
    draw = ImageDraw.Draw(fine)
    gap = side * 4 * inset
    draw.rounded_rectangle(
        (gap, gap, side * 4 - 1 - gap, side * 4 - 1 - gap),
        radius=side * 0.7,
        fill=(*colour, fill),
        outline=(*blend(colour, (255, 255, 255), 0.3), edge),
        width=max(4, side // 5),
    )
    return fine.resize((side, side), Image.Resampling.BOX)


def zone_tint(camp: int, side: int) -> Image.Image:
    """The tint of a start zone's cell."""
    return tint(side, CAMP[camp], 92, 190, 0.03)
