"""What goes wrong goes wrong alone, and is told in a sentence."""

import json
import sqlite3
from collections.abc import Iterator

import httpx
import pytest
from serving import Served, free_port, serving, spawn

from solwaris_env.client import ServerError
from solwaris_env.duel.codec import ActionError, encode, parse_action
from solwaris_env.duel.replay import Replay, ReplayError
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
    with pytest.raises(StoreError, match="cannot use .*nowhere"):
        Store(tmp_path / "nowhere" / "log.sqlite")


def test_a_log_that_cannot_be_read_is_named(tmp_path) -> None:
    store = Store(tmp_path / "log.sqlite")
    with pytest.raises(StoreError, match="cannot go|cannot be used"):
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
