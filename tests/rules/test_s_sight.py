"""S: distance, range, line of sight, targets."""

import numpy as np
import pytest
from scenario import Board, N, scenario

from solwaris_env.duel.content.loader import content
from solwaris_env.duel.content.schema import Target


def sees(board: Board, one, other) -> bool:
    """Line of sight between two cells; it must not depend on the direction (S5)."""
    sight = board.duel.rules[0].maps[0].sight
    there = bool(sight[board.at(one), board.at(other)])
    assert there == bool(sight[board.at(other), board.at(one)])
    return there


def aims(board: Board, slot: int) -> set[tuple[int, int]]:
    """Cells of the drawing at which a slot may be aimed."""
    cells = np.flatnonzero(board.mask()[(slot - 1) * N : slot * N])
    return {(int(c) // 28 - 1, int(c) % 28 - 1) for c in cells}


@pytest.mark.rule("S1")
def test_two_right_and_three_up_is_five():
    board = scenario("""
        . . b
        . . .
        . . .
        A . .
    """)
    assert board.duel.rules[0].distance[board.at("A"), board.at("b")] == 5


@pytest.mark.rule("S1")
def test_diagonals_do_not_shorten_a_range():
    # Dague reaches 2: the cell diagonal to the caster, not the one beyond in both directions
    board = scenario("A . .\n . b .", A="ombre")
    assert board.can(1, "b")
    board = scenario("A . .\n . . b", A="ombre")
    assert not board.can(1, "b")


@pytest.mark.rule("S2")
def test_comete_is_not_cast_below_3_nor_beyond_8():
    board = scenario("A . . . . . . . . . b", A="arcaniste")
    assert aims(board, 2) == {(0, c) for c in range(3, 9)}


@pytest.mark.rule("S2")
@pytest.mark.parametrize("distance, offered", [(1, False), (2, True), (5, True), (6, False)])
def test_lancer_de_hache_reaches_from_2_to_5(distance, offered):
    board = scenario("A . . . . . . b")
    board.move("b", (0, distance))
    assert board.can(8, "b") is offered


@pytest.mark.rule("S3")
def test_a_line_spell_needs_the_same_row_or_column():
    # Coup de bélier, 2-5 in line
    board = scenario(
        """
        A . . . .
        . . . . .
        . . . . .
        . . . . b
    """,
        A="guerrier 2",
    )
    for cell, offered in {
        (0, 3): True,
        (3, 0): True,
        (1, 1): False,
        (2, 2): False,
        (3, 1): False,
    }.items():
        board.move("b", cell)
        assert board.can(2, "b") is offered, cell


@pytest.mark.rule("S4")
def test_a_wall_cuts_the_sight_and_void_does_not():
    board = scenario("A . # . b")
    assert not sees(board, "A", "b") and not board.can(8, "b")
    board = scenario("""
        A . _ . b
        . . . . .
    """)
    assert sees(board, "A", "b") and board.can(8, "b")


@pytest.mark.rule("S4")
def test_nobody_cuts_the_sight():
    board = scenario("A C . . d b")
    assert board.can(8, "b")
    board.cast(4, (0, 2))  # a Bannière between them
    assert board.can(8, "b")
    board = scenario("A . . . . b", A="artificier")
    board.cast(1, (0, 2))  # a charge
    assert board.can(3, "b")  # Mousquet


@pytest.mark.rule("S5")
@pytest.mark.parametrize("wall", [(0, 1), (1, 1)])
def test_a_knights_move_crosses_the_two_cells_between(wall):
    # from (0,0) to (1,2): row 1/4 as it leaves column 0, 3/4 as it enters column 2,
    # so it runs through the inside of (0,1), then of (1,1)
    rows = [["A", ".", "."], [".", ".", "b"]]
    assert sees(scenario("\n".join("".join(r) for r in rows)), "A", "b")
    rows[wall[0]][wall[1]] = "#"
    assert not sees(scenario("\n".join("".join(r) for r in rows)), "A", "b")


@pytest.mark.rule("S5")
def test_a_diagonal_grazes_one_corner_but_not_between_two():
    assert sees(scenario("A .\n . b"), "A", "b")
    assert sees(scenario("A #\n . b"), "A", "b")
    assert sees(scenario("A .\n # b"), "A", "b")
    assert not sees(scenario("A # .\n # b .\n . . ."), "A", "b")


@pytest.mark.rule("S5")
def test_a_long_diagonal():
    assert not sees(scenario("A . .\n . # .\n . . b"), "A", "b")  # through the middle
    assert sees(scenario("A # .\n . . #\n . . b"), "A", "b")  # two grazed corners, one side
    assert sees(scenario("A # .\n . . .\n . # b"), "A", "b")  # different points
    assert not sees(scenario("A . .\n . . #\n . # b"), "A", "b")  # the second point, both


@pytest.mark.rule("S5")
def test_a_slope_of_one_third_passes_one_corner_point():
    # from (0,0) to (1,3): half a row at column 1.5, the point shared by (0,1), (0,2), (1,1), (1,2)
    # inside: (0,1) and (1,2); only touched: (0,2) and (1,1), diagonal to each other
    assert sees(scenario("A . . .\n . . . b"), "A", "b")
    assert not sees(scenario("A # . .\n . . . b"), "A", "b")
    assert not sees(scenario("A . . .\n . . # b"), "A", "b")
    assert sees(scenario("A . # .\n . . . b"), "A", "b")
    assert sees(scenario("A . . .\n . # . b"), "A", "b")
    assert not sees(scenario("A . # .\n . # . b"), "A", "b")


@pytest.mark.rule("S5")
def test_walls_beside_a_straight_line_do_not_matter():
    assert sees(scenario("# # # # #\n A . . . b\n # # # # #"), "A", "b")


@pytest.mark.rule("S5")
def test_sight_is_symmetric_on_every_map():
    board = scenario("A b")
    for number in range(1, 9):
        sight = board.duel.rules[0].maps[number].sight
        assert (sight == sight.T).all()


@pytest.mark.rule("S6")
def test_some_spells_ignore_sight():
    # Trait perçant, 2-8 in line, shoots through the wall; Trait arcanique does not
    board = scenario("A . # . b", A="arcaniste 1")
    assert board.can(1, "b")
    board = scenario("A . # . b", A="arcaniste")
    assert not board.can(1, "b")


@pytest.mark.rule("S6")
def test_exactly_the_sheets_spells_ignore_sight():
    blind = {
        spell.name.replace("\u2019", "'")
        for spell in content().spells
        if not spell.sight and spell.target != Target.SELF
    }
    assert blind == {
        "Bond",
        "Bond écrasant",
        "Faille",
        "Trait perçant",
        "Pluie d'étoiles",
        "Pas de l'ombre",
        "Relais",
        "Détonation",
        "Saut-fusée",
        "Grenade",
        "Grenade à clous",
        "Obus perforant",
    }


TARGETS = """
    A . # _ .
    C . . . b
    . . d . .
"""


@pytest.mark.rule("S7")
def test_a_spell_on_oneself_is_aimed_at_the_own_cell_only():
    board = scenario(TARGETS)
    assert aims(board, 3) == {(0, 0)}  # Cri de guerre


@pytest.mark.rule("S7", "N1")
def test_a_spell_on_an_ally():
    board = scenario(TARGETS, A="guerrier 6")  # Rempart, 0-3
    assert aims(board, 6) == {(0, 0), (1, 0)}


@pytest.mark.rule("S7")
def test_a_spell_on_an_enemy():
    board = scenario(TARGETS, A="horloger")
    # Désynchronisation, 1-5: d at distance 4; b, at 5, is behind the wall
    # (row 3/8 at column 1.5, 1/2 at column 2: through the inside of (0,2))
    assert aims(board, 5) == {(2, 2)}


@pytest.mark.rule("S7", "N1")
def test_a_spell_on_any_entity():
    board = scenario(TARGETS, A="guerrier")  # Lancer de hache, 2-5, names no target
    board.move("C", (2, 0))
    assert aims(board, 8) == {(2, 0), (2, 2)}


@pytest.mark.rule("S7")
def test_a_spell_on_a_free_cell():
    # Bannière, 1-3: what is free, in range and seen from (0,0)
    board = scenario(TARGETS, A="guerrier")
    assert aims(board, 4) == {(0, 1), (1, 1), (1, 2), (2, 0), (2, 1)}


@pytest.mark.rule("S7", "N1")
def test_an_area_is_aimed_at_any_playable_cell():
    # Grenade, 2-5, needs no sight: every playable cell at distance 2 to 5, taken or not
    board = scenario(TARGETS, A="artificier")
    assert aims(board, 6) == {
        (0, 4),
        (1, 1),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 0),
        (2, 1),
        (2, 2),
        (2, 3),
    }


@pytest.mark.rule("S7")
@pytest.mark.parametrize("name", [sheet.id for sheet in content().classes])
@pytest.mark.parametrize("variant", ["", " 12345678"])
def test_obstacles_and_void_are_never_targets(name, variant):
    board = scenario(TARGETS, A=name + variant)
    playable = board.duel.rules[0].maps[0].playable.astype(bool)
    for slot in range(8):
        offered = board.mask()[slot * N : (slot + 1) * N].astype(bool)
        assert not (offered & ~playable).any()
