"""The clocks of the rules, and who leaves: with a source of time that the test moves."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import FakeTime, Served, actions_of, serving

from solwaris_env.client import Duel, Seat, ServerError
from solwaris_env.server.recovery import restored
from solwaris_env.server.store import Store


@pytest.fixture
def timed() -> Iterator[Served]:
    """A server whose time stands still."""
    with serving(FakeTime(), away_limit=86400) as running:
        yield running


def until(condition: Any, seconds: float = 5) -> None:
    """Wait for something that the server does on its next look at its clock."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def run_out(timed: Served, seat: Seat) -> dict:
    """Let the running clock run out to its last moment, then over; the state after it."""
    state = seat.state()
    timed.clock.value += state["clock"]["left"] - 0.01
    time.sleep(0.25)
    assert seat.state()["seq"] == state["seq"], "it ran out too early"
    timed.clock.value += 0.02
    until(lambda: seat.state()["seq"] == state["seq"] + 1)
    return seat.state()


def both_place(duel: Duel) -> None:
    for number in (0, 1):
        seat = duel.seat(number)
        seat.act({"type": "place", "cell": seat.state()["legal"]["place"][0]})


@pytest.mark.rule("P2", "A2", "A7", "T3", "T11")
def test_every_clock_ends_in_time_is_up(timed: Served) -> None:
    with timed.client() as client:
        duel = client.create([{"class": "brute"}, {"class": "brute"}], stakes=0, seed=1)
        seat = duel.seat(0)
        limits = []
        state = seat.state()
        while state["view"]["turn"] < 3:
            limits.append((state["clock"]["kind"], state["clock"]["limit"]))
            assert state["clock"]["seat"] == state["view"]["to_act"]
            state = run_out(timed, seat)
        assert limits == [
            ("placement", 25.0), ("placement", 25.0), ("auction", 5.0), ("turn", 40.0),
            ("turn", 40.0),
        ]  # fmt: skip
        own = [step for step in seat.events() if step["seat"] == 0]
        assert own and all(step["action"] == {"type": "time_up"} for step in own)


def test_a_turn_has_one_clock_for_all_its_actions(timed: Served) -> None:
    with timed.client() as client:
        duel = client.create([{"class": "brute"}, {"class": "brute"}], map="caveau", seed=2)
        both_place(duel)
        state = duel.seat(0).state()
        duel.seat(state["view"]["to_act"]).act({"type": "pass"})
        seat = duel.seat(duel.seat(0).state()["view"]["to_act"])
        timed.clock.value += 30
        done = seat.act({"type": "go", "cell": seat.state()["legal"]["go"][0]})
        assert done["state"]["clock"]["left"] == pytest.approx(10, abs=0.1)
        timed.clock.value += 11
        until(lambda: seat.state()["view"]["turn"] == 2)


@pytest.mark.rule("A2")
def test_each_bid_starts_the_auction_s_clock_anew(timed: Served) -> None:
    with timed.client() as client:
        duel = client.create([{"purse": 500}, {"purse": 500}], seed=3)
        both_place(duel)
        timed.clock.value += 4
        seat = duel.seat(duel.seat(0).state()["view"]["to_act"])
        done = seat.act({"type": "raise"})
        assert done["state"]["clock"] == {
            "kind": "auction", "seat": 1 - seat.state()["seat"], "limit": 5.0, "left": 5.0,
        }  # fmt: skip


@pytest.mark.rule("T6")
def test_a_summon_has_ten_seconds(timed: Served) -> None:
    with timed.client() as client:
        seats = [{"class": "horloger", "loadout": [False] * 9}] * 2
        duel = client.create(seats, map="grande_plaine", seed=4)
        both_place(duel)
        while True:
            state = duel.seat(0).state()
            seat = duel.seat(state["view"]["to_act"])
            legal = seat.state()["legal"]
            spells = seat.state()["view"]["heroes"][seat.state()["seat"]]["spells"]
            slot = spells.index("automate")
            if state["view"]["phase"] == "fight" and legal["cast"][slot]:
                seat.act({"type": "cast", "slot": slot, "cell": legal["cast"][slot][0]})
                break
            seat.act({"type": "pass"})
        state = seat.act({"type": "pass"})["state"]
        assert state["view"]["actor"] >= 4
        assert (state["clock"]["kind"], state["clock"]["limit"]) == ("summon", 10.0)
        assert run_out(timed, seat)["view"]["actor"] < 4


