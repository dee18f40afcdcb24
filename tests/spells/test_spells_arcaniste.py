"""The Arcaniste's sixteen spells and two passives, and his Élémentaires' two."""

import pytest
from scenario import Board, scenario, share, spread
from sheet import follows_its_sheet

from solwaris_env.duel.engine.state import Timed

SHEETS = [
    ("arcaniste", 1, "entity", 3, 1, 7, {"per_turn": 3}),  # Trait arcanique
    ("arcaniste 1", 1, "entity", 4, 2, 8, {"line": True, "per_turn": 2}),  # Trait perçant
    ("arcaniste", 2, "cell", 6, 3, 8, {"per_turn": 1}),  # Comète
    ("arcaniste 2", 2, "cell", 6, 3, 7, {"cooldown": 2}),  # Pluie d'étoiles
    ("arcaniste", 3, "self", 3, 0, 0, {"cooldown": 4}),  # Œil du mage
    ("arcaniste 3", 3, "self", 3, 0, 0, {"cooldown": 4}),  # Œil lointain
    ("arcaniste", 4, "free", 5, 1, 3, {"cooldown": 5}),  # Élémentaire de flamme
    ("arcaniste 4", 4, "free", 5, 1, 3, {"cooldown": 5}),  # Élémentaire de givre
    ("arcaniste", 5, "free", 4, 1, 5, {"cooldown": 2}),  # Clignement
    ("arcaniste 5", 5, "entity", 4, 1, 5, {"cooldown": 2}),  # Permutation
    ("arcaniste", 6, "self", 4, 0, 0, {"per_turn": 1}),  # Onde de choc
    ("arcaniste 6", 6, "cell", 4, 2, 6, {"cooldown": 2}),  # Vortex
    ("arcaniste", 7, "self", 3, 0, 0, {"cooldown": 3}),  # Bouclier de mana
    ("arcaniste 7", 7, "entity", 4, 1, 6, {"per_turn": 1}),  # Prison de glace
    ("arcaniste", 8, "entity", 5, 1, 5, {"per_turn": 2}),  # Foudre
    ("arcaniste 8", 8, "entity", 5, 1, 5, {"per_turn": 2}),  # Arc en chaîne
]


@pytest.mark.parametrize("hero, slot, target, cost, low, high, rest", SHEETS)
def test_sheet(hero, slot, target, cost, low, high, rest):
    follows_its_sheet(hero, slot, target, cost, low, high, **rest)


def lost(board: Board, who: str | int) -> int:
    return int(board[who].max_hp - board[who].hp)


def test_trait_arcanique():
    spread(scenario("A . . . . . . b", A="arcaniste").losses(1, "b", "b"), 16, 22)


def test_trait_percant():
    spread(scenario("A . # . b", A="arcaniste 1").losses(1, "b", "b"), 15, 20)


def test_comete():
    board = scenario(
        """
        . . . . . b . .
        A . . . C . . d
        . . . . . . . .
    """,
        A="arcaniste",
    )
    # cross of 1 around (1, 5): C beside it, b above it; d two cells away
    spread(board.losses(2, (1, 5), "b", times=300), 34, 44)
    spread(board.losses(2, (1, 5), "C", times=300), 34, 44)
    board.cast(2, (1, 5))
    assert lost(board, "d") == 0


def test_pluie_d_etoiles():
    board = scenario(
        """
        . . # . b . . .
        A . # C . . . d
        . . # . . . . .
    """,
        A="arcaniste 2",
    )
    # circle of 2 around (1, 5), over the wall: b at (0, 4) and C at (1, 3), d at (1, 7)
    for who in "bCd":
        spread(board.losses(2, (1, 5), who), 20, 26)
    board.move("d", (2, 7))  # distance 3
    board.cast(2, (1, 5))
    assert lost(board, "d") == 0


def test_oeil_du_mage():
    board = scenario("A . b", A="arcaniste")
    board.fix("A", 1, 20)
    board.cast(3).cast(1, "b")
    assert lost(board, "b") == 26
    board.until("A").cast(1, "b")
    assert lost(board, "b") == 52
    board.until("A").cast(1, "b")
    assert lost(board, "b") == 72


def test_oeil_lointain():
    board = scenario("A . . . . . . . . b", A="arcaniste 3")
    assert not board.can(1, "b")  # Trait arcanique reaches 7, b stands at 9
    board.cast(3)
    assert board.can(1, "b")
    board.until("A")
    assert board.can(1, "b")
    board.until("A")
    assert not board.can(1, "b")


def test_elementaire_de_flamme_and_its_flammeche():
    board = scenario("A . . . . b . .", A="arcaniste")
    board.cast(4, (0, 1))
    body = board.summon("elementaire_flamme")
    assert board[body].hp == 60
    board.end()
    assert board.actor == body
    assert (board[body].ap, board[body].mp) == (6, 4)
    reached = []
    for column in range(2, 8):
        board.move("b", (0, column))
        if board.can(1, "b"):
            reached.append(column - 1)
    assert reached == [1, 2, 3, 4]
    board.move("b", (0, 5))
    damage = board.losses(1, "b", "b", times=400)
    # 10-14, critical 15-21
    assert min(damage) == 10 and max(damage) <= 21 and 14 in damage
    share([x > 14 for x in damage], 10)
    board.cast(1, "b")
    assert board[body].ap == 3
    board.cast(1, "b")
    assert board[body].ap == 0 and not board.can(1, "b")


