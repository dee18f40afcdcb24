"""Compiled and plain: the same source, the same bytes."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from play import CLASSES, MAPS, lively, matrix

from solwaris_env.duel.batch import Buffers, Mode, Option
from solwaris_env.duel.codec import GO, decode
from solwaris_env.duel.content.loader import content, rulebook
from solwaris_env.duel.content.schema import CELLS
from solwaris_env.duel.engine.kernel import PLAIN
from solwaris_env.duel.engine.state import SUMMON_BASE, Phase
from solwaris_env.duel.game import Duel

ROOT = Path(__file__).parent.parent
COMPARED = ("states", "known", "mask", "board", "scalars", "results")
FLAGS = int(Option.OBSERVE | Option.ALLOW_FORFEIT)
# carries on saved decisions by one action each, and tells the hash of everything after it
PLAIN_TRANSITIONS = """
import sys
import numpy as np
from solwaris_env.duel.batch import Buffers, Mode
from solwaris_env.duel.content.loader import rulebook
from solwaris_env.duel.engine.kernel import PLAIN

assert PLAIN
kept = np.load(sys.argv[1])
n = len(kept["actions"])
buffers = Buffers(n)
for name in ("states", "mask"):
    getattr(buffers, name).view(np.uint8).reshape(n, -1)[:] = kept[name]
buffers.actions[:] = kept["actions"]
assert buffers.advance(Mode.ACT, rulebook(), int(sys.argv[2])) == 0
arrays = {name: getattr(buffers, name) for name in sys.argv[4].split(",")}
np.savez(sys.argv[3], **{name: a.view(np.uint8).reshape(n, -1) for name, a in arrays.items()})
"""
PLAIN_DUELS = """
import json
import sys
import numpy as np
from solwaris_env.duel.game import Duel
from solwaris_env.duel.engine.kernel import PLAIN

sys.path.insert(0, "tests")
from test_modes import hashes

assert PLAIN
for case in json.load(sys.stdin):
    for line in hashes(case["seed"], case["options"], case["limit"]):
        print(line)
"""


def hashes(seed: int, options: dict, limit: int | None) -> list[str]:
    """Hash of everything at each decision of a random duel."""
    duel = Duel.new(seed, allow_forfeit=False, **options)
    rng = np.random.default_rng(seed)
    found = []
    while True:
        digest = hashlib.sha256()
        for name in COMPARED[:-1]:
            digest.update(getattr(duel.buffers, name).tobytes())
        digest.update(duel.events.tobytes())
        found.append(digest.hexdigest())
        if duel.seat < 0 or len(found) == limit:
            return found
        duel.apply(lively(duel.mask(), rng))


def plainly(program: str, *arguments: str, text: str | None = None) -> str:
    """Output of a program run without compilation."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT, input=text, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def spell_of(duel: Duel, action: int) -> int | None:
    """Id of the spell that an action casts."""
    if action >= GO or duel.state.phase != Phase.FIGHT:
        return None
    actor = int(duel.state.actor)
    if actor < 4:
        return int(duel.state.hero[actor].spell[action // CELLS])
    return int(duel.rules[0].summon[duel.state.entity[actor].kind - SUMMON_BASE].spell)


def transitions(each: int, others: int) -> list[tuple[np.void, np.ndarray, int]]:
    """Decisions out of whole duels: `each` casts of every spell, and walks, passes and the rest.

    Each with its state, the mask, and the action taken.
    """
    casts = dict.fromkeys(range(len(content().spells)), each)
    rest = dict.fromkeys(["go", "pass", "raise", "place"], others)
    kept = []
    cases = [o for size in (1, 2) for o in matrix(size)]
    for seed in range(400):
        options = cases[(5 * seed) % len(cases)]
        duel = Duel.new(seed, allow_forfeit=False, **options)
        rng = np.random.default_rng(seed)
        # a duel's first cast of a spell is often its least telling one
        skip = set(rng.choice(98, 40).tolist())
        while duel.seat >= 0:
            action = lively(duel.mask(), rng)
            spell = spell_of(duel, action)
            if spell is None:
                name = decode(action, duel.placing)["type"]
                wanted = rest[name] > 0 and rng.random() < 0.2
                rest[name] -= wanted
            else:
                wanted = casts[spell] > 0 and spell not in skip
                skip.discard(spell)
                casts[spell] -= wanted
            if wanted:
                b = duel.buffers
                kept.append((b.states[0].copy(), b.mask[0].copy(), action))
            duel.apply(action)
        if not any(casts.values()) and not any(rest.values()):
            return kept
    raise AssertionError(f"never cast: {[s for s, n in casts.items() if n]}, {rest}")


def compare(kept: list[tuple], folder: Path) -> None:
    """Both modes come from the same decisions to the same bytes."""
    n = len(kept)
    buffers = Buffers(n)
    for row, (state, mask, action) in enumerate(kept):
        buffers.states[row] = state
        buffers.mask[row], buffers.actions[row] = mask, action
    source, answer = folder / "before.npz", folder / "after.npz"
    arrays = {
        name: getattr(buffers, name).view(np.uint8).reshape(n, -1) for name in ("states", "mask")
    }
    np.savez(source, actions=buffers.actions, **arrays)
    assert buffers.advance(Mode.ACT, rulebook(), FLAGS) == 0
    plainly(PLAIN_TRANSITIONS, str(source), str(FLAGS), str(answer), ",".join(COMPARED))
    plain = np.load(answer)
    for name in COMPARED:
        mine = getattr(buffers, name).view(np.uint8).reshape(n, -1)
        differs = np.flatnonzero((mine != plain[name]).any(axis=1))
        assert not len(differs), (name, [int(buffers.actions[row]) for row in differs[:5]])


@pytest.mark.skipif(PLAIN, reason="compares compiled code with plain")
def test_every_spell_in_both_modes(tmp_path):
    compare(transitions(1, 10), tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(PLAIN, reason="compares compiled code with plain")
def test_many_decisions_in_both_modes(tmp_path):
    compare(transitions(25, 50), tmp_path)


def duels_in_both_modes(cases: list[dict]) -> None:
    plain = plainly(PLAIN_DUELS, text=json.dumps(cases)).split()
    mine = [line for case in cases for line in hashes(**case)]
    assert len(mine) == len(plain)
    pairs = zip(mine, plain, strict=True)
    differs = [number for number, (one, other) in enumerate(pairs) if one != other]
    assert not differs, f"first at decision {differs[0]} of {len(mine)}"


@pytest.mark.skipif(PLAIN, reason="compares compiled code with plain")
def test_duels_begin_alike_in_both_modes():
    cases = [o for size in (1, 2) for o in matrix(size)]
    chosen = [{"seed": seed, "options": cases[(13 * seed) % 72], "limit": 18} for seed in range(9)]
    assert {case["options"]["map"] for case in chosen} == set(MAPS)
    assert {name for case in chosen for name in case["options"]["classes"]} == set(CLASSES)
    duels_in_both_modes(chosen)


@pytest.mark.slow
@pytest.mark.skipif(PLAIN, reason="compares compiled code with plain")
def test_whole_duels_in_both_modes():
    cases = [o for size in (1, 2) for o in matrix(size)]
    duels_in_both_modes(
        [{"seed": 100 + k, "options": cases[k], "limit": None} for k in range(0, 72, 6)]
    )
