"""Whole duels, from the set-up to the result, by mouse and by keyboard alone."""

import json
import re
from typing import Any

import pytest
from selenium.webdriver import Keys
from serving import ORIGINALS
from table import Table, cell_in, plain

from solwaris_env.duel.engine.state import TOUR_LIMIT

CHOICES = ("class-brute", "opponent-random", "map-caveau")


def ended_well(table: Table, end: dict[str, Any]) -> None:
    """The result is shown, and the log told of the whole duel."""
    assert end["over"] and end["outcome"]["termination"] == "knockout", end["outcome"]
    table.shown("result")
    won = end["outcome"]["winner"] == 0
    assert ("Victory" if won else "Defeat") in table.text("result")
    log = table.text("log")
    assert re.search(r"Tour \d+:", log) and "is out of the fight" in log  # only the last lines stay
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
    assert "Your camp gives up: the other camp wins" in table.text("result")


def test_space_and_f_end_the_turn_as_the_help_says(table: Table) -> None:
    table.begin({"class": "brute"}, {"player": "greedy"})
    table.open(f"duel/{table.duel}")
    table.by_keyboard(table.advice(table.my_turn()))
    for key in (" ", "f", " "):
        state = table.my_turn()
        if state["view"]["phase"] == "fight":
            assert f"Tour {state['view']['tour']} of {TOUR_LIMIT}" in table.text("status")
        table.press(key)
        table.until(lambda seq=state["seq"]: table.state()["seq"] > seq, f"{key!r} does nothing")
    table.press("?")
    keys = table.shown("help-close").find_element("xpath", "..").text
    assert "F or Space: end the turn" in keys and "F or Space: do not follow" in keys


def test_a_key_pressed_during_the_own_walk_counts_once_it_ends(table: Table) -> None:
    table.begin({"class": "brute"}, {"player": "greedy"})
    table.open(f"duel/{table.duel}")
    while (state := table.my_turn())["view"]["phase"] != "fight":
        table.play(table.by_mouse, 1)
    far = max(state["legal"]["go"], key=lambda cell: abs(cell[1] - 13) + abs(cell[0] - 8))
    table.by_keyboard({"type": "go", "cell": far})
    table.press("f")
    turn = state["view"]["turn"]
    table.until(lambda: table.state()["view"]["turn"] > turn, "the turn does not end")


def test_the_auction_tells_its_price_and_ones_camp(table: Table) -> None:
    own, other = table.begin({"class": "brute", "purse": 500}, {"class": "ombre", "purse": 500})
    for secret in (own, other):
        table.act({"type": "place", "cell": table.state(secret)["legal"]["place"][0]}, secret)
    table.open(f"duel/{table.duel}")
    if table.state()["view"]["to_act"] == 0:
        table.my_turn()
        assert [table.text(name) for name in ("raise", "decline")] == [
            "Bid 100 coins",
            "Do not bid",
        ]
        table.by_mouse({"type": "raise"})
        table.until(lambda: table.state(other)["legal"])
    else:
        assert not table.all("raise")[0].is_enabled()
    price = table.state(other)["view"]["auction"]["price"]
    table.act({"type": "raise"}, other)
    table.my_turn()
    assert table.shown("raise").text == f"Raise to {price + 200} coins"
    assert table.shown("decline").text == "Do not follow"
    assert table.shown("own-camp").text == "You are the blue camp"


def test_the_focus_outlives_the_turn_and_the_auction(table: Table) -> None:
    table.begin({"class": "brute", "purse": 500}, {"player": "greedy", "purse": 500})
    table.open(f"duel/{table.duel}")
    for _ in range(4):
        state = table.my_turn()
        phase = state["view"]["phase"]
        if phase == "placement":
            table.tab_to("board")
            table.by_keyboard(table.advice(state))
        else:
            table.tab_to("decline" if phase == "auction" else "end-turn")
            table.press(Keys.ENTER)
        table.until(lambda seq=state["seq"]: table.state()["seq"] > seq)
        table.my_turn()
        assert table.focused() in ("board", "decline", "end-turn"), phase
    assert phase == "fight"


def test_keys_pressed_in_the_log_play_nothing(table: Table) -> None:
    table.begin({"class": "brute"}, {"player": "greedy"})
    table.open(f"duel/{table.duel}")
    while (state := table.my_turn())["view"]["phase"] != "fight":
        table.play(table.by_mouse, 1)
    table.tab_to("log")
    table.press(" ", "f", "1", Keys.ARROW_DOWN, Keys.ENTER)
    assert table.focused() == "log"
    assert table.run("return document.querySelector('.spell[aria-pressed=true]')") is None
    table.tab_to("board")
    assert table.state()["seq"] == state["seq"]
    table.press("f")
    table.until(lambda: table.state()["seq"] > state["seq"])


