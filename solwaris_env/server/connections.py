"""Bounds on connections: how many, how long a request's head may take, how much may wait."""

import asyncio
import time
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from pydantic_core import to_json
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.server import ServerProtocol
from websockets.typing import StatusLike

from .config import Config
from .limits import RETRY_AFTER, error_data

try:
    import resource
except ImportError:  # Windows, where nothing bounds the open files
    resource = None  # type: ignore[assignment]

MOST_HEAD = 65536  # bytes of a request's line and headers
HEAD_SECONDS = 20.0  # until they have arrived
BESIDE_SOCKETS = 64  # connections that a client may have besides its sockets
MOST_PIPELINED = 64  # requests of a connection that wait for the one before them
MOST_FRAMES = 200  # control frames and fragments of a socket in a second
MESSAGE_WEIGHT = 0.1  # of a whole message among them: sockets.py bounds those
MOST_UNREAD = 262144  # bytes that wait for a socket which sends pings
OTHER_FILES = 100  # open files besides the connections


def allow_files(connections: int) -> None:
    """Let the process have so many connections open, as far as the system allows it."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + OTHER_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):  # a system may have a bound of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def http_of(config: Config) -> type["BoundedHttp"]:
    """HTTP with a server's limits of connections."""

    class Http(BoundedHttp):
        most = config.max_connections
        # all of a proxy's connections come from one address
        most_of_client = None if config.proxied else config.sockets_per_client + BESIDE_SOCKETS

    return Http


class BoundedHttp(HttpToolsProtocol):
    """HTTP that hangs up on a request line and headers without an end, in bytes or in time, and
    on connections beyond a number."""

    most: int
    most_of_client: int | None
    _head: int | None = None  # bytes of an unfinished head, those of its first chunk left out
    _patience: asyncio.TimerHandle | None = None  # until a head is whole
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Take a connection, unless there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            self._refuse(503, "unavailable", "the server has all the connections it takes")
        elif self.most_of_client is not None and self.client is not None:
            host = self.client[0]
            # the protocols of open sockets are among them
            peers = (getattr(other, "client", None) for other in self.connections)
            if sum(peer is not None and peer[0] == host for peer in peers) > self.most_of_client:
                self._refuse(429, "too_many_connections", "a client may not have more connections")
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._cease_waiting()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to a socket."""
        self._upgraded = True
        self._cease_waiting()
        super().handle_websocket_upgrade()

    def _refuse(self, status: int, code: str, message: str) -> None:
        """Answer before anything was asked, and hang up."""
        body = to_json(error_data(code, message))
        retry = f"retry-after: {RETRY_AFTER}\r\n" if status in (429, 503) else ""
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\n{retry}connection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()

    def _await_head(self) -> None:
        if self._patience is None and not self._upgraded:
            self._patience = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _cease_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._head = 0
        self._fresh = True

    def on_headers_complete(self) -> None:
        """A head is whole."""
        if len(self.pipeline) >= MOST_PIPELINED:
            self.transport.abort()
            raise ValueError("too many requests wait")  # the parser leaves the rest of its chunk
        self._head = None
        self._cease_waiting()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, if the connection still stands."""
        if not self.transport.is_closing():
            self._refuse(400, "bad_request", "this is no HTTP request that the server understands")

    def data_received(self, data: bytes) -> None:
        """Take a chunk, unless the head grows beyond all measure."""
        self._fresh = False
        super().data_received(data)
        if self._head is not None and not self._fresh:
            self._head += len(data)
            if self._head > MOST_HEAD:
                self.transport.abort()
        if self.cycle is None or self.cycle.response_complete:  # what came was no whole head
            self._await_head()


# of refused handshakes; 403 is all that comes of an address that is no socket's or of a limit
_CODES = {403: "forbidden", 405: "method_not_allowed", 500: "internal"}
_FORBIDDEN = "there is no socket at this address, or a client asks for too many"


class _Frames(ServerProtocol):
    """The frames of a socket; too many in a second are an error."""

    flooded = False
    _since = 0.0
    _count = 0.0

    def reject(self, status: StatusLike, text: str) -> Response:
        """The answer to a handshake that comes to nothing, as JSON."""
        response = super().reject(status, text)
        code = _CODES.get(response.status_code, "bad_request")
        message = text.strip().rstrip(".") or _FORBIDDEN
        response.body = to_json(error_data(code, message))
        for name, value in (
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(response.body))),
        ):
            del response.headers[name]
            response.headers[name] = value
        return response

    def recv_frame(self, frame: Frame) -> None:
        """Take a frame, unless there are too many."""
        now = time.monotonic()
        if now - self._since >= 1:
            self._since, self._count = now, 0.0
        whole = frame.fin and frame.opcode in (Opcode.TEXT, Opcode.BINARY)
        self._count += MESSAGE_WEIGHT if whole else 1
        if self._count > MOST_FRAMES:
            self.flooded = True
            raise ProtocolError("too many frames")  # the parser leaves the rest of its chunk
        super().recv_frame(frame)


class BoundedSocket(WebSocketsSansIOProtocol):
    """A WebSocket that hangs up on a flood of frames, and on pings whose pongs nobody reads."""

    conn: _Frames

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.conn = _Frames(max_size=self.config.ws_max_size, logger=self.logger)

    def handle_parser_exception(self) -> None:
        """Hang up; on a flood at once, as it may read nothing."""
        if self.conn.flooded:
            self.transport.abort()
        else:
            super().handle_parser_exception()

    def handle_ping(self) -> None:
        """Answer, unless too much waits to be read already."""
        if self.transport.is_closing():
            return
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()
