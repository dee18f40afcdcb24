"""I: invisibility."""

import pytest
from scenario import scenario

from solwaris_env.duel.engine.state import Timed


@pytest.mark.rule("I1")
def test_the_invisible_cannot_be_aimed_at():
    board = scenario("A . . b")
    assert board.can(8, "b")  # Lancer de hache
    board["b"].invisible = 1
    assert not board.can(8, "b")


@pytest.mark.rule("I1")
def test_an_area_cast_blind_hits():
    board = scenario("A . . . b . .", A="arcaniste")
    board["b"].invisible = 1
    board.fix("A", 2, 40)
    board.cast(2, (0, 5))  # Comète beside him: the cross of 1 holds his cell
    assert board["b"].hp == board["b"].max_hp - 40


@pytest.mark.rule("I2")
def test_damage_reveals():
    board = scenario("A . . . b", A="arcaniste")
    board["b"].invisible = 1
    board.cast(2, (0, 4))
    assert board["b"].invisible == 0


@pytest.mark.rule("I2")
def test_damage_that_armour_takes_whole_reveals():
    board = scenario("A . . . b", A="arcaniste", turn="b")
    board.tune("b", 6, a=200)  # Bouclier levé worth 200
    board.cast(6).until("A")
    board["b"].invisible = 1
    board.cast(2, (0, 4))
    assert board["b"].hp == board["b"].max_hp and board["b"].invisible == 0


@pytest.mark.rule("I2")
def test_attacking_and_being_near_do_not_reveal():
    board = scenario("A b", A="ombre")
    board.cast(2)  # Invisibilité
    assert board["A"].invisible == 1
    board.cast(1, "b").cast(1, "b")  # two Dagues
    assert board["A"].invisible == 1
    board.end()
    assert board["A"].invisible == 1


@pytest.mark.rule("I3")
def test_it_reappears_when_its_own_next_turn_begins():
    board = scenario("A . . b", A="ombre")
    board.cast(2).end()
    assert board["A"].invisible == 1  # all through the other's turn
    board.end()
    assert board.actor == 0 and board["A"].invisible == 0


@pytest.mark.rule("I3")
def test_linceul_holds_until_that_fighters_next_turn():
    board = scenario("A C . . b d", A="ombre 2")
    board.cast(2, "C")
    assert board["C"].invisible == 1 and board["A"].invisible == 0
    board.end()  # b
    assert board["C"].invisible == 1
    board.end()  # C
    assert board.actor == 2 and board["C"].invisible == 0


CASES = [  # class, slot, range reaching (0,2); AP it costs
    ("guerrier", 4, 3),  # Bannière
    ("artificier", 1, 3),  # charge
    ("arcaniste", 4, 5),  # Élémentaire
    ("horloger", 3, 4),  # Automate
    ("ombre", 3, 3),  # trap
    ("brute", 3, 4),  # Fosse
    ("arcaniste", 5, 4),  # Clignement, a teleport
    ("guerrier", 5, 4),  # Bond, a jump
    ("ombre", 7, 4),  # Pas de l'ombre
    ("artificier", 5, 4),  # Saut-fusée
    ("brute 5", 5, 5),  # Bond écrasant
]


@pytest.mark.rule("I4")
@pytest.mark.parametrize("name, slot, cost", CASES)
def test_putting_something_on_the_invisible_fails_costs_ap_and_unmasks(name, slot, cost):
    board = scenario("A . b . .", A=name)
    board["b"].invisible = 1
    before = int(board["A"].ap)
    assert board.can(slot, "b")  # his cell looks free
    board.cast(slot, "b")
    assert board["A"].ap == before - cost
    assert board["b"].invisible == 0 and board["b"].hp == board["b"].max_hp
    assert board.place("A") == (0, 0) and board.occupant((0, 2)) == 1
    assert board.traps() == [] and all(board[i].kind == 0 for i in range(4, 28))


@pytest.mark.rule("I4")
def test_once_unmasked_the_cell_is_taken():
    board = scenario("A . b . .", A="guerrier")
    assert not board.can(4, "b")


@pytest.mark.rule("I5")
def test_the_own_camp_always_sees_him():
    board = scenario("A . C . b . d", A="guerrier 6")
    board["C"].invisible = 1
    assert board.can(6, "C")  # Rempart on the invisible ally
    board.cast(6, "C")
    assert board.timed("C", Timed.ARMOUR)
    assert board.duel.known(0).entity[2].cell == board.at("C")
    assert board.duel.known(1).entity[2].cell == -1
    assert board.duel.known(1).occupant[board.at("C")] == -1