def test_the_log_key_opens_and_closes(table: Table) -> None:
    table.begin({"class": "brute"}, {"player": "greedy"})
    table.narrow()
    table.open(f"duel/{table.duel}")
    table.my_turn()
    table.press("j")
    table.until(lambda: table.all("log")[0].is_displayed())
    table.press("j")
    table.until(lambda: not table.all("log")[0].is_displayed())


def test_two_on_two_names_each_fighter(table: Table) -> None:
    foe = {"player": "greedy", "class": "guerrier"}
    table.begin({"class": "brute"}, foe, {"player": "greedy", "class": "ombre"}, foe)
    assert table.state()["seats"][0]["name"] == "human"
    table.open(f"duel/{table.duel}", language="fr")
    table.my_turn()
    shown = [e.text for e in table.driver.find_elements("css selector", ".order-card .who")]
    assert sorted(shown) == ["Guerrier 2", "Guerrier 4", "Ombre 3", "Vous"]


@pytest.mark.parametrize("spectators", [True, False])
def test_a_rematch_repeats_the_duel_just_played(table: Table, spectators: bool) -> None:
    own = {"class": "ombre", "loadout": [True, False] * 4 + [True], "name": "Alix", "purse": 300}
    other = {"player": "greedy", "class": "horloger", "loadout": [False] * 8 + [True], "purse": 0}
    table.begin(own, other, map="temple", stakes=100, spectators=spectators)
    before = table.state()
    table.open(f"duel/{table.duel}")
    last = {"seats": [{"class": "brute"}, {"player": "random"}], "map": "caveau"}
    table.run("localStorage.setItem('solwaris.settings', arguments[0])", json.dumps(last))
    table.my_turn()
    table.click("give-up")
    table.click("confirm-give-up")
    table.click("rematch")
    table.until(lambda: before["duel"] not in table.driver.current_url)
    table.sit_down()
    again = table.my_turn()
    for part in ("map", "stakes", "heroes"):
        assert again["view"][part] == before["view"][part], part
    for mine, known in zip(again["seats"], before["seats"], strict=True):
        assert (mine["player"], mine["name"]) == (known["player"], known["name"])
    assert again["clocks"] == before["clocks"]
    assert again["spectators"] == before["spectators"] == spectators


def pass_until_aimed(table: Table, slot: int, secret: str | None) -> list[int]:
    """Play on, the other side doing nothing, until the own hero can cast at it; its cell."""
    while True:
        state = table.state(secret)
        if state["legal"]:
            place = state["legal"]["place"]
            table.act({"type": "place", "cell": place[0]} if place else {"type": "pass"}, secret)
            continue
        state = table.my_turn()
        there = state["view"]["entities"][1]["cell"]
        if state["view"]["actor"] == 0 and there in state["legal"]["cast"][slot]:
            return there
        seq = state["seq"]
        table.act(table.advice(state))
        table.until(lambda seq=seq: table.state()["seq"] > seq)


@pytest.mark.parametrize(("focused", "chance"), [(False, 10), (True, 20)])
def test_a_forecast_tells_of_critical_hits(table: Table, focused: bool, chance: int) -> None:
    loadout = [*ORIGINALS[:-1], focused]  # the passive Focalisation makes them likelier
    _, secret = table.begin({"class": "arcaniste", "loadout": loadout}, {"class": "horloger"})
    table.open(f"duel/{table.duel}")
    there = pass_until_aimed(table, 0, secret)
    table.press("1")
    table.until(lambda: cell_in(table.text("cursor-text")) == there)
    heard = rf"\W(\d+)\W(\d+), critical hit {chance} %: \W(\d+)\W(\d+)"
    found = re.search(heard, table.text("cursor-text"))
    assert found, table.text("cursor-text")
    least, most, more, utmost = map(int, found.groups())
    assert abs(more - 1.5 * least) <= 1.25 and abs(utmost - 1.5 * most) <= 1.25  # rounded once
    drawn = table.run("return document.querySelector('.forecast .critical').textContent")
    assert re.findall(r"\d+", drawn) == [str(chance), str(more), str(utmost)]
    assert plain(drawn).startswith(f"{chance} %")
