"""What holds on every screen: one language at a time, no width too small, a name for all."""

import re
from collections.abc import Iterator
from itertools import chain

import pytest
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By
from table import Table, plain
from test_server_page import words

CONTROLS = "button, a[href], input, select, textarea, [role=button], [tabindex='0']"
TEXTS = """
const texts = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) texts.push(walker.currentNode.data.trim());
for (const element of document.querySelectorAll("[aria-label], [title]"))
  texts.push(element.getAttribute("aria-label") ?? "", element.title);
return [...new Set(texts.filter((text) => text))];
"""
OUTSIDE = """
const width = document.documentElement.clientWidth;
const scrolls = (e) => e && e !== document.body &&
  (/auto|scroll/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
return [...document.querySelectorAll("body *")].filter((e) => {
  const box = e.getBoundingClientRect();
  if (!e.checkVisibility({visibilityProperty: true}) || !box.width || !box.height) return false;
  if (e.closest("svg") || e.closest(".hidden-text")) return false;
  return (box.right > width + 1 || box.left < -1) && !scrolls(e.parentElement);
}).map((e) => e.outerHTML.slice(0, 120));
"""
CUT = """
const boxes = ".order, .order-card, .spell-name, .status, .own, .turn-buttons";
return [...document.querySelectorAll(boxes)]
  .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
  .map((e) => `${e.className} ${e.textContent}`);
"""
COVERED = """
return [...document.querySelectorAll("button, a[href], input, select")].filter((e) => {
  if (!e.checkVisibility({visibilityProperty: true, opacityProperty: true})) return false;
  e.scrollIntoView({block: "center", inline: "center"});
  const box = e.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const top = document.elementFromPoint(x, y);
  return !(top && (e.contains(top) || top.contains(e)));
}).map((e) => e.outerHTML.slice(0, 120));
"""
OVERLAPPING = """
const box = (e) => e.getBoundingClientRect();
const card = box(document.querySelector(arguments[0]));
const others = [...document.querySelectorAll(arguments[1])]
  .filter((e) => e.checkVisibility({visibilityProperty: true})).map(box);
return others.filter((box) => Math.min(card.right, box.right) > Math.max(card.left, box.left) + 1 &&
  Math.min(card.bottom, box.bottom) > Math.max(card.top, box.top) + 1).length;
"""


def screens(table: Table, language: str) -> Iterator[str]:
    """Every screen of the page, one after the other; their names."""
    table.duel, table.secret = "", None
    table.open(language=language)
    table.shown("start")
    yield "set-up"
    table.click("mode-2v2")
    table.click("opponent-human")
    yield "set-up with people"
    table.click("start")
    table.shown("invite-1")
    yield "invitation"
    wish = {"class": "ombre", "name": "Alix", "purse": 0}
    table.begin(wish, {"player": "greedy", "class": "horloger", "purse": 1000}, stakes=100)
    table.open(f"duel/{table.duel}", language)
    table.my_turn()
    yield "placement"
    while (state := table.my_turn())["view"]["phase"] != "fight":
        table.by_mouse(table.advice(state))
        table.until(lambda seq=state["seq"]: table.state()["seq"] > seq)
    yield "fight"
    table.press("?")
    table.shown("help-close")
    yield "help"
    table.press(Keys.ESCAPE)
    table.click("give-up")
    table.click("confirm-give-up")
    table.shown("result")
    yield "result"
    table.click("replay")
    table.replay()
    table.press(Keys.END)
    yield "replay"


FULL = [  # seats whose heroes all call a summon that moves: the longest initiative line
    {"class": "horloger", "loadout": [True] * 9},
    {"class": "arcaniste", "name": "Maximilienne-Alexandrine de Montmorency"},
    {"class": "arcaniste", "loadout": [True] * 9},
    {"class": "horloger", "name": "Bertille"},
]


def crowded_screens(table: Table, language: str) -> Iterator[str]:
    """What a duel of four with their summons shows, to a player and to who watches; then the
    screen for a duel that is not there."""
    secrets = table.begin(*FULL)
    while table.state()["view"]["phase"] == "placement":
        state = table.state(secrets[table.state()["view"]["to_act"]])
        table.act({"type": "place", "cell": state["legal"]["place"][0]}, secrets[state["seat"]])
    table.open(f"duel/{table.duel}", language)
    table.until(lambda: table.order())
    yield "auction of four"
    table.call_summons(secrets, 4)
    table.my_turn()
    table.until(lambda: len(table.driver.find_elements(By.CSS_SELECTOR, ".order-item")) == 8)
    yield "turn among summons"
    table.act({"type": "pass"})
    table.until(lambda: table.state()["view"]["actor"] > 3 and table.my_turn())
    yield "turn of a summon"
    while (seat := table.state()["view"]["to_act"]) != 1:
        table.act({"type": "pass"}, secrets[seat])
    table.until(lambda: "Montmorency" in table.text("status"))
    yield "turn of somebody with a long name"
    table.secret = None
    table.driver.get(f"{table.address}/v1/health")
    table.run("localStorage.clear()")
    table.open(f"duel/{table.duel}", language)
    table.shown("watching")
    yield "watching"
    table.open("duel/nope", language)
    table.shown("problem")
    yield "unknown duel"
    table.faults()  # it is not found, as it should be


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_screen_speaks_one_language(table: Table, language: str) -> None:
    mine, other = words(language.upper()), words("EN" if language == "fr" else "FR")
    own = set(mine.values())
    foreign = {text for text in other.values() if text not in own and "{" not in text}
    sheets = table.http.get("/v1/catalogue").json()["classes"]
    described = [thing for sheet in sheets for thing in sheet["spells"] + sheet["passives"]]
    foreign |= {thing["text" if language == "fr" else "texte"] for thing in described}
    heard: set[str] = set()
    for screen in screens(table, language):
        texts = {plain(text) for text in table.run(TEXTS)}
        assert not texts & foreign, screen
        assert not [text for text in texts if re.search(r"undefined|NaN|\{\w+[:}]", text)], screen
        assert table.run("return document.documentElement.lang") == language
        heard |= texts & own
    assert len(heard) > 40


