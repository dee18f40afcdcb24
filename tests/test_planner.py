"""The planner: it sees a turn through, knows no more than its seat, and beats greedy play."""

import numpy as np
import pytest

from solwaris_env.agents import make_agent
from solwaris_env.duel.codec import GO, PASS, RAISE
from solwaris_env.duel.engine.state import Phase
from solwaris_env.duel.game import Duel
from solwaris_env.duel.vector import VectorDuel
from solwaris_env.errors import SolwarisError
from solwaris_env.match import play_match
from tests.scenario import Board, scenario
from tests.test_leaks import clash, swapped


def decide(duel: Duel, seed: int = 0, spec: str = "planner:nodes=300") -> int:
    duel.refresh()
    return make_agent(spec, seed).act(duel.view(duel.seat))


def play_turn(board: Board, seed: int = 0) -> list[int]:
    """Play the acting hero's turn to its end; the actions taken."""
    actor, taken = board.actor, []
    while board.duel.outcome is None and board.actor == actor:
        taken.append(decide(board.duel, seed))
        board.apply(taken[-1])
    return taken


def test_it_takes_a_kill_that_needs_a_walk_and_three_casts():
    # Taillade deals 22 to 28: 60 hit points take three, and the Ombre is five steps away
    board = scenario("A . . . . . b", A="guerrier", b="ombre")
    board["b"].hp = 60
    taken = play_turn(board)
    assert board.duel.outcome is not None and board.duel.outcome.winner == 0
    assert len([a for a in taken if a < GO]) >= 3


def test_it_does_not_step_on_a_trap_it_knows():
    # the short way crosses its own Fosse, the long one does not
    board = scenario(
        """
        . . . . . . . .
        . # # # # # # .
        A # # # # # # b
        . # # # # # # .
        . . . . t . . .
        """,
        A="brute",
        b="arcaniste",
    )
    board["A"].ap = 0
    board.lay_trap("fosse", "A", "t")
    walks = 0
    while (action := decide(board.duel)) != PASS:
        assert GO <= action < PASS
        board.apply(action)
        board["A"].mp = 6
        walks += 1
        assert walks < 20
    assert board.state.trap_count == 1, "it sprang its own trap"


@pytest.mark.parametrize(("cls", "bids"), [("guerrier", True), ("artificier", False)])
def test_contact_classes_buy_the_opening_and_layers_do_not(cls, bids):
    duel = Duel.new(1, classes=[cls, cls], purses=[2000, 2000])
    while duel.state.phase == Phase.PLACEMENT:
        duel.apply(decide(duel))
    raised = [decide(duel, seed) == RAISE for seed in range(5)]
    assert all(raised) if bids else not any(raised)


def test_hidden_facts_do_not_sway_it():
    compared = 0
    for seed in range(9):
        duel = clash(seed)
        rng = np.random.default_rng(seed)
        agent = make_agent("planner:nodes=100", seed)
        while duel.outcome is None and duel.state.turn < 12:
            camp = duel.seat % 2
            swap = swapped(duel, camp, rng, same_chance=False)
            action = agent.act(duel.view(duel.seat))
            if swap.kinds:
                assert agent.act(swap.duel.view(duel.seat)) == action, swap.kinds
                compared += 1
            duel.apply(action)
    assert compared > 100


def test_a_batch_decides_as_its_rows_do():
    batch = VectorDuel(8, seed=3)
    rows = np.arange(8)
    agent = make_agent("planner:nodes=100", 7)
    for _ in range(12):
        views = batch.views(rows)
        together = agent.act_batch(views)
        assert together.tolist() == [agent.act(views.row(i)) for i in rows]
        batch.step(together)


def test_every_action_is_legal_and_every_duel_ends():
    agent = make_agent("planner:nodes=60", 1)
    result = play_match(agent, make_agent("random", 2), duels=40, seed=5, team_size=None)
    assert result.duels == 40  # a refused action would have raised


def test_it_keeps_to_its_nodes():
    batch = VectorDuel(16, seed=5)
    rows = np.arange(16)
    for nodes in (60, 300, 1000):
        agent = make_agent(f"planner:nodes={nodes}", 0)
        for _ in range(8):
            batch.step(agent.act_batch(batch.views(rows)))
            assert agent.made <= 16 * (nodes + 100)


@pytest.mark.parametrize(
    "spec", ["planner:", "planner:nodes", "planner:nodes=x", "planner:depth=3", "planner:ms=a"]
)
def test_an_unknown_budget_is_refused(spec):
    with pytest.raises(SolwarisError, match="expected planner:nodes=N or planner:ms=M"):
        make_agent(spec)


@pytest.mark.parametrize("spec", ["planner:nodes=3", "planner:ms=0", "planner:ms=nan"])
def test_a_budget_out_of_bounds_is_refused(spec):
    with pytest.raises(SolwarisError, match="must be"):
        make_agent(spec)


def test_it_beats_greedy_play():
    agents = make_agent("planner:nodes=200", 0), make_agent("greedy", 0)
    result = play_match(*agents, duels=80, seed=2)
    assert result.interval[0] > 0.55
