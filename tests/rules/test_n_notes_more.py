"""N14 to N32 (N30 with P3): our readings of the sheets, the second half."""

import numpy as np
import pytest
from scenario import FORFEIT, HEROES, PASS, RAISE, Board, scenario

from solwaris_env.duel.content.schema import Bonus
from solwaris_env.duel.engine import rng
from solwaris_env.duel.engine.scratch import Event
from solwaris_env.duel.engine.state import Phase, Timed
from solwaris_env.duel.game import Duel
from solwaris_env.duel.view import json_view


def lost(board: Board, who: str | int) -> int:
    return int(board[who].max_hp - board[who].hp)


def willing(board: Board, *who: str) -> Board:
    """Let these heroes' classes refuse no removal."""
    for letter in who:
        cls = board.duel.rules[0].cls[int(board.hero(letter).cls)]
        cls.ap_resist, cls.mp_resist = 0, 0
    return board


@pytest.mark.rule("N14")
@pytest.mark.parametrize("mp, taken", [(5, 3), (3, 2), (2, 1), (1, 0)])
def test_points_lost_in_the_own_turn_go_at_once_and_never_below_zero(mp, taken):
    # one step into a Piège de glu (3 tries): what is left after it can be taken
    board = willing(scenario("A . . . b", b="ombre"), "A")
    board.lay_trap("piege_de_glu", "b", (0, 2))
    board["A"].mp = mp
    board.go((0, 1))
    assert board["A"].mp == mp - 1 - taken and board["A"].mp_lost == taken
    board.until("A")
    assert board["A"].mp == 6  # nothing is owed


@pytest.mark.rule("N14")
def test_a_charge_has_no_points():
    board = scenario("A . . b", A="horloger 8 P", b="artificier", turn="b")
    board.cast(1, (0, 2)).until("A")
    charge = board.summon("charge_explosive")
    board.cast(2, (0, 2))  # Sablier
    assert board[charge].ap_lost == 0
    board.until("A")
    assert board["A"].ap == 12  # Rouages got nothing


@pytest.mark.rule("N14", "T7")
def test_an_automate_has_no_ap_to_lose_but_mp():
    board = scenario("A . . b", A="horloger", b="horloger", turn="b")
    board.cast(3, (0, 2))
    body = board.summon("automate")
    board.until("A").cast(2, (0, 2))
    assert board[body].ap_lost == 0
    board.duel.rules[0].spell[int(board.hero("A").spell[1])].per_turn = 2
    board.tune("A", 2, kind=11)  # removes MP instead
    board["A"].ap = 12
    board.cast(2, (0, 2))
    assert board[body].mp_lost == 3


@pytest.mark.rule("N15")
def test_ap_and_mp_gained_outside_the_own_turn_count_in_the_next():
    board = scenario("A C . b d", A="horloger 5", C="guerrier")
    board.cast(5, "C")  # Accélération
    assert board["C"].ap == 0 and board["C"].ap_gain == 2
    board.until("C")
    assert board["C"].ap == 14


@pytest.mark.rule("N15")
def test_rouages_counts_the_heros_own_removals_only():
    board = willing(scenario("A . . b", A="horloger P"), "b")
    board.cast(3, (0, 2)).end()
    board.end()  # the Automate's blow takes 1 MP of b's
    assert board.actor == 1 and board["b"].mp == 5
    board.until("A")
    assert board["A"].ap == 12


@pytest.mark.rule("N16")
def test_auras_fall_on_the_own_camps_others():
    # a Bannière does not protect itself, nor the other camp
    board = scenario("A b . d C")
    board.cast(4, (0, 2))
    flag = board.summon("banniere")
    board.fix("A", 1, 20)
    board.cast(1, "b")
    assert lost(board, "b") == 20
    board.end()
    board.fix("b", 1, 20)
    board.cast(1, (0, 2))
    assert lost(board, flag) == 20
    board.cast(1, "A")
    assert lost(board, "A") == 17  # 20 x 0.85, two cells from it


@pytest.mark.rule("N16", "D6")
def test_an_etendard_counts_as_a_boost_laid_by_a_spell():
    board = scenario("A b . . .", A="guerrier 4")
    board.cast(4, (0, 2))
    board.fix("A", 1, 20)
    board.cast(1, "b")
    assert lost(board, "b") == 23  # +15 %
    board.cast(3).cast(1, "b")
    assert lost(board, "b") == 23 + 26  # Cri de guerre's +30 %, not 45


