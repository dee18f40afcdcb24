"""What spells, fighters and forecasts look like: whole, in words, and readable by a finger."""

from typing import Any

import pytest
from selenium.webdriver.support.select import Select
from serving import ORIGINALS
from table import Table, plain

VARIANTS = [True] * 9
AUTOMATON, RELAY = 2, 3  # slots of an Horloger; Relais is a variant
NAMES = "return [...document.querySelectorAll('.spell-name')].map(e => e.textContent)"
# names that leave their box, or whose words break elsewhere than where they may
BROKEN = """
const height = (node, at) => {
  const range = document.createRange();
  range.setStart(node, at);
  range.setEnd(node, at + 1);
  return Math.round([...range.getClientRects()].at(-1).top);  // behind a hyphen that is shown
};
return [...document.querySelectorAll(".spell-name")].filter((e) => {
  const [box, room] = [e.getBoundingClientRect(), e.closest(".spell").getBoundingClientRect()];
  const inside = box.left >= room.left && box.right <= room.right &&
    box.top >= room.top && box.bottom <= room.bottom && e.scrollWidth <= e.clientWidth;
  const parts = [...e.textContent.matchAll(/[^\\s\\u00ad-]+/g)];
  const whole = ({index, 0: part}) =>
    height(e.firstChild, index) === height(e.firstChild, index + part.length - 1);
  return !inside || !parts.every(whole);
}).map((e) => e.textContent);
"""


def classes(table: Table) -> list[dict[str, Any]]:
    """The sheets of the classes."""
    return table.http.get("/v1/catalogue/classes").json()


@pytest.mark.parametrize("loadout", [ORIGINALS, VARIANTS], ids=["originals", "variants"])
def test_the_names_of_all_spells_are_whole(table: Table, loadout: list[bool]) -> None:
    version = "variant" if loadout[0] else "original"
    for sheet in classes(table):
        table.begin({"class": sheet["id"], "loadout": loadout}, {"class": "brute"})
        spells = [spell for spell in sheet["spells"] if spell["version"] == version]
        names = [spell["name"] for spell in sorted(spells, key=lambda spell: spell["slot"])]
        table.open(f"duel/{table.duel}", "fr")
        table.my_turn()
        assert [plain(name) for name in table.run(NAMES)] == names
        for width in (390, 640, 768, 1001, 1280):
            table.narrow(width)
            assert table.run(BROKEN) == [], (sheet["id"], width)


@pytest.mark.parametrize(
    ("language", "words"), [("fr", "Portée illimitée"), ("en", "Unlimited range")]
)
def test_an_unlimited_range_is_told_in_words(table: Table, language: str, words: str) -> None:
    table.open(language=language)
    table.click("class-horloger")
    told = table.shown(f"variant-{RELAY}-variant").text
    assert "Relais" in told and words in told and "63" not in told


def test_a_summon_tells_its_owner_and_that_no_ap_are_left(table: Table) -> None:
    seat = {"class": "horloger", "loadout": ORIGINALS}
    secrets = table.begin({**seat, "name": "Alix"}, {**seat, "name": "Bertille"})
    table.call_summons(secrets, 2)
    table.open(f"duel/{table.duel}", "fr")
    table.my_turn()
    summons = [e for e in table.state()["view"]["entities"] if e["kind"] == "automate"]
    assert [e["shown"]["ap"] for e in summons] == [0, 0]
    cards = ".order-item.small.camp-{} button"
    for camp, owner in enumerate(("Votre invocation", "Invocation de Bertille")):
        table.driver.find_element("css selector", cards.format(camp)).click()
        table.until(lambda owner=owner: owner in table.shown_info())
        assert "0 PA" in table.shown_info() and "Automate" in table.shown_info()
    table.act({"type": "pass"})
    table.until(lambda: "Votre invocation joue : Automate" in table.text("status"))
    chips = table.driver.find_elements("css selector", ".own .chip")
    assert "0 PA" in [chip.text for chip in chips]


