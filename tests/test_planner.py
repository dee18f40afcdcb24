"""The planner: it sees a turn through, knows no more than its seat, and beats greedy play."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from solwaris_env.agents import make_agent
from solwaris_env.agents.base import Agent
from solwaris_env.agents.onnx import expected_metadata
from solwaris_env.duel.batch import Option
from solwaris_env.duel.codec import ACTIONS, GO, PASS
from solwaris_env.duel.content.schema import Bonus
from solwaris_env.duel.game import Duel
from solwaris_env.duel.observation import BOARD_SHAPE, SCALAR_SIZE
from solwaris_env.duel.vector import VectorDuel
from solwaris_env.errors import SolwarisError
from solwaris_env.match import play_match
from tests.scenario import Board, scenario
from tests.scripted import check_bids, walk_past_its_own_trap
from tests.test_leaks import clash, swapped
from training.levels import with_facts

onnx = pytest.importorskip("onnx")


DECISIONS = """
from solwaris_env.agents import make_agent
from solwaris_env.duel.game import Duel

duel, agent, taken = Duel.new(4, classes=["ombre", "brute"]), make_agent("planner:nodes=50", 0), []
while len(taken) < 9:
    taken.append(agent.act(duel.view(duel.seat)))
    duel.apply(taken[-1])
