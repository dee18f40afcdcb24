"""T: turns, durations, cooldowns, summons' turns."""

import pytest
from scenario import scenario

from solwaris_env.duel.engine.state import Phase, Timed

LONG = "A . . . . . . b"
FOUR = """
    A . C . .
    . . . . .
    b . d . .
"""
BASE = {  # class: AP, MP
    "guerrier": (12, 6),
    "brute": (12, 6),
    "arcaniste": (14, 6),
    "ombre": (12, 6),
    "horloger": (12, 5),
    "artificier": (12, 6),
}


@pytest.mark.rule("T1")
@pytest.mark.parametrize("name", BASE)
def test_points_at_the_start_of_a_turn(name):
    board = scenario(LONG, A=name)
    assert (board["A"].ap, board["A"].mp) == BASE[name]
    board.until("A")
    # nothing was spent, and nothing of it was kept
    assert (board["A"].ap, board["A"].mp) == BASE[name]


@pytest.mark.rule("T1")
def test_spent_points_come_back():
    board = scenario(LONG, A="guerrier")
    board.cast(3).go((0, 4))  # Cri de guerre 3 AP, four steps
    assert (board["A"].ap, board["A"].mp) == (9, 2)
    board.until("A")
    assert (board["A"].ap, board["A"].mp) == (12, 6)


@pytest.mark.rule("T2")
def test_spells_cost_ap_and_moves_cost_mp():
    board = scenario("A b . .", A="guerrier")
    board.cast(1, "b")  # Taillade, 3 AP
    assert (board["A"].ap, board["A"].mp) == (9, 6)
    board.cast(7, "b")  # Coup de masse, 4 AP
    assert (board["A"].ap, board["A"].mp) == (5, 6)
    assert board.can(7, "b") is False  # once a turn
    board.cast(2, "b")  # Bourrade, 4 AP
    assert board["A"].ap == 1
    assert not board.mask()[: 8 * 504].any()  # no spell costs 1


@pytest.mark.rule("T2")
def test_casts_per_turn():
    board = scenario("A b", A="guerrier")
    for _ in range(3):  # Taillade: 3 a turn
        assert board.can(1, "b")
        board.cast(1, "b")
    assert board["A"].ap == 3
    assert not board.can(1, "b")
    board.until("A")
    assert board.can(1, "b")


@pytest.mark.rule("T2", "T10")
def test_cooldown_of_3_allows_the_spell_three_turns_later():
    board = scenario(LONG, A="guerrier")
    board.cast(3)  # Cri de guerre, cooldown 3, in turn k
    assert not board.can(3)
    board.until("A")
    assert not board.can(3)  # k + 1
    board.until("A")
    assert not board.can(3)  # k + 2
    board.until("A")
    assert board.can(3)  # k + 3


@pytest.mark.rule("T3", "T11")
def test_time_up_ends_the_turn_in_the_state_it_is_in():
    board = scenario(LONG, A="guerrier")
    board.cast(3).go((0, 2))
    board.duel.time_up()
    assert board.actor == 1 and board.place("A") == (0, 2)
    assert board.timed("A", Timed.POWER)


@pytest.mark.rule("T11")
def test_time_up_in_the_fight_equals_ending_the_turn():
    board = scenario(LONG)
    other = board.clone()
    board.duel.time_up()
    other.apply(9 * 504)
    assert board.state.tobytes() == other.state.tobytes()


@pytest.mark.rule("T4")
def test_camps_alternate_and_allies_rotate():
    board = scenario(FOUR)
    seen = []
    for _ in range(9):
        seen.append(board.actor)
        board.end()
    assert seen == [0, 1, 2, 3, 0, 1, 2, 3, 0]


@pytest.mark.rule("T4")
def test_the_other_camp_first():
    board = scenario(FOUR, turn="b")
    seen = []
    for _ in range(8):
        seen.append(board.actor)
        board.end()
    assert seen == [1, 0, 3, 2, 1, 0, 3, 2]


