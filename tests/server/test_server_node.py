"""The TypeScript client plays, and a policy chooses in the browser as it does in Python.

They need Node with npm, and Chromium for the second; without them they are skipped.
"""

import functools
import http.server
import json
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
import pytest
from chromium import FLAGS, program
from play import lively
from serving import ROOT, Served
from websockets.sync.client import connect

from solwaris_env.agents.onnx import OnnxAgent
from solwaris_env.duel.game import Duel

CLIENTS = ROOT / "solwaris_env" / "server" / "clients"
POLICY = ROOT / "checkpoints" / "first.onnx"
STATES = 200
pytestmark = pytest.mark.slow


def installed(folder: Path, *packages: str) -> Path:
    """A folder with npm packages; skips where npm cannot bring them."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", *packages]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=180)
    if done.returncode != 0:
        pytest.skip(f"npm brings no packages: {done.stderr[-200:]}")
    return folder / "node_modules"


def test_the_typescript_example_plays_a_duel(served: Served, tmp_path: Path) -> None:
    folder = tmp_path / "typescript"
    shutil.copytree(CLIENTS / "typescript", folder)
    modules = installed(folder)
    compile_ = ["node", str(modules / "typescript" / "bin" / "tsc"), "--target", "es2022"]
    compile_ += ["--module", "nodenext", "--strict", "--skipLibCheck", "example.ts"]
    done = subprocess.run(compile_, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    major = int(subprocess.check_output(["node", "--version"], text=True)[1:].split(".")[0])
    flags = ["--experimental-websocket"] if major < 22 else []
    play = ["node", *flags, "example.js", served.address]
    done = subprocess.run(play, cwd=folder, capture_output=True, text=True, timeout=120)
    assert "winner:" in done.stdout, done.stderr


def recorded(agent: OnnxAgent) -> list[dict]:
    """Observations and masks along random duels, with what the policy chooses in Python."""
    rng = np.random.default_rng(0)
    states: list[dict] = []
    while len(states) < STATES:
        duel = Duel.new(len(states), allow_forfeit=False)
        while duel.seat >= 0 and len(states) < STATES:
            view = duel.view(duel.seat)
            if rng.random() < 0.3:
                states.append(
                    {
                        "board": view.observation["board"].ravel().tolist(),
                        "scalars": [float(x) for x in view.observation["scalars"]],
                        "legal": np.flatnonzero(view.action_mask).tolist(),
                        "chosen": agent.act(view),
                    }
                )
            duel.apply(lively(duel.mask(), rng))
    return states


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A static server without words."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def static(folder: Path) -> Iterator[str]:
    """A plain static server of a folder."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def browser(profile: Path) -> Iterator[str]:
    """Chromium without a window; the address of its debugging interface."""
    flags = [*FLAGS, "--remote-debugging-port=0", f"--user-data-dir={profile}"]
    process = subprocess.Popen(
        [program(), *flags, "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        port = profile / "DevToolsActivePort"
        end = time.monotonic() + 30
        while not (port.exists() and port.read_text().strip()):
            assert time.monotonic() < end, "Chromium did not start"
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port.read_text().split()[0]}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def result_of(debugger: str, address: str) -> str:
    """The text of a page's result once it is there."""
    tab = httpx.put(f"{debugger}/json/new?{address}").json()
    with connect(tab["webSocketDebuggerUrl"], proxy=None, max_size=None) as ws:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            expression = "document.getElementById('result')?.textContent"
            wish = {"id": 1, "method": "Runtime.evaluate", "params": {"expression": expression}}
            ws.send(json.dumps(wish))
            answer = json.loads(ws.recv())
            text = answer.get("result", {}).get("result", {}).get("value") or "working"
            if not text.startswith("working"):
                return text
            time.sleep(0.2)
    raise AssertionError("the page did not come to a result")


def test_a_policy_chooses_in_the_browser_as_in_python(tmp_path: Path) -> None:
    page = tmp_path / "site" / "under" / "a path"
    page.mkdir(parents=True)
    modules = installed(tmp_path, "onnxruntime-web@1.22")
    dist = modules / "onnxruntime-web" / "dist"
    for name in ("ort.wasm.min.js", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"):
        shutil.copy(dist / name, page)
    for name in ("index.html", "choose.js"):
        shutil.copy(CLIENTS / "onnx_web" / name, page)
    shutil.copy(POLICY, page / "policy.onnx")
    (page / "states.json").write_text(json.dumps(recorded(OnnxAgent(POLICY, 0, threads=1))))
    expected = f"same choice in {STATES} of {STATES}"
    with browser(tmp_path / "profile") as debugger:
        with static(page) as address:
            assert result_of(debugger, f"{address}/") == expected
        with static(tmp_path / "site") as address:
            assert result_of(debugger, f"{address}/under/a%20path/index.html") == expected
