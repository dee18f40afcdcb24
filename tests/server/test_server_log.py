"""It keeps its word: what was acknowledged survives kill -9 at any moment."""

import json
import sqlite3
import threading
import time
from pathlib import Path

import httpx
import numpy as np
import pytest
from serving import FakeTime, Process, eager, free_port, serving, spawn

from solwaris_env.client import Client, Duel, ServerError
from solwaris_env.duel.replay import Replay
from solwaris_env.errors import SolwarisError
from solwaris_env.server.store import FORMAT, StoreError

PLAYERS = 6


class Player(threading.Thread):
    """Plays duel after duel by HTTP and remembers every acknowledged action."""

    def __init__(self, address: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.address, self.rng = address, np.random.default_rng(seed)
        self.duels: list[tuple[str, str]] = []
        self.acknowledged: dict[str, list[tuple[int, dict]]] = {}
        self.stopped = False
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            with Client(self.address, timeout=5) as client:
                while not self.stopped:
                    if not self.duels:
                        self.begin(client)
                    self.play(client)
        except (SolwarisError, httpx.HTTPError) as error:
            if isinstance(error, ServerError) and error.status >= 500:
                self.fault = error

    def begin(self, client: Client) -> None:
        seats = [{"player": "human"}, {"player": "greedy"}]
        duel = client.create(seats, clocks=True)
        self.duels.append((duel.name, duel.secrets[0]))
        self.acknowledged[duel.name] = []

    def play(self, client: Client) -> None:
        name, secret = self.duels[-1]
        seat = client.join(name, secret)
        while not self.stopped:
            state = seat.state()
            if state["over"]:
                self.begin(client)
                return
            if state["legal"] is None:
                continue
            action = eager(state, self.rng)
            done = seat.act(action, state["seq"])
            # the opponent may have gone on meanwhile
            self.acknowledged[name].append((state["seq"] + 1, action))
            assert done["seq"] > state["seq"]


def kill_again_and_again(folder: Path, kills: int, seed: int) -> int:
    """Kill a server under load, restart it, check what it acknowledged; how much that was."""
    rng = np.random.default_rng(seed)
    port, database, log = free_port(), folder / "duels.sqlite", folder / "log"
    players = [Player(f"http://127.0.0.1:{port}", seed + i) for i in range(PLAYERS)]
    server = spawn(database, port, log)
    for _ in range(kills):
        for player in players:
            player.start()
        time.sleep(float(rng.uniform(0.1, 1.2)))
        server.kill()
        for player in players:
            player.join(timeout=20)
            assert player.fault is None, player.fault
        server = spawn(database, port, log)
        check(server, players)
        players = [again(player) for player in players]
    server.process.terminate()
    assert server.process.wait(timeout=30) == 0
    return sum(len(acts) for player in players for acts in player.acknowledged.values())


def again(player: Player) -> Player:
    """The same player, to be started once more."""
    new = Player(player.address, int(player.rng.integers(1 << 30)))
    new.duels, new.acknowledged = player.duels, player.acknowledged
    return new


def check(server: Process, players: list[Player]) -> None:
    """Every acknowledged action is in its duel, in its place."""
    with Client(server.address) as client:
        for player in players:
            for name, secret in player.duels:
                seat = client.join(name, secret)
                steps = {}
                while True:
                    found = seat.events(len(steps))
                    steps |= {step["seq"]: step for step in found}
                    if not found:
                        break
                for seq, action in player.acknowledged[name]:
                    assert steps[seq]["action"] == action, (name, seq)
                state = seat.state()
                if state["over"] and steps:
                    verify(seat)
                else:
                    assert state["clock"]["left"] > 0


def verify(seat) -> None:
    """The replay of a finished duel plays."""
    try:
        Replay.from_json(json.dumps(seat.replay())).verify()
    except ServerError as error:
        assert error.code == "hidden"


def test_nothing_acknowledged_is_lost_by_five_kills(tmp_path) -> None:
    assert kill_again_and_again(tmp_path, 5, 1) > 10


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_by_fifty_kills(tmp_path) -> None:
    assert kill_again_and_again(tmp_path, 50, 100) > 500


STUCK = """
import time
from solwaris_env.agents import Agent

class Stuck(Agent):
    name = "stuck"

    def act(self, view):
        time.sleep(600)
"""


def test_a_stop_does_not_wait_for_what_cannot_be_ended(tmp_path) -> None:
    """A thread that compiles holds out as this one does: the server ends well all the same."""
    (tmp_path / "holding_out.py").write_text(STUCK)
    log = tmp_path / "log"
    own = ("--own", "stuck=holding_out:Stuck")
    server = spawn(tmp_path / "duels.sqlite", free_port(), log, *own)
    server.process.terminate()
    assert server.process.wait(timeout=30) == 0
    assert '"stopped"' in log.read_text()


def test_a_log_of_another_format_is_refused_in_a_sentence(tmp_path) -> None:
    path = tmp_path / "log.sqlite"
    with sqlite3.connect(path) as file:
        file.execute(f"PRAGMA user_version = {FORMAT + 1}")
    with pytest.raises(StoreError, match="format"), serving(database=path):
        pass
    other = tmp_path / "text"
    other.write_text("no database, but long enough to be taken for one " * 40)
    with pytest.raises(StoreError, match="cannot use"), serving(database=other):
        pass


def test_a_log_that_cannot_be_written_changes_nothing(tmp_path) -> None:
    database = tmp_path / "log.sqlite"
    with serving(database=database) as served, served.client() as client:
        duel: Duel = client.create([{}, {}], clocks=False)
        seat = duel.seat(0)
        before = seat.state()
        served.host.store._file.execute("PRAGMA query_only = 1")
        with pytest.raises(ServerError) as refused:
            seat.act({"type": "place", "cell": before["legal"]["place"][0]})
        assert (refused.value.status, refused.value.code) == (503, "unavailable")
        served.host.store._file.execute("PRAGMA query_only = 0")
        assert seat.state() == before
        seat.act({"type": "place", "cell": before["legal"]["place"][0]})


def test_who_gave_up_before_a_restart_has_given_up_after_it(tmp_path) -> None:
    database = tmp_path / "log.sqlite"
    with serving(database=database) as served, served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        duel.seat(1).resign()
    with serving(database=database) as served, served.client() as client:
        seat = client.join(duel.name, duel.secrets[0])
        seat.act({"type": "place", "cell": seat.state()["legal"]["place"][0]})
        time.sleep(0.3)
        assert seat.state()["outcome"]["quitter"] == 1
    with serving(database=database) as served, served.client() as client:
        assert client.join(duel.name, duel.secrets[0]).state()["over"]  # read from the log


def test_finished_duels_are_dropped_from_the_log_when_told_so(tmp_path) -> None:
    database, clock = tmp_path / "log.sqlite", FakeTime()
    with serving(clock, database=database, keep_days=2) as served, served.client() as client:
        old, running = (client.create([{}, {}], clocks=False) for _ in range(2))
        old.seat(0).resign()
    clock.value += 3 * 86400
    with serving(clock, database=database, keep_days=2) as served, served.client() as client:
        time.sleep(0.4)
        assert client.join(running.name, running.secrets[0]).state()["seq"] == 0
        with pytest.raises(ServerError, match="no duel"):
            client.join(old.name, old.secrets[0]).state()
