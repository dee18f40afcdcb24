"""The terminal picture: every fact of the view stands in it, and nothing else."""

import copy
import json
import re
import unicodedata
from collections.abc import Callable

import pytest
import render_views as views

from solwaris_env.render.text import render_text

ANSI = re.compile(r"\x1b\[[0-9;]*m")


def board(text: str) -> dict[tuple[int, int], str]:
    """The three signs of each cell, read back by the labels of rows and columns."""
    lines = text.split("\n")
    ruler = next(line for line in lines if re.fullmatch(r"( +\d+)+", line))
    columns = [int(word) - 1 for word in ruler.split()]
    cells = {}
    for line in lines:
        if re.match(r"[a-r]  .*( [a-r])$", line):
            row = ord(line[0]) - 97
            for place, column in enumerate(columns):
                cells[row, column] = line[3 + 3 * place : 6 + 3 * place]
    return cells


@pytest.mark.parametrize("name", views.ALL)
def test_the_board_shows_every_cell_of_the_map(name):
    view = views.ALL[name]()
    cells = board(render_text(view))
    standing = {tuple(one["cell"]) for one in view["entities"] if one["cell"]}
    body = {"W": "###", "H": "%%%", "C": "xxx", "R": "^^^", "V": "MMM"}
    shown = 0
    for row, line in enumerate(view["terrain"]):
        for column, sign in enumerate(line):
            if sign != " ":
                shown += 1
            if (row, column) in standing:
                continue
            if sign in body:
                assert cells[row, column] == body[sign]
            elif sign == ".":
                assert cells[row, column].strip()
            else:
                assert cells.get((row, column), "").strip() == ""
    assert shown > 100
    assert all((row, column) in cells for row, column in standing)


def test_fighters_carry_class_and_camp():
    cells = board(render_text(views.fight()))
    assert cells[9, 12] == "[O]"
    assert cells[6, 17] == "(A)"
    assert cells[8, 16] == "(e)"
    cells = board(render_text(views.team()))
    assert cells[8, 13] == "[O~"
    assert cells[9, 4] == "[G]"


def test_traps_bonuses_reach_and_highlights_stand_in_their_cells():
    view = views.fight()
    view["terrain"], view["zones"] = views.centred("\n".join(["." * 20] * 14))
    cells = board(render_text(view, highlight={(4, 10), (9, 12)}))
    assert cells[7, 15][0] == "!"
    for cell in view["traps"][0]["area"][1:]:
        assert cells[tuple(cell)][0] == ":" or tuple(cell) == (8, 16)
    assert cells[11, 10][1] == "P"
    assert cells[5, 16][1] == "H"
    assert {cell for cell, signs in cells.items() if signs[2] == "+"} == {
        tuple(cell) for cell in view["actions"]["reach"]
    }
    assert {cell for cell, signs in cells.items() if signs[2] == "*"} == {(4, 10), (9, 12)}


def test_zones_and_start_cells_show_during_placement_only():
    view = views.placement()
    cells = board(render_text(view))
    for row, line in enumerate(view["zones"]):
        for column, sign in enumerate(line):
            if sign in "12":
                assert cells[row, column] == f" {sign}{'+' if sign == '1' else ' '}"
    assert not any(
        "1" in signs or "2" in signs for signs in board(render_text(views.fight())).values()
    )


def change(*path: object, value: object) -> Callable[[dict], None]:
    """A change of the view: the entry at `path` becomes `value`."""

    def apply(view: dict) -> None:
        for step in path[:-1]:
            view = view[step]
        view[path[-1]] = value

    return apply


