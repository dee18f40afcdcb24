"""X: traps."""

import pytest
from scenario import HEROES, Board, scenario

from solwaris_env.duel.content.loader import content

ROW = "A . . . . . . b"


def lost(board: Board, who: str) -> int:
    return int(board[who].max_hp - board[who].hp)


@pytest.mark.rule("X1")
def test_only_the_camp_that_laid_a_trap_sees_it():
    board = scenario("A C . . . . b d", A="ombre")
    board.cast(3, (0, 4))  # Piège à pointes
    counts = [int(board.duel.known(seat).trap_count) for seat in range(4)]
    assert counts == [1, 0, 1, 0]
    board.end()
    # to b the area looks like any floor: he may go into it
    assert board.can_go((0, 4)) and board.can_go((0, 3))


@pytest.mark.rule("X2")
def test_a_trap_springs_on_an_enemy_and_cuts_his_walk():
    board = scenario(ROW, A="ombre")
    board.fix_trap("piege_a_pointes", 30)
    board.cast(3, (0, 4)).end()
    board.go((0, 2))  # b walks left from column 7; the cross begins at column 5
    assert board.place("b") == (0, 5) and lost(board, "b") == 30
    assert board["b"].mp == 4  # two steps paid, the rest of the walk lost, not its MP
    assert board.traps() == []


@pytest.mark.rule("X2")
def test_a_trap_springs_on_its_layer_and_on_his_ally():
    board = scenario(ROW, A="ombre")
    board.fix_trap("piege_a_pointes", 30)
    board.cast(3, (0, 3)).go((0, 3))
    assert board.place("A") == (0, 2) and lost(board, "A") == 30 and board.traps() == []
    board = scenario("C A . . . . b d", A="ombre")
    board.fix_trap("piege_a_pointes", 30)
    board.cast(3, (0, 4))
    board.until("C")
    board.move("C", (0, 2))
    board.go((0, 3))
    assert lost(board, "C") == 30


@pytest.mark.rule("X3")
def test_a_trap_lies_for_8_turns_of_its_layer():
    board = scenario(ROW, A="ombre")
    board.cast(3, (0, 3))
    for _ in range(7):
        board.until("A")
        assert len(board.traps()) == 1
    board.end()
    assert len(board.traps()) == 1  # all through the other's turn
    board.end()  # the eighth turn of A's after the one in which it was laid
    assert board.traps() == []


@pytest.mark.rule("X3")
def test_a_sprung_trap_is_used_up():
    board = scenario(ROW, A="ombre")
    board.fix_trap("piege_a_pointes", 30)
    board.cast(3, (0, 3)).end()
    board.go((0, 4)).go((0, 3)).go((0, 2))
    assert board.place("b") == (0, 2) and lost(board, "b") == 30


CROSS = {(2, 2), (1, 2), (3, 2), (2, 1), (2, 3)}
DIAGONALS = {(2, 2), (1, 1), (1, 3), (3, 1), (3, 3)}
CIRCLE = CROSS | DIAGONALS | {(0, 2), (4, 2), (2, 0), (2, 4)}
AREAS = {
    "piege_a_pointes": CROSS,
    "piege_de_glu": CROSS,
    "piege_a_ressort": CROSS,
    "mauvais_oeil": DIAGONALS,
    "fosse": CIRCLE,
}


@pytest.mark.rule("X4")
@pytest.mark.parametrize("name", AREAS)
def test_areas(name):
    board = scenario("""
        . . . . . . C
        . . . . . . .
        . . . . . . A
        . . . . . . b
        . . . . . . d
    """)
    board.lay_trap(name, "d", (2, 2))
    sprung = set()
    for row in range(5):
        for column in range(5):
            copy = board.clone()
            copy.move("A", (row, column + 1))  # one step from the right
            copy.go((row, column))
            if not copy.traps():
                sprung.add((row, column))
    assert sprung == AREAS[name]
    assert {sheet.id for sheet in content().traps} == set(AREAS)


@pytest.mark.rule("X5")
def test_traps_side_by_side_and_overlapping():
    board = scenario(
        """
        A . . . . . .
        . . . . . . b
    """,
        A="ombre",
    )
    board.cast(3, (0, 3)).cast(4, (0, 4)).cast(5, (1, 4))
    assert len(board.traps()) == 3


