"""A pen that draws in a unit square, four times as fine as the picture."""

import math

from PIL import Image, ImageDraw

from .palette import Colour

FINE = 4
Point = tuple[float, float]


class Pen:
    """Draws in a square from (-1, -1) to (1, 1), y downward."""

    def __init__(self, draw: ImageDraw.ImageDraw, x: float, y: float, half: float) -> None:
        self.draw, self.x, self.y, self.half = draw, x, y, half

    def at(self, x: float, y: float) -> Point:
        """Pixel of a place in the square, -1..1 both ways."""
        return self.x + x * self.half, self.y + y * self.half

    def shape(self, points: list[Point], fill: Colour) -> None:
        """Fill a polygon."""
        self.draw.polygon([self.at(*point) for point in points], fill=fill)

    def line(self, points: list[Point], fill: Colour, width: float) -> None:
        """Draw a line with round ends."""
        thick = max(1, round(width * self.half))
        self.draw.line([self.at(*point) for point in points], fill, thick, joint="curve")
        for end in (points[0], points[-1]):
            self.dot(*end, width / 2, fill)

    def dot(self, x: float, y: float, radius: float, fill: Colour | None, **more) -> None:
        """Draw a disc."""
        left, top = self.at(x - radius, y - radius)
        right, low = self.at(x + radius, y + radius)
        self.draw.ellipse((left, top, right, low), fill=fill, **more)

    def ring(self, x: float, y: float, radius: float, fill: Colour, width: float) -> None:
        """Draw a circle's line."""
        self.dot(x, y, radius, None, outline=fill, width=max(1, round(width * self.half)))

    def inner(self, share: float, x: float = 0, y: float = 0) -> "Pen":
        """A pen for a smaller square inside."""
        return Pen(self.draw, *self.at(x, y), self.half * share)


def star(spikes: int, far: float, near: float, turn: float = -math.pi / 2) -> list[Point]:
    """Corners of a star around the origin."""
    points = []
    for corner in range(spikes * 2):
        reach = far if corner % 2 == 0 else near
        angle = turn + corner * math.pi / spikes
        points.append((reach * math.cos(angle), reach * math.sin(angle)))
    return points


def canvas(wide: int, high: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """A clear picture for a sprite of `wide` x `high` pixels, and a draw for it."""
    picture = Image.new("RGBA", (wide * FINE, high * FINE), (0, 0, 0, 0))
    return picture, ImageDraw.Draw(picture)


def reduce(picture: Image.Image) -> Image.Image:
    """The sprite at its own size, its edges smooth."""
    return picture.resize((picture.width // FINE, picture.height // FINE), Image.Resampling.BOX)


def shield_outline() -> list[Point]:
    """Corners of a heater shield."""
    top = [(-0.8, -0.78), (-0.4, -0.7), (0, -0.86), (0.4, -0.7), (0.8, -0.78)]
    right = [(0.82, 0.0), (0.7, 0.4), (0.42, 0.74), (0, 0.95)]
    return top + right + [(-x, y) for x, y in reversed(right[:-1])]


def even(corners: int, radius: float, turn: float = 0.0) -> list[Point]:
    """Corners of a regular polygon around the origin."""
    return [
        (
            radius * math.cos(turn + i * 2 * math.pi / corners),
            radius * math.sin(turn + i * 2 * math.pi / corners),
        )
        for i in range(corners)
    ]
