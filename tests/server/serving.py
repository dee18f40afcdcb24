"""What the server's tests share: servers in this process and in one of their own, and players."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import uvicorn

from solwaris_env.client import Client
from solwaris_env.server.app import make_app
from solwaris_env.server.command import make_server
from solwaris_env.server.config import Config

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "solwaris_env" / "server" / "page"
OPEN = {
    "rate": 1e6,
    "burst": 10**6,
    "duels_per_client": 10**4,
    "sockets_per_client": 10**4,
}  # no limits of a client: the tests are one


class FakeTime:
    """A source of time that only goes on when told to."""

    def __init__(self) -> None:
        self.value = 1_000_000.0

    def __call__(self) -> float:
        return self.value


@dataclass
class Served:
    """A server that runs in a thread of this process."""

    where: tuple[str, int]
    app: Any
    server: uvicorn.Server
    clock: FakeTime | None = None

    @property
    def address(self) -> str:
        return "http://{}:{}".format(*self.where)

    def socket_of(self, duel: str) -> str:
        """The address of a duel's WebSocket."""
        return "ws://{}:{}/v1/duels/{}/socket".format(*self.where, duel)

    @property
    def host(self) -> Any:
        return self.app.state.host

    def client(self) -> Client:
        return Client(self.address)

    def http(self, **more: Any) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=30, **more)


@contextlib.contextmanager
def serving(clock: FakeTime | None = None, **settings: Any) -> Iterator[Served]:
    """A server on a free port, with the limits lifted unless set otherwise."""
    settings = {"database": ":memory:", **OPEN, **settings}
    config = Config(port=0, **settings)
    app = make_app(config, clock)
    server = make_server(app, config)
    server.capture_signals = contextlib.nullcontext  # only a main thread can take them
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        if not thread.is_alive():
            raise RuntimeError("the server did not start")
        time.sleep(0.01)
    yield Served(server.servers[0].sockets[0].getsockname(), app, server, clock)
    server.should_exit = True
    thread.join(timeout=20)
    assert not thread.is_alive(), "the server did not stop"


@dataclass
class Process:
    """`solwaris serve` in a process of its own."""

    process: subprocess.Popen
    address: str

    def kill(self) -> None:
        """End it as a power cut would."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def spawn(database: Path, port: int, log: Path, *more: str) -> Process:
    """Start `solwaris serve` and wait until it answers."""
    command = [
        sys.executable, "-m", "solwaris_env.cli", "serve", "--port", str(port),
        "--database", str(database), "--rate", "1e6", "--burst", "1000000",
        "--duels-per-client", "10000", "--sockets-per-client", "10000", *more,
    ]  # fmt: skip
    with log.open("a") as stream:
        process = subprocess.Popen(command, stderr=stream, cwd=database.parent)
    address = f"http://127.0.0.1:{port}"
    end = time.monotonic() + 120
    while True:
        try:
            if httpx.get(f"{address}/v1/health", timeout=2).status_code == 200:
                return Process(process, address)
        except httpx.TransportError:
            pass
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            process.wait()
            raise RuntimeError(f"the server did not start: {log.read_text()[-2000:]}")
        time.sleep(0.02)


def actions_of(legal: dict[str, Any]) -> list[dict[str, Any]]:
    """All legal actions by name, giving up left out."""
    found = [{"type": "place", "cell": cell} for cell in legal["place"]]
    found += [{"type": "go", "cell": cell} for cell in legal["go"]]
    for slot, cells in enumerate(legal["cast"]):
        found += [{"type": "cast", "slot": slot, "cell": cell} for cell in cells]
    return found + [{"type": name} for name in ("pass", "raise") if legal[name]]


def eager(state: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """A player who casts where it can, so that duels end."""
    found = actions_of(state["legal"])
    casts = [action for action in found if action["type"] == "cast"]
    chosen = casts if casts and rng.random() < 0.8 else found
    return chosen[int(rng.integers(len(chosen)))]


LONG_SEED = 123_456_789_012_345  # does not come up by chance in what is received
ORIGINALS = [False] * 9
VANISHING = 1  # an Ombre's slot of Invisibilité, in a loadout of originals


def sly(state: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """The eager player of an Ombre of originals, who turns invisible whenever it may."""
    cells = state["legal"]["cast"][VANISHING : VANISHING + 1]
    if cells and cells[0]:
        return {"type": "cast", "slot": VANISHING, "cell": cells[0][0]}
    return eager(state, rng)


def python_blocks(text: str, kind: str) -> list[str]:
    """The fenced blocks of a kind in a document."""
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)
