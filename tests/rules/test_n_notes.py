"""N1 to N13: our readings of the sheets."""

import pytest
from scenario import Board, scenario, share

from solwaris_env.duel.content.schema import Bonus, Passive
from solwaris_env.duel.engine.state import Timed


def lost(board: Board, who: str | int) -> int:
    return int(board[who].max_hp - board[who].hp)


@pytest.mark.rule("N1")
def test_area_damage_hits_the_caster_but_around_self_spares_him():
    # Grenade (2-5, circle of 1) beside the Artificier: his cell is in the circle
    board = scenario("A . . b", A="artificier")
    board.spell("A", 6).range_min = 1
    board.fix("A", 6, 20)
    board.cast(6, (0, 1))
    assert lost(board, "A") == 20 and lost(board, "b") == 0
    board = scenario("A b . .", A="brute")
    board.fix("A", 7, 30)
    board.cast(7)  # Séisme, around self
    assert lost(board, "A") == 0 and lost(board, "b") == 30


@pytest.mark.rule("N1")
def test_a_damage_spell_aims_at_allies_and_summons_too():
    board = scenario("A . C b d")
    assert board.can(8, "C")  # Lancer de hache
    board.cast(4, (0, 1)).until("C")
    assert board.can(8, (0, 0)) and not board.can(8, "C")


@pytest.mark.rule("N1")
def test_ally_means_heroes_and_mobile_summons():
    board = scenario("A . . b", A="guerrier 6")
    board.cast(4, (0, 1))  # a Bannière is inert
    assert board.can(6, "A") and not board.can(6, (0, 1))
    board = scenario("A . . b", A="horloger 6")
    board.cast(3, (0, 1))  # an Automate is not
    assert board.can(6, (0, 1))


@pytest.mark.rule("N2")
def test_the_same_effect_is_renewed_not_added():
    board = scenario("A b . .", A="brute 6")
    board.cast(6, "b")  # Intimidation -20 %, 2 turns, cooldown 2
    board.until("A").until("A").cast(6, "b")
    assert [(t.value, t.turns) for t in board.timed("b", Timed.POWER)] == [(-20, 2)]
    board = scenario("A b . .")
    board.tune("A", 7, 1, turns=3)
    board.cast(7, "b").until("A")  # Coup de masse
    assert [(t.value, t.turns) for t in board.timed("b", Timed.RESISTANCE)] == [(-20, 2)]
    board.cast(7, "b")
    assert [(t.value, t.turns) for t in board.timed("b", Timed.RESISTANCE)] == [(-20, 3)]


@pytest.mark.rule("N2")
def test_the_same_spell_of_two_casters_and_two_spells_of_one_add():
    board = scenario("A b C . d")
    board.cast(7, "b").until("C").cast(7, "b")
    board.fix("C", 1, 20)
    before = lost(board, "b")
    board.cast(1, "b")
    assert lost(board, "b") - before == 28  # resistance -40 %
    board = scenario("A b . . .", A="artificier")
    board.cast(7, "b")  # Poudre noire -20 %
    board.lay_trap("mauvais_oeil", "A", (0, 2))  # and a trap of -25 %
    board.fix_trap("mauvais_oeil", 10)
    board.end().go((0, 2))
    assert lost(board, "b") == 12  # 10 x 1.2, then the trap's own -25 % begins
    board.until("A")
    board.fix("A", 3, 20)
    board.cast(3, "b")
    assert lost(board, "b") == 12 + 29  # 20 x 1.45


@pytest.mark.rule("N2", "D6")
def test_the_strongest_boost_less_the_strongest_malus():
    # own Cri de guerre +30 %, the Brute's Intimidation -20 %: +10 %
    board = scenario("A b . .", b="brute 6", turn="b")
    board.cast(6, "A").until("A")
    board.fix("A", 1, 20)
    board.cast(1, "b")
    assert lost(board, "b") == 16
    board.cast(3).cast(1, "b")
    assert lost(board, "b") == 16 + 22


@pytest.mark.rule("N2")
def test_two_maluses_do_not_add():
    board = scenario("b A d C", b="brute 6", d="brute 6", turn="b")
    board.cast(6, "A").until("d").cast(6, "A").until("A")
    assert len(board.timed("A", Timed.POWER)) == 2
    board.fix("A", 1, 20)
    board.cast(1, "b")
    assert lost(board, "b") == 16  # 20 x 0.8, not 12