def test_without_clocks_nothing_runs_out(timed: Served) -> None:
    with timed.client() as client:
        seat = client.create([{}, {}], clocks=False).seat(0)
        timed.clock.value += 80_000
        time.sleep(0.3)
        assert seat.state()["seq"] == 0 and seat.state()["clock"] is None


@pytest.mark.rule("Q1")
def test_who_stays_away_has_given_up_and_who_returns_has_not() -> None:
    with serving(FakeTime(), away_limit=120) as timed, timed.client() as client:
        duel = client.create([{}, {}], clocks=False)
        stays, leaves = duel.seat(0), duel.seat(1)
        timed.clock.value += 60
        state = stays.state()
        assert [seat["present"] for seat in state["seats"]] == [True, False]
        assert state["away"] == [{"seat": 1, "left": 60.0}]
        timed.clock.value += 50
        leaves.state()
        assert stays.state()["away"] is None  # back in time
        for _ in range(4):
            timed.clock.value += 29
            stays.state()
            time.sleep(0.15)
        assert not stays.state()["seats"][1]["resigned"]
        timed.clock.value += 5
        until(lambda: stays.state()["seats"][1]["resigned"])
        stays.act(actions_of(stays.state()["legal"])[0])
        until(lambda: stays.state()["over"])
        outcome = stays.state()["outcome"]
        assert outcome["quitter"] == 1 and outcome["rewards"] == [1.0, -1.0]


def test_an_open_socket_is_presence() -> None:
    with serving(FakeTime(), away_limit=120) as timed, timed.client() as client:
        duel = client.create([{}, {}], clocks=False)
        with duel.seat(1).follow() as socket:
            messages = iter(socket)
            assert next(messages)["type"] == "state"
            timed.clock.value += 119
            assert duel.seat(0).state()["seats"][1]["present"]
            time.sleep(0.3)
            timed.clock.value += 600
            assert duel.seat(0).state()["seats"][1]["present"]


def test_clocks_stand_still_while_the_log_is_read(tmp_path, monkeypatch) -> None:
    clock = FakeTime()
    with serving(clock, database=tmp_path / "log.sqlite") as served, served.client() as client:
        duels = [client.create([{}, {}]) for _ in range(3)]
        clock.value += 5

    def slowly(*given: Any) -> Any:
        clock.value += 60  # longer than any clock runs
        return restored(*given)

    monkeypatch.setattr("solwaris_env.server.host.restored", slowly)
    with serving(clock, database=tmp_path / "log.sqlite") as served, served.client() as client:
        for duel in duels:
            state = client.join(duel.name, duel.secrets[0]).state()
            assert state["seq"] == 0 and state["clock"]["left"] == pytest.approx(20, abs=1.01)


@pytest.mark.parametrize("down", [0.0, 5000.0])
def test_clocks_stand_still_while_the_server_is_down(tmp_path, down: float) -> None:
    clock = FakeTime()
    database = tmp_path / "duels.sqlite"
    with serving(clock, database=database, away_limit=86400) as timed, timed.client() as client:
        duel = client.create([{}, {}])
        fresh = client.create([{}, {}])
        seat = duel.seat(0)
        seat.act({"type": "place", "cell": seat.state()["legal"]["place"][0]})
        clock.value += 7
        left = seat.state()["clock"]["left"]
        assert left == pytest.approx(18)
    clock.value += down
    with serving(clock, database=database, away_limit=86400) as timed, timed.client() as client:
        again = client.join(duel.name, duel.secrets[0]).state()
        assert again["seq"] == 1
        assert again["clock"]["left"] == pytest.approx(left, abs=1.01)
        first = client.join(fresh.name, fresh.secrets[1]).state()
        assert first["clock"]["left"] == pytest.approx(18, abs=1.01)