@pytest.mark.rule("N16")
def test_banniere_and_gardien_add_to_resistance():
    board = scenario("A C b d\n . . . .", C="horloger 3")
    board.cast(4, (1, 0)).until("C").cast(3, (1, 1)).end()
    board.end()
    assert board.actor == 3
    board.until("b")
    board.fix("b", 1, 20)
    board.cast(1, "C")
    assert lost(board, "C") == 14  # 30 % off


@pytest.mark.rule("N18")
def test_a_turn_begins_in_its_order():
    # b is unseen, carries armour that ends now, and poison of A's
    board = scenario("A b . . .", A="ombre 1", b="ombre")
    board.fix("A", 1, 10)
    board.cast(1, "b").end()
    board["b"].invisible = 1
    board.hero("b").cooldown[1] = 2
    timed = board.state.timed[int(board.state.timed_count)]
    timed.kind, timed.target, timed.source = Timed.ARMOUR, 1, 1
    timed.turns, timed.value, timed.until = 1, 30, 0
    board.state.timed_count += 1
    board.end()
    before = lost(board, "b")
    board.apply(PASS)
    kinds = [int(e.kind) for e in board.duel.events]
    start = kinds.index(Event.TURN_BEGINS)
    order = [k for k in kinds[start:] if k in (Event.BONUS, Event.ENDED, Event.APPEARS, 9)]
    hurt = kinds.index(Event.DAMAGE)
    assert order == [Event.BONUS, Event.BONUS, Event.ENDED, Event.APPEARS]
    assert hurt > kinds.index(Event.APPEARS)
    assert lost(board, "b") - before == 8  # the armour had gone before the poison came
    assert board.hero("b").cooldown[1] == 1 and board["b"].ap == 12


@pytest.mark.rule("N18", "N4")
def test_who_dies_of_poison_has_no_turn():
    board = scenario("A b d C", A="ombre 1")
    board.cast(1, "b")
    board["b"].hp = 8
    board.end()
    assert board["b"].hp == 0 and board.actor == HEROES["C"]


@pytest.mark.rule("N19")
def test_a_boost_collected_outside_the_own_turn_lasts_to_the_end_of_the_next():
    board = scenario("A b . . . . .")
    board.put_bonus(Bonus.POWER, (0, 3))
    board.put_bonus(Bonus.RANGE, (0, 4))
    board.cast(2, "b").end()  # pushed over both
    assert board.place("b") == (0, 4)
    assert board.timed("b", Timed.BONUS_POWER) and board.timed("b", Timed.RANGE)
    board.end()
    assert not board.timed("b", Timed.BONUS_POWER) and not board.timed("b", Timed.RANGE)


@pytest.mark.rule("N20")
def test_three_charges_of_any_kind_at_a_time():
    board = scenario("A . . . . . . b", A="artificier")
    board["A"].ap = 40
    board.cast(1, (0, 1)).cast(4, (0, 2)).cast(1, (0, 3))
    assert not board.can(1, (0, 4)) and not board.can(4, (0, 4))
    board.cast(2, (0, 1))  # explodes; its blast kills or spares, but one place is free
    assert board.can(1, (0, 1))


@pytest.mark.rule("N20")
def test_three_barricades_besides_the_charges():
    board = scenario("A . . . . . .\n . . . . . . b", A="artificier 4")
    board["A"].ap = 40
    board.cast(1, (1, 1)).cast(1, (1, 2)).cast(1, (1, 3))
    board.cast(4, (0, 1)).cast(4, (0, 2))
    board.until("A")
    assert board.can(4, (0, 3))
    board.cast(4, (0, 3))
    assert len(board.summons("barricade")) == 3 and not board.can(4, (1, 0))


@pytest.mark.rule("N20")
@pytest.mark.parametrize(
    "name, slot",
    [
        ("guerrier", 4),
        ("guerrier 4", 4),
        ("arcaniste", 4),
        ("arcaniste 4", 4),
        ("horloger", 3),
        ("horloger 3", 3),
    ],
)
def test_one_at_a_time(name, slot):
    board = scenario("A . . . . b", A=name)
    board.cast(slot, (0, 1))
    board.hero("A").cooldown[slot - 1] = 0
    board["A"].ap = 12
    assert not board.can(slot, (0, 2))
    made = int(board.state.occupant[board.at((0, 1))])
    board.state.occupant[board.at((0, 1))] = -1
    board[made].cell, board[made].kind, board[made].hp = -1, 0, 0
    assert board.can(slot, (0, 1))


