"""Small signs: bonuses, traps, effects, points."""

import math
from collections.abc import Callable
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from . import lettering
from .palette import (
    BONUS,
    CAMP_DEEP,
    CAMP_PALE,
    DARK,
    MUTED,
    WHITE,
    Colour,
    blend,
    effect_colour,
)
from .pen import FINE, Pen, canvas, even, reduce, shield_outline, star


def _icon_ap(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.shape(star(5, 0.8, 0.36), ink)


def _icon_mp(pen: Pen, ink: Colour, back: Colour) -> None:
    for shift in (-0.3, 0.22):
        pen.line([(-0.28 + shift, -0.5), (0.22 + shift, 0), (-0.28 + shift, 0.5)], ink, 0.26)


def _icon_heal(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.line([(-0.5, 0), (0.5, 0)], ink, 0.36)
    pen.line([(0, -0.5), (0, 0.5)], ink, 0.36)


def _icon_armour(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.inner(0.76).shape(shield_outline(), ink)


def _icon_power(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.inner(0.95).shape([(-0.12, 0.8), (-0.12, 0.02), (-0.5, 0.02), (0, -0.76), (0.5, 0.02),
                           (0.12, 0.02), (0.12, 0.8)], ink)  # fmt: skip


def _icon_range(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.ring(0, 0, 0.6, ink, 0.17)
    pen.dot(0, 0, 0.22, ink)
    for x, y in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        pen.line([(x * 0.55, y * 0.55), (x * 0.8, y * 0.8)], ink, 0.16)


def _icon_poison(pen: Pen, ink: Colour, back: Colour) -> None:
    drop = [(0, -0.86), (0.4, -0.16), (0.5, 0.24), (0.32, 0.62), (0, 0.74)]
    pen.shape(drop + [(-x, y) for x, y in reversed(drop[1:-1])], ink)
    pen.dot(-0.16, 0.3, 0.12, back)


def _icon_anchor(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.ring(0, -0.58, 0.22, ink, 0.13)
    pen.line([(0, -0.36), (0, 0.68)], ink, 0.15)
    pen.line([(-0.34, -0.14), (0.34, -0.14)], ink, 0.14)
    pen.line([(-0.62, 0.2), (-0.5, 0.54), (0, 0.72), (0.5, 0.54), (0.62, 0.2)], ink, 0.15)


def _icon_delayed(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.shape([(-0.5, -0.72), (0.5, -0.72), (0.08, 0), (0.5, 0.72), (-0.5, 0.72), (-0.08, 0)], ink)
    pen.line([(-0.56, -0.74), (0.56, -0.74)], ink, 0.16)
    pen.line([(-0.56, 0.74), (0.56, 0.74)], ink, 0.16)


def _icon_coin(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.dot(0, 0, 0.7, ink)
    pen.ring(0, 0, 0.5, back, 0.12)


def _icon_variant(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.shape([(0, -0.8), (0.7, 0), (0, 0.8), (-0.7, 0)], ink)


_ICON: dict[str, Callable[[Pen, Colour, Colour], None]] = {
    "ap": _icon_ap,
    "mp": _icon_mp,
    "heal": _icon_heal,
    "armour": _icon_armour,
    "resistance": _icon_armour,
    "power": _icon_power,
    "bonus_power": _icon_power,
    "range": _icon_range,
    "poison": _icon_poison,
    "anchor": _icon_anchor,
    "delayed": _icon_delayed,
    "coin": _icon_coin,
    "variant": _icon_variant,
}


def _mark(pen: Pen, kind: str, ink: Colour, back: Colour) -> None:
    paint = _ICON.get(kind)
    if paint is None:
        size = round(pen.half * 1.3)
        lettering.write(
            pen.draw, pen.at(0, 0), (kind or "?")[0].upper(), size, ink, anchor="mm", bold=True
        )
    else:
        paint(pen, ink, back)


@lru_cache(maxsize=256)
def icon(kind: str, side: int, colour: Colour) -> Image.Image:
    """A bare icon of `side` pixels."""
    picture, draw = canvas(side, side)
    half = side * FINE / 2
    _mark(Pen(draw, half, half, half), kind, colour, DARK)
    return reduce(picture)


@lru_cache(maxsize=256)
def pip(kind: str, side: int) -> Image.Image:
    """The round marker of an effect on a fighter."""
    picture, draw = canvas(side, side)
    half = side * FINE / 2
    pen = Pen(draw, half, half, half)
    pen.dot(0, 0, 0.98, DARK)
    colour = effect_colour(kind)
    pen.dot(0, 0, 0.82, colour)
    _mark(pen.inner(0.66), kind, DARK, colour)
    return reduce(picture)


@lru_cache(maxsize=64)
def bonus(kind: str, side: int) -> Image.Image:
    """A terrain bonus: a glowing gem with its icon."""
    picture, draw = canvas(side, side)
    full = side * FINE
    colour = BONUS.get(kind, MUTED)
    draw.ellipse(
        (full * 0.06, full * 0.06, full * 0.94, full * 0.94), fill=(*blend(colour, WHITE, 0.4), 150)
    )
    picture = picture.filter(ImageFilter.GaussianBlur(full * 0.05))
    pen = Pen(ImageDraw.Draw(picture), full / 2, full * 0.5, full * 0.36)
    gem = even(8, 1.0, math.pi / 8)
    pen.inner(1.1).shape(gem, DARK)
    pen.shape(gem, blend(colour, WHITE, 0.45))
    pen.inner(0.86).shape(gem, colour)
    _mark(pen.inner(0.62), kind, WHITE, colour)
    return reduce(picture)


@lru_cache(maxsize=64)
def trap(camp: int, side: int) -> Image.Image:
    """The centre of an own trap: a set of teeth, half sunk in the floor."""
    picture, draw = canvas(side, side)
    full = side * FINE
    pen = Pen(draw, full / 2, full / 2, full * 0.4)
    pen.dot(0, 0, 0.96, (*DARK, 200))  # type: ignore[arg-type]
    pen.dot(0, 0, 0.82, (*CAMP_DEEP[camp], 235))  # type: ignore[arg-type]
    for tooth in range(8):
        angle = tooth * math.pi / 4 + math.pi / 8
        tip = (0.26 * math.cos(angle), 0.26 * math.sin(angle))
        base = [
            (0.8 * math.cos(angle + shift), 0.8 * math.sin(angle + shift))
            for shift in (-0.26, 0.26)
        ]
        pen.shape([tip, *base], (232, 232, 236))
    pen.dot(0, 0, 0.14, CAMP_PALE[camp])
    return reduce(picture)