print(taken)
"""


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
    walk_past_its_own_trap(decide)


@pytest.mark.parametrize(("cls", "bids"), [("guerrier", True), ("artificier", False)])
def test_contact_classes_buy_the_opening_and_layers_do_not(cls, bids):
    check_bids(decide, cls, bids, seeds=5)


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
    for nodes in (60, 300, 1000, 3000):
        agent = make_agent(f"planner:nodes={nodes}", 0)
        for _ in range(8):
            batch.step(agent.act_batch(batch.views(rows)))
            assert agent.made <= 16 * (nodes + 100)


def test_it_makes_use_of_a_large_budget():
    # with layers that grow too slowly it is through with this turn long before
    board = scenario(
        """
        . . . . . # . . .
        . A . # . . . b .
        . . . . . . # . .
        """,
        A="guerrier",
        b="arcaniste",
    )
    board.duel.refresh()
    agent = make_agent("planner:nodes=3000", 0)
    agent.act(board.duel.view(0))
    assert 2000 < agent.made <= 3100


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


def test_it_walks_into_sight_strikes_and_hides():
    # the gap alone shows the other mage, who has nothing but bolts, and cannot walk
    board = scenario(
        """
        . . . . b . . . .
        . . . . . . . . .
        # # # # . # # # #
        . . A . . . . . .
        """,
        A="arcaniste",
        b="arcaniste",
    )
    board["b"].mp_debt = 6
    for slot in (2, 4, 5, 6, 7):
        board.hero("b").cooldown[slot - 1] = 5
    before = int(board["b"].hp)
    sight = board.duel.rules[0].maps[0].sight
    assert not sight[board["A"].cell, board["b"].cell]
    play_turn(board)
    assert board["b"].hp < before - 40
    assert not sight[board["A"].cell, board["b"].cell]


def test_it_fetches_a_bonus_on_the_way():
    board = scenario(
        """
        A . x . . . . . . . . . . . . . . . . . . . b
        """,
        A="guerrier",
        b="guerrier",
    )
    board.put_bonus(Bonus.HEAL, "x")
    board["A"].hp = 200
    play_turn(board)
    assert board["A"].hp > 200


def test_it_plays_in_teams_and_with_summons():
    agent = make_agent("planner:nodes=100", 0)
    greedy = make_agent("greedy", 0)
    result = play_match(agent, greedy, duels=36, seed=4, team_size=2)
    assert result.interval[0] > 0.5


def guide(path: Path, *, favoured: int) -> Path:
    """Write a policy that likes one action, and values every position alike."""
    helper, kinds = onnx.helper, onnx.TensorProto
    weights = np.zeros((SCALAR_SIZE, ACTIONS), np.float32)
    bias = np.zeros(ACTIONS, np.float32)
    bias[favoured] = 30.0
    graph = helper.make_graph(
        [
            helper.make_node("Gemm", ["scalars", "weights", "bias"], ["logits"]),
            helper.make_node("MatMul", ["scalars", "nothing"], ["value"]),
        ],
        "policy",
        [
            helper.make_tensor_value_info("board", kinds.INT8, ["n", *BOARD_SHAPE]),
            helper.make_tensor_value_info("scalars", kinds.FLOAT, ["n", SCALAR_SIZE]),
        ],
        [
            helper.make_tensor_value_info("logits", kinds.FLOAT, ["n", ACTIONS]),
            helper.make_tensor_value_info("value", kinds.FLOAT, ["n"]),
        ],
        [
            onnx.numpy_helper.from_array(weights, "weights"),
            onnx.numpy_helper.from_array(bias, "bias"),
            onnx.numpy_helper.from_array(np.zeros(SCALAR_SIZE, np.float32), "nothing"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    helper.set_model_props(model, expected_metadata())
    onnx.save(model, path)
    return path


def test_a_policy_sways_it_as_far_as_it_is_trusted(tmp_path):
    board = scenario("A . . . . . . . . . . b", A="guerrier", b="arcaniste")
    board.duel.options = Option.OBSERVE
    odd = GO + board.at((0, 1))  # one step of six
    alone = decide(board.duel, spec="planner:nodes=300")
    assert alone != odd
    for name, favoured in (("odd.onnx", odd), ("same.onnx", alone)):
        path = guide(tmp_path / name, favoured=favoured)
        spec = f"planner:nodes=300+{path}?trust=0&habit=1"
        assert decide(board.duel, spec=spec) == favoured
    agent = make_agent(f"planner:nodes=300+{path}")
    assert agent.name == "planner:nodes=300+same.onnx"


def test_a_file_plays_with_the_search_it_names(tmp_path):
    plain = guide(tmp_path / "plain.onnx", favoured=PASS)
    asking = tmp_path / "asking.onnx"
    asking.write_bytes(with_facts(plain, {"search": "70"}))
    for spec, nodes in (
        (f"{plain}", None),
        (f"{plain}?search=90", 90),
        (f"{asking}", 70),
        (f"{asking}?search=90", 90),
        (f"{asking}?search=0", None),
        (f"{asking}?temperature=1", None),
    ):
        agent = make_agent(spec)
        assert getattr(agent, "nodes", None) == nodes, spec
        assert agent.name == spec.rpartition("/")[2].partition("?")[0]


def test_a_guided_batch_decides_as_its_rows_do(tmp_path):
    agent = make_agent(f"planner:nodes=100+{guide(tmp_path / 'p.onnx', favoured=PASS)}", 7)
    batch = VectorDuel(6, seed=3)
    rows = np.arange(6)
    for _ in range(12):
        views = batch.views(rows)
        together = agent.act_batch(views)
        assert together.tolist() == [agent.act(views.row(i)) for i in rows]
        batch.step(together)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("planner+p", "expected planner"),
        ("planner+p.onnx?heat=1", "unknown option 'heat=1' of a guided planner"),
        ("planner+p.onnx?trust=x", "unknown option 'trust=x' of a guided planner"),
        ("planner+p.onnx?trust=2", "trust must be a number from 0 to 1, got 2"),
        ("planner+none.onnx", "cannot read the ONNX file"),
        ("p.onnx?search=40", "nodes must be 50 to 1000000, got 40"),
        ("p.onnx?search=99.5", "search must be a whole number of trials, got 99.5"),
        ("p.onnx?search=99&temperature=1", "a search has no temperature"),
        ("p.onnx?heat=1", "unknown option 'heat=1' of an ONNX agent"),
    ],
)
def test_a_guide_that_cannot_be_is_refused(spec, sentence, tmp_path, monkeypatch):
    guide(tmp_path / "p.onnx", favoured=PASS)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SolwarisError, match=sentence):
        make_agent(spec)


class Waiting(Agent):
    """Passes wherever it may, and waits for the other to come."""

    name = "waiting"

    def act(self, view):
        return PASS if view.action_mask[PASS] else int(np.argmax(view.action_mask))


def test_it_goes_for_an_enemy_who_never_comes():
    # the Guerrier's banner is a good place to stand, the Arcaniste's spells reach far
    agents = make_agent("planner:nodes=60", 0), Waiting()
    result = play_match(*agents, duels=24, seed=5, classes=("guerrier", "arcaniste"))
    assert result.duels == 24
    assert result.wins_b == 0
    assert result.draws <= 1


def test_it_decides_alike_compiled_and_plain():
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", DECISIONS],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
    )
    assert plain.returncode == 0, plain.stderr
    told: dict = {}
    exec(DECISIONS, told)
    assert plain.stdout.strip() == str(told["taken"])


def test_it_beats_greedy_play():
    agents = make_agent("planner:nodes=200", 0), make_agent("greedy", 0)
    result = play_match(*agents, duels=80, seed=2)
    assert result.interval[0] > 0.55
