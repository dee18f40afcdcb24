"""The process of the `solwaris` command: what Ctrl-C does before and after the command itself."""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130


def _stop_at_once(_number: int, _frame: FrameType | None) -> None:
    """Say so and end: nothing has begun that would want to be tidied up."""
    os.write(2, b"\nsolwaris: interrupted\n")
    os._exit(INTERRUPTED)


def main() -> None:
    """Run the command line and exit with its status; interrupted at any moment: 130."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heard:
        signal.signal(signal.SIGINT, _stop_at_once)
    from .cli import main as run

    status = INTERRUPTED
    try:
        if heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        status = run()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:  # one more while the first was being answered
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)
