"""Replays: they re-simulate alike everywhere, and a faulty one is refused with a sentence."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from play import lively, matrix

from solwaris_env.duel.batch import Buffers, Mode
from solwaris_env.duel.content.loader import rulebook
from solwaris_env.duel.game import Duel, IllegalAction
from solwaris_env.duel.options import OptionError, parse_options
from solwaris_env.duel.replay import Replay, ReplayError
from solwaris_env.errors import SolwarisError

ROOT = Path(__file__).parent.parent
CASES = [(k, matrix(1 + k % 2)[(11 * k) % 36]) for k in range(6)]


def recorded(seed: int, options: dict, clocks: float = 0.03, longest: int | None = None) -> Replay:
    """A random duel with its record; now and then the clock runs out (T11)."""
    replay = Replay.begin(seed, options)
    rng = np.random.default_rng(seed)
    while replay.duel.seat >= 0 and len(replay.actions) != longest:
        if rng.random() < clocks:
            replay.time_up()
        else:
            replay.apply(lively(replay.duel.mask()[:-1], rng))
    return replay


@pytest.fixture(scope="module")
def replays() -> list[Replay]:
    return [recorded(seed, options) for seed, options in CASES]


@pytest.fixture(scope="module")
def text() -> str:
    return recorded(3, {"map": "caveau", "classes": ["ombre", "brute"]}, longest=60).to_json()


def test_a_file_makes_the_round_trip(replays, tmp_path):
    for number, replay in enumerate(replays):
        path = tmp_path / f"{number}.json"
        replay.save(path)
        again = Replay.load(path)
        assert again.to_json() == replay.to_json() == path.read_text()
        assert again.verify().save() == replay.duel.save()
        assert "time up" in again.actions


def test_a_file_says_what_it_must(replays):
    data = json.loads(replays[0].to_json())
    assert set(data) == {
        "format", "version", "rules", "rulebook", "seed", "options", "actions", "hashes", "outcome",
    }  # fmt: skip
    assert data["rules"] == "1.3.0"
    assert data["options"] == CASES[0][1]
    assert data["outcome"] == replays[0].duel.outcome.as_dict()
    # a hash at the beginning, at each turn and at the end
    assert data["hashes"][0][0] == 0
    assert data["hashes"][-1][0] == len(data["actions"])
    turns = int(replays[0].duel.state.turn)
    assert len(data["hashes"]) >= turns


def test_watching_shows_the_recorded_duel(replays):
    """Step by step or at once: the same duel (frames are what `solwaris watch` draws)."""
    replay = replays[1]
    direct = Duel.new(replay.seed, **replay.options)
    shown = 0
    for duel, said in replay.frames():
        if said == "time up":
            direct.time_up()
        elif said is not None:
            direct.apply(replay.action(shown - 1))
        assert duel.save() == direct.save()
        shown += 1
    assert shown == len(replay.actions) + 1


def test_lock_step_comes_to_the_same_hashes(replays):
    n = len(replays)
    buffers = Buffers(n)
    for row, replay in enumerate(replays):
        buffers.setups[row] = parse_options(replay.options)[0]
        buffers.setups["seed"][row] = replay.seed
    buffers.advance(Mode.BEGIN, rulebook(), 0)
    marks = [dict(replay.hashes) for replay in replays]
    moves = [replay.indices() for replay in replays]
    met = 0
    for played in range(max(len(m) for m in moves) + 1):
        for row in range(n):
            if played in marks[row]:
                state = buffers.states[row].tobytes()
                digest = hashlib.blake2b(state, digest_size=8).hexdigest()
                assert digest == marks[row][played], (row, played)
                met += 1
        for mode in (Mode.ACT, Mode.TIME_UP):
            for row in range(n):
                on = played < len(moves[row])
                action = moves[row][played] if on else 0
                buffers.where[row] = on and (action < 0) == (mode == Mode.TIME_UP)
                buffers.actions[row] = action
            assert buffers.advance(mode, rulebook(), 0) == 0
    assert met == sum(len(m) for m in marks) > 100


def test_plain_mode_comes_to_the_same_hashes(tmp_path):
    for number, (seed, options) in enumerate(CASES):
        recorded(seed + 50, options, clocks=0.2, longest=25).save(tmp_path / f"{number}.json")
    program = (
        "import sys; from pathlib import Path; from solwaris_env.duel.replay import Replay\n"
        "from solwaris_env.duel.engine.kernel import PLAIN; assert PLAIN\n"
        "for path in sorted(Path(sys.argv[1]).iterdir()): Replay.load(path).verify(); print(path)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stdout.split()) == len(CASES)


@pytest.mark.slow
def test_whole_duels_in_plain_mode(replays, tmp_path):
    for number, replay in enumerate(replays[:3]):
        replay.save(tmp_path / f"{number}.json")
    program = (
        "import sys; from pathlib import Path; from solwaris_env.duel.replay import Replay\n"
        "for path in sorted(Path(sys.argv[1]).iterdir()): Replay.load(path).verify()"
    )
    subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, cwd=ROOT, check=True,
    )  # fmt: skip


@pytest.mark.rule("T11")
def test_time_up_is_part_of_the_record():
    replay = Replay.begin(5, {"team_size": 1})
    for _ in range(6):
        replay.time_up()
    assert replay.actions == ["time up"] * 6
    assert Replay.from_json(replay.to_json()).verify().save() == replay.duel.save()


def test_an_illegal_action_is_not_recorded():
    replay = Replay.begin(5)
    before = replay.to_json()
    with pytest.raises(IllegalAction):
        replay.apply(0)
    assert replay.to_json() == before


def test_begin_names_wrong_options():
    with pytest.raises(OptionError, match="option map: 'x' is not one of"):
        Replay.begin(5, {"map": "x"})


def refused(text: str, words: str = ".") -> str:
    """The sentence with which a replay's text is refused, by reading or by playing it."""
    with pytest.raises(ReplayError, match=words) as caught:
        Replay.from_json(text).verify()
    sentence = str(caught.value)
    assert sentence
    assert "\n" not in sentence
    return sentence


