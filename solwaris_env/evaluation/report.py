"""A series as a report: ratings, meetings, and what it says of classes and agents.

The JSON file that `solwaris evaluate` and `solwaris tournament` write is an object with the keys

- `solwaris`, `rules`: versions of the package and of the rules.
- `settings`: `duels` asked for of each two agents, `seed`, `team_size`, `map` and `classes`
  (null: all), `anchor` (a name), `anchor_elo`, `resamples` of the bootstrap.
- `complete`: whether all duels asked for were played.
- `agents`: a list of `{name, agent, elo, low, high, infinite}`: `name` as in tables, `agent` as
  it was given, `low` and `high` the 95 % interval (null: open), `infinite` "above", "below" or
  null (see `rating`). The last four are null where too little was played to rate anyone.
- `meetings`: of every two agents, in order, an object as `tables` documents it; agent A is the
  one that was named first.
- `overall`: with three agents or more, the same of each agent against all others together.
- `balance`: of all duels, whoever played: `with_class[own]` and `versus[own][other]`, scores
  of a class against all others and against each; duels of a class against itself count for
  neither.

Nothing in it depends on the machine, the time or the number of processes.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..duel.content.loader import RULES_VERSION, content
from .auction import Auction, raised_shares
from .play import FINISHED
from .rating import RESAMPLES, Rating, rate
from .series import Series
from .tables import MatchResult, Score, class_masks, count, sheet_names

OTHERS = "the others"
ALL = "all"  # column of a class against all others
MOST_SPELLS = 6  # of an agent in the text; the file holds all


@dataclass(frozen=True)
class Balance:
    """How classes fare, whoever plays them: scores against all others, and against each."""

    with_class: dict[str, Score]
    versus: dict[str, dict[str, Score]]


@dataclass(frozen=True)
class Report:
    """What a series came to; see the module's docstring."""

    version: str
    settings: dict[str, Any]
    names: list[str]
    agents: list[str]
    ratings: list[Rating] | None
    meetings: list[MatchResult]
    overall: list[MatchResult]
    balance: Balance

    @property
    def duels(self) -> int:
        """Duels played."""
        return sum(meeting.duels for meeting in self.meetings)

    @property
    def complete(self) -> bool:
        """Whether all duels asked for were played."""
        return all(meeting.duels == meeting.asked for meeting in self.meetings)

    def json(self) -> str:
        """Return the text of the JSON file."""
        unrated = dict.fromkeys(Rating.__dataclass_fields__)
        ratings = [asdict(rating) for rating in self.ratings or []] or [unrated] * len(self.names)
        data = {
            "solwaris": self.version,
            "rules": RULES_VERSION,
            "settings": self.settings,
            "complete": self.complete,
            "agents": [
                {"name": name, "agent": agent, **rating}
                for name, agent, rating in zip(self.names, self.agents, ratings, strict=True)
            ],
            "meetings": [meeting.data() for meeting in self.meetings],
            "overall": [result.data() for result in self.overall],
            "balance": {
                "with_class": {key: s.data() for key, s in self.balance.with_class.items()},
                "versus": {
                    own: {other: s.data() for other, s in row.items()}
                    for own, row in self.balance.versus.items()
                },
            },
        }
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"

    def text(self) -> str:
        """Return the report as lines to read."""
        names = sheet_names()
        if not self.duels:
            return "no pairing was played to its end"
        if len(self.meetings) == 1:
            meeting = self.meetings[0]
            lines = [meeting.text(), ""]
            lines += _grid(
                f"points of {meeting.agent_a}, its class against {meeting.agent_b}'s, in percent",
                meeting.versus,
                names,
            )
        else:
            lines = [
                f"{len(self.names)} agents, {self.duels} duels of {self.settings['duels']} "
                "for each two"
            ]
            lines += ["", *_grid("points of agents against each other, in percent", self.crossed())]
            lines += ["", *_grid("points of agents on maps, in percent", {
                result.agent_a: {names[key]: score for key, score in result.on_map.items()}
                for result in self.overall
            })]  # fmt: skip
            lines += ["", *_grid("points of agents with classes, in percent", {
                result.agent_a: {names[key]: score for key, score in result.with_class.items()}
                for result in self.overall
            })]  # fmt: skip
        lines += [
            "",
            *_grid(
                "points of classes, whoever plays, in percent",
                {
                    own: {**row, ALL: self.balance.with_class[own]}
                    for own, row in self.balance.versus.items()
                },
                {**names, ALL: ALL},
            ),
        ]
        lines += ["", *bid_lines(
            [
                (result.agent_a if hand == "a" else result.agent_b, result.auction, hand)
                for result, hand in self._hands()
            ],
            names,
        )]  # fmt: skip
        lines += ["", *self._spell_lines(), "", *self._rating_lines()]
        return "\n".join(line.rstrip() for line in lines)

    def crossed(self) -> dict[str, dict[str, Score]]:
        """Return the score of each agent against each, by their names."""
        table: dict[str, dict[str, Score]] = {name: {} for name in self.names}
        for meeting in self.meetings:
            table[meeting.agent_a][meeting.agent_b] = meeting.score
            table[meeting.agent_b][meeting.agent_a] = meeting.score_of_b
        return table

    def _hands(self) -> list[tuple[MatchResult, str]]:
        """Each agent's result over all its duels, and whether it is agent `a` or `b` there."""
        return [(r, "a") for r in self.overall] or [(m, h) for m in self.meetings for h in "ab"]

    def _spell_lines(self) -> list[str]:
        """Lines on what each agent casts most and never."""
        names = {spell.id: spell.name for spell in content().spells}
        lines = ["  spells, casts in a duel that carries them"]
        for result, hand in self._hands():
            uses = {key: both[hand] for key, both in result.spells.items() if both[hand].carried}
            often = sorted(uses, key=lambda key: -uses[key].casts / uses[key].carried)
            most = [
                f"{names[key]} {uses[key].casts / uses[key].carried:.1f}"
                for key in often[:MOST_SPELLS]
                if uses[key].casts
            ]
            never = [names[key] for key in uses if not uses[key].casts]
            more = f" and {len(never) - MOST_SPELLS} more" if len(never) > MOST_SPELLS else ""
            lines.append(
                f"  {result.agent_a if hand == 'a' else result.agent_b}: "
                f"most {', '.join(most) or 'none'}; "
                f"never {', '.join(never[:MOST_SPELLS]) or 'none'}{more}"
            )
        return lines

    def _rating_lines(self) -> list[str]:
        if self.ratings is None:
            return ["  no ratings: too few meetings were played"]
        lines = [f"  {'rating':<28}{'Elo':>8}   95 % interval"]
        for place in sorted(range(len(self.names)), key=lambda k: -self.ratings[k].elo):
            rating, name = self.ratings[place], self.names[place]
            if name == self.settings["anchor"]:
                words = "anchor"
            else:
                words = rating.span + (f": {rating.words}" if rating.infinite else "")
            lines.append(f"  {name:<28}{rating.elo:>8.0f}   {words}")
        return lines


