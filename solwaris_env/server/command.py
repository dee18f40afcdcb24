"""`solwaris serve`: the server on the command line."""

import argparse
import errno
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import uvicorn

from ..errors import SolwarisError
from .config import Config, read_config
from .connections import BoundedSocket, allow_files, http_of
from .limits import LOG, log_to_stderr

DEFAULT_OPPONENTS = "checkpoints"
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
        "--away-limit",
        type=float,
        metavar="SECONDS",
        help="until who left gives up, 30 or more (120)",
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
    config = config_of(args)
    log_to_stderr(args.log_level)
    LOG.info("starting")  # where the rules have to compile they say so themselves
    from .app import make_app

    app = make_app(config)
    sys.setswitchinterval(SWITCH_SECONDS)
    allow_files(config.max_connections)
    server = make_server(app, config)
    try:
        server.run()
    except SystemExit as stop:  # uvicorn's way to say that it cannot begin
        raise SolwarisError(_why(stop, app.state.fault, config)) from stop
    if app.state.host.course.deciding:
        # A thread that compiles can't be ended, and would crash in an interpreter that is taken
        # down under it. The log is closed and nothing else is left to do.
        logging.shutdown()
        sys.stdout.flush()
        os._exit(0)
    return 0


def make_server(app: Any, config: Config) -> uvicorn.Server:
    """The server of an application, ready to run."""
    return _Server(
        uvicorn.Config(
            app,
            host=config.host,
            port=config.port,
            http=http_of(config),
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
