"""What a meeting of two agents came to: counts, intervals, and the words to print them.

`MatchResult.data()` is plain data with these keys, all of them from agent A's side:

- `agent_a`, `agent_b`; `asked`, `duels`, `pairs`: duels asked for, duels and pairings played;
  `distinct`: different duels among them, by all actions and how the board lay at the end.
- `score`: A's points over all duels; a *score* is `{duels, wins, draws, rate, interval, points,
  points_interval}`: `rate` is the share won, `points` counts a draw as half a win, both
  intervals at 95 % as `statistics.paired_interval` makes them.
- `score_of_b`: the same of B.
- `seats`: two scores, A in seat 0 and in seat 1 (camps 0 and 1 with two heroes a side).
- `first`, `second`: scores of A where its camp opened the fight, and where the other's did.
- `camp_0`, `opener`: scores of whoever sits in camp 0, and of whoever opens the fight.
- `with_class`, `against_class`: a score for each class id in A's camp, in the other camp.
- `versus`: `versus[own][other]`, a score for each class of A against each class of B.
- `on_map`: a score for each map id.
- `ends`: duels by the way they ended; `mean_tours`, `median_tours`, `longest`: their length.
- `spells`: for each spell id `a` and `b`, each `{carried, casts, wins}`: duels in which a hero of
  that agent carried it, casts in all of them, and how many of them the agent won. Summons'
  spells are carried by nobody.
- `auction`: `with_class` and `on_map`, for each id `a` and `b`, each `{asked, raised, bought,
  price}` as `auction.Bids` explains them.
- `decisions`: actions taken by both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..duel.content.loader import content
from ..duel.engine.state import HEROES, Termination
from ..statistics import paired_interval
from .auction import Auction
from .play import CAMPS


@dataclass(frozen=True)
class Score:
    """Duels of one kind: how many, how many were won and drawn, and how surely.

    Attributes:
        duels, wins, draws: counts.
        interval: 95 % interval of the share won.
        points_interval: the same with draws as half wins.
    """

    duels: int
    wins: int
    draws: int
    interval: tuple[float, float] = (0.0, 1.0)
    points_interval: tuple[float, float] = (0.0, 1.0)

    @classmethod
    def of(cls, won: np.ndarray, drawn: np.ndarray, pairs: np.ndarray) -> "Score":
        """Count duels: bool (n,), bool (n,), and whole numbers (n,) equal within a pairing."""
        return cls(
            len(won),
            int(won.sum()),
            int(drawn.sum()),
            paired_interval(won.astype(float), pairs),
            paired_interval(won + 0.5 * drawn, pairs),
        )

    @property
    def rate(self) -> float:
        """Share of duels won, 0 without any."""
        return self.wins / self.duels if self.duels else 0.0

    @property
    def points(self) -> float:
        """Share of duels won with draws as half wins, 0 without any."""
        return (self.wins + self.draws / 2) / self.duels if self.duels else 0.0

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {**asdict(self), "rate": self.rate, "points": self.points}


@dataclass(frozen=True)
class SpellUse:
    """A spell in one agent's hands: duels that carried it, its casts, duels among them won."""

    carried: int
    casts: int
    wins: int


@dataclass(frozen=True)
class MatchResult:
    """The outcome of a meeting, from agent A's side; the module's docstring tells the fields."""

    agent_a: str
    agent_b: str
    asked: int
    duels: int
    pairs: int
    distinct: int
    score: Score
    score_of_b: Score
    seats: tuple[Score, Score]
    first: Score
    second: Score
    camp_0: Score
    opener: Score
    with_class: dict[str, Score]
    against_class: dict[str, Score]
    versus: dict[str, dict[str, Score]]
    on_map: dict[str, Score]
    ends: dict[str, int]
    mean_tours: float
    median_tours: float
    longest: int
    spells: dict[str, dict[str, SpellUse]]
    auction: Auction
    decisions: int

    @property
    def wins_a(self) -> int:
        """Duels A won."""
        return self.score.wins

    @property
    def wins_b(self) -> int:
        """Duels B won."""
        return self.score_of_b.wins

    @property
    def draws(self) -> int:
        """Duels nobody won."""
        return self.score.draws

    @property
    def win_rate(self) -> float:
        """Share of duels won by A; draws are not wins."""
        return self.score.rate

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of `win_rate`."""
        return self.score.interval

    def data(self) -> dict[str, Any]:
        """Return the result as plain data, fit for JSON."""
        return {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}

    def text(self) -> str:
        """Return the result as lines to read."""
        if not self.duels:
            return f"{self.agent_a} against {self.agent_b}: no duel was played to its end"
        low, high = self.interval
        ends = ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in self.ends.items())
        short = "" if self.duels == self.asked else f" of {self.asked} asked for"
        first, second = self.seats
        lines = [
            f"{self.agent_a} against {self.agent_b}: {self.duels} duels{short}, "
            f"{self.distinct} distinct",
            "",
            f"  {self.agent_a} wins   {self.win_rate:6.1%}   "
            f"95 % interval {low:.1%} to {high:.1%}   "
            f"({self.wins_a} won, {self.wins_b} lost, {self.draws} drawn)",
            f"  as Blue {first.rate:.1%} of {first.duels}, as Red {second.rate:.1%} of "
            f"{second.duels}; opening the fight {self.first.rate:.1%} of {self.first.duels}, "
            f"answering {self.second.rate:.1%} of {self.second.duels}",
            f"  whoever is Blue wins {self.camp_0.rate:.1%}, "
            f"whoever opens the fight {self.opener.rate:.1%}",
            f"  mean length {self.mean_tours:.1f} tours, median {self.median_tours:g}, "
            f"longest {self.longest}; ends: {ends}",
            "",
            f"  {'class':<16}{'played by ' + self.agent_a:^34}{'played against it':^34}",
        ]
        names = sheet_names()
        for key in sorted({*self.with_class, *self.against_class}, key=list(names).index):
            own, other = self.with_class.get(key), self.against_class.get(key)
            lines.append(f"  {names[key]:<16}{_words(own):^34}{_words(other):^34}")
        lines += ["", "  map"]
        lines += [f"  {names[key]:<16}{_words(s):^34}" for key, s in self.on_map.items()]
        return "\n".join(line.rstrip() for line in lines)


def sheet_names() -> dict[str, str]:
    """Return the names of classes and maps by their ids, in the game's order."""
    return {sheet.id: sheet.name for sheet in (*content().classes, *content().maps)}


