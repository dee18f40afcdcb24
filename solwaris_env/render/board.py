"""The moving part of the board: cells to reach, traps, bonuses, fighters, labels."""

from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from . import ground, icons, lettering, tokens
from .ground import Grid
from .palette import (
    ARMOUR,
    CAMP,
    CAMP_PALE,
    DARK,
    FAINT,
    GOLD,
    HP_HIGH,
    HP_LOW,
    HP_MIDDLE,
    INK,
    REACH,
    WHITE,
    Colour,
    blend,
)


@lru_cache(maxsize=512)
def plate(
    wide: int, high: int, radius: int, fill: Colour, edge: Colour | None = None, alpha: int = 255
) -> Image.Image:
    """A rounded plate with smooth corners."""
    fine = Image.new("RGBA", (wide * 4, high * 4), (*(edge or fill), 0))
    ImageDraw.Draw(fine).rounded_rectangle(
        (0, 0, wide * 4 - 1, high * 4 - 1),
        radius=radius * 4,
        fill=(*fill, alpha),
        outline=None if edge is None else (*edge, alpha),
        width=4,
    )
    return fine.resize((wide, high), Image.Resampling.BOX)


def put(picture: Image.Image, sprite: Image.Image, x: float, y: float) -> None:
    """Pastes a sprite with its north-west corner at (x, y)."""
    picture.paste(sprite, (round(x), round(y)), sprite)


def share_colour(hp: int, full: int) -> Colour:
    """Green, yellow or red, by the share of hit points left."""
    share = hp / full if full > 0 else 0.0
    return HP_HIGH if share > 0.6 else HP_MIDDLE if share > 0.3 else HP_LOW