def test_a_tap_on_a_spell_describes_it(table: Table) -> None:
    """Whether it can be cast now or not: a finger has no other way to read it."""
    horloger = next(sheet for sheet in classes(table) if sheet["id"] == "horloger")
    texts = {s["slot"] - 1: s["texte"] for s in horloger["spells"] if s["version"] == "original"}
    secrets = table.begin(*[{"class": "horloger", "loadout": ORIGINALS}] * 2)
    table.narrow()
    table.open(f"duel/{table.duel}", "fr")
    table.my_turn()
    for slot in (0, AUTOMATON):  # while placing
        table.tap(table.spell(slot))
        table.until(lambda slot=slot: texts[slot] in table.shown_info())
    table.call_summons(secrets, 2)
    table.until(lambda: table.my_turn() and "Tour" in table.text("status"))
    table.tap(table.spell(AUTOMATON))  # not ready again
    table.until(lambda: texts[AUTOMATON] in table.shown_info())
    table.until(lambda: "Disponible dans" in table.shown_info())
    table.tap(table.spell(0))
    table.until(lambda: texts[0] in table.shown_info())


def test_no_word_breaks_on_a_phone_s_cards(table: Table) -> None:
    foe = {"player": "greedy", "class": "arcaniste"}
    table.begin({"class": "brute"}, foe, {"player": "greedy", "class": "artificier"}, foe)
    table.narrow()
    table.open(f"duel/{table.duel}", "fr")
    table.my_turn()
    broken = """
    return [...document.querySelectorAll(".order .who")].filter((e) => {
      const text = e.firstChild, range = document.createRange();
      return e.scrollWidth > e.clientWidth || [...text.data.matchAll(/\\S+/g)].some((word) => {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length > 1;
      });
    }).map((e) => e.textContent);
    """
    assert table.order() == {"Vous", "Arcaniste 2", "Artificier 3", "Arcaniste 4"}
    assert table.run(broken) == []


def test_seats_are_told_apart_on_a_phone(table: Table) -> None:
    table.narrow()
    table.open(language="fr")
    for choice in ("mode-2v2", "opponent-human"):
        table.click(choice)
    words = [e.text for e in table.driver.find_elements("css selector", ".seat-word")]
    assert words == ["Vous", "Allié", "Adversaire 1", "Adversaire 2"]
    Select(table.shown("ally")).select_by_value("human")
    room = """
    const field = arguments[0], paper = document.createElement("canvas").getContext("2d");
    paper.font = getComputedStyle(field).font;
    const chosen = paper.measureText(field.selectedOptions[0].text).width;
    return field.clientWidth - chosen;
    """
    assert table.run(room, table.shown("ally")) > 40  # padding and arrow


@pytest.mark.parametrize(
    ("language", "told"), [("fr", "135\u202f424 pièces"), ("en", "135,424 coins")]
)
def test_numbers_are_written_as_the_language_does(table: Table, language: str, told: str) -> None:
    own, other = table.begin({"purse": 135_424}, {"player": "human", "purse": 0})
    for secret in (own, other, own):
        while (legal := table.state(secret)["legal"]) and legal["place"]:
            table.act({"type": "place", "cell": legal["place"][0]}, secret)
    table.open(f"duel/{table.duel}", language)
    table.until(lambda: told in table.driver.find_element("css selector", ".auction").text)


def test_the_result_says_who_paid(table: Table) -> None:
    own, other = table.begin({"purse": 500}, {"purse": 500})
    bids = {own: True, other: False}
    while table.state(own)["view"]["phase"] != "fight":
        for secret in (own, other):
            if not (legal := table.state(secret)["legal"]):
                continue
            if legal["place"]:
                table.act({"type": "place", "cell": legal["place"][0]}, secret)
            else:
                table.act({"type": "raise" if bids[secret] and legal["raise"] else "pass"}, secret)
            bids[secret] = bids[secret] and not legal["raise"]
    table.open(f"duel/{table.duel}", "fr")
    table.until(lambda: table.order())
    table.ask("/resign", {}, other)
    if not table.state(own)["over"]:
        table.act({"type": "pass"}, own)
    text = plain(table.shown("result").text)
    assert "Vous avez payé 100 pièces pour jouer en premier" in text
    assert not table.driver.find_elements("css selector", ".float, .forecast")
