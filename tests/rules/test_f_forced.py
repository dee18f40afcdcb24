"""F: pushes, pulls, swaps, collisions."""

import pytest
from scenario import Board, scenario

from solwaris_env.duel.content.schema import Bonus
from solwaris_env.duel.engine.state import Timed

# Bourrade (Guerrier 2): 4 AP, range 1, damage, then pushes 3. Its damage is fixed to 10 below.


def pushed(drawing: str, **heroes) -> Board:
    """A pushes b with a Bourrade of 10."""
    board = scenario(drawing, **heroes)
    board.fix("A", 2, 10)
    return board.cast(2, "b")


def lost(board: Board, who: str) -> int:
    return int(board[who].max_hp - board[who].hp)


@pytest.mark.rule("F1", "F7")
def test_a_push_drives_away_in_a_straight_line():
    board = pushed("A b . . . .")
    assert board.place("b") == (0, 4) and lost(board, "b") == 10


@pytest.mark.rule("F1", "F7")
@pytest.mark.parametrize(
    "drawing, end",
    [
        (". . . b A . .", (0, 0)),
        (".\n .\n .\n b\n A", (0, 0)),
        ("A\n b\n .\n .\n .", (4, 0)),
    ],
)
def test_a_push_goes_away_from_the_caster_in_every_direction(drawing, end):
    board = pushed(drawing)
    assert board.place("b") == end and lost(board, "b") == 10


@pytest.mark.rule("F1")
def test_a_pull_draws_nearer():
    board = scenario("A . . . b", A="brute")
    board.fix("A", 4, 8)
    board.cast(4, "b")  # Empoignade pulls 3
    assert board.place("b") == (0, 1) and lost(board, "b") == 8


@pytest.mark.rule("F1")
def test_a_swap_exchanges_two_cells():
    board = scenario("A . . b", A="arcaniste 5")
    board.cast(5, "b")  # Permutation
    assert board.place("A") == (0, 3) and board.place("b") == (0, 0)
    assert board.occupant((0, 3)) == 0 and board.occupant((0, 0)) == 1


@pytest.mark.rule("F2")
@pytest.mark.parametrize(
    "drawing, stop, cost",
    [
        ("A b . . # .", (0, 3), 12),  # a wall: 2 of 3 cells, 1 missing
        ("A b . # . .", (0, 2), 24),
        ("A b # . . .", (0, 1), 36),
        ("A b . . _ .", (0, 3), 12),  # void
        ("A b .", (0, 2), 24),  # the edge
        ("A b", (0, 1), 36),
    ],
)
def test_a_blocked_push_costs_12_for_each_cell_not_travelled(drawing, stop, cost):
    board = pushed(drawing)
    assert board.place("b") == stop
    assert lost(board, "b") == 10 + cost


@pytest.mark.rule("F2")
def test_the_edge_of_the_canvas_blocks_too():
    board = scenario("." * 24 + "A b .")
    board.move("b", (0, 26))  # the canvas' last column
    board.move("A", (0, 25))
    board.fix("A", 2, 10)
    board.cast(2, "b")
    assert board.place("b") == (0, 26) and lost(board, "b") == 10 + 36


@pytest.mark.rule("F2")
def test_an_entity_run_into_takes_half():
    # one of three cells travelled: 2 x 12 = 24 for b, 12 for d
    board = pushed("A b . d C .")
    assert board.place("b") == (0, 2)
    assert lost(board, "b") == 10 + 24 and lost(board, "d") == 12


@pytest.mark.rule("F2")
def test_whoever_is_run_into_takes_it_ally_or_not():
    board = pushed("A b C . . d")
    assert board.place("b") == (0, 1)
    assert lost(board, "b") == 10 + 36 and lost(board, "C") == 18


@pytest.mark.rule("F2", "N13")
def test_an_inert_entity_run_into_takes_half():
    board = scenario("A b . . .")
    board.fix("A", 2, 10)
    board.cast(4, (0, 3))  # a Bannière of 40 HP
    flag = board.summon("banniere")
    board.cast(2, "b")
    assert board.place("b") == (0, 2)
    assert lost(board, "b") == 10 + 24 and board[flag].hp == 40 - 12


@pytest.mark.rule("F3")
def test_the_casters_boosts_raise_a_collision():
    board = scenario("A b . d C")
    board.fix("A", 2, 10)
    board.cast(3)  # Cri de guerre +30 %
    board.cast(2, "b")
    # 10 x 1.3 = 13; 24 x 1.3 = 31.2; d: 12 x 1.3 = 15.6
    assert lost(board, "b") == 13 + 31 and lost(board, "d") == 16