def report(
    series: Series,
    agents: Sequence[str],
    settings: dict[str, Any],
    *,
    version: str,
    anchor: int = 0,
    anchor_elo: float = 0.0,
) -> Report:
    """Count and rate what a series has played so far.

    Args:
        series: played to its end or not.
        agents: as they were given.
        settings: told in the file as they are, with the anchor and the resamples added.
        version: of the package.
        anchor, anchor_elo: the place of the agent whose rating is given.
    """
    names, pairs = series.names, series.job.meetings
    rows = [series.rows(number) for number in range(len(pairs))]
    asked = series.duels // len(pairs)
    meetings = [
        count([names[a], names[b]], asked, part) for (a, b), part in zip(pairs, rows, strict=True)
    ]
    overall = []
    if len(names) > 2:
        for place, name in enumerate(names):
            own = [
                part if place == a else turned(part)
                for (a, b), part in zip(pairs, rows, strict=True)
                if place in (a, b)
            ]
            overall.append(count([name, OTHERS], asked * len(own), pooled(own)))
    return Report(
        version=version,
        settings={
            **settings,
            "anchor": names[anchor],
            "anchor_elo": anchor_elo,
            "resamples": RESAMPLES,
        },
        names=names,
        agents=list(agents),
        ratings=_ratings(series, rows, anchor, anchor_elo),
        meetings=meetings,
        overall=overall,
        balance=balance(pooled(rows)),
    )


