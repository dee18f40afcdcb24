"""The main job: train, export, and prove it against the random agent.

Usage: `python -m training.main_job`, which is what `make train` runs.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from solwaris_env.errors import SolwarisError

ROOT = Path(__file__).resolve().parent.parent
DUELS = 600
LEAST = 400  # distinct duels
NEEDED = 0.75  # the lower end of the win rate's interval must lie above it
FAILED, FAULT, INTERRUPTED = 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the main job; return 0 when the policy is good enough, 1 when not, 2 on a fault."""
    parser = argparse.ArgumentParser(prog="python -m training.main_job", description=__doc__)
    parser.add_argument("--config", type=Path, default=ROOT / "configs" / "first.yaml")
    parser.add_argument("--out", type=Path, help="the run's folder (default: a new one in runs/)")
    parser.add_argument("--onnx", type=Path, default=ROOT / "checkpoints" / "first.onnx")
    parser.add_argument("--minutes", type=float, help="instead of the configuration's")
    parser.add_argument("--duels", type=int, default=DUELS, help="of the evaluation")
    args = parser.parse_args(argv)
    try:
        return _run(args)
    except SolwarisError as error:
        print("solwaris:", error, file=sys.stderr)
        return FAULT


def _run(args: argparse.Namespace) -> int:
    from .config import load_config, override

    config = load_config(args.config)
    if args.minutes is not None:
        config = override(config, {"max_minutes": args.minutes})
    started = time.strftime("%Y%m%d-%H%M%S")
    folder = args.out or ROOT / "runs" / f"{args.config.stem}-{started}"
    from .export import export
    from .train import train

    result = train(config, folder)
    print(f"trained: {result.steps:,} decisions in {result.seconds / 60:.1f} minutes")
    if result.interrupted:
        print(
            "solwaris: interrupted; go on with "
            f"`solwaris train {args.config} --out {folder} --resume`",
            file=sys.stderr,
        )
        return INTERRUPTED
    args.onnx.parent.mkdir(parents=True, exist_ok=True)
    parity = export(folder, args.onnx)
    print(f"exported: {args.onnx}, same action in {parity.states:,} states")
    return evaluate(args.onnx, args.duels)


def evaluate(path: Path, duels: int) -> int:
    """Play the ONNX file against random from both sides; return 0 when it is good enough."""
    from solwaris_env.evaluation.command import cores
    from solwaris_env.match import play_match
    from solwaris_env.progress import ProgressLine

    with ProgressLine(duels, "evaluation duels") as line:
        result = play_match(
            str(path), "random", duels, seed=1, progress=line.update, workers=cores()
        )
    low, high = result.interval
    print(
        f"against random: {result.wins_a} of {result.duels} duels won ({result.win_rate:.1%}, "
        f"95 % interval {low:.1%} to {high:.1%}), {result.draws} drawn, "
        f"{result.distinct} distinct"
    )
    for camp, score in enumerate(result.seats):
        print(f"  in camp {camp}: {score.wins} of {score.duels} ({score.rate:.1%})")
    if low <= NEEDED or result.distinct < LEAST:
        print(
            f"solwaris: this needs a lower end above {NEEDED:.0%} over at least {LEAST} "
            "distinct duels",
            file=sys.stderr,
        )
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