@pytest.mark.rule("F3", "N3")
def test_a_collision_can_be_critical():
    board = scenario("A b . d C")
    board.critical("A", 100)
    board.fix("A", 2, 10)
    board.cast(2, "b")
    # 15; 24 x 1.5 = 36; 12 x 1.5 = 18
    assert lost(board, "b") == 15 + 36 and lost(board, "d") == 18


@pytest.mark.rule("F3")
def test_each_victim_sets_its_own_resistance_against_it():
    board = scenario("A b . d C", b="guerrier p", d="brute", turn="d")
    board.cast(2)  # d: Peau de pierre 30 %; b: Cuirasse 15 %
    board.until("A")
    board.fix("A", 2, 20)
    board.cast(2, "b")
    # b: 20 x 0.85 = 17, 24 x 0.85 = 20.4; d: 12 x 0.7 = 8.4
    assert lost(board, "b") == 17 + 20 and lost(board, "d") == 8


@pytest.mark.rule("F3", "D4")
def test_armour_takes_a_collision():
    board = scenario("A b # . .", turn="b")
    board.cast(6).until("A")  # armour 40
    board.fix("A", 2, 10)
    board.cast(2, "b")
    assert lost(board, "b") == 6  # 10 + 36 - 40


@pytest.mark.rule("F4")
def test_a_spells_own_collision():
    # Projection (Brute 4, variant): pushes 4, 18 a cell; 2 of 4 cells travelled
    board = scenario("A b . . #", A="brute 4")
    board.cast(4, "b")
    assert board.place("b") == (0, 3) and lost(board, "b") == 36


@pytest.mark.rule("F5", "X2")
def test_a_trap_on_the_way_stops_a_push_without_collision():
    # the cross of one around column 4 begins at column 3: two of three cells travelled
    board = scenario("A b . . . # . C d", C="ombre")
    board.lay_trap("piege_a_pointes", "C", (0, 4))
    board.fix_trap("piege_a_pointes", 30)
    board.fix("A", 2, 10)
    board.cast(2, "b")
    assert board.place("b") == (0, 3)
    assert lost(board, "b") == 10 + 30
    assert board.traps() == []


@pytest.mark.rule("F5")
def test_a_trap_entered_in_front_of_a_wall_prevents_the_collision():
    # one cell travelled, onto the trap of b's own camp; the wall behind does not matter
    board = scenario("A b . # C d .", d="ombre")
    board.lay_trap("piege_a_pointes", "d", (0, 2))
    board.fix_trap("piege_a_pointes", 30)
    board.move("b", (0, 1))
    board.fix("A", 2, 10)
    board.cast(2, "b")
    assert board.place("b") == (0, 2) and lost(board, "b") == 10 + 30


@pytest.mark.rule("F6")
def test_nothing_pushes_the_anchored_and_there_is_no_collision():
    board = scenario("A b # . .", b="guerrier 5", turn="b")
    board.cast(5).until("A")  # Ancrage
    board.fix("A", 2, 10)
    board.cast(2, "b")
    assert board.place("b") == (0, 1) and lost(board, "b") == 10


@pytest.mark.rule("F6")
def test_nothing_pulls_or_swaps_the_anchored():
    board = scenario("A . . b .", A="brute", b="artificier 5", turn="b")
    board.cast(5)  # Cloche de plongée
    assert board.timed("b", Timed.ANCHOR)
    board.until("A").cast(4, "b")
    assert board.place("b") == (0, 3)
    board = scenario("A . . b .", A="arcaniste 5", b="artificier 5", turn="b")
    board.cast(5).until("A").cast(5, "b")
    assert board.place("A") == (0, 0) and board.place("b") == (0, 3)


@pytest.mark.rule("F6")
def test_the_anchor_ends_with_its_turns():
    board = scenario("A b . . . .", b="guerrier 5", turn="b")
    board.cast(5)
    board.until("b").until("b").until("A")  # 2 turns later
    board.fix("A", 2, 10)
    board.cast(2, "b")
    assert board.place("b") == (0, 4)


@pytest.mark.rule("F6")
def test_running_into_the_anchored_hurts_both():
    board = scenario("A b d C .", d="guerrier 5", turn="d")
    board.cast(5).until("A")
    board.fix("A", 2, 10)
    board.cast(2, "b")
    assert lost(board, "b") == 10 + 36 and lost(board, "d") == 18


