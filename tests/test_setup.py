"""The set-up script: which torch it takes, and when it starts afresh."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / ".ci" / "setup.py"


@pytest.fixture
def setup(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script as a module, with an empty folder for its environment."""
    spec = importlib.util.spec_from_file_location("setup_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(sys, "platform", "linux")
    for name, path in (("VENV", "."), ("READY", "ready"), ("UNFINISHED", "unfinished")):
        monkeypatch.setattr(module, name, tmp_path / path)
    monkeypatch.setattr(module, "PYTHON", Path(sys.executable))
    return module


def torch_attempts(setup: ModuleType, monkeypatch: pytest.MonkeyPatch, works: int) -> list[tuple]:
    """Install torch where the attempt number `works` is the first to succeed."""
    attempts: list[tuple] = []

    def pip_install(*arguments: str, silent: bool = False) -> bool:
        attempts.append(arguments)
        return len(attempts) == works

    monkeypatch.setattr(setup, "succeeds", lambda *command, silent=False: works == 0)
    monkeypatch.setattr(setup, "pip_install", pip_install)
    setup.install_torch()
    return attempts


def test_an_installed_torch_is_kept(setup: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert torch_attempts(setup, monkeypatch, works=0) == []


def test_the_configured_index_comes_first(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert torch_attempts(setup, monkeypatch, works=1) == [("torch==2.13.0+cpu",)]


def test_then_the_cpu_index(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    attempts = torch_attempts(setup, monkeypatch, works=2)
    assert len(attempts) == 2
    assert attempts[1][-2:] == ("https://download.pytorch.org/whl/cpu", "torch==2.13.0+cpu")
    assert capsys.readouterr().err == ""


def test_without_a_cpu_build_there_is_a_warning(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    assert len(torch_attempts(setup, monkeypatch, works=9)) == 2
    assert "warning: no CPU build of torch could be had" in capsys.readouterr().err


def test_other_systems_take_the_default(setup: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert torch_attempts(setup, monkeypatch, works=9) == []


def test_an_unfinished_environment_is_made_afresh(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    monkeypatch.setattr(setup, "create", lambda: made.append(True))
    monkeypatch.setattr(setup, "install_torch", lambda: None)
    results = iter([False, True, True])
    monkeypatch.setattr(setup, "pip_install", lambda *arguments, silent=False: next(results))
    assert setup.main() == 1
    assert setup.UNFINISHED.exists() and not setup.READY.exists() and made == []
    assert setup.main() == 0
    assert setup.READY.exists() and not setup.UNFINISHED.exists() and made == [True]
    assert setup.main() == 0
    setup.READY.write_text("of another project file")
    assert setup.main() == 0
    assert made == [True]
    assert next(results, None) is None
