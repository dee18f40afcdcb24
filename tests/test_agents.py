"""Random and ONNX agents: legality, ties, sampling, and files that are refused."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from solwaris_env.agents import make_agent
from solwaris_env.agents.base import pick_uniform
from solwaris_env.agents.onnx import OnnxAgent, expected_metadata, likeliest
from solwaris_env.agents.random import RandomAgent
from solwaris_env.duel.codec import ACTIONS, GO, PASS, RAISE
from solwaris_env.duel.observation import BOARD_SHAPE, SCALAR_SIZE
from solwaris_env.errors import SolwarisError

onnx = pytest.importorskip("onnx")


def write_policy(
    path: Path,
    *,
    metadata: dict[str, str] | None = None,
    board: str = "board",
    output: str = "logits",
) -> Path:
    """Write a policy whose logits are its scalars' first entry at action 3, twice it at 5 and 6."""
    helper, kinds = onnx.helper, onnx.TensorProto
    weights = np.zeros((SCALAR_SIZE, ACTIONS), np.float32)
    weights[0, [3, 5, 6]] = [1, 2, 2]
    graph = helper.make_graph(
        [
            helper.make_node("MatMul", ["scalars", "weights"], [output]),
            helper.make_node("ReduceMean", ["scalars"], ["value"], axes=[1], keepdims=0),
        ],
        "policy",
        [
            helper.make_tensor_value_info(board, kinds.INT8, ["n", *BOARD_SHAPE]),
            helper.make_tensor_value_info("scalars", kinds.FLOAT, ["n", SCALAR_SIZE]),
        ],
        [
            helper.make_tensor_value_info(output, kinds.FLOAT, ["n", ACTIONS]),
            helper.make_tensor_value_info("value", kinds.FLOAT, ["n"]),
        ],
        [onnx.numpy_helper.from_array(weights, "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    helper.set_model_props(model, expected_metadata() | {"training_run": "t"} | (metadata or {}))
    onnx.save(model, path)
    return path


def views(legal: list[list[int]]) -> SimpleNamespace:
    """Seats that see nothing but a 1 as their first scalar, and may take the given actions."""
    masks = np.zeros((len(legal), ACTIONS), bool)
    for row, actions in enumerate(legal):
        masks[row, actions] = True
    scalars = np.zeros((len(legal), SCALAR_SIZE), np.float32)
    scalars[:, 0] = 1
    board = np.zeros((len(legal), *BOARD_SHAPE), np.int8)
    return SimpleNamespace(
        known=None,
        observation={"board": board, "scalars": scalars},
        action_mask=masks,
        seat=np.zeros(len(legal), np.int8),
    )


def one(batch: SimpleNamespace) -> SimpleNamespace:
    """The first seat of a batch as a view of its own."""
    return SimpleNamespace(
        known=None,
        observation={key: value[0] for key, value in batch.observation.items()},
        action_mask=batch.action_mask[0].astype(np.int8),
        seat=0,
    )


def test_pick_uniform_is_uniform() -> None:
    """3 legal actions, 30,000 draws: each 10,000 times, five standard deviations being 408."""
    masks = np.zeros((30_000, 50), bool)
    masks[:, [0, 7, 49]] = True
    drawn = pick_uniform(masks, np.random.default_rng(1))
    assert set(drawn) == {0, 7, 49}
    assert np.abs(np.bincount(drawn)[[0, 7, 49]] - 10_000).max() < 408


def test_pick_uniform_refuses_an_empty_mask() -> None:
    masks = np.ones((3, 4), np.int8)
    masks[1] = 0
    with pytest.raises(SolwarisError, match="mask of row 1 has no legal action"):
        pick_uniform(masks, np.random.default_rng(1))


def test_random_agent_follows_its_seed() -> None:
    batch = views([[1, 2, 3, 4000], [7], list(range(100, 4500))])
    first, second = make_agent("random", 5), RandomAgent()
    second.reset(5)
    for _ in range(20):
        chosen = first.act_batch(batch)
        assert chosen.dtype == np.int64
        assert batch.action_mask[np.arange(3), chosen].all()
        assert (chosen == second.act_batch(batch)).all()
    first.reset(9)
    second.reset(9)
    assert first.act(one(batch)) == second.act(one(batch)) in (1, 2, 3, 4000)


def test_onnx_takes_the_best_legal_action_and_the_first_among_equals(tmp_path: Path) -> None:
    agent = make_agent(str(write_policy(tmp_path / "p.onnx")))
    assert isinstance(agent, OnnxAgent)
    assert agent.name == "p.onnx"
    assert agent.metadata["training_run"] == "t"
    batch = views([[3, 5, 6], [3, 6], [2, 3], [1, 2]])
    assert agent.act_batch(batch).tolist() == [5, 6, 3, 1]
    assert agent.act(one(batch)) == 5


def test_the_likeliest_kind_is_chosen_first() -> None:
    """Three walks of chance 1/5 each outweigh a cast of 2/5; two of 1/6 each do not outweigh two
    casts of 1/3, of which the first is taken, as passing is before raising."""
    scores = np.full((3, ACTIONS), -np.inf, np.float32)
    scores[:, [7, GO + 1, GO + 2]] = np.log([2, 1, 1])
    scores[0, GO + 9] = 0.001
    scores[1, 4] = np.log(2)
    scores[2] = -np.inf
    scores[2, [RAISE, PASS]] = 1.0
    assert likeliest(scores).tolist() == [GO + 9, 4, PASS]


def test_onnx_samples_with_a_temperature(tmp_path: Path) -> None:
    """Logits 1 and 2 at temperature 0.5: e^2 to e^4, so the second in 88.08 % of draws."""
    path = write_policy(tmp_path / "p.onnx")
    agent = make_agent(f"{path}?temperature=0.5", seed=3)
    drawn = np.concatenate([agent.act_batch(views([[3, 5]] * 500)) for _ in range(4)])
    assert set(drawn) == {3, 5}
    assert (drawn == 5).mean() == pytest.approx(0.8808, abs=0.036)  # five standard deviations
    agent.reset(3)
    assert (agent.act_batch(views([[3, 5]] * 500)) == drawn[:500]).all()


@pytest.mark.parametrize("key", ["observation_schema", "rulebook", "canvas", "actions"])
def test_onnx_of_another_version_is_refused(tmp_path: Path, key: str) -> None:
    path = write_policy(tmp_path / "p.onnx", metadata={key: "other"})
    with pytest.raises(SolwarisError) as error:
        make_agent(str(path))
    assert f"another {key.replace('_', ' ')}: it carries other" in str(error.value)
    assert expected_metadata()[key] in str(error.value)


def test_onnx_without_metadata_is_refused(tmp_path: Path) -> None:
    path = write_policy(tmp_path / "p.onnx")
    model = onnx.load(path)
    del model.metadata_props[:]
    onnx.save(model, path)
    with pytest.raises(SolwarisError, match="no duel policy: it carries no observation_schema"):
        make_agent(str(path))


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ({"board": "image"}, "it must take board and scalars"),
        ({"output": "scores"}, "it has no output named logits"),
    ],
)
def test_other_models_are_refused(tmp_path: Path, names: dict, sentence: str) -> None:
    with pytest.raises(SolwarisError, match=sentence):
        make_agent(str(write_policy(tmp_path / "p.onnx", **names)))


def test_broken_files_are_refused(tmp_path: Path) -> None:
    path = write_policy(tmp_path / "p.onnx")
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(SolwarisError, match=r"p\.onnx cannot be loaded as an ONNX model: "):
        make_agent(str(path))
    with pytest.raises(SolwarisError, match=r"cannot read the ONNX file .*none\.onnx"):
        make_agent(str(tmp_path / "none.onnx"))


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("gready", "unknown agent 'gready': expected random, greedy, "),
        ("a.onnx?heat=1", "unknown option 'heat=1' of an ONNX agent"),
        ("a.onnx?temperature=warm", "unknown option 'temperature=warm'"),
        ("a.onnx?temperature=-1", "temperature must be a number from 0 up, got -1"),
        ("a.onnx?temperature=nan", "temperature must be a number from 0 up, got nan"),
    ],
)
def test_unknown_specs(spec: str, sentence: str) -> None:
    with pytest.raises(SolwarisError) as error:
        make_agent(spec)
    assert sentence in str(error.value)


def test_nan_logits_are_reported(tmp_path: Path) -> None:
    agent = make_agent(str(write_policy(tmp_path / "p.onnx")))
    batch = views([[3, 5]])
    batch.observation["scalars"][0, 0] = np.nan
    with pytest.raises(SolwarisError, match="logits that are no numbers"):
        agent.act_batch(batch)