@pytest.mark.rule("N3")
def test_each_victim_has_its_own_draw_and_its_own_critical():
    board = scenario("A . . . b C d", A="arcaniste")
    board.critical("A", 50)
    board.fix("A", 2, 30)

    def blast(copy: Board) -> tuple[int, int]:
        copy.cast(2, (0, 5))  # Comète on b, C and d
        return lost(copy, "b"), lost(copy, "d")

    seen = board.many(blast, times=400)
    # criticals 30 or 45, independent: the four pairs in a quarter of the draws each
    for pair in [(30, 30), (30, 45), (45, 30), (45, 45)]:
        share([x == pair for x in seen], 25)
    board = scenario("A . . . b C d", A="arcaniste")
    # eleven values 34-44, independent: equal in one case of eleven
    share([x == y for x, y in board.many(blast, times=400)], 100 / 11)


@pytest.mark.rule("N3")
def test_the_two_sides_of_a_collision_have_a_critical_each():
    board = scenario("A b d C")
    board.critical("A", 50)
    board.fix("A", 2, 10)
    seen = board.many(lambda copy: lost(copy.cast(2, "b"), "d"), times=400)
    assert set(seen) == {18, 27}
    share([x == 27 for x in seen], 50)


@pytest.mark.rule("N4")
def test_poison_knows_no_boost_and_no_critical():
    board = scenario("A b . .\n . . . .", A="ombre 1")
    board.critical("A", 100)
    board.fix("A", 1, 10)
    board.cast(1, "b")
    assert lost(board, "b") == 15  # the blow is critical
    board.put_bonus(Bonus.POWER, (1, 0))
    board.go((1, 0))
    assert board.timed("A", Timed.BONUS_POWER)
    poison = board.clone()
    board.end()
    assert lost(board, "b") == 23  # 8, not critical
    # a boost that lasts does not matter either
    poison.hero("A").passive = Passive.RAGE
    poison.hero("A").passive_value = 10
    poison["A"].hp = 25  # nine tenths lost: +90 %
    poison.end()
    assert lost(poison, "b") == 23


@pytest.mark.rule("N4")
def test_poison_meets_resistance_then_armour():
    board = scenario("A b . .", A="ombre 1", b="guerrier p")
    board.tune("A", 1, 1, a=20)
    board.fix("A", 1, 10)
    board.cast(1, "b").end()
    assert lost(board, "b") == 9 + 17  # 8.5 rounds up; 20 x 0.85
    board.cast(6)  # armour 40
    board.until("b")
    assert lost(board, "b") == 26 and [t.value for t in board.timed("b", Timed.ARMOUR)] == [23]


@pytest.mark.rule("N4")
def test_poison_on_an_inert_entity_works_at_its_owners_turns():
    board = scenario("A . . . b . .", A="artificier 6", turn="b")
    board.cast(4, (0, 3))  # b's Bannière, 40 HP
    flag = board.summon("banniere")
    board.until("A").fix("A", 6, 10)
    board.cast(6, (0, 3))  # Grenade à clous: poison 5, 2 turns
    assert board[flag].hp == 30
    board.end()
    assert board[flag].hp == 25
    board.end()
    assert board[flag].hp == 25
    board.end()
    assert board[flag].hp == 20


@pytest.mark.rule("N5")
def test_delayed_damage_uses_the_boosts_of_when_it_strikes():
    board = scenario("A . . b", A="horloger 8")
    board.fix("A", 8, 40)
    board.cast(8, "b").until("A")
    board.put_bonus(Bonus.POWER, (0, 1))
    board.go((0, 1))
    board.end()
    board.end()
    assert lost(board, "b") == 40  # the +25 % ended with his turn
    board = scenario("A C . b d", A="horloger 8", C="guerrier 3")
    board.fix("A", 8, 40)
    board.cast(8, "b").until("C")
    board.until("A").until("C").cast(3)  # Ralliement +20 %, 2 turns of C's
    board.end()
    assert lost(board, "b") == 0
    board.end()
    assert board.actor == 0 and lost(board, "b") == 48


@pytest.mark.rule("N5", "N17")
def test_delayed_damage_strikes_even_if_its_caster_is_dead():
    board = scenario("A C b d", C="horloger 8", turn="C")
    board.fix("C", 8, 40)
    board.cast(8, "b")
    board["C"].hp = 1
    board.end()
    # d cannot reach C; b can in its turn
    board.until("b").cast(1, "C")
    assert board["C"].hp == 0 and lost(board, "b") == 0
    # C's next turns would have come after b's and after the next b's
    board.end()
    assert lost(board, "b") == 0
    board.until("b")
    board.end()
    assert lost(board, "b") == 40


