"""`solwaris evaluate` and `solwaris tournament`, and what they share with `solwaris duel`."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..agents.make import SPEC_HELP
from ..cli import INTERRUPTED, version
from ..errors import SolwarisError
from ..files import check_writable, write_atomic
from ..progress import ProgressLine

if TYPE_CHECKING:
    from .series import Series


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def add_series_arguments(parser: argparse.ArgumentParser, duels: int) -> None:
    """Declare the options of every command that plays a series."""
    parser.add_argument(
        "--duels",
        type=int,
        default=duels,
        metavar="N",
        help=f"of each two agents, an even number (default: {duels})",
    )
    parser.add_argument("--seed", type=int, default=0, help="draws everything (default: 0)")
    parser.add_argument("--map", metavar="MAP", help="one map (default: all, equally often)")
    parser.add_argument(
        "--classes",
        metavar="CLASS,CLASS",
        type=lambda listed: listed.split(","),
        help="classes by seat; the agents swap seats, so each plays both (default: all pairs)",
    )
    parser.add_argument(
        "--team-size", type=int, choices=(1, 2), default=1, help="heroes a side (default: 1)"
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=cores(),
        metavar="N",
        help="processes; the duels are the same with any number (default: one a processor)",
    )


def _add_report_arguments(parser: argparse.ArgumentParser) -> None:
    add_series_arguments(parser, duels=400)
    parser.add_argument(
        "--anchor",
        metavar="AGENT",
        help="the agent whose rating is given (default: random if it plays, else the last named)",
    )
    parser.add_argument(
        "--anchor-elo", type=float, default=0.0, metavar="ELO", help="its rating (default: 0)"
    )
    parser.add_argument("--json", metavar="FILE", help="write all results here")
    parser.add_argument("--plot", metavar="FILE", help="draw the results here, as a PNG file")


def add_evaluate_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `solwaris evaluate`."""
    parser.add_argument("agents", nargs=2, metavar="AGENT", help=SPEC_HELP)
    _add_report_arguments(parser)


def add_tournament_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `solwaris tournament`."""
    parser.add_argument("agents", nargs="+", metavar="AGENT", help=SPEC_HELP)
    _add_report_arguments(parser)


def play_series(agents: Sequence[str], args: argparse.Namespace) -> tuple[Series, int]:
    """Play what the options of `add_series_arguments` ask for, with a line of progress.

    Returns:
        The series, and the exit status: Ctrl-C ends it early and keeps its finished chunks.

    Raises:
        SolwarisError: an agent or an option is refused.
    """
    from .series import Series

    if args.workers < 1:
        raise SolwarisError(f"--workers must be at least 1, got {args.workers}")
    series = Series(
        agents,
        args.duels,
        args.seed,
        team_size=args.team_size,
        map=args.map,
        classes=args.classes,
    )
    try:
        with ProgressLine(series.duels, "duels") as line:
            series.play(line.update, args.workers)
    except KeyboardInterrupt:
        print(
            "solwaris: interrupted; what follows counts the groups of pairings that were finished",
            file=sys.stderr,
        )
        return series, INTERRUPTED
    return series, 0


def run_evaluate(args: argparse.Namespace) -> int:
    """Play, rate and report; Ctrl-C reports and writes what is finished."""
    return run_tournament(args)


def run_tournament(args: argparse.Namespace) -> int:
    """Play, rate and report; Ctrl-C reports and writes what is finished."""
    from .report import report

    check_distinct(args.agents)
    anchor = _anchor(args.agents, args.anchor)
    if not math.isfinite(args.anchor_elo):
        raise SolwarisError(f"--anchor-elo must be a number, got {args.anchor_elo}")
    if args.json is not None and args.json == args.plot:
        raise SolwarisError(f"--json and --plot name one file, {args.json}")
    for path in (args.json, args.plot):
        if path is not None:
            check_writable(path)
    if args.plot is not None:
        from .plot import check_plot

        check_plot(args.plot)
    series, status = play_series(args.agents, args)
    settings = {key: getattr(args, key) for key in ("duels", "seed", "team_size", "map", "classes")}
    result = report(
        series,
        args.agents,
        settings,
        version=version(),
        anchor=anchor,
        anchor_elo=args.anchor_elo,
    )
    print(result.text())
    if not result.duels:
        return status
    print(f"\n  {series.played / series.seconds:.0f} duels a second")
    if args.json is not None:
        write_atomic(args.json, result.json())
    if args.plot is not None:
        from .plot import draw

        write_atomic(args.plot, draw(result))
    return status


def check_distinct(agents: Sequence[str]) -> None:
    """Raise SolwarisError where an agent is named twice, or one file by two paths."""
    seen: set[str] = set()
    for agent in agents:
        path, mark, options = agent.partition("?")
        key = os.path.realpath(path) + mark + options if path.endswith(".onnx") else agent
        if key in seen:
            raise SolwarisError(
                f"the agent {agent!r} is named twice: it cannot be rated against itself"
            )
        seen.add(key)


def _anchor(agents: Sequence[str], wished: str | None) -> int:
    """Return the place of the agent whose rating is given."""
    if wished is None:
        return agents.index("random") if "random" in agents else len(agents) - 1
    if wished not in agents:
        raise SolwarisError(f"--anchor {wished!r} is none of the agents {', '.join(agents)}")
    return agents.index(wished)
