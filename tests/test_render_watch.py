"""`solwaris watch`: a replay in the terminal and as a GIF."""

import argparse
import io
import os
import sys

import pytest
import render_views as views

from solwaris_env.errors import SolwarisError
from solwaris_env.render import watch
from solwaris_env.render.gif import gif_bytes

Image = pytest.importorskip("PIL.Image")


def parse(*words: str) -> argparse.Namespace:
    """The arguments as the command line gives them."""
    parser = argparse.ArgumentParser()
    watch.add_arguments(parser)
    return parser.parse_args(words)


def steps(*_: object):
    """A duel of five pictures: placement, auction, two actions of a turn, the end."""
    last = views.fight()
    last["entities"][0]["cell"] = [9, 14]
    last["log"] = ["Ombre goes to j15."]
    yield views.placement(), None
    yield views.auction(), "player_0: raise"
    yield views.fight(), "player_0: cast 1 i17"
    yield last, "player_0: go j15"
    yield views.over(), "player_0: cast 1 g18"


@pytest.fixture
def stand_in(monkeypatch):
    """Hand-written views in place of a replay's."""
    monkeypatch.setattr(watch, "_steps", steps)


def test_pictures_stand_at_each_new_turn_and_actions_between(stand_in, capsys):
    assert watch.run(parse("duel.replay")) == 0
    text = capsys.readouterr().out
    assert text.count("1 against 1") == 4
    assert text.count("-- player_0: ") == 4
    assert "   Ombre goes to j15." in text
    assert "Blue wins (knockout)" in text
    assert "\x1b" not in text
    assert text.index("cast 1 i17") < text.index("go j15") < text.index("Blue wins")


@pytest.mark.parametrize(
    ("words", "env", "coloured"),
    [((), "", True), (("--no-color",), "", False), ((), "1", False)],
)
def test_a_terminal_is_painted_and_paced(stand_in, monkeypatch, words, env, coloured):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen, naps = Terminal(), []
    monkeypatch.setenv("NO_COLOR", env)
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(watch.time, "sleep", naps.append)
    watch.run(parse("duel.replay", "--speed", "4", *words))
    assert ("\x1b[34;1m" in screen.getvalue()) == coloured
    assert naps
    assert set(naps) == {0.2}


def test_gif_has_a_picture_for_each_step(stand_in, tmp_path, capsys):
    path = tmp_path / "duel.gif"
    path.write_bytes(b"old")
    assert watch.run(parse("duel.replay", "--gif", str(path), "--speed", "2")) == 0
    assert "duel.gif: " in capsys.readouterr().out
    assert [one.name for one in tmp_path.iterdir()] == ["duel.gif"]
    with Image.open(path) as picture:
        assert picture.format == "GIF"
        assert picture.n_frames == 5
        assert picture.size == (960, 600)
        assert picture.info["loop"] == 0
        durations = []
        for frame in range(5):
            picture.seek(frame)
            durations.append(picture.info["duration"])
        assert durations == [400, 400, 400, 400, 3000]


def test_gif_shows_what_the_frames_show():
    import numpy as np

    from solwaris_env.render.frame import render_frame

    shown = [view for view, _ in steps()]
    with Image.open(io.BytesIO(gif_bytes(shown, 0.5))) as picture:
        for place, view in enumerate(shown):
            picture.seek(place)
            pixels = np.asarray(picture.convert("RGB"), dtype=int)
            far = np.abs(pixels - render_frame(view, (960, 600)))
            assert far.mean() < 6


def test_gif_is_repeatable_and_of_one_picture_too():
    shown = [view for view, _ in steps()]
    assert gif_bytes(shown, 0.5) == gif_bytes(shown, 0.5)
    with Image.open(io.BytesIO(gif_bytes(shown[:1], 0.5))) as picture:
        assert getattr(picture, "n_frames", 1) == 1


def test_gif_of_a_long_duel_keeps_both_ends(monkeypatch):
    from solwaris_env.render import gif

    monkeypatch.setattr(gif, "MOST", 4)
    shown = []
    for turn in range(9):
        view = views.fight()
        view["turn"] = turn
        shown.append(view)
    drawn = []
    real = gif.render_frame
    monkeypatch.setattr(
        gif, "render_frame", lambda view, size: drawn.append(view["turn"]) or real(view, size)
    )
    with Image.open(io.BytesIO(gif_bytes(shown, 0.5))) as picture:
        assert picture.n_frames == 4
    assert drawn[-4:] == [0, 3, 5, 8]


def test_gif_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one picture"):
        gif_bytes([], 1.0)


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf"])
def test_senseless_speed(stand_in, speed):
    with pytest.raises(SolwarisError, match=r"--speed must be from 0\.01 to 100"):
        watch.run(parse("duel.replay", f"--speed={speed}"))


def test_gif_path_is_checked_before_the_show(stand_in, tmp_path, capsys):
    with pytest.raises(SolwarisError, match="is a folder"):
        watch.run(parse("duel.replay", "--gif", str(tmp_path)))
    with pytest.raises(SolwarisError, match="its folder does not exist"):
        watch.run(parse("duel.replay", "--gif", str(tmp_path / "no" / "duel.gif")))
    assert capsys.readouterr().out == ""


def test_a_gif_that_cannot_be_written_leaves_the_old_one(stand_in, tmp_path, monkeypatch):
    path = tmp_path / "duel.gif"
    path.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SolwarisError, match="no space left"):
        watch.run(parse("duel.replay", "--gif", str(path)))
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["duel.gif"]


def test_gif_without_pillow_is_one_sentence(stand_in, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(SolwarisError, match=r"pip install 'solwaris\[render\]'"):
        watch.run(parse("duel.replay", "--gif", str(tmp_path / "duel.gif")))
