"""What stands and lies on the board: fighters, summons, traps, bonuses, small icons.

Each is a sprite drawn at four times its size and reduced, kept per kind, colour and
size. A class has a silhouette and a sign of its own, so that colour alone never tells.
"""

import math
from collections.abc import Callable
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from . import lettering
from .palette import (
    CAMP,
    CAMP_DEEP,
    CAMP_PALE,
    DARK,
    GOLD,
    WHITE,
    Colour,
    blend,
)
from .pen import FINE, Pen, Point, canvas, even, reduce, shield_outline, star


def _horned() -> list[Point]:
    right = [(0.3, -0.62), (0.52, -0.66), (0.66, -0.98), (0.95, -0.7), (0.92, -0.36), (0.8, -0.2),
             (0.84, 0.2), (0.68, 0.62), (0.34, 0.86)]  # fmt: skip
    return right + [(-x, y) for x, y in reversed(right)]


def _hood() -> list[Point]:
    right = [(0, -1.0), (0.3, -0.72), (0.62, -0.36), (0.82, 0.14), (0.84, 0.52), (0.66, 0.84),
             (0.3, 0.94)]  # fmt: skip
    return right + [(-x, y) for x, y in reversed(right[1:])]


def _gear() -> list[Point]:
    points = []
    for tooth in range(10):
        middle = tooth * math.pi / 5 - math.pi / 2
        for shift, reach in ((-0.2, 0.78), (-0.15, 0.97), (0.15, 0.97), (0.2, 0.78)):
            points.append((reach * math.cos(middle + shift), reach * math.sin(middle + shift)))
    return points


def _bomb() -> list[Point]:
    body = [
        (0.86 * math.cos(i * math.pi / 18), 0.1 + 0.84 * math.sin(i * math.pi / 18))
        for i in range(36)
    ]
    body[25:29] = [(-0.26, -0.72), (-0.26, -0.94), (0.26, -0.94), (0.26, -0.72)]
    return body


_SILHOUETTE: dict[str, Callable[[], list[Point]]] = {
    "guerrier": shield_outline,
    "brute": _horned,
    "arcaniste": lambda: star(8, 1.0, 0.74),
    "ombre": _hood,
    "horloger": _gear,
    "artificier": _bomb,
}


