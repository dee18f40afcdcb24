"""How rules are compiled: `@kernel` is numba's njit with our own cache folder.

With `NUMBA_DISABLE_JIT=1` the same functions run as plain Python.
"""

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np

from ..content.schema import Rulebook

PACKAGE = Path(__file__).resolve().parents[2]
PLAIN = bool(numba.config.DISABLE_JIT)


def _sources_digest() -> str:
    """Hash of every file with kernels: numba itself only watches a kernel's own file."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_bytes()
        if b"kernel" in text or path.name in ("schema.py", "state.py"):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + text)
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _cache_folder() -> Path:
    """The first writable place: SOLWARIS_CACHE_DIR, the user's cache, the temporary folder."""
    name = f"kernels-{_sources_digest()}"
    wished = os.environ.get("SOLWARIS_CACHE_DIR")
    candidates = [Path(wished)] if wished else []
    candidates.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "solwaris")
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    candidates.append(Path(tempfile.gettempdir()) / f"solwaris-{user}")
    for folder in candidates:
        if _writable(folder / name):
            return folder / name
    return Path(tempfile.mkdtemp(prefix="solwaris-"))


@numba.extending.typeof_impl.register(Rulebook)
def _typeof_rulebook(array: Rulebook, _context: object) -> numba.types.Type:
    """The type of a plain array: a read-only one would have every kernel compiled once more."""
    return numba.types.Array(numba.from_dtype(array.dtype), array.ndim, "C")


CACHE_FOLDER = None if PLAIN else _cache_folder()


def _widened(kind: numba.types.Type) -> numba.types.Type:
    """Every whole number, truth value or enumeration member travels as int64."""
    narrow = (numba.types.Integer, numba.types.Boolean, numba.types.IntEnumMember)
    return numba.types.int64 if isinstance(kind, narrow) else kind


def _compiled(function: Callable, **options: bool) -> Callable:
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        made = numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    finally:
        numba.config.CACHE_DIR = before
    compile_for = made.compile
    # one version of a kernel for all widths of its numbers: compiling takes half the time
    made.compile = lambda kinds: compile_for(tuple(_widened(kind) for kind in kinds))
    _forgive_damage(made._cache)
    return made


def _forgive_damage(cache: numba.core.caching.FunctionCache) -> None:
    """Let a truncated or altered cache file count as absent: numba would raise."""
    load = cache.load_overload

    def load_or_forget(signature: object, target: object) -> object:
        try:
            return load(signature, target)
        except Exception:  # unpickling garbage can raise anything
            cache.flush()
            return None

    cache.load_overload = load_or_forget


def kernel(function: Callable) -> Callable:
    """Compile a function that only other kernels call: no GIL, cached on disk."""
    if PLAIN:
        return function
    return _compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def entry(function: Callable) -> Callable:
    """Compile a function that Python calls."""
    return function if PLAIN else _compiled(function, no_cfunc_wrapper=True)


class Compiling:
    """Context of the first call of an entry point: says that it compiles when it will.

    Once a process: the minute it speaks of is that of all entry points.
    """

    said = False

    def __init__(self, entry: str) -> None:
        self._mark = None if PLAIN else CACHE_FOLDER / f"{entry}.ready"

    def __enter__(self) -> None:
        if self._mark is not None and not self._mark.exists() and not Compiling.said:
            Compiling.said = True
            print(
                "solwaris: compiling the rules for this machine, once (about a minute) ...",
                file=sys.stderr,
                flush=True,
            )

    def __exit__(self, kind, value, trace) -> None:
        if kind is None and self._mark is not None:
            with contextlib.suppress(OSError):  # a lost mark only costs another announcement
                self._mark.touch()
