"""From a run's checkpoint to an ONNX file that needs no torch.

The file takes `board` int8 (B, C, 18, 28) and `scalars` float32 (B, K) and answers `logits`
float32 (B, 4539) and `value` float32 (B,), for any B. The mask is applied outside;
`solwaris_env.agents.onnx.likeliest` chooses without chance.
"""

import io
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

from solwaris_env.agents.base import pick_uniform
from solwaris_env.agents.onnx import expected_metadata
from solwaris_env.duel.content.loader import RULES_VERSION
from solwaris_env.duel.observation import BOARD_SHAPE, SCALAR_SIZE
from solwaris_env.duel.vector import VectorDuel
from solwaris_env.errors import SolwarisError
from solwaris_env.files import write_atomic

from .checkpoint import FILE, load_checkpoint
from .config import parse_config
from .network import DuelNetwork
from .pool import PolicyAgent, Pool
from .ppo import network_size

OPSET = 17
NEWEST_IR = 10
STATES = 10_000
TOLERANCE = 1e-4
ROUNDING = 1e-5  # two logits of the network closer than this are tied
BATCHES = (1, 37)  # two sizes, so a frozen batch shows
TABLES = 64


@dataclass(frozen=True)
class Parity:
    """How well the file agrees with the network.

    Attributes:
        states: compared.
        logits, value: the largest absolute differences.
        ties: states whose best legal action differs, but is tied with the network's own best.
        disagreements: states whose best legal action differs otherwise.
    """

    states: int
    logits: float
    value: float
    ties: int
    disagreements: int

    @property
    def holds(self) -> bool:
        """Whether the file may be written."""
        return max(self.logits, self.value) <= TOLERANCE and self.disagreements == 0


def load_network(run: str | Path, snapshot: int | None = None) -> tuple[DuelNetwork, str]:
    """Return the network of the run in folder `run`, in float32, and the run's name.

    With `snapshot` its weights are those of that number in the run's pool.

    Raises:
        SolwarisError: see `load_checkpoint`; or there is no such snapshot.
    """
    import yaml

    folder = Path(run)
    checkpoint = load_checkpoint(folder)
    config = parse_config(yaml.safe_load(checkpoint.config), str(folder / FILE))
    size = network_size(config)
    name = folder.resolve().name
    if snapshot is not None:
        pool = Pool(folder / "pool", config.pool_size, size)
        pool.restore([snapshot])
        network, name = pool.agent(snapshot).network, f"{name}, snapshot {snapshot}"
    else:
        network = DuelNetwork(size)
        try:
            network.load_state_dict(checkpoint.network)
        except RuntimeError as error:
            raise SolwarisError(f"the checkpoint in {folder} does not fit its network") from error
        name = f"{name}, {checkpoint.imitated + checkpoint.steps} decisions"
    if checkpoint.steps:  # the warm start's values are of outcomes alone
        network.shaping = config.shaping
    return network.eval(), name


def export(
    run: str | Path,
    path: str | Path,
    states: int = STATES,
    seed: int = 0,
    snapshot: int | None = None,
    facts: dict[str, str] | None = None,
) -> Parity:
    """Write the policy of `run` to `path`, once it has passed the parity check.

    Args:
        run: folder of a training run.
        path: the ONNX file, written whole or not at all.
        states: of real duels on which file and network are compared.
        seed: of these duels.
        snapshot: number in the run's pool, instead of its last weights.
        facts: more to put into the file's metadata.

    Raises:
        SolwarisError: no run there, or the file disagrees with the network (and is not
            written), or the disk refuses.
    """
    network, name = load_network(run, snapshot)
    data = to_onnx(network, name, facts)
    parity = compare(network, data, states, seed)
    if not parity.holds:
        raise SolwarisError(
            f"{path} is not written: over {parity.states} states it differs from the network by "
            f"{parity.logits:.1e} in logits and {parity.value:.1e} in value, and chooses another "
            f"action in {parity.disagreements}"
        )
    write_atomic(path, data)
    return parity


def to_onnx(network: DuelNetwork, run: str, facts: dict[str, str] | None = None) -> bytes:
    """Return the ONNX file of `network`; `run` and `facts` go into its metadata."""
    board = torch.zeros(2, *BOARD_SHAPE, dtype=torch.int8)
    scalars = torch.zeros(2, SCALAR_SIZE)
    names = ("board", "scalars", "logits", "value")
    stream = io.BytesIO()
    with warnings.catch_warnings():
        # The newer exporter freezes the batch size; the older one says that it is older.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            (board, scalars),
            stream,
            input_names=list(names[:2]),
            output_names=list(names[2:]),
            dynamic_axes={name: {0: "batch"} for name in names},
            opset_version=OPSET,
            # Runtimes fold constants themselves; unfolded, the weights keep their names.
            do_constant_folding=False,
            dynamo=False,
        )
    model = onnx.load_from_string(stream.getvalue())
    model.ir_version = min(model.ir_version, NEWEST_IR)
    model.producer_name = "solwaris"
    stored = expected_metadata() | {"rules_version": RULES_VERSION, "training_run": run}
    for key, value in (stored | (facts or {})).items():
        model.metadata_props.add(key=key, value=value)
    onnx.checker.check_model(model, full_check=True)
    return model.SerializeToString()


def compare(network: DuelNetwork, data: bytes, states: int = STATES, seed: int = 0) -> Parity:
    """Run file and network side by side over `states` decisions of real duels."""
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    seen = ties = disagreements = 0
    logits_gap = value_gap = 0.0
    for i, (board, scalars, masks) in enumerate(recorded(network, states, seed)):
        size = BATCHES[i % len(BATCHES)] if i < len(BATCHES) else len(board)
        board, scalars, masks = board[:size], scalars[:size], masks[:size]
        with torch.inference_mode():
            expected = network(torch.from_numpy(board), torch.from_numpy(scalars))
        logits, value = session.run(["logits", "value"], {"board": board, "scalars": scalars})
        wanted, wanted_value = (tensor.numpy() for tensor in expected)
        logits_gap = max(logits_gap, float(np.abs(logits - wanted).max()))
        value_gap = max(value_gap, float(np.abs(value - wanted_value).max()))
        chosen, best = (
            np.where(masks, scores, -np.inf).argmax(axis=1) for scores in (logits, wanted)
        )
        rows = np.arange(len(best))
        tied = wanted[rows, best] - wanted[rows, chosen] <= ROUNDING
        ties += int((tied & (chosen != best)).sum())
        disagreements += int((~tied).sum())
        seen += len(board)
    return Parity(seen, logits_gap, value_gap, ties, disagreements)


def recorded(
    network: DuelNetwork, states: int, seed: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield boards, scalars and masks of at least `states` decisions, a batch at a time.

    Half of the duels are played by the network, half at random, in 1v1 and 2v2, on all maps.
    """
    rng = np.random.default_rng(seed)
    batch = VectorDuel(TABLES, seed=seed)
    agent = PolicyAgent(network, "exported")
    left = states + sum(TABLES - size for size in BATCHES)
    half = np.arange(TABLES // 2)
    while left > 0:
        masks = batch.action_mask.astype(bool)
        yield batch.board.copy(), batch.scalars.copy(), masks
        left -= TABLES
        actions = pick_uniform(masks, rng)
        actions[half] = agent.act_batch(batch.views(half))
        batch.step(actions)
