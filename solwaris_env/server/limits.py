"""What guards every request: size, rate, time to arrive; and what is counted and logged of it."""

import asyncio
import json
import logging
import math
import re
import sys
import time
from collections.abc import Callable
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram
from pydantic_core import to_json

from .sentences import sendable

Scope = dict[str, Any]
Message = dict[str, Any]

LOG = logging.getLogger("solwaris.server")
BODY_SECONDS = 30.0
RETRY_AFTER = "1"  # seconds until what the server cannot do now is worth another try
DRAINED = 4 << 20
MOST_CLIENTS = 10_000
UNCOUNTED = ("/v1/health", "/metrics")
_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "taskName", "color_message"}


class Buckets:
    """A token bucket for each client: `rate` requests a second, `burst` at once."""

    def __init__(self, rate: float, burst: int, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._now = rate, float(burst), now
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, client: str) -> float:
        """Take a token: 0.0, or the seconds until there is one."""
        now = self._now()
        left, at = self._left.get(client, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._rate)
        if left < 1.0:
            self._left[client] = left, now
            return (1.0 - left) / self._rate
        if client not in self._left and len(self._left) >= MOST_CLIENTS:
            self._forget_full(now)
        self._left[client] = left - 1.0, now
        return 0.0

    def _forget_full(self, now: float) -> None:
        """Forget who has not asked for long: a full bucket is that of a stranger."""
        self._left = {
            client: (left, at)
            for client, (left, at) in self._left.items()
            if left + (now - at) * self._rate < self._burst
        }


class Metrics:
    """What is counted of requests; each server has its own registry."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "solwaris_requests", "Requests.", ("method", "route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "solwaris_request_seconds",
            "Time to answer.",
            ("route",),
            registry=self.registry,
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
        )


class Guard:
    """ASGI middleware: refuses what is too large, too fast or too slow; counts and logs."""

    def __init__(self, app: Any, metrics: Metrics, buckets: Buckets, max_body: int) -> None:
        self._app, self._metrics, self._buckets, self._max = app, metrics, buckets, max_body

    async def __call__(self, scope: Scope, receive: Callable, send: Callable) -> None:
        """Handle one connection."""
        if scope["type"] == "websocket" and self._buckets.take(client_of(scope)) > 0:
            await send({"type": "websocket.close", "code": 1008})  # HTTP 403 to the client
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 500
        asked = scope["method"]
        if asked == "HEAD":  # routes know GET only; the server itself leaves out the body
            scope = {**scope, "method": "GET"}

        async def count(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [
                    *message.get("headers", []),
                    (b"x-content-type-options", b"nosniff"),
                ]
            await send(message)

        try:
            await self._guarded(scope, receive, count)
        finally:
            seconds = time.perf_counter() - began
            route = getattr(scope.get("route"), "path", None) or "other"
            method = asked if asked in _METHODS else "other"
            self._metrics.requests.labels(method, route, str(status)).inc()
            self._metrics.seconds.labels(route).observe(seconds)
            LOG.info(
                "request",
                extra={
                    "method": method,
                    "route": route,
                    "status": status,
                    "ms": round(1000 * seconds, 2),
                    "client": client_of(scope),
                },
            )

    async def _guarded(self, scope: Scope, receive: Callable, send: Callable) -> None:
        if scope["path"] not in UNCOUNTED:
            wait = self._buckets.take(client_of(scope))
            if wait > 0:
                seconds = str(max(1, math.ceil(wait)))
                await answer_error(
                    send,
                    429,
                    "rate_limited",
                    "too many requests: wait a moment",
                    [(b"retry-after", seconds.encode())],
                )
                return
        try:
            body = await asyncio.wait_for(self._read(scope, receive), BODY_SECONDS)
        except TimeoutError:
            await answer_error(send, 408, "too_slow", "the request took too long to arrive")
            return
        if body is None:
            await answer_error(
                send, 413, "too_large", f"a request may have {self._max} bytes at most"
            )
            return
        given = False

        async def replay() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, replay, send)

    async def _read(self, scope: Scope, receive: Callable) -> bytes | None:
        """The whole body, None when it is too large.

        A little more than is taken is read all the same: who is still sending when the
        connection closes may never see the answer.
        """
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            body = message.get("body", b"")
            size += len(body)
            if size <= self._max:
                parts.append(body)
            if message["type"] != "http.request" or not message.get("more_body"):
                return b"".join(parts) if size <= self._max else None
            if size > self._max + DRAINED:
                return None


_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


def client_of(scope: Scope) -> str:
    """The address that limits count by."""
    client = scope.get("client")
    return client[0] if client else "local"


def error_data(code: str, message: str) -> dict[str, Any]:
    """The body of every answer that refuses."""
    return {"error": {"code": code, "message": sendable(message)}}


async def answer_error(
    send: Callable,
    status: int,
    code: str,
    message: str,
    headers: list[tuple[bytes, bytes]] | None = None,
) -> None:
    """Answer with an error, outside the application."""
    body = to_json(error_data(code, message))
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
                (b"connection", b"close"),
                *(headers or []),
            ],
        }
    )
    await send({"type": "http.response.body", "body": body})


_CLIENT_S_FAULT = "Invalid UTF-8 sequence received"  # as uvicorn words it
_QUERY = re.compile(r"(?i)(\?|%3f|bearer |secret\W{1,4})[^\s\"']+")


def _clean(value: Any) -> Any:
    """A text of the log without queries of addresses: clients put secrets there."""
    return _QUERY.sub(r"\1...", value) if isinstance(value, str) else value


class JsonLines(logging.Formatter):
    """One JSON object a line; requests' headers, bodies and secrets never get this far."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        line = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "event": _clean(record.getMessage()),
            **{k: _clean(v) for k, v in vars(record).items() if k not in _FIELDS},
        }
        if record.exc_info:
            line["trace"] = _clean(self.formatException(record.exc_info))
        return json.dumps(line, default=str, ensure_ascii=False)


def _is_told(record: logging.LogRecord) -> bool:
    """Whether a record is for the log: text of a client's socket that is no UTF-8 is no fault of
    the server, for all that uvicorn makes an error with a traceback of it."""
    fault = record.exc_info and record.exc_info[0]
    return not (fault is UnicodeDecodeError and record.getMessage().startswith(_CLIENT_S_FAULT))


def log_to_stderr(level: str) -> None:
    """Write the server's log as JSON lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(_is_told)
    for name in ("solwaris.server", "uvicorn", "uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        # uvicorn's debug log tells the texts of sockets, and with them secrets
        logger.setLevel("INFO" if level == "debug" and name != "solwaris.server" else level.upper())
