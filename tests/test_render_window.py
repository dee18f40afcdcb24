"""The window of render_mode "human", without a screen."""

import sys

import pytest
import render_views as views

from solwaris_env.render.window import Window


@pytest.fixture
def dummy(monkeypatch):
    """SDL draws into memory."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pytest.importorskip("pygame")


def test_shows_and_closes(dummy):
    window = Window(size=(640, 400), fps=0)
    assert window.open
    window.show(views.fight())
    window.show(views.team())
    window.close()
    assert not window.open
    window.show(views.fight())
    window.close()


def test_a_second_window_opens_after_the_first(dummy):
    for _ in range(2):
        window = Window(size=(640, 400), fps=0)
        window.show(views.fight())
        assert window.open
        window.close()


def test_the_person_closes_it(dummy):
    import pygame

    window = Window(size=(640, 400), fps=0)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(views.fight())
    assert not window.open


def test_the_pixels_are_the_frames(dummy):
    import numpy as np
    import pygame

    from solwaris_env.render.frame import render_frame

    window = Window(size=(640, 400), fps=0)
    window.show(views.fight())
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    np.testing.assert_array_equal(shown, render_frame(views.fight(), (640, 400)))
    window.close()


def test_no_display_is_one_sentence(monkeypatch, capsys):
    pytest.importorskip("pygame")
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    window = Window()
    assert not window.open
    window.show(views.fight())
    window.close()
    words = capsys.readouterr().err
    assert words.count("\n") == 1
    assert "no display" in words


def test_a_display_that_does_not_answer_is_one_sentence(monkeypatch, capsys):
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    window = Window()
    assert not window.open
    window.show(views.fight())
    assert "no display" in capsys.readouterr().err


def test_without_pygame_there_is_a_hint(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match=r"pip install 'solwaris\[render\]'"):
        Window()
