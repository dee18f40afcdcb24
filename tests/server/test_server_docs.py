"""The page from nothing to an opponent does what it says."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import get_args

from serving import ROOT, Served, python_blocks

from solwaris_env.duel.engine.scratch import Event
from solwaris_env.server.app import WORDS
from solwaris_env.server.config import Config, read_config
from solwaris_env.server.fields import View
from solwaris_env.server.files import FAULTS
from solwaris_env.server.models import Code, DecisionWish
from solwaris_env.server.opponents import find_opponents
from solwaris_env.server.rebuild import Looker, known_of
from solwaris_env.server.reference import SMALLEST, view_page

PAGE = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8000"


def test_the_view_s_page_is_the_generated_one() -> None:
    assert (ROOT / "docs" / "view.md").read_text(encoding="utf-8") == view_page()


def test_every_field_of_the_view_has_its_meaning_and_an_example() -> None:
    schema = View.model_json_schema(by_alias=True)
    for model in [schema, *schema["$defs"].values()]:
        for name, field in model["properties"].items():
            assert field["description"] and "examples" in field, name
            assert field["examples"], name


def test_the_smallest_view_is_enough() -> None:
    known = known_of(View.model_validate(SMALLEST))
    assert Looker().look(known, 0).action_mask.sum() > 20


def test_the_commands_run_in_order(served: Served, tmp_path: Path) -> None:
    script = "\n".join(python_blocks(PAGE, "sh")).replace(ADDRESS, served.address)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "true" in done.stdout and "termination" in done.stdout
    assert not {"[]", "{}", "null", ""} & set(done.stdout.splitlines())


def test_the_python_example_plays_a_duel(served: Served, tmp_path: Path) -> None:
    (code,) = python_blocks(PAGE, "python")
    assert len([line for line in code.splitlines() if line.strip()]) <= 20
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code.replace(ADDRESS, served.address)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "winner:" in done.stdout, done.stderr


def test_the_settings_on_the_page_are_the_server_s(tmp_path: Path) -> None:
    (block,) = python_blocks(PAGE, "toml")
    assert set(tomllib.loads(block)) == {item.name for item in fields(Config)}
    path = tmp_path / "serve.toml"
    path.write_text(block)
    Config(**read_config(path))


REFUSING = ("Refusal", "answer_error", "_error", "_refuse", "_refused")


def emitted() -> set[str]:
    """Every code that stands in the server's sources where something is refused."""
    found = {code for words in (WORDS, FAULTS) for code, _ in words.values()}
    for path in (ROOT / "solwaris_env/server").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", None))
            if name in REFUSING:
                texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
                found |= set([text for text in texts if isinstance(text, str)][:1])
    return found


def test_the_table_of_codes_has_those_that_the_server_tells_and_no_others() -> None:
    table = PAGE.partition("| error | code |\n|---|---|\n")[2].partition("\n\n")[0]
    named = {code for line in table.splitlines() for code in re.findall(r"`([a-z_]+)`", line)}
    assert len(named) > 20
    assert emitted() == named == set(get_args(Code))


def test_the_keys_of_a_decision_are_told_of_in_the_same_words() -> None:
    for key in ("alternatives", "temperature"):
        words = DecisionWish.model_fields[key].description
        assert f"| `{key}` | {words} |" in PAGE


def test_the_page_names_every_kind_of_event() -> None:
    missing = {kind.name.lower() for kind in Event if f"`{kind.name.lower()}`" not in PAGE}
    assert not missing


def test_the_interface_to_try_by_hand_needs_no_net(served: Served) -> None:
    with served.http() as http:
        page = http.get("/docs")
        assert page.headers["content-type"].startswith("text/html")
        assert "//" not in re.sub(r"^\s*//.*$|<!--.*?-->", "", page.text, flags=re.M)
        addresses = re.findall(r"""(?:src|href|url)(?:=|: )["']([^"']+)""", page.text)
        assert "openapi.json" in addresses and len(addresses) == 4
        for address in addresses:
            answer = http.get(f"/{address}")
            assert answer.status_code == 200 and len(answer.content) > 1000, address
        assert "javascript" in http.get("/docs/files/swagger-ui-bundle.js").headers["content-type"]
        assert '"validatorUrl": null' in page.text  # its badge is on the net
        assert http.get("/redoc").status_code == 404


def test_the_load_s_opponents_are_on_offer() -> None:
    named = re.findall(r"--opponent (\w+)", PAGE)
    assert "expert" in named
    assert set(named) <= set(find_opponents("checkpoints", {}))
