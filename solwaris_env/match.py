"""Matches between two agents: `play_match` for programs, `solwaris duel` for a quick look.

A match is a series of one meeting; `solwaris evaluate` plays the same duels for the same agents,
number and seed, and says more about them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .agents.base import Agent
    from .evaluation.series import Series
    from .evaluation.tables import MatchResult


def play_match(
    agent_a: Agent | str,
    agent_b: Agent | str,
    duels: int = 400,
    seed: int = 0,
    *,
    team_size: int | None = 1,
    map: str | None = None,
    classes: Sequence[str] | None = None,
    progress: Callable[[int], None] | None = None,
    workers: int = 1,
) -> MatchResult:
    """Play a match to its end; the same arguments give the same result.

    Args:
        agent_a, agent_b: the two sides, as agents or by name; their random streams are started
            from `seed`.
        duels: how many, an even number; they are played in pairs with the seats swapped.
        seed: draws maps, classes, loadouts and dice.
        team_size: heroes a side, 1 or 2; None: one of each in every two pairings.
        map: a map's id; None: all maps equally often.
        classes: class ids by seat; None: all pairs of classes equally often.
        progress: told now and then how many duels have ended.
        workers: how many processes may play, where both agents are given by name.

    Raises:
        SolwarisError: an option names nothing known, or the number of duels is odd.
    """
    from .evaluation.series import Series

    series = Series([agent_a, agent_b], duels, seed, team_size=team_size, map=map, classes=classes)
    series.play(progress, workers)
    return _result(series)


def _result(series: Series) -> MatchResult:
    from .evaluation.tables import count

    return count(series.names, series.duels, series.rows(0))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `solwaris duel`."""
    from .agents.make import SPEC_HELP
    from .evaluation.command import add_series_arguments

    parser.add_argument("agent_a", metavar="A", help=f"an agent: {SPEC_HELP}")
    parser.add_argument("agent_b", metavar="B", help="its opponent, likewise")
    add_series_arguments(parser, duels=200)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(args: argparse.Namespace) -> int:
    """Play the match of `solwaris duel` and print its result; Ctrl-C prints it as it stands."""
    from .evaluation.command import play_series

    series, status = play_series([args.agent_a, args.agent_b], args)
    result = _result(series)
    print(json.dumps(result.data(), ensure_ascii=False) if args.json else result.text())
    return status
