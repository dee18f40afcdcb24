"""The folder of opponents: one bad file is left out and told of, the others play."""

import json
import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from serving import ROOT, free_port, serving, spawn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from solwaris_env.agents import make_agent
from solwaris_env.client import Client, ServerError
from solwaris_env.errors import SolwarisError
from solwaris_env.server.example import example_view
from solwaris_env.server.limits import _is_told
from solwaris_env.server.opponents import MOST_BYTES, Opponent, find_opponents

onnx = pytest.importorskip("onnx")
NOVICE = ROOT / "checkpoints" / "novice.onnx"
BUILT_IN = ["random", "greedy", "planner"]


def policy(path: Path, **metadata: str) -> None:
    """A copy of a committed policy that tells something else of itself."""
    model = onnx.load(NOVICE)
    told = {item.key: item.value for item in model.metadata_props} | metadata
    onnx.helper.set_model_props(model, told)
    onnx.save(model, path)


def of_bad_bytes(path: Path) -> None:
    """A policy one of whose texts is no UTF-8."""
    data = NOVICE.read_bytes()
    assert data.count(b"Novice") == 1
    path.write_bytes(data.replace(b"Novice", b"Novi\xff\xfe"))


def sparse(path: Path) -> None:
    """A huge file that takes no room on the disk."""
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)


def telling(**metadata: str) -> Callable[[Path], None]:
    """What writes a policy that tells this of itself."""
    return lambda path: policy(path, **metadata)


def copied(path: Path) -> None:
    """A good policy, under a name that may be none."""
    shutil.copy(NOVICE, path)


BAD: dict[str, tuple[str | bytes, Callable[[Path], None], str]] = {
    "square": ("a.onnx", telling(rating="²"), "rating '²'"),
    "signs": ("a.onnx", telling(rating="--5"), "rating '--5'"),
    "words": ("a.onnx", telling(rating="good"), "rating 'good'"),
    "nan": ("a.onnx", telling(rating="nan"), "rating 'nan'"),
    "infinite": ("a.onnx", telling(rating="1e999"), "rating '1e999'"),
    "long search": ("a.onnx", telling(search="1e9"), "nodes must be 50 to 1000000"),
    "short search": ("a.onnx", telling(search="7"), "nodes must be 50 to 1000000"),
    "half a trial": ("a.onnx", telling(search="99.5"), "search 99.5 is no whole number"),
    "search, words": ("a.onnx", telling(search="much"), "search 'much'"),
    "no policy": ("a.onnx", lambda path: path.write_bytes(b"text"), "as an ONNX model"),
    "bytes": ("a.onnx", of_bad_bytes, "no UTF-8"),
    "pipe": ("a.onnx", os.mkfifo, "a pipe or a device"),
    "device": ("a.onnx", lambda path: path.symlink_to("/dev/zero"), "a pipe or a device"),
    "huge": ("a.onnx", sparse, f"{MOST_BYTES + 1} bytes"),
    "folder": ("a.onnx", Path.mkdir, "is a directory"),
    "nowhere": ("a.onnx", lambda path: path.symlink_to("none"), "no such file"),
    "itself": ("a.onnx", lambda path: path.symlink_to(path), "symbolic links"),
    "no UTF-8": (b"\xff\xfe.onnx", copied, "is no name"),
    "long": ("n" * 41 + ".onnx", copied, "40 characters at most"),
    "two lines": ("a\nb.onnx", copied, "control character"),
    "blank": ("  .onnx", copied, "may not be empty"),
    "person": ("human.onnx", copied, "is a person"),
    "built-in": ("greedy.onnx", copied, "one of the server's own"),
}


def put(folder: Path, name: str | bytes, write: Callable[[Path], None]) -> Path:
    path = folder / os.fsdecode(name)
    write(path)
    return path


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_alone_is_left_out(case: str, tmp_path: Path, caplog) -> None:
    name, write, reason = BAD[case]
    path = put(tmp_path, name, write)
    policy(tmp_path / "good.onnx")
    with caplog.at_level(logging.WARNING, "solwaris.server"):
        found = find_opponents(tmp_path)
    assert list(found) == [*BUILT_IN, "good"]
    (record,) = caplog.records
    assert record.getMessage() == "an opponent is left out"
    assert record.file == str(path).encode("utf-8", "backslashreplace").decode()
    assert reason in record.reason
    json.dumps([record.file, record.reason]).encode()


