"""Faults of input as one sentence."""

from collections.abc import Sequence
from typing import Any

LONGEST = 300
LONGEST_SENT = 1000
_PLACES = ("body", "query", "path", "header")


def sentence_of(errors: Sequence[Any]) -> str:
    """The first fault that pydantic found: where, what, and how many more there are."""
    first = errors[0]
    path = ""
    for part in first["loc"]:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part not in _PLACES or path:
            path += f".{part}" if path else str(part)
    words = str(first["msg"])
    message = f"{path}: {words[:1].lower()}{words[1:]}" if path else words
    if len(errors) > 1:
        message += f" (and {len(errors) - 1} more)"
    return " ".join(message.split())[:LONGEST]


def sendable(text: str) -> str:
    """A text as JSON can carry it: halves of characters written out, and not too long."""
    return text.encode("utf-8", "backslashreplace").decode()[:LONGEST_SENT]
