#!/usr/bin/env python3
"""Make the virtual environment `.venv` and install the project with all a developer needs.

Run with any Python 3.11 or newer, standard library only: `python3 .ci/setup.py`.
It returns at once when nothing changed since it last ended well, starts afresh when it was
interrupted, and lets one process at a time work on the environment.

torch is the one heavy part: the build that plain Linux machines are offered by default brings
gigabytes of CUDA libraries along, which nothing here needs. On Linux a CPU build (`+cpu`) is
therefore asked for by name, from the configured index first and from PyTorch's own second; a
torch that is installed already is kept, and only when no CPU build can be had is the default
one taken, with a warning. Elsewhere the default is a CPU build.
"""

import fcntl
import hashlib
import importlib.util
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
READY = VENV / ".solwaris-ready"
UNFINISHED = VENV / ".solwaris-unfinished"
OLDEST_PYTHON = (3, 11)
TORCH = "2.13.0"
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
IMPATIENT = ["--retries", "1", "--timeout", "20"]


def fingerprint() -> str:
    """Digest of what the environment depends on."""
    parts = [(ROOT / "pyproject.toml").read_bytes(), Path(__file__).read_bytes()]
    return hashlib.sha256(b"\0".join([*parts, sys.version.encode(), bytes(ROOT)])).hexdigest()


def succeeds(*command: str, silent: bool = False) -> bool:
    """Run a command in the project's folder; say whether it exited with 0."""
    output = subprocess.DEVNULL if silent else None
    done = subprocess.run(command, check=False, cwd=ROOT, stdout=output, stderr=output)
    return done.returncode == 0


def pip_install(*arguments: str, silent: bool = False) -> bool:
    """Install with the environment's pip; say whether it succeeded."""
    options = ["--disable-pip-version-check", "-qq"]
    return succeeds(str(PYTHON), "-m", "pip", "install", *options, *arguments, silent=silent)


def usable() -> bool:
    """Whether `.venv` has a working, new enough Python with pip and was not left half-made."""
    if UNFINISHED.exists() or not PYTHON.exists():
        return False
    probe = f"import sys, pip; sys.exit(sys.version_info < {OLDEST_PYTHON})"
    return succeeds(str(PYTHON), "-c", probe, silent=True)


def create() -> None:
    """Make a new `.venv` with pip in it."""
    print(f"solwaris: making {VENV} with Python {sys.version.split()[0]}", flush=True)
    if VENV.exists():
        shutil.rmtree(VENV)
    VENV.mkdir()
    UNFINISHED.touch()
    if importlib.util.find_spec("ensurepip"):
        venv.create(VENV, with_pip=True, symlinks=True)
        return
    # Debian's python3 comes without ensurepip: the pip beside it can install one.
    venv.create(VENV, with_pip=False, symlinks=True)
    if not succeeds(sys.executable, "-m", "pip", "--python", str(PYTHON), "install", "pip"):
        raise SystemExit(
            "solwaris: this Python can make no virtual environment with pip; "
            "on Debian and Ubuntu install the package python3-venv, then try again."
        )


def install_torch() -> None:
    """Install a CPU build of torch unless one is there; see the module's docstring."""
    probe = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"
    if not sys.platform.startswith("linux") or succeeds(str(PYTHON), "-c", probe):
        return
    wanted = f"torch=={TORCH}+cpu"
    print(f"solwaris: installing {wanted}", flush=True)
    if pip_install(wanted, silent=True):
        return
    print(f"solwaris: the configured index has none; trying {TORCH_CPU_INDEX}", flush=True)
    if pip_install(*IMPATIENT, "--extra-index-url", TORCH_CPU_INDEX, wanted, silent=True):
        return
    print(
        "solwaris: warning: no CPU build of torch could be had, so the default build is taken; "
        "it works the same but may bring gigabytes of CUDA libraries along.",
        file=sys.stderr,
        flush=True,
    )


def main() -> int:
    """Bring `.venv` up to date; return the exit status."""
    if sys.version_info < OLDEST_PYTHON:
        found = sys.version.split()[0]
        print(
            f"solwaris: Python 3.11 or newer is needed and {sys.executable} is {found}; "
            "name another with `make PYTHON=/path/to/python3 ...`.",
            file=sys.stderr,
        )
        return 2
    with open(__file__, encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = fingerprint()
        if usable() and READY.exists() and READY.read_text() == wanted:
            READY.touch()
            return 0
        READY.unlink(missing_ok=True)
        if not usable():
            create()
        UNFINISHED.touch()
        install_torch()
        print("solwaris: installing the project and its tools (a few minutes)", flush=True)
        if not pip_install("--editable", ".[dev]"):
            print(
                "solwaris: the installation failed; pip's message above says why.",
                file=sys.stderr,
            )
            return 1
        UNFINISHED.unlink()
        READY.write_text(wanted)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\nsolwaris: set-up interrupted; the next run starts it afresh.", file=sys.stderr)
        sys.exit(130)
