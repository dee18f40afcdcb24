"""P: placement."""

import numpy as np
import pytest
from scenario import FORFEIT, N, scenario

from solwaris_env.duel.batch import Option
from solwaris_env.duel.engine.state import Phase
from solwaris_env.duel.game import Duel
from solwaris_env.duel.view import json_view

GO = 8 * N


def zone(duel: Duel, camp: int) -> set[int]:
    board = duel.rules[0].maps[duel.state.map]
    return set(np.flatnonzero(board.zone == camp + 1).tolist())


def offered(duel: Duel) -> set[int]:
    return set(np.flatnonzero(duel.mask()[GO : GO + N]).tolist())


@pytest.mark.rule("P1")
def test_each_player_is_offered_the_own_zone_only():
    duel = Duel.new(3, team_size=1)
    seen = []
    while duel.state.phase == Phase.PLACEMENT:
        assert offered(duel) == zone(duel, duel.seat % 2)
        seen.append(duel.seat)
        duel.apply(GO + max(offered(duel)))
    assert sorted(seen) == [0, 1]
    assert duel.state.entity[0].cell in zone(duel, 0)
    assert duel.state.entity[1].cell in zone(duel, 1)


@pytest.mark.rule("P1")
def test_an_allys_cell_is_taken():
    duel = Duel.new(3, team_size=2)
    taken = {0: set(), 1: set()}
    while duel.state.phase == Phase.PLACEMENT:
        camp = duel.seat % 2
        assert offered(duel) == zone(duel, camp) - taken[camp]
        cell = min(offered(duel))
        taken[camp].add(cell)
        duel.apply(GO + cell)
    assert len(taken[0]) == len(taken[1]) == 2


@pytest.mark.rule("P2")
def test_time_up_places_at_random_on_a_free_cell_of_the_zone():
    duel = Duel.new(3, team_size=2)
    first = duel.seat
    camp = first % 2
    kept = min(offered(duel))
    duel.apply(GO + kept)
    ally = first + 2
    while duel.seat != ally:
        duel.apply(GO + min(offered(duel)))
    free = zone(duel, camp) - {kept}
    counts = dict.fromkeys(free, 0)
    draws = 150 * len(free)
    for stream in np.random.default_rng(5).integers(2**64, size=draws, dtype=np.uint64):
        copy = duel.clone()
        copy.state.rng = stream
        copy.time_up()
        counts[int(copy.state.entity[ally].cell)] += 1
    # 150 expected a cell, deviation at most sqrt(150) = 12.2: five of them are 61
    assert all(abs(count - 150) <= 61 for count in counts.values()), counts


@pytest.mark.rule("P3")
def test_placements_stay_hidden_from_the_other_camp_until_all_are_placed():
    duel = Duel.new(3, team_size=2)
    placed: dict[int, int] = {}
    while duel.state.phase == Phase.PLACEMENT:
        seat = duel.seat
        placed[seat] = max(offered(duel))
        duel.apply(GO + placed[seat])
        if duel.state.phase != Phase.PLACEMENT:
            break
        for viewer in range(4):
            known = duel.known(viewer)
            for other, cell in placed.items():
                if other % 2 == viewer % 2:
                    assert known.entity[other].cell == cell
                    assert known.occupant[cell] == other
                else:
                    assert known.entity[other].cell == -1
                    assert known.occupant[cell] == -1
    for viewer in range(4):
        known = duel.known(viewer)
        assert {s: int(known.entity[s].cell) for s in placed} == placed


@pytest.mark.rule("P3", "N30")
@pytest.mark.parametrize("team_size, chosen", [(1, 1), (2, 1), (2, 2), (2, 3)])
def test_who_gives_up_before_all_are_placed_learns_no_placement(team_size, chosen):
    duel = Duel.new(3, team_size=team_size)
    duel.options = Option.ALLOW_FORFEIT
    duel.refresh()
    placed = {}
    for seat in range(chosen):
        placed[seat] = max(offered(duel))
        duel.apply(GO + placed[seat])
    duel.apply(FORFEIT)
    assert duel.outcome.termination == "forfeit"
    for viewer in range(2 * team_size):
        known = duel.known(viewer)
        shown = {e["index"]: e["cell"] for e in json_view(duel, viewer)["entities"]}
        for other, cell in placed.items():
            if other % 2 == viewer % 2:
                assert known.entity[other].cell == cell and shown[other] is not None
            else:
                assert known.entity[other].cell == -1 and shown[other] is None
                assert known.occupant[cell] == -1


@pytest.mark.rule("N30")
def test_once_the_duel_is_over_traps_and_the_unseen_are_shown():
    board = scenario("A . . . b", b="ombre")
    board.lay_trap("piege_de_glu", "b", (0, 2))
    board["b"].invisible = 1
    assert board.duel.known(0).trap_count == 0 and board.duel.known(0).entity[1].cell == -1
    board.apply(FORFEIT)
    known = board.duel.known(0)
    assert known.trap_count == 1 and known.entity[1].cell == board.at((0, 4))


@pytest.mark.rule("P1")
def test_the_chosen_cell_is_where_the_fight_begins():
    board = scenario("""
        A . .
        . . b
    """)
    assert board.place("A") == (0, 0) and board.place("b") == (1, 2)
