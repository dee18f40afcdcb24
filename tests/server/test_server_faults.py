"""What goes wrong goes wrong alone, and is told in a sentence."""

import asyncio
import json
import logging
import socket
import sqlite3
import threading
import time
import warnings
from collections.abc import Iterator

import httpx
import numpy as np
import pytest
from serving import Served, free_port, serving, spawn
from starlette.websockets import WebSocketState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from solwaris_env.agents import make_agent
from solwaris_env.agents.onnx import OnnxAgent
from solwaris_env.cli import main
from solwaris_env.client import ServerError
from solwaris_env.duel.codec import ActionError, encode, parse_action
from solwaris_env.duel.game import Duel
from solwaris_env.duel.replay import Replay, ReplayError
from solwaris_env.server import models, opponents
from solwaris_env.server.config import Config
from solwaris_env.server.doubled import DoubledKey, read_once
from solwaris_env.server.host import Host
from solwaris_env.server.limits import JsonLines
from solwaris_env.server.sockets import _close
from solwaris_env.server.store import Store, StoreError


def test_one_log_has_one_server(tmp_path) -> None:
    path, link = tmp_path / "log.sqlite", tmp_path / "link"
    link.symlink_to(path)
    first = Store(path)
    for name in (path, link):
        with pytest.raises(StoreError, match=f"another server has this log open: {name}"):
            Store(name)
    first.close()
    Store(path).close()
    Store(":memory:").close()


def test_a_killed_server_lets_go_of_its_log(tmp_path) -> None:
    database, log = tmp_path / "log.sqlite", tmp_path / "log"
    server = spawn(database, free_port(), log)
    with pytest.raises(RuntimeError, match="another server has this log open"):
        spawn(database, free_port(), log)
    server.kill()
    spawn(database, free_port(), log).kill()


def test_a_log_that_could_not_be_opened_is_let_go(tmp_path) -> None:
    path = tmp_path / "text"
    path.write_text("no database, but long enough to be taken for one " * 40)
    with pytest.raises(StoreError, match="cannot use"):
        Store(path)
    path.unlink()
    Store(path).close()
    with pytest.raises(StoreError, match=r"cannot use .*nowhere"):
        Store(tmp_path / "nowhere" / "log.sqlite")


def test_a_log_that_cannot_be_read_is_named(tmp_path) -> None:
    store = Store(tmp_path / "log.sqlite")
    with pytest.raises(StoreError, match="cannot be used"):
        store._file.execute("DROP TABLE duels")
        store.unfinished()
    store._file.execute("PRAGMA query_only = 1")
    with pytest.raises(StoreError, match=f"the log of duels {tmp_path}.*readonly"):
        store.begin_again(1.0)
    store.close()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE duels SET setup = '{' WHERE duel = ?",
        "UPDATE duels SET setup = '{}' WHERE duel = ?",
        "UPDATE duels SET setup = '[1]' WHERE duel = ?",
        "INSERT INTO resignations SELECT duel, 9, 1.0 FROM duels WHERE duel = ?",
        "INSERT INTO actions SELECT duel, 1, 0, 5, 1.0, NULL FROM duels WHERE duel = ?",
        "INSERT INTO actions SELECT duel, 1, 0, x'00', 1.0, NULL FROM duels WHERE duel = ?",
        "INSERT INTO actions SELECT duel, 1, 0, 'place a1', x'31', NULL FROM duels WHERE duel = ?",
        "INSERT INTO actions SELECT duel, 1, 0, 'place a1', 1.0, 'late' FROM duels WHERE duel = ?",
        "UPDATE secrets SET digest = 'text' WHERE duel = ?",
        "UPDATE secrets SET digest = x'00' WHERE duel = ?",
        "UPDATE duels SET created = 'early' WHERE duel = ?",
    ],
)
def test_a_duel_of_faulty_rows_stops_itself_alone(tmp_path, change: str) -> None:
    database = tmp_path / "log.sqlite"
    with serving(database=database) as served, served.client() as client:
        bad, good = (client.create([{}, {}], clocks=False) for _ in range(2))
    with sqlite3.connect(database) as file:
        file.execute(change, (bad.name,))
    file.close()
    with serving(database=database) as served, served.client() as client:
        assert served.host.refused == [bad.name]
        assert client.join(good.name, good.secrets[0]).state()["seq"] == 0
        with pytest.raises(ServerError) as refused:
            client.join(bad.name, bad.secrets[0]).state()
        assert (refused.value.status, refused.value.code) == (409, "over")