FACTS = [
    ("map", change("map", "name", value="Caveau"), "Caveau"),
    ("map id", change("map", "id", value="cave"), "(cave)"),
    ("tour", change("tour", value=31), "tour 31"),
    ("turn", change("turn", value=77), "turn 77"),
    ("viewer", change("viewer", value=1), "You are player_1"),
    ("camp", change("camp", value=1), "of Red"),
    ("first camp", change("first_camp", value=0), "Blue plays first"),
    ("drawn camp", change("auction", "drawn", value=1), "Red was drawn first"),
    ("bidder", change("auction", "bidder", value=0), "Blue bids 200"),
    ("price", change("auction", "price", value=900), "900 coins"),
    ("stakes", change("stakes", value=4000), "stakes 4000"),
    ("purse", change("heroes", 1, "purse", value=12345), "12345 coins"),
    ("class name", change("heroes", 1, "class_name", value="Brute"), "Brute"),
    ("passive", change("heroes", 0, "passive_name", value="Pas feutrés"), "passive Pas feutrés"),
    ("passive's variant", change("heroes", 0, "variants", 8, value=True), "Traque*"),
    ("variant", change("heroes", 1, "variants", 1, value=True), "Comète*"),
    ("spell", change("heroes", 1, "spells", 0, "name", value="Trait perçant"), "Trait perçant"),
    ("hit points", change("entities", 1, "hp", value=33), "33/240 HP"),
    ("most hit points", change("entities", 1, "max_hp", value=333), "71/333 HP"),
    ("AP", change("entities", 0, "ap", value=11), "11 AP"),
    ("MP", change("entities", 0, "mp", value=9), "9 MP"),
    ("AP lost", change("entities", 1, "ap_lost", value=4), "AP (lost 4)"),
    ("MP lost", change("entities", 1, "mp_lost", value=3), "MP (lost 3)"),
    ("armour", change("entities", 0, "armour", value=27), "armour 27"),
    ("resistance", change("entities", 0, "resistance", value=-40), "resistance -40%"),
    ("damage", change("entities", 0, "power", value=55), "damage +55%"),
    ("range", change("entities", 1, "range_bonus", value=2), "range +2"),
    ("summon's points", change("entities", 2, "hp", value=7), "7/60 HP"),
    ("summon's AP", change("entities", 2, "ap", value=3), "3 AP"),
    ("cell", change("entities", 1, "cell", value=[4, 9]), "e10"),
    ("unseen", change("entities", 1, "cell", value=None), "unseen"),
    ("fallen", change("entities", 1, "alive", value=False), "fallen"),
    ("effect's value", change("entities", 0, "effects", 1, "value", value=17), "Poison 17"),
    ("effect's turns", change("entities", 0, "effects", 1, "turns", value=9), "9 turns"),
    ("effect's end", change("entities", 0, "effects", 1, "turns", value=0), "until its turn ends"),
    ("effect's kind", change("entities", 0, "effects", 1, "kind", value="anchor"), "Anchored"),
    ("effect's source", change("entities", 0, "effects", 1, "source", value=0), "s, from Ombre"),
    ("trap's name", change("traps", 0, "name", value="Fosse"), "Trap: Fosse"),
    ("trap's turns", change("traps", 0, "turns", value=1), "1 turn left"),
    ("trap's cell", change("traps", 0, "cell", value=[3, 9]), "at d10"),
    ("trap's area", change("traps", 0, "area", value=[[3, 9], [3, 10]]), "area d10 d11"),
    ("trap's owner", change("traps", 0, "owner", value=2), "of player_2"),
    ("bonus", change("bonuses", 0, "kind", value="power"), "damage at l11"),
    ("bonus's cell", change("bonuses", 0, "cell", value=[2, 8]), "AP at c9"),
    ("log", change("log", value=["Ombre vanishes."]), "> Ombre vanishes."),
    ("may pass", change("actions", "forfeit", value=False), "You may pass."),
    ("may give up", change("actions", "pass", value=False), "You may give up."),
    ("to act", change("actor", value=4), "Élémentaire de flamme of player_1 is to act"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("alter", "words"), [fact[1:] for fact in FACTS], ids=[f[0] for f in FACTS]
)
def test_each_fact_is_written(alter, words):
    view = views.fight()
    assert words not in render_text(view)
    alter(view)
    assert words in render_text(view)


def test_spells_stand_in_a_table_with_cost_range_casts_and_wait():
    view = views.fight()
    view["heroes"][0]["spells"][6] |= {
        "cost": 9, "range": [3, 8], "used": 1, "per_turn": 2, "cooldown": 4
    }  # fmt: skip
    view["actions"]["aims"][6] = [[9, 13]]
    text = render_text(view)
    assert re.search(r"\+7 Pas de l'ombre +9 +3-8 +1/2 +4\n", text)
    assert re.search(r" 1 Dague +2 +0-1 +1/3 ", text)
    assert re.search(r"\+8 Exécution\* +2 +1 +0/2\n", text)


def test_outcome_and_draw():
    view = views.over()
    text = render_text(view)
    assert "Blue wins (knockout). Rewards: 1, -1. Price paid: 0, 200." in text
    view["outcome"] |= {"winner": None, "termination": "tour_limit"}
    assert "A draw (tour limit)." in render_text(view)


def test_hidden_placement_and_auction_words():
    view = views.placement()
    view["heroes"][1]["placed"] = True
    text = render_text(view)
    assert "placed, hidden" in text
    assert "not placed yet" in text
    assert "You may pass, raise the bid, give up." in render_text(views.auction())


@pytest.mark.parametrize("name", views.ALL)
def test_text_is_plain_narrow_and_repeatable(name):
    view = views.ALL[name]()
    before = copy.deepcopy(view)
    text = render_text(view)
    assert view == before
    assert text == render_text(json.loads(json.dumps(view)))
    assert all(unicodedata.east_asian_width(sign) not in "WF" for sign in text)
    assert max(map(len, text.split("\n"))) <= 110
    painted = render_text(view, color=True)
    assert "\x1b[" in painted
    assert ANSI.sub("", painted) == text


def test_kinds_yet_unknown_are_shown_by_name():
    view = views.fight()
    view["entities"][0]["effects"] = [views.effect("sleep_walking", 3, 2, 1)]
    view["entities"][0]["class"] = "zouave"
    view["bonuses"][0]["kind"] = "luck"
    text = render_text(view)
    assert "Sleep walking 3, 2 turns" in text
    assert "luck at l11" in text
