"""The page as it is shipped: built from the sources beside it, with a word for everything."""

import hashlib
import json
import os
import re
from pathlib import Path

import pytest
from serving import PAGE
from workshop import Workshop

from solwaris_env.duel.engine.scratch import Event
from solwaris_env.duel.engine.state import Termination, Timed

REGISTRY = "https://registry.npmjs.org/"


def source(name: str) -> str:
    """A module of the page."""
    return (PAGE / "src" / name).read_text(encoding="utf-8")


def parts() -> list[str]:
    """What the page is built from, as page/sources.ts lists it."""
    text = (PAGE / "sources.ts").read_text(encoding="utf-8")
    found = re.search(r"const PARTS = \[(.*?)\];", text, re.DOTALL)
    assert found
    return re.findall(r'"([^"]+)"', found[1])


def fingerprint() -> str:
    """The number that the build writes into dist, as page/sources.ts makes it."""
    assert all((PAGE / part).exists() for part in parts())
    found = [path for part in parts() for path in (PAGE / part, *(PAGE / part).rglob("*"))]
    files = {os.path.relpath(path, PAGE): path for path in found if path.is_file()}
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode() + b"\0" + files[name].read_bytes() + b"\0")
    return digest.hexdigest()


def listed(name: str, module: str) -> list[str]:
    """The words of a constant list of a module."""
    found = re.search(rf"export const {name} = \[(.*?)\] as const", source(module), re.DOTALL)
    assert found, name
    return re.findall(r'"(\w+)"', found[1])


def words(language: str) -> dict[str, str]:
    """The texts of a language by their keys."""
    found = re.search(rf"^const {language}\b.*?^\}}", source("i18n.ts"), re.DOTALL | re.MULTILINE)
    assert found, language
    lines = re.findall(r'^  "([\w.]+)":((?:\s+"[^"]*"(?: \+)?)+),$', found[0], re.MULTILINE)
    return {key: "".join(re.findall(r'"([^"]*)"', text)) for key, text in lines}


def holes(text: str) -> set[str]:
    """What a text leaves to be filled in."""
    return set(re.findall(r"\{(\w+)", text))


def test_the_shipped_page_is_built_from_these_sources() -> None:
    written = (PAGE / "dist" / "sources.txt").read_text().strip()
    assert written == fingerprint(), "the page is older than its sources: run `make page`"


def test_every_text_is_said_somewhere() -> None:
    said = "".join(path.read_text() for path in (PAGE / "src").glob("*.ts") if path.stem != "i18n")
    made = re.findall(r"`([a-z]+\.(?:[a-z.]|\$\{[^}`]*\})+)`", said)  # keys with a hole in them
    forms = [re.sub(r"\\\$\\\{.*?\\\}", r"[\\w.]+", re.escape(form)) for form in made]
    unsaid = [
        key
        for key in words("FR")
        if f'"{key}"' not in said and not any(re.fullmatch(form, key) for form in forms)
    ]
    assert unsaid == []


def test_the_shipped_page_asks_nobody_else() -> None:
    for path in (PAGE / "dist").rglob("*"):
        if path.suffix in {".html", ".js", ".css"}:
            text = path.read_text(encoding="utf-8")
            asked = set(re.findall(r"https?://[\w.-]+", text))
            assert asked <= {"http://www.w3.org", "http://127.0.0.1"}, path  # a name, a default


def test_packages_come_from_the_public_registry() -> None:
    text = (PAGE / "package-lock.json").read_text()
    lock = json.loads(text)
    resolved = [item["resolved"] for item in lock["packages"].values() if "resolved" in item]
    assert all(address.startswith(REGISTRY) for address in resolved)
    assert set(re.findall(r"https?://[\w.:-]+/", "\n".join(resolved))) <= {REGISTRY}
    packages = [item for name, item in lock["packages"].items() if name]
    assert packages and all(item["integrity"].startswith("sha512-") for item in packages)


def test_every_kind_of_event_has_a_sentence() -> None:
    assert listed("EVENT_KINDS", "log.ts") == [kind.name.lower() for kind in Event]
    effects = [kind.name.lower() for kind in Timed if kind != Timed.NONE]
    assert listed("EFFECT_KINDS", "log.ts") == effects
    ends = [kind.name.lower() for kind in Termination if kind != Termination.NONE]
    assert listed("TERMINATIONS", "log.ts") == ends


def test_both_languages_say_the_same() -> None:
    french, english = words("FR"), words("EN")
    assert len(french) > 200
    assert french.keys() == english.keys()
    for key, text in french.items():
        assert holes(text) == holes(english[key]), key
        assert text.strip() == text != "", key
        assert english[key].strip() == english[key] != "", key


def test_what_the_server_names_has_words() -> None:
    keys = words("FR").keys()
    for kind in Timed:
        assert kind == Timed.NONE or f"effect.{kind.name.lower()}" in keys
    for end in Termination:
        assert end == Termination.NONE or f"result.{end.name.lower()}" in keys


@pytest.mark.slow
def test_the_page_builds(workshop: Workshop) -> None:
    """What is committed is what the sources make, byte by byte."""
    workshop.run("npm", "run", "build")
    assert files_of(workshop.page / "dist") == files_of(PAGE / "dist")


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a folder, by their paths."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
