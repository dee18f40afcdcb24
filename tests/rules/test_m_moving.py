"""M: walking."""

import pytest
from scenario import scenario

from solwaris_env.duel.content.schema import Bonus


@pytest.mark.rule("M1")
def test_a_step_costs_one_mp():
    board = scenario("""
        A . . . . . . b
        . . . . . . . .
    """)
    board.go((0, 3))
    assert board.place("A") == (0, 3) and board["A"].mp == 3
    board.go((0, 4))
    assert board["A"].mp == 2


@pytest.mark.rule("M1")
def test_a_diagonal_takes_two_steps():
    board = scenario("""
        A . . . b
        . . . . .
    """)
    board.go((1, 1))
    assert board["A"].mp == 4


@pytest.mark.rule("M1")
def test_six_mp_reach_exactly_six_steps():
    board = scenario("A . . . . . . . . b")
    assert [board.can_go((0, c)) for c in range(1, 9)] == [True] * 6 + [False] * 2


@pytest.mark.rule("M2")
def test_an_ally_and_an_enemy_block_a_corridor():
    board = scenario("""
        # # # . # # #
        x . C A d . y
        # # # . # # #
        b . # . # . .
    """)
    assert board.can_go((0, 3)) and board.can_go((2, 3))
    assert not board.can_go("x") and not board.can_go((1, 1))
    assert not board.can_go("y") and not board.can_go((1, 5))


@pytest.mark.rule("M2")
def test_a_charge_and_a_summon_block_a_corridor():
    board = scenario("x . . A . . . b", A="artificier")
    board.cast(1, (0, 2))  # Charge explosive
    assert not board.can_go((0, 2)) and not board.can_go("x")
    board = scenario("x . . A . . . b", A="arcaniste")
    board.cast(4, (0, 2))  # Élémentaire
    assert not board.can_go((0, 2)) and not board.can_go("x")


@pytest.mark.rule("M2")
def test_walls_and_void_make_detours():
    board = scenario("""
        A # x . b
        . _ . . .
        . . . . .
    """)
    # around (0,1) and the void at (1,1): down, down, right, right, up, up
    board.go("x")
    assert board["A"].mp == 0


@pytest.mark.rule("M3")
def test_a_walk_takes_a_shortest_path():
    board = scenario("""
        . . . . b
        A # # x .
        . . . . .
    """)
    board.go("x")  # 5 steps over the top as well as the bottom
    assert board["A"].mp == 1


@pytest.mark.rule("M3")
@pytest.mark.parametrize("trap, met", [((0, 1), (2, 1)), ((2, 1), (0, 1))])
def test_among_shortest_paths_one_without_known_traps(trap, met):
    # both ways around the wall have 4 steps; the trap, a cross of one, covers one of them
    board = scenario(
        """
        . . .
        A # x
        . . .
        . . b
    """,
        A="ombre",
    )
    board.cast(3, trap)  # Piège à pointes, 3 AP
    board.put_bonus(Bonus.AP, met)
    board.go("x")
    assert board.place("A") == (1, 2) and board["A"].mp == 2
    assert board["A"].ap == 12 - 3 + 2
    assert len(board.traps()) == 1


@pytest.mark.rule("M3")
def test_the_enemys_traps_are_not_avoided():
    board = scenario(
        """
        . . . . .
        A . . . x
        . . . . b
    """,
        b="ombre",
        turn="b",
    )
    board.cast(3, (1, 2))  # the only shortest path runs straight through it
    board.until("A").go("x")
    # the first cell of the cross is (1, 1): there the walk is cut
    assert board.place("A") == (1, 1)
    assert board["A"].mp == 5


@pytest.mark.rule("M3")
def test_the_order_of_paths_is_north_west_east_south():
    # from the south-east corner of an open square both orders lead to the north-west one;
    # a bonus on each cell of the first path is met only by whoever goes north first
    board = scenario("""
        x . b
        . . .
        . . A
    """)
    board.move("b", (1, 1))  # leaves the two ways around
    board.put_bonus(Bonus.AP, (1, 2))
    board.go("x")
    assert board["A"].ap == 14  # went north over (1, 2)


@pytest.mark.rule("M3")
def test_the_order_prefers_west_to_south_and_east_to_south():
    board = scenario("""
        . . A
        . b .
        x . .
    """)
    board.put_bonus(Bonus.AP, (0, 1))
    board.go("x")
    assert board["A"].ap == 14  # west before south
    board = scenario("""
        A . .
        . b .
        . . x
    """)
    board.put_bonus(Bonus.AP, (0, 1))
    board.go("x")
    assert board["A"].ap == 14  # east before south


@pytest.mark.rule("M3", "X2", "G2")
def test_each_step_is_resolved_as_it_is_made():
    # the bonus before the trap is taken, the one behind it is not reached
    board = scenario("A . . . . . b", b="ombre", turn="b")
    board.cast(3, (0, 4))  # covers columns 3 to 5
    board.until("A")
    board.put_bonus(Bonus.AP, (0, 2))
    board.put_bonus(Bonus.MP, (0, 4))
    board.go((0, 5))
    assert board.place("A") == (0, 3)
    assert board["A"].ap == 14 and board["A"].mp == 3


@pytest.mark.rule("M4", "I4")
def test_an_unseen_enemys_cell_looks_free():
    board = scenario("A . b . . . .")
    board["b"].invisible = 1
    assert board.can_go("b") and board.can_go((0, 5))


@pytest.mark.rule("M4")
def test_walking_into_the_unseen_stops_in_front_and_costs_the_failed_step():
    board = scenario("A . b . . . .")
    board["b"].invisible = 1
    board.go((0, 5))
    assert board.place("A") == (0, 1)
    assert board["A"].mp == 4  # one step made, one failed
    assert board["b"].invisible == 1
    assert board["A"].hp == board["A"].max_hp and board["b"].hp == board["b"].max_hp


@pytest.mark.rule("M4")
def test_the_path_ignores_what_the_walker_does_not_know():
    board = scenario("""
        A . b . x
        . . . . .
    """)
    assert not board.can_go("b")
    board["b"].invisible = 1
    board.go("x")  # straight on, not around: the detour would take 6
    assert board.place("A") == (0, 1) and board["A"].mp == 4


@pytest.mark.rule("M4", "I5")
def test_an_unseen_ally_is_seen_and_walked_around():
    board = scenario("""
        A . C . x . .
        . . . . . b d
    """)
    board["C"].invisible = 1
    assert not board.can_go("C")
    board.go("x")
    assert board.place("A") == (0, 4) and board["A"].mp == 0
