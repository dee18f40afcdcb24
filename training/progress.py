"""What a person sees while a run trains."""

import sys
import time
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

PLAIN_SECONDS = 30.0  # between two lines where there is no terminal


class TrainingProgress:
    """A bar with steps, rate, time left and win rates; plain lines without a terminal.

    Use as a context manager.
    """

    def __init__(self, stream: TextIO | None = None, shown: bool = True) -> None:
        self._console = Console(file=stream or sys.stderr)
        self._shown = shown
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self._next_line = 0.0
        if shown and self._console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(bar_width=12),
                TextColumn("{task.percentage:>3.0f}%"),
                TextColumn("{task.fields[words]}"),
                console=self._console,
            )
            self._task = self._bar.add_task("training", total=1.0, words="")

    def __enter__(self) -> "TrainingProgress":
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._bar:
            self._bar.stop()

    def say(self, words: str) -> None:
        """Print a line that stays."""
        if self._shown:
            self._console.print(words, highlight=False, markup=False, soft_wrap=True)

    def update(
        self, share: float, steps: int, rate: float, left: float, rates: dict[str, float]
    ) -> None:
        """Show how far the run is.

        Args:
            share: of the budget used up, 0 to 1.
            steps: decisions of the learner so far.
            rate: of these a second.
            left: seconds left.
            rates: the latest win rates by opponent.
        """
        words = f"{steps:,} steps, {rate:,.0f}/s, {clock(left)} left"
        if rates:
            words += "; wins: " + ", ".join(f"{name} {won:.0%}" for name, won in rates.items())
        self._tell("training", share, words)

    def imitation(self, share: float, left: float, figures: dict[str, float]) -> None:
        """Show how far the warm start is, `left` seconds before its end."""
        words = f"{clock(left)} left; " + ", ".join(
            f"{name.removeprefix('imitation/').replace('_', ' ')} {value:.3f}"
            for name, value in figures.items()
        )
        self._tell("imitation", share, words)

    def _tell(self, what: str, share: float, words: str) -> None:
        if self._bar:
            self._bar.update(self._task, description=what, completed=share, words=words)
        elif self._shown and time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + PLAIN_SECONDS
            self.say(f"{what} {share:4.0%}  {words}")


def clock(seconds: float) -> str:
    """Return minutes and seconds, `m:ss`."""
    whole = max(0, round(seconds))
    return f"{whole // 60}:{whole % 60:02d}"