@pytest.mark.rule("N6")
def test_an_hp_cost_needs_more_hp_than_it():
    board = scenario("A b", A="brute 1")
    for hp, offered in [(9, True), (8, False)]:  # Coup de tête costs 8
        board["A"].hp = hp
        assert board.can(1, "b") is offered
    for hp, offered in [(26, True), (25, False)]:  # Frénésie costs 25
        board["A"].hp = hp
        assert board.can(8) is offered


@pytest.mark.rule("N6")
def test_an_hp_cost_goes_past_armour_and_resistance_and_reveals_nobody():
    board = scenario("A C . b d", A="brute", C="guerrier 6", turn="C")
    board.cast(6, "A")  # Rempart
    board.until("A").cast(2)  # Peau de pierre
    board["A"].invisible = 1
    board.cast(8)
    assert lost(board, "A") == 25 and board["A"].invisible == 1
    assert [t.value for t in board.timed("A", Timed.ARMOUR)] == [30]


@pytest.mark.rule("N7")
def test_a_line_ends_before_the_first_obstacle_unless_sight_is_ignored():
    board = scenario("A . # b", A="artificier 3")
    board.cast(3, (0, 1))  # Tromblon
    assert lost(board, "b") == 0
    board = scenario("A . # b", A="horloger")
    board.cast(7, (0, 1))  # Pendule
    assert lost(board, "b") == 0
    board = scenario("A . # b", A="brute 7")
    board.fix("A", 7, 25)
    board.cast(7, (0, 1))  # Faille
    assert lost(board, "b") == 25


@pytest.mark.rule("N7")
def test_void_does_not_end_a_line():
    board = scenario("A . _ b .", A="artificier 3")
    board.fix("A", 3, 20)
    board.cast(3, (0, 1))
    assert lost(board, "b") == 20 and board.place("b") == (0, 4)


@pytest.mark.rule("N8")
def test_pushes_move_the_farthest_first():
    # Pendule: b and C one behind the other are both pushed 2 without meeting
    board = scenario("A . b C . . d", A="horloger")
    board.fix("A", 7, 15)
    board.cast(7, (0, 1))
    assert board.place("C") == (0, 5) and board.place("b") == (0, 4)
    assert lost(board, "b") == 15 and lost(board, "C") == 15


@pytest.mark.rule("N8")
def test_damage_comes_first_for_everyone():
    # Onde de choc kills d before b, pushed left, could run into it
    board = scenario("d b A . C", A="arcaniste")
    board["d"].hp = 5
    board.fix("A", 6, 10)
    board.cast(6)
    assert board["d"].hp == 0
    assert board.place("b") == (0, 0) and lost(board, "b") == 10 + 12


@pytest.mark.rule("N8")
def test_pulls_move_the_nearest_first():
    board = scenario("A . x . b d C", A="arcaniste 6")
    board.spell("A", 6).size = 3
    board.cast(6, "x")  # A at 2 from the centre, b at 2, d at 3
    # A by the lower cell first: onto the centre; b next to it, d behind b
    assert board.place("A") == (0, 2)
    assert board.place("b") == (0, 3) and board.place("d") == (0, 4)
    assert board.place("C") == (0, 6)


@pytest.mark.rule("N8")
def test_a_pull_towards_a_cell_ends_level_with_it():
    board = scenario(
        """
        . . . . . C
        A . . x b .
        . . . . . .
        . . . . . d
    """,
        A="arcaniste 6",
    )
    board.cast(6, "x")  # b one cell from the centre, pulled by 2
    assert board.place("b") == (1, 3)
    board = scenario(
        """
        . . . . b C
        A . . x . .
        . . . . . d
    """,
        A="arcaniste 6",
    )
    board.cast(6, "x")  # diagonal: along the row axis, one cell, no further
    assert board.place("b") == (1, 4)


@pytest.mark.rule("N10")
def test_a_dash_needs_cells_that_look_free():
    board = scenario("A . C . b d", A="guerrier 2")
    assert not board.can(2, "b")
    board = scenario(
        """
        A . _ . b
        . . . . .
    """,
        A="guerrier 2",
    )
    assert not board.can(2, "b")  # void is seen across but not run over


@pytest.mark.rule("N10")
def test_an_unseen_fighter_ends_a_dash_and_the_rest_is_lost():
    board = scenario("A . . d . b C", A="brute")
    board["d"].invisible = 1
    assert board.can(5, "b")
    board.cast(5, "b")
    assert board.place("A") == (0, 2) and board["A"].ap == 8
    assert lost(board, "b") == 0 and lost(board, "d") == 0 and board["d"].invisible == 1