@pytest.mark.parametrize("jump", [-5000.0, -3.0, 5000.0])
def test_a_clock_that_is_set_anew_changes_no_duel_s(tmp_path, jump: float) -> None:
    clock = FakeTime()
    settings = {"database": tmp_path / "duels.sqlite", "away_limit": 86400}
    with serving(clock, **settings) as timed, timed.client() as client:
        duel = client.create([{}, {}])
        fresh = client.create([{}, {}])
        seat = duel.seat(0)
        seat.act({"type": "place", "cell": seat.state()["legal"]["place"][0]})
        clock.value += 7
    left = 18.0
    for _ in range(3):  # set anew each time that the server is down
        clock.value += jump
        with serving(clock, **settings) as timed, timed.client() as client:
            for name, secret in ((duel.name, duel.secrets[0]), (fresh.name, fresh.secrets[0])):
                again = client.join(name, secret).state()
                assert again["clock"]["left"] == pytest.approx(left, abs=0.01)
            clock.value += 4
            left -= 4
    with serving(clock, **settings) as timed, timed.client() as client:
        seat = client.join(duel.name, duel.secrets[0])
        state = run_out(timed, seat)
        assert state["clock"]["left"] == pytest.approx(5, abs=0.02)  # the auction's, whole
        assert client.join(fresh.name, fresh.secrets[0]).state()["seq"] == 1


def test_a_log_whose_deadline_lies_too_far_ahead_leaves_one_whole_clock(tmp_path) -> None:
    clock, database = FakeTime(), tmp_path / "duels.sqlite"
    with serving(clock, database=database, away_limit=86400) as timed, timed.client() as client:
        duel = client.create([{}, {}])
        seat = duel.seat(0)
        seat.act({"type": "place", "cell": seat.state()["legal"]["place"][0]})
    with sqlite3.connect(database) as file:
        file.execute("UPDATE actions SET deadline = deadline + 5000")
    file.close()
    with serving(clock, database=database, away_limit=86400) as timed, timed.client() as client:
        seat = client.join(duel.name, duel.secrets[0])
        assert seat.state()["clock"]["left"] == 25
        assert run_out(timed, seat)["seq"] == 2


def test_pauses_that_end_at_one_moment_add_up(tmp_path) -> None:
    store = Store(tmp_path / "log.sqlite")
    store.begin_again(1000.0)
    store.begin_again(1500.0)
    store.begin_again(1500.0)  # its clock was set back to before it
    assert store.paused_since(1000.0) == 500
    store.close()


def test_a_duel_that_waits_begins_when_all_have_come() -> None:
    with serving(FakeTime(), away_limit=120) as timed, timed.client() as client:
        duel = client.create([{}, {"player": "greedy"}, {}, {}], wait=True)
        host, guest, late = (duel.seat(number) for number in (0, 2, 3))
        assert duel.spectator().state()["waiting"] == [0, 2, 3]
        state = host.state()
        assert state["waiting"] == [2, 3] and state["clock"] is None and state["away"] is None
        host.act({"type": "place", "cell": state["legal"]["place"][0]})  # one need not wait
        timed.clock.value += 1000
        time.sleep(0.3)
        assert not any(seat["resigned"] for seat in guest.state()["seats"])
        with host.follow() as socket:
            messages = (message for message in socket if message["type"] == "state")
            assert next(messages)["state"]["waiting"] == [3]
            late.state()
            told = next(messages)["state"]
        assert told["waiting"] == [] and all(seat["present"] for seat in told["seats"])
        assert told["clock"]["left"] == pytest.approx(25, abs=0.1)


