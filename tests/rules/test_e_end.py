"""E: how a duel ends."""

import pytest
from scenario import FORFEIT, Board, scenario

from solwaris_env.duel.engine.state import Phase, Termination


def over(board: Board, winner: int | None, termination: Termination) -> None:
    outcome = board.duel.outcome
    assert board.state.phase == Phase.OVER and board.duel.seat == -1
    assert outcome.winner == winner
    assert outcome.termination == termination.name.lower()


@pytest.mark.rule("E1")
def test_a_camp_without_a_standing_hero_loses():
    board = scenario("A b")
    board["b"].hp = 1
    assert board.duel.outcome is None
    board.cast(1, "b")
    over(board, 0, Termination.KNOCKOUT)


@pytest.mark.rule("E1")
def test_summons_do_not_count():
    board = scenario("A . b . . .", b="arcaniste", turn="b")
    board.cast(4, (0, 4)).until("A")
    board["b"].hp = 1
    board.move("b", (0, 1))
    board.cast(1, "b")
    over(board, 0, Termination.KNOCKOUT)


@pytest.mark.rule("E1")
def test_in_2v2_both_heroes_must_fall():
    board = scenario("A b d C")
    board["b"].hp = 1
    board.cast(1, "b")
    assert board.duel.outcome is None and board.place("b") is None
    board.until("C")
    board["d"].hp = 1
    board.cast(1, "d")
    over(board, 0, Termination.KNOCKOUT)


@pytest.mark.rule("E2")
@pytest.mark.parametrize("who, winner", [("A", 1), ("b", 0)])
def test_who_gives_up_loses(who, winner):
    board = scenario("A . b", turn=who)
    board.apply(FORFEIT)
    over(board, winner, Termination.FORFEIT)


@pytest.mark.rule("E2")
def test_in_2v2_the_camp_gives_up():
    board = scenario("A . b d C", turn="d")
    board.apply(FORFEIT)
    over(board, 0, Termination.FORFEIT)
    assert list(board.duel.outcome.rewards) == [1, -1, 1, -1]


def at_the_limit(stakes: int, hp_a: int, hp_b: int, full_a: int = 300, full_b: int = 300) -> Board:
    board = scenario("A . . . b", stakes=stakes)
    turns = 0
    while board.duel.outcome is None:
        board.health("A", hp_a, of=full_a)
        board.health("b", hp_b, of=full_b)
        board.end()
        turns += 1
    assert turns == 80  # 40 tours of two turns
    return board


@pytest.mark.rule("E3", "T9")
def test_after_40_tours_the_duel_is_drawn():
    over(at_the_limit(0, 300, 10), None, Termination.TOUR_LIMIT)


@pytest.mark.rule("E3")
def test_with_stakes_the_larger_share_of_hp_wins():
    over(at_the_limit(100, 100, 99), 0, Termination.TOUR_LIMIT)
    # 120 of 240 is half, 150 of 330 less: shares, not points
    over(at_the_limit(100, 120, 150, 240, 330), 0, Termination.TOUR_LIMIT)


@pytest.mark.rule("E3")
def test_with_stakes_equal_shares_are_a_draw():
    over(at_the_limit(100, 120, 165, 240, 330), None, Termination.TOUR_LIMIT)


@pytest.mark.rule("E3")
def test_in_2v2_the_limit_is_160_turns_and_a_camps_hp_count_together():
    board = scenario("A . b\n C . d", stakes=100)
    board["A"].hp, board["C"].hp = 10, 290
    board["b"].hp, board["d"].hp = 150, 149
    for _ in range(159):
        board.end()
    assert board.duel.outcome is None and board.duel.tour == 40
    board.end()
    over(board, 0, Termination.TOUR_LIMIT)


@pytest.mark.rule("E4")
def test_both_last_heroes_in_one_action_are_a_draw():
    # Grenade hits everyone in its circle of 1, the caster too
    board = scenario("A . b . .", A="artificier")
    board["A"].hp = board["b"].hp = 1
    board.move("b", (0, 1))
    board.spell("A", 6).range_min = 1
    board.cast(6, "b")
    over(board, None, Termination.DOUBLE_KNOCKOUT)


@pytest.mark.rule("E4")
def test_a_heros_summons_charges_and_traps_vanish_with_it():
    board = scenario(
        """
        A . . . . .
        . C . b d .
    """,
        b="artificier",
        d="ombre",
        turn="b",
    )
    board.cast(1, (0, 5)).cast(1, (0, 4))  # charges next to nobody and to d
    board.until("d").cast(3, (0, 2))
    board.until("A")
    assert len(board.traps()) == 1 and len(board.summons("charge_explosive")) == 2
    board["b"].hp = 1
    board.move("A", (0, 3))
    board.cast(1, "b")
    assert board.duel.outcome is None
    assert board.summons("charge_explosive") == [] and len(board.traps()) == 1
    assert board["d"].hp == board["d"].max_hp  # nothing exploded
    board["d"].hp = 1
    board.move("A", (1, 3))
    board.cast(1, "d")
    assert board.traps() == []
