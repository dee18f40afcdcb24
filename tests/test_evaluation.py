"""Evaluation: counts by hand, seats truly swapped, known strengths that come back."""

import json
from dataclasses import astuple
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from solwaris_env.agents import Agent, make_agent
from solwaris_env.duel.codec import FORFEIT, PASS, RAISE
from solwaris_env.duel.content.loader import content
from solwaris_env.duel.content.schema import CELLS, SLOTS
from solwaris_env.duel.engine.state import Phase
from solwaris_env.duel.game import Duel
from solwaris_env.evaluation.pairing import plan
from solwaris_env.evaluation.play import FINISHED, Tables
from solwaris_env.evaluation.rating import expected
from solwaris_env.evaluation.report import balance, bid_lines, pair_points, pooled, report, turned
from solwaris_env.evaluation.series import Series, labels
from solwaris_env.evaluation.tables import count, sheet_names

ROOT = Path(__file__).resolve().parent.parent


class Scripted(Agent):
    """Plays the legal action of a given rank, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, rank: int = 0) -> None:
        self.rank = rank
        self.asked: list[tuple[np.ndarray, np.ndarray]] = []

    def act(self, view) -> int:
        legal = np.flatnonzero(view.action_mask[:FORFEIT])
        return int(legal[self.rank % len(legal)])

    def act_batch(self, views) -> np.ndarray:
        self.asked.append((views.seat.copy(), views.known.copy()))
        return super().act_batch(views)


class Bidder(Scripted):
    """Raises whenever it may, or never."""

    def __init__(self, raises: bool) -> None:
        super().__init__()
        self.raises = raises

    def act(self, view) -> int:
        if view.known.phase != Phase.AUCTION:
            return super().act(view)
        return RAISE if self.raises and view.action_mask[RAISE] else PASS


def rows() -> np.ndarray:
    """Two pairings: A wins as Blue, loses as Red; draws as Blue, wins as Red in 2v2."""
    table = np.zeros(4, FINISHED)
    table["pair"] = [0, 0, 1, 1]
    table["camp_of_a"] = [0, 1, 0, 1]
    table["winner"] = [0, 0, -1, 1]
    table["first_camp"] = [0, 0, 1, -1]
    table["termination"] = [1, 1, 4, 3]
    table["team_size"] = [1, 1, 1, 2]
    table["map"] = [0, 0, 2, 2]
    table["classes"] = [[0, 1, 5, 5], [0, 1, 5, 5], [2, 2, 5, 5], [3, 4, 0, 4]]
    table["loadouts"] = [[0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    table["tours"] = [5, 9, 40, 6]
    table["decisions"] = [10, 20, 30, 40]
    table["casts"][0, 0, 0] = 3
    table["casts"][1, 0, 0] = 4
    table["casts"][1, 1, 17] = 2
    table["asked"] = [[2, 1], [0, 1], [3, 3], [1, 0]]
    table["raises"] = [[1, 0], [0, 0], [2, 3], [1, 0]]
    table["buyer"] = [0, -1, 1, 0]
    table["price"] = [10, 0, 50, 30]
    table["digest"] = [11, 12, 13, 11]
    return table


def simulated(elo: list[float], pairs: int, rng: np.random.Generator) -> SimpleNamespace:
    """A played series of agents of known strength, class and map deciding a part of it."""
    job = SimpleNamespace(seed=1, meetings=[(a, b) for b in range(len(elo)) for a in range(b)])
    played = []
    for number, (a, b) in enumerate(job.meetings):
        setups = plan(pairs, [9, number])
        table = np.zeros(2 * pairs, FINISHED)
        table["pair"] = np.arange(2 * pairs) // 2
        table["camp_of_a"] = np.arange(2 * pairs) % 2
        table["team_size"] = 1
        table["map"] = np.repeat(setups["map"], 2)
        table["classes"] = np.repeat(setups["cls"], 2, axis=0)
        wins = rng.random(2 * pairs) < expected(elo[a] - elo[b])
        table["winner"] = np.where(wins, table["camp_of_a"], 1 - table["camp_of_a"])
        table["digest"] = rng.integers(1 << 63, size=2 * pairs)
        played.append(table)
    return SimpleNamespace(
        job=job,
        names=[f"agent {k}" for k in range(len(elo))],
        duels=2 * pairs * len(job.meetings),
        rows=played.__getitem__,
    )


def test_counts_by_hand() -> None:
    result = count(("a", "b"), 6, rows())
    assert (result.asked, result.duels, result.pairs) == (6, 4, 2)
    assert (result.wins_a, result.wins_b, result.draws) == (2, 1, 1)
    assert (result.win_rate, result.score.points) == (0.5, 0.625)
    assert result.interval == pytest.approx((0.150036, 0.849964), abs=1e-5)
    assert [(s.duels, s.wins, s.draws) for s in result.seats] == [(2, 1, 1), (2, 1, 0)]
    assert [(s.duels, s.wins) for s in (result.first, result.second)] == [(1, 1), (2, 0)]
    assert (result.camp_0.wins, result.opener.wins, result.opener.duels) == (2, 2, 3)
    own = {key: (s.duels, s.wins) for key, s in result.with_class.items()}
    assert own == {"guerrier": (1, 1), "brute": (1, 0), "arcaniste": (1, 0), "horloger": (1, 1)}
    other = {key: (s.duels, s.wins) for key, s in result.against_class.items()}
    assert other == {"guerrier": (2, 1), "brute": (1, 1), "arcaniste": (1, 0), "ombre": (1, 1)}
    assert {own: {key: s.wins for key, s in row.items()} for own, row in result.versus.items()} == {
        "guerrier": {"brute": 1},
        "brute": {"guerrier": 0},
        "arcaniste": {"arcaniste": 0},
        "horloger": {"guerrier": 1, "ombre": 1},
    }
    assert {key: s.duels for key, s in result.on_map.items()} == {"caveau": 2, "gouffre": 2}
    assert result.ends == {"knockout": 2, "forfeit": 1, "tour_limit": 1}
    assert (result.mean_tours, result.median_tours, result.longest) == (15.0, 7.5, 40)
    assert (result.distinct, result.decisions) == (3, 100)
    text = result.text()
    assert "a against b: 4 duels of 6 asked for, 3 distinct" in text
    assert "2 won, 1 lost, 1 drawn" in text
    assert json.loads(json.dumps(result.data()))["seats"][0]["rate"] == 0.5


def test_spells_by_hand() -> None:
    """Spell 0 is the Guerrier's first: A plays one in duel 0, B in duel 1 and in duel 3 (2v2).

    Spell 17 is the variant of the Brute's first slot, which seat 1 carries in duels 0 and 1.
    """
    spells = count(("a", "b"), 4, rows()).spells
    first, brute = (content().spells[number].id for number in (0, 17))
    assert (content().spells[17].slot, content().spells[17].variant) == (0, True)
    told = {hand: (u.carried, u.casts, u.wins) for hand, u in spells[first].items()}
    assert told == {"a": (1, 3, 1), "b": (2, 4, 1)}
    told = {hand: (u.carried, u.casts, u.wins) for hand, u in spells[brute].items()}
    assert told == {"a": (1, 2, 0), "b": (1, 0, 0)}
    assert len(spells) == 98


def test_bids_by_hand() -> None:
    """A sits in camp 0, 1, 0, 1 of the four duels; the first two are on Caveau."""
    auction = count(("a", "b"), 4, rows()).auction
    told = {key: {hand: astuple(bids) for hand, bids in both.items()}
            for key, both in auction.on_map.items()}  # fmt: skip
    assert told == {
        "caveau": {"a": (2, 1, 1, 10.0), "b": (1, 0, 0, 0.0)},
        "gouffre": {"a": (1, 1, 0, 0.0), "b": (2, 2, 2, 40.0)},
    }
    told = {key: {hand: astuple(bids) for hand, bids in both.items()}
            for key, both in auction.with_class.items()}  # fmt: skip
    assert told == {
        "guerrier": {"a": (1, 1, 1, 10.0), "b": (1, 1, 1, 30.0)},
        "brute": {"a": (1, 0, 0, 0.0), "b": (1, 0, 0, 0.0)},
        "arcaniste": {"a": (1, 1, 0, 0.0), "b": (1, 1, 1, 50.0)},
        "ombre": {"a": (0, 0, 0, 0.0), "b": (1, 1, 1, 30.0)},
        "horloger": {"a": (0, 0, 0, 0.0), "b": (0, 0, 0, 0.0)},
    }
    lines = bid_lines([("bob", auction, "b")], sheet_names())
    assert [line.split() for line in lines[1:3]] == [
        ["Guerrier", "Brute", "Arcaniste", "Ombre", "Horloger"],
        ["bob", "100.0", "0.0", "100.0", "100.0", "-"],
    ]


def test_bids_are_counted_as_they_were_made() -> None:
    """A always raises, B never: A buys for one step where it is asked first, else opens free."""
    setups = plan(8, 3)
    setups["purse"] = 500
    played = Tables(8).play((Bidder(True), Bidder(False)), setups)
    n, camp = np.arange(16), played["camp_of_a"]
    asked = played["asked"][n, camp]
    assert 0 < asked.sum() < 16 and (asked <= 1).all()
    assert (played["raises"][n, camp] == asked).all()
    assert (played["asked"][n, 1 - camp] == 1).all()
    assert (played["raises"][n, 1 - camp] == 0).all()
    assert (played["first_camp"] == camp).all()
    assert (played["buyer"] == np.where(asked, camp, -1)).all()
    assert (played["price"] == 100 * asked).all()


def test_nothing_played() -> None:
    result = count(("a", "b"), 6, np.zeros(0, FINISHED))
    assert result.interval == (0.0, 1.0)
    assert result.text() == "a against b: no duel was played to its end"


def test_the_other_side_and_pools() -> None:
    other = count(("b", "a"), 4, turned(rows()))
    assert (other.wins_a, other.wins_b, other.draws) == (1, 2, 1)
    assert pair_points(rows()).tolist() == [1.0, 1.5]
    both = pooled([rows(), rows()[2:]])
    assert both["pair"].tolist() == [0, 0, 1, 1, 3, 3]


def test_balance_leaves_out_a_class_against_itself() -> None:
    found = balance(rows()[:3])
    assert {own: {key: (s.duels, s.wins) for key, s in row.items()}
            for own, row in found.versus.items()} == {
        "guerrier": {"brute": (2, 2)}, "brute": {"guerrier": (2, 0)},
    }  # fmt: skip
    assert list(found.with_class) == ["guerrier", "brute"]


def test_each_pairing_is_played_from_both_seats() -> None:
    """Whatever the agents, the two duels of a pairing begin alike with the seats swapped."""
    agents = Scripted(3), Scripted(-1)
    setups = plan(6, 4)
    played = Tables(6).play(agents, setups)
    assert played["pair"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert played["camp_of_a"].tolist() == [0, 1] * 6
    for name in ("map", "classes", "loadouts", "team_size"):
        assert (played[name][::2] == played[name][1::2]).all(), name
    assert (played["map"][::2] == setups["map"]).all()
    assert (played["classes"][::2, :2] == setups["cls"][:, :2]).all()
    # seat 0 places first: in the first round each agent sits there in half of the duels
    for agent in agents:
        seats, known = agent.asked[0]
        assert seats.tolist() == [0] * 6
        assert known["map"].tolist() == setups["map"].tolist()
    first, second = (agent.asked[0][1]["hero"] for agent in agents)
    for name in ("cls", "loadout", "purse"):
        assert (first[name] == second[name]).all(), name


def test_a_row_tells_of_the_duel_that_was_played() -> None:
    """The duel of the engine's own face from the same set-up, move for move."""
    setups = plan(2, 8)
    ranks = (5, 2)
    played = Tables(2).play((Scripted(ranks[0]), Scripted(ranks[1])), setups)
    for row in played:
        setup = setups[row["pair"]]
        duel = Duel.new(int(setup["seed"]), map=int(setup["map"]), team_size=1,
                        classes=[int(c) for c in setup["cls"][:2]])  # fmt: skip
        moves, casts = 0, np.zeros_like(row["casts"])
        while duel.outcome is None:
            seat = duel.seat
            agent = Scripted(ranks[(seat + row["camp_of_a"]) % 2])
            action = agent.act(duel.view(seat))
            if action < SLOTS * CELLS and duel.state.actor < 2:
                casts[seat, duel.state.hero[seat].spell[action // CELLS]] += 1
            duel.apply(action)
            moves += 1
        outcome = duel.outcome
        assert row["winner"] == (-1 if outcome.winner is None else outcome.winner)
        assert (row["decisions"], row["first_camp"]) == (moves, duel.state.first_camp)
        assert (row["casts"][:, :96] == casts[:, :96]).all()


def test_the_same_duel_is_counted_once() -> None:
    """Agents without dice play the same pairing the same way; other dice make another duel."""
    agents = Scripted(3), Scripted(7)
    setups = plan(4, 4)
    twice = Tables(8).play(agents, np.concatenate([setups, setups]))
    assert count(("a", "b"), 16, twice).distinct == 8
    again = Tables(4).play(agents, setups)
    assert (again["digest"] == twice["digest"][:8]).all()


def test_summons_casts_are_counted() -> None:
    """An elemental's spell is nobody's own, and greedy Arcanistes do summon."""
    setups = plan(24, 1, classes=["arcaniste", "arcaniste"])
    setups["loadout"] = 0
    played = Tables(24).play((make_agent("greedy", 1), make_agent("greedy", 2)), setups)
    spells = count(("a", "b"), 48, played).spells
    assert spells["flammeche"]["a"].casts > 0
    assert spells["flammeche"]["a"].carried == 0


def test_an_agent_decides_for_all_its_waiting_duels_at_once() -> None:
    agents = Scripted(3), Scripted(7)
    played = Tables(16).play(agents, plan(16, 2))
    calls = [len(agent.asked) for agent in agents]
    assert [len(agent.asked[0][0]) for agent in agents] == [16, 16]
    assert max(calls) <= played["decisions"].max()
    assert sum(len(seats) for agent in agents for seats, _ in agent.asked) == (
        played["decisions"].sum()
    )


def test_known_strengths_come_back_from_a_report() -> None:
    """Four simulated agents, 60 times: rates and ratings hold the truth in 95 % of cases.

    The standard deviation of a share of 180 is 0.016; from 0.89 up is allowed.
    """
    elo = [0.0, 60.0, 200.0, -150.0]
    rng = np.random.default_rng(3)
    rated = won = 0
    for _ in range(60):
        found = report(simulated(elo, 60, rng), ["-"] * 4, {}, version="0")
        rated += sum(r.low <= e <= r.high for r, e in zip(found.ratings[1:], elo[1:], strict=True))
        for (a, b), meeting in zip(((0, 1), (0, 2), (1, 2)), found.meetings, strict=False):
            low, high = meeting.interval
            won += low <= expected(elo[a] - elo[b]) <= high
    assert min(rated, won) / 180 >= 0.89
    assert rated + won < 360, "intervals that always hold are too wide"


def test_a_report_of_several_agents() -> None:
    found = report(
        simulated([0, 100, 200], 36, np.random.default_rng(1)),
        ["x", "y", "z"],
        {"duels": 72, "seed": 1, "team_size": 1},
        version="0",
    )
    data = json.loads(found.json())
    assert [agent["name"] for agent in data["agents"]] == found.names
    assert [meeting["duels"] for meeting in data["meetings"]] == [72, 72, 72]
    assert [result["duels"] for result in data["overall"]] == [144, 144, 144]
    total = sum(result["score"]["wins"] for result in data["overall"])
    assert total == 216 and data["complete"]
    duels = sum(s["duels"] for row in data["balance"]["versus"].values() for s in row.values())
    assert duels == 2 * 216 * 30 / 36  # each from both sides, but a class against itself
    crossed = found.crossed()
    assert crossed["agent 0"]["agent 1"].points + crossed["agent 1"]["agent 0"].points == 1
    text = found.text()
    for words in ("3 agents, 216 duels of 72 for each two", "anchor", "points of agents on maps"):
        assert words in text


def test_labels() -> None:
    assert labels(["a/x.onnx", "greedy", Scripted()]) == ["x.onnx", "greedy", "scripted"]
    assert labels(["a/x.onnx", "b/x.onnx"]) == ["a/x.onnx", "b/x.onnx"]


def test_an_interrupted_series_goes_on_where_it_was() -> None:
    def stop(played: int) -> None:
        if played >= 20:
            raise KeyboardInterrupt

    straight = Series(["random", "random"], 48, seed=3)
    straight.play()
    halting = Series(["random", "random"], 48, seed=3)
    with pytest.raises(KeyboardInterrupt):
        halting.play(stop)
    assert 0 < len(halting.rows(0)) < 48
    assert len(halting.rows(0)) % (2 * halting.job.size) == 0
    halting.play()
    assert halting.played == 48
    assert halting.rows(0).tobytes() == straight.rows(0).tobytes()


def test_meetings_of_a_series_cut_short_are_played_evenly() -> None:
    chunks = Series(["random", "greedy", Scripted()], 64).job.chunks()
    assert [chunk.meeting for chunk in chunks[:4]] == [0, 1, 2, 0]