@pytest.mark.rule("X5")
def test_several_traps_on_one_cell_all_spring_the_oldest_first():
    # 28 damage at -25 % resistance is 35: only if Mauvais œil comes first
    for first, second, expected in [
        ("mauvais_oeil", "piege_a_pointes", 12 + 35),
        ("piege_a_pointes", "mauvais_oeil", 28 + 12),
    ]:
        board = scenario("A . . . . . b", A="ombre")
        board.fix_trap("piege_a_pointes", 28)
        board.fix_trap("mauvais_oeil", 12)
        centre = {"mauvais_oeil": (0, 4), "piege_a_pointes": (0, 3)}  # both cover (0, 4) first
        board.lay_trap(first, "A", centre[first])
        board.lay_trap(second, "A", centre[second])
        board.end().go((0, 2))
        assert board.place("b") == (0, 4) and board.traps() == []
        assert lost(board, "b") == expected


@pytest.mark.rule("X6")
def test_a_trap_acts_on_the_one_who_entered_only():
    board = scenario(
        """
        . . . . . .
        A . C . b d
    """,
        b="brute",
        A="brute",
    )
    # Fosse, circle of 2 around (1,2): C stands on its centre already
    board.lay_trap("fosse", "A", (1, 2))
    board.fix_trap("fosse", 30)
    board.end().go((1, 3))
    assert lost(board, "b") == 30 and lost(board, "C") == 0


@pytest.mark.rule("X6", "N13")
def test_inert_entities_spring_nothing():
    board = scenario(ROW, A="guerrier", b="ombre")
    board.lay_trap("piege_a_pointes", "b", (0, 2))
    board.cast(4, (0, 2))
    assert len(board.traps()) == 1
    flag = board.summon("banniere")
    assert board[flag].hp == 40


@pytest.mark.rule("X6")
def test_a_mobile_summon_made_inside_an_area_has_entered_it():
    board = scenario(ROW, A="arcaniste", b="ombre")
    board.lay_trap("piege_a_pointes", "b", (0, 2))
    board.fix_trap("piege_a_pointes", 30)
    board.cast(4, (0, 3))
    assert board.traps() == []
    assert board[board.summon("elementaire_flamme")].hp == 30


@pytest.mark.rule("X6")
def test_to_start_inside_and_walk_out_springs_nothing():
    board = scenario(ROW, A="ombre")
    board.lay_trap("piege_a_pointes", "A", (0, 1))  # covers columns 0 to 2
    board.end()
    board.move("b", (0, 2))
    board.go((0, 3))
    assert len(board.traps()) == 1 and lost(board, "b") == 0


@pytest.mark.rule("X7")
def test_a_trap_is_laid_on_a_cell_that_looks_free():
    board = scenario(ROW, A="ombre")
    board.move("b", (0, 3))
    assert not board.can(3, "b") and board.can(3, (0, 2))


@pytest.mark.rule("X7")
def test_not_twice_on_the_same_centre_by_the_same_camp():
    board = scenario("A C . . . . b d", A="ombre", C="ombre", b="ombre", d="ombre")
    board.cast(3, (0, 4))
    assert not board.can(4, (0, 4)) and board.can(4, (0, 3))  # another trap of his
    board.end()
    assert board.can(3, (0, 4))  # the other camp knows nothing of it
    board.cast(3, (0, 4))
    assert len(board.traps()) == 2
    board.end()
    assert not board.can(3, (0, 4))  # the ally knows
    assert HEROES["C"] == board.actor


@pytest.mark.rule("X2", "F5")
def test_a_spring_may_throw_its_victim_into_the_next_trap():
    # b enters the Piège à ressort around column 5 at column 6, is thrown right and meets the
    # Piège à pointes around column 9 at column 8, which stops it: no collision
    board = scenario("A . . . . . . b . . . .", A="ombre")
    board.lay_trap("piege_a_ressort", "A", (0, 5))
    board.lay_trap("piege_a_pointes", "A", (0, 9))
    board.fix_trap("piege_a_ressort", 10)
    board.fix_trap("piege_a_pointes", 30)
    board.end().go((0, 6))
    assert board.place("b") == (0, 8) and lost(board, "b") == 40 and board.traps() == []


@pytest.mark.rule("X2", "F2")
def test_a_spring_against_a_wall_is_a_collision():
    board = scenario("A . . . . . . b # .", A="ombre")
    board.lay_trap("piege_a_ressort", "A", (0, 5))
    board.fix_trap("piege_a_ressort", 10)
    board.end().go((0, 6))
    # thrown from column 6 over one cell, two are missing: 24
    assert board.place("b") == (0, 7) and lost(board, "b") == 10 + 24


@pytest.mark.rule("X3", "E4")
def test_a_trap_outlives_no_layer_but_his_turns_count():
    # in 2v2 the trap ages at its layer's turns only: 8 of C's turns are 16 of the camp's
    board = scenario("A . . C b d", C="ombre", turn="C")
    board.cast(3, (0, 2))
    for _ in range(7):
        board.until("C")
        assert len(board.traps()) == 1
    board.until("d")
    assert len(board.traps()) == 1
    board.until("C")
    assert board.traps() == []