@pytest.mark.rule("N21")
def test_a_charge_destroyed_by_damage_explodes_for_its_owner():
    # b's own shot destroys A's charge beside b; the blast is A's, with A's boost
    board = scenario("A . . . . b", A="artificier 7")
    board.fix_summon("charge_explosive", 20)
    board.cast(1, (0, 4)).cast(7).end()  # Mèche longue +25 %
    board.fix("b", 1, 25)
    board.cast(1, (0, 4))
    assert board.summons("charge_explosive") == []
    assert lost(board, "b") == 25  # 20 x 1.25


@pytest.mark.rule("N21")
def test_a_blast_that_destroys_a_charge_sets_it_off_first_in_first_out():
    # three in a row, 20 HP each: the first one's blast of 25 sets the next off, and so on
    board = scenario("A . . . . . . b", A="artificier")
    board.fix_summon("charge_explosive", 25)
    board["A"].ap = 40
    board.cast(1, (0, 4)).cast(1, (0, 3)).cast(1, (0, 2))
    board.move("b", (0, 5))
    board.cast(2, (0, 2))
    assert board.summons("charge_explosive") == [] and lost(board, "b") == 25
    exploded = [int(e.cell) for e in board.duel.events if e.kind == Event.EXPLODES]
    assert exploded == [board.at((0, 2)), board.at((0, 3)), board.at((0, 4))]


@pytest.mark.rule("N21")
def test_explosions_come_after_the_effect_that_caused_them():
    # Comète on b and on the charge: both are hit before the blast
    board = scenario("A . . b . . C d", A="arcaniste", C="artificier", turn="C")
    board.cast(1, (0, 4)).until("A")
    board.fix("A", 2, 40)
    board.fix_summon("charge_explosive", 25)
    board.cast(2, (0, 4))
    kinds = [int(e.kind) for e in board.duel.events]
    assert kinds.count(Event.DAMAGE) >= 3
    blast = kinds.index(Event.EXPLODES)
    assert [k for k in kinds[:blast] if k == Event.DAMAGE] == [Event.DAMAGE] * 2
    assert lost(board, "b") == 40 + 25


@pytest.mark.rule("N21", "E4")
def test_a_dead_heros_charges_vanish_without_exploding():
    board = scenario("A b . . d C", b="artificier", turn="b")
    board.cast(1, (0, 3)).until("A")
    board["b"].hp = 1
    board.cast(1, "b")
    assert board.summons("charge_explosive") == [] and lost(board, "d") == 0
    assert board.occupant((0, 3)) == -1


@pytest.mark.rule("N22", "I2")
def test_pushes_and_removals_do_not_reveal():
    # Vortex pulls the unseen b and does no damage
    board = scenario("A . . . x . b", A="arcaniste 6")
    board["b"].invisible = 1
    board.cast(6, "x")
    assert board.place("b") == (0, 4) and board["b"].invisible == 1
    # a Piège de glu whose damage is nothing, only MP go
    board = willing(scenario("A . . . b", A="ombre", b="ombre"), "b")
    board.cast(4, (0, 2)).end()
    board.fix_trap("piege_de_glu", 0)
    board.cast(2).go((0, 3))
    assert board["b"].mp_lost == 3 and board["b"].invisible == 1


@pytest.mark.rule("N23")
def test_stase_on_an_inert_entity_lasts_to_its_owners_turns_end():
    board = scenario("A . . b", A="horloger", turn="b")
    board.cast(4, (0, 2)).until("A")
    flag = board.summon("banniere")
    board.cast(6, (0, 2))
    board.fix("A", 1, 20)
    board.cast(1, (0, 2))
    assert lost(board, flag) == 10
    board.end()
    assert board.timed(flag, Timed.RESISTANCE)
    board.end()
    assert board.timed(flag, Timed.RESISTANCE) == []


@pytest.mark.rule("N24", "F6")
def test_a_swap_with_the_anchored_does_nothing_and_costs_its_points():
    board = scenario("A . . b", A="arcaniste 5", b="guerrier 5", turn="b")
    board.cast(5).until("A").cast(5, "b")
    assert board.place("A") == (0, 0) and board.place("b") == (0, 3)
    assert board["A"].ap == 14 - 4


