"""A duel as a picture, from the JSON view alone; needs Pillow and no display."""

import numpy as np

DEFAULT_SIZE = (1440, 900)
_SMALLEST = (320, 200)
_LARGEST = 8192


def render_frame(view: dict, size: tuple[int, int] | None = None) -> np.ndarray:
    """Draws what one seat knows.

    `view` is the JSON view of a duel, `size` (width, height) in pixels, 1440 x 900 by
    default. Returns an array (height, width, 3) of uint8, RGB. Equal views give equal
    bytes. Raises ValueError for a size out of 320 x 200 to 8192 x 8192, ImportError
    with a hint where Pillow is missing.
    """
    wide, high = DEFAULT_SIZE if size is None else (int(size[0]), int(size[1]))
    if not (_SMALLEST[0] <= wide <= _LARGEST and _SMALLEST[1] <= high <= _LARGEST):
        raise ValueError(
            f"a picture of {wide} x {high} pixels cannot be drawn; it needs "
            f"{_SMALLEST[0]} x {_SMALLEST[1]} at least and {_LARGEST} x {_LARGEST} at most"
        )
    try:
        import PIL  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "drawing a picture needs Pillow, which is not installed; "
            "install it with: pip install 'solwaris[render]'"
        ) from error
    from .scene import draw_scene

    return np.array(draw_scene(view, (wide, high)), dtype=np.uint8)
