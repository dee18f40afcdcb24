"""Files written whole or not at all, and read with a sentence when that fails."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from .errors import SolwarisError


@contextmanager
def atomic_file(path: str | os.PathLike) -> Iterator[BinaryIO]:
    """Open a binary stream whose content replaces `path` once the block ends well.

    The bytes go to a hidden file in the same folder, are flushed to the disk and then
    renamed. When the block raises, or the disk is full, `path` is left as it was and the
    hidden file is removed.

    Raises:
        SolwarisError: the folder is missing or the operating system refuses the write.
    """
    target = Path(path)
    temporary: Path | None = None
    try:
        descriptor, name = tempfile.mkstemp(
            prefix=f".{target.name}.", suffix=".part", dir=target.parent
        )
        temporary = Path(name)
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_mode_for(target))
        os.replace(temporary, target)
        temporary = None
        _sync_folder(target.parent)
    except OSError as error:
        raise SolwarisError(f"cannot write {target}: {_reason(error)}") from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def write_atomic(path: str | os.PathLike, data: bytes | str) -> None:
    """Write `data` (text as UTF-8) to `path`, whole or not at all.

    Raises:
        SolwarisError: see `atomic_file`.
    """
    with atomic_file(path) as stream:
        stream.write(data.encode() if isinstance(data, str) else data)


def check_writable(path: str | os.PathLike) -> None:
    """Raise SolwarisError when a file at `path` can surely not be written, before long work."""
    target = Path(path)
    if target.is_dir():
        raise SolwarisError(f"cannot write {target}: it is a folder")
    if not target.absolute().parent.is_dir():
        raise SolwarisError(f"cannot write {target}: its folder does not exist")
    if not os.access(target.absolute().parent, os.W_OK):
        raise SolwarisError(f"cannot write {target}: its folder is not writable")


def read_file(path: str | os.PathLike, what: str = "file") -> bytes:
    """Return the bytes of `path`; `what` names its role in the error's sentence.

    Raises:
        SolwarisError: the file is missing, a folder, or not readable.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise SolwarisError(f"cannot read the {what} {path}: {_reason(error)}") from error


def _reason(error: OSError) -> str:
    """The operating system's own words, in lower case as part of a sentence."""
    words = error.strerror or str(error)
    return words[:1].lower() + words[1:]


def _mode_for(target: Path) -> int:
    """Permissions of the file to be replaced, or those a new file would get."""
    try:
        return target.stat().st_mode & 0o7777
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask


def _sync_folder(folder: Path) -> None:
    """Make the rename itself last, where the system can open a folder."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
