"""Matches between two agents: many duels in lock step, each played from both sides."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .errors import SolwarisError

if TYPE_CHECKING:
    from .agents.base import Agent
    from .duel.vector import VectorDuel
    from .match_result import MatchResult

TABLES = 128  # duels in lock step on each side
HASH_START = np.uint64(0xCBF29CE484222325)
HASH_FACTOR = np.uint64(0x100000001B3)


class Match:
    """A match under way: `play` carries it to its end, `result` counts what was played so far.

    Every seed is played twice: once with agent A in camp 0, once in camp 1.
    """

    def __init__(
        self,
        agent_a: Agent,
        agent_b: Agent,
        duels: int = 400,
        seed: int = 0,
        *,
        team_size: int | None = 1,
        map: str | None = None,
        classes: Sequence[str] | None = None,
    ) -> None:
        if duels < 1:
            raise SolwarisError(f"a match needs at least 1 duel, got {duels}")
        from .duel.options import parse_seed
        from .duel.vector import VectorDuel

        self.agents = (agent_a, agent_b)
        self.duels = duels
        self.decisions = 0
        self.seconds = 0.0
        words = np.random.SeedSequence(parse_seed(seed)).generate_state(3)
        draws, seed_a, seed_b = (int(word) for word in words)
        agent_a.reset(seed_a)
        agent_b.reset(seed_b)
        self._sides = []
        for camp_of_a, share in enumerate((duels - duels // 2, duels // 2)):
            if share:
                tables = min(share, TABLES)
                batch = VectorDuel(
                    tables, seed=draws, team_size=team_size, map=map, classes=classes
                )
                self._sides.append(_Side(batch, camp_of_a, share))

    @property
    def played(self) -> int:
        """How many duels have ended."""
        return sum(side.played for side in self._sides)

    def play(self, progress: Callable[[int], None] | None = None) -> MatchResult:
        """Play on to the end; `progress` is told now and then how many duels have ended."""
        start = time.perf_counter()
        before = self.seconds
        try:
            while not all(side.over for side in self._sides):
                for side in self._sides:
                    self.decisions += side.step(self.agents)
                self.seconds = before + time.perf_counter() - start
                if progress is not None:
                    progress(self.played)
        finally:
            self.seconds = before + time.perf_counter() - start
        return self.result()

    def result(self) -> MatchResult:
        """Count the duels that have ended."""
        from .match_result import count

        finished = [row for side in self._sides for row in side.finished]
        return count(
            [agent.name for agent in self.agents],
            self.duels,
            finished,
            decisions=self.decisions,
            seconds=self.seconds,
        )


class _Side:
    """The duels of a match with agent A in one camp: each table plays its share in turn."""

    def __init__(self, batch: VectorDuel, camp_of_a: int, duels: int) -> None:
        tables = len(batch.seat)
        self.batch = batch
        self.camp_of_a = camp_of_a
        self.left = np.full(tables, duels // tables)
        self.left[: duels % tables] += 1
        self.digest = np.full(tables, HASH_START)
        self.finished: list[np.ndarray] = []
        self.played = 0

    @property
    def over(self) -> bool:
        """Whether every table has played its share."""
        return not self.left.any()

    def step(self, agents: Sequence[Agent]) -> int:
        """Carry every open duel on by one decision; return how many were taken."""
        from .match_result import FINISHED

        batch = self.batch
        open_tables = self.left > 0
        if not open_tables.any():
            return 0
        of_a = batch.seat % 2 == self.camp_of_a
        actions = np.zeros(len(batch.seat), np.int64)
        for agent, rows in zip(agents, (open_tables & of_a, open_tables & ~of_a), strict=True):
            chosen = np.flatnonzero(rows)
            if len(chosen):
                actions[chosen] = agent.act_batch(batch.views(chosen))
        self.digest = np.where(
            open_tables, (self.digest ^ actions.astype(np.uint64)) * HASH_FACTOR, self.digest
        )
        batch.step(actions, open_tables)
        ended = np.flatnonzero(batch.done & open_tables)
        if len(ended):
            rows = np.zeros(len(ended), FINISHED)
            rows["camp_of_a"] = self.camp_of_a
            rows["digest"] = self.digest[ended]
            for name in ("winner", "termination", "tours", "team_size", "map", "classes"):
                rows[name] = getattr(batch, name)[ended]
            self.finished.append(rows)
            self.digest[ended] = HASH_START
            self.left[ended] -= 1
            self.played += len(ended)
        return int(open_tables.sum())


def play_match(
    agent_a: Agent,
    agent_b: Agent,
    duels: int = 400,
    seed: int = 0,
    *,
    team_size: int | None = 1,
    map: str | None = None,
    classes: Sequence[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> MatchResult:
    """Play a match to its end; the same arguments give the same result.

    Args:
        agent_a, agent_b: the two sides; their random streams are started from `seed`.
        duels: how many; they are played in pairs on one seed with the sides swapped.
        seed: draws maps, classes, loadouts and dice.
        team_size: heroes a side, 1 or 2; None draws it for each duel.
        map: a map's id; None draws it for each duel.
        classes: class ids by seat; None draws them for each duel.
        progress: told now and then how many duels have ended.

    Raises:
        SolwarisError: an option names nothing known.
    """
    match = Match(
        agent_a, agent_b, duels, seed, team_size=team_size, map=map, classes=classes
    )
    return match.play(progress)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `solwaris duel`."""
    from .agents.make import SPEC_HELP

    parser.add_argument("agent_a", metavar="A", help=f"an agent: {SPEC_HELP}")
    parser.add_argument("agent_b", metavar="B", help="its opponent, likewise")
    parser.add_argument("--duels", type=int, default=200, metavar="N", help="default: 200")
    parser.add_argument("--seed", type=int, default=0, help="draws everything (default: 0)")
    parser.add_argument("--map", metavar="MAP", help="one map (default: drawn for each duel)")
    parser.add_argument(
        "--classes",
        metavar="CLASS,CLASS",
        type=lambda listed: listed.split(","),
        help="classes by seat; the agents swap seats, so each plays both (default: drawn)",
    )
    parser.add_argument(
        "--team-size", type=int, choices=(1, 2), default=1, help="heroes a side (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(args: argparse.Namespace) -> int:
    """Play the match of `solwaris duel` and print its result; Ctrl-C prints it as it stands."""
    from .agents.make import make_agent
    from .cli import INTERRUPTED
    from .progress import ProgressLine

    match = Match(
        make_agent(args.agent_a),
        make_agent(args.agent_b),
        args.duels,
        args.seed,
        team_size=args.team_size,
        map=args.map,
        classes=args.classes,
    )
    status = 0
    try:
        with ProgressLine(args.duels, "duels") as line:
            match.play(line.update)
    except KeyboardInterrupt:
        status = INTERRUPTED
    result = match.result()
    print(json.dumps(result.data(), ensure_ascii=False) if args.json else result.text())
    return status
