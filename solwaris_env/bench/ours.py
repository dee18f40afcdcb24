"""The duel's own contestants: uniformly random legal play on all maps and classes."""

import os
import subprocess
import sys
import tempfile
import time

import numpy as np

from ..duel.aec import env, raw_env
from ..duel.batch import Buffers, Mode, Option, draw_actions, search
from ..duel.content.loader import rulebook
from ..duel.engine.setup import SETUP, drawn_setup
from .measure import Contestant, looping

LOCK_STEP = 1024
DECISIONS = "decisions"
SEARCHED = 4096


def _started(tables: int, observe: bool = True) -> Buffers:
    buffers = Buffers(tables, observe)
    buffers.setups[:] = drawn_setup(1)
    buffers.setups["team_size"] = 1
    buffers.setups["seed"] = np.arange(tables)
    buffers.setups["rng"] = np.arange(tables) + 1_000_003
    return buffers


def lock_step() -> tuple[Contestant, Buffers]:
    """1,024 duels: choosing, stepping, mask and observation."""
    buffers = _started(LOCK_STEP)
    rules = rulebook()
    flags = Option.OBSERVE | Option.AUTO_RESET
    buffers.advance(Mode.BEGIN, rules, flags)
    chance = np.zeros(LOCK_STEP, SETUP)
    chance["rng"] = np.arange(LOCK_STEP)
    words = buffers.mask.view(np.uint64)

    def step() -> int:
        draw_actions(chance, words, buffers.drawn, buffers.actions)
        if buffers.advance(Mode.ACT, rules, flags):
            raise RuntimeError("a masked-in action was refused")
        return LOCK_STEP

    return Contestant(f"lock step, {LOCK_STEP} duels", DECISIONS, looping(step)), buffers


def bytes_written(buffers: Buffers) -> int:
    """Bytes of one decision's observation and mask."""
    tables = len(buffers.states)
    return (buffers.board.nbytes + buffers.scalars.nbytes + buffers.mask.nbytes) // tables


def memory_per_duel(buffers: Buffers) -> int:
    """Bytes of one duel in a batch besides its observation (board and scalars)."""
    parts = (buffers.states, buffers.known, buffers.setups, buffers.results, buffers.mask)
    small = (buffers.actions, buffers.where, buffers.viewers, buffers.due, buffers.drawn)
    return sum(part.nbytes for part in (*parts, *small)) // len(buffers.states)


def floor(buffers: Buffers) -> Contestant:
    """A plain copy of as many bytes as the lock step writes."""
    pairs = [(part, part.copy()) for part in (buffers.board, buffers.scalars, buffers.mask)]

    def step() -> int:
        for source, copy in pairs:
            np.copyto(copy, source)
        return len(buffers.states)

    return Contestant("floor: plain copy of as many bytes", DECISIONS, looping(step))


def _aec(name: str, made: object) -> Contestant:
    rng = np.random.default_rng(0)
    made.reset(seed=0, options={"team_size": 1})

    def step() -> int:
        if not made.agents:
            made.reset(options={"team_size": 1})
        observation, _, over, _, _ = made.last()
        if over:
            made.step(None)
            return 0
        legal = np.flatnonzero(observation["action_mask"])
        made.step(legal[int(rng.random() * len(legal))])
        return 1

    return Contestant(name, DECISIONS, looping(step))


def single_duels() -> list[Contestant]:
    """One duel through PettingZoo: with the usual wrappers, and without."""
    return [_aec("env(), one duel", env()), _aec("raw_env(), one duel", raw_env())]


def _search(name: str, nodes: bool) -> Contestant:
    buffers = _started(2, observe=False)
    rules = rulebook()
    words = buffers.mask.view(np.uint64)

    def step() -> int:
        search(
            buffers.states,
            buffers.hidden,
            rules,
            buffers.scratch,
            buffers.setups,
            buffers.mask,
            words,
            SEARCHED,
            nodes,
        )
        return SEARCHED

    return Contestant(name, DECISIONS, looping(step))


def playouts() -> Contestant:
    """Compiled random playouts, legal actions and no observation."""
    return _search("random playouts", False)


def nodes() -> Contestant:
    """Search nodes: clone, legal actions, apply."""
    return _search("search nodes (clone, apply, legal)", True)


def _timed(arguments: list[str], folder: str | None = None) -> float:
    environment = os.environ | ({"SOLWARIS_CACHE_DIR": folder} if folder else {})
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True)
    return time.perf_counter() - start


_FIRST_DUEL = (
    "import numpy as np\n"
    "from solwaris_env.agents.make import make_agent\n"
    "from solwaris_env.match import play_match\n"
    "play_match(make_agent('greedy', 0), make_agent('random', 0), duels=2, seed=0)\n"
)


def warm_start() -> float:
    """Seconds from the shell to a played match of two duels, everything compiled before."""
    return min(_timed(["-c", _FIRST_DUEL]) for _ in range(3))


def cold_compile() -> float:
    """Seconds of the same on an empty cache."""
    with tempfile.TemporaryDirectory(prefix="solwaris-cold-") as folder:
        return _timed(["-c", _FIRST_DUEL], folder)
