"""The greedy agent: sensible, legal, and blind to what its seat may not know."""

import numpy as np
import pytest

from solwaris_env.agents import make_agent
from solwaris_env.duel.codec import PASS
from solwaris_env.duel.game import Duel
from solwaris_env.duel.vector import VectorDuel
from solwaris_env.duel.view import BatchView
from solwaris_env.match import play_match
from tests.scenario import scenario
from tests.scripted import check_bids, walk_past_its_own_trap


def decide(duel: Duel, seed: int = 0) -> int:
    duel.refresh()
    return make_agent("greedy", seed).act(duel.view(duel.seat))


def test_it_takes_a_kill():
    board = scenario("A b .", A="guerrier", b="ombre")
    board["b"].hp = 5
    for seed in range(5):
        before = board.duel.clone()
        before.apply(decide(board.duel, seed))
        assert before.outcome is not None and before.outcome.winner == 0


def test_it_walks_round_a_trap_of_its_own():
    board, walks = walk_past_its_own_trap(decide)
    assert walks > 0
    assert board.place("A")[0] < 2, "the upper way is the free one"


@pytest.mark.parametrize(("cls", "bids"), [("guerrier", True), ("artificier", False)])
def test_contact_classes_buy_the_opening_and_layers_do_not(cls, bids):
    check_bids(decide, cls, bids, seeds=10)


def test_it_ends_its_turn_when_nothing_is_left():
    board = scenario("A . . . b", A="guerrier", b="ombre")
    board["A"].ap = 0
    board["A"].mp = 0
    assert decide(board.duel) == PASS


def test_every_action_is_legal_and_every_duel_ends():
    agents = make_agent("greedy", 1), make_agent("greedy", 2)
    result = play_match(*agents, duels=60, seed=5, team_size=None)
    assert result.duels == 60  # a refused action would have raised


def test_a_batch_decides_as_its_rows_do():
    batch = VectorDuel(8, seed=3)
    rows = np.arange(8)
    for _ in range(20):
        views = batch.views(rows)
        together = make_agent("greedy", 7).act_batch(views)
        alone = make_agent("greedy", 7).act_batch(
            BatchView(
                views.known[:1],
                {k: v[:1] for k, v in views.observation.items()},
                views.action_mask[:1],
                views.seat[:1],
            )
        )
        assert together[0] == alone[0]
        batch.step(together)


def test_hidden_facts_do_not_sway_it():
    board = scenario(
        """
        A . . . . .
        . . . x . .
        . . b . . y
        """,
        A="brute",
        b="ombre",
    )
    choices = set()
    for mark in ("x", "y"):
        variant = board.duel.clone()
        trap = variant.state.trap[0]
        trap.kind, trap.owner, trap.camp, trap.turns = 2, 1, 1, 8
        trap.cell = board.at(mark)
        variant.state.trap_count = 1
        choices.add(decide(variant))
    choices.add(decide(board.duel))
    assert len(choices) == 1


def test_it_beats_random_play():
    result = play_match(make_agent("greedy", 0), make_agent("random", 0), duels=100, seed=11)
    assert result.interval[0] > 0.9
