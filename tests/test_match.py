"""Matches: the same result from the same seed, options, the command, interruptions."""

import io
import json

import pytest
from commands import refused

from solwaris_env import cli
from solwaris_env.agents import make_agent
from solwaris_env.duel.content.loader import content
from solwaris_env.errors import SolwarisError
from solwaris_env.match import play_match
from solwaris_env.progress import ProgressLine, progress_words


def test_progress_words() -> None:
    assert progress_words(0, 8, "duels", 0.0) == "  ------------------------  0/8 duels"
    assert progress_words(100, 400, "duels", 5.0) == (
        "  ######------------------  100/400 duels, 20 a second, 0:15 left"
    )


def test_progress_line_draws_on_a_terminal_only() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, shown in ((io.StringIO(), False), (Terminal(), True)):
        with ProgressLine(3, "duels", stream) as line:
            line.update(3)
        assert ("3/3 duels" in stream.getvalue()) is shown


def test_the_same_seed_gives_the_same_result() -> None:
    def once(seed: int) -> dict:
        result = play_match(make_agent("random"), make_agent("random"), 8, seed=seed)
        return result.data()

    assert once(1) == once(1)
    assert once(1) != once(2)


def test_options_reach_the_duels() -> None:
    result = play_match(
        make_agent("random"), make_agent("random"), 6, map="canal", classes=["ombre", "brute"]
    )
    assert set(result.on_map) == {"canal"}
    assert set(result.with_class) == set(result.against_class) == {"ombre", "brute"}
    assert result.with_class["ombre"].duels == 3
    assert list(result.versus) == ["brute", "ombre"]


def test_two_a_side() -> None:
    result = play_match(make_agent("random"), make_agent("random"), 4, team_size=2)
    assert result.duels == 4
    assert sum(score.duels for score in result.with_class.values()) >= 4


@pytest.mark.slow
def test_greedy_beats_random() -> None:
    result = play_match(make_agent("greedy"), make_agent("random"), 100)
    assert result.interval[0] > 0.75
    assert result.distinct == 100
    assert set(result.on_map) == {sheet.id for sheet in content().maps}


@pytest.mark.parametrize("duels", [0, -2, 7, True, 2.0])
def test_a_match_needs_pairs_of_duels(duels: object) -> None:
    with pytest.raises(SolwarisError, match=f"must be even and above 0.*; got {duels}"):
        play_match(make_agent("random"), make_agent("random"), duels)


def test_command(capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["duel", "random", "random", "--duels", "4"]) == 0
    out, err = capsys.readouterr()
    assert "random against random: 4 duels, 4 distinct" in out
    assert err == ""
    assert cli.main(["duel", "random", "random", "--duels", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["duels"] == 4


def test_an_interrupted_match_prints_what_was_played(
    capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: ProgressLine, done: int) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    monkeypatch.setattr(ProgressLine, "update", interrupt)
    assert cli.main(["duel", "random", "random", "--duels", "40"]) == 130
    out, err = capsys.readouterr()
    assert "of 40 asked for" in out
    assert err.startswith("solwaris: interrupted; ")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--duels", "0"], "the number of duels must be even and above 0"),
        (["--workers", "0"], "--workers must be at least 1, got 0"),
        (["--seed", "-1"], "seed: -1 is not between 0 and"),
        (["--map", "atlantis"], "atlantis"),
        (["--classes", "ombre,wizard"], "wizard"),
        (["--classes", "ombre"], "classes"),
    ],
)
def test_faulty_options(options: list[str], sentence: str, capsys: pytest.CaptureFixture) -> None:
    assert sentence in refused(["duel", "random", "random", *options], capsys)
