"""Whole duels, from the set-up to the result, by mouse and by keyboard alone."""

from typing import Any

from selenium.webdriver import Keys
from table import Table

CHOICES = ("class-brute", "opponent-random", "map-caveau")


def ended_well(table: Table, end: dict[str, Any]) -> None:
    """The result is shown, and the log told of the whole duel."""
    assert end["over"] and end["outcome"]["termination"] == "knockout", end["outcome"]
    table.shown("result")
    won = end["outcome"]["winner"] == 0
    assert ("Victory" if won else "Defeat") in table.text("result")
    log = table.text("log")
    assert "Tour 1:" in log and "is out of the fight" in log
    assert not any(word in log for word in ("undefined", "null", "{", "NaN"))


def test_a_whole_duel_by_mouse(table: Table) -> None:
    table.open()
    for choice in CHOICES:
        table.click(choice)
    table.click("start")
    table.sit_down()
    ended_well(table, table.play(table.by_mouse))
    table.click("replay")
    table.replay()
    table.click("replay-close")
    table.click("new-duel")
    assert table.shown("class-brute").get_attribute("aria-pressed") == "true"


def test_a_whole_duel_by_keyboard(table: Table) -> None:
    table.begin({"class": "brute"}, {"player": "random", "class": "arcaniste"})
    table.open(f"duel/{table.duel}")
    ended_well(table, table.play(table.by_keyboard))
    table.tab_to("replay")
    table.press(Keys.ENTER)
    table.replay()
    table.press(Keys.ESCAPE)
    table.tab_to("new-duel")
    table.press(Keys.ENTER)
    table.shown("start")


def test_setting_up_by_keyboard(table: Table) -> None:
    table.open()
    table.shown("start")
    for choice in CHOICES:
        table.tab_to(choice)
        table.press(Keys.ENTER)
    table.tab_to("start")
    table.press(Keys.ENTER)
    table.sit_down()
    view = table.my_turn()["view"]
    assert view["heroes"][0]["class"] == "brute" and view["map"] == "caveau"
    assert table.state()["seats"][1]["player"] == "random"


def test_giving_up_is_asked_about(table: Table) -> None:
    table.begin({"class": "brute"}, {"player": "greedy"})
    table.open(f"duel/{table.duel}")
    table.by_mouse(table.advice(table.my_turn()))
    table.my_turn()
    table.click("give-up")
    table.click("cancel")
    assert not table.state()["over"]
    table.click("give-up")
    table.click("confirm-give-up")
    table.until(lambda: table.state()["over"])
    assert "Defeat" in table.until(lambda: table.text("result"))
