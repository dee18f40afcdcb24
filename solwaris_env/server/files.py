"""Files that the server gives out as they are."""

from collections.abc import Callable

from fastapi.staticfiles import StaticFiles

from .limits import Message, Scope, answer_error

FAULTS = {
    400: ("bad_request", "the header Range says no range of bytes"),
    416: ("bad_range", "the header Range asks for bytes that the file does not have"),
}


class Files(StaticFiles):
    """Static files whose faults are told as all others are."""

    async def __call__(self, scope: Scope, receive: Callable, send: Callable) -> None:
        """Answer a request."""
        refused = False

        async def tell(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] in FAULTS:
                refused = True
                size = [h for h in message["headers"] if h[0] == b"content-range"]
                await answer_error(send, message["status"], *FAULTS[message["status"]], size)
            elif not refused:
                await send(message)

        await super().__call__(scope, receive, tell)
