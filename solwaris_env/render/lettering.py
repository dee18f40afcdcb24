"""Text for pictures, with Pillow's bundled font and drawn accents.

The bundled font has no accented letters, and fonts of the system would make frames
differ from one machine to the next; so letters come from it and accents are strokes.
"""

import unicodedata
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from .palette import Colour

# Signs the font lacks, each with the plain letters nearest to it.
_REPLACE = str.maketrans(
    {
        "\u0153": "oe",
        "\u0152": "OE",
        "\u00e6": "ae",
        "\u00c6": "AE",
        "\u2013": "-",
        "\u2014": "-",
        "\u2212": "-",
        "\u2022": "·",
        "\u2019": "'",
        "\u2192": ">",
        "\u00d7": "x",
        "\u00a0": " ",
        "\u202f": " ",
    }
)
_DRAWN = set(map(chr, range(32, 127))) | set("©«»°±·…")
_FINE = 4
# Strokes in hundredths of the size, from the centre of the letter, y upward from its top.
_ACCENTS: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "\u0301": (((-5, 5), (8, 16)),),
    "\u0300": (((5, 5), (-8, 16)),),
    "\u0302": (((-11, 5), (0, 15), (11, 5)),),
    "\u0308": (((-9, 9), (-8, 9)), ((8, 9), (9, 9))),
    "\u0303": (((-11, 7), (-4, 12), (4, 8), (11, 13)),),
}
_CEDILLA = (((1, 0), (6, -9), (-6, -15)),)


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The bundled font at `size` pixels."""
    return ImageFont.load_default(size)


def _split(text: str) -> tuple[str, list[tuple[int, str]]]:
    """The plain letters, and (index of the letter, combining mark) for each accent."""
    plain: list[str] = []
    marks: list[tuple[int, str]] = []
    for sign in unicodedata.normalize("NFD", text.translate(_REPLACE)):
        if unicodedata.combining(sign):
            marks.append((len(plain) - 1, sign))
        else:
            plain.append(sign if sign in _DRAWN else "?")
    return "".join(plain), marks


@lru_cache(maxsize=8192)
def _mask(text: str, size: int, bold: bool) -> tuple[Image.Image, int]:
    """The text's coverage (mode L) and the y of its baseline in it."""
    face = font(size)
    plain, marks = _split(text)
    baseline = round(size * 1.05)
    width = max(1, int(face.getlength(plain)) + 3)
    mask = Image.new("L", (width, baseline + round(size * 0.35)), 0)
    draw = ImageDraw.Draw(mask)
    draw.text((0, baseline), plain, font=face, fill=255, anchor="ls")
    if bold:
        layer = Image.new("L", mask.size, 0)
        ImageDraw.Draw(layer).text((0, baseline), plain, font=face, fill=255, anchor="ls")
        mask.paste(255, (1, 0), layer)
    if marks:
        fine = Image.new("L", (width * _FINE, mask.height * _FINE), 0)
        pen = ImageDraw.Draw(fine)
        for index, mark in marks:
            if index >= 0:
                _accent(pen, face, plain, index, mark, size, baseline, bold)
        accents = fine.resize(mask.size, Image.Resampling.BOX)
        mask.paste(255, (0, 0), accents)
    return mask, baseline


def _accent(
    pen: ImageDraw.ImageDraw,
    face: ImageFont.FreeTypeFont,
    plain: str,
    index: int,
    mark: str,
    size: int,
    baseline: int,
    bold: bool,
) -> None:
    letter = plain[index]
    middle = face.getlength(plain[:index]) + face.getlength(letter) / 2
    strokes = _ACCENTS.get(mark, ())
    top = baseline - size * (0.70 if letter.isupper() or letter in "il" else 0.52)
    if mark == "\u0327":
        strokes, top = _CEDILLA, baseline
    unit = size / 100 * _FINE
    thick = max(_FINE, round(size * (0.1 if bold else 0.08) * _FINE))
    for stroke in strokes:
        points = [(middle * _FINE + x * unit, top * _FINE - y * unit) for x, y in stroke]
        pen.line(points, fill=255, width=thick, joint="curve")
        if len(points) == 2 and abs(points[0][0] - points[1][0]) < 2 * unit:
            x, y = points[0]
            pen.ellipse((x - thick * 0.6, y - thick * 0.6, x + thick * 0.6, y + thick * 0.6), 255)


def width(text: str, size: int) -> float:
    """Width of the text in pixels."""
    return font(size).getlength(_split(text)[0])


def fit(text: str, size: int, room: float) -> str:
    """The text, shortened with an ellipsis to at most `room` pixels."""
    if width(text, size) <= room:
        return text
    while text and width(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def wrap(text: str, size: int, room: float) -> list[str]:
    """The text in lines of at most `room` pixels, broken at spaces."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def write(
    draw: ImageDraw.ImageDraw,
    xy: tuple[float, float],
    text: str,
    size: int,
    fill: Colour,
    *,
    anchor: str = "lm",
    bold: bool = False,
) -> float:
    """Draws one line; returns its width in pixels.

    `anchor`: l, m or r for the x given (left, middle, right), then t, m or s for the y
    (top of capitals, middle of capitals, baseline).
    """
    if not text:
        return 0.0
    mask, baseline = _mask(text, size, bold)
    long = width(text, size)
    x = xy[0] - {"l": 0.0, "m": long / 2, "r": long}[anchor[0]]
    y = xy[1] - baseline + {"t": size * 0.7, "m": size * 0.35, "s": 0.0}[anchor[1]]
    draw.bitmap((round(x), round(y)), mask, fill=fill)
    return long
