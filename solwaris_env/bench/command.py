"""The command: runs the race, prints a table, writes JSON."""

import argparse
import json
import platform
import sys
from typing import Any

from ..errors import SolwarisError
from ..files import write_atomic
from .measure import Contestant, race

# (what, ours, factor, theirs): the aim is a rate of at least factor times theirs
AIMS = (
    ("lock step beside OpenSpiel chess", "lock_step", 10.0, "open_spiel_chess"),
    ("lock step beside the floor", "lock_step", 1 / 3, "floor"),
    ("env() beside idle wrappers", "env", 0.4, "idle"),
    ("raw_env() beside connect four", "raw_env", 0.65, "connect_four"),
    ("playouts beside OpenSpiel chess", "playouts", 3.0, "open_spiel_rules"),
    ("nodes beside OpenSpiel chess", "nodes", 1.5, "open_spiel_nodes"),
)
MOST_COLD, MOST_WARM, MOST_MEMORY = 90.0, 4.0, 32 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `solwaris bench`."""
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="length of one slice (default 1)"
    )
    parser.add_argument("--slices", type=int, default=5, help="slices of each (default 5)")
    parser.add_argument("--json", metavar="FILE", help="write the figures to FILE, - for output")
    parser.add_argument("--cold", action="store_true", help="also time the compilation, once")


def run(args: argparse.Namespace) -> int:
    """Measure and report; returns 0. Raises SolwarisError for a bad option."""
    if not 0 < args.seconds <= 60:
        raise SolwarisError(f"--seconds {args.seconds}: expected above 0 and at most 60")
    if not 1 <= args.slices <= 1000:
        raise SolwarisError(f"--slices {args.slices}: expected 1 to 1000")
    report = measure(args.seconds, args.slices, args.cold)
    text = json.dumps(report, indent=1)
    if args.json == "-":
        print(text)
    else:
        if args.json:
            write_atomic(args.json, text + "\n")
        print(table(report))
    return 0


def _say(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def measure(seconds: float, slices: int, cold: bool) -> dict[str, Any]:
    """Race all contestants on one core and gather every figure."""
    from . import ours, peers  # the rules are compiled code: --help need not load them

    lock_step, buffers = ours.lock_step()
    env, raw_env = ours.single_duels()
    field: dict[str, Contestant] = {
        "lock_step": lock_step,
        "floor": ours.floor(buffers),
        "env": env,
        "raw_env": raw_env,
        "playouts": ours.playouts(),
        "nodes": ours.nodes(),
        **peers.installed(),
    }
    for name in race(list(field.values()), slices, seconds):
        _say(f"measuring: {name}")
    _say("measuring: start-up")
    warm = ours.warm_start()
    compiled = ours.cold_compile() if cold else None
    _say("")
    return {
        "machine": {
            "processor": platform.processor() or platform.machine(),
            "python": platform.python_version(),
        },
        "slices": slices,
        "seconds": seconds,
        "rates": {
            key: {"name": c.name, "unit": f"{c.unit}/s", "median": c.rate, "all": c.rates}
            for key, c in field.items()
        },
        "aims": [
            {
                "what": what,
                "ratio": field[mine].rate / field[theirs].rate,
                "aim": factor,
                "met": field[mine].rate >= factor * field[theirs].rate,
            }
            for what, mine, factor, theirs in AIMS
            if theirs in field
        ],
        "bytes_written_per_decision": ours.bytes_written(buffers),
        "floor_microseconds": 1e6 / field["floor"].rate,
        "memory_per_duel_bytes": ours.memory_per_duel(buffers),
        "warm_start_seconds": warm,
        "cold_compile_seconds": compiled,
    }


def table(report: dict[str, Any]) -> str:
    """The report as text."""
    lines = ["decisions a second, one core, median of slices", ""]
    for row in report["rates"].values():
        low, high = min(row["all"]), max(row["all"])
        lines.append(f"  {row['name']:42} {row['median']:>12,.0f}   ({low:,.0f} - {high:,.0f})")
    lines += ["", "ratios", ""]
    for aim in report["aims"]:
        verdict = "met" if aim["met"] else "missed"
        lines.append(f"  {aim['what']:42} {aim['ratio']:>8.2f}   aim {aim['aim']:.2f}, {verdict}")
    lines += [
        "",
        f"  bytes written a decision                   {report['bytes_written_per_decision']:,}, "
        f"copied in {report['floor_microseconds']:.2f} us",
        f"  memory a duel in a batch                   {report['memory_per_duel_bytes']:,} bytes "
        f"besides the observation (at most {MOST_MEMORY:,})",
        f"  warm start to a finished match             {report['warm_start_seconds']:.1f} s "
        f"(at most {MOST_WARM:.0f})",
    ]
    if report["cold_compile_seconds"] is not None:
        lines.append(
            f"  the same on an empty cache                 "
            f"{report['cold_compile_seconds']:.0f} s (at most {MOST_COLD:.0f})"
        )
    return "\n".join(lines)