@pytest.mark.rule("F7", "N9")
@pytest.mark.parametrize(
    "start, end",
    [
        ((1, 2), (0, 2)),  # straight up: 1 of 2 cells, then the edge
        ((2, 3), (2, 5)),
        ((2, 1), (2, 0)),
        ((1, 3), (0, 3)),  # equal offsets: it changes its row
        ((3, 1), (5, 1)),
        ((3, 3), (5, 3)),
    ],
)
def test_the_direction_of_an_area_push(start, end):
    # Hurlement (Brute 6): pushes enemies in a circle of 2 by 2, A in the middle at (2,2)
    board = scenario(
        """
        . . . . . .
        . . . . . .
        . . A . . .
        . . . . . .
        . . . . . .
        b . . . . .
    """,
        A="brute",
    )
    board.move("b", start)
    board.cast(6)
    assert board.place("b") == end


@pytest.mark.rule("F7")
def test_the_larger_offset_gives_the_axis():
    board = scenario(
        """
        . . . . . . .
        . A . . . . .
        . . . b . . .
        . . . . . . .
    """,
        A="brute",
    )
    board.spell("A", 6).size = 3
    board.cast(6)  # one row down, two columns right: along the row
    assert board.place("b") == (2, 5)


@pytest.mark.rule("F7")
def test_a_blocked_pull_does_no_damage():
    board = scenario("A . C . b d", A="brute", C="guerrier")
    board.fix("A", 4, 8)
    board.cast(4, "b")
    # stops next to C, who stands in the way
    assert board.place("b") == (0, 3)
    assert lost(board, "b") == 8 and lost(board, "C") == 0


@pytest.mark.rule("F7")
def test_a_pull_stops_next_to_the_puller():
    board = scenario("A . b .", A="brute")
    board.fix("A", 4, 8)
    board.cast(4, "b")  # pulls 3, one cell is enough
    assert board.place("b") == (0, 1) and lost(board, "b") == 8 and lost(board, "A") == 0


@pytest.mark.rule("F8", "G2")
@pytest.mark.parametrize("way", ["push", "pull", "teleport"])
def test_forced_onto_a_bonus_takes_it(way):
    if way == "push":
        board = scenario("A b . . . .")
        board.put_bonus(Bonus.AP, (0, 3))
        board.cast(2, "b")
        moved = "b"
    elif way == "pull":
        board = scenario("A . . . b", A="brute")
        board.put_bonus(Bonus.AP, (0, 2))
        board.cast(4, "b")
        moved = "b"
    else:
        board = scenario("A . . . b", A="arcaniste")
        board.put_bonus(Bonus.AP, (0, 3))
        board.cast(5, (0, 3))
        moved = "A"
    assert all(bonus.kind == 0 for bonus in board.state.bonus)
    if moved == "A":
        assert board["A"].ap == 14 - 4 + 2
    else:
        board.end()
        assert board["b"].ap == 14


@pytest.mark.rule("F8")
def test_pulled_into_a_traps_area_springs_it():
    # b's own Piège à pointes around (0,2) covers columns 1 to 3
    board = scenario("A . . . b", A="brute", b="ombre")
    board.lay_trap("piege_a_pointes", "b", (0, 2))
    board.fix_trap("piege_a_pointes", 30)
    board.fix("A", 4, 8)
    board.cast(4, "b")
    assert board.place("b") == (0, 3) and lost(board, "b") == 38 and board.traps() == []


@pytest.mark.rule("F8", "X6")
def test_teleported_into_a_traps_area_springs_it():
    board = scenario("A . . . b", A="arcaniste", b="ombre")
    board.lay_trap("piege_a_pointes", "b", (0, 2))
    board.fix_trap("piege_a_pointes", 30)
    board.cast(5, (0, 3))  # Clignement
    assert board.place("A") == (0, 3) and lost(board, "A") == 30 and board.traps() == []


@pytest.mark.rule("F2", "I2")
def test_an_unseen_entity_blocks_a_push_and_is_revealed_by_its_half():
    board = scenario("A b . d C")
    board["d"].invisible = 1
    board.fix("A", 2, 10)
    board.cast(2, "b")
    assert board.place("b") == (0, 2) and lost(board, "b") == 10 + 24
    assert lost(board, "d") == 12 and board["d"].invisible == 0


@pytest.mark.rule("F2")
def test_a_collision_counts_what_is_not_travelled_not_the_distance_to_the_wall():
    # the push of 1 of a Coup de bélier, blocked at once: one cell, 12
    board = scenario("A . . b # .", A="guerrier 2")
    board.fix("A", 2, 12)
    board.cast(2, "b")
    assert board.place("b") == (0, 3) and lost(board, "b") == 12 + 12


@pytest.mark.rule("F1", "F6")
def test_the_own_camp_can_be_moved_too():
    board = scenario("A C . . . b d")
    board.fix("A", 2, 10)
    board.cast(2, "C")
    assert board.place("C") == (0, 4) and lost(board, "C") == 10