def _sword(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.shape([(0, -0.72), (0.15, -0.52), (0.13, 0.2), (-0.13, 0.2), (-0.15, -0.52)], ink)
    pen.line([(0, -0.5), (0, 0.16)], back, 0.06)
    pen.line([(-0.4, 0.27), (0.4, 0.27)], ink, 0.16)
    pen.line([(0, 0.3), (0, 0.58)], ink, 0.15)
    pen.dot(0, 0.66, 0.13, ink)


def _fist(pen: Pen, ink: Colour, back: Colour) -> None:
    for finger in range(4):
        x = -0.48 + finger * 0.25
        left, top = pen.at(x, -0.34)
        right, low = pen.at(x + 0.23, 0.1)
        pen.draw.rounded_rectangle((left, top, right, low), pen.half * 0.1, fill=ink)
    left, top = pen.at(-0.48, 0.06)
    right, low = pen.at(0.5, 0.52)
    pen.draw.rounded_rectangle((left, top, right, low), pen.half * 0.16, fill=ink)
    pen.line([(-0.5, 0.22), (0.08, 0.22)], back, 0.07)
    pen.line([(-0.42, 0.13), (0.06, 0.13)], ink, 0.18)


def _spark(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.shape(star(4, 0.68, 0.2), ink)
    pen.dot(0, 0, 0.13, back)
    for x, y in ((-0.4, -0.4), (0.42, 0.4)):
        small = pen.inner(0.2, x, y)
        small.shape(star(4, 0.95, 0.3), ink)


def _eyes(pen: Pen, ink: Colour, back: Colour) -> None:
    face = [(0, -0.52), (0.34, -0.16), (0.52, 0.26), (0.4, 0.62), (0, 0.74)]
    pen.shape(face + [(-x, y) for x, y in reversed(face[1:-1])], blend(back, DARK, 0.65))
    for way in (-1, 1):
        pen.shape(
            [(way * 0.1, 0.24), (way * 0.4, 0.06), (way * 0.32, 0.3), (way * 0.16, 0.34)], ink
        )


def _clock(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.dot(0, 0, 0.58, ink)
    pen.dot(0, 0, 0.48, blend(back, DARK, 0.25))
    for hour in range(0, 12, 3):
        x, y = math.cos(hour * math.pi / 6), math.sin(hour * math.pi / 6)
        pen.line([(x * 0.34, y * 0.34), (x * 0.42, y * 0.42)], ink, 0.08)
    pen.line([(0, 0), (0, -0.34)], ink, 0.11)
    pen.line([(0, 0), (0.24, 0.13)], ink, 0.11)
    pen.dot(0, 0, 0.08, ink)


def _fuse(pen: Pen, ink: Colour, back: Colour) -> None:
    pen.dot(0, 0.14, 0.42, ink)
    left, top = pen.at(-0.13, -0.4)
    right, low = pen.at(0.13, -0.2)
    pen.draw.rectangle((left, top, right, low), fill=ink)
    pen.dot(-0.15, 0.02, 0.12, blend(ink, back, 0.45))
    pen.line([(0, -0.4), (0.16, -0.56), (0.36, -0.5)], ink, 0.08)
    spark = pen.inner(0.24, 0.46, -0.52)
    spark.shape(star(6, 0.95, 0.4), GOLD)


_SIGN: dict[str, Callable[[Pen, Colour, Colour], None]] = {
    "guerrier": _sword,
    "brute": _fist,
    "arcaniste": _spark,
    "ombre": _eyes,
    "horloger": _clock,
    "artificier": _fuse,
}


@lru_cache(maxsize=128)
def fighter(cls: str, camp: int, side: int) -> Image.Image:
    """A hero's medallion of `side` pixels with its thickness and its class's sign."""
    picture, draw = canvas(side, side)
    half = side * FINE / 2
    pen = Pen(draw, half, half * 0.93, half * 0.8)
    outline = _SILHOUETTE.get(cls, lambda: even(24, 0.92))()
    face, deep, pale = CAMP[camp], CAMP_DEEP[camp], CAMP_PALE[camp]
    low = Pen(draw, half, half * 1.1, half * 0.8)
    low.inner(1.12).shape(outline, DARK)
    pen.inner(1.12).shape(outline, DARK)
    low.shape(outline, deep)
    pen.shape(outline, pale)
    pen.inner(0.9, 0, 0.015).shape(outline, face)
    _gloss(picture, pen, outline)
    sign = _SIGN.get(cls)
    if sign is None:
        letter = (cls or "?")[0].upper()
        lettering.write(draw, pen.at(0, 0.05), letter, round(half), WHITE, anchor="mm", bold=True)
    else:
        ghost = pen.inner(0.86, 0, 0.1)
        sign(ghost, blend(face, DARK, 0.45), blend(face, DARK, 0.45))
        sign(pen.inner(0.86, 0, 0.04), (250, 248, 240), face)
    return reduce(picture)


def _gloss(picture: Image.Image, pen: Pen, outline: list[Point]) -> None:
    """A soft light on the upper half of the medallion."""
    mask = Image.new("L", picture.size, 0)
    inner = Pen(ImageDraw.Draw(mask), *pen.at(0, 0.015), pen.half * 0.9)
    inner.shape(outline, 70)  # type: ignore[arg-type]
    fade = Image.linear_gradient("L").resize(picture.size).point(lambda v: max(0, 255 - 2 * v))
    clear = Image.new("L", picture.size, 0)
    clear.paste(mask, (0, 0), fade)
    picture.paste((255, 255, 255, 255), (0, 0), clear)


def _charge(pen: Pen, camp: int, kind: str) -> None:
    pen.dot(0, 0.28, 0.62, DARK)
    pen.dot(0, 0.26, 0.54, (58, 60, 74))
    pen.dot(-0.2, 0.06, 0.14, (124, 128, 146))
    if "fum" in kind:
        band: Colour = (150, 158, 170)
    else:
        band = (120, 204, 230) if "recul" in kind else (250, 150, 70)
    pen.line([(-0.5, 0.36), (0, 0.48), (0.5, 0.36)], CAMP[camp], 0.2)
    pen.line([(0, -0.3), (0.14, -0.5), (0.34, -0.48)], (210, 190, 150), 0.1)
    pen.inner(0.3, 0.44, -0.5).shape(star(7, 1, 0.45), band)
    pen.inner(0.14, 0.44, -0.5).shape(star(7, 1, 0.5), WHITE)


def _elemental(pen: Pen, camp: int, kind: str) -> None:
    cold = "givre" in kind
    outer: Colour = (110, 196, 246) if cold else (246, 120, 50)
    inner: Colour = (216, 244, 255) if cold else (255, 218, 104)
    flame = [(0, -0.95), (0.26, -0.5), (0.36, -0.62), (0.62, 0.0), (0.6, 0.44), (0.32, 0.78),
             (0, 0.86), (-0.32, 0.78), (-0.6, 0.44), (-0.58, 0.02),
             (-0.36, -0.34), (-0.2, -0.2)]  # fmt: skip
    pen.inner(1.12).shape(flame, DARK)
    pen.shape(flame, outer)
    pen.inner(0.6, 0.02, 0.3).shape(flame, inner)
    for x in (-0.17, 0.17):
        pen.dot(x, 0.36, 0.09, DARK)
    pen.line([(-0.44, 0.8), (0, 0.9), (0.44, 0.8)], CAMP[camp], 0.2)


def _automate(pen: Pen, camp: int, kind: str) -> None:
    brass: Colour = (120, 178, 170) if "gardien" in kind else (206, 158, 84)
    for box, fill, radius in (
        ((-0.66, -0.66, 0.66, 0.9), DARK, 0.26),
        ((-0.56, -0.56, 0.56, 0.18), brass, 0.2),
        ((-0.5, 0.14, 0.5, 0.8), blend(brass, DARK, 0.3), 0.14),
    ):
        left, top = pen.at(box[0], box[1])
        right, low = pen.at(box[2], box[3])
        pen.draw.rounded_rectangle((left, top, right, low), pen.half * radius, fill=fill)
    pen.line([(0, -0.6), (0, -0.82)], blend(brass, DARK, 0.3), 0.1)
    pen.dot(0, -0.86, 0.12, CAMP[camp])
    for x in (-0.24, 0.24):
        pen.dot(x, -0.2, 0.18, DARK)
        pen.dot(x, -0.2, 0.11, (255, 244, 190))
    pen.line([(-0.36, 0.48), (0.36, 0.48)], CAMP[camp], 0.22)


def _banner(pen: Pen, camp: int, kind: str) -> None:
    pen.line([(-0.3, -0.9), (-0.3, 0.86)], DARK, 0.26)
    pen.line([(-0.3, -0.9), (-0.3, 0.86)], (176, 132, 80), 0.13)
    cloth = [(-0.24, -0.84), (0.68, -0.74), (0.48, -0.36), (0.72, 0.06), (-0.24, 0.0)]
    pen.inner(1.08, 0.02, -0.03).shape(cloth, DARK)
    pen.shape(cloth, CAMP[camp])
    pen.inner(0.24, 0.12, -0.4).shape(star(5, 1, 0.45), WHITE)
    pen.dot(-0.3, -0.92, 0.12, GOLD)


def _barricade(pen: Pen, camp: int, kind: str) -> None:
    wood: Colour = (168, 116, 66)
    for stake in range(4):
        x = -0.6 + stake * 0.4
        points = [(x - 0.17, -0.3), (x, -0.62), (x + 0.17, -0.3), (x + 0.17, 0.7), (x - 0.17, 0.7)]
        pen.shape([(px * 1.08, py * 1.08) for px, py in points], DARK)
        pen.shape(points, blend(wood, WHITE, 0.12 * (stake % 2)))
    pen.line([(-0.76, 0.06), (0.76, 0.06)], blend(wood, DARK, 0.4), 0.18)
    pen.line([(-0.76, 0.42), (0.76, 0.42)], CAMP[camp], 0.2)


def _statue(pen: Pen, camp: int, kind: str) -> None:
    pen.inner(1.12).shape(even(6, 0.72, math.pi / 6), DARK)
    pen.shape(even(6, 0.72, math.pi / 6), CAMP[camp])
    lettering.write(
        pen.draw, pen.at(0, 0), (kind or "?")[0].upper(), round(pen.half * 0.9), WHITE,
        anchor="mm", bold=True,
    )  # fmt: skip


_SUMMON: tuple[tuple[str, Callable[[Pen, int, str], None]], ...] = (
    ("charge", _charge),
    ("element", _elemental),
    ("automate", _automate),
    ("banni", _banner),
    ("banner", _banner),
    ("barricade", _barricade),
)


@lru_cache(maxsize=128)
def summon(kind: str, camp: int, side: int) -> Image.Image:
    """A summon, charge or banner of `side` pixels; kinds without a picture get a letter."""
    picture, draw = canvas(side, side)
    half = side * FINE / 2
    paint = next((how for word, how in _SUMMON if word in kind.lower()), _statue)
    paint(Pen(draw, half, half * 0.98, half * 0.78), camp, kind.lower())
    return reduce(picture)


@lru_cache(maxsize=32)
def shadow(side: int) -> Image.Image:
    """The soft shadow under something that stands."""
    picture = Image.new("L", (side, side), 0)
    draw = ImageDraw.Draw(picture)
    draw.ellipse((side * 0.18, side * 0.62, side * 0.88, side * 0.9), fill=150)
    soft = picture.filter(ImageFilter.GaussianBlur(side * 0.06))
    dark = Image.new("RGBA", (side, side), (16, 12, 28, 0))
    dark.putalpha(soft)
    return dark


@lru_cache(maxsize=32)
def halo(side: int, colour: Colour, dashed: bool) -> Image.Image:
    """A ring lying on the floor: round who acts, or dashed round the unseen."""
    picture, draw = canvas(side, side)
    full = side * FINE
    box = (full * 0.04, full * 0.2, full * 0.96, full * 0.98)
    if dashed:
        for part in range(0, 360, 30):
            draw.arc(box, part, part + 17, fill=(*colour, 255), width=max(1, round(full * 0.045)))
        return reduce(picture)
    draw.ellipse(box, fill=(*colour, 96))
    glow = picture.filter(ImageFilter.GaussianBlur(full * 0.03))
    ImageDraw.Draw(glow).ellipse(box, outline=(*colour, 255), width=max(1, round(full * 0.05)))
    return reduce(glow)


@lru_cache(maxsize=16)
def arrow(side: int, colour: Colour) -> Image.Image:
    """A small arrow head that points down at who acts."""
    picture, draw = canvas(side, side)
    half = side * FINE / 2
    pen = Pen(draw, half, half, half)
    pen.shape([(-0.9, -0.6), (0.9, -0.6), (0, 0.85)], DARK)
    pen.shape([(-0.6, -0.42), (0.6, -0.42), (0, 0.55)], colour)
    return reduce(picture)