def _ratings(
    series: Series, rows: Sequence[np.ndarray], anchor: int, anchor_elo: float
) -> list[Rating] | None:
    """Rate the agents, or no one where a meeting has not been played at all."""
    if not all(map(len, rows)):
        return None
    return rate(
        len(series.names),
        series.job.meetings,
        [pair_points(part) for part in rows],
        anchor=anchor,
        anchor_elo=anchor_elo,
        seed=series.job.seed,
    )


def pair_points(rows: np.ndarray) -> np.ndarray:
    """Agent A's points in each pairing, (n / 2,), from its two duels in (n,) FINISHED."""
    points = (rows["winner"] == rows["camp_of_a"]) + 0.5 * (rows["winner"] < 0)
    _, place = np.unique(rows["pair"], return_inverse=True)
    return np.bincount(place, points)


def turned(rows: np.ndarray) -> np.ndarray:
    """Return the same duels, (n,) FINISHED, from agent B's side."""
    rows = rows.copy()
    rows["camp_of_a"] = 1 - rows["camp_of_a"]
    return rows


def pooled(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Return the duels of several meetings as one array, their pairings told apart."""
    together = np.concatenate([np.zeros(0, FINISHED), *parts])
    shifts = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    together["pair"] += together["pair"].max(initial=0) * shifts + shifts
    return together


def balance(rows: np.ndarray) -> Balance:
    """Count how classes fare in all duels, (n,) FINISHED, each seen from both sides."""
    both = np.concatenate([rows, turned(rows)])
    won, drawn = both["winner"] == both["camp_of_a"], both["winner"] < 0
    sides = class_masks(both)
    classes = content().classes

    def score(chosen: np.ndarray) -> Score:
        return Score.of(won[chosen], drawn[chosen], both["pair"][chosen])

    versus: dict[str, dict[str, Score]] = {}
    with_class: dict[str, Score] = {}
    for i, own in enumerate(classes):
        against = {other.id: sides[0, i] & sides[1, j] for j, other in enumerate(classes) if i != j}
        versus[own.id] = {key: score(chosen) for key, chosen in against.items() if chosen.any()}
        chosen = np.logical_or.reduce(list(against.values()))
        if chosen.any():
            with_class[own.id] = score(chosen)
    return Balance(with_class, {own: row for own, row in versus.items() if row})


def columns_of(table: Mapping[str, Mapping[str, Score]]) -> list[str]:
    """Return the columns of a table of scores: in the order of its rows where they are rows too."""
    columns = dict.fromkeys(key for row in table.values() for key in row)
    rows = [key for key in table if key in columns]
    return [*rows, *(key for key in columns if key not in rows)]


def _grid(
    title: str, table: dict[str, dict[str, Score]], names: dict[str, str] | None = None
) -> list[str]:
    """Lines of a table of points in percent; ids are put as `names` puts them."""
    told = (lambda key: key) if names is None else names.__getitem__
    columns = columns_of(table)
    cells = {
        told(key): {
            told(column): f"{100 * row[column].points:.1f}" if column in row else "-"
            for column in columns
        }
        for key, row in table.items()
    }
    return [f"  {title}", *_laid_out(cells)]


def bid_lines(agents: Sequence[tuple[str, Auction, str]], names: Mapping[str, str]) -> list[str]:
    """Lines on how often agents raise in the auction, by class and by map; see `raised_shares`."""
    lines = ["  raised in the auction, in percent of the duels in which the agent was asked"]
    for part in ("with_class", "on_map"):
        lines += _laid_out(raised_shares(agents, part, names))
    return lines


def _laid_out(cells: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Lines of a table from its cells by row and column; every row has all columns."""
    lead = max(map(len, cells), default=0)
    columns = list(next(iter(cells.values()), {}))
    widths = [max(len(column), 5) for column in columns]
    told = {"": dict(zip(columns, columns, strict=True)), **cells}
    return [
        f"  {head:<{lead}}  "
        + "  ".join(f"{row[c]:>{w}}" for c, w in zip(columns, widths, strict=True))
        for head, row in told.items()
    ]
