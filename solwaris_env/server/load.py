"""Measure a server under load: `python -m solwaris_env.server.load --duels 200 --seconds 30`.

It starts `solwaris serve` on a free port with a log on disk, lets many people play against an
opponent at once over sockets, and prints how long acknowledgements and the opponent's answers
take. Load and server share the machine: the figures are a server's with less than all of it.
"""

import argparse
import asyncio
import contextlib
import json
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from ..errors import SolwarisError

PERCENTILES = (50, 90, 99)
WARM_UP = 4.0  # seconds in which the players begin
LIFTED = ("--rate", "1e6", "--burst", "1000000", "--duels-per-client", "100000")


@dataclass
class Figures:
    """What was measured, in seconds."""

    acknowledged: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    decided: list[float] = field(default_factory=list)
    duels: int = 0
    busy: float = 0.0

    def clear(self) -> None:
        """Forget what was measured while the players began."""
        self.__init__()

    def table(self, duels: int, seconds: float) -> str:
        """The figures as a Markdown table."""
        rows = [
            ("action sent until it is on the disk", self.acknowledged),
            ("opponent's turn to act until its action is told", self.answered),
            ("decision on a view sent by HTTP, JSON and all", self.decided),
        ]
        lines = ["| what | number | median | 90 % | 99 % |", "|---|---|---|---|---|"]
        for name, values in rows:
            if values:
                cells = " | ".join(f"{1000 * percentile(values, p):.1f} ms" for p in PERCENTILES)
                lines.append(f"| {name} | {len(values)} | {cells} |")
        actions = len(self.acknowledged) + len(self.answered)
        lines += ["", f"{duels} duels at once, {actions / seconds:.0f} actions a second, "]
        lines[-1] += f"{self.duels} duels ended in {seconds:.0f} s; "
        lines[-1] += f"a decision keeps its thread busy for {1000 * self.busy:.1f} ms"
        return "\n".join(lines)


def percentile(values: list[float], percent: float) -> float:
    """The value that so many percent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def pick(legal: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Any legal action, casts more often than not."""
    casts = [(slot, cells) for slot, cells in enumerate(legal["cast"]) if cells]
    if casts and rng.random() < 0.7:
        slot, cells = rng.choice(casts)
        return {"type": "cast", "slot": slot, "cell": rng.choice(cells)}
    if legal["place"]:
        return {"type": "place", "cell": rng.choice(legal["place"])}
    if legal["go"] and rng.random() < 0.5:
        return {"type": "go", "cell": rng.choice(legal["go"])}
    return {"type": "pass"}


async def play(
    http: httpx.AsyncClient, opponent: str, think: float, figures: Figures, seed: int
) -> None:
    """One person who plays duel after duel, for ever."""
    rng = random.Random(seed)
    await asyncio.sleep(rng.random() * WARM_UP)  # nobody begins all at once
    while True:
        seats = [{"player": "human"}, {"player": opponent}]
        made = (await http.post("/v1/duels", json={"seats": seats})).json()
        uri = f"ws{str(http.base_url).removeprefix('http')}/v1/duels/{made['duel']}/socket"
        await play_one(uri, made["secrets"][0], think, figures, rng)


async def play_one(
    uri: str, secret: str, think: float, figures: Figures, rng: random.Random
) -> None:
    """One duel to its end, timing every answer."""
    sent: dict[int, float] = {}
    async with connect(uri, max_size=1 << 22, proxy=None, compression=None) as ws:

        async def act(state: dict[str, Any]) -> None:
            await asyncio.sleep(rng.uniform(0.5, 1.5) * think)
            wish = {"type": "action", "id": state["seq"], "seq": state["seq"]}
            wish["action"] = pick(state["legal"], rng)
            sent[state["seq"]] = time.perf_counter()
            await ws.send(json.dumps(wish))

        await ws.send(json.dumps({"type": "hello", "secret": secret}))
        waits: float | None = None
        thinking: asyncio.Task | None = None  # so that nobody reads late because he thinks
        try:
            async for text in ws:
                message = json.loads(text)
                now = time.perf_counter()
                if message["type"] == "ack":
                    figures.acknowledged.append(now - sent.pop(message["id"]))
                if "state" not in message:
                    continue
                state = message["state"]
                if waits is not None and message["type"] == "step" and message["step"]["seat"] == 1:
                    figures.answered.append(now - waits)
                waits = now if state["view"]["to_act"] == 1 else None
                if state["over"]:
                    figures.duels += 1
                    break
                if state["legal"] is not None:
                    thinking = asyncio.create_task(act(state))
        finally:
            if thinking is not None:
                thinking.cancel()


async def decide(http: httpx.AsyncClient, opponent: str, figures: Figures) -> None:
    """Somebody with rules of his own who asks for one decision after another, for ever."""
    view = (await http.get("/v1/view/example")).json()
    wish = {"opponent": opponent, "view": view, "alternatives": 3}
    while True:
        began = time.perf_counter()
        (await http.post("/v1/decisions", json=wish)).raise_for_status()
        figures.decided.append(time.perf_counter() - began)
        await asyncio.sleep(0.1)


async def busy(http: httpx.AsyncClient) -> float:
    """Mean time that a decision kept its thread busy, by the server's own count."""
    text = (await http.get("/metrics")).text
    total = {"decisions_total": 0.0, "decision_busy_seconds_total": 0.0}
    for name, value in re.findall(r"^solwaris_(\w+)\{kind=\S+ (\S+)$", text, re.MULTILINE):
        if name in total:
            total[name] += float(value)
    return total["decision_busy_seconds_total"] / max(total["decisions_total"], 1.0)


async def measure(args: argparse.Namespace, address: str) -> Figures:
    """All players at once, for the time asked for once they have all begun."""
    figures = Figures()
    async with httpx.AsyncClient(base_url=address, timeout=60) as http:
        tasks = [
            asyncio.create_task(play(http, args.opponent, args.think, figures, seed))
            for seed in range(args.duels)
        ]
        tasks.append(asyncio.create_task(decide(http, args.opponent, figures)))
        for seconds in (WARM_UP + 1, args.seconds):
            figures.clear()
            done, _ = await asyncio.wait(
                tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION
            )
            for task in done:
                task.result()  # none ends but by a fault
        figures.busy = await busy(http)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return figures


def main() -> int:
    """Start a server, measure it, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--duels", type=int, default=200, help="people who play at once (200)")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long (30)")
    parser.add_argument("--think", type=float, default=1.0, help="seconds between actions (1)")
    parser.add_argument("--opponent", default="greedy", help="whom they play (greedy)")
    parser.add_argument("--opponents", default="checkpoints", help="folder of policies")
    args = parser.parse_args()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "solwaris_env.cli", "serve", "--port", str(port)]
        command += ["--database", str(Path(folder) / "log.sqlite"), "--log-level", "warning"]
        command += ["--opponents", args.opponents, "--sockets-per-client", "100000", *LIFTED]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until_up(address, server)
            print(asyncio.run(measure(args, address)).table(args.duels, args.seconds))
        finally:
            server.terminate()
            server.wait(timeout=30)
    return 0


def wait_until_up(address: str, server: subprocess.Popen, seconds: float = 120) -> None:
    """Wait for a server's first answer. Raises SolwarisError."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(httpx.TransportError):
            httpx.get(f"{address}/v1/health", timeout=2)
            return
        time.sleep(0.05)
    raise SolwarisError("the server did not start")


if __name__ == "__main__":
    sys.exit(main())