def test_the_language_is_chosen_and_kept(table: Table) -> None:
    table.open(language="en")
    start = words("FR")["setup.start"]
    assert table.shown("start").text != start
    table.click("language-fr")
    table.until(lambda: table.shown("start").text == start)
    table.driver.refresh()
    assert table.shown("start").text == start
    assert table.shown("language-fr").get_attribute("aria-pressed") == "true"


def test_the_browser_s_language_comes_first(table: Table) -> None:
    table.driver.get(f"{table.address}/")
    assert table.shown("start").text == words("EN")["setup.start"]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_screen_fits_a_phone(table: Table, language: str) -> None:
    table.narrow()
    for screen in chain(screens(table, language), crowded_screens(table, language)):
        widths = table.run("return [document.scrollingElement.scrollWidth, innerWidth]")
        assert widths == [390, 390], screen  # a screen that is too wide would be zoomed out
        assert table.run(OUTSIDE) == [], screen
        assert table.run(CUT) == [], screen
        if screen != "help" and screen != "result":  # a dialog covers what is behind it
            assert table.run(COVERED) == [], screen


@pytest.mark.parametrize(("width", "height"), [(844, 390), (640, 400)])
def test_a_low_screen_leaves_the_board_its_height(table: Table, width: int, height: int) -> None:
    table.narrow(width, height)
    table.begin({"class": "horloger", "purse": 500}, {"player": "greedy", "purse": 500})
    table.open(f"duel/{table.duel}", "fr")
    around = ".duel-head, .order, .board, .end-turn"
    for phase in ("placement", "auction", "fight"):
        table.until(lambda phase=phase: table.my_turn()["view"]["phase"] == phase)
        if phase == "fight":
            table.tap(table.spell(1))  # too far away: a card tells of it
            table.until(table.shown_info)
        board = table.run("return document.querySelector('.board').getBoundingClientRect().height")
        assert board > 0.7 * height, phase
        for card in (".info", ".auction", ".duel-foot"):
            others = around.replace(", .end-turn", "") if card == ".duel-foot" else around
            shown = table.driver.find_element(By.CSS_SELECTOR, card).is_displayed()
            assert not shown or table.run(OVERLAPPING, card, others) == 0, (phase, card)
        assert table.run(OUTSIDE) == table.run(CUT) == table.run(COVERED) == [], phase
        if phase != "fight":
            table.act(table.advice(table.state()))


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (768, 1024), (390, 844)])
def test_the_auction_and_the_invitation_leave_the_board(
    table: Table, width: int, height: int
) -> None:
    table.narrow(width, height)
    table.begin({"class": "ombre", "purse": 500}, {"player": "greedy", "purse": 500})
    table.open(f"duel/{table.duel}", "fr")
    table.act(table.advice(table.my_turn()))
    table.until(lambda: table.my_turn()["view"]["phase"] == "auction")
    table.driver.find_elements(By.CSS_SELECTOR, ".order-card")[0].click()
    table.until(table.shown_info)
    assert table.run(OVERLAPPING, ".auction", ".duel-head, .order, .board, .info, .duel-foot") == 0
    table.secret = None
    table.open(language="fr")
    for choice in ("mode-2v2", "opponent-human", "start"):
        table.click(choice)
    table.shown("invite-1")
    assert table.run(OVERLAPPING, ".invite", ".duel-head, .order, .board") == 0
    board = table.run("return document.querySelector('.board').getBoundingClientRect().height")
    assert board > 0.3 * height


def test_every_control_has_a_name(table: Table) -> None:
    for screen in screens(table, "en"):
        # while a dialog is open, nothing else is there for who listens
        within = table.driver.find_elements(By.CSS_SELECTOR, "dialog[open]") or [table.driver]
        controls = within[0].find_elements(By.CSS_SELECTOR, CONTROLS)
        assert controls, screen
        for control in controls:
            if control.is_displayed():
                assert control.accessible_name.strip(), control.get_attribute("outerHTML")[:200]
