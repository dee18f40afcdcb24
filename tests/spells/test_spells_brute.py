"""The Brute's sixteen spells and two passives."""

import pytest
from scenario import Board, scenario, share, spread
from sheet import follows_its_sheet

from solwaris_env.duel.engine.state import Timed

SHEETS = [
    ("brute", 1, "entity", 3, 1, 1, {"per_turn": 3}),  # Coup de poing
    ("brute 1", 1, "entity", 4, 1, 1, {"per_turn": 2}),  # Coup de tête
    ("brute", 2, "self", 3, 0, 0, {"cooldown": 4}),  # Peau de pierre
    ("brute 2", 2, "self", 4, 0, 0, {"cooldown": 4}),  # Peau neuve
    ("brute", 3, "free", 4, 1, 4, {"cooldown": 3}),  # Fosse
    ("brute 3", 3, "self", 4, 0, 0, {"per_turn": 1}),  # Secousse
    ("brute", 4, "entity", 3, 2, 4, {"line": True, "per_turn": 1}),  # Empoignade
    ("brute 4", 4, "entity", 5, 1, 1, {"per_turn": 1}),  # Projection
    ("brute", 5, "entity", 4, 2, 6, {"line": True, "cooldown": 2}),  # Charge
    ("brute 5", 5, "free", 5, 2, 4, {"cooldown": 2}),  # Bond écrasant
    ("brute", 6, "self", 2, 0, 0, {"cooldown": 3}),  # Hurlement
    ("brute 6", 6, "entity", 3, 1, 3, {"cooldown": 2}),  # Intimidation
    ("brute", 7, "self", 6, 0, 0, {"per_turn": 1}),  # Séisme
    ("brute 7", 7, "cell", 6, 1, 1, {"line": True, "per_turn": 1}),  # Faille
    ("brute 8", 8, "self", 3, 0, 0, {"cooldown": 4}),  # Second souffle
]


@pytest.mark.parametrize("hero, slot, target, cost, low, high, rest", SHEETS)
def test_sheet(hero, slot, target, cost, low, high, rest):
    follows_its_sheet(hero, slot, target, cost, low, high, **rest)


def lost(board: Board, who: str) -> int:
    return int(board[who].max_hp - board[who].hp)


def test_coup_de_poing():
    spread(scenario("A b", A="brute").losses(1, "b", "b", times=300), 20, 30)


def test_coup_de_tete():
    board = scenario("A b", A="brute 1")
    spread(board.losses(1, "b", "b", times=300), 32, 42)
    board.cast(1, "b")
    assert lost(board, "A") == 8


def test_peau_de_pierre():
    board = scenario("A b", b="brute", turn="b")
    board.cast(2).until("A")
    board.fix("A", 1, 20)
    board.cast(1, "b")
    assert lost(board, "b") == 14  # 20 x 0.7
    board.until("A").cast(1, "b")
    assert lost(board, "b") == 28  # still
    board.until("A").cast(1, "b")
    assert lost(board, "b") == 48  # over


def test_peau_neuve():
    board = scenario("A b", A="brute 2")
    board["A"].hp = 100
    spread([-x for x in board.losses(2, None, "A", times=300)], 35, 45)


def test_fosse():
    board = scenario("A . . . . . . b", A="brute")
    board.cast(3, (0, 4)).end()

    def walk(copy: Board) -> tuple[int, int]:
        copy.go((0, 4))
        assert copy.place("b") == (0, 6)  # the circle of 2 begins at column 6
        return lost(copy, "b"), int(copy["b"].mp_lost)

    caught = board.many(walk, times=400)
    # the trap's hits are the steady Brute's: never critical
    spread([damage for damage, _ in caught], 25, 32)
    # 2 tries against the Guerrier's 35 %: both succeed in 42.25 %
    share([points == 2 for _, points in caught], 42.25)
    assert {points for _, points in caught} == {0, 1, 2}


def test_secousse():
    board = scenario(
        """
        . . C . .
        . . A b .
        . . . . d
    """,
        A="brute 3",
    )
    spread(board.losses(3, None, "b"), 15, 20)
    spread(board.losses(3, None, "C"), 15, 20)
    board.cast(3)
    assert lost(board, "A") == 0 and lost(board, "d") == 0  # itself, and distance 3
    fresh = scenario(". C A b . .\n . . . . . d", A="brute 3")
    share(fresh.many(lambda copy: copy.cast(3)["b"].mp_lost == 1, times=400), 65)


def test_empoignade():
    board = scenario("A . . . b", A="brute")
    spread(board.losses(4, "b", "b"), 6, 10)
    assert board.cast(4, "b").place("b") == (0, 1)  # pulled 3


def test_projection():
    board = scenario("A b . . . . .", A="brute 4")
    board.cast(4, "b")
    assert board.place("b") == (0, 5) and lost(board, "b") == 0
    board = scenario("A b . . #", A="brute 4")
    board.cast(4, "b")
    assert board.place("b") == (0, 3) and lost(board, "b") == 36  # 2 cells at 18


