"""Where compiled rules are kept: read-only homes, empty caches, several processes at once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import solwaris_env

PACKAGE = Path(solwaris_env.__file__).parent
PLAY = """
import zlib
from solwaris_env.duel.game import Duel
duel = Duel.new(3, allow_forfeit=False)
for _ in range(40):
    duel.apply(int(duel.mask().argmax()))
print(zlib.crc32(duel.buffers.states.tobytes()))
"""
WHERE = "from solwaris_env.duel.engine.kernel import CACHE_FOLDER; print(CACHE_FOLDER)"
NOWHERE = "/dev/null/nowhere"


def python(code: str, **variables: str) -> subprocess.Popen:
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen) -> str:
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out.strip()


def test_the_wished_folder_is_taken(tmp_path):
    folder = finish(python(WHERE, SOLWARIS_CACHE_DIR=str(tmp_path)))
    assert Path(folder).parent == tmp_path


def test_an_unwritable_wish_and_home_fall_back_to_the_temporary_folder(tmp_path):
    folder = finish(
        python(
            WHERE,
            SOLWARIS_CACHE_DIR=NOWHERE,
            XDG_CACHE_HOME=NOWHERE,
            HOME=NOWHERE,
            TMPDIR=str(tmp_path),
        )
    )
    assert tmp_path in Path(folder).parents


def test_nothing_is_written_beside_the_sources():
    # so an install that nobody may write to works
    folder = Path(finish(python(WHERE)))
    assert PACKAGE not in folder.parents
    assert not list(PACKAGE.rglob("*.nbi"))


@pytest.mark.slow
def test_two_processes_compile_at_once_on_an_empty_cache(tmp_path):
    both = [python(PLAY, SOLWARIS_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    first, second = [finish(process) for process in both]
    assert first == second
    assert finish(python(PLAY, SOLWARIS_CACHE_DIR=str(tmp_path))) == first


@pytest.mark.slow
def test_the_compilation_is_announced_once(tmp_path):
    said = []
    planned = f"""{PLAY}
from solwaris_env.agents import make_agent
make_agent("planner:nodes=50", 0).act(duel.view(duel.seat))
"""
    for _ in range(2):
        process = python(planned, SOLWARIS_CACHE_DIR=str(tmp_path))
        said.append(process.communicate(timeout=600)[1])
    assert said[0].count("compiling the rules") == 1
    assert said[1] == ""


@pytest.mark.slow
def test_a_spoilt_cache_is_compiled_anew(tmp_path):
    first = finish(python(PLAY, SOLWARIS_CACHE_DIR=str(tmp_path)))
    for path in tmp_path.rglob("*.nb?"):
        path.write_bytes(path.read_bytes()[:100])
    assert finish(python(PLAY, SOLWARIS_CACHE_DIR=str(tmp_path))) == first
