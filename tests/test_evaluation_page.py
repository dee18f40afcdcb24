"""The page on evaluation: its agent plays, its commands and keys exist."""

import json
import re
import shlex
from pathlib import Path

import pytest

from solwaris_env import cli
from solwaris_env.evaluation import report, tables
from solwaris_env.evaluation.rating import Rating

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
MODULE = "my_agents"
(AGENT,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [
    shlex.split(line, comments=True)
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for line in block.replace("\\\n", " ").splitlines()
]


def test_the_agent_is_short() -> None:
    body = AGENT.partition("class ")[2].strip().splitlines()
    assert len(body) <= 15


@pytest.mark.parametrize(
    "argv", [a for a in COMMANDS if not any(".onnx" in part for part in a)], ids=" ".join
)
def test_the_commands_run(argv: list[str], here: Path, capsys: pytest.CaptureFixture) -> None:
    """As they stand on the page, with four duels."""
    assert argv[0] == "solwaris"
    number = argv.index("--duels") + 1 if "--duels" in argv else None
    short = ["--duels", "4"] if number is None else []
    argv = [*argv[1:], *short, "--workers", "1"]
    if number is not None:
        argv[number - 1] = "4"
    assert cli.main(argv) == 0
    out = capsys.readouterr().out
    assert " 4 duels" in out or "12 duels of 4" in out
    for name in re.findall(r"\S+\.(?:json|png)", " ".join(argv)):
        assert (here / name).stat().st_size > 1000


def test_the_options_are_those_of_the_command(capsys: pytest.CaptureFixture) -> None:
    told = set(re.findall(r"`(--[a-z-]+)", PAGE))
    assert cli.main(["tournament", "--help"]) == 0
    assert told == set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}


def test_every_key_of_the_file_is_documented(here: Path, capsys: pytest.CaptureFixture) -> None:
    argv = ["tournament", "random", "greedy", "my_agents:Cautious", "--duels", "4"]
    assert cli.main([*argv, "--workers", "1", "--json", "r.json"]) == 0
    data = json.loads((here / "r.json").read_text())
    for text, keys in (
        (report.__doc__, {*data, *data["settings"], *data["balance"], *data["agents"][0]}),
        (tables.__doc__, {*data["meetings"][0], *data["meetings"][0]["score"]}),
        (tables.__doc__, set(data["meetings"][0]["spells"]["taillade"]["a"])),
    ):
        for key in keys:
            assert re.search(rf"\b{key}\b", text), key
    assert set(Rating.__dataclass_fields__) | {"name", "agent"} == set(data["agents"][0])
