"""Connections: how many there may be, how long a head may take, floods."""

import contextlib
import json
import socket
import time

import pytest
from serving import Served, serving
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from solwaris_env.server.connections import allow_files
from solwaris_env.server.models import ErrorAnswer


def end_of(connection: socket.socket) -> bytes:
    """What still comes before the server hangs up."""
    connection.settimeout(10)
    told = b""
    while True:
        try:
            more = connection.recv(65536)
        except ConnectionResetError:
            return told
        if not more:
            return told
        told += more


NO_REQUESTS = (
    b"FOO / HTTP/1.1\r\nHost: a\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"GET / HTTP/9.9\r\nHost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n",
    b"GET /v1/duels/x/socket HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\n"
    b"Upgrade: websocket\r\nSec-WebSocket-Version: 7\r\n\r\n",
    b"GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n",
)


def test_what_is_no_request_gets_an_error_in_json_too() -> None:
    with serving() as served:
        for asked in NO_REQUESTS:
            with socket.create_connection(served.where) as connection:
                connection.sendall(asked)
                head, _, body = end_of(connection).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 4"), (asked, head)
            assert b"content-type: application/json" in head.lower(), (asked, head)
            ErrorAnswer.model_validate_json(body)


ASK = b"GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"max_connections": 3}, b"HTTP/1.1 503 Service Unavailable"),
        ({"sockets_per_client": 1}, b"HTTP/1.1 429 Too Many Requests"),
    ],
)
def test_connections_are_counted_idle_ones_too(settings, told: bytes, monkeypatch) -> None:
    monkeypatch.setattr("solwaris_env.server.connections.BESIDE_SOCKETS", 2)
    with serving(**settings) as served, contextlib.ExitStack() as stack:
        idle = [stack.enter_context(socket.create_connection(served.where)) for _ in range(3)]
        for connection in idle:
            connection.sendall(ASK)
            assert connection.recv(100).startswith(b"HTTP/1.1 200")
        answer = end_of(stack.enter_context(socket.create_connection(served.where)))
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(told) and b"retry-after: 1" in head
        ErrorAnswer.model_validate_json(body)
        idle[0].close()
        time.sleep(0.3)
        again = stack.enter_context(socket.create_connection(served.where))
        again.sendall(ASK)
        assert again.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("limits", "set_to"),
    [
        ((1024, 524288), [(4100, 524288)]),
        ((1024, 2048), [(2048, 2048)]),
        ((8192, 8192), []),
        ((1024, -1), [(4100, -1)]),
        ((-1, -1), []),
    ],
)
def test_a_server_may_open_as_many_files_as_connections(limits, set_to, monkeypatch) -> None:
    asked: list[tuple[int, int]] = []

    class System:
        RLIMIT_NOFILE, RLIM_INFINITY = 7, -1

        def getrlimit(self, _: int) -> tuple[int, int]:
            return limits

        def setrlimit(self, _: int, wish: tuple[int, int]) -> None:
            asked.append(wish)
            raise ValueError

    monkeypatch.setattr("solwaris_env.server.connections.resource", System())
    allow_files(4000)
    assert asked == set_to


def test_behind_a_proxy_its_one_address_is_no_client(monkeypatch) -> None:
    monkeypatch.setattr("solwaris_env.server.connections.BESIDE_SOCKETS", 0)
    with (
        serving(sockets_per_client=1, proxied=True) as served,
        socket.create_connection(served.where),
        socket.create_connection(served.where) as second,
    ):
        second.sendall(ASK)
        assert second.recv(100).startswith(b"HTTP/1.1 200")


def test_a_head_has_its_time(monkeypatch) -> None:
    monkeypatch.setattr("solwaris_env.server.connections.HEAD_SECONDS", 0.5)
    with serving() as served:
        for first in (b"", b"GET / HTTP/1.1\r\nX: ", b"\r\n"):
            with socket.create_connection(served.where) as connection:
                connection.sendall(first)
                assert end_of(connection) == b""
        for after in (b"\r\n", b"GET"):  # what keeps a connection open is an answer, no byte
            with socket.create_connection(served.where) as connection:
                connection.sendall(ASK)
                told = b""
                while not told.endswith(b"}"):
                    told += connection.recv(65536)
                assert told.startswith(b"HTTP/1.1 200")
                connection.sendall(after)
                assert end_of(connection) == b""
        with connect(served.socket_of("nobody"), proxy=None) as ws:
            with pytest.raises(ConnectionClosed) as closed:
                ws.recv(timeout=10)
            assert closed.value.rcvd.code == 4404
        with served.client() as client:
            duel = client.create([{}, {}])
        with connect(served.socket_of(duel.name), proxy=None) as ws:
            time.sleep(0.8)
            ws.send('{"type": "hello"}')
            assert json.loads(ws.recv(timeout=10))["type"] == "state"


def flooded(served: Served, first: bytes, flood: bytes, upgrade: bool) -> bool:
    """Whether the server hangs up on who sends and never reads, and answers others then."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(10)
    cut_off = False
    with connection, served.http() as http:
        connection.connect(served.where)
        if upgrade:
            connection.sendall(UPGRADE % http.post("/v1/duels", json=SEATS).json()["duel"].encode())
            assert connection.recv(1000).startswith(b"HTTP/1.1 101")
        end = time.monotonic() + 3
        try:
            connection.sendall(first)
            while time.monotonic() < end:
                connection.sendall(flood)
        except (ConnectionResetError, BrokenPipeError):
            cut_off = True
        assert http.get("/v1/health").status_code == 200
    return cut_off


UPGRADE = (
    b"GET /v1/duels/%s/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
KEY = bytes(4)
SEATS = {"seats": [{}, {}]}


@pytest.mark.parametrize(
    ("first", "frame"),
    [
        (b"", b"\x89\x80" + KEY),  # pings
        (b"", b"\x8a\x80" + KEY),  # pongs
        (b"\x01\x80" + KEY, b"\x00\x80" + KEY),  # a text without an end
        (b"", b"\x81\x80" + KEY),  # empty texts
    ],
)
def test_a_flood_of_frames_is_cut_off(first: bytes, frame: bytes) -> None:
    with serving() as served:
        assert flooded(served, first, frame * 10_000, upgrade=True)


def test_pongs_that_nobody_reads_do_not_pile_up(monkeypatch) -> None:
    monkeypatch.setattr("solwaris_env.server.connections.MOST_FRAMES", 10**9)
    with serving() as served:
        ping = b"\x89\xfd" + KEY + bytes(125)
        assert flooded(served, b"", ping * 1000, upgrade=True)


def test_a_few_pings_are_no_flood(served: Served) -> None:
    with served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        with connect(served.socket_of(duel.name), proxy=None) as ws:
            for _ in range(100):
                assert ws.ping().wait(10)
            ws.send(iter(['{"type"', ': "hello"', "}"]))  # in fragments
            assert json.loads(ws.recv(timeout=10))["type"] == "state"


def test_so_many_requests_may_wait_on_a_connection() -> None:
    with serving() as served:
        assert flooded(served, b"", ASK * 2000, upgrade=False)
        with socket.create_connection(served.where) as connection:
            connection.sendall(ASK * 30 + ASK.replace(b"Host", b"Connection: close\r\nHost"))
            assert end_of(connection).count(b"HTTP/1.1 200") == 31
