"""A progress line for long work, on a terminal only."""

import sys
import time
from typing import TextIO

EVERY = 0.1  # seconds between two drawings
CLEAR = "\r\x1b[K"
BAR = 24


class ProgressLine:
    """One line on standard error with count, rate and time left, redrawn in place.

    It stays silent where standard error is no terminal. Use as a context manager: the line is
    wiped when the work ends, however it ends.
    """

    def __init__(self, total: int, unit: str, stream: TextIO | None = None) -> None:
        self.total = total
        self.unit = unit
        self._stream = sys.stderr if stream is None else stream
        self._shown = self._stream.isatty()
        self._start = time.monotonic()
        self._next = 0.0

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(self, *exception: object) -> None:
        if self._shown:
            self._stream.write(CLEAR)
            self._stream.flush()

    def update(self, done: int) -> None:
        """Say that `done` of `total` are done."""
        now = time.monotonic()
        if not self._shown or (now < self._next and done < self.total):
            return
        self._next = now + EVERY
        self._stream.write(CLEAR + progress_words(done, self.total, self.unit, now - self._start))
        self._stream.flush()


def progress_words(done: int, total: int, unit: str, seconds: float) -> str:
    """Return the line for `done` of `total` after `seconds`."""
    filled = BAR * done // max(total, 1)
    line = f"  {'#' * filled}{'-' * (BAR - filled)}  {done}/{total} {unit}"
    if not done or seconds <= 0:
        return line
    rate = done / seconds
    left = round((total - done) / rate)
    return f"{line}, {rate:.0f} a second, {left // 60}:{left % 60:02d} left"
