"""What every test shares: no display, one thread a process, and one compilation for all workers."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

WARM_UP = """
from solwaris_env.duel.game import Duel
from solwaris_env.duel.vector import VectorDuel

duel = Duel.new(0)
duel.apply(int(duel.mask().argmax()))
batch = VectorDuel(1, seed=0)
batch.step(batch.action_mask.argmax(axis=1))
"""


def pytest_configure(config: pytest.Config) -> None:
    """Fill the compiled code's cache before several workers start on an empty one."""
    parallel = getattr(config.option, "numprocesses", None)
    if parallel and not hasattr(config, "workerinput"):
        subprocess.run([sys.executable, "-c", WARM_UP], check=False, cwd=config.rootpath)


@pytest.fixture
def here(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A folder to be in that holds the test file's module of agents: AGENT, under name MODULE."""
    name = request.module.MODULE
    (tmp_path / f"{name}.py").write_text(request.module.AGENT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    sys.modules.pop(name, None)
