"""The five kinds of obstacle, each with a top and a front, painted cell by cell.

Cells of one kind that touch are painted as one body.
"""

import math
from collections.abc import Callable

from PIL import ImageDraw

from .palette import Colour, blend

Box = tuple[float, float, float, float]


def noise(*numbers: int) -> float:
    """A fixed number in 0..1 for some integers: the same grain in every process."""
    mixed = 0x9E3779B9
    for number in numbers:
        mixed = ((mixed ^ (number + 0x7F4A7C15)) * 0x85EBCA6B) & 0xFFFFFFFF
        mixed ^= mixed >> 13
        mixed = (mixed * 0xC2B2AE35) & 0xFFFFFFFF
        mixed ^= mixed >> 16
    return (mixed & 0xFFFF) / 0xFFFF


def sign_at(terrain: tuple[str, ...], row: int, column: int) -> str:
    """Terrain sign of a cell, void outside of the canvas."""
    if 0 <= row < len(terrain) and 0 <= column < len(terrain[0]):
        return terrain[row][column]
    return " "


class Block:
    """One obstacle cell: its box, its neighbours of the same kind, and helpers."""

    def __init__(
        self, terrain: tuple[str, ...], row: int, column: int, box: Box, side: int
    ) -> None:
        kind = terrain[row][column]
        self.row, self.column, self.side = row, column, side
        self.x0, self.y0, self.x1, self.y1 = box
        self.north = sign_at(terrain, row - 1, column) == kind
        self.south = sign_at(terrain, row + 1, column) == kind
        self.west = sign_at(terrain, row, column - 1) == kind
        self.east = sign_at(terrain, row, column + 1) == kind

    def noise(self, *more: int) -> float:
        """A fixed number in 0..1 of this cell."""
        return noise(self.row, self.column, *more)

    def top(self, height: float) -> Box:
        """The lifted top face."""
        return self.x0, self.y0 - height, self.x1 - 1, self.y1 - height - 1