def test_what_was_hidden_in_a_faulty_row_is_not_told(tmp_path) -> None:
    database = tmp_path / "log.sqlite"
    with serving(database=database) as served, served.client() as client:
        duel = client.create([{}, {}], clocks=False)
    with sqlite3.connect(database) as file:
        row = (duel.name, 1, 0, "place a1", 1.0, None)  # a1 is in no start zone
        file.execute("INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?)", row)
    file.close()
    with serving(database=database) as served, served.client() as client:
        with pytest.raises(ServerError, match=r"its action 1 in the log is not legal") as refused:
            client.call("GET", f"/v1/duels/{duel.name}")
        assert "a1" not in str(refused.value)


def test_a_faulty_moment_of_the_log_stops_no_server(tmp_path) -> None:
    store = Store(tmp_path / "log.sqlite")
    store._file.execute("INSERT INTO alive VALUES (1, x'31')")
    assert store.last_moment() is None
    store._file.execute("INSERT INTO actions VALUES ('d', 1, 0, 'pass', 12.5, NULL)")
    store._file.execute("INSERT INTO actions VALUES ('d', 2, 0, 'pass', 'later', NULL)")
    assert store.last_moment() == 12.5
    store.close()


def test_a_duel_that_could_not_be_read_at_first_goes_on_when_it_can(tmp_path, monkeypatch) -> None:
    database = tmp_path / "log.sqlite"
    with serving(database=database) as served, served.client() as client:
        duel = client.create([{"player": "greedy"}, {}], clocks=False, pace=3)
        seq = client.join(duel.name, duel.secrets[1]).state()["seq"]
    read = Store.read

    def once(self: Store, name: str) -> object:
        monkeypatch.setattr(Store, "read", read)
        raise StoreError("the disk would not answer")

    monkeypatch.setattr(Store, "read", once)
    with serving(database=database) as served, served.client() as client:
        assert served.host.refused == [duel.name]
        seat = client.join(duel.name, duel.secrets[1])
        end = time.monotonic() + 20
        while (state := seat.state())["view"]["to_act"] != 1 and time.monotonic() < end:
            time.sleep(0.05)
        assert state["view"]["to_act"] == 1 and state["seq"] >= seq


def test_a_log_that_another_process_keeps_is_no_faulty_duel(tmp_path, monkeypatch) -> None:
    database = tmp_path / "log.sqlite"
    with serving(database=database) as served, served.client() as client:
        client.create([{}, {}], clocks=False)

    def locked(self: Store, name: str) -> object:
        fault = StoreError("the log of duels is locked")
        fault.locked = True
        raise fault

    monkeypatch.setattr(Store, "read", locked)
    host = Host(Config(database=str(database)))
    with pytest.raises(StoreError, match="is locked"):
        asyncio.run(host.start())
    host.store.close()


def test_a_key_among_very_many_that_comes_twice_is_found() -> None:
    pairs = ", ".join(f'"{n}": 0' for n in range(300_000))  # looked up in pairs it takes an hour
    with pytest.raises(DoubledKey, match="'299999' comes twice"):
        read_once("{" + pairs + ', "299999": 0}')


HALF = "\ud800"


@pytest.fixture(scope="module")
def plain() -> Iterator[Served]:
    """A server with the built-in opponents."""
    with serving() as running:
        yield running


