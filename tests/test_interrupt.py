"""Ctrl-C at any moment of the `solwaris` command: one line and status 130, no traceback."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PRESS = "os.kill(os.getpid(), signal.SIGINT)"
BEFORE = f"""
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "solwaris_env.cli":
            {PRESS}
sys.meta_path.insert(0, Finder())
"""
DURING = f"""
import solwaris_env.cli
solwaris_env.cli._run = lambda argv: {PRESS}
"""
WHILE_ANSWERED = f"""
import solwaris_env.cli
class Stream:
    encoding = "utf-8"
    def write(self, text):
        {PRESS}
    def flush(self): pass
def run(argv):
    sys.stderr = Stream()
    {PRESS}
solwaris_env.cli._run = run
"""
AFTER = f"""
import atexit, solwaris_env.cli
solwaris_env.cli._run = lambda argv: 130
atexit.register(lambda: {PRESS})
"""


@pytest.mark.parametrize("when", [BEFORE, DURING, WHILE_ANSWERED, AFTER])
def test_an_interrupted_command_ends_with_status_130(when):
    code = f"import os, signal, sys\n{when}\nfrom solwaris_env.command import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        # a shell's background jobs ignore it, and what they start does too
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert done.returncode == 130, done.stderr
    said = done.stderr.strip()
    assert said == ("solwaris: interrupted" if when in (BEFORE, DURING) else "")
