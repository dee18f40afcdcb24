"""The state of a run on the disk: one file, written whole or not at all.

It holds tensors, numbers and text only, so torch opens it without running anybody's code and
another Python or NumPy reads it as well.
"""

import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from solwaris_env.duel.content.loader import rulebook, rulebook_hash
from solwaris_env.duel.observation import schema_hash
from solwaris_env.errors import SolwarisError
from solwaris_env.files import read_file, write_atomic

FORMAT = 3
FILE = "checkpoint.pt"


@dataclass
class Checkpoint:
    """What a run needs to go on.

    Attributes:
        config: YAML text.
        network, optimizer: state dicts.
        imitated: the teacher's decisions learned from in the warm start.
        imitation_optimizer: state dict of its optimiser, empty if there was none.
        tempered: `ppo_temperature` has been applied to the network.
        steps, updates: decisions of the learner, and passes of PPO over a rollout.
        seconds: of training so far.
        snapshot_step: decisions at the last snapshot.
        pool: numbers of the snapshots kept.
        record: of each snapshot met its number, weighted duels and weighted wins.
        torch_rng: state of torch's generator.
        generators: states of NumPy's generators, JSON by name.
    """

    config: str
    network: dict[str, torch.Tensor]
    optimizer: dict[str, Any]
    imitated: int = 0
    imitation_optimizer: dict[str, Any] = field(default_factory=dict)
    tempered: bool = False
    steps: int = 0
    updates: int = 0
    seconds: float = 0.0
    snapshot_step: int = 0
    pool: list[int] = field(default_factory=list)
    record: list[list[float]] = field(default_factory=list)
    torch_rng: torch.Tensor = field(default_factory=torch.get_rng_state)
    generators: dict[str, str] = field(default_factory=dict)


def save_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Write `folder`/checkpoint.pt.

    Raises:
        SolwarisError: the disk refuses; the file that was there is untouched.
    """
    stream = io.BytesIO()
    torch.save({"format": FORMAT, **_identity(), **vars(checkpoint)}, stream)
    write_atomic(folder / FILE, stream.getvalue())


def load_checkpoint(folder: Path) -> Checkpoint:
    """Read `folder`/checkpoint.pt onto the CPU.

    Raises:
        SolwarisError: it is missing, damaged, or of another format, observation or rulebook.
    """
    path = Path(folder) / FILE
    if not path.is_file():
        raise SolwarisError(f"{folder} holds no run: there is no {FILE} in it")
    data = read_file(path, "checkpoint")
    try:
        content = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
        version = content.pop("format")
    except Exception as error:  # torch's own errors share no base class
        raise SolwarisError(f"the checkpoint {path} is damaged or no checkpoint") from error
    if version != FORMAT:
        raise SolwarisError(f"the checkpoint {path} has format {version}, expected {FORMAT}")
    for key, value in _identity().items():
        found = content.pop(key, None)
        if found != value:
            raise SolwarisError(
                f"the checkpoint {path} was made for another {key.replace('_', ' ')}: "
                f"it carries {found} and this version needs {value}"
            )
    try:
        return Checkpoint(**content)
    except TypeError as error:
        raise SolwarisError(f"the checkpoint {path} is damaged or no checkpoint") from error


def generator_state(rng: np.random.Generator) -> str:
    """Return the state of `rng` as JSON."""
    return json.dumps(rng.bit_generator.state)


def restore_generator(rng: np.random.Generator, state: str) -> None:
    """Put `rng` into `state`."""
    rng.bit_generator.state = json.loads(state)


def _identity() -> dict[str, str]:
    """What the weights were trained for."""
    return {"observation_schema": schema_hash(), "rulebook": rulebook_hash(rulebook())}
