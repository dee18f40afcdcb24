"""The Artificier's sixteen spells and two passives, and his charges."""

import pytest
from scenario import Board, scenario, share, spread
from sheet import follows_its_sheet

from solwaris_env.duel.engine.state import Timed

SHEETS = [
    ("artificier", 1, "free", 3, 1, 4, {}),  # Charge explosive
    ("artificier 1", 1, "free", 3, 1, 4, {}),  # Charge fumante
    ("artificier", 3, "entity", 4, 2, 7, {"per_turn": 2}),  # Mousquet
    ("artificier 3", 3, "cell", 4, 1, 1, {"line": True, "per_turn": 2}),  # Tromblon
    ("artificier", 4, "free", 3, 1, 4, {}),  # Charge de recul
    ("artificier 4", 4, "free", 3, 1, 3, {"per_turn": 2}),  # Barricade
    ("artificier", 5, "free", 4, 2, 5, {"cooldown": 2}),  # Saut-fusée
    ("artificier 5", 5, "self", 2, 0, 0, {"cooldown": 4}),  # Cloche de plongée
    ("artificier", 6, "cell", 4, 2, 5, {"per_turn": 2}),  # Grenade
    ("artificier 6", 6, "cell", 4, 2, 5, {"per_turn": 2}),  # Grenade à clous
    ("artificier", 7, "cell", 3, 1, 6, {"cooldown": 2}),  # Poudre noire
    ("artificier 7", 7, "self", 2, 0, 0, {"cooldown": 3}),  # Mèche longue
    ("artificier", 8, "cell", 6, 3, 7, {"cooldown": 3}),  # Bouquet final
    ("artificier 8", 8, "entity", 6, 2, 9, {"line": True, "cooldown": 2}),  # Obus perforant
    ("artificier 2", 2, "self", 4, 0, 0, {"cooldown": 2}),  # Mise à feu
]


@pytest.mark.parametrize("hero, slot, target, cost, low, high, rest", SHEETS)
def test_sheet(hero, slot, target, cost, low, high, rest):
    follows_its_sheet(hero, slot, target, cost, low, high, **rest)


def lost(board: Board, who: str | int) -> int:
    return int(board[who].max_hp - board[who].hp)


CROSSROADS = """
    . . . C . . .
    A . . . . . .
    . . . b . . .
    . . . . . . d
"""


def test_charge_explosive():
    board = scenario(CROSSROADS, A="artificier")
    board.cast(1, (1, 3))
    charge = board.summon("charge_explosive")
    assert board[charge].hp == 20 and board["A"].ap == 9
    assert not board.can_go((1, 3)) and board.can(6, (1, 4))  # blocks legs, not eyes
    for who in "bC":  # circle of 1: everyone in it
        spread(board.losses(2, (1, 3), who), 22, 28)
    board.cast(2, (1, 3))
    assert lost(board, "d") == 0 and board.summons("charge_explosive") == []


def test_charge_fumante():
    board = scenario(CROSSROADS, A="artificier 1")
    board.cast(1, (1, 3))
    for who in "bC":
        spread(board.losses(2, (1, 3), who), 12, 16)
    # two tries against the Guerrier's 35 %
    share(board.many(lambda c: c.cast(2, (1, 3))["b"].mp_lost == 2, times=400), 42.25)


def test_detonation():
    board = scenario("A . # . . . . . . . b", A="artificier")
    board.cast(1, (0, 1))
    charge = board.summon("charge_explosive")
    reached = []
    for column in [1, *range(3, 10)]:
        board.state.occupant[board[charge].cell] = -1
        board[charge].cell = board.at((0, column))
        board.state.occupant[board.at((0, column))] = charge
        if board.can(2, (0, column)):
            reached.append(column)
    assert reached == [1, 3, 4, 5, 6, 7, 8]  # 0-8, without sight


def test_detonation_aims_at_own_charges_only():
    board = scenario("A . b . . C d", A="artificier", C="artificier", b="artificier", turn="C")
    board.cast(1, (0, 4))  # the ally's
    board.until("A")
    assert not board.can(2, (0, 4)) and not board.can(2, "b")
    board.cast(1, (0, 1))
    assert board.can(2, (0, 1))


def test_detonation_three_times_a_turn():
    board = scenario("A . . . . . . . . . . b", A="artificier")
    for _ in range(3):
        board["A"].ap = 40
        board.cast(1, (0, 4))
        before = int(board["A"].ap)
        board.cast(2, (0, 4))
        assert before - board["A"].ap == 2
    board["A"].ap = 40
    board.cast(1, (0, 4))
    assert not board.can(2, (0, 4))


def test_mise_a_feu():
    board = scenario(
        """
        . . . . . . . .
        A . . b . . . d
        . . . . . . . C
    """,
        A="artificier 2",
    )
    board["A"].ap = 40
    board.cast(1, (0, 3)).cast(1, (2, 3)).cast(4, (1, 4))
    board.fix_summon("charge_explosive", 25)
    board.fix_summon("charge_de_recul", 10)
    board.cast(2)
    # two blasts of 25; then the charge de recul: 10, and three cells to the left, where A
    # stands behind two free cells: one cell not travelled, 12, and 6 for A
    assert lost(board, "b") == 25 + 25 + 10 + 12
    assert board.place("b") == (1, 1) and lost(board, "A") == 6
    assert all(board[i].kind == 0 for i in range(4, 28))


def test_mousquet():
    spread(scenario("A . . . . . . b", A="artificier").losses(3, "b", "b"), 26, 34)