@pytest.mark.parametrize("key", ["format", "version", "rules", "rulebook", "seed", "options"])
def test_halves_of_characters_in_a_replay_are_told_of(plain, key: str) -> None:
    replay = json.loads(Replay.begin(1).to_json())
    for value in (HALF, HALF * 1000, {HALF: HALF}, [HALF]):
        body = json.dumps({"replay": replay | {key: value}})
        with plain.http() as http:
            answer = http.post(
                "/v1/frames", content=body, headers={"Content-Type": "application/json"}
            )
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid"), answer.text
        assert len(answer.json()["error"]["message"]) < 400
        with pytest.raises(ReplayError) as told:
            list(Replay.from_json(json.dumps(replay | {key: value})).frames())
        str(told.value).encode()


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/v1/duels", {"seats": [{}, {HALF: 1}]}),
        ("/v1/duels", {HALF: 1}),
        ("/v1/duels", {"seats": [{"player": HALF}, {}]}),
        ("/v1/decisions", {"opponent": HALF, "view": {HALF: HALF}}),
        ("/v1/views", {"view": {"map": HALF, "phase": HALF}}),
    ],
)
def test_halves_of_characters_are_no_failure(plain, address: str, body: dict) -> None:
    headers = {"Content-Type": "application/json"}
    with httpx.Client(base_url=plain.address) as http:
        answer = http.post(address, content=json.dumps(body), headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")


def test_wrong_actions_are_told_of_in_short() -> None:
    for text in (HALF * 5000, f"cast 1 {HALF * 5000}", f"cast {HALF * 5000} a1"):
        with pytest.raises(ActionError) as told:
            parse_action(text)
        assert len(str(told.value).encode()) < 200
    for action in (
        [HALF] * 5000,
        {"type": HALF * 5000},
        {"type": "pass", HALF * 5000: 1},
        {"type": "go", "cell": [HALF] * 5000},
        {"type": "cast", "cell": [1, 1], "slot": HALF * 5000},
    ):
        with pytest.raises(ActionError) as told:
            encode(action)
        assert len(str(told.value).encode()) < 200


def test_giving_up_is_written_with_its_end_or_not_at_all(tmp_path) -> None:
    with serving(database=tmp_path / "log.sqlite") as served, served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        file = served.host.store._file
        file.execute(
            "CREATE TRIGGER no BEFORE INSERT ON actions BEGIN SELECT raise(FAIL, 'x'); END"
        )
        with pytest.raises(ServerError) as refused:
            duel.seat(0).resign()
        assert refused.value.status == 503
        assert file.execute("SELECT count(*) FROM resignations").fetchone() == (0,)
        state = duel.seat(0).state()
        assert not state["seats"][0]["resigned"] and not state["over"]
        file.execute("DROP TRIGGER no")
        duel.seat(0).resign()
        assert duel.seat(0).state()["over"]


def test_who_gave_up_acts_no_more() -> None:
    with serving() as served, served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        cell = duel.seat(0).state()["legal"]["place"][0]
        served.host.duels[duel.name].seats[0].resigned = True
        with pytest.raises(ServerError, match="given up"):
            duel.seat(0).act({"type": "place", "cell": cell})


def test_health_tells_of_refused_writes(tmp_path) -> None:
    with serving(database=tmp_path / "log.sqlite") as served, served.http() as http:
        assert http.get("/v1/health").json()["status"] == "ok"
        served.host.store._file.execute("PRAGMA query_only = 1")
        assert http.post("/v1/duels", json={"seats": [{}, {}]}).status_code == 503
        assert http.get("/v1/health").json()["status"] == "failing"
        served.host.store._file.execute("PRAGMA query_only = 0")
        assert http.post("/v1/duels", json={"seats": [{}, {}]}).status_code == 201
        assert http.get("/v1/health").json()["status"] == "ok"


def test_a_locked_log_is_told_of_at_once_and_changes_nothing(tmp_path) -> None:
    database = tmp_path / "log.sqlite"
    with serving(database=database) as served, served.client() as client:
        duels = [client.create([{}, {}], clocks=False) for _ in range(4)]
        seats = [duel.seat(0) for duel in duels]
        before = [seat.state() for seat in seats]
        answers: list[tuple[httpx.Response, float]] = []

        def act(number: int) -> None:
            action = {"type": "place", "cell": before[number]["legal"]["place"][0]}
            began = time.monotonic()
            answer = httpx.post(
                f"{served.address}/v1/duels/{duels[number].name}/actions",
                json={"action": action, "seq": 0},
                headers={"Authorization": f"Bearer {duels[number].secrets[0]}"},
                timeout=30,
            )
            answers.append((answer, time.monotonic() - began))

        other = sqlite3.connect(database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        threads = [threading.Thread(target=act, args=(i % 4,)) for i in range(12)]
        for thread in threads:  # three for each duel, one behind the other
            thread.start()
        for thread in threads:
            thread.join()
        for answer, seconds in answers:
            assert answer.status_code == 503 and seconds < 4, seconds
            assert answer.json()["error"]["code"] == "unavailable"
            assert answer.headers["retry-after"] == "1"
        act(0)
        assert answers[-1][0].status_code == 503 and answers[-1][1] < 2
        assert [seat.state() for seat in seats] == before
        other.execute("ROLLBACK")
        other.close()
        for number in range(4):
            act(number)
        assert [answer.status_code for answer, _ in answers[-4:]] == [200] * 4
        assert [seat.state()["seq"] for seat in seats] == [1] * 4


def test_a_log_that_is_locked_for_a_moment_is_waited_for(tmp_path) -> None:
    database = tmp_path / "log.sqlite"
    with serving(database=database) as served, served.client() as client:
        other = sqlite3.connect(database, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(0.3, other.execute, ("ROLLBACK",)).start()
        client.create([{}, {}], clocks=False)
        other.close()


def test_duels_begun_at_once_are_counted_too() -> None:
    for limits in ({"duels_per_client": 3}, {"max_duels": 3}):
        with serving(**limits) as served:
            served.host.store._lock.acquire()  # the log is slow
            statuses: list[int] = []

            def post(address: str = served.address, statuses: list[int] = statuses) -> None:
                answer = httpx.post(f"{address}/v1/duels", json={"seats": [{}, {}]}, timeout=30)
                statuses.append(answer.status_code)

            threads = [threading.Thread(target=post) for _ in range(12)]
            for thread in threads:
                thread.start()
            time.sleep(1.0)
            served.host.store._lock.release()
            for thread in threads:
                thread.join()
            assert sorted(statuses) == [201] * 3 + [429] * 9


def test_what_the_guard_refuses_can_be_read_by_other_sites() -> None:
    site = {"Origin": "https://game.example"}
    limits = {"origins": ("https://game.example",), "rate": 0.1, "burst": 2}
    with serving(**limits) as served, served.http(headers=site) as http:
        answers = [http.post("/v1/duels", content=b"x" * 300_000)]
        answers += [http.get("/v1/opponents") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [413, 200, 429]
    for answer in answers:
        assert answer.headers["access-control-allow-origin"] == "https://game.example"


def test_no_query_and_no_secret_gets_into_the_log() -> None:
    args = ("a", "/v1/duels/x/socket?secret=hidden%20hidden")
    for message, given in (
        ('%s - "WebSocket %s" [accepted]', args),
        ("%s at /socket%%3Fsecret=hidden", ("a",)),
        ("%s sent Authorization: Bearer hidden", ("a",)),
        ('%s {"secret": "hidden"}', ("a",)),
    ):
        record = logging.LogRecord("uvicorn.error", 20, "f", 1, message, given, None)
        record.address = "/x?a=hidden"
        line = JsonLines().format(record)
        assert "hidden" not in line, line
        json.loads(line)


def test_a_socket_with_a_secret_in_its_address_is_logged_without(tmp_path) -> None:
    log = tmp_path / "log"
    server = spawn(tmp_path / "log.sqlite", free_port(), log)
    uri = f"ws{server.address.removeprefix('http')}/v1/duels/nobody/socket?secret=hidden"
    with connect(uri, proxy=None) as ws, pytest.raises(ConnectionClosed):
        ws.recv(timeout=15)
    # a head without an end is not kept
    port = int(server.address.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as flood, pytest.raises(OSError):
        flood.sendall(b"GET / HTTP/1.1\r\nX: ")
        for _ in range(200):
            flood.sendall(b"x" * 16384)
            time.sleep(0.005)
    server.kill()
    text = log.read_text()
    assert "hidden" not in text
    assert '"event": "starting"' in text


def test_compiled_rules_are_not_said_to_compile(tmp_path) -> None:
    duel = Duel.new(1)
    make_agent("planner:nodes=50", 1).act(duel.view(duel.seat))  # now all is compiled
    log = tmp_path / "log"
    server = spawn(tmp_path / "log.sqlite", free_port(), log)
    wish = {"opponent": "planner", "view": httpx.get(f"{server.address}/v1/view/example").json()}
    assert httpx.post(f"{server.address}/v1/decisions", json=wish, timeout=60).status_code == 200
    server.kill()
    lines = log.read_text().splitlines()
    assert json.loads(lines[0])["event"] == "starting"
    assert not [line for line in lines if "compil" in line.lower()]


def test_why_it_does_not_begin_is_told(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr("solwaris_env.server.command.log_to_stderr", lambda level: None)
    assert main(["serve", "--host", "no.such.host.invalid", "--database", ":memory:"]) == 2
    told = capsys.readouterr().err
    assert "cannot listen on no.such.host.invalid" in told
    assert "taken" not in told

    def fail(store: Store, now: float) -> None:
        raise StoreError(f"the log of duels cannot be used at {now > 0}")

    monkeypatch.setattr(Store, "begin_again", fail)
    assert main(["serve", "--port", "0", "--database", ":memory:"]) == 2
    assert "cannot start: the log of duels cannot be used" in capsys.readouterr().err


def test_half_a_character_for_an_id_and_a_failing_listener(caplog) -> None:
    with serving() as served, served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        uri = f"ws{served.address.removeprefix('http')}/v1/duels/{duel.name}/socket"
        with connect(uri, proxy=None) as ws:
            ws.send(json.dumps({"type": "hello", "secret": duel.secrets[0]}))
            ws.send('{"type": "resign", "id": "\\ud800"}')
            answers = [json.loads(ws.recv(timeout=10)) for _ in range(2)]
            assert [answer["type"] for answer in answers] == ["state", "error"]
            assert answers[1]["id"] is None

            async def fail(*_: object) -> None:
                raise ZeroDivisionError

            served.host.course.resign = fail
            ws.send('{"type": "resign"}')
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    ws.recv(timeout=10)
            assert closed.value.rcvd.code == 1011
    assert any(record.getMessage() == "a socket failed" for record in caplog.records)


class Deaf:
    """A socket whose client does not read: closing it takes for ever."""

    application_state = WebSocketState.CONNECTED
    reason = ""

    async def close(self, code: int, reason: str) -> None:
        self.reason = reason
        await asyncio.sleep(1000)


def test_closing_waits_for_nobody_and_its_reason_fits(monkeypatch) -> None:
    monkeypatch.setattr("solwaris_env.server.sockets.CLOSE_SECONDS", 0.1)
    deaf = Deaf()
    began = time.monotonic()
    asyncio.run(_close(deaf, 4404, "é" * 100 + HALF))
    assert time.monotonic() - began < 5
    assert deaf.reason == "é" * 60


def test_who_does_not_read_is_not_present(monkeypatch) -> None:
    with serving() as served, served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        seat = served.host.duels[duel.name].seats[0]
        left: list[int] = []

        async def close(websocket: object, code: int, reason: str) -> None:
            left.append(seat.sockets)

        monkeypatch.setattr("solwaris_env.server.sockets._close", close)
        uri = f"ws{served.address.removeprefix('http')}/v1/duels/{duel.name}/socket"
        with connect(uri, proxy=None) as ws:
            ws.send(json.dumps({"type": "hello", "secret": duel.secrets[0]}))
            ws.recv(timeout=10)
            (open_,) = served.app.state.sockets.open
            loop = served.host.store._loop
            loop.call_soon_threadsafe(open_.too_slow.set)
            end = time.monotonic() + 10
            while not left and time.monotonic() < end:
                time.sleep(0.05)
        assert left == [0]


def test_estimates_stay_within_their_bounds_at_any_temperature() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with serving(own={"expert": "checkpoints/expert.onnx"}) as served, served.http() as http:
            view = http.get("/v1/view/example").json()
            real = OnnxAgent.logits_and_value

            def high(agent: OnnxAgent, seen: dict) -> tuple[np.ndarray, np.ndarray]:
                logits, values = real(agent, seen)
                return logits, values * 0 + 1.059

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(OnnxAgent, "logits_and_value", high)
                for temperature in (1e-300, 5e-324, 0, 1):
                    wish = {"opponent": "expert", "view": view, "temperature": temperature}
                    answer = http.post("/v1/decisions", json=wish)
                    assert answer.status_code == 200, answer.text
                    assert answer.json()["value"] == 1.0


def test_opponents_are_told_of_without_their_runs() -> None:
    found = opponents.find_opponents("checkpoints")
    policies = [one for one in found.values() if one.metadata]
    assert policies
    for one in policies:
        run = one.metadata.get("training_run", "?").split(",")[0]
        assert "trained policy" in one.about["en"]
        assert "politique entraînée" in one.about["fr"]
        for text in (*one.about.values(), *one.title.values()):
            assert run not in text and "\n" not in text


def test_opponents_are_called_and_told_of_in_both_languages() -> None:
    found = opponents.find_opponents("checkpoints", {"deep": "planner:nodes=90"})
    told = models.Opponents(opponents=[one.data() for one in found.values()])
    titles = {one.name: (one.title.fr, one.title.en) for one in told.opponents}
    assert titles["random"] == ("Hasard", "Random")
    assert titles["greedy"] == ("Glouton", "Greedy")
    assert titles["planner"] == ("Stratège", "Planner")
    assert titles["maitre"] == ("Maître", "Maître")
    assert titles["first"] == ("First", "First")
    assert titles["deep"] == ("deep", "deep")
    assert all(one.about.fr != one.about.en for one in told.opponents)
    assert found["first"].about["en"] == (
        "A trained policy of no measured level (102656 decisions of training) "
        "that plays the action it finds best"
    )


def test_a_missing_page_is_told_of(tmp_path, monkeypatch, caplog) -> None:
    monkeypatch.setattr("solwaris_env.server.app.PAGE", tmp_path)
    with serving():
        pass
    assert any("page's files are missing" in record.getMessage() for record in caplog.records)