@pytest.mark.rule("T5", "N17")
def test_a_camp_with_one_hero_left_plays_every_other_turn():
    board = scenario("""
        A . . .
        . C b d
    """)
    board["C"].hp = 1
    board.end().cast(1, "C")  # b's Taillade kills C
    assert board["C"].hp == 0 and board.state.phase == Phase.FIGHT
    seen = []
    for _ in range(7):
        seen.append(board.actor)
        board.end()
    assert seen == [1, 0, 3, 0, 1, 0, 3]


@pytest.mark.rule("T6", "T7")
def test_an_elementaire_plays_right_after_its_summoner():
    board = scenario(LONG, A="arcaniste")
    board.cast(4, (0, 1))
    body = board.summon("elementaire_flamme")
    assert board.actor == 0
    board.end()
    # made in this turn, it plays right after it: 6 AP and 4 MP of its own
    assert board.actor == body
    assert (board[body].ap, board[body].mp) == (6, 4)
    board.end()
    assert board.actor == 1
    board.end()
    assert board.actor == 0
    board.end()
    assert board.actor == body


@pytest.mark.rule("T6")
@pytest.mark.parametrize("first, second", [(4, 1), (1, 4)])
def test_several_mobile_summons_play_in_order_of_creation(first, second):
    board = scenario(LONG, A="arcaniste")
    other = scenario(LONG, A="horloger")
    board.hero("A").spell[0] = other.hero("A").spell[2]  # lend him the Automate, as slot 1
    cells = {first: (0, 1), second: (0, 2)}
    if first == 4:
        cells = {4: (0, 1), 1: (0, 2)}
        board.cast(4, cells[4])
        board.state.entity[0].ap = 12
        board.cast(1, cells[1])
    else:
        board.cast(1, (0, 1))
        board.state.entity[0].ap = 12
        board.cast(4, (0, 2))
    made = {4: board.summon("elementaire_flamme"), 1: board.summon("automate")}
    board.end()
    assert board.actor == made[first]
    board.end()
    assert board.actor == made[second]
    board.end()
    assert board.actor == 1


@pytest.mark.rule("T6", "T11")
def test_time_up_ends_a_summons_turn():
    board = scenario(LONG, A="arcaniste")
    board.cast(4, (0, 1)).end()
    board.duel.time_up()
    assert board.actor == 1


@pytest.mark.rule("T7")
def test_an_automate_has_mp_only():
    board = scenario(LONG, A="horloger")
    board.cast(3, (0, 1)).end()
    body = board.summon("automate")
    assert board.actor == body
    assert (board[body].ap, board[body].mp) == (0, 4)
    assert not board.mask()[: 8 * 504].any()
    board.go((0, 3))
    assert board[body].mp == 2


@pytest.mark.rule("T8", "M2")
def test_an_inert_entity_plays_no_turn_and_holds_its_cell():
    board = scenario(LONG, A="guerrier")
    board.cast(4, (0, 1))  # Bannière in a corridor one cell wide
    flag = board.summon("banniere")
    assert board.occupant((0, 1)) == flag
    assert not board.can_go((0, 1)) and not board.can_go((0, 2))
    board.end()
    assert board.actor == 1
    board.end()
    assert board.actor == 0


@pytest.mark.rule("T9")
def test_a_tour_is_two_turns_in_1v1():
    board = scenario(LONG)
    tours = []
    for _ in range(6):
        tours.append(board.duel.tour)
        board.end()
    assert tours == [1, 1, 2, 2, 3, 3]


@pytest.mark.rule("T9")
def test_a_tour_is_four_turns_in_2v2_even_if_a_hero_is_dead():
    board = scenario("""
        A . . .
        . C b d
    """)
    board["C"].hp = 1
    tours = [board.duel.tour]
    board.end().cast(1, "C")
    tours.append(board.duel.tour)
    for _ in range(7):
        board.end()
        tours.append(board.duel.tour)
    assert tours == [1, 1, 1, 1, 2, 2, 2, 2, 3]


