"""What a rollout's duels came to: by opponent, by class, by map."""

import numpy as np

from solwaris_env.duel.content.loader import content

from .opponents import KINDS, SNAPSHOTS


class Outcomes:
    """Collects ended duels and sums them up."""

    def __init__(self) -> None:
        self._rows: list[np.ndarray] = []
        self._classes = [sheet.id for sheet in content().classes]
        self._maps = [item.id for item in content().maps]

    def add(
        self,
        opponent: np.ndarray,
        outcome: np.ndarray,
        length: np.ndarray,
        classes: np.ndarray,
        maps: np.ndarray,
    ) -> None:
        """Add k ended duels: opponent's index, 1, 0 or -1, decisions, learner's class, map."""
        kinds = np.minimum(opponent, SNAPSHOTS)
        self._rows.append(np.stack((kinds, outcome, length, classes, maps)))

    def take(self) -> dict[str, float]:
        """Return and forget the figures.

        `win_rate/KIND`, `draw_rate/KIND` and `duels/KIND` for each kind of opponent met,
        `class/CLASS` and `map/MAP`, the score (a draw is half a win) with the learner's first
        hero of that class and on that map, and `duel/decisions`, the learner's on average.
        """
        if not self._rows:
            return {}
        kind, outcome, length, classes, maps = np.concatenate(self._rows, axis=1)
        self._rows = []
        figures = {"duel/decisions": float(length.mean())}
        for index, name in enumerate(KINDS):
            rows = outcome[kind == index]
            if len(rows):
                figures[f"win_rate/{name}"] = float((rows > 0).mean())
                figures[f"draw_rate/{name}"] = float((rows == 0).mean())
                figures[f"duels/{name}"] = float(len(rows))
        for family, names, values in (
            ("class", self._classes, classes),
            ("map", self._maps, maps),
        ):
            for index, name in enumerate(names):
                rows = outcome[values == index]
                if len(rows):
                    figures[f"{family}/{name}"] = float((1 + rows.mean()) / 2)
        return figures
