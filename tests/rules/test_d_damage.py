"""D: damage, criticals, resistance, armour, boosts, rounding."""

from collections import Counter

import pytest
from scenario import Board, scenario, share, spread

from solwaris_env.duel.engine.state import Timed

NEXT = "A b . . ."


def loss(board: Board, slot: int, where, who: str) -> int:
    """HP that one cast costs someone."""
    before = int(board[who].hp)
    board.cast(slot, where)
    return before - int(board[who].hp)


@pytest.mark.rule("D1")
def test_damage_is_drawn_evenly_between_both_bounds():
    # Taillade 22-28: seven values; 1400 draws, 200 expected of each, chi-square with 6
    # degrees of freedom: 50 is passed with probability below 1e-8
    counts = Counter(scenario(NEXT).losses(1, "b", "b", times=1400))
    assert sorted(counts) == [22, 23, 24, 25, 26, 27, 28]
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 50


@pytest.mark.rule("D2")
def test_one_hit_in_ten_is_critical_and_does_half_as_much_again():
    board = scenario(NEXT, steady=False)
    board.fix("A", 1, 20)
    losses = board.losses(1, "b", "b", times=1500)
    assert set(losses) == {20, 30}
    share([x == 30 for x in losses], 10)


@pytest.mark.rule("D2")
def test_the_range_of_criticals():
    # 22 x 1.5 = 33, 28 x 1.5 = 42
    board = scenario(NEXT)
    board.critical("A", 100)
    spread(board.losses(1, "b", "b"), 33, 42)


@pytest.mark.rule("D3")
def test_resistance_takes_a_percentage_off():
    board = scenario(NEXT, b="brute", turn="b")
    board.cast(2).until("A")  # Peau de pierre: 30 %
    board.fix("A", 1, 20)
    assert loss(board, 1, "b", "b") == 14  # 20 x 0.7


@pytest.mark.rule("D3")
def test_resistances_from_passive_and_spell_add():
    # Cuirasse 15 % and a Bannière's 15 %: 20 x 0.7 = 14
    board = scenario("A b . . .", b="guerrier p", turn="b")
    board.cast(4, (0, 2)).until("A")
    board.fix("A", 1, 20)
    assert loss(board, 1, "b", "b") == 14


@pytest.mark.rule("D3")
def test_resistance_is_capped_at_75_percent():
    board = scenario(NEXT, b="brute", turn="b")
    board.tune("b", 2, a=95)
    board.cast(2).until("A")
    board.fix("A", 1, 20)
    assert loss(board, 1, "b", "b") == 5  # 20 x 0.25


@pytest.mark.rule("D4")
def test_armour_takes_damage_in_place_of_hp_until_it_is_used_up():
    board = scenario(NEXT, turn="b")
    board.cast(6).until("A")  # Bouclier levé: 40
    board.fix("A", 1, 25)
    assert loss(board, 1, "b", "b") == 0
    assert [t.value for t in board.timed("b", Timed.ARMOUR)] == [15]
    assert loss(board, 1, "b", "b") == 10  # 25 - 15
    assert board.timed("b", Timed.ARMOUR) == []
    assert loss(board, 1, "b", "b") == 25


@pytest.mark.rule("D4")
def test_armour_goes_when_its_time_ends():
    board = scenario(NEXT, turn="b")
    board.cast(6).until("b").until("b").until("A")
    board.fix("A", 1, 25)
    assert loss(board, 1, "b", "b") == 25


@pytest.mark.rule("D4")
def test_resistance_first_armour_takes_what_is_left():
    board = scenario(NEXT, b="guerrier p", turn="b")  # Cuirasse: 15 %
    board.cast(6).until("A")
    board.fix("A", 1, 40)
    assert loss(board, 1, "b", "b") == 0
    # 40 x 0.85 = 34 of the 40 armour
    assert [t.value for t in board.timed("b", Timed.ARMOUR)] == [6]


@pytest.mark.rule("D4")
def test_the_stock_that_ends_soonest_is_used_first():
    board = scenario("C A d b", C="guerrier 6")
    board.tune("A", 6, turns=3)
    board.cast(6)  # 40 until A's third turn from now
    board.until("C").cast(6, "A")  # 30 until C's second turn from now, which comes sooner
    board.until("d")
    board.fix("d", 1, 25)
    board.cast(1, "A")
    stocks = {int(t.source): int(t.value) for t in board.timed("A", Timed.ARMOUR)}
    assert stocks == {0: 40, 2: 5}
    board.cast(1, "A")  # 5 of C's, then 20 of A's own
    stocks = {int(t.source): int(t.value) for t in board.timed("A", Timed.ARMOUR)}
    assert stocks == {0: 20}
    assert board["A"].hp == board["A"].max_hp


@pytest.mark.rule("D5")
def test_a_boost_and_a_lowered_resistance_multiply():
    board = scenario(NEXT)
    board.fix("A", 1, 20)
    board.cast(3)  # Cri de guerre +30 %
    board.cast(7, "b")  # Coup de masse: resistance -20 %
    assert loss(board, 1, "b", "b") == 31  # 20 x 1.3 x 1.2 = 31.2