def test_charge():
    board = scenario("A . . . . b . .", A="brute")
    spread(board.losses(5, "b", "b"), 14, 18)
    board.cast(5, "b")
    assert board.place("A") == (0, 4) and board.place("b") == (0, 6)


def test_bond_ecrasant():
    board = scenario(
        """
        A # . b .
        . . . C d
    """,
        A="brute 5",
    )
    spread(board.losses(5, (0, 2), "b"), 12, 16)
    board.cast(5, (0, 2))
    # circle of 1 around the landing: b; C and d are farther, the Brute is spared
    assert board.place("A") == (0, 2)
    assert [lost(board, who) for who in "ACd"] == [0, 0, 0]
    board = scenario("A . . C b d", A="brute 5")
    board.cast(5, (0, 2))
    assert 12 <= lost(board, "C") <= 16  # an ally is not


def test_hurlement():
    board = scenario(
        """
        . . . d . . .
        . . . . . . .
        . . C A . b .
        . . . . . . .
        . . . . . . .
    """,
        A="brute",
    )
    board.cast(6)
    # b two cells to the right: one cell of two, then the edge: 12
    assert board.place("b") == (2, 6) and lost(board, "b") == 12
    assert board.place("d") == (0, 3) and lost(board, "d") == 24  # on the edge already
    assert board.place("C") == (2, 2) and lost(board, "C") == 0  # enemies only


def test_intimidation():
    board = scenario("A . . b", A="brute 6")
    board.cast(6, "b")
    board.end()
    board.move("b", (0, 1))
    board.fix("b", 1, 20)
    board.cast(1, "A")
    assert lost(board, "A") == 16  # 20 x 0.8


def test_seisme():
    board = scenario(
        """
        . . . C . . .
        . . . . . . .
        . . . . . . .
        . . . A . . b
        . . . . d . .
    """,
        A="brute",
    )
    spread(board.losses(7, None, "b"), 28, 34)
    spread(board.losses(7, None, "C"), 28, 34)
    board.cast(7)
    assert lost(board, "d") == 0 and lost(board, "A") == 0  # off the cross; the caster


def test_faille():
    board = scenario("A # . C b d", A="brute 7")
    assert not board.can(7, (0, 1))  # an obstacle is no target
    board = scenario("A . # C b d", A="brute 7")
    spread(board.losses(7, (0, 1), "C"), 24, 30)
    spread(board.losses(7, (0, 1), "b"), 24, 30)
    board.cast(7, (0, 1))
    # four cells from column 1 on, through the wall: columns 1 to 4, not 5
    assert lost(board, "d") == 0 and lost(board, "A") == 0
    assert [(t.value, t.turns) for t in board.timed("b", Timed.RESISTANCE)] == [(-10, 2)]
    assert board.timed("C", Timed.RESISTANCE) and not board.timed("d", Timed.RESISTANCE)


def test_frenesie():
    board = scenario("A . . b", A="brute")
    board.cast(8)
    assert board["A"].ap == 12 - 2 + 4 and lost(board, "A") == 25
    for _ in range(3):
        board.until("A")
        assert not board.can(8)
    board.until("A")
    assert board.can(8)  # cooldown 4
    assert board["A"].ap == 12


def test_second_souffle():
    board = scenario("A . . b", A="brute 8")
    board.health("A", 130, of=330)  # 200 lost
    board.cast(8)
    assert board["A"].hp == 170  # 20 % of 200
    assert board["A"].mp == 8


def test_rage():
    board = scenario("A b", A="brute P")
    # 100 of 330 lost: three whole tenths, +12 % damage and 6 % resistance
    board.health("A", 230, of=330)
    board.fix("A", 1, 50)
    losses = set(board.losses(1, "b", "b", times=60))
    assert losses <= {56, 84} and 56 in losses  # 50 x 1.12, critical 84
    board.end()
    board.fix("b", 1, 50)
    board.cast(1, "A")
    assert board["A"].hp == 230 - 47  # 50 x 0.94


def test_rage_counts_whole_tenths():
    board = scenario("A b", A="brute P")
    board.health("A", 298, of=330)  # 32 lost: less than a tenth
    board.fix("A", 1, 50)
    losses = set(board.losses(1, "b", "b", times=60))
    assert losses <= {50, 75} and 50 in losses


def test_soif_de_sang():
    board = scenario("A b . .", A="brute p")
    board["A"].hp = 100
    board.fix("A", 1, 30)
    healed = {-x for x in board.losses(1, "b", "A", times=60)}
    assert healed <= {6, 9} and 6 in healed  # 20 % of 30, of a critical 45
    board = scenario("A . b .", A="brute 6 p")
    board["A"].hp = 100
    board.hero("A").spell[0] = scenario("A b", A="ombre").hero("A").spell[0]  # a Dague's 1-2
    board.cast(1, "b")
    assert board["A"].hp == 100  # not at distance 2
