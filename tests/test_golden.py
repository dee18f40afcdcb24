"""Golden playthroughs: duels one can read, played again to the letter.

`python -m tests.regenerate_playthroughs` writes them anew after a change of the rules.
"""

import ast
import re
import subprocess
import sys

import pytest
from golden import FOLDER, PLAYTHROUGHS, options_of, playthrough
from play import CLASSES, MAPS

from solwaris_env.duel.codec import parse_action
from solwaris_env.duel.content.loader import content
from solwaris_env.duel.engine.state import Termination
from solwaris_env.duel.game import Duel

MOST_BYTES = 1_500_000


def texts() -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.txt"))}


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_played_again_to_the_letter(name):
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    played = playthrough(name).splitlines()
    differs = [i for i, pair in enumerate(zip(written, played, strict=False)) if len(set(pair)) > 1]
    assert not differs, (
        f"line {differs[0] + 1}: {written[differs[0]]!r} is now {played[differs[0]]!r}; "
        "if that is meant: python -m tests.regenerate_playthroughs"
    )
    assert len(written) == len(played)


def test_every_playthrough_is_written_and_none_besides():
    assert set(texts()) == set(PLAYTHROUGHS)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MOST_BYTES


def test_every_spell_in_both_versions_is_cast():
    whole = "\n".join(texts().values())
    cast = set(re.findall(r"^player_\d: cast \d \w+  \[(\w+)\]$", whole, re.M))
    ids = [spell.id for spell in content().spells]
    assert len(ids) == 98
    missing = sorted(set(ids) - cast)
    assert not missing, f"spells that no playthrough casts: {missing}"
    assert cast <= set(ids)


def test_every_class_map_and_passive_takes_part():
    found = list(texts().values())
    lines = re.findall(r"^# classes (.+)$", "\n".join(found), re.M)
    told = [ast.literal_eval(line) for line in lines]
    assert {name for classes in told for name in classes} == set(CLASSES)
    assert {re.search(r"^# map (\w+)$", text, re.M).group(1) for text in found} == set(MAPS)
    whole = "\n".join(found)
    for sheet in content().classes:
        for passive in sheet.passives:
            assert f"passive {passive.name}" in whole, passive.id
    assert re.search(r"1 against 1", whole)
    assert re.search(r"2 against 2", whole)


@pytest.mark.parametrize(
    "sentence",
    [
        "raises to", "does not follow", "plays first, for", "plays first, free", "walks to",
        "critical hit of", "collides with", "is pushed", "is pulled", "hides", "springs",
        "explodes at", "vanishes from sight", "takes the bonus of", "gets back", "is poisoned",
        "cooldowns grow", "armour takes", "refused)", "falls", "gives up", "nothing moves",
        "The duel is over (knockout)", "The duel is over (forfeit)",
    ],
)  # fmt: skip
def test_what_can_happen_does(sentence):
    assert sentence in "\n".join(texts().values())


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_the_written_actions_alone_lead_to_the_written_end(name):
    """Nothing but the file: its seed, its options, its actions."""
    text = texts()[name]
    seed = int(re.search(r"^# seed (\d+)$", text, re.M).group(1))
    duel = Duel.new(seed, **options_of(name))
    for seat, action in re.findall(r"^player_(\d): ([a-z]+(?: \w+)*)(?:  \[\w+\])?$", text, re.M):
        assert duel.seat == int(seat)
        duel.apply(parse_action(action))
    assert duel.seat == -1
    reason = duel.outcome.termination.replace("_", " ")
    assert reason in {kind.name.lower().replace("_", " ") for kind in Termination}
    assert f"The duel is over ({reason})" in text
    assert (
        text.rstrip()
        .splitlines()[-1]
        .startswith(
            "A draw" if duel.outcome.winner is None else ("Blue", "Red")[duel.outcome.winner]
        )
    )


def test_the_command_writes_the_same_files(tmp_path, monkeypatch, capsys):
    import regenerate_playthroughs as command

    monkeypatch.setattr(command, "FOLDER", tmp_path / "new")
    monkeypatch.setattr(command, "PLAYTHROUGHS", {"carriere": PLAYTHROUGHS["carriere"]})
    command.main()
    assert re.fullmatch(r"carriere\.txt: \d+ KiB\n", capsys.readouterr().out)
    assert (tmp_path / "new" / "carriere.txt").read_text(encoding="utf-8") == texts()["carriere"]


def test_the_command_is_found():
    program = "from importlib import util; print(util.find_spec('tests.regenerate_playthroughs'))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=FOLDER.parent.parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "regenerate_playthroughs.py" in done.stdout
