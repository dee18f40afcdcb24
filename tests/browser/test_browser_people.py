"""Two people play each other, each in a browser of their own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import chromium
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select
from serving import Process
from table import Table, plain

TURNS = 6


@pytest.fixture
def guest(server: Process, tmp_path: Path) -> Iterator[Table]:
    """A second browser, elsewhere."""
    with chromium(tmp_path / "guest", language="fr", traffic=True) as driver:
        table = Table(driver, server.address)
        table.clear()
        yield table
        table.leave()
        assert table.faults() == []


def addresses(table: Table) -> str:
    """All addresses that the page has asked for, or said that it came from."""
    log = [json.loads(entry["message"])["message"] for entry in table.driver.get_log("performance")]
    asked = [one["params"] for one in log if one["method"] == "Network.requestWillBeSent"]
    found = [one["request"]["url"] for one in asked]
    found += [one["request"]["headers"].get("Referer", "") for one in asked]
    found += [one["params"]["url"] for one in log if one["method"] == "Network.webSocketCreated"]
    assert any("/socket" in address for address in found)
    return "\n".join(found)


def link_of(table: Table, seat: int) -> str:
    """The link that the page offers for a seat."""
    return table.shown(f"invite-{seat}").get_attribute("value")


def test_two_people_play_each_other(table: Table, guest: Table) -> None:
    table.open()
    for choice in ("class-brute", "opponent-human", "map-caveau"):
        table.click(choice)
    table.shown("name-of-0").send_keys("Alix")
    table.shown("name-of-1").send_keys("Camille")
    Select(table.shown("class-of-1")).select_by_value("guerrier")
    table.click("start")
    table.sit_down()
    address, secret = link_of(table, 1).rsplit("/", 1)
    assert address == f"{table.address}/#/join/{table.duel}"
    assert table.state()["waiting"] == [1] and table.state()["clock"] is None
    table.by_mouse(table.advice(table.my_turn()))
    table.until(lambda: "Waiting for Camille" in table.text("status"))

    guest.driver.get(link_of(table, 1))
    guest.until(lambda: guest.driver.current_url == f"{table.address}/#/duel/{table.duel}")
    guest.sit_down()
    assert guest.secret == secret
    table.until(lambda: not table.all("invite")[0].is_displayed())
    state = guest.my_turn()
    assert state["clock"] and state["waiting"] == []
    assert [seat["name"] for seat in state["seats"]] == ["Alix", "Camille"]
    assert [hero["class"] for hero in state["view"]["heroes"]] == ["brute", "guerrier"]

    for _ in range(TURNS):
        state = table.state()
        if state["view"]["to_act"] == 0:
            table.play(table.by_mouse, 1)
        else:
            guest.play(guest.by_keyboard, 1)
    assert table.state()["seq"] > TURNS
    assert secret not in addresses(guest) + addresses(table)
    guest.click("give-up")
    guest.click("confirm-give-up")
    if table.my_turn()["legal"]:  # who gave up does so when he would next act
        table.by_mouse({"type": "pass"})
    assert "Victory" in table.until(lambda: table.shown("result").text)
    assert "Défaite" in guest.until(lambda: guest.shown("result").text)


def test_who_gives_up_out_of_turn_is_told_and_so_is_the_other(table: Table, guest: Table) -> None:
    secrets = table.begin({"class": "brute"}, {"class": "guerrier", "name": "Camille"})
    guest.duel, guest.secret = table.duel, secrets[1]
    table.open(f"duel/{table.duel}")
    guest.open(f"duel/{table.duel}", language="fr")
    for player in (table, guest):
        player.until(lambda player=player: player.order())
    early, waits = (table, guest) if table.state()["view"]["to_act"] == 0 else (guest, table)
    told = {
        table: ("You have given up; it counts at your next turn", "Camille gives up; it counts"),
        guest: (
            "Vous avez abandonné ; cela comptera à votre",
            "Joueur 1 abandonne ; cela comptera",
        ),
    }
    waits.click("give-up")
    waits.click("confirm-give-up")
    for player, words in ((waits, told[waits][0]), (early, told[early][1])):
        notice = player.driver.find_element(By.CSS_SELECTOR, ".notice")
        player.until(lambda notice=notice, words=words: words in plain(notice.text))
        assert words in player.text("live")
        assert player.text("log").count(words.split(";")[0].strip()) == 1
    assert told[waits][0] in plain(waits.shown("resigned").text)
    assert not waits.all("give-up")[0].is_displayed() and early.all("give-up")[0].is_displayed()
    assert not table.state()["over"]
    waits.driver.refresh()
    assert told[waits][0] in plain(waits.shown("resigned").text)
    early.act({"type": "place", "cell": early.my_turn()["legal"]["place"][0]})
    for player in (table, guest):
        player.shown("result")


def test_a_seat_is_handed_on_by_keyboard(table: Table) -> None:
    table.open()
    table.shown("start")
    table.tab_to("opponent-human")
    table.press(Keys.ENTER)
    table.tab_to("name-of-1")
    table.press(*"Sam")
    table.tab_to("start")
    table.press(Keys.ENTER)
    table.shown("invite-1")
    table.tab_to("invite-1")
    chosen = "return document.activeElement.selectionEnd - document.activeElement.selectionStart"
    assert table.run(chosen) == len(link_of(table, 1))
    table.press(Keys.TAB)
    assert table.focused() == "copy-1"
    table.press(Keys.ENTER)
    table.until(lambda: table.text("copy-1") == "Copied")
    table.driver.refresh()
    assert link_of(table, 1)  # it can still be handed on


def test_three_people_are_invited_to_2v2(table: Table) -> None:
    table.open(language="fr")
    for choice in ("mode-2v2", "opponent-human"):
        table.click(choice)
    Select(table.shown("ally")).select_by_value("human")
    assert [len(table.all(f"name-of-{seat}")) for seat in range(4)] == [1] * 4
    table.click("start")
    table.sit_down()
    links = {link_of(table, seat) for seat in (1, 2, 3)}
    assert len(links) == 3 and [seat["name"] for seat in table.state()["seats"]] == ["human"] * 4
    assert table.order() == {"Vous", "Joueur 2", "Joueur 3", "Joueur 4"}
    own = table.secret
    table.driver.get(links.pop())  # whoever holds a seat keeps it
    table.sit_down()
    assert table.secret == own
    table.until(lambda: table.all("board"))


def test_a_wrong_link_opens_nothing_and_a_right_one_still_does(table: Table) -> None:
    secrets = table.begin({"class": "brute"}, {"class": "brute"}, wait=True)
    table.secret = None
    table.open(f"join/{table.duel}/{secrets[1][:-3]}")
    assert "opens no seat" in table.shown("problem").text
    table.open(f"join/{table.duel}/{secrets[1]}")
    table.until(lambda: table.state(secrets[0])["waiting"] == [])
    assert table.driver.find_element(By.CSS_SELECTOR, ".board").is_displayed()


def test_who_watches_is_told_so_and_has_no_controls(table: Table) -> None:
    own = table.begin({"class": "brute"}, {"class": "ombre", "player": "greedy"})[0]
    table.secret = None
    table.open(f"duel/{table.duel}", language="fr")
    assert table.shown("watching").text == "Vous regardez ce duel"
    for phase in ("placement", "auction", "fight"):
        table.until(lambda phase=phase: table.state(own)["view"]["phase"] == phase)
        table.until(lambda: table.all("watching"))
        for name in ("end-turn", "raise", "decline", "spell"):
            assert table.all(name) == [], (phase, name)
        assert not table.all("give-up")[0].is_displayed()
        if phase != "fight":
            table.act(table.advice(table.state(own)), own)
    # opponents are called by their titles, people by their numbers
    assert table.order() == {"Joueur 1", "Glouton"}


@pytest.mark.parametrize("route", ["duel/nope", "replay/nope"])
def test_an_unknown_duel_leads_back_to_the_start(table: Table, route: str) -> None:
    table.open(route)
    assert "There is no such duel" in table.shown("problem").text
    assert table.all("board") == table.all("give-up") == []
    assert table.focused() == "home"
    table.press(Keys.ENTER)
    table.shown("start")
    assert all("/v1/duels/nope" in fault and "404" in fault for fault in table.faults())
