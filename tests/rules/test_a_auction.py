"""A: the auction of the initiative."""

import pytest
from scenario import FORFEIT, PASS, RAISE, N, share

from solwaris_env.duel.engine.state import Phase
from solwaris_env.duel.game import Duel


def auction(seed: int = 4, team_size: int = 1, purses: list[int] | None = None) -> Duel:
    """A duel whose placement is done."""
    duel = Duel.new(seed, team_size=team_size, purses=purses or [1000] * (2 * team_size))
    while duel.state.phase == Phase.PLACEMENT:
        duel.time_up()
    return duel


def choices(duel: Duel) -> tuple[bool, bool]:
    """Whether raising and passing are offered."""
    mask = duel.mask()
    return bool(mask[RAISE]), bool(mask[PASS])


@pytest.mark.rule("A1")
def test_the_auction_follows_the_placement_and_asks_the_camp_that_was_not_drawn():
    duel = Duel.new(4, team_size=1)
    assert duel.state.phase == Phase.PLACEMENT
    duel.time_up()
    duel.time_up()
    assert duel.state.phase == Phase.AUCTION
    assert duel.seat == 1 - duel.state.drawn_camp


@pytest.mark.rule("A1")
def test_the_draw_is_fair():
    share([auction(seed).state.drawn_camp == 0 for seed in range(300)], 50)


@pytest.mark.rule("A1")
def test_nothing_but_raising_and_passing_is_offered():
    mask = auction().mask()
    assert mask[RAISE] and mask[PASS]
    assert mask[: 9 * N].sum() == 0


@pytest.mark.rule("A2")
def test_each_raise_is_a_step_of_100_and_asks_the_other_camp():
    duel = auction()
    camp = duel.seat
    for bids in range(1, 6):
        assert duel.seat == camp
        duel.apply(RAISE)
        assert duel.state.price == 100 * bids
        assert duel.state.bidder == camp
        camp = 1 - camp
    assert duel.state.phase == Phase.AUCTION


@pytest.mark.rule("A3")
@pytest.mark.parametrize("bids", [1, 2, 3])
def test_the_last_bidder_plays_first_and_pays_alone(bids):
    duel = auction()
    asked = duel.seat
    for _ in range(bids):
        duel.apply(RAISE)
    duel.apply(PASS)
    # bid 1 is the asked camp's, bid 2 the other's, bid 3 the asked camp's again
    last = asked if bids % 2 else 1 - asked
    assert duel.state.phase == Phase.FIGHT
    assert duel.state.actor == last and duel.state.first_camp == last
    duel.apply(FORFEIT)
    paid = list(duel.outcome.price_paid)
    assert paid[last] == 100 * bids and paid[1 - last] == 0


@pytest.mark.rule("A4")
def test_without_a_bid_the_drawn_camp_plays_first_for_nothing():
    duel = auction()
    drawn = int(duel.state.drawn_camp)
    duel.apply(PASS)
    assert duel.state.phase == Phase.FIGHT
    assert duel.state.actor == drawn and duel.state.first_camp == drawn
    duel.apply(FORFEIT)
    assert list(duel.outcome.price_paid)[:2] == [0, 0]


@pytest.mark.rule("A5")
def test_no_bid_above_the_purse():
    # 250 coins pay for the price of 100 or 200, not 300
    duel = auction(purses=[250, 250])
    assert choices(duel) == (True, True)
    duel.apply(RAISE)
    assert choices(duel) == (True, True)
    duel.apply(RAISE)
    assert duel.state.price == 200
    assert choices(duel) == (False, True)


@pytest.mark.rule("A5")
def test_the_exact_purse_may_be_bid():
    assert choices(auction(purses=[100, 100])) == (True, True)
    assert choices(auction(purses=[99, 99])) == (False, True)


@pytest.mark.rule("A6")
def test_in_2v2_the_first_heroes_bid_and_pay():
    duel = auction(team_size=2, purses=[300, 300, 5000, 5000])
    asked = duel.seat
    assert asked in (0, 1)
    duel.apply(RAISE)
    assert duel.seat == 1 - asked
    duel.apply(RAISE)
    assert duel.seat == asked
    duel.apply(RAISE)
    # 300 is the first hero's whole purse: his ally's 5000 do not help
    assert choices(duel) == (False, True)
    duel.apply(PASS)
    assert duel.state.first_camp == asked
    duel.apply(FORFEIT)
    paid = list(duel.outcome.price_paid)
    assert paid == [300 if seat == asked else 0 for seat in range(4)]


@pytest.mark.rule("A7", "T11")
def test_time_up_is_a_pass():
    duel = auction()
    by_hand = duel.clone()
    duel.time_up()
    by_hand.apply(PASS)
    assert duel.state.phase == Phase.FIGHT
    assert duel.state.tobytes() == by_hand.state.tobytes()