def test_elementaire_de_givre_and_its_morsure():
    board = scenario("A . . . . b", A="arcaniste 4")
    board.cast(4, (0, 1))
    body = board.summon("elementaire_givre")
    assert board[body].hp == 60
    board.end()
    assert board.actor == body and (board[body].ap, board[body].mp) == (6, 4)
    damage = board.losses(1, "b", "b", times=400)
    assert min(damage) == 6 and 9 in damage and max(damage) <= 14  # 9 x 1.5 = 13.5
    # one try for an MP against the Guerrier's 35 %
    share(board.many(lambda copy: copy.cast(1, "b")["b"].mp_lost == 1, times=400), 65)
    board.cast(1, "b")
    assert board[body].ap == 3


def test_clignement():
    board = scenario("A . . . . . b", A="arcaniste")
    board.cast(5, (0, 5))
    assert board.place("A") == (0, 5) and board.occupant((0, 0)) == -1
    board = scenario("A . # . . . b", A="arcaniste")
    assert not board.can(5, (0, 3))  # needs sight


def test_permutation():
    board = scenario("A . C . . b d", A="arcaniste 5")
    board.cast(5, "C")  # any entity, an ally too
    assert board.place("A") == (0, 2) and board.place("C") == (0, 0)


def test_onde_de_choc():
    board = scenario(
        """
        . . . . . . .
        . C . A . b .
        . . . . . . .
        . . . . . . .
        . . . . d . .
    """,
        A="arcaniste",
    )
    for who in "bC":  # both stand one cell from the edge: 12 for the other cell
        spread(board.losses(6, None, who), 8 + 12, 12 + 12)
    board.cast(6)
    assert board.place("b") == (1, 6)
    assert board.place("C") == (1, 0)
    assert lost(board, "d") == 0 and lost(board, "A") == 0


def test_onde_de_choc_pushes_two():
    board = scenario(". . . . A . b . . . d C", A="arcaniste")
    assert board.cast(6).place("b") == (0, 8)


def test_vortex():
    board = scenario(
        """
        . . . C . . .
        . . . . . . .
        A . . x . b .
        . . . . . . .
        . . . . . . d
    """,
        A="arcaniste 6",
    )
    board.cast(6, "x")
    # everyone in the circle of 2: C from above, b from the right; d is too far
    assert board.place("C") == (2, 3)  # both come to two cells; C, the lower cell, goes first
    assert board.place("b") == (2, 4)
    assert board.place("d") == (4, 6)
    assert all(lost(board, who) == 0 for who in "AbCd")


def test_bouclier_de_mana():
    board = scenario("A . . b", A="arcaniste")
    board.cast(7)
    assert [(t.value, t.turns) for t in board.timed("A", Timed.ARMOUR)] == [(35, 2)]


def test_prison_de_glace():
    board = scenario("A . . . . . b", A="arcaniste 7")
    spread(board.losses(7, "b", "b"), 10, 14)
    share(board.many(lambda copy: copy.cast(7, "b")["b"].mp_lost == 3, times=400), 27.46)


def test_foudre():
    board = scenario("A . . . . b", A="arcaniste")
    spread(board.losses(8, "b", "b", times=300), 26, 34)
    share(board.many(lambda copy: copy.cast(8, "b")["b"].ap_lost == 1, times=400), 65)


def test_arc_en_chaine():
    board = scenario("A C . b . . d", A="arcaniste 8")
    spread(board.losses(8, "b", "b"), 22, 28)
    spread(board.losses(8, "b", "d"), 11, 14)  # half, at 3 cells
    board.fix("A", 8, 25)
    board.cast(8, "b")
    assert lost(board, "b") == 25 and lost(board, "d") == 13  # 12.5
    assert lost(board, "C") == 0 and lost(board, "A") == 0  # enemies only


def test_arc_en_chaine_jumps_3_cells_at_most():
    board = scenario("A C . b . . . d", A="arcaniste 8")
    board.cast(8, "b")
    assert lost(board, "d") == 0


def test_arc_en_chaine_takes_the_nearest():
    board = scenario("A C . b . . d", A="arcaniste 8", d="guerrier", turn="d")
    board.cast(4, (0, 5))  # d's Bannière, 2 cells from b, d at 3; they share a camp
    board.until("A").fix("A", 8, 24)
    board.cast(8, "b")
    # d and b have the Bannière's 15 % resistance: 20.4; the Bannière itself has not: 12
    assert board[board.summon("banniere")].hp == 28
    assert lost(board, "d") == 0 and lost(board, "b") == 20


def test_flux():
    board = scenario("A . . b", A="arcaniste P")
    board.until("A")
    assert board["A"].ap == 17  # 14 unspent, 3 kept
    board["A"].ap = 2
    board.until("A")
    assert board["A"].ap == 16


def test_focalisation():
    board = scenario("A . . b", A="arcaniste p")
    board.fix("A", 1, 20)
    losses = board.losses(1, "b", "b", times=600)
    assert set(losses) == {20, 30}
    share([x == 30 for x in losses], 20)
