"""JSON in which a key comes twice: whichever value was meant, the other would be lost."""

import json
from collections.abc import Callable
from typing import Any

from fastapi import HTTPException, Request
from fastapi.routing import APIRoute


class DoubledKey(ValueError):
    """An object has a key twice; the message names it. `read` is what the text says otherwise."""

    def __init__(self, key: str, read: Any) -> None:
        super().__init__(f"the key {key[:40]!r} comes twice in one object")
        self.read = read


def read_once(text: str | bytes) -> Any:
    """What a JSON text says. Raises DoubledKey, and ValueError where it is none."""
    doubled: list[str] = []

    def made(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """An object of its pairs."""
        found = dict(pairs)
        if len(found) < len(pairs) and not doubled:
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    doubled.append(key)
                    break
                seen.add(key)
        return found

    read = json.loads(text, object_pairs_hook=made)
    if doubled:
        raise DoubledKey(doubled[0], read)
    return read


class Unreadable(HTTPException):
    """A body that is JSON but says two things at once."""


class _OnceRequest(Request):
    async def json(self) -> Any:
        """The body's JSON."""
        try:
            return read_once(await self.body())
        except DoubledKey as error:
            raise Unreadable(400, str(error)) from error


class OnceRoute(APIRoute):
    """A route that refuses bodies with a key that comes twice."""

    def get_route_handler(self) -> Callable:
        """The handler of the route's requests."""
        handle = super().get_route_handler()

        async def strict(request: Request) -> Any:
            return await handle(_OnceRequest(request.scope, request.receive))

        return strict
