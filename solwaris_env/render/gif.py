"""Pictures of a duel as an animated GIF."""

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .frame import render_frame

if TYPE_CHECKING:
    from PIL import Image

SIZE = (960, 600)
MOST = 400
_SAMPLES = 6
_CLEAR = 255


def gif_bytes(
    views: Sequence[dict], seconds: float, *, last: float = 3.0, size: tuple[int, int] = SIZE
) -> bytes:
    """An endless GIF with one picture for each JSON view.

    `seconds` is how long each stays, `last` the same for the final one; of more than
    400 views an even choice is drawn. One palette serves all pictures, so that what
    stands still does not flicker. Raises ValueError for an empty sequence and
    ImportError with a hint where Pillow is missing.
    """
    if not views:
        raise ValueError("a GIF needs at least one picture, and there is none")
    chosen = [views[round(place)] for place in _even(len(views), min(MOST, len(views)))]
    samples = [chosen[round(place)] for place in _even(len(chosen), min(_SAMPLES, len(chosen)))]
    colours = _palette([render_frame(view, size) for view in samples])
    frames = _changes(chosen, size, colours)
    first = next(frames)
    times = [max(20, round(seconds * 1000))] * len(chosen)
    times[-1] = max(times[-1], round(last * 1000))
    stream = io.BytesIO()
    first.save(
        stream,
        format="GIF",
        save_all=True,
        append_images=frames,
        duration=times if len(times) > 1 else times[0],
        loop=0,
        transparency=_CLEAR,
        disposal=1,
        optimize=False,
    )
    return stream.getvalue()


def _changes(
    views: Sequence[dict], size: tuple[int, int], colours: "Image.Image"
) -> Iterator["Image.Image"]:
    """The first picture, then of each what differs from the one before, clear elsewhere."""
    from PIL import Image

    before = None
    for view in views:
        picture = Image.fromarray(render_frame(view, size))
        now = np.asarray(picture.quantize(palette=colours, dither=Image.Dither.NONE))
        shown = now if before is None else np.where(now == before, np.uint8(_CLEAR), now)
        frame = Image.fromarray(shown, mode="P")
        frame.putpalette(colours.getpalette())
        before = now
        yield frame


def _even(count: int, wanted: int) -> list[float]:
    """`wanted` places from 0 to count - 1, both ends among them."""
    return [place * (count - 1) / max(1, wanted - 1) for place in range(wanted)]


def _palette(pictures: list[np.ndarray]) -> "Image.Image":
    """A palette image of 255 colours for all pictures.

    A colour counts by the square root of its pixels: wide floors leave room for the
    small things that stand on them.
    """
    from PIL import Image

    counts = np.zeros(1 << 18, np.int64)
    for picture in pictures:
        red, green, blue = (
            picture[..., channel].ravel().astype(np.int32) >> 2 for channel in range(3)
        )
        counts += np.bincount(red << 12 | green << 6 | blue, minlength=1 << 18)
    codes = np.flatnonzero(counts)
    codes = np.repeat(codes, np.sqrt(counts[codes]).astype(int))
    sheet = np.stack([codes >> 12, codes >> 6 & 63, codes & 63], axis=-1).astype(np.uint8) << 2 | 2
    # Whole rows of 256: the last row is filled with its last colour.
    missing = -len(sheet) % 256
    sheet = np.concatenate([sheet, np.repeat(sheet[-1:], missing, axis=0)])
    image = Image.fromarray(sheet.reshape(-1, 256, 3))
    return image.quantize(_CLEAR, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
