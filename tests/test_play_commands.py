"""Lines typed by a person, understood against hand-written views."""

import pytest
from render_views import auction, fight, placement

from solwaris_env.errors import SolwarisError
from solwaris_env.play_commands import Act, Choose, Say, find_sheet, plain, understand

CAST_TRAP = Act({"type": "cast", "slot": 2, "cell": [8, 14]})


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("", Say("board")),
        ("  ", Say("board")),
        ("?", Say("help")),
        ("HELP", Say("help")),
        ("quit", Say("quit")),
        ("forfeit", Say("quit")),
        ("info coup de masse", Say("info", "coup de masse")),
        ("back", Choose(None)),
        ("pass", Act({"type": "pass"})),
        ("j13", Act({"type": "go", "cell": [9, 12]})),
        ("GO J14", Act({"type": "go", "cell": [9, 13]})),
        ("Piège à pointes i15", CAST_TRAP),
        ("piege a pointes i15", CAST_TRAP),
        ("piège à p i15", CAST_TRAP),
        ("3 i15", CAST_TRAP),
        ("cast 3 i15", CAST_TRAP),
        ("piège à pointes", Choose(2)),
        ("3", Choose(2)),
        ("invisibilite", Act({"type": "cast", "slot": 1, "cell": [9, 12]})),
    ],
)
def test_understood(line: str, command: object) -> None:
    view = fight()
    view["actions"]["reach"].append([9, 12])
    assert understand(line, view) == command


def test_a_cell_after_a_choice_casts() -> None:
    assert understand("i15", fight(), chosen=2) == CAST_TRAP
    go = Act({"type": "go", "cell": [9, 13]})
    assert understand("go j14", fight(), chosen=2) == go


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("a1", "a1 cannot be reached; the cells marked + can"),
        ("z9", "'z9' is not a cell"),
        ("a99", "'a99' is not a cell"),
        ("raise", "only in the auction can you raise"),
        ("piège à pointes a1", "Piège à pointes cannot be cast at a1; type `piege a pointes`"),
        ("piège i15", "'piege' may be Piège à pointes or Piège de glu or Piège à ressort"),
        ("dague j14", "there is nothing in reach to cast Dague at"),
        ("peur", "Peur can be cast once a turn, and was"),
        ("piège de glu", "Piège de glu can be cast again in 2 turns"),
        ("pas", "Pas de l'ombre costs 7 AP and 3 are left"),
        ("9 i15", "there is no spell number 9 in hand"),
        ("taillade i15", "Taillade is not in hand; `list` shows what is"),
        ("dance wildly", "'dance wildly' says nothing I know; `help` lists what I do"),
    ],
)
def test_refused_with_a_reason(line: str, sentence: str) -> None:
    view = fight()
    view["entities"][0]["ap"] = 3
    spells = view["heroes"][0]["spells"]
    spells[0]["used"], spells[0]["cost"] = 0, 3
    spells[3]["cooldown"] = 2
    spells[5]["used"], spells[5]["per_turn"] = 1, 1
    spells[6]["cooldown"], spells[6]["cost"], spells[6]["per_turn"] = 0, 7, 0
    with pytest.raises(SolwarisError) as error:
        understand(line, view)
    assert str(error.value).startswith(sentence)


def test_before_the_fight() -> None:
    row, column = placement()["actions"]["place"][0]
    cell = f"{chr(ord('a') + row)}{column + 1}"
    place = Act({"type": "place", "cell": [row, column]})
    assert understand(cell, placement()) == place
    assert understand(f"place {cell}", placement()) == place
    with pytest.raises(SolwarisError, match="a1 is no free start cell"):
        understand("a1", placement())
    with pytest.raises(SolwarisError, match="a start cell must be chosen first"):
        understand("pass", placement())
    with pytest.raises(SolwarisError, match="says nothing I know"):
        understand("dague", placement())


def test_auction() -> None:
    assert understand("raise", auction()) == Act({"type": "raise"})
    assert understand("pass", auction()) == Act({"type": "pass"})
    with pytest.raises(SolwarisError, match="this is the auction"):
        understand("h12", auction())
    poor = auction()
    poor["actions"]["raise"] = False
    with pytest.raises(SolwarisError, match="your purse does not reach"):
        understand("raise", poor)


def test_a_summon_casts_its_own_spell() -> None:
    view = fight()
    view["actor"] = 4
    view["entities"][2]["kind"] = "elementaire_flamme"
    view["actions"]["aims"] = [[[9, 12]], [], [], [], [], [], [], []]
    cast = Act({"type": "cast", "slot": 0, "cell": [9, 12]})
    assert understand("flammeche j13", view) == cast
    assert understand("1 j13", view) == cast
    assert understand("flamm", view) == Choose(0)


def test_find_sheet_looks_everywhere() -> None:
    view = placement()
    assert find_sheet("comete", view).name == "Comète"
    assert find_sheet("mauvais oeil", view).name == "Mauvais œil"
    with pytest.raises(SolwarisError, match="there is no spell 'xyzzy'"):
        find_sheet("xyzzy", view)


def test_plain() -> None:
    assert plain("  Œil  du Mage ") == "oeil du mage"
    assert plain("Brise-jambes") == "brise jambes"
    assert plain("Étendard") == "etendard"
