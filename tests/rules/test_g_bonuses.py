"""G: terrain bonuses."""

from collections import Counter

import numpy as np
import pytest
from scenario import PASS, Board, scenario

from solwaris_env.duel.content.schema import Bonus
from solwaris_env.duel.engine.state import Timed

ROW = "A . . . . . . b"


def bonuses(board: Board) -> list[tuple[int, int]]:
    return [(int(b.kind), int(b.cell)) for b in board.state.bonus]


@pytest.mark.rule("G1")
def test_two_different_bonuses_on_free_cells_at_every_heros_turn():
    board = scenario("""
        A . #
        . _ .
        . . b
    """)

    def renewed(copy: Board) -> tuple:
        copy.apply(PASS)
        return tuple(bonuses(copy))

    free = {board.at(c) for c in [(0, 1), (1, 0), (1, 2), (2, 0), (2, 1)]}
    kinds, cells = Counter(), Counter()
    for (kind, cell), (kind2, cell2) in board.many(renewed, times=900):
        assert kind != kind2 and cell != cell2
        assert {cell, cell2} <= free
        kinds.update([kind, kind2])
        cells.update([cell, cell2])
    # 1800 bonuses: 300 of each of six kinds, 360 on each of five cells; 5 deviations
    assert len(kinds) == 6 and all(abs(n - 300) < 5 * 300**0.5 for n in kinds.values())
    assert len(cells) == 5 and all(abs(n - 360) < 5 * 360**0.5 for n in cells.values())


@pytest.mark.rule("G1")
def test_those_of_the_turn_before_vanish():
    board = scenario("""
        A . . . . . . .
        . . . . . . . b
    """)
    seen = [bonuses(board)]
    for _ in range(6):
        board.apply(PASS)
        assert all(kind for kind, _ in bonuses(board))
        assert bonuses(board) != seen[-1]
        seen.append(bonuses(board))


@pytest.mark.rule("G1")
def test_a_summons_turn_renews_nothing():
    board = scenario(ROW, A="arcaniste")
    board.cast(4, (0, 1))
    board.put_bonus(Bonus.HEAL, (0, 5))
    board.apply(PASS)
    assert board.actor >= 4
    assert (Bonus.HEAL, board.at((0, 5))) in bonuses(board)


@pytest.mark.rule("G2")
def test_both_players_see_them():
    board = scenario(ROW)
    board.put_bonus(Bonus.AP, (0, 3))
    for seat in (0, 1):
        known = board.duel.known(seat)
        assert (known.bonus[0].kind, known.bonus[0].cell) == (Bonus.AP, board.at((0, 3)))


@pytest.mark.rule("G2")
def test_a_summon_takes_one():
    board = scenario(ROW, A="arcaniste")
    board.cast(4, (0, 1)).end()
    board.put_bonus(Bonus.AP, (0, 3))
    board.go((0, 3))
    assert board[board.actor].ap == 8 and all(kind == 0 for kind, _ in bonuses(board))


@pytest.mark.rule("G2")
def test_a_mobile_summon_made_on_one_takes_it():
    board = scenario(ROW, A="arcaniste")
    board.put_bonus(Bonus.AP, (0, 1))
    board.cast(4, (0, 1)).end()
    assert board[board.actor].ap == 8


@pytest.mark.rule("G2", "N13")
@pytest.mark.parametrize("name, slot", [("artificier", 1), ("guerrier", 4)])
def test_a_charge_or_a_banniere_takes_nothing(name, slot):
    board = scenario(ROW, A=name)
    board.put_bonus(Bonus.HEAL, (0, 2))
    board.cast(slot, (0, 2))
    assert (Bonus.HEAL, board.at((0, 2))) in bonuses(board)


def taken(kind: Bonus, **heroes: str) -> Board:
    """A has walked two cells onto a bonus."""
    board = scenario(ROW, **heroes)
    board["A"].hp = 100
    board.put_bonus(kind, (0, 2))
    return board.go((0, 2))


@pytest.mark.rule("G3")
def test_two_ap():
    assert taken(Bonus.AP)["A"].ap == 14


@pytest.mark.rule("G3")
def test_two_mp():
    assert taken(Bonus.MP)["A"].mp == 6 - 2 + 2


@pytest.mark.rule("G3")
def test_twenty_hp():
    assert taken(Bonus.HEAL)["A"].hp == 120


@pytest.mark.rule("G3", "D8")
def test_healing_stops_at_the_maximum():
    board = scenario(ROW)
    board.health("A", 290, of=300)
    board.put_bonus(Bonus.HEAL, (0, 1))
    board.go((0, 1))
    assert board["A"].hp == 300


@pytest.mark.rule("G3")
def test_twenty_armour_for_two_turns():
    board = taken(Bonus.ARMOUR)
    assert [t.value for t in board.timed("A", Timed.ARMOUR)] == [20]
    board.until("A")
    assert board.timed("A", Timed.ARMOUR)
    board.until("A")
    assert board.timed("A", Timed.ARMOUR) == []


@pytest.mark.rule("G3", "N19", "N2")
def test_a_quarter_more_damage_this_turn():
    board = taken(Bonus.POWER)
    board.move("b", (0, 3))
    board.fix("A", 1, 20)
    before = int(board["b"].hp)
    board.cast(1, "b")
    assert before - board["b"].hp == 25
    board.cast(3).cast(1, "b")  # Cri de guerre +30 % on top: 20 x 1.55
    assert before - board["b"].hp == 25 + 31
    board.until("A").cast(1, "b")
    assert before - board["b"].hp == 25 + 31 + 26  # the bonus is gone, the cry is not


@pytest.mark.rule("G3", "N12", "N19")
def test_one_range_this_turn():
    board = scenario(ROW)
    board.move("b", (0, 7))
    board.put_bonus(Bonus.RANGE, (0, 1))
    board.go((0, 1))
    assert board.can(8, "b")  # Lancer de hache: 6 instead of 5
    assert not scenario(". A . . . . . b").can(8, "b")
    board.until("A")
    assert not board.can(8, "b")


@pytest.mark.rule("G3", "N15")
@pytest.mark.parametrize("kind, ap, mp", [(Bonus.AP, 14, 6), (Bonus.MP, 12, 8)])
def test_points_taken_outside_the_own_turn_count_in_the_next(kind, ap, mp):
    board = scenario("A b . . . . .")
    board.put_bonus(kind, (0, 3))
    board.cast(2, "b")  # pushed over it
    assert (board["b"].ap_gain, board["b"].mp_gain) == (ap - 12, mp - 6)
    board.end()
    assert (board["b"].ap, board["b"].mp) == (ap, mp)
    board.until("b")
    assert (board["b"].ap, board["b"].mp) == (12, 6)


@pytest.mark.rule("G1", "G3")
def test_there_are_six_kinds():
    board = scenario(ROW)
    values = [int(board.duel.rules[0].bonus[k].value) for k in range(1, 7)]
    assert values == [2, 2, 20, 20, 25, 1]
    assert np.all(board.duel.rules[0].bonus[Bonus.ARMOUR].turns == 2)
