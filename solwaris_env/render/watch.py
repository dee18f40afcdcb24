"""`solwaris watch`: a replay in the terminal, turn by turn, and as a GIF."""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from ..errors import SolwarisError
from ..files import write_atomic
from .text import render_text

_PAUSE = 0.8
SLOWEST, FASTEST = 0.01, 100.0
_CLEAR = "\x1b[2J\x1b[H"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `solwaris watch`."""
    parser.add_argument("replay", metavar="REPLAY", help="the replay file of a duel")
    parser.add_argument(
        "--seat", type=int, default=0, help="whose eyes to see with, 0 to 3 (default 0)"
    )
    parser.add_argument("--gif", metavar="FILE", help="also write the duel as a GIF")
    parser.add_argument(
        "--speed",
        type=float,
        default=1.0,
        help="how many times as fast as 0.8 seconds an action, here and in the GIF (default 1)",
    )
    parser.add_argument("--no-color", action="store_true", help="no colours in the terminal")


def run(args: argparse.Namespace) -> int:
    """Shows the replay; returns 0. Raises SolwarisError with one sentence for bad input."""
    if not SLOWEST <= args.speed <= FASTEST:
        raise SolwarisError(f"--speed must be from {SLOWEST:g} to {FASTEST:g}, not {args.speed:g}")
    if args.gif is not None:
        _check_gif(Path(args.gif))
    steps = _steps(args.replay, args.seat)
    live = sys.stdout.isatty()
    color = live and not args.no_color and not os.environ.get("NO_COLOR")
    pause = _PAUSE / args.speed
    views = []
    for view in _show(steps, color, pause if live else 0.0):
        if args.gif is not None:
            views.append(view)
    if args.gif is not None:
        _write_gif(Path(args.gif), views, pause)
    return 0


def _check_gif(path: Path) -> None:
    """Complains before the show, not after it."""
    if path.is_dir():
        raise SolwarisError(f"--gif {path} is a folder; name a file to write")
    if not path.absolute().parent.is_dir():
        raise SolwarisError(f"--gif {path} cannot be written: its folder does not exist")
    try:
        import PIL  # noqa: F401
    except ImportError as error:
        raise SolwarisError(
            "--gif needs Pillow, which is not installed; "
            "install it with: pip install 'solwaris[render]'"
        ) from error


def _steps(path: str, seat: int) -> Iterator[tuple[dict, str | None]]:
    """(view of the seat, the action that led there, None at the start) of a replay."""
    from ..duel.replay import Replay
    from ..duel.view import json_view

    replay = Replay.load(path)
    return ((json_view(duel, seat), action) for duel, action in replay.frames(seat))


def _show(steps: Iterator[tuple[dict, str | None]], color: bool, pause: float) -> Iterator[dict]:
    """Prints a picture at each new turn, and between them the actions in words."""
    turn: tuple | None = None
    actor: int | None = None
    for view, action in steps:
        # another camp's action would name cells that this seat may not know
        if action and actor is not None and actor % 2 == view["camp"]:
            print(f"-- {action}")
        actor = view["to_act"]
        for sentence in view["log"]:
            print(f"   {sentence}")
        now = (view["phase"], view["turn"], view["actor"])
        if now != turn:
            if pause and turn is not None:
                time.sleep(pause)
            print(_CLEAR if pause else "", end="" if pause else "\n")
            print(render_text(view | {"log": []}, color=color), flush=True)
            turn = now
        if pause:
            time.sleep(pause)
        yield view


def _write_gif(path: Path, views: list[dict], pause: float) -> None:
    from .gif import gif_bytes

    data = gif_bytes(views, pause)
    write_atomic(path, data)
    print(f"{path}: {len(data) / 1024:.0f} KiB")