def _wall(draw: ImageDraw.ImageDraw, at: Block) -> None:
    side = at.side
    height = side * 0.34
    stone, front, joint = (150, 152, 164), (104, 105, 122), (78, 78, 96)
    x0, y0, x1, y1 = at.top(height)
    draw.rectangle((x0, y0, x1, y1), fill=stone)
    line = max(1, side // 24)
    # Coping stones on the top, staggered row by row.
    middle = (y0 + y1) / 2
    draw.line((x0, middle, x1, middle), fill=blend(stone, joint, 0.5), width=line)
    for half, share in ((0, 0.5), (1, 0.25), (1, 0.75)):
        x = x0 + side * share
        top, low = (y0, middle) if half == 0 else (middle, y1)
        draw.line((x, top, x, low), fill=blend(stone, joint, 0.5), width=line)
    for patch in range(3):
        px, py = (
            x0 + side * (0.1 + 0.7 * at.noise(patch)),
            y0 + side * (0.1 + 0.7 * at.noise(9, patch)),
        )
        draw.ellipse(
            (px, py, px + side * 0.1, py + side * 0.05), fill=blend(stone, (255,) * 3, 0.14)
        )
    bright = blend(stone, (255, 255, 255), 0.38)
    if not at.north:
        draw.rectangle((x0, y0, x1, y0 + line * 1.6), fill=bright)
    if not at.west:
        draw.rectangle((x0, y0, x0 + line * 1.6, y1), fill=bright)
    if not at.east:
        draw.rectangle((x1 - line * 1.6, y0, x1, y1), fill=blend(stone, joint, 0.6))
    if at.south:
        return
    draw.rectangle((x0, y1, x1, at.y1 - 1), fill=front)
    draw.rectangle((x0, y1 - line, x1, y1 + line), fill=bright)
    for course in range(2):
        y = y1 + (course + 1) * height / 2
        draw.line((x0, y, x1, y), fill=joint, width=line)
        for brick in range(3):
            x = x0 + side * (brick / 3 + (0.17 if course else 0.02))
            draw.line((x, y - height / 2 + line, x, y), fill=joint, width=line)


def _hedge(draw: ImageDraw.ImageDraw, at: Block) -> None:
    side = at.side
    height = side * 0.3
    deep, leaf = (34, 78, 48), (66, 134, 70)
    x0, y0, x1, _ = at.top(height)
    inset_w, inset_e = (0 if at.west else side * 0.05), (0 if at.east else side * 0.05)
    draw.rounded_rectangle(
        (x0 + inset_w, y0 + side * 0.05, x1 - inset_e, at.y1 - side * 0.04),
        radius=0 if at.west or at.east else side * 0.16,
        fill=deep,
    )
    clumps = []
    for clump in range(30):
        x = x0 + side * (clump % 5 + 0.1 + 0.8 * at.noise(clump, 1)) / 5
        y = y0 + side * (clump // 5 + 0.1 + 0.8 * at.noise(clump, 2)) / 5
        clumps.append((y, x, clump))
    for y, x, clump in sorted(clumps):
        share = (y - y0) / (side + height)
        size = side * (0.1 + 0.07 * at.noise(clump, 3))
        y = min(y, at.y1 - size)
        x = min(max(x, x0 + size * (not at.west)), x1 - size * (not at.east))
        tone = blend(blend(leaf, (150, 200, 92), 0.55 * (1 - share)), deep, max(0.0, share - 0.5))
        tone = blend(tone, (255, 255, 255), 0.05 * at.noise(clump, 4))
        draw.ellipse((x - size, y - size, x + size, y + size * 0.8), fill=blend(tone, deep, 0.45))
        draw.ellipse((x - size, y - size, x + size * 0.8, y + size * 0.5), fill=tone)
        spot = size * 0.4
        draw.ellipse(
            (x - spot, y - size * 0.8, x + spot * 0.4, y - size * 0.3),
            fill=blend(tone, (236, 250, 170), 0.35),
        )


def _crate(draw: ImageDraw.ImageDraw, at: Block) -> None:
    side = at.side
    height = side * 0.36
    wood, dark, nail = (190, 134, 76), (118, 76, 42), (74, 50, 34)
    gap = side * 0.04
    x0, y0, x1, y1 = at.x0 + gap, at.y0 - height + gap * 2, at.x1 - gap, at.y1 - height - gap
    line = max(1, side // 22)
    draw.rectangle((x0, y0, x1, y1), fill=wood)
    for plank in range(1, 4):
        y = y0 + (y1 - y0) * plank / 4
        draw.line((x0, y, x1, y), fill=blend(wood, dark, 0.55), width=line)
        tone = blend(wood, (255, 226, 170), 0.12 * at.noise(plank))
        draw.rectangle((x0, y - (y1 - y0) / 4 + line, x1, y - line), fill=tone)
    frame = side * 0.12
    edge = blend(wood, (255, 230, 180), 0.32)
    draw.rectangle((x0, y0, x0 + frame, y1), fill=edge)
    draw.rectangle((x1 - frame, y0, x1, y1), fill=blend(edge, dark, 0.16))
    draw.rectangle((x0, y0, x1, y0 + frame * 0.7), fill=edge)
    draw.rectangle((x0, y1 - frame * 0.7, x1, y1), fill=blend(edge, dark, 0.1))
    bottom = at.y1 - gap
    draw.rectangle((x0, y1, x1, bottom), fill=blend(wood, dark, 0.5))
    draw.line((x0 + frame, y1 + line, x1 - frame, bottom), fill=dark, width=line * 2)
    draw.line((x0 + frame, bottom, x1 - frame, y1 + line), fill=dark, width=line * 2)
    for x in (x0, x1 - frame):
        draw.rectangle((x, y1, x + frame, bottom), fill=blend(wood, dark, 0.32))
    draw.rectangle((x0, y1 - line / 2, x1, y1 + line / 2), fill=blend(edge, (255, 255, 255), 0.2))
    for x in (x0 + frame * 0.5, x1 - frame * 0.5):
        for y in (y0 + frame * 0.4, y1 - frame * 0.4):
            draw.ellipse((x - line, y - line, x + line, y + line), fill=nail)
    draw.rectangle((x0, y0, x1, bottom), outline=nail, width=max(1, line // 2))


def _rock(draw: ImageDraw.ImageDraw, at: Block) -> None:
    side = at.side
    light, mid, dark = (176, 160, 146), (134, 118, 110), (86, 74, 76)
    # Stones that touch grow together, so that a rock of several cells reads as one.
    west, east = (-0.04 if at.west else 0.07), (1.04 if at.east else 0.93)
    low = 1.04 if at.south else 0.97
    shift = 0.05 * (at.noise(1) - 0.5)

    def place(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(at.x0 + side * x, at.y0 + side * y) for x, y in points]

    peak = (0.46 + shift * 3, -0.27 + shift)
    left, right = (0.2 + shift, -0.08), (0.78 + shift, -0.12 - shift)
    knee, chin = (0.34 - shift, 0.42), (0.7 + shift, 0.36 + shift)
    outline = [(west, 0.62), (west + 0.02, 0.22), left, peak, right, (east, 0.24), (east, 0.7),
               (east - 0.12, low), (west + 0.14, low)]  # fmt: skip
    draw.polygon(place(outline), fill=mid)
    draw.polygon(place([(west + 0.02, 0.22), left, peak, (0.5, 0.12), knee]), fill=light)
    draw.polygon(
        place([peak, right, (0.74, 0.14), (0.5, 0.12)]), fill=blend(light, (255,) * 3, 0.22)
    )
    draw.polygon(place([(west, 0.62), (west + 0.02, 0.22), knee]), fill=blend(light, mid, 0.5))
    draw.polygon(
        place([right, (east, 0.24), (east, 0.7), chin, (0.74, 0.14)]), fill=blend(mid, dark, 0.5)
    )
    draw.polygon(place([knee, chin, (east, 0.7), (east - 0.12, low), (0.5, low)]), fill=dark)
    draw.polygon(
        place([(west, 0.62), knee, (0.5, low), (west + 0.14, low)]), fill=blend(mid, dark, 0.45)
    )
    line = max(1, side // 30)
    draw.line(
        place([knee, (0.5, 0.12), (0.74, 0.14), chin]), fill=blend(light, dark, 0.35), width=line
    )
    draw.line(place([left, peak, right]), fill=blend(light, (255, 255, 255), 0.5), width=line)


def _vault(draw: ImageDraw.ImageDraw, at: Block) -> None:
    side = at.side
    height = side * 0.3
    slab, front, shade = (118, 112, 146), (72, 68, 98), (52, 48, 74)
    gold = (206, 172, 96)
    x0, y0, x1, y1 = at.top(height)
    line = max(1, side // 22)
    draw.rectangle((x0, y0, x1, y1), fill=slab)
    bright = blend(slab, (255, 255, 255), 0.34)
    inset = side * 0.16
    ends = (x0 + inset * (not at.west), y0 + inset * (not at.north),
            x1 - inset * (not at.east), y1 - inset * (not at.south))  # fmt: skip
    draw.rectangle(ends, fill=blend(slab, shade, 0.28))
    for open_side, edge, rule in (
        (at.north, (x0, y0, x1, y0 + line), (ends[0], ends[1], ends[2], ends[1])),
        (at.west, (x0, y0, x0 + line, y1), (ends[0], ends[1], ends[0], ends[3])),
        (at.east, (x1 - line, y0, x1, y1), (ends[2], ends[1], ends[2], ends[3])),
        (at.south, (x0, y1 - line, x1, y1), (ends[0], ends[3], ends[2], ends[3])),
    ):
        if not open_side:
            draw.rectangle(edge, fill=bright)
            draw.line(rule, fill=gold, width=max(1, line))
    if not at.south:
        draw.rectangle((x0, y1, x1, at.y1 - 1), fill=front)
        draw.rectangle((x0, y1, x1, y1 + line), fill=bright)
        draw.rectangle((x0, at.y1 - line * 2, x1, at.y1 - 1), fill=shade)
        for pillar in (0.14, 0.5, 0.86):
            x = x0 + side * pillar
            draw.rectangle(
                (x - line, y1 + line, x + line, at.y1 - line), fill=blend(front, slab, 0.5)
            )
    # A seal where four slabs meet, or on a single one.
    if at.west and at.north:
        _seal(draw, x0, y0, side * 0.24, gold, slab)
    elif not (at.west or at.north or at.east or at.south):
        _seal(draw, (x0 + x1) / 2, (y0 + y1) / 2, side * 0.2, gold, slab)


def _seal(
    draw: ImageDraw.ImageDraw, x: float, y: float, size: float, gold: Colour, slab: Colour
) -> None:
    draw.ellipse((x - size, y - size, x + size, y + size), fill=gold)
    size *= 0.78
    draw.ellipse((x - size, y - size, x + size, y + size), fill=blend(slab, (0, 0, 0), 0.35))
    points = []
    for corner in range(8):
        reach = size * (0.95 if corner % 2 == 0 else 0.32)
        turn = corner * math.pi / 4
        points.append((x + reach * math.cos(turn), y + reach * math.sin(turn)))
    draw.polygon(points, fill=gold)


BLOCKS: dict[str, Callable[[ImageDraw.ImageDraw, Block], None]] = {
    "W": _wall,
    "H": _hedge,
    "C": _crate,
    "R": _rock,
    "V": _vault,
}
