"""Snapshots of the learner: on the disk, in memory, and as opponents."""

import io
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from solwaris_env.agents.base import Agent
from solwaris_env.duel.view import BatchView, SeatView
from solwaris_env.errors import SolwarisError
from solwaris_env.files import read_file, write_atomic

from .masked import Legal, sample
from .network import DuelNetwork, NetworkSize

_NAME = re.compile(r"(\d{6})\.pt")
PRIOR_DUELS = 4.0  # as many even duels every snapshot starts with
MEMORY = 0.98  # what a past duel's weight is multiplied by at each new one


class PolicyAgent(Agent):
    """Plays a `DuelNetwork`: sampled as it was trained, or always its best action."""

    def __init__(self, network: DuelNetwork, name: str, deterministic: bool = False) -> None:
        self.name = name
        self.network = network
        self.deterministic = deterministic

    def act(self, view: SeatView) -> int:
        """Return the index of a legal action; see `Agent.act`."""
        observation = {key: np.asarray(value)[None] for key, value in view.observation.items()}
        return int(self.choose(observation, np.asarray(view.action_mask)[None])[0])

    def act_batch(self, views: BatchView) -> np.ndarray:
        """Return legal actions, int64 (n,); see `Agent.act_batch`."""
        return self.choose(views.observation, views.action_mask)

    def choose(self, observation: dict[str, np.ndarray], masks: np.ndarray) -> np.ndarray:
        """Return legal actions, int64 (n,), for observations and masks of n seats."""
        device = next(self.network.parameters()).device
        with torch.inference_mode():
            legal = Legal.of(masks, device)
            logits, _ = self.network.judge(
                torch.from_numpy(np.ascontiguousarray(observation["board"])).to(device),
                torch.from_numpy(np.ascontiguousarray(observation["scalars"])).to(device),
                legal,
            )
        return sample(logits, legal, self.deterministic)[0].numpy()


class Pool:
    """A bounded set of snapshots, numbered in order, the oldest leaving first.

    Every snapshot is one file `NNNNNN.pt` in `folder`, written whole or not at all. The files
    of those that left stay until `prune`, as the last checkpoint may still name them.

    Args:
        folder: made if missing.
        size: how many are kept.
        network_size, half: of the networks that play them.
    """

    def __init__(
        self,
        folder: Path,
        size: int,
        network_size: NetworkSize,
        half: bool = False,
        device: str | torch.device = "cpu",
    ) -> None:
        self.folder = folder
        self.size = size
        self.network_size = network_size
        self.half = half
        self.device = device
        self._weights: dict[int, dict[str, torch.Tensor]] = {}
        self._record: dict[int, tuple[float, float]] = {}  # weighted duels, and of these won
        self._next = 0
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def ids(self) -> list[int]:
        """Numbers of the snapshots kept, the oldest first."""
        return sorted(self._weights)

    def add(self, network: DuelNetwork) -> int:
        """Keep a copy of `network`; return its number.

        Raises:
            SolwarisError: the file cannot be written; the pool is then as it was.
        """
        number = self._next
        weights = {
            key: value.detach().to("cpu", copy=True) for key, value in network.state_dict().items()
        }
        stream = io.BytesIO()
        torch.save(weights, stream)
        write_atomic(self._path(number), stream.getvalue())
        self._weights[number] = weights
        self._next = number + 1
        for old in self.ids[: -self.size]:
            del self._weights[old]
            self._record.pop(old, None)
        return number

    def prune(self) -> None:
        """Delete the files of snapshots that left; call once no checkpoint names them."""
        for path in self.folder.iterdir():
            if (found := _NAME.fullmatch(path.name)) and int(found[1]) not in self._weights:
                path.unlink(missing_ok=True)

    def restore(self, ids: Sequence[int], record: Sequence[Sequence[float]] = ()) -> None:
        """Load the snapshots `ids` from the disk, and what `record` gave, as a run left them.

        Raises:
            SolwarisError: a snapshot is missing or damaged.
        """
        self._weights = {number: self._load(number) for number in ids}
        self._record = {int(number): (duels, won) for number, duels, won in record}
        written = [
            int(found[1]) for path in self.folder.iterdir() if (found := _NAME.fullmatch(path.name))
        ]
        self._next = max([*written, *ids], default=-1) + 1

    def note(self, number: int, score: float) -> None:
        """Note a duel of the learner against a snapshot: 1 won, 0.5 drawn, 0 lost."""
        if number in self._weights:
            duels, won = self._record.get(number, (0.0, 0.0))
            self._record[number] = (MEMORY * duels + 1, MEMORY * won + score)

    @property
    def record(self) -> list[list[float]]:
        """Number, weighted duels and weighted wins of each snapshot met, for the checkpoint."""
        return [[number, *self._record[number]] for number in sorted(self._record)]

    def win_rate(self, number: int) -> float:
        """The learner's, lately, against a snapshot; one half before they have met."""
        duels, won = self._record.get(number, (0.0, 0.0))
        return (won + PRIOR_DUELS / 2) / (duels + PRIOR_DUELS)

    def choose(
        self, count: int, newest_share: float, rng: np.random.Generator, priority: float = 0.0
    ) -> list[int]:
        """Draw `count` numbers: the newest with chance `newest_share`, else by difficulty.

        Then a snapshot's chance is in proportion to (1 - win_rate) ** `priority`.
        """
        ids = self.ids
        if not ids:
            return []
        newest = rng.random(count) < newest_share
        weights = np.array([(1.0 - self.win_rate(number)) ** priority for number in ids])
        drawn = rng.choice(ids, count, p=weights / weights.sum())
        return [ids[-1] if new else int(any_of) for new, any_of in zip(newest, drawn, strict=True)]

    def agent(self, number: int) -> PolicyAgent:
        """Return the snapshot as an agent that samples its policy."""
        network = DuelNetwork(self.network_size).to(self.device)
        try:
            network.load_state_dict(self._weights[number])
        except RuntimeError as error:
            path = self._path(number)
            raise SolwarisError(f"the snapshot {path} does not fit its run's network") from error
        network.half = self.half
        return PolicyAgent(network.eval(), f"snapshot {number}")

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06d}.pt"

    def _load(self, number: int) -> dict[str, torch.Tensor]:
        path = self._path(number)
        data = read_file(path, "snapshot")
        try:
            return torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
        except Exception as error:  # torch's own errors share no base class
            raise SolwarisError(f"the snapshot {path} is damaged") from error