def bar(picture: Image.Image, x: int, y: int, wide: int, high: int, entity: dict) -> None:
    """A bar of hit points; armour lies over its upper edge."""
    draw = ImageDraw.Draw(picture)
    hp, full, armour = entity["hp"], entity["max_hp"], entity["armour"]
    put(picture, plate(wide, high, high // 2, DARK), x, y)
    inner = wide - 2
    filled = 0 if hp <= 0 or full <= 0 else max(1, round(inner * min(1.0, hp / full)))
    if filled:
        colour = share_colour(hp, full)
        radius = max(0, min(high // 2 - 1, filled // 2))
        put(picture, plate(filled, high - 2, radius, colour), x + 1, y + 1)
        if high > 6:
            shine = blend(colour, WHITE, 0.35)
            draw.line((x + 1 + radius, y + 2, x + filled - radius, y + 2), fill=shine)
    if armour > 0 and full > 0:
        long = max(3, round(inner * min(1.0, armour / full)))
        thick = max(2, high // 3)
        put(picture, plate(long, thick, thick // 2, ARMOUR), x + 1, y)


def draw_board(picture: Image.Image, view: dict, grid: Grid) -> None:
    """Everything that lies and stands on the still ground of `grid`."""
    side = grid.side
    if view["phase"] == "placement":
        for row, line in enumerate(view["zones"]):
            for column, sign in enumerate(line):
                if sign in "12":
                    put(picture, ground.zone_tint(int(sign) - 1, side), *grid.corner(row, column))
    _labels(picture, grid)
    _areas(picture, view, grid)
    _reach(picture, view, grid)
    _traps(picture, view, grid)
    for one in view["bonuses"]:
        _at(picture, icons.bonus(one["kind"], round(side * 0.82)), grid, one["cell"], 0.0)
    standing = [one for one in view["entities"] if one["cell"] is not None]
    for one in sorted(standing, key=lambda one: (one["cell"][0], one["cell"][1])):
        _stand(picture, view, grid, one)
    for one in sorted(standing, key=lambda one: (one["cell"][0], one["cell"][1])):
        _gauges(picture, grid, one)


def _at(
    picture: Image.Image, sprite: Image.Image, grid: Grid, cell: list[int], lift: float
) -> None:
    x, y = grid.centre(*cell)
    put(picture, sprite, x - sprite.width / 2, y - sprite.height / 2 - lift * grid.side)


def _labels(picture: Image.Image, grid: Grid) -> None:
    """Row letters beside the map and column numbers above and below it."""
    draw = ImageDraw.Draw(picture)
    size = max(7, min(13, round(grid.side * 0.3)))
    gap = size * 1.05
    for row in range(grid.top, grid.top + grid.rows):
        _, y = grid.centre(row, grid.left)
        for x in (grid.x - gap, grid.x + grid.columns * grid.side + gap):
            lettering.write(draw, (x, y), chr(97 + row), size, FAINT, anchor="mm")
    for column in range(grid.left, grid.left + grid.columns):
        x, _ = grid.centre(grid.top, column)
        y = grid.y - gap - grid.side * 0.3
        lettering.write(draw, (x, y), str(column + 1), size, FAINT, anchor="mm")


def _areas(picture: Image.Image, view: dict, grid: Grid) -> None:
    """The areas of own traps; where several overlap the cell is tinted once."""
    for camp in (0, 1):
        sheet = ground.tint(grid.side, CAMP[camp], 104, 220, 0.02)
        traps = [one for one in view["traps"] if one["camp"] == camp]
        for cell in sorted({tuple(cell) for one in traps for cell in one["area"]}):
            put(picture, sheet, *grid.corner(*cell))


def _traps(picture: Image.Image, view: dict, grid: Grid) -> None:
    draw = ImageDraw.Draw(picture)
    side = grid.side
    for one in view["traps"]:
        _at(picture, icons.trap(one["camp"], round(side * 0.8)), grid, one["cell"], 0.0)
        x, y = grid.corner(*one["cell"])
        size = max(8, round(side * 0.3))
        _number(picture, draw, x + side * 0.82, y + side * 0.84, one["turns"], size, DARK, INK)


def _number(
    picture: Image.Image,
    draw: ImageDraw.ImageDraw,
    x: float,
    y: float,
    number: int,
    size: int,
    fill: Colour,
    ink: Colour,
) -> None:
    """A number on a small round plate, centred at (x, y)."""
    text = str(number)
    high = round(size * 1.3)
    wide = max(high, round(lettering.width(text, size) + size * 0.6))
    put(picture, plate(wide, high, high // 2, fill), x - wide / 2, y - high / 2)
    lettering.write(draw, (x, y), text, size, ink, anchor="mm")


def _reach(picture: Image.Image, view: dict, grid: Grid) -> None:
    actions = view["actions"]
    if actions is None:
        return
    for name, colour in (("reach", REACH), ("place", GOLD)):
        sheet = ground.tint(grid.side, colour, 84, 200, 0.09)
        for cell in actions[name]:
            put(picture, sheet, *grid.corner(*cell))


@lru_cache(maxsize=128)
def _ghost(cls: str, camp: int, side: int) -> Image.Image:
    """A fighter seen through: the unseen one, shown to its own camp."""
    sprite = tokens.fighter(cls, camp, side).copy()
    sprite.putalpha(sprite.getchannel("A").point(lambda value: value * 140 // 255))
    return sprite


def _stand(picture: Image.Image, view: dict, grid: Grid, one: dict) -> None:
    side, camp = grid.side, one["camp"]
    ring = round(side * 1.08)
    if one["index"] == view["actor"]:
        _at(picture, tokens.halo(round(side * 1.32), GOLD, False), grid, one["cell"], 0.02)
        _at(picture, tokens.arrow(round(side * 0.36), GOLD), grid, one["cell"], 0.88)
    elif one["invisible"]:
        _at(picture, tokens.halo(ring, CAMP_PALE[camp], True), grid, one["cell"], 0.0)
    else:
        _at(picture, tokens.halo(ring, CAMP[camp], False), grid, one["cell"], 0.0)
    if one["kind"] == "hero":
        size = round(side * 1.1)
        if one["invisible"]:
            _at(picture, _ghost(one["class"], camp, size), grid, one["cell"], 0.2)
            return
        _at(picture, tokens.shadow(size), grid, one["cell"], 0.06)
        _at(picture, tokens.fighter(one["class"], camp, size), grid, one["cell"], 0.2)
        return
    size = round(side * 1.02)
    _at(picture, tokens.shadow(size), grid, one["cell"], 0.08)
    _at(picture, tokens.summon(one["kind"], camp, size), grid, one["cell"], 0.16)


def _gauges(picture: Image.Image, grid: Grid, one: dict) -> None:
    """The bar under a fighter, its armour, and the markers of its effects."""
    side = grid.side
    draw = ImageDraw.Draw(picture)
    x, y = grid.corner(*one["cell"])
    wide = round(side * (0.88 if one["kind"] == "hero" else 0.64))
    high = max(4, round(side * (0.15 if one["kind"] == "hero" else 0.11)))
    bar(picture, round(x + (side - wide) / 2), round(y + side * 0.83), wide, high, one)
    if one["armour"] > 0:
        size = max(7, round(side * 0.24))
        _number(picture, draw, x + side * 0.1, y + side * 0.74, one["armour"], size, ARMOUR, DARK)
    pip = max(9, round(side * 0.3))
    kinds = list(dict.fromkeys(effect["kind"] for effect in one["effects"]))
    step = pip * 0.86
    for place, kind in enumerate(kinds[:4]):
        put(picture, icons.pip(kind, pip), x + side - pip * 0.75, y - side * 0.24 + place * step)


def banner(picture: Image.Image, title: str, lines: list[str], colour: Colour, unit: float,
           middle: tuple[int, int], around: list[tuple[float, float]]) -> None:  # fmt: skip
    """A sign over the board: a title and some lines, clear of the points in `around`."""
    large, small = max(9, round(30 * unit)), max(7, round(16 * unit))
    wide = max([lettering.width(title, large)] + [lettering.width(line, small) for line in lines])
    wide = round(wide + 72 * unit)
    high = round(large * 2.0 + len(lines) * small * 1.6 + 10 * unit)
    left = middle[0] - wide // 2
    places = [middle[1] + shift * high - high // 2 for shift in (0, -1, 1)]
    top = min(
        places,
        key=lambda y: sum(
            left <= one[0] <= left + wide and y <= one[1] <= y + high for one in around
        ),
    )
    soft = Image.new("L", (wide + 80, high + 80), 0)
    ImageDraw.Draw(soft).rectangle((40, 40, wide + 40, high + 40), fill=170)
    soft = soft.filter(ImageFilter.GaussianBlur(18))
    picture.paste((6, 7, 14), (left - 40, top - 32), soft)
    put(picture, plate(wide, high, round(12 * unit), (24, 28, 44), colour, 244), left, top)
    draw = ImageDraw.Draw(picture)
    y = top + large * 1.05
    lettering.write(draw, (middle[0], y), title, large, colour, anchor="mm", bold=True)
    y += large * 0.5
    for line in lines:
        y += small * 1.6
        lettering.write(draw, (middle[0], y - small * 0.2), line, small, INK, anchor="mm")
