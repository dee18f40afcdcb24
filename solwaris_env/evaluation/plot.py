"""The picture of a report: ratings, classes against classes, maps, agents against agents."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import SolwarisError
from .report import columns_of
from .tables import Score, sheet_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .report import Report

INK = "#22262e"
PALE = "#c9ced6"
COLOURS = ("#3b6ea5", "#c8553d", "#5a8f5b", "#8a5a9e", "#c29a2e", "#4a9a9a", "#8c6d5a", "#6b7280")
HEAT = "RdBu"  # losing is red, winning blue, even white
DPI = 120


def check_plot(path: str) -> None:
    """Raise before long work where `draw` could not serve a file of this name.

    Raises:
        SolwarisError: it does not end in .png.
        ModuleNotFoundError: matplotlib is not installed.
    """
    if Path(path).suffix.lower() != ".png":
        raise SolwarisError(f"cannot draw {path}: pictures are PNG files, named *.png")
    import matplotlib  # noqa: F401


def draw(report: Report) -> bytes:
    """Return the picture as the bytes of a PNG file; the same report gives the same picture."""
    from matplotlib.figure import Figure

    several = len(report.names) > 2
    names = sheet_names()
    figure = Figure(figsize=(14, 11 if several else 10), layout="constrained", facecolor="white")
    axes = figure.subplots(2, 2)
    _ratings(axes[0, 0], report)
    if several:
        _heat(axes[0, 1], report.crossed(), "points against each other", "agent", "against")
    else:
        meeting = report.meetings[0]
        table = {
            names[own]: {names[other]: score for other, score in row.items()}
            for own, row in meeting.versus.items()
        }
        title = f"points of {meeting.agent_a} by classes"
        _heat(axes[0, 1], table, title, f"played by {meeting.agent_a}", f"by {meeting.agent_b}")
    balance = {
        names[own]: {names[other]: score for other, score in row.items()}
        for own, row in report.balance.versus.items()
    }
    _heat(axes[1, 0], balance, "points of classes, whoever plays", "class", "against")
    _maps(axes[1, 1], report)
    played = "" if report.complete else f", {report.duels} played"
    figure.suptitle(
        f"{report.settings['duels']} duels of each two agents{played}, seed "
        f"{report.settings['seed']}, {report.settings['team_size']} a side",
        color=INK,
    )
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=DPI, metadata={"Software": None})
    return stream.getvalue()


def _ratings(axes: Axes, report: Report) -> None:
    """A dot for each agent with its interval; an open end is an arrow."""
    axes.set_title("ratings (Elo), 95 % intervals", color=INK)
    if report.ratings is None:
        axes.text(0.5, 0.5, "too few meetings were played", ha="center", color=INK)
        axes.set_axis_off()
        return
    order = sorted(range(len(report.names)), key=lambda place: report.ratings[place].elo)
    ratings = [report.ratings[place] for place in order]
    known = [end for r in ratings for end in (r.elo, r.low, r.high) if end is not None]
    anchor = report.settings["anchor_elo"]
    margin = 0.12 * max(max(known) - min(known), 100)
    left, right = min(known) - margin, max(known) + margin
    for row, rating in enumerate(ratings):
        low = left if rating.low is None else rating.low
        high = right if rating.high is None else rating.high
        axes.barh(row, rating.elo - anchor, left=anchor, height=0.6, color=PALE)
        axes.plot([low, high], [row, row], color=COLOURS[0], linewidth=2)
        for end, edge, sign in ((rating.low, left, "<"), (rating.high, right, ">")):
            at, marker = (edge, sign) if end is None else (end, "|")
            axes.plot(at, row, marker=marker, color=COLOURS[0], markersize=9)
        axes.plot(rating.elo, row, "o", color=INK)
        axes.annotate(
            rating.words,
            (rating.elo, row),
            (0, 9),
            textcoords="offset points",
            ha="center",
            color=INK,
        )
    axes.set_yticks(range(len(order)), [report.names[place] for place in order])
    axes.set_xlim(left, right + margin / 4)
    axes.set_ylim(-0.7, len(order) - 0.3)
    _plain(axes)


def _heat(
    axes: Axes, table: Mapping[str, Mapping[str, Score]], title: str, rows: str, columns: str
) -> None:
    """A table of points as coloured squares, in percent."""
    lefts = list(table)
    tops = columns_of(table)
    values = np.array(
        [[table[a][b].points if b in table[a] else np.nan for b in tops] for a in lefts]
    ).reshape(len(lefts), len(tops))
    axes.set_title(title, color=INK)
    axes.imshow(np.ma.masked_invalid(values), cmap=HEAT, vmin=0, vmax=1, aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            colour = "white" if abs(value - 0.5) > 0.3 else INK
            axes.text(column, row, f"{100 * value:.0f}", ha="center", va="center", color=colour)
    axes.set_xticks(range(len(tops)), tops, rotation=20, ha="right")
    axes.set_yticks(range(len(lefts)), lefts)
    axes.set_ylabel(rows, color=INK)
    axes.set_xlabel(columns, color=INK)
    _plain(axes)


def _maps(axes: Axes, report: Report) -> None:
    """Bars of each agent's points on each map, with intervals; of two agents the first's."""
    names = sheet_names()
    results = report.overall or report.meetings
    maps = [key for key in names if any(key in result.on_map for result in results)]
    width = 0.8 / len(results)
    for number, result in enumerate(results):
        places = [place for place, key in enumerate(maps) if key in result.on_map]
        scores = [result.on_map[maps[place]] for place in places]
        at = np.array(places) + (number - (len(results) - 1) / 2) * width
        points = np.array([score.points for score in scores])
        ends = np.array([score.points_interval for score in scores]).T
        axes.bar(
            at,
            points,
            width,
            yerr=np.abs(ends - points),
            color=COLOURS[number % len(COLOURS)],
            ecolor=INK,
            capsize=2,
            label=result.agent_a,
        )
    axes.axhline(0.5, color=INK, linewidth=0.8, linestyle=":")
    axes.set_ylim(0, 1.02)
    axes.set_xticks(range(len(maps)), [names[key] for key in maps], rotation=20, ha="right")
    alone = "" if report.overall else f" of {results[0].agent_a}"
    axes.set_title(f"points{alone} on maps, 95 % intervals", color=INK)
    if report.overall:
        axes.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))
    _plain(axes)


def _plain(axes: Any) -> None:
    """Leave out what carries nothing."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(colors=INK, length=0)
