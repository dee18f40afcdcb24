"""The exported file plays as the network does, anywhere, and says what it was made for."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from solwaris_env.agents import make_agent
from solwaris_env.agents.onnx import expected_metadata
from solwaris_env.duel.codec import ACTIONS
from solwaris_env.duel.observation import SCALARS
from solwaris_env.errors import SolwarisError
from training import export as export_module
from training.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from training.config import TrainConfig, dump_config
from training.export import (
    NEWEST_IR,
    OPSET,
    TOLERANCE,
    compare,
    export,
    load_network,
    recorded,
    to_onnx,
)
from training.network import LIMIT, PREFERENCE, DuelNetwork, NetworkSize
from training.weights import load_weights

SIZE = NetworkSize(8, 1, 16)
LEAD = 0.25  # what shaping adds to the reward for the whole of the hit points


@pytest.fixture(scope="module")
def network() -> DuelNetwork:
    """A network with weights large enough to prefer something."""
    torch.manual_seed(0)
    made = DuelNetwork(SIZE)
    with torch.no_grad():
        made.query.weight *= 20
    return made.eval()


@pytest.fixture(scope="module")
def run(network: DuelNetwork, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run's folder with that network in its checkpoint."""
    folder = tmp_path_factory.mktemp("runs") / "small"
    folder.mkdir()
    config = TrainConfig(channels=SIZE.channels, blocks=SIZE.blocks, width=SIZE.width, shaping=LEAD)
    save_checkpoint(
        folder, Checkpoint(dump_config(config), network.state_dict(), {}, imitated=5, steps=7)
    )
    return folder


