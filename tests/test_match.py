"""Matches: counts by hand, pairs on one seed, and the same result from the same seed."""

import io
import json

import numpy as np
import pytest

from solwaris_env import cli
from solwaris_env.agents import make_agent
from solwaris_env.duel.content.loader import content
from solwaris_env.errors import SolwarisError
from solwaris_env.match import Match, play_match
from solwaris_env.match_result import FINISHED, count
from solwaris_env.progress import ProgressLine, progress_words


def rows() -> np.ndarray:
    """Four finished duels: A wins as Blue, loses as Red, draws as Blue, wins as Red in 2v2."""
    table = np.zeros(4, FINISHED)
    table["camp_of_a"] = [0, 1, 0, 1]
    table["winner"] = [0, 0, -1, 1]
    table["termination"] = [1, 1, 4, 3]
    table["team_size"] = [1, 1, 1, 2]
    table["map"] = [0, 0, 2, 2]
    table["classes"] = [[0, 1, 5, 5], [0, 1, 5, 5], [2, 2, 5, 5], [3, 4, 0, 4]]
    table["tours"] = [5, 9, 40, 6]
    table["digest"] = [11, 12, 13, 11]
    return table


def test_counts_by_hand() -> None:
    table = rows()
    result = count(("a", "b"), 6, [table[:1], table[1:]], decisions=10, seconds=2.0)
    assert (result.duels, result.wins_a, result.wins_b, result.draws) == (4, 2, 1, 1)
    assert result.win_rate == 0.5
    assert result.interval == pytest.approx((0.150036, 0.849964), abs=1e-5)
    assert [(s.duels, s.wins, s.draws) for s in result.seats] == [(2, 1, 1), (2, 1, 0)]
    own = {key: (s.duels, s.wins) for key, s in result.with_class.items()}
    assert own == {"guerrier": (1, 1), "brute": (1, 0), "arcaniste": (1, 0), "horloger": (1, 1)}
    other = {key: (s.duels, s.wins) for key, s in result.against_class.items()}
    assert other == {"guerrier": (2, 1), "brute": (1, 1), "arcaniste": (1, 0), "ombre": (1, 1)}
    assert {key: s.duels for key, s in result.on_map.items()} == {"caveau": 2, "gouffre": 2}
    assert result.ends == {"knockout": 2, "forfeit": 1, "tour_limit": 1}
    assert (result.mean_tours, result.longest) == (15.0, 40)
    assert result.distinct == 4  # the digest 11 stands for two duels on different maps
    text = result.text()
    assert "a against b: 4 duels of 6 asked for, 4 distinct" in text
    assert "2 won, 1 lost, 1 drawn" in text
    assert json.loads(json.dumps(result.data()))["seats"][0]["rate"] == 0.5


def test_the_same_duel_twice_is_one_distinct() -> None:
    table = np.concatenate([rows()[:1], rows()[:1]])
    assert count(("a", "b"), 2, [table], decisions=0, seconds=0.0).distinct == 1


def test_nothing_played() -> None:
    result = count(("a", "b"), 6, [], decisions=0, seconds=0.0)
    assert result.interval == (0.0, 1.0)
    assert result.text() == "a against b: no duel was played to its end"


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


def test_a_match_plays_both_sides_of_every_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solwaris_env.match.TABLES", 3)
    result = play_match(make_agent("random"), make_agent("random"), 11, seed=4)
    assert result.duels == 11
    assert (result.seats[0].duels, result.seats[1].duels) == (6, 5)
    assert result.wins_a + result.wins_b + result.draws == 11
    assert result.distinct == 11
    sides = Match(make_agent("random"), make_agent("random"), 12, seed=4)
    sides.play()
    drawn = [
        sorted((row["map"], *row["classes"]) for row in np.concatenate(side.finished))
        for side in sides._sides
    ]
    assert drawn[0] == drawn[1]


def test_the_same_seed_gives_the_same_result() -> None:
    def once(seed: int) -> dict:
        result = play_match(make_agent("random"), make_agent("random"), 8, seed=seed)
        return result.data() | {"seconds": 0}

    assert once(1) == once(1)
    assert once(1) != once(2)


def test_options_reach_the_duels() -> None:
    result = play_match(
        make_agent("random"), make_agent("random"), 6, map="canal", classes=["ombre", "brute"]
    )
    assert set(result.on_map) == {"canal"}
    assert set(result.with_class) == set(result.against_class) == {"ombre", "brute"}
    assert result.with_class["ombre"].duels == 3


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


def test_a_match_needs_a_duel() -> None:
    with pytest.raises(SolwarisError, match="a match needs at least 1 duel, got 0"):
        play_match(make_agent("random"), make_agent("random"), 0)


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
        if done >= 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(ProgressLine, "update", interrupt)
    assert cli.main(["duel", "random", "random", "--duels", "40"]) == 130
    assert "of 40 asked for" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--duels", "0"], "a match needs at least 1 duel"),
        (["--seed", "-1"], "seed: -1 is not between 0 and"),
        (["--map", "atlantis"], "atlantis"),
        (["--classes", "ombre,wizard"], "wizard"),
        (["--classes", "ombre"], "classes"),
    ],
)
def test_faulty_options(options: list[str], sentence: str, capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["duel", "random", "random", *options]) == 2
    err = capsys.readouterr().err
    assert err.startswith("solwaris: ") and err.count("\n") == 1
    assert sentence in err
