"""A person's duel: typed from placement to the end, given up, interrupted, saved."""

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from commands import refused

from solwaris_env.agents import make_agent
from solwaris_env.duel.codec import FORFEIT, cell_name, decode, to_text
from solwaris_env.duel.content.schema import WIDTH
from solwaris_env.duel.game import Duel
from solwaris_env.duel.replay import Replay
from solwaris_env.duel.view import json_view
from solwaris_env.errors import SolwarisError
from solwaris_env.play import Session, loadout_bits
from solwaris_env.play_commands import plain, spells_in_hand


def session(
    ask: Callable[[Session, str], str], *, seat: int = 0, seed: int = 1, **options: object
) -> tuple[Session, str]:
    """Play a duel against the random agent with `ask` as the person; return it and its print."""
    options = {"team_size": 1} | options
    out = io.StringIO()
    duel = Duel.new(seed, **options)
    agent = make_agent("random", seed)
    played = Session(duel, agent, seat, ask=lambda prompt: ask(played, prompt), out=out)
    played.play()
    return played, out.getvalue()


def typist(seed: int, *, by_name: bool = False) -> Callable[[Session, str], str]:
    """A person who types a random legal action, never giving up."""
    rng = np.random.default_rng(seed)

    def ask(played: Session, prompt: str) -> str:
        legal = np.flatnonzero(played.duel.mask())
        action = int(rng.choice(legal[legal != FORFEIT]))
        named = decode(action, played.duel.placing)
        if not by_name or "cell" not in named:
            return to_text(action, played.duel.placing)
        cell = cell_name(named["cell"][0] * WIDTH + named["cell"][1])
        if named["type"] != "cast":
            return cell
        spells = spells_in_hand(json_view(played.duel, played.duel.seat))
        return f"{plain(spells[named['slot']]['name'])} {cell}"

    return ask


@pytest.mark.parametrize(
    ("seat", "by_name", "team_size"), [(0, False, 1), (1, True, 1), (0, True, 2), (1, False, 2)]
)
def test_a_whole_duel_is_typed(seat: int, by_name: bool, team_size: int) -> None:
    played, text = session(typist(7, by_name=by_name), seat=seat, team_size=team_size)
    assert played.duel.outcome is not None
    assert played.duel.outcome.termination != "forfeit"
    assert "\n? " not in text
    assert text.startswith(f"You are {('Blue', 'Red')[seat]}, ")
    assert "start cell" in text


def test_typed_and_applied_actions_are_the_same() -> None:
    """The duel typed by name is the duel whose actions are applied directly."""
    noted: list[int] = []
    duel = Duel.new(5, team_size=1)
    played = Session(
        duel,
        make_agent("random", 5),
        0,
        ask=lambda prompt: typist_of_5(played, prompt),
        out=io.StringIO(),
        done=noted.append,
    )
    typist_of_5 = typist(5, by_name=True)
    played.play()
    again = Duel.new(5, team_size=1)
    for action in noted:
        again.apply(action)
    assert again.state.tobytes() == duel.state.tobytes()


def script(lines: list[str]) -> Callable[[Session, str], str]:
    """A person who types the lines, then ends the input."""
    left = iter(lines)

    def ask(played: Session, prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return ask


def test_the_end_of_the_input_gives_up() -> None:
    played, text = session(script([]))
    assert "The input has ended: you give up." in text
    assert played.duel.outcome.termination == "forfeit"
    assert played.duel.outcome.winner == 1


def test_quit_asks_first() -> None:
    played, text = session(script(["quit", "n", "quit", "y"]))
    assert "The input has ended" not in text
    assert played.duel.outcome.quitter == 0
    assert "\n? " not in text


def test_ctrl_c_asks_before_giving_up() -> None:
    answers = iter([KeyboardInterrupt(), "n", KeyboardInterrupt(), "y"])

    def ask(played: Session, prompt: str) -> str:
        answer = next(answers)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    played, _ = session(ask)
    assert played.duel.outcome.quitter == 0


def test_wishes_that_change_nothing() -> None:
    lines = ["help", "board", "", "list", "info comete", "info", "log", "nonsense", "a1", "pass"]
    played, text = session(script(lines), classes=["arcaniste", None], loadouts=[0, None])
    assert "h12                walk to the cell" in text
    assert "1 Trait arcanique" in text
    assert "Comète: 6 AP, range 3-8" in text
    assert "? name a spell" in text
    assert "? 'nonsense' says nothing I know" in text
    assert "? a1 is no free start cell" in text
    assert "? a start cell must be chosen first" in text
    assert "nothing yet" in text
    assert played.duel.tour == 0


def test_a_chosen_spell_shows_its_cells() -> None:
    """Œil lointain aims at the caster only and is cast at once; Clignement marks its cells."""

    def ask(played: Session, prompt: str) -> str:
        view = json_view(played.duel, played.duel.seat)
        if view["phase"] == "placement":
            row, column = view["actions"]["place"][0]
            return cell_name(row * WIDTH + column)
        if view["phase"] == "auction":
            return "pass"
        prompts.append(prompt)
        return next(lines)

    prompts: list[str] = []
    lines = iter(["clignement", "back", "clignement", "5 a1", "oeil lointain", "quit", "y"])
    _, text = session(ask, classes=["arcaniste", "guerrier"], loadouts=[4, 0], map="grande_plaine")
    assert prompts[0].startswith("Arcaniste 14 AP 6 MP> ")
    assert prompts[1] == "Clignement at> "
    assert prompts[2] == prompts[0]
    assert prompts[3] == prompts[4] == "Clignement at> "
    assert "? Clignement cannot be cast at a1" in text
    assert prompts[5].startswith("Arcaniste 11 AP 6 MP> ")
    assert "Œil lointain" in text
    boards = text.split("\n\n")
    assert any(board.count("*") > 10 for board in boards)


def test_command_with_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "duel.replay"
    command = [
        sys.executable, "-m", "solwaris_env.cli", "play", "--opponent", "random",
        "--seed", "3", "--map", "Caveau", "--class", "Ombre", "--opponent-class", "brute",
        "--loadout", "2,p", "--seat", "1", "--save", str(path),
    ]  # fmt: skip
    done = subprocess.run(command, input="help\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Seed 3." in done.stdout
    assert "You are Red, Ombre; random is Blue, Brute. The map is Caveau." in done.stdout
    assert "you give up" in done.stdout
    assert f"The replay is in {path}" in done.stdout
    assert "\x1b[" not in done.stdout
    assert Replay.load(path)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--class", "wizard"], "there is no class 'wizard'"),
        (["--map", "atlantis"], "there is no map 'atlantis'"),
        (["--loadout", "9"], "loadout '9': '9' is no slot"),
        (["--opponent", "nobody"], "unknown agent 'nobody'"),
        (["--seed", "-4"], "seed"),
        (["--seat", "2"], "argument --seat: invalid choice"),
        (["--save", "/nowhere/x"], "/nowhere"),
    ],
)
def test_faulty_options(
    options: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert sentence in refused(["play", "--opponent", "random", *options], capsys)


def test_loadout_bits() -> None:
    assert loadout_bits("none") == 0
    assert loadout_bits("all") == 511
    assert loadout_bits("1, 8,P") == 1 + 128 + 256
    with pytest.raises(SolwarisError, match="'' is no slot"):
        loadout_bits("1,")