def test_no_truncated_file_is_read(text):
    for length in [*range(0, len(text.rstrip()) - 1, 7), len(text.rstrip()) - 1]:
        refused(text[:length])


def test_every_key_is_needed(text):
    data = json.loads(text)
    for key in data:
        words = {"format": '"format" is not', "version": "replay version None"}
        rest = {k: v for k, v in data.items() if k != key}
        refused(json.dumps(rest), words.get(key, f"the key '{key}' is missing"))


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("format", "chess", 'not a replay: "format" is not "solwaris-replay"'),
        ("version", 2, "replay version 2, this program reads 1"),
        ("version", "1", "replay version '1', this program reads 1"),
        ("rules", "0.9.0", r"recorded under rules '0\.9\.0' \(.*\), these are rules 1\.3\.0"),
        ("rulebook", "0123", r"recorded under rules '1\.3\.0' \('0123'\), these are rules"),
        ("seed", 4, r"after 0 actions \(tour 0\) the duel is not the recorded one"),
        ("seed", -1, "its beginning does not read: seed: -1 is not between"),
        ("seed", "3", "its beginning does not read: seed: '3' is not a whole number"),
        ("seed", 3.0, r"its beginning does not read: seed: 3\.0 is not a whole number"),
        ("seed", None, "its beginning does not read: seed: None is not a whole number"),
        ("options", [], "options is not an object"),
        ("options", None, "options is not an object"),
        ("options", {"map": "x"}, "its beginning does not read: option map: 'x' is not one of"),
        ("options", {"map": "canal"}, r"after 0 actions \(tour 0\) the duel is not the recorded"),
        ("options", {"wings": 2}, "its beginning does not read: option 'wings' is unknown"),
        ("options", {"rules": 5}, "its beginning does not read: option 'rules' is unknown"),
        ("options", {"seed": 5}, "its beginning does not read: option 'seed' is unknown"),
        ("options", {"allow_forfeit": 0}, "option 'allow_forfeit' is unknown"),
        ("actions", "pass", "actions is not a list of texts"),
        ("actions", [1, 2], "actions is not a list of texts"),
        ("actions", None, "actions is not a list of texts"),
        ("actions", [], "the replay was cut or altered|hashes"),
        ("hashes", [], "the hashes do not span the actions"),
        ("hashes", None, "hashes is not a list"),
        ("hashes", [[0]], "hashes is not a list"),
        ("hashes", [[0, 1]], "hashes is not a list"),
        ("hashes", [["0", "a"]], "hashes is not a list"),
        ("hashes", [[0, "a"], [10**9, "b"]], "hashes is not a list"),
        ("outcome", {"winner": 0}, "the recorded outcome is not the one the duel comes to"),
        ("outcome", 5, "the recorded outcome is not the one"),
    ],
)
def test_altered_keys_are_named(text, key, value, words):
    refused(json.dumps(json.loads(text) | {key: value}), words)


