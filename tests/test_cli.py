"""The command line: help, faults in one sentence, interruptions."""

import json
import subprocess
import sys
from types import ModuleType

import pytest
from commands import refused

from solwaris_env import cli
from solwaris_env.errors import SolwarisError


def stand_in(monkeypatch: pytest.MonkeyPatch, run) -> None:
    """Let `solwaris bench` call `run(args)`."""
    module = ModuleType("stand_in")
    module.add_arguments = lambda parser: parser.add_argument("--size", type=int, default=3)
    module.run = run
    monkeypatch.setitem(sys.modules, "stand_in", module)
    monkeypatch.setitem(cli.COMMANDS, "bench", cli.Command("stand_in", "measure"))


def test_help_without_a_command(capsys: pytest.CaptureFixture) -> None:
    assert cli.main([]) == 0
    out = capsys.readouterr().out
    assert "first steps:" in out
    for name in cli.COMMANDS:
        assert f"    {name}" in out


def test_version(capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"solwaris {cli.version()}\n"


def test_arguments_reach_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    stand_in(monkeypatch, lambda args: seen.append((args.command, args.size)) or 7)
    assert cli.main(["bench", "--size", "5"]) == 7
    assert seen == [("bench", 5)]


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["duell"], "unknown command 'duell', did you mean duel?"),
        (["xyz"], "unknown command 'xyz', expected one of play, duel, evaluate"),
        (["--colour"], "unrecognized arguments: --colour"),
        (["bench", "--size", "x"], "argument --size: invalid int value: 'x'"),
        (["bench", "extra"], "unrecognized arguments: extra"),
    ],
)
def test_faults_are_one_sentence(
    argv: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stand_in(monkeypatch, lambda args: 0)
    assert refused(argv, capsys).startswith(f"solwaris: {sentence}")


def test_error_of_a_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    def run(args: object) -> int:
        raise SolwarisError("the file a.toml says\nnothing")

    stand_in(monkeypatch, run)
    assert cli.main(["bench"]) == 2
    assert capsys.readouterr().err == "solwaris: the file a.toml says nothing\n"


def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def run(args: object) -> int:
        import sb3_contrib  # noqa: F401

        return 0

    stand_in(monkeypatch, run)
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    assert cli.main(["bench"]) == 2
    err = capsys.readouterr().err
    assert "sb3_contrib" in err
    assert "pip install 'solwaris[train]'" in err


def test_other_missing_modules_are_bugs(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(args: object) -> int:
        import solwaris_env.no_such_module  # noqa: F401

        return 0

    stand_in(monkeypatch, run)
    with pytest.raises(ModuleNotFoundError):
        cli.main(["bench"])


def test_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    def run(args: object) -> int:
        raise KeyboardInterrupt

    stand_in(monkeypatch, run)
    assert cli.main(["bench"]) == 130
    assert capsys.readouterr().err == "\nsolwaris: interrupted\n"


def test_closed_output() -> None:
    command = f"{sys.executable} -m solwaris_env.cli classes --json | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout == "["
    assert done.stderr == ""


@pytest.mark.parametrize("command", list(cli.COMMANDS))
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture) -> None:
    assert cli.main([command, "--help"]) == 0
    assert f"usage: solwaris {command}" in capsys.readouterr().out


def test_help_needs_no_heavy_package() -> None:
    """The help of every command, and so a warm start, loads none of the heavy packages."""
    code = (
        "import contextlib, io, json, sys\n"
        "from solwaris_env import cli\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        "    for command in cli.COMMANDS:\n"
        "        assert cli.main([command, '--help']) == 0\n"
        "heavy = {'torch', 'pygame', 'PIL', 'stable_baselines3', 'onnx', 'numba', 'onnxruntime'}\n"
        "print(json.dumps(sorted(heavy & set(sys.modules))))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