def test_a_duel_waits_an_hour_and_no_longer() -> None:
    with serving(FakeTime(), away_limit=120) as timed, timed.client() as client:
        duel = client.create([{}, {}], wait=True)
        host = duel.seat(0)
        place = host.state()["legal"]["place"][0]
        host.act({"type": "place", "cell": place})
        with host.follow():
            timed.clock.value += 3599
            time.sleep(0.3)
            assert host.state()["waiting"] == [1]
            timed.clock.value += 2
            until(lambda: host.state()["seats"][1]["resigned"])
            assert host.state()["waiting"] == []


def test_a_restarted_server_waits_for_who_has_not_come(tmp_path: Path) -> None:
    clock, log = FakeTime(), str(tmp_path / "duels.sqlite")
    with serving(clock, database=log) as timed, timed.client() as client:
        duel = client.create([{}, {}], wait=True)
        place = duel.seat(0).state()["legal"]["place"][0]
        duel.seat(0).act({"type": "place", "cell": place})
        other = client.create([{}, {}], wait=True)
        both_place(other)
    with serving(clock, database=log) as timed, timed.client() as client:
        again = [client.join(duel.name, secret) for secret in duel.secrets]
        assert again[0].state()["waiting"] == [1] and again[0].state()["clock"] is None
        again[1].state()
        until(lambda: again[0].state()["clock"] is not None)
        assert client.join(other.name, other.secrets[0]).state()["waiting"] == []


def test_a_restart_keeps_the_clock_of_a_duel_whose_people_had_come(tmp_path: Path) -> None:
    clock, log = FakeTime(), str(tmp_path / "duels.sqlite")
    with serving(clock, database=log) as timed, timed.client() as client:
        duel = client.create([{}, {}], wait=True)
        for number in (0, 1):
            duel.seat(number).state()
        until(lambda: duel.seat(0).state()["clock"] is not None)
        clock.value += 4
        assert duel.seat(0).state()["clock"]["left"] == pytest.approx(21, abs=0.1)
        timeless = client.create([{}, {}], wait=True, clocks=False)
        for number in (0, 1):
            timeless.seat(number).state()
        until(lambda: timeless.seat(0).state()["waiting"] == [])
    clock.value += 600
    with serving(clock, database=log) as timed, timed.client() as client:
        state = client.join(duel.name, duel.secrets[0]).state()
        assert state["waiting"] == [] and state["clock"]["left"] == pytest.approx(21, abs=3)
        assert client.join(timeless.name, timeless.secrets[0]).state()["waiting"] == []


def test_a_restart_after_the_hours_wait_keeps_the_clock_that_began_then(tmp_path: Path) -> None:
    clock, log = FakeTime(), str(tmp_path / "duels.sqlite")
    with serving(clock, database=log) as timed, timed.client() as client:
        duel = client.create([{}, {}], wait=True)
        clock.value += 3595
        for number in (0, 1):
            duel.seat(number).state()
        until(lambda: duel.seat(0).state()["clock"] is not None)
        clock.value += 2
    clock.value += 60  # past the hour
    with serving(clock, database=log) as timed, timed.client() as client:
        state = client.join(duel.name, duel.secrets[0]).state()
        assert state["seq"] == 0
        assert state["clock"]["left"] == pytest.approx(23, abs=3)


def test_an_action_after_its_time_is_refused_before_the_next_tick(
    timed: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_tick() -> None:
        """Time passes unseen."""

    with timed.client() as client:
        duel = client.create([{}, {}])
        seat = duel.seat(0)
        state = seat.state()
        place = state["legal"]["place"][0]
        monkeypatch.setattr(timed.host.timekeeper, "tick", no_tick)
        timed.clock.value += state["clock"]["left"] + 0.05
        with pytest.raises(ServerError, match="the time was up") as refused:
            seat.act({"type": "place", "cell": place})
        assert refused.value.code == "stale"
        assert seat.state()["seq"] == 1  # the rules' own transition has happened
