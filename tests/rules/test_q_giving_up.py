"""Q: what giving up means for rewards and rating."""

import pytest
from scenario import FORFEIT, scenario

from solwaris_env.duel.engine.state import Phase


def given_up(tour: int, quitter: str = "A", drawing: str = "A . . b"):
    """Outcome of a duel in which someone gives up in a tour."""
    board = scenario(drawing, turn=quitter)
    while board.duel.tour < tour:
        board.until(quitter)
    assert board.duel.tour == tour
    board.apply(FORFEIT)
    return board.duel.outcome


@pytest.mark.rule("Q1")
@pytest.mark.parametrize("tour", [1, 3, 4, 10])
@pytest.mark.parametrize("quitter, seat", [("A", 0), ("b", 1)])
def test_who_gives_up_earns_nothing_and_his_rating_takes_it(tour, quitter, seat):
    outcome = given_up(tour, quitter)
    assert outcome.rewards[seat] == -1
    assert not outcome.rewarded[seat]
    assert outcome.rating_counts[seat]


@pytest.mark.rule("Q2")
@pytest.mark.parametrize("tour", [1, 2, 3])
def test_before_the_4th_tour_nothing_counts_for_who_stays(tour):
    outcome = given_up(tour)
    assert outcome.winner == 1
    assert not outcome.rewarded[1] and not outcome.rating_counts[1]


@pytest.mark.rule("Q2")
@pytest.mark.parametrize("tour", [4, 5, 12])
def test_from_the_4th_tour_on_who_stays_keeps_all(tour):
    outcome = given_up(tour)
    assert outcome.rewarded[1] and outcome.rating_counts[1]


@pytest.mark.rule("Q1", "Q2")
def test_in_2v2_it_holds_for_the_camp():
    early = given_up(3, "A", "A . b\n C . d")
    assert list(early.rewarded) == [False] * 4
    assert list(early.rating_counts) == [True, False, True, False]
    late = given_up(4, "A", "A . b\n C . d")
    assert list(late.rewarded) == [False, True, False, True]
    assert list(late.rating_counts) == [True] * 4


@pytest.mark.rule("Q1", "Q2")
def test_before_the_fight_is_too_early_too():
    board = scenario("A . b")
    duel = type(board.duel).new(1, team_size=1)
    assert duel.state.phase == Phase.PLACEMENT
    duel.apply(FORFEIT)
    assert duel.outcome.winner == 1
    assert list(duel.outcome.rewarded)[:2] == [False, False]
    assert list(duel.outcome.rating_counts)[:2] == [True, False]


@pytest.mark.rule("Q1", "Q2")
def test_a_fought_out_duel_rewards_and_counts_for_both():
    board = scenario("A b")
    board["b"].hp = 1
    board.cast(1, "b")
    assert list(board.duel.outcome.rewarded)[:2] == [True, True]
    assert list(board.duel.outcome.rating_counts)[:2] == [True, True]