def test_an_odd_name_is_a_name_and_not_more(tmp_path: Path) -> None:
    """What would be an option or a guide behind an agent's name is none in a file's."""
    folder = tmp_path / "planner+a?b"
    folder.mkdir()
    names = ["a b?temperature=1", "c.onnx?search=60", "planner+d", "n" * 40, "é:è"]
    for name in names:
        policy(folder / f"{name}.onnx", temperature="3")
    found = find_opponents(folder)
    assert sorted(found) == sorted(BUILT_IN + names)
    for name in names:
        agent = found[name].agent()
        assert (found[name].kind, agent.temperature) == ("policy", 3)
    with serving(opponents=str(folder)) as served, served.client() as client:
        assert names[0] in [one["name"] for one in client.opponents()]
        client.create([{"player": name} for name in names[:2]])
        for name in names:
            assert client.decide(name, example_view())["opponent"] == name


def test_ratings_are_told_as_numbers_and_sorted_by(tmp_path: Path) -> None:
    for name, rating in (("a", "86.5"), ("b", "-661"), ("c", ""), ("d", "1e2")):
        policy(tmp_path / f"{name}.onnx", rating=rating)
    found = find_opponents(tmp_path)
    told = {name: one.data()["rating"] for name, one in found.items() if name not in BUILT_IN}
    assert list(told.items()) == [("b", -661.0), ("c", None), ("a", 86.5), ("d", 100.0)]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("human", "a person"),
        ("", "may not be empty"),
        (" ", "may not be empty"),
        ("n" * 41, "40 characters"),
        ("a\nb", "control character"),
        ("\udcff", "is no name"),
    ],
)
def test_a_name_that_no_duel_can_ask_for_is_refused(name: str, words: str) -> None:
    with pytest.raises(SolwarisError, match=words) as error:
        find_opponents(None, {name: "greedy"})
    assert str(error.value).startswith("setting own: ")


def test_a_name_of_one_s_own_comes_once() -> None:
    with pytest.raises(SolwarisError, match="two opponents have the name 'greedy'"):
        find_opponents(None, {"greedy": "random"})


@pytest.mark.parametrize("number", ["nan", "inf"])
def test_a_search_of_no_number_is_refused(number: str) -> None:
    with pytest.raises(SolwarisError, match="whole number"):
        make_agent(f"{NOVICE}?search={number}")


def test_a_path_with_a_nul_is_refused() -> None:
    with pytest.raises(SolwarisError, match="null"):
        make_agent("a\0.onnx")


def test_an_opponent_s_file_of_no_utf_8_can_be_told_of(tmp_path: Path) -> None:
    path = put(tmp_path, b"\xff\xfe.onnx", copied)
    found = find_opponents(None, {"odd": str(path)})
    assert found["odd"].about["en"] == "Plays as \\udcff\\udcfe.onnx"
    assert isinstance(found["odd"], Opponent)


def test_a_server_of_bad_files_serves_and_its_log_has_no_error(tmp_path: Path) -> None:
    folder = tmp_path / "opponents"
    folder.mkdir()
    policy(folder / "good.onnx")
    wrong = {}
    for number, case in enumerate(BAD):
        name, write, _ = BAD[case]
        wrong[case] = put(folder, f"{number}.onnx" if name == "a.onnx" else name, write)
    log = tmp_path / "log"
    server = spawn(tmp_path / "duels.sqlite", free_port(), log, "--opponents", str(folder))
    try:
        with Client(server.address) as client:
            assert [one["name"] for one in client.opponents()] == [*BUILT_IN, "good"]
            with pytest.raises(ServerError, match="is not human or one of"):
                client.create([{}, {"player": "0"}])
            duel = client.create([{}, {"player": "good"}], clocks=False)
        uri = f"ws{server.address.removeprefix('http')}/v1/duels/{duel.name}/socket"
        with connect(uri, proxy=None) as socket:
            socket.send(json.dumps({"type": "hello"}))
            socket.recv(timeout=10)
            socket.send(b"\xff\xfe", text=True)
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    socket.recv(timeout=10)
            assert closed.value.rcvd.code == 1007
    finally:
        server.process.terminate()
        assert server.process.wait(timeout=30) == 0
    text = log.read_text().splitlines()
    lines = [json.loads(line) for line in text if not line.startswith("solwaris: compiling")]
    assert not [line for line in lines if line["level"] == "error" or "trace" in line]
    told = [line["file"] for line in lines if line["event"] == "an opponent is left out"]
    assert len(told) == len(wrong)


def test_only_a_client_s_bad_text_is_kept_out_of_the_log() -> None:
    def told(message: str, fault: Exception) -> bool:
        trace = (type(fault), fault, None)
        return _is_told(logging.LogRecord("uvicorn.error", 40, "", 0, message, None, trace))

    undecodable = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    assert not told("Invalid UTF-8 sequence received from client.", undecodable)
    assert told("Exception in ASGI application", undecodable)
    assert told("Invalid UTF-8 sequence received from client.", OSError())
    assert _is_told(logging.LogRecord("uvicorn.error", 40, "", 0, "plain", None, None))