@pytest.mark.rule("N24")
def test_both_enter_their_new_cells():
    board = scenario("A . . . b", A="arcaniste 5", b="ombre")
    board.lay_trap("mauvais_oeil", "b", (0, 4))  # b stands on it
    board.fix_trap("mauvais_oeil", 12)
    board.put_bonus(Bonus.AP, (0, 0))  # and A on a bonus
    board.cast(5, "b")
    assert lost(board, "A") == 12 and board["b"].ap_gain == 2
    assert board["b"].forced == 1 and board["A"].forced == 0


@pytest.mark.rule("N25")
def test_an_outcome_tells_all():
    board = scenario("A b", seed=3, stakes=500)
    board["b"].hp = 1
    board.health("A", 150, of=300)
    board.cast(1, "b")
    outcome = board.duel.outcome
    assert outcome.winner == 0 and outcome.termination == "knockout"
    assert tuple(outcome.rewards) == (1.0, -1.0)
    assert tuple(outcome.hp_share) == (0.5, 0.0)
    assert tuple(outcome.rewarded) == (True, True)
    assert tuple(outcome.rating_counts) == (True, True)
    assert outcome.quitter is None and outcome.tours == 1


@pytest.mark.rule("N25", "A3")
def test_an_outcome_tells_the_price():
    duel = Duel.new(5, team_size=1, purses=[500, 500])
    while duel.state.phase == Phase.PLACEMENT:
        duel.time_up()
    duel.apply(RAISE)
    buyer = duel.seat  # who answers with the second raise
    duel.apply(RAISE)
    duel.apply(PASS)
    assert duel.state.hero[buyer].purse == 300 and duel.state.hero[1 - buyer].purse == 500
    duel.apply(FORFEIT)
    paid = [0, 0]
    paid[buyer] = 200
    assert list(duel.outcome.price_paid) == paid


@pytest.mark.rule("N25")
def test_a_draw_rewards_nobody():
    board = scenario("A . . b")
    board.state.turn = 80
    board.end()
    assert board.duel.outcome.winner is None
    assert tuple(board.duel.outcome.rewards) == (0.0, 0.0)


@pytest.mark.rule("N26")
def test_same_seed_and_decisions_same_bytes():
    def play(seed: int) -> list[bytes]:
        duel, pick, seen = Duel.new(seed), np.random.default_rng(9), []
        for _ in range(60):
            if duel.outcome is not None:
                break
            legal = np.flatnonzero(duel.mask())
            legal = legal[legal != FORFEIT]
            duel.apply(int(pick.choice(legal)))
            seen.append(duel.state.tobytes())
        return seen

    assert play(11) == play(11)
    assert play(11) != play(12)


