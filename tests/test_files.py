"""Files are written whole or not at all."""

import errno
import os
import stat
from pathlib import Path

import pytest

from solwaris_env.errors import SolwarisError
from solwaris_env.files import atomic_file, read_file, write_atomic


def test_write_and_replace(tmp_path: Path) -> None:
    target = tmp_path / "a.bin"
    write_atomic(target, b"\x00first")
    assert target.read_bytes() == b"\x00first"
    write_atomic(str(target), "é")
    assert target.read_bytes() == "é".encode()
    assert os.listdir(tmp_path) == ["a.bin"]


def test_failed_block_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "a.bin"
    write_atomic(target, b"old")
    with pytest.raises(RuntimeError, match="in mid-file"), atomic_file(target) as stream:
        stream.write(b"new, half")
        raise RuntimeError("in mid-file")
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.bin"]


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_full_disk_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    target = tmp_path / "a.bin"
    write_atomic(target, b"old")

    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, failing, full)
    with pytest.raises(SolwarisError, match=r"cannot write .*a\.bin: no space left on device"):
        write_atomic(target, b"new")
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.bin"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_disk_while_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fdopen

    def onto_full_device(descriptor: int, mode: str):
        os.close(descriptor)
        return real(os.open("/dev/full", os.O_WRONLY), mode)

    monkeypatch.setattr(os, "fdopen", onto_full_device)
    with pytest.raises(SolwarisError, match="no space left on device"):
        write_atomic(tmp_path / "a.bin", b"x" * 100_000)
    assert os.listdir(tmp_path) == []


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SolwarisError, match=r"cannot write .*nowhere/a: no such file"):
        write_atomic(tmp_path / "nowhere" / "a", b"")


def test_permissions(tmp_path: Path) -> None:
    target = tmp_path / "a"
    before = os.umask(0o027)
    try:
        write_atomic(target, b"")
    finally:
        os.umask(before)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    target.chmod(0o604)
    write_atomic(target, b"again")
    assert stat.S_IMODE(target.stat().st_mode) == 0o604


def test_read_file_names_the_role(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"content")
    assert read_file(tmp_path / "a") == b"content"
    with pytest.raises(SolwarisError, match=r"cannot read the replay .*b: no such file"):
        read_file(tmp_path / "b", "replay")
    with pytest.raises(SolwarisError, match="is a directory"):
        read_file(tmp_path)