@pytest.mark.rule("N10")
def test_a_trap_ends_a_dash():
    board = scenario("A . . . . . b", A="brute", b="ombre")
    board.lay_trap("piege_a_pointes", "b", (0, 3))
    board.cast(5, "b")
    assert board.place("A") == (0, 2) and lost(board, "A") >= 28
    assert lost(board, "b") == 0 and board.traps() == []


@pytest.mark.rule("N10")
def test_a_trap_next_to_the_target_loses_nothing():
    board = scenario("A . . . b . .", A="brute", b="ombre")
    board.lay_trap("mauvais_oeil", "b", (0, 3))
    board.fix("A", 5, 15)
    board.cast(5, "b")
    assert board.place("A") == (0, 3) and lost(board, "A") > 0
    assert lost(board, "b") == 15 and board.place("b") == (0, 5)


@pytest.mark.rule("N10", "F6")
def test_the_anchored_may_walk_and_jump_of_their_own_will():
    board = scenario("A . . . . b", A="artificier 5")
    board.cast(5).go((0, 2))
    assert board.place("A") == (0, 2)
    board = scenario("A . . . . . b", A="guerrier 52")
    board.cast(5).go((0, 2))
    board.cast(2, "b")  # Coup de bélier
    assert board.place("A") == (0, 5)
    board = scenario("A . . . . b", A="arcaniste")
    board.hero("A").spell[0] = scenario("A b", A="guerrier 5").hero("A").spell[4]  # Ancrage
    board.cast(1, "A").cast(5, (0, 3))  # Clignement
    assert board.place("A") == (0, 3)


@pytest.mark.rule("N11")
def test_a_step_inside_an_area_enters_it():
    board = scenario("A . . . b", b="ombre")
    board.lay_trap("piege_a_pointes", "b", (0, 1))  # A stands in it already
    board.fix_trap("piege_a_pointes", 30)
    board.go((0, 1))
    assert lost(board, "A") == 30


@pytest.mark.rule("N11", "F7")
def test_a_spring_throws_away_from_its_centre_from_the_centre_away_from_its_layer():
    board = scenario("A . . . . . . . b", b="ombre")
    board.lay_trap("piege_a_ressort", "b", (0, 4))
    board.go((0, 4))
    assert board.place("A") == (0, 0)  # caught at column 3, thrown 3 to the left
    board = scenario(
        """
        . . . . . . .
        . . A . . . b
        . . . . . . .
    """,
        A="arcaniste",
        b="ombre",
    )
    board.lay_trap("piege_a_ressort", "b", (1, 4))
    board.cast(5, (1, 4))  # teleported onto the centre; b stands to the right
    assert board.place("A") == (1, 1)


@pytest.mark.rule("N12")
def test_lengthening_leaves_range_1_and_self_alone():
    board = scenario("A . b", A="artificier p")  # Artilleur
    other = scenario("A . b", A="guerrier")
    board.hero("A").spell[0] = other.hero("A").spell[0]  # Taillade, range 1
    assert not board.can(1, "b")
    board.hero("A").spell[0] = other.hero("A").spell[2]  # Cri de guerre
    assert board.can(1, "A") and not board.can(1, (0, 1))


@pytest.mark.rule("N12")
def test_lengthenings_add_and_the_least_range_stays():
    board = scenario("A . . . . . . . . . b", A="arcaniste 3")
    board.put_bonus(Bonus.RANGE, (0, 1))
    board.go((0, 1))
    board.cast(3)  # Œil lointain +2, the bonus +1
    board.move("A", (0, 0))
    assert board.can(1, "b")  # Trait arcanique 7 + 3
    assert not board.can(2, (0, 2)) and board.can(2, (0, 3))  # Comète from 3 on


@pytest.mark.rule("N13")
def test_inert_entities_can_be_pushed_pulled_and_swapped():
    board = scenario("A . . . . . b", A="guerrier")
    board.cast(4, (0, 1)).cast(2, (0, 1))  # Bourrade on the own Bannière
    assert board.place(board.summon("banniere")) == (0, 4)
    board = scenario("A . . . b . .", A="brute", turn="b")
    board.cast(4, (0, 3)).until("A").cast(4, (0, 3))  # Empoignade
    assert board.place(board.summon("banniere")) == (0, 1)
    board = scenario("A . . . b . .", A="arcaniste 5", turn="b")
    board.cast(4, (0, 3)).until("A").cast(5, (0, 3))
    assert board.place(board.summon("banniere")) == (0, 0) and board.place("A") == (0, 3)
