"""`solwaris serve`: the server on the command line."""

import argparse
import asyncio
import errno
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from http import HTTPStatus
from pathlib import Path
from typing import Any

import uvicorn
from pydantic_core import to_json
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol

from ..errors import SolwarisError
from .config import Config, read_config
from .limits import error_data

try:
    import resource
except ImportError:  # Windows, where nothing bounds the open files
    resource = None  # type: ignore[assignment]

DEFAULT_OPPONENTS = "checkpoints"
MOST_HEAD = 65536  # bytes of a request's line and headers
HEAD_SECONDS = 20.0  # until they have arrived
BESIDE_SOCKETS = 64  # connections that a client may have besides its sockets
MOST_PIPELINED = 64  # requests of a connection that wait for the one before them
MOST_FRAMES = 200  # control frames and fragments of a socket in a second
MESSAGE_WEIGHT = 0.1  # of a whole message among them: sockets.py bounds those
MOST_UNREAD = 262144  # bytes that wait for a socket which sends pings
OTHER_FILES = 100  # open files besides the connections
SWITCH_SECONDS = 0.001  # the event loop waits no longer than this for a thread that decides


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `solwaris serve`; what is not given keeps the file's, or its own
    default."""
    parser.add_argument("--config", metavar="FILE", help="a TOML file with these settings")
    parser.add_argument("--host", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, help="port, 0 for any free one (8000)")
    parser.add_argument(
        "--database", metavar="FILE", help="SQLite log of duels, :memory: for none (duels.sqlite)"
    )
    parser.add_argument(
        "--opponents", metavar="DIR", help=f"folder of .onnx policies (./{DEFAULT_OPPONENTS})"
    )
    parser.add_argument(
        "--own",
        action="append",
        metavar="NAME=AGENT",
        help="one more opponent, e.g. deep=planner:nodes=5000",
    )
    parser.add_argument(
        "--origin", action="append", metavar="URL", help="a site whose pages may use it (CORS)"
    )
    parser.add_argument("--rate", type=float, help="requests a second of one client (50)")
    parser.add_argument("--burst", type=int, help="requests it may make at once (200)")
    parser.add_argument("--max-body", type=int, metavar="BYTES", help="of a request (262144)")
    parser.add_argument("--max-duels", type=int, help="running at once (2000)")
    parser.add_argument("--duels-per-client", type=int, help="running at once (20)")
    parser.add_argument("--sockets-per-client", type=int, help="open at once (40)")
    parser.add_argument(
        "--max-connections", type=int, help="open at once, sockets among them (4000)"
    )
    parser.add_argument("--spectators", type=int, help="of one duel (50)")
    parser.add_argument(
        "--away-limit", type=float, metavar="SECONDS", help="until who left gives up (120)"
    )
    parser.add_argument(
        "--keep-days", type=float, metavar="DAYS", help="finished duels stay in the log (for ever)"
    )
    parser.add_argument(
        "--proxied", action="store_true", default=None, help="behind a proxy on this machine"
    )
    parser.add_argument(
        "--no-page", dest="page", action="store_false", default=None, help="only the interface"
    )
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning", "error"), default="info"
    )


def config_of(args: argparse.Namespace) -> Config:
    """The settings: options, else the file's, else the defaults. Raises SolwarisError."""
    settings = read_config(args.config) if args.config else {}
    for item in fields(Config):
        given = getattr(args, item.name, None)
        if given is not None and item.name != "own":
            settings[item.name] = given
    if args.origin:
        settings["origins"] = tuple(args.origin)
    for entry in args.own or []:
        name, sign, spec = entry.partition("=")
        if not (sign and name and spec):
            raise SolwarisError(f"--own {entry!r}: expected NAME=AGENT")
        settings.setdefault("own", {})[name] = spec
    if "opponents" not in settings and Path(DEFAULT_OPPONENTS).is_dir():
        settings["opponents"] = DEFAULT_OPPONENTS
    return Config(**settings)


def run(args: argparse.Namespace) -> int:
    """Serve until told to stop. Raises SolwarisError before anything is served."""
    from .limits import LOG, log_to_stderr

    config = config_of(args)
    log_to_stderr(args.log_level)
    LOG.info("starting")  # where the rules have to compile they say so themselves
    from .app import make_app

    app = make_app(config)
    sys.setswitchinterval(SWITCH_SECONDS)
    _allow_files(config.max_connections)
    server = make_server(app, config)
    try:
        server.run()
    except SystemExit as stop:  # uvicorn's way to say that it cannot begin
        raise SolwarisError(_why(stop, app.state.fault, config)) from stop
    return 0


def make_server(app: Any, config: Config) -> uvicorn.Server:
    """The server of an application, ready to run."""
    return _Server(
        uvicorn.Config(
            app,
            host=config.host,
            port=config.port,
            http=_http_of(config),
            ws=BoundedSocket,
            access_log=False,
            log_config=None,
            proxy_headers=config.proxied,
            ws_max_size=65536,
            ws_per_message_deflate=False,  # costs more time than the bytes are worth
            timeout_keep_alive=30,
            timeout_graceful_shutdown=10,
            server_header=False,
        )
    )


def _allow_files(connections: int) -> None:
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


def _why(stop: SystemExit, fault: Exception | None, config: Config) -> str:
    """Why the server did not begin, in a sentence."""
    if fault is not None:
        known = isinstance(fault, SolwarisError)
        return f"cannot start: {fault if known else f'{type(fault).__name__}: {fault}'}"
    where = f"cannot listen on {config.host} port {config.port}"
    cause = stop.__context__
    if isinstance(cause, OSError) and cause.errno != errno.EADDRINUSE:
        return f"{where}: {cause.strerror or cause}"
    return f"{where}, is it taken?"


def _http_of(config: Config) -> type["BoundedHttp"]:
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
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nretry-after: 1\r\nconnection: close\r\n\r\n"
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
            super().send_400_response(msg)

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


class _Frames(ServerProtocol):
    """The frames of a socket; too many in a second are an error."""

    flooded = False
    _since = 0.0
    _count = 0.0

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


class _Server(uvicorn.Server):
    """A server for which being told to stop is a good end."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals that mean stop, without raising them again afterwards."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and say where."""
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            where = f"[{host}]" if ":" in host else host
            print(f"solwaris: ready at http://{where}:{port}, Ctrl-C stops it", flush=True)
