"""What a person sees of a run: a line that fits a terminal, plain lines without one."""

import io

import pytest

from training.progress import TrainingProgress, clock


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO, **kwargs: bool) -> str:
    """What two updates and one remark leave on `stream`."""
    with TrainingProgress(stream, **kwargs) as progress:
        progress.update(0.25, 1_000, 1_234.5, 61, {})
        progress.say("a remark")
        progress.update(0.5, 2_000, 1_234.5, 59.6, {"random": 0.5})
    return stream.getvalue()


def test_plain_lines_come_now_and_then() -> None:
    """Without a terminal: no control characters, and no second line within half a minute."""
    text = shown(io.StringIO())
    assert text == "training  25%  1,000 steps, 1,234/s, 1:01 left\na remark\n"


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share, rate, time left and win rates, redrawn."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    text = shown(Terminal())
    for word in ("50%", "2,000 steps", "1,234/s", "1:00 left", "random 50%", "a remark"):
        assert word in text


def test_quiet_is_silent() -> None:
    """Nothing at all."""
    assert shown(io.StringIO(), shown=False) == ""


def test_clock() -> None:
    """Minutes and seconds."""
    assert [clock(seconds) for seconds in (0, 59.6, 3600, -3)] == ["0:00", "1:00", "60:00", "0:00"]
