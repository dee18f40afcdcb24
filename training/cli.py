"""The commands `solwaris train`, `solwaris export` and `solwaris levels`."""

import argparse
import sys
from pathlib import Path
from typing import Any

from solwaris_env.errors import SolwarisError
from solwaris_env.evaluation.command import cores

INTERRUPTED = 130


def add_train_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `solwaris train`."""
    parser.add_argument("config", metavar="CONFIG", help="a run's YAML file, e.g. first.yaml")
    parser.add_argument(
        "--out", metavar="FOLDER", help="the run's folder (default: runs/ and CONFIG's name)"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the run in FOLDER")
    parser.add_argument("--steps", type=int, metavar="N", help="instead of CONFIG's total_steps")
    parser.add_argument(
        "--minutes", type=float, metavar="M", help="instead of CONFIG's max_minutes"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="instead of CONFIG's value of any key; may be given several times",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def run_train(args: argparse.Namespace) -> int:
    """Train; return 0, or 130 when Ctrl-C ended it before its time."""
    from .config import load_config, override
    from .train import train

    path = Path(args.config)
    budget = {"total_steps": args.steps, "max_minutes": args.minutes}
    changes = {key: value for key, value in budget.items() if value is not None}
    config = override(load_config(path), changes | dict(map(_setting, args.set)))
    folder = Path(args.out) if args.out else Path("runs") / path.stem
    result = train(config, folder, args.resume, show=not args.quiet)
    rate = f"{result.steps:,} decisions in {result.seconds / 60:.1f} minutes"
    if result.imitated:
        rate = f"{result.imitated:,} decisions of the teacher and {rate}"
    if result.interrupted:
        out = f" --out {args.out}" if args.out else ""
        print(
            f"solwaris: interrupted after {rate}; go on with "
            f"`solwaris train {args.config}{out} --resume`",
            file=sys.stderr,
        )
        return INTERRUPTED
    print(f"{folder}: {rate}; export with `solwaris export {folder} FILE.onnx`")
    return 0


def _setting(text: str) -> tuple[str, Any]:
    """Read KEY=VALUE, the value as in YAML."""
    import yaml

    key, sign, value = text.partition("=")
    if not sign or not key:
        raise SolwarisError(f"--set: expected KEY=VALUE, got {text!r}")
    try:
        return key, yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise SolwarisError(f"--set: {value!r} is no YAML value of {key}") from error


def add_export_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `solwaris export`."""
    parser.add_argument("run", metavar="RUN", help="folder of a training run")
    parser.add_argument("file", metavar="FILE.onnx", help="the file to write")
    parser.add_argument(
        "--snapshot", type=int, metavar="N", help="of the run's pool, instead of its last weights"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the duels of the parity check")


def run_export(args: argparse.Namespace) -> int:
    """Export; return 0."""
    if not args.file.endswith(".onnx"):
        raise SolwarisError(f"the file must end in .onnx, got {args.file}")
    if args.seed < 0:
        raise SolwarisError(f"the seed must be 0 or more, got {args.seed}")
    from .export import export

    parity = export(args.run, args.file, seed=args.seed, snapshot=args.snapshot)
    print(
        f"{args.file}: same action in {parity.states:,} states ({parity.ties} of them ties), "
        f"logits within {parity.logits:.1e}, value within {parity.value:.1e}"
    )
    return 0


def add_levels_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `solwaris levels`."""
    parser.add_argument("levels", metavar="LEVELS", help="a levels file, e.g. levels.yaml")
    parser.add_argument("--out", metavar="FOLDER", default="checkpoints", help="where they go")
    parser.add_argument(
        "--duels", type=int, default=324, metavar="N", help="of each two (default: 324)"
    )
    parser.add_argument("--seed", type=int, default=0, help="draws everything (default: 0)")
    parser.add_argument("--workers", type=int, default=cores(), metavar="N", help="processes")
    parser.add_argument(
        "--beside",
        nargs="+",
        default=["greedy", "random"],
        metavar="AGENT",
        help="others rated with them; the first is at 0 (default: greedy random)",
    )


def run_levels(args: argparse.Namespace) -> int:
    """Export, rate and write the levels; return 0."""
    from .levels import load_levels, make_levels

    make_levels(
        load_levels(args.levels), args.out, args.duels, args.seed, args.workers, args.beside
    )
    return 0