def test_altered_actions_are_named(text):
    data = json.loads(text)
    for place in range(0, len(data["actions"]), 3):
        for action, words in (
            ("fly", rf"actions\[{place}\]: 'fly' is not an action"),
            ("cast 9 h12", rf"actions\[{place}\]: '9' is not a slot"),
            ("forfeit", "not the recorded one|no action is legal|outcome|is missing"),
            ("raise", "not the recorded one|is not legal|is missing"),
        ):
            if data["actions"][place] != action:
                changed = data["actions"].copy()
                changed[place] = action
                refused(json.dumps(data | {"actions": changed}), words)
        missing = data["actions"][:place] + data["actions"][place + 1 :]
        refused(json.dumps(data | {"actions": missing}))


def test_altered_hashes_are_found(text):
    data = json.loads(text)
    for place in range(len(data["hashes"])):
        changed = [list(mark) for mark in data["hashes"]]
        changed[place][1] = "0" * 16
        played = changed[place][0]
        refused(json.dumps(data | {"hashes": changed}), f"after {played} actions")


def test_missing_hashes_are_found(text):
    data = json.loads(text)
    for place in range(1, len(data["hashes"]) - 1):
        left = data["hashes"][:place] + data["hashes"][place + 1 :]
        played = data["hashes"][place][0]
        refused(
            json.dumps(data | {"hashes": left}),
            rf"the hash after {played} actions .* is missing: the replay was cut or altered",
        )


def test_any_altered_byte_is_refused_or_means_the_same(text):
    """One sign of the file is another: the replay is refused, or it is the same duel."""
    final = Replay.from_json(text).verify().save()
    rng = np.random.default_rng(1)
    harmless = 0
    for place in rng.choice(len(text), 700, replace=False):
        sign = chr(int(rng.integers(32, 127)))
        altered = text[:place] + sign + text[place + 1 :]
        try:
            duel = Replay.from_json(altered).verify()
        except ReplayError as error:
            assert "\n" not in str(error)
        else:
            assert duel.save() == final
            harmless += 1
    assert harmless < 350


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", r"not JSON, or cut short"),
        ("[]", "not a replay"),
        ("5", "not a replay"),
        ("null", "not a replay"),
        ("[" * 100_000, "not JSON, or cut short"),
        ('{"format": "solwaris-replay", "version": NaN}', "replay version nan"),
        ("\x00", "not JSON"),
    ],
)
def test_what_is_no_replay_is_named(content, words):
    refused(content, words)


def test_files_are_named(text, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReplayError, match=r"bad\.json: not a text file"):
        Replay.load(bad)
    bad.write_text(text[:-50])
    with pytest.raises(ReplayError, match=r"bad\.json: not JSON, or cut short"):
        Replay.load(bad)
    with pytest.raises(SolwarisError, match=r"none\.json"):
        Replay.load(tmp_path / "none.json")
    with pytest.raises(SolwarisError):
        Replay.load(tmp_path)
    replay = Replay.from_json(text)
    with pytest.raises(SolwarisError):
        replay.save(tmp_path / "no" / "such" / "folder.json")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.json"]


def test_a_seat_must_exist(text):
    replay = Replay.from_json(text)
    with pytest.raises(ReplayError, match="seat 2 has no hero in this duel of 2"):
        next(replay.frames(seat=2))
