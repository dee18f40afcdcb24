"""The Ombre's sixteen spells and two passives."""

import pytest
from scenario import Board, scenario, share, spread
from sheet import follows_its_sheet

from solwaris_env.duel.engine.state import Timed

SHEETS = [
    ("ombre", 1, "entity", 3, 1, 2, {"per_turn": 3}),  # Dague
    ("ombre 1", 1, "entity", 3, 1, 1, {"per_turn": 2}),  # Lame empoisonnée
    ("ombre", 2, "self", 4, 0, 0, {"cooldown": 4}),  # Invisibilité
    ("ombre 2", 2, "ally", 4, 0, 3, {"cooldown": 5}),  # Linceul
    ("ombre", 3, "free", 3, 1, 5, {"per_turn": 1}),  # Piège à pointes
    ("ombre 3", 3, "free", 3, 1, 5, {"per_turn": 1}),  # Mauvais œil
    ("ombre", 4, "free", 3, 1, 5, {"per_turn": 1}),  # Piège de glu
    ("ombre 4", 4, "entity", 3, 2, 6, {"per_turn": 2}),  # Shuriken
    ("ombre", 5, "free", 3, 1, 5, {"per_turn": 1}),  # Piège à ressort
    ("ombre 5", 5, "entity", 3, 1, 2, {"per_turn": 2}),  # Croc-en-jambe
    ("ombre", 6, "entity", 3, 1, 4, {"line": True, "per_turn": 2}),  # Peur
    ("ombre 6", 6, "entity", 3, 2, 6, {"line": True, "per_turn": 2}),  # Appel
    ("ombre", 7, "free", 4, 1, 5, {"cooldown": 2}),  # Pas de l'ombre
    ("ombre 7", 7, "enemy", 4, 1, 4, {"cooldown": 2}),  # Substitution
    ("ombre", 8, "entity", 5, 1, 1, {"per_turn": 1}),  # Exécution
    ("ombre 8", 8, "entity", 5, 1, 1, {"per_turn": 1}),  # Saignée
]


@pytest.mark.parametrize("hero, slot, target, cost, low, high, rest", SHEETS)
def test_sheet(hero, slot, target, cost, low, high, rest):
    follows_its_sheet(hero, slot, target, cost, low, high, **rest)


def lost(board: Board, who: str) -> int:
    return int(board[who].max_hp - board[who].hp)


def test_dague():
    spread(scenario("A . b", A="ombre").losses(1, "b", "b"), 21, 28)


def test_lame_empoisonnee():
    board = scenario("A b", A="ombre 1")
    spread(board.losses(1, "b", "b"), 12, 15)
    board.fix("A", 1, 10)
    board.cast(1, "b")
    for turn in range(1, 4):  # 8 at the start of each of b's turns, three times
        board.until("b")
        assert lost(board, "b") == 10 + 8 * turn
    board.until("b")
    assert lost(board, "b") == 34


def test_invisibilite():
    board = scenario("A . . b", A="ombre")
    board.cast(2)
    assert board["A"].invisible == 1
    board.end()
    assert not board.can(8, "A") and board["A"].invisible == 1
    board.end()
    assert board["A"].invisible == 0


def test_linceul():
    board = scenario("A . . C b d", A="ombre 2")
    board.cast(2, "C")
    assert board["C"].invisible == 1 and board["A"].invisible == 0
    board.end()
    assert board["C"].invisible == 1 and not board.can(1, "C")
    board.end()
    assert board["C"].invisible == 0
    board = scenario("A . . b", A="ombre 2")
    board.cast(2, "A")  # range 0: oneself
    assert board["A"].invisible == 1


def caught(hero: str, slot: int, times: int = 400) -> list[tuple]:
    """What happens to b who walks left into the trap laid at column 3: HP lost, place, MP."""
    board = scenario("A . . . . . . . b", A=hero)
    board.cast(slot, (0, 3)).end()

    def walk(copy: Board) -> tuple:
        copy.go((0, 3))
        assert copy.traps() == []
        hexes = tuple((int(t.value), int(t.turns)) for t in copy.timed("b", Timed.RESISTANCE))
        return lost(copy, "b"), copy.place("b"), int(copy["b"].mp), int(copy["b"].mp_lost), hexes

    return board.many(walk, times)


def test_piege_a_pointes():
    seen = caught("ombre", 3)
    spread([x[0] for x in seen], 28, 36)
    assert {x[1] for x in seen} == {(0, 4)}  # cross of 1


def test_mauvais_oeil():
    seen = caught("ombre 3", 3)
    spread([x[0] for x in seen], 12, 16)
    assert {x[1] for x in seen} == {(0, 3)}  # no arms in the row, only the cell itself
    assert {x[4] for x in seen} == {((-25, 2),)}


