"""Pairings played in lock step: every agent decides for all its waiting duels at once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ..duel.codec import ACTIONS, RAISE
from ..duel.content.loader import content
from ..duel.content.schema import CELLS, SLOTS, SPELL_COUNT
from ..duel.engine.state import HEROES, SUMMON_BASE, Phase
from ..duel.vector import VectorDuel
from ..errors import SolwarisError, blamed

if TYPE_CHECKING:
    from ..agents.base import Agent

CAMPS = 2
FINISHED = np.dtype(
    [
        ("pair", "i4"),  # which pairing of the meeting
        ("camp_of_a", "i1"),
        ("winner", "i1"),  # camp, -1: draw
        ("first_camp", "i1"),  # opened the fight, -1: there was none
        ("termination", "u1"),
        ("team_size", "u1"),
        ("map", "i2"),
        ("classes", "i2", HEROES),
        ("loadouts", "i2", HEROES),  # bit s: slot s holds its variant
        ("tours", "i4"),
        ("decisions", "i4"),
        ("casts", "u2", (CAMPS, SPELL_COUNT)),
        ("asked", "u2", CAMPS),  # answers in the auction, and raises among them
        ("raises", "u2", CAMPS),
        ("buyer", "i1"),  # camp that bought the first turn, -1: nobody
        ("price", "i4"),  # coins it paid
        ("digest", "u8"),  # of all actions and of how the board lay at the end
    ]
)
HASH_START = np.uint64(0xCBF29CE484222325)
HASH_FACTOR = np.uint64(0x100000001B3)
NO_SPELL = -1


class Tables:
    """Room for duels in lock step; one serves any number of calls of `play`.

    Args:
        pairs: the most pairings that are played at once.
    """

    def __init__(self, pairs: int) -> None:
        self.pairs = pairs
        self._batch = VectorDuel(CAMPS * pairs, seed=0, copy=False, auto_reset=False)

    def play(
        self,
        agents: Sequence[Agent],
        setups: np.ndarray,
        progress: Callable[[int], None] | None = None,
    ) -> np.ndarray:
        """Play each pairing from both sides.

        Args:
            agents: A and B.
            setups: (p,) SETUP, at most `pairs`.
            progress: told after each round how many duels ended in it; may raise to end the play.

        Returns:
            (2 p,) FINISHED: of each pairing first the duel with A in camp 0.

        Raises:
            SolwarisError: an agent failed or chose an action that is not legal.
        """
        batch = self._batch
        n = CAMPS * len(setups)
        tables = len(batch.seat)
        open_tables = np.arange(tables) < n
        begun = np.zeros(tables, setups.dtype)
        begun[:n] = np.repeat(setups, CAMPS)
        batch.begin(begun, open_tables)
        rows = np.zeros(n, FINISHED)
        rows["pair"] = np.arange(n) // CAMPS
        rows["camp_of_a"] = np.arange(n) % CAMPS
        camp_of_a = np.arange(tables) % CAMPS
        digest = np.full(tables, HASH_START)
        while open_tables.any():
            of_a = batch.seat % CAMPS == camp_of_a
            actions = np.zeros(tables, np.int64)
            for agent, chosen in zip(
                agents,
                (np.flatnonzero(open_tables & of_a), np.flatnonzero(open_tables & ~of_a)),
                strict=True,
            ):
                if len(chosen):
                    actions[chosen] = _decide(agent, batch, chosen)
            waiting = np.flatnonzero(open_tables)
            _count_bids(rows, batch, waiting, actions)
            _count_casts(rows, batch, waiting, actions)
            rows["decisions"][waiting] += 1
            digest[waiting] = (digest[waiting] ^ actions[waiting].astype(np.uint64)) * HASH_FACTOR
            batch.step(actions, open_tables)
            ended = np.flatnonzero(batch.done & open_tables)
            if len(ended):
                self._note(rows, ended, digest)
                open_tables[ended] = False
            if progress is not None:
                progress(len(ended))
        return rows

    def _note(self, rows: np.ndarray, ended: np.ndarray, digest: np.ndarray) -> None:
        """Write how duels ended into their rows."""
        batch = self._batch
        for name in (
            "winner", "termination", "tours", "team_size", "map", "classes", "buyer", "price",
        ):  # fmt: skip
            rows[name][ended] = getattr(batch, name)[ended]
        final = batch.states[ended]
        rows["first_camp"][ended] = np.where(final["turn"] > 0, final["first_camp"], -1)
        rows["loadouts"][ended] = final["hero"]["loadout"]
        # with its generator a state would differ wherever the seeds do, however alike the duels
        final["rng"] = 0
        for row, state in zip(ended, final, strict=True):
            told = digest[row].tobytes() + state.tobytes()
            rows["digest"][row] = int.from_bytes(hashlib.blake2b(told, digest_size=8).digest())


def _decide(agent: Agent, batch: VectorDuel, chosen: np.ndarray) -> np.ndarray:
    """Ask an agent for its actions in the duels `chosen`, (k,), and check them: int64 (k,)."""
    views = batch.views(chosen)
    with blamed(f"the agent {agent.name} failed"):
        actions = np.asarray(agent.act_batch(views))
    if actions.shape != chosen.shape or actions.dtype.kind not in "iu":
        raise SolwarisError(
            f"the agent {agent.name} answered with {actions.dtype} of shape {actions.shape}, "
            f"expected whole numbers of shape {chosen.shape}"
        )
    known = (actions >= 0) & (actions < ACTIONS)
    legal = known & views.action_mask[np.arange(len(chosen)), np.where(known, actions, 0)]
    if not legal.all():
        wrong = int(actions[~legal][0])
        raise SolwarisError(f"the agent {agent.name} chose {wrong}, which is no legal action")
    return actions.astype(np.int64)


def _count_bids(
    rows: np.ndarray, batch: VectorDuel, waiting: np.ndarray, actions: np.ndarray
) -> None:
    """Add what `actions` answer in the auction to the rows of the duels `waiting`."""
    bidding = waiting[batch.states["phase"][waiting] == Phase.AUCTION]
    camp = batch.seat[bidding] % CAMPS
    rows["asked"][bidding, camp] += 1
    rows["raises"][bidding, camp] += actions[bidding] == RAISE


def _count_casts(
    rows: np.ndarray, batch: VectorDuel, waiting: np.ndarray, actions: np.ndarray
) -> None:
    """Add the spells that `actions` cast to the rows of the duels `waiting`."""
    casting = waiting[actions[waiting] < SLOTS * CELLS]
    if not len(casting):
        return
    states = batch.states
    actor = states["actor"][casting].astype(np.int64)
    heroes = actor < HEROES
    hero = np.where(heroes, actor, 0)
    spell = states["hero"]["spell"][casting, hero, actions[casting] // CELLS].astype(np.int64)
    kind = states["entity"]["kind"][casting, actor]
    spell = np.where(heroes, spell, _summon_spells()[np.where(heroes, 0, kind - SUMMON_BASE)])
    np.add.at(rows["casts"], (casting, batch.seat[casting] % CAMPS, spell), 1)


@cache
def _summon_spells() -> np.ndarray:
    """Number of the spell of each summon, by the summon's number: int64."""
    numbers = {spell.id: spell.number for spell in content().spells}
    summons = content().summons
    found = np.full(max(sheet.number for sheet in summons) + 1, NO_SPELL)
    for sheet in summons:
        if sheet.spell is not None:
            found[sheet.number] = numbers[sheet.spell]
    return found
