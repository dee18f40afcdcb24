"""Whole duels, from the set-up to the result, by mouse and by keyboard alone."""

import json
import re
from typing import Any

import pytest
from selenium.webdriver import Keys
from serving import ORIGINALS
from table import Table, cell_in, plain

from solwaris_env.duel.engine.state import TOUR_LIMIT

MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"
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


def pass_until_aimed(
    table: Table, slot: int, secret: str | None, shield: int | None = None
) -> list[int]:
    """Play on, the other side doing nothing but to cast its `shield`, until the own hero can cast
    at it, and it has that armour if it shall; its cell."""
    while True:
        state = table.state(secret)
        if state["legal"]:
            table.act(passing(state, shield), secret)
            continue
        state = table.my_turn()
        foe = state["view"]["entities"][1]
        aimed = state["view"]["actor"] == 0 and foe["cell"] in state["legal"]["cast"][slot]
        if aimed and (shield is None or foe["shown"]["armour"]):
            return foe["cell"]
        seq = state["seq"]
        table.act({"type": "pass"} if aimed else table.advice(state))
        table.until(lambda seq=seq: table.state()["seq"] > seq)


def passing(state: dict[str, Any], shield: int | None = None) -> dict[str, Any]:
    """What a side does that does nothing but to cast its `shield` on itself."""
    if place := state["legal"]["place"]:
        return {"type": "place", "cell": place[0]}
    if shield is not None and (cells := state["legal"]["cast"][shield]):
        return {"type": "cast", "slot": shield, "cell": cells[0]}
    return {"type": "pass"}


def forecast(table: Table, cell: list[int]) -> list[str]:
    """The lines drawn above a cell; another one's are above its own."""
    script = """
    const box = document.querySelector(`[data-cell="${arguments[0]}"]`).getBoundingClientRect();
    const middle = box.x + box.width / 2;
    return [...document.querySelectorAll(".forecast")].flatMap((text) => {
      const own = text.getBoundingClientRect();
      if (Math.abs(own.x + own.width / 2 - middle) > 2) return [];
      return [...text.childNodes].map((node) => node.textContent);
    });"""
    return [plain(line) for line in table.run(script, f"{cell[0]},{cell[1]}")]


@pytest.mark.parametrize(("focused", "chance"), [(False, 10), (True, 20)])
def test_a_forecast_tells_of_critical_hits(table: Table, focused: bool, chance: int) -> None:
    loadout = [*ORIGINALS[:-1], focused]  # the passive Focalisation makes them likelier
    _, secret = table.begin({"class": "arcaniste", "loadout": loadout}, {"class": "horloger"})
    table.open(f"duel/{table.duel}")
    there = pass_until_aimed(table, 0, secret)
    table.press("1")
    table.until(lambda: cell_in(table.text("cursor-text")) == there)
    heard = rf"\W(\d+)\W(\d+), critical hit {chance}%: \W(\d+)\W(\d+)"
    found = re.search(heard, table.text("cursor-text"))
    assert found, table.text("cursor-text")
    least, most, more, utmost = map(int, found.groups())
    assert abs(more - 1.5 * least) <= 1.25 and abs(utmost - 1.5 * most) <= 1.25  # rounded once
    drawn = table.run("return document.querySelector('.forecast .critical').textContent")
    assert re.findall(r"\d+", drawn) == [str(chance), str(more), str(utmost)]
    assert plain(drawn).startswith(f"critical hit {chance}%")


def test_a_forecast_has_what_the_spell_costs_its_caster(table: Table) -> None:
    _, secret = table.begin({"class": "brute", "loadout": [True] * 9}, {"class": "horloger"})
    table.open(f"duel/{table.duel}")
    there = pass_until_aimed(table, 0, secret)
    before = table.my_turn()["view"]["entities"][0]
    table.press("1")
    table.until(lambda: cell_in(table.text("cursor-text")) == there)
    apart = """
    const boxes = [...document.querySelectorAll(".forecast")].map((text) => text.getBBox());
    return boxes.every((a, n) => boxes.slice(n + 1).every((b) =>
      a.x + a.width <= b.x || b.x + b.width <= a.x ||
      a.y + a.height <= b.y || b.y + b.height <= a.y)) ? boxes.length : 0;"""
    assert table.run(apart) == 2
    (own,) = forecast(table, before["cell"])[:1]
    sign, *bounds = re.fullmatch(rf"([{MINUS}+]?)(\d+)(?:{DASH}(\d+))?", own).groups()
    losses = [int(bound) * (-1 if sign == "+" else 1) for bound in bounds if bound]
    table.press(Keys.ENTER)
    table.until(lambda: table.state()["view"]["entities"][0]["shown"]["ap"] < before["shown"]["ap"])
    lost = before["hp"] - table.state()["view"]["entities"][0]["hp"]
    assert min(losses) - 6 <= lost <= max(losses), (own, lost)  # a critical hit gives back more
    assert "+" not in own  # eight are paid, and no more comes back