def count(agents: Sequence[str], asked: int, rows: np.ndarray) -> MatchResult:
    """Count finished duels.

    Args:
        agents: the names of A and B.
        asked: how many duels were asked for.
        rows: (n,) FINISHED, in any order.
    """
    drawn = rows["winner"] < 0
    won = rows["winner"] == rows["camp_of_a"]
    opened = rows["first_camp"] >= 0

    def score(chosen: np.ndarray, winner: np.ndarray = won) -> Score:
        return Score.of(winner[chosen], drawn[chosen], rows["pair"][chosen])

    everywhere = np.ones(len(rows), bool)
    classes = content().classes
    sides = class_masks(rows)
    versus = {
        own.id: cells
        for i, own in enumerate(classes)
        if (cells := {
            other.id: score(both)
            for j, other in enumerate(classes)
            if (both := sides[0, i] & sides[1, j]).any()
        })
    }  # fmt: skip
    return MatchResult(
        agent_a=agents[0],
        agent_b=agents[1],
        asked=asked,
        duels=len(rows),
        pairs=len(np.unique(rows["pair"])),
        distinct=len(np.unique(rows["digest"])),
        score=score(everywhere),
        score_of_b=score(everywhere, ~won & ~drawn),
        seats=(score(rows["camp_of_a"] == 0), score(rows["camp_of_a"] == 1)),
        first=score(opened & (rows["first_camp"] == rows["camp_of_a"])),
        second=score(opened & (rows["first_camp"] != rows["camp_of_a"])),
        camp_0=score(everywhere, rows["winner"] == 0),
        opener=score(opened, rows["winner"] == rows["first_camp"]),
        with_class={
            sheet.id: score(sides[0, i]) for i, sheet in enumerate(classes) if sides[0, i].any()
        },
        against_class={
            sheet.id: score(sides[1, i]) for i, sheet in enumerate(classes) if sides[1, i].any()
        },
        versus=versus,
        on_map={
            sheet.id: score(there)
            for number, sheet in enumerate(content().maps)
            if (there := rows["map"] == number).any()
        },
        ends={
            end.name.lower(): int((rows["termination"] == end).sum())
            for end in Termination
            if (rows["termination"] == end).any()
        },
        mean_tours=float(rows["tours"].mean()) if len(rows) else 0.0,
        median_tours=float(np.median(rows["tours"])) if len(rows) else 0.0,
        longest=int(rows["tours"].max(initial=0)),
        spells=_spells(rows, won, drawn),
        auction=Auction.of(rows, sides),
        decisions=int(rows["decisions"].sum()),
    )


def class_masks(rows: np.ndarray) -> np.ndarray:
    """Where a class is played: bool (2, classes, n), by agent A and by agent B.

    Args:
        rows: (n,) FINISHED.
    """
    seat = np.arange(HEROES)
    there = seat < 2 * rows["team_size"][:, None]
    of_a = seat % CAMPS == rows["camp_of_a"][:, None]
    numbers = np.arange(len(content().classes))[:, None, None]
    played = (rows["classes"] == numbers) & there
    return np.stack([(played & of_a).any(axis=2), (played & ~of_a).any(axis=2)])


def _spells(rows: np.ndarray, won: np.ndarray, drawn: np.ndarray) -> dict[str, dict[str, SpellUse]]:
    """Use of every spell by each agent."""
    camp = rows["camp_of_a"].astype(np.int64)
    n = np.arange(len(rows))
    hands = (("a", camp, won), ("b", 1 - camp, ~won & ~drawn))
    casts = [rows["casts"][n, side].astype(np.int64).sum(axis=0) for _, side, _ in hands]
    carrying = {
        spell.number: (sheet.number, spell.slot, int(spell.variant))
        for sheet in content().classes
        for spell in sheet.spells
    }
    seat = np.arange(HEROES)
    there = seat < 2 * rows["team_size"][:, None]
    found: dict[str, dict[str, SpellUse]] = {}
    for spell in content().spells:
        found[spell.id] = {}
        if spell.number in carrying:
            cls, slot, variant = carrying[spell.number]
            held = there & (rows["classes"] == cls) & ((rows["loadouts"] >> slot & 1) == variant)
        else:
            held = np.zeros(there.shape, bool)
        for place, (hand, side, victory) in enumerate(hands):
            carried = (held & (seat % CAMPS == side[:, None])).any(axis=1)
            found[spell.id][hand] = SpellUse(
                int(carried.sum()),
                int(casts[place][spell.number]),
                int((carried & victory).sum()),
            )
    return found


def _plain(value: Any) -> Any:
    """A field as plain data."""
    if isinstance(value, Score | Auction):
        return value.data()
    if isinstance(value, SpellUse):
        return asdict(value)
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value


def _words(score: Score | None) -> str:
    """A score in a table's cell."""
    if score is None:
        return "-"
    low, high = score.interval
    return f"{score.rate:6.1%} of {score.duels:>4}  ({low:.0%}-{high:.0%})"
