"""Replays: a duel as its seed, options and actions, with a hash at every turn.

A replay file is JSON. It re-simulates to the same bytes in one duel, in lock step and in
plain mode; a hash that differs says at which turn the file and the rules part.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import SolwarisError
from ..files import read_file, write_atomic
from .codec import ActionError, parse_action, to_text
from .content.loader import RULES_VERSION, rulebook, rulebook_hash
from .game import Duel, IllegalAction
from .options import OptionError

FORMAT = "solwaris-replay"
FORMAT_VERSION = 1
TIME_UP = "time up"
LARGEST_FILE = 16 << 20
_KEYS = (
    "format",
    "version",
    "rules",
    "rulebook",
    "seed",
    "options",
    "actions",
    "hashes",
    "outcome",
)


class ReplayError(SolwarisError):
    """A replay file is faulty, of another version, or does not re-simulate."""


def state_hash(duel: Duel) -> str:
    """Hash of a duel's record, 16 hexadecimal digits."""
    return hashlib.blake2b(duel.buffers.states.tobytes(), digest_size=8).hexdigest()


def _moment(duel: Duel) -> tuple[int, ...]:
    s = duel.state
    return int(s.phase), int(s.turn), int(s.actor)


@dataclass
class Replay:
    """A recorded duel.

    `actions`: their texts, or `time up`; `hashes`: [number of actions played, hash] at the
    beginning, after every turn and at the end; `duel` is carried along while recording.
    """

    seed: int
    options: dict[str, Any]
    actions: list[str] = field(default_factory=list)
    hashes: list[tuple[int, str]] = field(default_factory=list)
    outcome: dict[str, Any] | None = None
    duel: Duel | None = None
    _last: tuple[int, ...] = ()
    _placing: bool = True

    @classmethod
    def begin(cls, seed: int, options: dict[str, Any] | None = None) -> "Replay":
        """Start a duel and its record. Raises OptionError."""
        duel = Duel()
        duel.begin(seed, options)
        replay = cls(int(seed), dict(options or {}), duel=duel)
        replay._mark()
        return replay

    def _mark(self) -> None:
        self.hashes.append((len(self.actions), state_hash(self.duel)))
        self._last = _moment(self.duel)
        self._placing = self.duel.placing

    def apply(self, action: int) -> None:
        """Apply an action to the duel and record it. Raises IllegalAction."""
        self.duel.apply(action)
        self.note(action)

    def time_up(self) -> None:
        """Let the acting seat's clock run out and record it (T11)."""
        self.duel.time_up()
        self.note(None)

    def note(self, action: int | None) -> None:
        """Record an action just applied to `duel`; None: its clock ran out."""
        self.actions.append(TIME_UP if action is None else to_text(int(action), self._placing))
        if _moment(self.duel) != self._last or self.duel.seat < 0:
            self._mark()
        outcome = self.duel.outcome
        self.outcome = outcome.as_dict() if outcome else None

    def to_json(self) -> str:
        """The replay file's text."""
        last = [(len(self.actions), state_hash(self.duel))] if self.duel else []
        hashes = self.hashes + [mark for mark in last if mark not in self.hashes]
        return json.dumps(
            {
                "format": FORMAT,
                "version": FORMAT_VERSION,
                "rules": RULES_VERSION,
                "rulebook": rulebook_hash(self.duel.rules if self.duel else rulebook()),
                "seed": self.seed,
                "options": self.options,
                "actions": self.actions,
                "hashes": hashes,
                "outcome": self.outcome,
            },
            indent=1,
        )

    def save(self, path: str | Path) -> None:
        """Write the replay file, whole or not at all. Raises SolwarisError."""
        write_atomic(path, self.to_json())

    @classmethod
    def load(cls, path: str | Path) -> "Replay":
        """Read a replay file. Raises ReplayError, naming the file and what is wrong."""
        try:
            return cls.from_json(read_file(path, "replay").decode())
        except UnicodeDecodeError as error:
            raise ReplayError(f"{path}: not a text file") from error
        except ReplayError as error:
            raise ReplayError(f"{path}: {error}") from error

    @classmethod
    def from_json(cls, text: str) -> "Replay":
        """A replay from its file's text. Raises ReplayError."""
        if len(text) > LARGEST_FILE:
            raise ReplayError(f"longer than {LARGEST_FILE >> 20} MiB")
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ReplayError(f"not JSON, or cut short ({error})") from error
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ReplayError(f'not a replay: "format" is not "{FORMAT}"')
        if data.get("version") is True or data.get("version") != FORMAT_VERSION:
            raise ReplayError(
                f"replay version {data.get('version')!r:.40}, this program reads {FORMAT_VERSION}"
            )
        for key in _KEYS:
            if key not in data:
                raise ReplayError(f"the key {key!r} is missing")
        book = rulebook_hash(rulebook())
        if data["rules"] != RULES_VERSION or data["rulebook"] != book:
            raise ReplayError(
                f"recorded under rules {data['rules']!r:.40} ({data['rulebook']!r:.40}), "
                f"these are rules {RULES_VERSION} ({book})"
            )
        actions, hashes = data["actions"], data["hashes"]
        if not isinstance(actions, list) or not all(isinstance(a, str) for a in actions):
            raise ReplayError("actions is not a list of texts")
        if not isinstance(data["options"], dict):
            raise ReplayError("options is not an object")
        if not isinstance(hashes, list) or not all(
            isinstance(h, list)
            and len(h) == 2
            and isinstance(h[0], int)
            and 0 <= h[0] <= len(actions)
            and isinstance(h[1], str)
            for h in hashes
        ):
            raise ReplayError("hashes is not a list of [number of actions, hash]")
        marks = [(count, digest) for count, digest in hashes]
        if not marks or marks[0][0] != 0 or marks[-1][0] != len(actions):
            raise ReplayError("the hashes do not span the actions: the replay was cut or altered")
        return cls(data["seed"], data["options"], actions, marks, data["outcome"])

    def action(self, number: int) -> int | None:
        """Index of the action at a place, None for time up. Raises ReplayError."""
        text = self.actions[number]
        if text == TIME_UP:
            return None
        try:
            return parse_action(text)
        except ActionError as error:
            raise ReplayError(f"actions[{number}]: {error}") from error

    def frames(self, seat: int | None = None) -> Iterator[tuple[Duel, str | None]]:
        """Play the replay: (duel, text of the action that led there), the beginning first.

        `seat` must exist in the duel when given. Raises ReplayError at the first action or
        hash that does not fit, and where a turn ends without its hash.
        """
        try:
            duel = Duel()
            duel.begin(self.seed, self.options)
        except OptionError as error:
            raise ReplayError(f"its beginning does not read: {error}") from error
        if seat is not None and not 0 <= seat < 2 * duel.team_size:
            raise ReplayError(f"seat {seat} has no hero in this duel of {2 * duel.team_size}")
        expected = dict(self.hashes)
        self._check(duel, 0, expected, due=True)
        last = _moment(duel)
        yield duel, None
        for number, text in enumerate(self.actions):
            action = self.action(number)
            try:
                if action is None:
                    duel.time_up()
                else:
                    duel.apply(action)
            except IllegalAction as error:
                raise ReplayError(f"actions[{number}]: {error}") from error
            due = _moment(duel) != last or duel.seat < 0
            self._check(duel, number + 1, expected, due)
            last = _moment(duel)
            yield duel, text

    @staticmethod
    def _check(duel: Duel, played: int, expected: dict[int, str], due: bool) -> None:
        if due and played not in expected:
            raise ReplayError(
                f"the hash after {played} actions (tour {duel.tour}) is missing: "
                "the replay was cut or altered"
            )
        if played in expected and expected[played] != state_hash(duel):
            raise ReplayError(
                f"after {played} actions (tour {duel.tour}) the duel is not the recorded one: "
                "the replay was altered"
            )

    def verify(self) -> Duel:
        """Play the replay to its end, checking every hash; the final duel. Raises ReplayError."""
        final = None
        for duel, _ in self.frames():
            final = duel
        outcome = final.outcome
        if (outcome.as_dict() if outcome else None) != self.outcome:
            raise ReplayError("the recorded outcome is not the one the duel comes to")
        return final

    def indices(self) -> np.ndarray:
        """Indices of the actions, int64 (k,), -1 for time up. Raises ReplayError."""
        found = (self.action(number) for number in range(len(self.actions)))
        return np.array([-1 if a is None else a for a in found], np.int64)