def test_a_blow_that_armour_takes_heals_nobody(table: Table) -> None:
    _, secret = table.begin({"class": "arcaniste"}, {"class": "guerrier"})
    table.open(f"duel/{table.duel}")
    there = pass_until_aimed(table, 0, secret, shield=5)
    table.press("1")
    table.until(lambda: cell_in(table.text("cursor-text")) == there)
    assert re.search(rf"\w 0, armour {MINUS}\d+{DASH}\d+", table.text("cursor-text"))
    lines = forecast(table, there)
    assert lines[0] == "0" and re.fullmatch(rf"armour {MINUS}\d+{DASH}\d+", lines[1])


def cornered(state: dict[str, Any], terrain: list[str]) -> tuple[list[int], list[int]]:
    """A start cell where a push from a cell beside it ends at once, and that cell."""
    for row, column in state["legal"]["place"]:
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            here, beyond = (row - down, column - right), (row + down, column + right)
            signs = [terrain[cell[0]][cell[1]] for cell in (here, beyond)]
            if signs[0] == "." and signs[1] != ".":
                return [row, column], [*here]
    raise AssertionError("nobody can be cornered")


def steps_to(goal: list[int], terrain: list[str], avoided: list[int]) -> dict[tuple[int, int], int]:
    """How many steps it takes to a cell, around another one, by where they begin."""
    steps, edge = {(goal[0], goal[1]): 0}, [(goal[0], goal[1])]
    for row, column in edge:
        for beside in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            free = terrain[beside[0]][beside[1]] == "." and [*beside] != avoided
            if free and beside not in steps:
                steps[beside] = steps[row, column] + 1
                edge.append(beside)
    return steps


def test_a_forecast_of_several_hits_has_their_bound_alone(table: Table) -> None:
    own, other = table.begin({"class": "guerrier"}, {"class": "horloger"})
    maps = table.http.get("/v1/catalogue").json()["maps"]
    terrain = next(sheet["terrain"] for sheet in maps if sheet["id"] == "caveau")
    if not table.state(other)["legal"]:
        table.act(passing(table.state(own)), own)
    there, goal = cornered(table.state(other), terrain)
    steps = steps_to(goal, terrain, there)
    table.act({"type": "place", "cell": there}, other)
    while (here := (state := table.state(own))["view"]["entities"][0]["cell"]) != goal:
        if not state["legal"] or state["legal"]["place"]:
            side = other if not state["legal"] else own
            table.act(passing(table.state(side)), side)
            continue
        nearer = min(state["legal"]["go"], key=lambda cell: steps[cell[0], cell[1]], default=here)
        walks = here and nearer and steps[nearer[0], nearer[1]] < steps[here[0], here[1]]
        table.act({"type": "go", "cell": nearer} if walks else {"type": "pass"}, own)
    while (state := table.state(own))["view"]["entities"][0]["shown"]["ap"] < 4 or not state[
        "legal"
    ]:
        side = own if state["legal"] else other
        table.act({"type": "pass"}, side)
    table.open(f"duel/{table.duel}")
    table.my_turn()
    table.press("2")  # Bourrade pushes against the wall: a blow, then a collision
    table.until(lambda: cell_in(table.text("cursor-text")) == there)
    heard = re.search(
        rf"{MINUS}(\d+){DASH}(\d+), with critical hits up to {MINUS}(\d+)$",
        table.text("cursor-text"),
    )
    assert heard, table.text("cursor-text")
    assert int(heard[2]) < int(heard[3]) and "%" not in "".join(forecast(table, there))
