"""Limits, errors, slow clients, cross-origin use, health and metrics."""

import asyncio
import json
import socket
import time

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from serving import Served, free_port, serving, spawn
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from solwaris_env.cli import main
from solwaris_env.client import ServerError
from solwaris_env.duel.engine.state import TOUR_LIMIT
from solwaris_env.errors import SolwarisError
from solwaris_env.server.config import Config, read_config
from solwaris_env.server.limits import Buckets
from solwaris_env.server.models import ErrorAnswer
from solwaris_env.server.sockets import MOST_WAITING, Socket


def fault(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of an error, which always has the one form."""
    ErrorAnswer.model_validate_json(answer.content)
    assert answer.json()["error"]["message"]
    return answer.status_code, answer.json()["error"]["code"]


def test_every_bad_request_has_a_code_and_a_sentence(served: Served) -> None:
    with served.http() as http:
        assert fault(http.get("/v1/nothing")) == (404, "not_found")
        assert fault(http.get("/v1/duels/nobody")) == (404, "not_found")
        assert fault(http.put("/v1/duels")) == (405, "method_not_allowed")
        as_json = {"Content-Type": "application/json"}
        assert fault(http.post("/v1/duels", content="{", headers=as_json)) == (400, "bad_request")
        assert fault(http.post("/v1/duels", content='{"seats":[]}')) == (422, "invalid")
        assert fault(http.post("/v1/duels", json={"seats": [{}] * 3})) == (422, "invalid")
        assert fault(http.post("/v1/duels", json={"seats": [{}], "x": 1})) == (422, "invalid")
        nobody = {"seats": [{"player": "nobody"}, {}]}
        assert fault(http.post("/v1/duels", json=nobody)) == (422, "invalid")
        wish = {"opponent": "nobody", "view": http.get("/v1/view/example").json()}
        assert fault(http.post("/v1/decisions", json=wish)) == (404, "refused_opponent")
        long = http.post("/v1/duels", content=b"x" * 300_000, headers=as_json)
        assert fault(long) == (413, "too_large")
        piecewise = (b"x" * 65536 for _ in range(5))
        assert fault(http.post("/v1/duels", content=piecewise)) == (413, "too_large")
        message = http.post("/v1/duels", json={"seats": [{"class": "elf"}, {}]}).json()
        assert message["error"]["message"].startswith("seats[0].class: input should be 'guerrier'")


def test_a_client_has_a_rate_and_so_many_duels() -> None:
    with serving(rate=2, burst=6, duels_per_client=2) as served, served.http() as http:
        statuses = [http.post("/v1/duels", json={"seats": [{}, {}]}).status_code for _ in range(3)]
        assert statuses == [201, 201, 429]
        answers = [http.get("/v1/opponents") for _ in range(5)]
        assert fault(answers[-1]) == (429, "rate_limited")
        assert int(answers[-1].headers["Retry-After"]) >= 1
        assert http.get("/v1/health").status_code == 200  # always


def test_sockets_have_a_rate_too() -> None:
    with serving(rate=0.1, burst=3) as served, served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        for _ in range(2):
            assert closed_with(served.socket_of(duel.name), "nonsense") == 4400
        with pytest.raises(InvalidStatus) as refused:
            connect(served.socket_of(duel.name), proxy=None).__enter__()
        assert refused.value.response.status_code == 403


def test_buckets_fill_again() -> None:
    now = [0.0]
    buckets = Buckets(10, 2, lambda: now[0])
    assert [buckets.take("a") for _ in range(2)] == [0, 0]
    assert buckets.take("a") == pytest.approx(0.1)
    assert buckets.take("b") == 0
    now[0] = 0.1
    assert buckets.take("a") == 0


def closed_with(uri: str, *messages: str | bytes) -> int:
    """The code with which the server closes a socket after some messages."""
    with connect(uri, proxy=None) as ws:
        for message in messages:
            ws.send(message)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                ws.recv(timeout=15)
        return closed.value.rcvd.code


def test_sockets_are_refused_with_a_code(served: Served) -> None:
    with served.client() as client:
        duel = client.create([{}, {}], clocks=False, spectators=False)
        uri = served.socket_of(duel.name)
        assert closed_with(served.socket_of("nobody")) == 4404
        assert closed_with(uri, '{"type":"hello"}') == 4403
        assert closed_with(uri, '{"type":"hello","secret":"guess"}') == 4401
        assert closed_with(uri, "hello") == 4400
        assert closed_with(uri, b"\xff") == 4400
        hello = json.dumps({"type": "hello", "secret": duel.secrets[0]})
        assert closed_with(uri, hello, b"\xff") == 4400
        assert closed_with(uri, "x" * 70_000) == 1009


def test_a_hello_with_a_fault_is_told_which(served: Served) -> None:
    with served.client() as client:
        duel = client.create([{}, {}], clocks=False)
    with connect(served.socket_of(duel.name), proxy=None) as ws:
        ws.send('{"type": "hello", "since": -1}')
        with pytest.raises(ConnectionClosed) as closed:
            ws.recv(timeout=10)
    assert closed.value.rcvd.code == 4400
    assert "must be a hello: since: input should be greater" in closed.value.rcvd.reason


@pytest.mark.parametrize("address", ["decisions", "views", "frames", "duels", "duels/x/actions"])
def test_an_address_for_post_says_so(served: Served, address: str) -> None:
    with served.http() as http:
        answer = http.get(f"/v1/{address}")
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST"), answer.text
        assert answer.json()["error"]["code"] == "method_not_allowed"
        assert http.get(f"/v1/{address}/nowhere").status_code == 404


def test_a_duel_has_so_many_spectators() -> None:
    with serving(spectators=1) as served, served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        with duel.spectator().follow() as first:
            assert next(iter(first))["type"] == "state"
            with (
                pytest.raises(ServerError, match="spectators"),
                duel.spectator().follow() as second,
            ):
                next(iter(second))


def test_spectators_are_counted_on_arrival() -> None:
    """Who still waits for the duel's state takes a place already."""
    with serving(spectators=1) as served, served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        hosted, loop = served.host.duels[duel.name], served.host.course.quick._loop
        asyncio.run_coroutine_threadsafe(hosted.lock.acquire(), loop).result(timeout=10)
        uri = served.socket_of(duel.name)
        try:
            with connect(uri, proxy=None) as first:
                first.send('{"type":"hello"}')
                end = time.monotonic() + 10
                while not served.app.state.sockets.open:
                    assert time.monotonic() < end
                    time.sleep(0.01)
                assert closed_with(uri, '{"type":"hello"}') == 4403
                loop.call_soon_threadsafe(hosted.lock.release)
                assert json.loads(first.recv(timeout=10))["type"] == "state"
        finally:
            if hosted.lock.locked():
                loop.call_soon_threadsafe(hosted.lock.release)


def test_a_key_that_comes_twice_is_refused(served: Served) -> None:
    as_json = {"Content-Type": "application/json"}
    twice = '{"seats": [{"class": "ombre", "class": "brute"}, {}]}'
    with served.http() as http, served.client() as client:
        answer = http.post("/v1/duels", content=twice, headers=as_json)
        assert fault(answer) == (400, "bad_request")
        assert answer.json()["error"]["message"] == "the key 'class' comes twice in one object"
        duel = client.create([{}, {}], clocks=False)
        uri = served.socket_of(duel.name)
        assert closed_with(uri, '{"type": "hello", "since": 0, "since": 1}') == 4400
        with connect(uri, proxy=None) as ws:
            ws.send(json.dumps({"type": "hello", "secret": duel.secrets[0]}))
            ws.recv(timeout=10)
            ws.send('{"type": "action", "id": 7, "action": {"type": "pass", "type": "raise"}}')
            told = json.loads(ws.recv(timeout=10))
        assert (told["type"], told["id"]) == ("error", 7)
        assert told["error"]["code"] == "bad_request"
        assert told["error"]["message"] == "the key 'type' comes twice in one object"


def test_a_wrong_range_of_a_file_is_told_as_all_faults(served: Served) -> None:
    path = "/docs/files/favicon.png"
    with served.http() as http:
        size = len(http.get(path).content)
        assert http.get(path, headers={"Range": "bytes=0-9"}).status_code == 206
        beyond = http.get(path, headers={"Range": "bytes=9999999-"})
        assert fault(beyond) == (416, "bad_range")
        assert beyond.headers["content-range"] == f"bytes */{size}"
        assert fault(http.get(path, headers={"Range": "bytes=x"})) == (400, "bad_request")


def test_a_socket_answers_nonsense_and_goes_on(served: Served) -> None:
    with served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        hello = {"type": "hello", "secret": duel.secrets[0]}
        with connect(served.socket_of(duel.name), proxy=None) as ws:
            ws.send(json.dumps(hello))
            assert json.loads(ws.recv())["type"] == "state"
            nonsense = [
                "",
                "[]",
                '{"type":"x","id":4}',
                "{" * 2000,
                '{"type":"action","action":{}}',
            ]
            for text in nonsense:
                ws.send(text)
                answer = json.loads(ws.recv())
                assert answer["type"] == "error" and answer["error"]["code"] == "invalid"
            ws.send('{"type":"action","id":"a","action":{"type":"pass"}}')
            assert json.loads(ws.recv())["error"]["code"] == "illegal_action"
            ws.send('{"type":"ping"}')
            assert json.loads(ws.recv()) == {"type": "pong"}


def test_a_returning_socket_hears_what_it_missed(served: Served) -> None:
    with served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        for number in (0, 1):
            seat = duel.seat(number)
            seat.act({"type": "place", "cell": seat.state()["legal"]["place"][0]})
        with connect(served.socket_of(duel.name), proxy=None) as ws:
            ws.send(json.dumps({"type": "hello", "secret": duel.secrets[0], "since": 0}))
            told = [json.loads(ws.recv()) for _ in range(3)]
        assert [message["type"] for message in told] == ["step", "step", "state"]
        assert [message["step"]["seq"] for message in told[:2]] == [1, 2]


class Stuck:
    """A WebSocket whose other end reads nothing."""

    async def send_text(self, text: str) -> None:
        await asyncio.sleep(3600)


def test_a_client_too_slow_is_cut_off_without_waiting_for_it() -> None:
    async def work() -> None:
        slow = Socket(Stuck())
        pump = asyncio.create_task(slow.pump())
        await asyncio.sleep(0)
        began = time.perf_counter()
        for _ in range(MOST_WAITING + 2):
            slow.send("x")
        assert slow.too_slow.is_set()
        assert time.perf_counter() - began < 0.1
        pump.cancel()

    asyncio.run(work())


def test_a_vanished_client_harms_nobody(served: Served) -> None:
    with served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        port = int(served.address.rpartition(":")[2])
        for _ in range(5):
            rude = socket.create_connection(("127.0.0.1", port))
            rude.sendall(
                f"GET /v1/duels/{duel.name}/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            rude.recv(100)
            rude.close()
        seat = duel.seat(0)
        seat.act({"type": "place", "cell": seat.state()["legal"]["place"][0]})


def test_other_sites_may_use_it_where_it_is_told_so(served: Served) -> None:
    asks = {"Origin": "https://game.example", "Access-Control-Request-Method": "POST"}
    allowed = "access-control-allow-origin"
    with serving(origins=("https://game.example",)) as open_, open_.http() as http:
        answer = http.options("/v1/duels", headers=asks)
        assert answer.headers[allowed] == "https://game.example"
        assert allowed not in http.options("/v1/duels", headers={**asks, "Origin": "x"}).headers
    with served.http() as http:
        assert allowed not in http.get("/v1/health", headers=asks).headers


def test_health_metrics_and_caching(served: Served) -> None:
    with served.http() as http:
        health = http.get("/v1/health").json()
        assert health["status"] == "ok"
        families = {f.name: f for f in text_string_to_metric_families(http.get("/metrics").text)}
        assert families["solwaris_requests"].samples
        assert {"solwaris_duels_running", "solwaris_decisions"} <= set(families)
        first = http.get("/v1/catalogue")
        etag = {"If-None-Match": first.headers["ETag"]}
        assert http.get("/v1/catalogue", headers=etag).status_code == 304
        assert first.headers["x-content-type-options"] == "nosniff"


def test_head_is_answered_as_get_without_the_body(served: Served) -> None:
    paths = ("/v1/health", "/v1/catalogue", "/v1/opponents", "/openapi.json", "/docs", "/")
    with served.http() as http:
        for path in paths:
            head, got = http.head(path), http.get(path)
            assert head.status_code == got.status_code == 200, path
            assert head.content == b"" and len(got.content) > 10
            for name in ("content-type", "content-length", "etag"):
                assert head.headers.get(name) == got.headers.get(name), (path, name)
        etag = {"If-None-Match": http.get("/v1/catalogue").headers["ETag"]}
        assert http.head("/v1/catalogue", headers=etag).status_code == 304
        head = http.head("/v1/nothing")
        assert (head.status_code, head.content) == (404, b"")
        assert 'method="HEAD",route="/v1/health",status="200"' in http.get("/metrics").text


def test_the_catalogue_is_whole(served: Served) -> None:
    with served.client() as client:
        whole = client.catalogue()
        assert [len(whole[part]) for part in ("classes", "maps", "bonuses")] == [6, 9, 6]
        spells = [spell for sheet in whole["classes"] for spell in sheet["spells"]]
        assert len(spells) == 96
        assert all(spell["text"] and spell["texte"] and spell["sentence"] for spell in spells)
        for sheet in whole["maps"]:
            assert len(sheet["terrain"]) == len(sheet["zones"]) == 18
            assert all(len(row) == 28 for row in sheet["terrain"] + sheet["zones"])
            assert sum(row.count(".") for row in sheet["terrain"]) == sheet["playable"]
        assert whole["constants"]["tour_limit"] == TOUR_LIMIT
        assert whole["constants"]["bid_step"] == 100  # A2
        names = {opponent["name"] for opponent in client.opponents()}
        assert {"random", "greedy", "planner", "first"} <= names


def test_told_to_stop_it_stops_well(tmp_path) -> None:
    server = spawn(tmp_path / "duels.sqlite", free_port(), tmp_path / "log")
    made = httpx.post(f"{server.address}/v1/duels", json={"seats": [{}, {}]}).json()
    uri = f"ws{server.address.removeprefix('http')}/v1/duels/{made['duel']}/socket"
    with connect(uri, proxy=None) as ws:
        ws.send('{"type":"hello"}')
        ws.recv()
        server.process.terminate()
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                ws.recv(timeout=15)
    assert closed.value.rcvd.code in (1001, 1012)
    assert server.process.wait(timeout=20) == 0


def test_settings_are_checked(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr("solwaris_env.server.command.log_to_stderr", lambda level: None)
    with pytest.raises(SolwarisError, match="port"):
        Config(port=-1)
    path = tmp_path / "serve.toml"
    path.write_text('rate = 3\norigins = ["https://a.example"]\n[own]\ndeep = "greedy"\n')
    assert Config(**read_config(path)) == Config(
        rate=3, origins=("https://a.example",), own={"deep": "greedy"}
    )
    path.write_text("speed = 3\n")
    with pytest.raises(SolwarisError, match="unknown setting 'speed'"):
        read_config(path)
    path.write_text('port = "x"\n')
    assert main(["serve", "--config", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "--port", port, "--database", ":memory:"]) == 2
        assert "is it taken?" in capsys.readouterr().err


def test_the_page_is_served_beside_the_interface(tmp_path, monkeypatch) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<p>play</p>")
    (tmp_path / "assets" / "a.js").write_text("1")
    monkeypatch.setattr("solwaris_env.server.app.PAGE", tmp_path)
    with serving() as served, served.http() as http:
        assert http.get("/").text == "<p>play</p>"
        assert "javascript" in http.get("/assets/a.js").headers["content-type"]
        assert fault(http.get("/assets/b.js")) == (404, "not_found")
        assert fault(http.get("/../pyproject.toml")) == (404, "not_found")
        assert fault(http.post("/", json={})) == (405, "method_not_allowed")
        assert http.get("/v1/health").status_code == 200
    with serving(page=False) as served, served.http() as http:
        assert fault(http.get("/")) == (404, "not_found")
