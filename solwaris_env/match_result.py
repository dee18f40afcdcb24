"""What a match came to: counts, intervals, and the words to print them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from .duel.content.loader import content
from .duel.engine.state import HEROES, Termination
from .statistics import wilson_interval

FINISHED = np.dtype(
    [
        ("camp_of_a", "i1"),
        ("winner", "i1"),  # camp, -1: draw
        ("termination", "u1"),
        ("team_size", "u1"),
        ("map", "i2"),
        ("classes", "i2", HEROES),
        ("tours", "i4"),
        ("digest", "u8"),  # of the sequence of actions
    ]
)


@dataclass(frozen=True)
class Score:
    """Duels of one kind: how many, how many agent A won and drew."""

    duels: int
    wins: int
    draws: int

    @property
    def rate(self) -> float:
        """Share of duels won, 0 without any."""
        return self.wins / self.duels if self.duels else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the rate."""
        return wilson_interval(self.wins, self.duels)


@dataclass(frozen=True)
class MatchResult:
    """The outcome of a match, from agent A's side.

    Attributes:
        agent_a, agent_b: names.
        asked, duels: duels asked for, and played to their end.
        wins_a, wins_b, draws: they add up to `duels`.
        win_rate, interval: share of duels won by A (draws are not wins), Wilson's 95 % interval.
        seats: A's score in camp 0 and in camp 1.
        with_class, against_class: A's score by class id in its own camp and in the other.
        on_map: A's score by map id.
        ends: number of duels by the way they ended.
        mean_tours, longest: length in tours.
        distinct: number of different duels, by actions, map and classes.
        decisions, seconds: how much was played, and how long it took.
    """

    agent_a: str
    agent_b: str
    asked: int
    duels: int
    wins_a: int
    wins_b: int
    draws: int
    win_rate: float
    interval: tuple[float, float]
    seats: tuple[Score, Score]
    with_class: dict[str, Score]
    against_class: dict[str, Score]
    on_map: dict[str, Score]
    ends: dict[str, int]
    mean_tours: float
    longest: int
    distinct: int
    decisions: int
    seconds: float

    def data(self) -> dict:
        """Return the result as plain data; scores gain `rate` and `interval`."""
        plain = asdict(self)
        plain["seats"] = [_score_data(score) for score in self.seats]
        for table in ("with_class", "against_class", "on_map"):
            scores: dict[str, Score] = getattr(self, table)
            plain[table] = {key: _score_data(score) for key, score in scores.items()}
        return plain

    def text(self) -> str:
        """Return the result as lines to read."""
        if not self.duels:
            return f"{self.agent_a} against {self.agent_b}: no duel was played to its end"
        low, high = self.interval
        ends = ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in self.ends.items())
        short = "" if self.duels == self.asked else f" of {self.asked} asked for"
        first, second = self.seats
        names = {sheet.id: sheet.name for sheet in (*content().classes, *content().maps)}
        lines = [
            f"{self.agent_a} against {self.agent_b}: {self.duels} duels{short}, "
            f"{self.distinct} distinct, {self.seconds:.1f} s",
            "",
            f"  {self.agent_a} wins   {self.win_rate:6.1%}   "
            f"95 % interval {low:.1%} to {high:.1%}   "
            f"({self.wins_a} won, {self.wins_b} lost, {self.draws} drawn)",
            f"  as Blue {first.rate:.1%} of {first.duels}, as Red {second.rate:.1%} of "
            f"{second.duels}; seats are swapped on every seed",
            f"  mean length {self.mean_tours:.1f} tours, longest {self.longest}; ends: {ends}",
            "",
            f"  {'class':<16}{'played by ' + self.agent_a:^34}{'played against it':^34}",
        ]
        for key in sorted({*self.with_class, *self.against_class}, key=list(names).index):
            own, other = self.with_class.get(key), self.against_class.get(key)
            lines.append(f"  {names[key]:<16}{_words(own):^34}{_words(other):^34}".rstrip())
        lines += ["", f"  {'map':<16}{'':^34}"]
        for key in sorted(self.on_map, key=list(names).index):
            lines.append(f"  {names[key]:<16}{_words(self.on_map[key]):^34}".rstrip())
        return "\n".join(line.rstrip() for line in lines)


def count(
    agents: Sequence[str],
    asked: int,
    finished: Sequence[np.ndarray],
    *,
    decisions: int,
    seconds: float,
) -> MatchResult:
    """Count finished duels.

    Args:
        agents: the names of A and B.
        asked: how many duels were asked for.
        finished: arrays of FINISHED, in any order.
        decisions, seconds: passed on.
    """
    rows = np.concatenate([np.zeros(0, FINISHED), *finished])
    won = rows["winner"] == rows["camp_of_a"]
    drawn = rows["winner"] < 0
    played = len(rows)

    def score(chosen: np.ndarray) -> Score:
        return Score(int(chosen.sum()), int(won[chosen].sum()), int(drawn[chosen].sum()))

    seat = np.arange(HEROES)
    there = seat[None] < 2 * rows["team_size"][:, None]
    of_a = there & (seat[None] % 2 == rows["camp_of_a"][:, None])
    by_class: tuple[dict[str, Score], dict[str, Score]] = ({}, {})
    for number, sheet in enumerate(content().classes):
        plays = rows["classes"] == number
        for table, side in zip(by_class, (of_a, there & ~of_a), strict=True):
            chosen = (plays & side).any(axis=1)
            if chosen.any():
                table[sheet.id] = score(chosen)
    maps = {
        sheet.id: score(rows["map"] == number)
        for number, sheet in enumerate(content().maps)
        if (rows["map"] == number).any()
    }
    ends = {
        end.name.lower(): int((rows["termination"] == end).sum())
        for end in Termination
        if (rows["termination"] == end).any()
    }
    games = np.unique(rows[["digest", "map", "classes"]]) if played else rows
    wins = int(won.sum())
    return MatchResult(
        agent_a=agents[0],
        agent_b=agents[1],
        asked=asked,
        duels=played,
        wins_a=wins,
        wins_b=played - wins - int(drawn.sum()),
        draws=int(drawn.sum()),
        win_rate=wins / played if played else 0.0,
        interval=wilson_interval(wins, played),
        seats=(score(rows["camp_of_a"] == 0), score(rows["camp_of_a"] == 1)),
        with_class=by_class[0],
        against_class=by_class[1],
        on_map=maps,
        ends=ends,
        mean_tours=float(rows["tours"].mean()) if played else 0.0,
        longest=int(rows["tours"].max(initial=0)),
        distinct=len(games),
        decisions=decisions,
        seconds=seconds,
    )


def _score_data(score: Score) -> dict:
    return {**asdict(score), "rate": score.rate, "interval": score.interval}


def _words(score: Score | None) -> str:
    """A score in a table's cell."""
    if score is None:
        return "-"
    low, high = score.interval
    return f"{score.rate:6.1%} of {score.duels:>4}  ({low:.0%}-{high:.0%})"