def test_piege_de_glu():
    seen = caught("ombre", 4)
    spread([x[0] for x in seen], 10, 14)
    assert {x[1] for x in seen} == {(0, 4)}
    # b has walked 4 steps and has 2 MP left: it cannot lose more
    assert {x[3] for x in seen} == {0, 1, 2}
    assert all(mp == 2 - taken for _, _, mp, taken, _ in seen)
    # 3 tries against 35 %: none succeeds in 0.35^3 = 4.29 %
    share([x[3] == 0 for x in seen], 4.29)


def test_piege_a_ressort():
    seen = caught("ombre", 5)
    spread([x[0] for x in seen], 8, 12)
    # caught at column 4, thrown 3 away from the centre at column 3
    assert {x[1] for x in seen} == {(0, 7)}


def test_shuriken():
    spread(scenario("A . . . . . b", A="ombre 4").losses(4, "b", "b"), 16, 22)


def test_croc_en_jambe():
    board = scenario("A . b", A="ombre 5")
    spread(board.losses(5, "b", "b"), 9, 14)
    share(board.many(lambda copy: copy.cast(5, "b")["b"].mp_lost == 2, times=400), 42.25)


def test_peur():
    board = scenario("A . . . b . . . .", A="ombre")
    board.cast(6, "b")
    assert board.place("b") == (0, 7) and lost(board, "b") == 0


def test_appel():
    board = scenario("A . . . . . b", A="ombre 6")
    board.cast(6, "b")
    assert board.place("b") == (0, 2) and lost(board, "b") == 0


def test_pas_de_l_ombre():
    board = scenario("A . # . . . b", A="ombre")
    board.cast(7, (0, 5))  # without sight
    assert board.place("A") == (0, 5)


def test_substitution():
    board = scenario("A C . . b d", A="ombre 7")
    assert not board.can(7, "C")  # enemies only
    board.cast(7, "b")
    assert board.place("A") == (0, 4) and board.place("b") == (0, 0)


def test_execution():
    board = scenario("A b", A="ombre")
    spread(board.losses(8, "b", "b", times=300), 32, 41)
    board.health("b", 90, of=300)  # 30 %: not under
    spread(board.losses(8, "b", "b", times=300), 32, 41)
    board.health("b", 89, of=300)
    spread(board.losses(8, "b", "b", times=300), 48, 62)  # x 1.5: 48 and 61.5, half up


def test_execution_adds_its_bonus_to_others():
    # a boost of 30 % and these 50 % are bonuses of one hit
    board = scenario("C A b d", A="ombre", C="guerrier 3", turn="C")
    board.tune("C", 3, a=30)
    board.cast(3).until("A")
    board.fix("A", 8, 30)
    board["b"].hp = 80
    board.cast(8, "b")
    assert board["b"].hp == 80 - 54  # 30 x 1.8


def test_saignee():
    board = scenario("A b", A="ombre 8")
    spread(board.losses(8, "b", "b"), 25, 32)
    board["A"].hp = 100
    board.fix("A", 8, 25)
    board.cast(8, "b")
    assert board["A"].hp == 113  # half of 25 is 12.5


def test_traque():
    # +20 % on a target that lost points or was moved by force since its own last turn
    board = scenario("A b . . . . C d", A="ombre P", C="guerrier 8")
    board.fix("A", 1, 20)

    def hits(copy: Board) -> set[int]:
        return set(copy.losses(1, "b", "b", times=60))

    assert hits(board) <= {20, 30} and 20 in hits(board)
    for field in ("ap_lost", "mp_lost"):
        copy = board.clone()
        copy["b"][field] = 1
        assert hits(copy) <= {24, 36} and 24 in hits(copy)
    board.cast(6, "b")  # Peur moves it by force
    board.move("b", (0, 1))
    assert hits(board) <= {24, 36} and 24 in hits(board)
    board.until("C").until("A")  # b has had its turn meanwhile
    assert hits(board) <= {20, 30} and 20 in hits(board)


def test_pas_feutres():
    board = scenario("A . . . . b C d", A="ombre p", C="ombre", b="ombre")
    board.lay_trap("piege_a_pointes", "A", (0, 2))
    board.lay_trap("mauvais_oeil", "C", (0, 3))  # the ally's too
    board.go((0, 3))
    assert board.place("A") == (0, 3) and lost(board, "A") == 0 and len(board.traps()) == 2
    board = scenario("A . . . . b", A="ombre p", b="ombre")
    board.lay_trap("piege_a_pointes", "b", (0, 2))
    board.go((0, 3))
    assert board.place("A") == (0, 1) and lost(board, "A") > 0  # the enemy's spring