def test_tromblon():
    board = scenario("A . b C d . .", A="artificier 3")
    spread(board.losses(3, (0, 1), "C"), 25 + 12 + 6, 32 + 12 + 6)
    board.cast(3, (0, 1))
    # C, the farther in the line, is pushed first, against d: 12, and 6 for d; then b, against
    # C: 12, and 6 for C
    assert lost(board, "d") == 6
    assert board.place("b") == (0, 2)


def test_tromblon_pushes_1():
    board = scenario("A . b . . .", A="artificier 3")
    spread(board.losses(3, (0, 1), "b"), 25, 32)
    assert board.cast(3, (0, 1)).place("b") == (0, 3)


def test_charge_de_recul():
    board = scenario(
        """
        A . . . b . . . . .
        C . . . . . . . . d
    """,
        A="artificier",
    )
    board.cast(4, (0, 2))
    charge = board.summon("charge_de_recul")
    assert board[charge].hp == 20
    spread(board.losses(2, (0, 2), "b"), 8, 12)  # circle of 2: b stands at 2
    board.move("A", (1, 4))  # at distance 3 from the charge
    board.cast(2, (0, 2))
    assert board.place("b") == (0, 7)  # 3 away from its centre
    assert lost(board, "A") == 0 and lost(board, "d") == 0


def test_barricade():
    board = scenario("A . . . . . b", A="artificier 4")
    board.cast(4, (0, 2))
    block = board.summon("barricade")
    assert board[block].hp == 50 and not board.can(2, (0, 2))
    board.fix("A", 3, 27)
    board["A"].ap = 40
    board.cast(3, (0, 2)).cast(3, (0, 2))
    assert board.summons("barricade") == [] and lost(board, "A") == 0  # no explosion
    assert board.occupant((0, 2)) == -1


def test_saut_fusee():
    board = scenario(
        """
        . C . . . .
        # A # . b .
        . d . . . .
    """,
        A="artificier",
    )
    for who in "Cd":  # around the departure
        spread(board.losses(5, (1, 3), who), 12, 18)
    board.cast(5, (1, 3))
    assert board.place("A") == (1, 3)
    assert lost(board, "b") == 0 and lost(board, "A") == 0


def test_cloche_de_plongee():
    board = scenario("A b # . .", b="artificier 5", turn="b")
    board.cast(5)
    assert [(t.value, t.turns) for t in board.timed("b", Timed.ARMOUR)] == [(20, 2)]
    board.until("A")
    board.fix("A", 2, 25)
    board.cast(2, "b")
    assert board.place("b") == (0, 1) and lost(board, "b") == 5


def test_grenade():
    board = scenario(
        """
        A # . b C d
        . . . . . .
    """,
        A="artificier",
    )
    for who in "bC":
        spread(board.losses(6, (0, 3), who), 17, 23)
    board.cast(6, (0, 3))
    assert lost(board, "d") == 0


def test_grenade_a_clous():
    board = scenario("A . . b C . d", A="artificier 6")
    for who in "bC":
        spread(board.losses(6, "b", who), 10, 13)
    board.fix("A", 6, 10)
    board.cast(6, "b")
    assert [t.value for t in board.timed("C", Timed.POISON)] == [5]
    board.end()
    assert lost(board, "b") == 15  # 5 at the start of b's turn
    board.until("b")
    assert lost(board, "b") == 20
    board.until("b")
    assert lost(board, "b") == 20  # 2 turns
    assert lost(board, "d") == 0


def test_poudre_noire():
    board = scenario("A . b C . d", A="artificier")
    board.cast(7, "b")
    for who in "bC":
        assert [(t.value, t.turns) for t in board.timed(who, Timed.RESISTANCE)] == [(-20, 2)]
    assert board.timed("d", Timed.RESISTANCE) == []
    board.fix("A", 3, 20)
    board.cast(3, "b")
    assert lost(board, "b") == 24


def test_meche_longue():
    board = scenario("A . b", A="artificier 7")
    board.fix("A", 3, 20)
    board.cast(7).cast(3, "b")
    assert lost(board, "b") == 25


def test_bouquet_final():
    board = scenario(
        """
        . . . . C . .
        A . . . . . b
        . . . . . . d
    """,
        A="artificier",
    )
    for who in "Cb":  # circle of 2 around (1, 4)
        spread(board.losses(8, (1, 4), who, times=300), 35, 45)
    board.cast(8, (1, 4))
    assert lost(board, "d") == 0  # at 3


def test_obus_perforant():
    board = scenario("A . # . . . . . . b", A="artificier 8")
    spread(board.losses(8, "b", "b", times=300), 35, 45)


def test_reaction_en_chaine():
    board = scenario(
        """
        A . . . . . . . . C
        . . . . . . . b . d
    """,
        A="artificier P",
    )
    board["A"].ap = 40
    # charges at columns 3, 5 and 7 of the first row, 2 apart; b stands below the last
    board.cast(1, (0, 3))
    board.move("A", (0, 1))
    board.cast(1, (0, 5))
    board.move("A", (0, 4))
    board.cast(1, (0, 7))
    board.move("A", (0, 0))
    board.cast(2, (0, 3))
    assert board.summons("charge_explosive") == []
    assert 22 <= lost(board, "b") <= 42  # 28, critical 42


def test_reaction_en_chaine_reaches_2():
    board = scenario("A . . . . . . . . b", A="artificier P")
    board["A"].ap = 40
    board.cast(1, (0, 4))
    board.move("A", (0, 3))
    board.cast(1, (0, 7))
    board.move("A", (0, 0))
    board.cast(2, (0, 4))
    assert len(board.summons("charge_explosive")) == 1  # 3 apart


def test_artilleur():
    board = scenario("A . . . . . . . . b", A="artificier p")
    board.move("b", (0, 8))
    assert board.can(3, "b")  # Mousquet reaches 8 instead of 7
    board.move("b", (0, 9))
    assert not board.can(3, "b")
