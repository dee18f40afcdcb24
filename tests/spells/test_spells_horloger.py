"""The Horloger's sixteen spells and two passives, and his Automates."""

import pytest
from scenario import Board, scenario, share, spread
from sheet import follows_its_sheet

from solwaris_env.duel.engine.state import Timed

SHEETS = [
    ("horloger", 1, "entity", 3, 1, 6, {"per_turn": 2}),  # Aiguille des heures
    ("horloger 1", 1, "entity", 3, 1, 6, {"per_turn": 2}),  # Aiguille des minutes
    ("horloger", 2, "entity", 4, 1, 5, {"per_turn": 1}),  # Sablier
    ("horloger 2", 2, "entity", 4, 1, 5, {"per_turn": 1}),  # Engrenage grippé
    ("horloger", 3, "free", 4, 1, 2, {"cooldown": 4}),  # Automate
    ("horloger 3", 3, "free", 4, 1, 2, {"cooldown": 4}),  # Automate gardien
    ("horloger", 4, "self", 3, 0, 0, {"cooldown": 2}),  # Retour
    ("horloger", 5, "enemy", 4, 1, 5, {"cooldown": 3}),  # Désynchronisation
    ("horloger 5", 5, "ally", 3, 0, 3, {"cooldown": 3}),  # Accélération
    ("horloger", 6, "entity", 4, 1, 4, {"cooldown": 3}),  # Stase
    ("horloger 6", 6, "ally", 3, 0, 3, {"cooldown": 3}),  # Bulle temporelle
    ("horloger", 7, "cell", 4, 1, 1, {"line": True, "per_turn": 2}),  # Pendule
    ("horloger 7", 7, "entity", 4, 2, 6, {"line": True, "per_turn": 2}),  # Remontoir
    ("horloger", 8, "entity", 6, 1, 6, {"cooldown": 2}),  # Minuit
    ("horloger 8", 8, "enemy", 5, 1, 5, {"cooldown": 3}),  # Douzième coup
]


@pytest.mark.parametrize("hero, slot, target, cost, low, high, rest", SHEETS)
def test_sheet(hero, slot, target, cost, low, high, rest):
    follows_its_sheet(hero, slot, target, cost, low, high, **rest)


def lost(board: Board, who: str | int) -> int:
    return int(board[who].max_hp - board[who].hp)


def yielding(board: Board, who: str = "b") -> Board:
    """Let a hero's class refuse no removal."""
    cls = board.duel.rules[0].cls[int(board.hero(who).cls)]
    cls.ap_resist, cls.mp_resist = 0, 0
    return board


def test_aiguille_des_heures():
    board = scenario("A . . . . . b", A="horloger")
    spread(board.losses(1, "b", "b"), 18, 24)
    share(board.many(lambda copy: copy.cast(1, "b")["b"].ap_lost == 1, times=400), 65)


def test_aiguille_des_minutes():
    board = scenario("A . . . . . b", A="horloger 1")
    spread(board.losses(1, "b", "b"), 18, 24)
    share(board.many(lambda copy: copy.cast(1, "b")["b"].mp_lost == 1, times=400), 65)


def test_sablier():
    board = yielding(scenario("A . . . . b", A="horloger"))
    board.cast(2, "b").end()
    assert board["b"].ap == 9 and lost(board, "b") == 0


def test_engrenage_grippe():
    board = yielding(scenario("A . . . . b", A="horloger 2"))
    board.cast(2, "b").end()
    assert board["b"].mp == 3 and board["b"].ap == 12 and lost(board, "b") == 0


def test_automate():
    board = yielding(
        scenario(
            """
        A . . . . b
        . . . . C d
    """,
            A="horloger",
        )
    )
    board.cast(3, (0, 2))
    body = board.summon("automate")
    assert board[body].hp == 70 and board[body].camp == 0
    board.end()
    assert board.actor == body and (board[body].ap, board[body].mp) == (0, 4)
    board.go((0, 4))

    def strike(copy: Board) -> tuple[int, int, int, int]:
        copy.end()
        return lost(copy, "b"), lost(copy, "C"), lost(copy, "d"), int(copy["b"].mp)

    seen = board.many(strike, times=400)
    # 12-16 to b, next to it at its turn's end, critical 18-24; C is an ally, d two cells away
    damage = [b for b, _, _, _ in seen]
    assert min(damage) == 12 and 16 in damage and max(damage) <= 24
    assert all(c == 0 and d == 0 and mp == 5 for _, c, d, mp in seen)


def test_automate_gardien():
    board = scenario("A . C b . d", A="horloger 3")
    board.cast(3, (0, 1))
    body = board.summon("automate_gardien")
    assert board[body].hp == 70
    board.end()
    assert (board[body].ap, board[body].mp) == (0, 4)
    board.end()
    assert board.actor == 1 and lost(board, "b") == 0  # no blow
    board.fix("b", 1, 20)
    board.cast(1, "C")
    assert lost(board, "C") == 17  # 20 x 0.85
    board.state.occupant[board[body].cell] = -1
    board[body].cell = board.at((0, 4))
    board.state.occupant[board.at((0, 4))] = body
    board.cast(1, "C")
    assert lost(board, "C") == 37  # two cells away it does not help


