"""What waits for a thread that works in batches."""

import queue
from typing import TypeVar

T = TypeVar("T")


def gather(waiting: "queue.SimpleQueue[T | None]", most: int) -> tuple[list[T], bool]:
    """Wait for something, and take what else waits, `most` at once: the things, and whether a None
    among them says that the thread is to end."""
    taken = [waiting.get()]
    while len(taken) < most:
        try:
            taken.append(waiting.get_nowait())
        except queue.Empty:
            break
    things = [one for one in taken if one is not None]
    return things, len(things) < len(taken)