@pytest.mark.rule("T9")
def test_a_summons_turn_is_no_hero_turn():
    board = scenario(LONG, A="arcaniste")
    board.cast(4, (0, 1)).end()
    assert board.actor == board.summon("elementaire_flamme") and board.duel.tour == 1
    board.end()
    assert board.actor == 1 and board.duel.tour == 1
    board.end()
    assert board.duel.tour == 2


@pytest.mark.rule("T10")
def test_two_turns_last_until_the_second_turn_from_now_begins():
    board = scenario(LONG, A="guerrier")
    board.cast(6)  # Bouclier levé: armour for 2 turns
    for _ in range(4):  # own turn k, the other's, k + 1, the other's
        assert len(board.timed("A", Timed.ARMOUR)) == 1
        board.end()
    assert board.actor == 0 and board.timed("A", Timed.ARMOUR) == []


@pytest.mark.rule("T10")
def test_effects_on_another_count_their_casters_turns():
    board = scenario("A b", A="brute 6")
    board.cast(6, "b")  # Intimidation: 2 turns of A's
    for _ in range(4):
        assert len(board.timed("b", Timed.POWER)) == 1
        board.end()
    assert board.actor == 0 and board.timed("b", Timed.POWER) == []


@pytest.mark.rule("T10", "N17")
def test_a_dead_casters_effects_count_down_when_his_turn_would_have_come():
    board = scenario(
        """
        A C d
        . . b
    """,
        C="guerrier 6",
        turn="C",
    )
    board.cast(6, "A")  # Rempart on A, 2 turns of C's
    board["C"].hp = 1
    board.end().cast(1, "C")  # d kills C
    assert board["C"].hp == 0
    # camp 0's turns from now: A's, C's (1 left; A plays it), A's, C's (0 left)
    lasting = []
    for _ in range(4):
        board.until("A")
        lasting.append(len(board.timed("A", Timed.ARMOUR)))
    assert lasting == [1, 1, 1, 0]


@pytest.mark.rule("T6", "R1")
def test_points_taken_from_a_summon_are_missing_in_its_next_turn():
    board = scenario("A . . . . b", A="arcaniste", b="horloger 2", turn="A")
    board.cast(4, (0, 1)).end()
    body = board.actor
    board.end().cast(2, (0, 1))  # Engrenage grippé: a summon refuses nothing
    board.until(body)
    assert (board[body].ap, board[body].mp) == (6, 1)
    board.until(body)
    assert board[body].mp == 4


@pytest.mark.rule("T6", "I3")
def test_an_unseen_summon_reappears_when_its_own_turn_begins():
    board = scenario("A . . C . b d", A="arcaniste", C="ombre 2")
    board.cast(4, (0, 2)).until("C")
    body = board.summon("elementaire_flamme")
    board.cast(2, (0, 2))  # Linceul
    assert board[body].invisible == 1
    board.until("A")
    assert board[body].invisible == 1
    board.end()
    assert board.actor == body and board[body].invisible == 0


@pytest.mark.rule("T3", "T4")
def test_a_turn_ends_with_the_death_of_its_hero():
    board = scenario("A . . C b d", A="artificier")
    board["A"].hp = 1
    board.spell("A", 6).range_min = 1
    board.cast(6, (0, 1))  # his own Grenade
    assert board["A"].hp == 0 and board.duel.outcome is None
    assert board.actor == 1


@pytest.mark.rule("T6", "E4")
def test_a_summon_that_kills_its_master_goes_with_him():
    board = scenario("A . . C b d", A="arcaniste")
    board.cast(4, (0, 1)).end()
    board["A"].hp = 1
    board.cast(1, "A")  # Flammèche
    assert board["A"].hp == 0 and board.summons("elementaire_flamme") == []
    assert board.actor == 1


@pytest.mark.rule("T6", "X2")
def test_a_summons_turn_ends_with_its_death():
    board = scenario("A . . . . . b", A="arcaniste", b="ombre")
    board.cast(4, (0, 1)).end()
    body = board.actor
    board[body].hp = 1
    board.lay_trap("piege_a_pointes", "b", (0, 3))
    board.go((0, 4))
    assert board.summons("elementaire_flamme") == [] and board.actor == 1