def test_retour():
    board = scenario("A . . . . b", A="horloger")
    board["A"].hp = 100
    board.go((0, 3))
    spread([-x for x in board.losses(4, None, "A")], 10, 14)
    assert board.cast(4).place("A") == (0, 0)


def test_retour_heals_where_the_turn_began_too():
    board = scenario("A . . . . b", A="horloger")
    board["A"].hp = 100
    board.cast(4)
    assert board.place("A") == (0, 0) and 110 <= board["A"].hp <= 114


def test_relais():
    board = scenario("A . . # . . b", A="horloger 4")
    assert not board.mask()[3 * 504 : 4 * 504].any()  # no Automate yet
    board.cast(3, (0, 1))
    body = board.summon("automate")
    board.state.occupant[board[body].cell] = -1
    board[body].cell = board.at((0, 4))
    board.state.occupant[board.at((0, 4))] = body
    assert board.can(4, (0, 4))  # behind the wall, at any distance
    board.cast(4, (0, 4))
    assert board.place("A") == (0, 4) and board.place(body) == (0, 0)
    assert board["A"].ap == 12 - 4 - 3
    assert not board.can(4, (0, 0))
    board.until("A")
    assert not board.can(4, board[body].cell)
    board.until("A")
    assert board.can(4, board[body].cell)  # cooldown 2


def test_desynchronisation():
    board = scenario("A . . b", A="horloger", turn="b")
    board.cast(3).cast(6)  # Cri de guerre and Bouclier levé, cooldown 3
    board.until("A").cast(5, "b")
    # each is allowed one turn later: the fourth from now instead of the third
    for turn in range(1, 5):
        board.until("b")
        assert board.can(3) is (turn == 4) and board.can(6) is (turn == 4)
        assert board.can(5, (0, 1))  # Bond was ready, and still is


def test_acceleration():
    board = scenario("A . . C b d", A="horloger 5")
    board.cast(5, "C")
    board.until("C")
    assert board["C"].ap == 14
    board.until("C")
    assert board["C"].ap == 12
    board = scenario("A . . b", A="horloger 5")
    board.cast(5, "A")
    assert board["A"].ap == 12 - 3 + 2


def test_stase():
    board = yielding(scenario("A . b . C d", A="horloger"))
    board.cast(6, "b")
    assert board["b"].mp_lost == 4
    board.fix("A", 1, 20)
    board.cast(1, "b")
    assert lost(board, "b") == 10
    board.end()
    assert board["b"].mp == 2  # 6 less 4
    assert len(board.timed("b", Timed.RESISTANCE)) == 1  # until its turn ends
    board.end()
    assert board.timed("b", Timed.RESISTANCE) == []


def test_stase_on_an_ally():
    board = scenario("A . C . b d", A="horloger")
    board.cast(6, "C")
    board.end()
    assert board.timed("C", Timed.RESISTANCE)
    board.end()
    assert board.actor == 2 and board.timed("C", Timed.RESISTANCE)
    board.end()
    assert board.timed("C", Timed.RESISTANCE) == []


def test_bulle_temporelle():
    board = scenario("A . . C b d", A="horloger 6")
    board.cast(6, "C")
    assert [(t.value, t.turns) for t in board.timed("C", Timed.ARMOUR)] == [(35, 2)]


def test_pendule():
    board = scenario("A . b . . . . C d", A="horloger")
    spread(board.losses(7, (0, 1), "b"), 20, 25)
    board.cast(7, (0, 1))
    assert board.place("b") == (0, 4)  # away from the Horloger by 2
    board = scenario("A . . . b C d", A="horloger")
    board.cast(7, (0, 1))
    assert lost(board, "b") == 0 and lost(board, "A") == 0  # line of 3: columns 1 to 3


def test_remontoir():
    board = scenario("A . . . . . b", A="horloger 7")
    spread(board.losses(7, "b", "b"), 14, 20)
    assert board.cast(7, "b").place("b") == (0, 3)


def test_minuit():
    board = scenario("A . . . . . b", A="horloger")
    spread(board.losses(8, "b", "b"), 28, 36)
    board["b"].ap_lost = 2
    board["b"].mp_lost = 1
    spread(board.losses(8, "b", "b"), 28 + 18, 36 + 18)  # 3 points at 6


def test_douzieme_coup():
    board = scenario("A . . . . b", A="horloger 8")
    board.cast(8, "b")
    assert lost(board, "b") == 0
    board.until("A")
    assert lost(board, "b") == 0
    board.end()
    # at the start of the second turn from now

    def strike(copy: Board) -> int:
        copy.end()
        return lost(copy, "b")

    spread(board.many(strike, times=300), 56, 70)
    board.until("A").until("A")
    assert 56 <= lost(board, "b") <= 70  # once


def test_rouages():
    board = yielding(scenario("A . . b", A="horloger P"))
    board.cast(1, "b")  # one AP taken
    board.until("A")
    assert board["A"].ap == 13
    board.cast(2, "b")  # three taken: two at most
    board.until("A")
    assert board["A"].ap == 14
    board.until("A")
    assert board["A"].ap == 12


def test_balancier():
    # the Guerrier's 35 % become 20 %
    board = scenario("A . . b", A="horloger p")
    share(board.many(lambda copy: copy.cast(1, "b")["b"].ap_lost == 1, times=500), 80)
