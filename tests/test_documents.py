"""The documents say what the code does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from solwaris_env.duel import aec
from solwaris_env.duel.codec import ACTIONS
from solwaris_env.duel.observation import BOARD_SHAPE, SCALAR_SIZE
from solwaris_env.duel.reference import observation_page

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_observation_page_is_the_generated_one():
    assert (ROOT / "docs" / "observation.md").read_text(encoding="utf-8") == observation_page()


@pytest.mark.parametrize("text", [README, aec.__doc__], ids=["README", "docstring"])
def test_sizes_are_the_code_s(text):
    assert f"int8 {BOARD_SHAPE}" in text
    assert f"float32 ({SCALAR_SIZE},)" in text
    assert f"Discrete({ACTIONS})" in text


def python_blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_readme_opens_with_a_duel_in_about_ten_lines():
    assert len(python_blocks()[0].strip().splitlines()) <= 14


@pytest.mark.parametrize("number", range(len(python_blocks())))
def test_every_python_block_of_the_readme_runs(number, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", python_blocks()[number]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), "a reader wants to see something"


def test_every_link_of_the_readme_leads_somewhere():
    for target in re.findall(r"\]\((?!https?://)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_every_command_of_the_readme_exists():
    from solwaris_env.cli import COMMANDS

    for command in re.findall(
        r"solwaris (\w+)", " ".join(re.findall(r"```sh\n(.*?)```", README, re.DOTALL))
    ):
        assert command in COMMANDS, command
