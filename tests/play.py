"""Random legal play by seed, and the duels that several tests go through."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from solwaris_env import duel_v0
from solwaris_env.duel.codec import ACTIONS, GO, PASS
from solwaris_env.duel.content.loader import content
from solwaris_env.duel.content.schema import CELLS, SLOTS
from solwaris_env.duel.game import Duel

CLASSES = [sheet.id for sheet in content().classes]
MAPS = [sheet.id for sheet in content().maps]
PAIRS = [(mine, theirs) for mine in CLASSES for theirs in CLASSES]
GROUPS = [slice(slot * CELLS, (slot + 1) * CELLS) for slot in range(SLOTS)]
GROUPS += [slice(GO, PASS), slice(PASS, ACTIONS)]


def matrix(team_size: int) -> list[dict[str, Any]]:
    """Options of 36 duels in which every ordered pair of classes and every map occurs."""
    found = []
    for number, (mine, theirs) in enumerate(PAIRS):
        classes = [mine, theirs]
        if team_size == 2:
            classes += PAIRS[(7 * number + 5) % len(PAIRS)]
        found.append({"map": MAPS[number % len(MAPS)], "classes": classes, "team_size": team_size})
    return found


def product(team_size: int) -> list[dict[str, Any]]:
    """Options of every ordered pair of classes on every map."""
    return [options | {"map": name} for options in matrix(team_size) for name in MAPS]


def label(options: dict[str, Any]) -> str:
    """Name of options in a test's id."""
    return "-".join([options["map"], *options["classes"]])


def any_action(mask: np.ndarray, rng: np.random.Generator) -> int:
    """A legal action, all equally likely."""
    legal = np.flatnonzero(mask)
    return int(legal[rng.integers(len(legal))])


def lively(mask: np.ndarray, rng: np.random.Generator) -> int:
    """A legal action: first a spell, a walk or the turn's end, all equally likely, then which.

    Duels move on faster than by `any_action`, and spells with few targets are cast as often.
    """
    legal = np.flatnonzero(mask)
    kinds = np.minimum(legal // CELLS, SLOTS + 1)
    kind = rng.choice(np.unique(kinds))
    legal = legal[kinds == kind]
    return int(legal[rng.integers(len(legal))])


def walk(duel: Duel, rng: np.random.Generator, limit: int | None = None) -> Iterator[int]:
    """Play a duel by `lively`: yields each action before it is applied."""
    played = 0
    while duel.seat >= 0 and played != limit:
        action = lively(duel.mask(), rng)
        yield action
        duel.apply(action)
        played += 1


def started(seed: int, decisions: int, **options: Any) -> Duel:
    """A duel after some random decisions."""
    duel = Duel.new(seed, allow_forfeit=False, **options)
    for _ in walk(duel, np.random.default_rng(seed), decisions):
        pass
    return duel


def fixed(env: Any, options: dict[str, Any]) -> Any:
    """The environment with other defaults for its reset options (it can't be pickled then)."""
    base = env.unwrapped
    reset = base.reset
    base.reset = lambda seed=None, options=None: reset(seed, fixed_options | (options or {}))
    fixed_options = options
    return env


def fixed_env(options: dict[str, Any], **arguments: Any) -> Any:
    """`duel_v0.env` whose every duel has these options."""
    return fixed(duel_v0.env(team_size=options["team_size"], **arguments), options)
