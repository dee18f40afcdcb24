"""Drawing real duels: each map and class, replays watched, pictures that leak nothing."""

import json

import numpy as np
import pytest
from commands import refused
from test_render_text import board

from solwaris_env import cli
from solwaris_env.duel.codec import FORFEIT, PASS
from solwaris_env.duel.content.loader import content
from solwaris_env.duel.engine.state import Phase
from solwaris_env.duel.game import Duel
from solwaris_env.duel.replay import Replay
from solwaris_env.duel.view import json_view
from solwaris_env.render.frame import render_frame
from solwaris_env.render.text import render_text

SMALL = (640, 400)


def act(duel: Duel, rng: np.random.Generator) -> int:
    """A legal action, casts before others, never giving up."""
    legal = np.flatnonzero(duel.mask())
    legal = legal[legal != FORFEIT]
    casts = legal[legal < PASS]
    return int(rng.choice(casts if len(casts) and rng.random() < 0.8 else legal))


def recorded(seed: int, actions: int, **options: object) -> Replay:
    """A replay of some random actions."""
    replay = Replay.begin(seed, options)
    rng = np.random.default_rng(seed)
    for _ in range(actions):
        if replay.duel.seat < 0:
            break
        replay.apply(act(replay.duel, rng))
    return replay


@pytest.mark.parametrize("number", range(9))
def test_every_map_and_class_is_drawn_for_every_seat(number):
    sheets = content()
    names = [sheets.classes[(number + shift) % 6].id for shift in range(4)]
    duel = Duel.new(number, map=sheets.maps[number].id, classes=names, team_size=2)
    rng = np.random.default_rng(number)
    for step in range(60):
        duel.apply(act(duel, rng))
        if step % 12:
            continue
        for seat in range(4):
            view = json_view(duel, seat)
            text = render_text(view)
            assert sheets.maps[number].name in text
            assert sum(signs.strip() != "" for signs in board(text).values()) >= 149
            for hero in view["heroes"]:
                assert hero["class_name"] in text
                assert all(spell["name"] in text for spell in hero["spells"])
            again = json.loads(json.dumps(view))
            assert render_text(again) == text
            np.testing.assert_array_equal(render_frame(view, SMALL), render_frame(again, SMALL))


def test_hidden_placements_and_traps_do_not_show():
    duel = Duel.new(5, map="caveau", classes=["ombre", "guerrier"], team_size=1)
    cells = np.flatnonzero(duel.mask())
    other = duel.clone()
    duel.apply(int(cells[0]))
    other.apply(int(cells[-2]))
    assert duel.state.phase == Phase.PLACEMENT
    for draw in (render_text, lambda view: render_frame(view, SMALL).tobytes()):
        assert draw(json_view(duel, 1)) == draw(json_view(other, 1))
        assert draw(json_view(duel, 0)) != draw(json_view(other, 0))


def test_watch_shows_a_recorded_duel_and_writes_a_gif(tmp_path, capsys):
    image = pytest.importorskip("PIL.Image")
    path, gif = tmp_path / "duel.json", tmp_path / "duel.gif"
    replay = recorded(3, 25, team_size=1)
    replay.save(path)
    assert cli.main(["watch", str(path), "--seat", "1", "--gif", str(gif)]) == 0
    shown = capsys.readouterr().out
    acting = [duel.seat for duel, _ in replay.frames()][:-1]
    own = [text for seat, text in zip(acting, replay.actions, strict=True) if seat == 1]
    assert 0 < len(own) < len(replay.actions)
    # the other camp's actions would name cells that player_1 may not know
    assert [line[3:] for line in shown.splitlines() if line.startswith("-- ")] == own
    assert "You are player_1 of Red." in shown
    with image.open(gif) as picture:
        assert picture.n_frames == len(replay.actions) + 1


def spoilt(text: str) -> list[tuple[str, str]]:
    """Faulty files: (content, what the sentence must say)."""
    data = json.loads(text)
    longer = data | {"actions": [*data["actions"], "dance"]}
    longer["hashes"] = [*data["hashes"], [len(longer["actions"]), data["hashes"][-1][1]]]
    return [
        ("", "not JSON"),
        (text[: len(text) // 2], "cut short"),
        ("{}", "not a replay"),
        (json.dumps(data | {"rules": "0.0.1"}), "rules '0.0.1'"),
        (json.dumps(data | {"version": 99}), "version 99"),
        (json.dumps(longer), "dance"),
        (json.dumps(data | {"seed": data["seed"] + 1}), "not the recorded one"),
    ]


def test_watch_answers_faulty_files_with_one_sentence(tmp_path, capsys):
    path = tmp_path / "duel.json"
    for words, reason in spoilt(recorded(4, 12, team_size=1).to_json()):
        path.write_text(words)
        assert cli.main(["watch", str(path)]) == 2
        heard = capsys.readouterr().err
        assert heard.startswith("solwaris: ")
        assert heard.count("\n") == 1
        assert reason in heard


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["missing.json"], "missing.json"),
        (["duel.json", "--seat", "3"], "seat 3"),
        (["duel.json", "--seat", "-1"], "seat -1"),
        (["duel.json", "--seat", "x"], "--seat"),
        (["duel.json", "--speed", "0"], "--speed"),
        (["duel.json", "--gif", "no/such/folder.gif"], "folder"),
    ],
)
def test_watch_answers_faulty_options_with_one_sentence(
    words, reason, tmp_path, capsys, monkeypatch
):
    recorded(4, 6, team_size=1).save(tmp_path / "duel.json")
    monkeypatch.chdir(tmp_path)
    assert reason in refused(["watch", *words], capsys)


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
def test_the_environment_renders(mode, monkeypatch):
    from solwaris_env import duel_v0

    if mode == "human":
        pytest.importorskip("pygame")
        monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = duel_v0.env(render_mode=mode)
    env.reset(seed=1)
    picture = env.render()
    if mode == "ansi":
        assert "You are player_" in picture
    elif mode == "rgb_array":
        assert picture.shape == (900, 1440, 3)
    env.close()