@pytest.fixture(scope="module")
def exported(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of that run, checked over 10,000 states."""
    path = tmp_path_factory.mktemp("onnx") / "small.onnx"
    parity = export(run, path)
    assert parity.states >= 10_000
    assert parity.logits <= TOLERANCE
    assert parity.value <= TOLERANCE
    assert parity.disagreements == 0
    return path


def test_file_loads_in_old_runtimes_and_says_what_it_is(exported: Path) -> None:
    """Opset, IR version, inputs, outputs, dynamic batch and metadata."""
    model = onnx.load(exported)
    assert model.ir_version <= NEWEST_IR
    assert [entry.version for entry in model.opset_import] == [OPSET]
    facts = {entry.key: entry.value for entry in model.metadata_props}
    assert facts.items() >= expected_metadata().items()
    assert facts["training_run"] == "small, 12 decisions"
    assert "rating" not in facts
    for item in (*model.graph.input, *model.graph.output):
        assert item.type.tensor_type.shape.dim[0].dim_param == "batch"
    assert [item.name for item in model.graph.input] == ["board", "scalars"]
    assert [item.name for item in model.graph.output] == ["logits", "value"]


@pytest.mark.parametrize("count", [1, 2, 37])
def test_any_batch_size_gives_the_same_rows(
    exported: Path, network: DuelNetwork, count: int
) -> None:
    """Each row's answer does not depend on the others."""
    board, scalars, _ = (part[:count] for part in next(recorded(network, 1, seed=count)))
    session = onnxruntime.InferenceSession(exported)
    logits, value = session.run(None, {"board": board, "scalars": scalars})
    assert logits.shape == (count, 4539)
    assert value.shape == (count,)
    with torch.inference_mode():
        wanted, wanted_value = network(torch.from_numpy(board), torch.from_numpy(scalars))
    np.testing.assert_allclose(logits, wanted.numpy(), atol=TOLERANCE)
    np.testing.assert_allclose(value, wanted_value.numpy() + LEAD * shares(scalars), atol=TOLERANCE)


def shares(scalars: np.ndarray) -> np.ndarray:
    """The own camp's share of hit points less the other's."""
    own, ally, foe, other = (
        scalars[:, SCALARS[f"{who}_hp_share"].start] for who in ("own", "ally", "foe", "other_foe")
    )
    duo = scalars[:, SCALARS["two_against_two"].start] > 0
    return np.where(duo, (own + ally - foe - other) / 2, own - foe)


def test_a_files_value_is_of_the_outcome_alone(
    network: DuelNetwork, run: Path, tmp_path: Path
) -> None:
    """PPO's value leaves out what shaping has paid already; the warm start's leaves out nothing."""
    *_, (board, scalars, _) = recorded(network, 10_000, seed=5)
    assert (LEAD * np.abs(shares(scalars)) > 0.02).mean() > 0.2
    for steps, lead in ((7, LEAD), (0, 0.0)):
        folder = tmp_path / f"run {steps}"
        folder.mkdir()
        save_checkpoint(folder, replace(load_checkpoint(run), steps=steps))
        told, _ = load_network(folder)
        with torch.inference_mode():
            inputs = torch.from_numpy(board), torch.from_numpy(scalars)
            gained = told(*inputs)[1] - network(*inputs)[1]
        np.testing.assert_allclose(gained.numpy(), lead * shares(scalars), atol=1e-6)


def test_equal_cells_are_chosen_by_the_lowest_index(network: DuelNetwork) -> None:
    """On an empty board the cells far from its edges are alike: the first of them is the best."""
    board = torch.zeros(1, *export_module.BOARD_SHAPE, dtype=torch.int8)
    with torch.inference_mode():
        logits, _ = network(board, torch.zeros(1, export_module.SCALAR_SIZE))
    inner = logits[0, :504].view(18, 28)[4:-4, 4:-4].flatten()
    assert (inner.diff() < 0).all()


def test_the_onnx_agent_plays_it(exported: Path) -> None:
    """Without torch's help, through the agent's own checks."""
    agent = make_agent(str(exported))
    assert agent.metadata["rules_version"] == export_module.RULES_VERSION


def test_a_file_that_disagrees_is_not_written(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence, and the file that was there stays."""
    path = tmp_path / "small.onnx"
    path.write_bytes(b"before")

    def altered(network: DuelNetwork, name: str, facts: dict | None) -> bytes:
        other = DuelNetwork(SIZE)
        other.load_state_dict(network.state_dict())
        with torch.no_grad():
            other.query.bias += 0.01
        return to_onnx(other.eval(), name, facts)

    monkeypatch.setattr(export_module, "to_onnx", altered)
    with pytest.raises(SolwarisError, match="is not written"):
        export(run, path, states=100)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_comparison_sees_another_choice(network: DuelNetwork) -> None:
    """Disagreements are counted one by one."""
    other = DuelNetwork(SIZE).eval()
    parity = compare(network, to_onnx(other, "other"), states=200)
    assert parity.disagreements > 0
    assert not parity.holds


def test_no_run_is_a_sentence(tmp_path: Path) -> None:
    """A folder without a checkpoint."""
    with pytest.raises(SolwarisError, match="holds no run"):
        export(tmp_path, tmp_path / "x.onnx")


def test_weights_come_back_from_the_file(network: DuelNetwork, tmp_path: Path) -> None:
    """A run may start from an exported file; one of another size is refused."""
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(1e-3 * torch.randn_like(parameter))  # no two alike, as once trained
    path = tmp_path / "start.onnx"
    path.write_bytes(to_onnx(network, "any"))
    again = DuelNetwork(SIZE)
    load_weights(path, again)
    for key, value in network.state_dict().items():
        assert torch.equal(again.state_dict()[key], value)
    with pytest.raises(SolwarisError, match="holds no network of this size"):
        load_weights(path, DuelNetwork(NetworkSize(8, 2, 16)))
    path.write_bytes(b"nothing")
    with pytest.raises(SolwarisError, match="is no ONNX file"):
        load_weights(path, again)


def test_a_file_may_name_its_own_temperature(network: DuelNetwork, tmp_path: Path) -> None:
    """It counts unless the caller gives one; nonsense is refused."""
    path = tmp_path / "level.onnx"
    path.write_bytes(to_onnx(network, "any", {"temperature": "0.7"}))
    assert make_agent(str(path)).temperature == 0.7
    assert make_agent(f"{path}?temperature=0").temperature == 0
    path.write_bytes(to_onnx(network, "any"))
    assert make_agent(str(path)).temperature == 0
    path.write_bytes(to_onnx(network, "any", {"temperature": "warm"}))
    with pytest.raises(SolwarisError, match="temperature 'warm' is no number"):
        make_agent(str(path))


def test_however_large_the_weights_logits_stay_within_their_limit() -> None:
    """Single precision tells runtimes apart by less than the tolerance then, see above."""
    torch.manual_seed(0)
    wild = DuelNetwork(SIZE).eval()
    with torch.no_grad():
        wild.query.weight *= 2000
    parity = compare(wild, to_onnx(wild, "wild"), 64)
    assert parity.logits <= TOLERANCE
    board, scalars, _ = next(recorded(wild, 64, 0))
    with torch.inference_mode():
        logits, _ = wild(torch.from_numpy(board), torch.from_numpy(scalars))
    assert LIMIT / 2 < logits.abs().max() <= LIMIT + PREFERENCE * ACTIONS