@pytest.mark.rule("N26")
def test_the_order_of_draws_is_documented_and_kept():
    for word in ("a new duel", "a hit", "a removal", "a hero's turn", "time up"):
        assert word in rng.__doc__
    # a hit draws its damage first, then its critical: the same damage, critical or not
    board = scenario("A b")
    plain = board.losses(1, "b", "b", times=50)
    board.critical("A", 100)
    critical = board.losses(1, "b", "b", times=50)
    assert critical == [(3 * x + 1) // 2 for x in plain]  # half up


@pytest.mark.rule("N27")
def test_bonuses_on_a_condition_add_to_the_boosts():
    # Traque +20 % and a boost of +30 % (fixed): 20 x 1.5; Exécution's +50 % likewise
    board = scenario("C A b d", A="ombre", C="guerrier 3", turn="C")
    board.tune("C", 3, a=30)
    board.cast(3).until("A")
    board.fix("A", 8, 20)
    board["b"].hp = 80
    board.cast(8, "b")
    assert board["b"].hp == 80 - 36  # 20 x 1.8, not 20 x 1.3 x 1.5 = 39


@pytest.mark.rule("N28")
def test_retour_is_not_cast_onto_a_cell_that_is_seen_to_be_taken():
    board = scenario("A . . b . .", A="horloger")
    board.go((0, 2))
    board.move("b", (0, 0))
    assert not board.can(4)
    board["b"].invisible = 1
    board["A"].hp = 100
    assert board.can(4)
    board.cast(4)  # onto the unseen: fails, nothing is healed, b is unmasked (I4)
    assert board.place("A") == (0, 2) and board["A"].hp == 100
    assert board["A"].ap == 9 and board["b"].invisible == 0


@pytest.mark.rule("N29", "I2")
def test_what_a_blind_hit_lays_is_shown_but_not_the_cell():
    board = scenario("A . . . . b", A="artificier")
    board["b"].invisible = 1
    board.cast(7, (0, 4))  # Poudre noire beside the unseen: resistance -20 %, no damage
    assert board["b"].invisible == 1
    shown = json_view(board.duel, 0)
    theirs = next(e for e in shown["entities"] if e["index"] == 1)
    assert theirs["cell"] is None and theirs["resistance"] == -20
    known = board.duel.known(0)
    assert known.entity[1].cell == -1 and known.timed[0].target == 1


@pytest.mark.rule("N31", "D7")
@pytest.mark.parametrize(
    "drawn, points, boost, weaker, dealt",
    [
        (20, 3, 0, 0, 38),  # 20 + 18
        (26, 8, 0, 0, 74),  # 26 + 48, below 78
        (20, 8, 0, 0, 60),  # 20 + 48 = 68
        (20, 3, 20, 0, 46),  # 38 x 1.2 = 45.6: the added points are raised too
        (20, 5, 0, 20, 60),  # 50 x 1.2
        (20, 6, 0, 20, 60),  # 56 x 1.2 = 67.2
        (26, 8, 30, 20, 78),  # 74 x 1.3 x 1.2 = 115.4
        (20, 8, 0, -30, 42),  # 60 x 0.7: a resistance works on the limited hit
    ],
)
def test_minuits_points_are_bonuses_of_the_hit(drawn, points, boost, weaker, dealt):
    board = scenario("C A . b d", A="horloger", C="guerrier 3", turn="C")
    if boost:
        board.tune("C", 3, a=boost)
        board.cast(3)  # Ralliement
    board.until("A")
    board.fix("A", 8, drawn)
    board["b"].ap_lost = min(points, 4)
    board["b"].mp_lost = points - min(points, 4)
    if weaker:
        timed = board.state.timed[int(board.state.timed_count)]
        timed.kind, timed.target, timed.source = Timed.RESISTANCE, 1, 0
        timed.value, timed.turns = -weaker, 2
        board.state.timed_count += 1
    board.cast(8, "b")
    assert lost(board, "b") == dealt


@pytest.mark.rule("N31", "D7", "D2")
def test_minuits_critical_hit_stands_outside_the_limit():
    board = scenario("A . b", A="horloger")
    board.critical("A", 100)
    board.fix("A", 8, 20)
    board["b"].ap_lost, board["b"].mp_lost = 4, 4
    board.cast(8, "b")
    assert lost(board, "b") == 90  # 60 x 1.5


@pytest.mark.rule("N32")
@pytest.mark.parametrize(
    "hp, armour, lost, half, fifth",
    [
        (300, 0, 30, 15, 6),
        (300, 20, 10, 5, 2),  # armour takes 20
        (300, 30, 0, 0, 0),  # armour takes all
        (9, 0, 9, 5, 2),  # 21 past the last HP; 4.5 and 1.8, half up
        (9, 25, 5, 3, 1),  # 2.5 and 1
    ],
)
def test_what_is_stolen_counts_the_hp_really_lost(hp, armour, lost, half, fifth):
    for hero, slot, back in (("ombre 8", 8, half), ("brute p", 1, fifth)):
        board = scenario("A b", A=hero)
        board.fix("A", slot, 30)
        board["A"].hp, board["b"].hp = 100, hp
        if armour:
            timed = board.state.timed[int(board.state.timed_count)]
            timed.kind, timed.target, timed.source = Timed.ARMOUR, 1, 1
            timed.value, timed.turns = armour, 2
            board.state.timed_count += 1

        def play(copy: Board, slot: int = slot) -> tuple[int, int] | None:
            copy.cast(slot, "b")
            told = {int(e.kind): int(e.value) for e in copy.duel.events}
            if Event.CRITICAL in told:  # a Brute with a passive has the common chance of one
                return None
            return told[Event.DAMAGE], int(copy["A"].hp)

        assert set(board.many(play, times=30)) - {None} == {(lost, 100 + back)}
