"""R: taking AP and MP away."""

from collections import Counter

import pytest
from scenario import Board, scenario, share

RESISTANCE = {  # class: AP, MP, in percent
    "guerrier": (35, 35),
    "brute": (25, 45),
    "arcaniste": (25, 20),
    "ombre": (30, 35),
    "horloger": (45, 30),
    "artificier": (35, 30),
}


def willing(board: Board, *who: str) -> Board:
    """Let these heroes' classes refuse nothing."""
    for letter in who:
        cls = board.duel.rules[0].cls[int(board.hero(letter).cls)]
        cls.ap_resist = 0
        cls.mp_resist = 0
    return board


@pytest.mark.rule("R1", "R2")
@pytest.mark.parametrize("name", RESISTANCE)
@pytest.mark.parametrize("points", ["ap", "mp"])
def test_each_point_may_be_refused(name, points):
    # Sablier and Engrenage grippé try three points each
    board = scenario("A . . b", A="horloger 2" if points == "mp" else "horloger", b=name)
    refused = RESISTANCE[name][points == "mp"] / 100

    def taken(copy: Board) -> int:
        copy.cast(2, "b")
        return int(copy["b"][f"{points}_lost"])

    counts = Counter(board.many(taken, times=500))
    # the points are tried one by one: 3 independent refusals, so a binomial law
    pieces = [x for n, times in counts.items() for x in [True] * n * times]
    share(pieces + [False] * (1500 - len(pieces)), 100 - 100 * refused)
    share([True] * counts[3] + [False] * (500 - counts[3]), 100 * (1 - refused) ** 3)
    share([True] * counts[0] + [False] * (500 - counts[0]), 100 * refused**3)


@pytest.mark.rule("R1")
def test_what_was_taken_is_missing_in_the_next_turn():
    board = willing(scenario("A . . b", A="horloger"), "b")
    board.cast(2, "b").end()  # 3 AP
    assert board["b"].ap == 9 and board["b"].mp == 6
    board.until("b")
    assert board["b"].ap == 12  # once only
    board = willing(scenario("A . . b", A="horloger 2"), "b")
    board.cast(2, "b").end()
    assert board["b"].ap == 12 and board["b"].mp == 3


@pytest.mark.rule("R2")
@pytest.mark.parametrize("name", RESISTANCE)
def test_the_classes_resistances(name):
    board = scenario("A b", A=name)
    cls = board.duel.rules[0].cls[int(board.hero("A").cls)]
    assert (cls.ap_resist, cls.mp_resist) == RESISTANCE[name]


@pytest.mark.rule("R3")
def test_never_more_than_four_ap_between_two_turns():
    board = willing(scenario("A . . b", A="horloger"), "b")
    board["A"].ap = 20
    board.cast(2, "b").cast(1, "b").cast(1, "b")  # 3 + 1 + 1 tries, none refused
    assert board["b"].ap_lost == 4
    board.end()
    assert board["b"].ap == 8


@pytest.mark.rule("R3")
def test_never_more_than_four_mp_between_two_turns_from_all_sources():
    board = willing(scenario("A . . b C d", A="horloger 12", C="horloger 12"), "b")
    board.cast(2, "b").cast(1, "b")  # 3 + 1
    assert board["b"].mp_lost == 4
    board.cast(1, "b")
    assert board["b"].mp_lost == 4
    board.end()
    assert board["b"].mp == 2


@pytest.mark.rule("R3")
def test_ap_and_mp_have_a_limit_each():
    board = willing(scenario("A . . b", A="horloger 2"), "b")
    board.cast(2, "b")  # 3 MP
    board.hero("A").spell[1] -= 1  # Sablier instead
    board.hero("A").used[1] = 0
    board.cast(2, "b")  # 3 AP
    assert (board["b"].ap_lost, board["b"].mp_lost) == (3, 3)


@pytest.mark.rule("R4")
def test_points_lost_in_the_own_turn_count_to_the_same_four():
    # 3 MP before b's turn, then b steps into a Piège de glu (3 tries): one more at most
    board = willing(scenario("A . . b . . .", A="horloger 2", b="ombre"), "b")
    board.cast(2, "b").end()
    assert board["b"].mp == 3
    board.lay_trap("piege_de_glu", "A", (0, 5))
    board.go((0, 4))  # the cross of one begins here
    assert board["b"].mp_lost == 4
    assert board["b"].mp == 3 - 1 - 1


@pytest.mark.rule("R4")
def test_the_count_begins_anew_at_the_end_of_the_own_turn():
    board = willing(scenario("A . . b", A="horloger 2"), "b")
    board.cast(2, "b").end()
    assert board["b"].mp_lost == 3  # still counts while b plays
    board.end()
    assert board["b"].mp_lost == 0
    board.cast(2, "b").end()
    assert board["b"].mp == 3 and board["b"].mp_lost == 3


@pytest.mark.rule("R4")
def test_no_turn_is_ever_short_of_more_than_four():
    # 4 AP taken before b's turn; a trap in that turn takes nothing more
    board = willing(scenario("A . . b . . .", A="horloger", b="ombre"), "b")
    board["A"].ap = 20
    board.cast(2, "b").cast(1, "b").end()
    assert board["b"].ap == 8
    spell = board.effects("A", 1)[1]
    board.lay_trap("piege_de_glu", "A", (0, 5))
    number = int(board.state.trap[0].kind)
    trap = board.duel.rules[0].trap[number]
    board.duel.rules[0].effect[int(trap.first) + 1].kind = spell.kind  # takes AP instead
    board.go((0, 4))
    assert board["b"].ap == 8 and board["b"].ap_lost == 4


@pytest.mark.rule("R1")
def test_a_removal_spell_may_be_cast_on_an_ally():
    board = willing(scenario("A C . . b d", A="horloger"), "C")
    board.cast(2, "C").until("C")
    assert board["C"].ap == 9


@pytest.mark.rule("R3", "R4")
def test_the_window_of_each_fighter_is_its_own():
    # A takes 4 of b's; b's turn passes; C takes 4 again before b's next turn
    board = willing(scenario("A C . b . d", A="horloger", C="horloger"), "b")
    board["A"].ap = 20
    board.cast(2, "b").cast(1, "b")
    assert board["b"].ap_lost == 4
    board.end()
    assert board["b"].ap == 8
    board.until("C")
    board["C"].ap = 20
    board.cast(2, "b").cast(1, "b").cast(1, "b")
    assert board["b"].ap_lost == 4
    board.until("A")
    assert board["b"].ap_lost == 4  # d's and A's turns change nothing
    board.cast(1, "b")
    assert board["b"].ap_lost == 4
    board.end()
    assert board["b"].ap == 8