@pytest.mark.rule("D5")
def test_resistance_may_fall_below_zero():
    board = scenario(NEXT)
    board.fix("A", 1, 20)
    board.cast(7, "b")
    assert loss(board, 1, "b", "b") == 24  # 20 x 1.2


@pytest.mark.rule("D5")
def test_a_lowered_resistance_comes_off_the_targets_own():
    # Peau de pierre +30 %, Coup de masse -20 %: 10 %
    board = scenario(NEXT, b="brute", turn="b")
    board.cast(2).until("A")
    board.fix("A", 1, 20)
    board.cast(7, "b")
    assert loss(board, 1, "b", "b") == 18


@pytest.mark.rule("D6")
def test_boosts_by_spells_do_not_add_up_the_strongest_counts():
    # own Cri de guerre +30 %, the ally's Ralliement +20 %
    board = scenario("C A d\n . b .", C="guerrier 3", turn="C")
    board.cast(3).until("A")
    board.fix("A", 1, 20)
    assert loss(board.clone(), 1, "b", "b") == 24  # 20 x 1.2
    board.cast(3)
    assert loss(board, 1, "b", "b") == 26  # 20 x 1.3, not 1.5


@pytest.mark.rule("D6")
def test_a_passive_adds_to_the_boost():
    # Rage: half the HP lost is five tenths, +20 %; the ally's Ralliement +20 %
    board = scenario("C A d\n . b .", A="brute P", C="guerrier 3", turn="C", steady=True)
    board.cast(3).until("A")
    board.health("A", 165, of=330)
    board.fix("A", 1, 20)
    losses = set(board.losses(1, "b", "b", times=60))
    assert losses <= {28, 42}  # 20 x 1.4, and critical
    assert 28 in losses


@pytest.mark.rule("D7")
def test_all_bonuses_together_give_three_times_at_most():
    board = scenario(NEXT)
    board.fix("A", 1, 20)
    board.tune("A", 3, a=400)
    board.cast(3)
    assert loss(board, 1, "b", "b") == 60  # not 100


@pytest.mark.rule("D7")
def test_a_resistance_below_zero_is_among_these_bonuses():
    board = scenario(NEXT)
    board.fix("A", 1, 20)
    board.tune("A", 3, a=180)
    board["A"].ap = 20
    board.cast(3)
    assert loss(board, 1, "b", "b") == 56  # 20 x 2.8
    board.cast(7, "b")
    assert loss(board, 1, "b", "b") == 60  # 2.8 x 1.2 = 3.36, so 3


@pytest.mark.rule("D7")
def test_the_critical_hit_stands_outside_the_limit():
    board = scenario(NEXT)
    board.critical("A", 100)
    board.fix("A", 1, 20)
    board.tune("A", 3, a=400)
    board.cast(3)
    assert loss(board, 1, "b", "b") == 90  # 20 x 3 x 1.5


@pytest.mark.rule("D7")
def test_a_positive_resistance_works_on_the_limited_hit():
    board = scenario(NEXT, b="brute", turn="b")
    board.cast(2).until("A")
    board.fix("A", 1, 20)
    board.tune("A", 3, a=400)
    board.cast(3)
    assert loss(board, 1, "b", "b") == 42  # 20 x 3 x 0.7


@pytest.mark.rule("D8")
@pytest.mark.parametrize(
    "drawn, lost",
    [
        (25, 18),  # 25 x 0.7 = 17.5, half up
        (24, 17),  # 16.8
        (26, 18),  # 18.2
        (1, 1),  # 0.7
    ],
)
def test_one_rounding_half_up(drawn, lost):
    board = scenario(NEXT, b="brute", turn="b")
    board.cast(2).until("A")
    board.fix("A", 1, drawn)
    assert loss(board, 1, "b", "b") == lost


@pytest.mark.rule("D8")
def test_multiply_first_round_once():
    # 19 x 1.3 x 0.7 = 17.29; rounded in between it would be 25 x 0.7 = 17.5, so 18
    board = scenario(NEXT, b="brute", turn="b")
    board.cast(2).until("A")
    board.fix("A", 1, 19)
    board.cast(3)
    assert loss(board, 1, "b", "b") == 17


@pytest.mark.rule("D8")
def test_the_critical_is_part_of_the_one_rounding():
    # 23 x 1.5 = 34.5, half up 35; with 30 % resistance 23 x 1.5 x 0.7 = 24.15
    board = scenario(NEXT)
    board.critical("A", 100)
    board.fix("A", 1, 23)
    assert loss(board, 1, "b", "b") == 35
    board = scenario(NEXT, b="brute", turn="b")
    board.cast(2).until("A")
    board.critical("A", 100)
    board.fix("A", 1, 23)
    assert loss(board, 1, "b", "b") == 24


@pytest.mark.rule("D8")
def test_hp_never_rise_above_their_maximum():
    board = scenario(NEXT, A="brute 2")
    board.health("A", 320, of=330)
    board.cast(2)  # Peau neuve heals 35-45
    assert board["A"].hp == 330
