"""A trained policy from an ONNX file, played with onnxruntime alone."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnxruntime

from ..duel.codec import ACTIONS, FORFEIT, GO, PASS, RAISE
from ..duel.content.loader import rulebook, rulebook_hash
from ..duel.content.schema import HEIGHT, WIDTH
from ..duel.observation import schema_hash
from ..errors import SolwarisError
from ..files import read_file
from .base import Agent

if TYPE_CHECKING:
    from ..duel.view import BatchView, SeatView

DTYPES = {"tensor(int8)": np.int8, "tensor(float)": np.float32}
INPUTS = ("board", "scalars")
KINDS = np.array([0, GO, PASS, RAISE, FORFEIT])  # first action of each: cast, go, ...
KIND_OF = np.searchsorted(KINDS, np.arange(ACTIONS), side="right") - 1


def expected_metadata() -> dict[str, str]:
    """Return what a file must carry to be played by this version of the project.

    Keys: `observation_schema`, `rulebook` (hashes), `canvas` (HxW cells), `actions` (count).
    """
    return {
        "observation_schema": schema_hash(),
        "rulebook": rulebook_hash(rulebook()),
        "canvas": f"{HEIGHT}x{WIDTH}",
        "actions": str(ACTIONS),
    }


class OnnxAgent(Agent):
    """Plays a policy exported by `solwaris export`.

    With temperature 0 it takes the action of `likeliest`. Otherwise it draws from the softmax of
    the legal logits over temperature.
    Without a temperature given the file's own counts, or 0 where it has none.
    `threads` bounds what the runtime uses; None leaves it to the runtime.

    Attributes:
        name: the file's name.
        temperature: that it plays at.
        search: trials a decision of the planner that it is to guide, 0 to play alone; it says
            what the file asks for, and `make_agent` heeds it.
        metadata: the strings stored in the file, e.g. `training_run` and `rating`.

    Raises:
        SolwarisError: the file cannot be read, is no ONNX policy, or was made for another
            observation, rulebook or canvas; the sentence says what differs.
    """

    def __init__(
        self,
        path: str | os.PathLike,
        temperature: float | None = None,
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        if temperature is not None and not 0 <= temperature < float("inf"):
            raise SolwarisError(f"temperature must be a number from 0 up, got {temperature}")
        self.name = Path(path).name
        self._session = _open(path, threads)
        self.metadata = _metadata(path, self._session)
        _check(path, self._session, self.metadata)
        own = _own_number(path, self.metadata, "temperature")
        self.temperature = own if temperature is None else float(temperature)
        search = _own_number(path, self.metadata, "search")
        if not search.is_integer():
            raise SolwarisError(f"{path}: its search {search:g} is no whole number of trials")
        self.search = int(search)
        self._outputs = {item.name for item in self._session.get_outputs()}
        self._dtypes = {item.name: DTYPES[item.type] for item in self._session.get_inputs()}
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start the random stream from `seed`, or from fresh entropy."""
        self._rng = np.random.default_rng(seed)

    def logits(self, observation: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return the policy's logits, float32 (n, A), the mask not applied.

        Args:
            observation: `board` (n, C, H, W) int8 and `scalars` (n, K) float32.
        """
        return self._session.run(["logits"], self._feed(observation))[0]

    def logits_and_value(
        self, observation: Mapping[str, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the logits, float32 (n, A), and the value for the acting seat, float32 (n,).

        Raises:
            SolwarisError: the file has no output named value.
        """
        if "value" not in self._outputs:
            raise SolwarisError(f"the policy {self.name} has no output named value")
        logits, value = self._session.run(["logits", "value"], self._feed(observation))
        return logits, value.reshape(-1)

    def _feed(self, observation: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {
            name: np.ascontiguousarray(observation[name], dtype=dtype)
            for name, dtype in self._dtypes.items()
        }

    def act(self, view: SeatView) -> int:
        """Return the index of a legal action; see `Agent.act`."""
        observation = {name: np.asarray(view.observation[name])[None] for name in INPUTS}
        return int(self._choose(observation, np.asarray(view.action_mask)[None])[0])

    def act_batch(self, views: BatchView) -> np.ndarray:
        """Return legal actions, int64 (n,); see `Agent.act_batch`."""
        return self._choose(views.observation, views.action_mask)

    def _choose(self, observation: Mapping[str, np.ndarray], masks: np.ndarray) -> np.ndarray:
        masks = masks.astype(bool, copy=False)
        if not masks.any(axis=1).all():
            raise SolwarisError("an action mask has no legal action")
        scores = np.where(masks, self.logits(observation), -np.inf)
        if np.isnan(scores).any():
            raise SolwarisError(f"the policy {self.name} answered with logits that are no numbers")
        if self.temperature == 0:
            return likeliest(scores)
        scores = scores.astype(np.float64)
        scores -= scores.max(axis=1, keepdims=True)
        total = np.cumsum(np.exp(scores / self.temperature), axis=1)
        drawn = self._rng.random(len(total)) * total[:, -1]
        return (total <= drawn[:, None]).sum(axis=1)


def likeliest(scores: np.ndarray) -> np.ndarray:
    """Return the best action of the likeliest kind, int64 (n,).

    A good walk often has a dozen as good beside it, each of which then is less likely than the
    one cast or pass: what is likeliest in all is found first, of casting, going, passing, raising
    and forfeiting. Among equal actions or kinds the first one counts.

    Args:
        scores: (n, A) logits, -inf for what is not legal.
    """
    chances = np.exp((scores - scores.max(axis=1, keepdims=True)).astype(np.float64))
    kind = np.add.reduceat(chances, KINDS, axis=1).argmax(axis=1)
    return np.where(kind[:, None] == KIND_OF, scores, -np.inf).argmax(axis=1)


def _own_number(path: str | os.PathLike, metadata: Mapping[str, str], key: str) -> float:
    """Return the number of the name `key` that the file carries, 0 without one."""
    text = metadata.get(key, "0")
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise SolwarisError(f"{path}: its {key} {text!r} is no number from 0 up")
    return value


def _metadata(path: str | os.PathLike, session: onnxruntime.InferenceSession) -> dict[str, str]:
    """Return the strings stored in the file."""
    try:
        return dict(session.get_modelmeta().custom_metadata_map)
    except UnicodeDecodeError as error:
        raise SolwarisError(f"{path}: its metadata is no UTF-8") from error


def _check_regular(path: str | os.PathLike) -> None:
    """Refuse what is no file on a disk: reading a pipe waits, reading a device may never end."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return  # reading it will tell why
    except ValueError as error:  # a path with a NUL
        raise SolwarisError(f"cannot read the ONNX file {str(path)!r}: {error}") from error
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise SolwarisError(f"cannot read the ONNX file {path}: it is a pipe or a device")


def _open(path: str | os.PathLike, threads: int | None) -> onnxruntime.InferenceSession:
    """Load a session from the file's bytes."""
    _check_regular(path)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads or 0  # 0: the runtime's own choice
    data = read_file(path, "ONNX file")
    try:
        return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no base class
        words = str(error).splitlines()[0].strip() if str(error) else type(error).__name__
        raise SolwarisError(f"{path} cannot be loaded as an ONNX model: {words}") from error


def _check(
    path: str | os.PathLike, session: onnxruntime.InferenceSession, metadata: Mapping[str, Any]
) -> None:
    """Refuse a file that was made for something else."""
    given = {item.name: item.type for item in session.get_inputs()}
    if set(given) != set(INPUTS) or not set(given.values()) <= set(DTYPES):
        raise SolwarisError(f"{path} is no duel policy: it must take {' and '.join(INPUTS)}")
    if "logits" not in {item.name for item in session.get_outputs()}:
        raise SolwarisError(f"{path} is no duel policy: it has no output named logits")
    for key, value in expected_metadata().items():
        if key not in metadata:
            raise SolwarisError(f"{path} is no duel policy: it carries no {key}")
        if metadata[key] != value:
            what = key.replace("_", " ")
            raise SolwarisError(
                f"{path} was made for another {what}: "
                f"it carries {metadata[key]} and this version needs {value}"
            )
