"""A finished duel again: turn by turn, by buttons, slider and keyboard."""

from typing import Any

import pytest
from selenium.webdriver import Keys
from table import Table


@pytest.fixture
def finished(table: Table) -> list[dict[str, Any]]:
    """The moments of a duel that is over; the page shows its replay."""
    table.begin({"player": "greedy", "class": "brute"}, {"player": "random", "class": "horloger"})
    table.until(lambda: table.state()["over"])
    frames = table.frames()
    table.open(f"replay/{table.duel}")
    table.replay()
    return frames


def position(table: Table) -> int:
    """The moment that is shown."""
    return int(table.all("replay-screen")[0].get_attribute("data-position"))


def standing(table: Table) -> dict[int, str]:
    """The hit points that the board shows, by fighter."""
    found = table.run(
        "return [...document.querySelectorAll('[data-entity]')].map(piece => "
        "[+piece.dataset.entity, piece.querySelector('.hp-number').textContent])"
    )
    return dict(found)


def fits(table: Table, frame: dict[str, Any]) -> bool:
    """Whether the board shows the moment."""
    seen = frame["view"]["entities"]
    there = {e["index"]: str(e["hp"]) for e in seen if e["cell"] and e["shown"]["alive"]}
    return standing(table) == there


def starts_of(frames: list[dict[str, Any]]) -> list[int]:
    """The moments at which turns begin, and the very first one."""
    begun = [
        number
        for number, frame in enumerate(frames)
        if any(event["kind"] == "turn_begins" for event in frame["events"])
    ]
    return [0, *begun]


def test_turn_by_turn_with_the_buttons(table: Table, finished: list[dict[str, Any]]) -> None:
    starts = starts_of(finished)
    for number, start in enumerate(starts):
        assert position(table) == start
        assert fits(table, finished[start])
        assert f"({number + 1} of {len(starts)})" in table.text("replay-turn")
        if start:
            assert table.text("replay-turn").startswith(f"Tour {finished[start]['view']['tour']}:")
            told = [e for e in finished[start]["events"] if e["kind"] == "turn_begins"]
            assert told and "to play" in table.text("replay-log")
        table.click("replay-next")
    assert position(table) == len(finished) - 1
    assert fits(table, finished[-1])
    assert "the duel is over" in table.text("replay-log").lower()
    table.click("replay-previous")
    assert position(table) == starts[-2]
    table.click("replay-first")
    assert position(table) == 0
    table.click("replay-last")
    assert position(table) == len(finished) - 1


def test_replay_by_keyboard_and_slider(table: Table, finished: list[dict[str, Any]]) -> None:
    starts = starts_of(finished)
    table.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert position(table) == starts[2]
    table.press(".")
    assert position(table) == starts[2] + 1
    table.press(",", Keys.ARROW_LEFT)
    assert position(table) == starts[1]
    table.press(Keys.END)
    assert position(table) == len(finished) - 1
    table.press(Keys.HOME)
    assert position(table) == 0
    table.tab_to("replay-slider")
    table.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert position(table) == 3 and fits(table, finished[3])


def test_replay_plays_by_itself_and_as_a_seat_saw_it(
    table: Table, finished: list[dict[str, Any]]
) -> None:
    table.run(
        "const speed = document.querySelector('[data-testid=replay-speed]');"
        "speed.value = '8'; speed.dispatchEvent(new Event('change'));"
    )
    table.press(" ")
    table.until(lambda: position(table) >= 2)
    assert table.shown("replay-play").get_attribute("aria-label") == "Pause"
    table.click("replay-play")
    stopped = position(table)
    assert stopped < len(finished) - 1 and table.shown("replay-play").accessible_name == "Play"
    table.run(
        "const view = document.querySelector('[data-testid=replay-view]');"
        "view.value = '1'; view.dispatchEvent(new Event('change'));"
    )
    seat = table.ask(f"/frames?from={stopped}&limit=1&seat=1")
    table.until(lambda: fits(table, seat["frames"][0]))
    table.press(Keys.ESCAPE)
    table.until(lambda: f"#/duel/{table.duel}" in table.driver.current_url)


def test_a_phone_shows_a_replay_with_one_scroller(
    table: Table, finished: list[dict[str, Any]]
) -> None:
    table.narrow()
    table.open(f"replay/{table.duel}")
    table.replay()
    fits = (
        "return [...document.querySelectorAll('.screen, .replay, .replay-board')].every(e => "
        "e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth + 1)"
    )
    table.until(lambda: table.run(fits), "more than the log scrolls")
    buttons = table.driver.find_elements("css selector", ".replay-bar button")
    assert len({button.rect["y"] for button in buttons}) == 1
