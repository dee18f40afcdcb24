"""A warm start: the network learns to choose as a teacher does, and what a duel comes to.

The teacher decides for both camps of many duels. Some decisions are played by the network
instead, so that it learns from the teacher in situations that its own play leads to (as
DAgger does). While the teacher plays a round, the network learns from those before.
"""

import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from solwaris_env.agents.base import Agent
from solwaris_env.duel.codec import ACTIONS
from solwaris_env.duel.observation import BOARD_SHAPE, SCALAR_SIZE
from solwaris_env.duel.vector import VectorDuel

from . import masked
from .network import DuelNetwork
from .pool import PolicyAgent

ROUND = 16  # decisions of each duel in a round


@dataclass
class Round:
    """Decisions in the order they were made, and the outcomes learned meanwhile.

    Attributes:
        board, scalars, masks, actions: of k decisions; the masks as packed bits.
        ended: pairs (number of a decision counted from the first ever, outcome 1, 0 or -1).
    """

    board: np.ndarray
    scalars: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    ended: list[tuple[int, float]]


class Table:
    """Duels played by a teacher, with an admixture of the learner.

    Args:
        batch: made with auto_reset and without copies.
        teacher: labels every decision.
        wander: share of decisions that the learner plays, the label being the teacher's.
        rng: draws which.

    Attributes:
        duels: how many are played at a time.
    """

    def __init__(
        self, batch: VectorDuel, teacher: Agent, wander: float, rng: np.random.Generator
    ) -> None:
        self._batch = batch
        self.duels = batch.num_envs
        self._teacher = teacher
        self._wander = wander
        self._rng = rng
        self._count = 0
        self._open: list[list[tuple[int, int]]] = [[] for _ in range(batch.num_envs)]

    def play(self, learner: PolicyAgent) -> Round:
        """Play one round: ROUND decisions of every duel."""
        batch, everywhere = self._batch, np.arange(self._batch.num_envs)
        boards, scalars, masks, labels = [], [], [], []
        ended: list[tuple[int, float]] = []
        for _ in range(ROUND):
            boards.append(batch.board.copy())
            scalars.append(batch.scalars.copy())
            masks.append(np.packbits(batch.action_mask, axis=1))
            for row, camp in enumerate((batch.seat & 1).tolist()):
                self._open[row].append((self._count + row, camp))
            self._count += batch.num_envs
            actions = self._teacher.act_batch(batch.views(everywhere))
            labels.append(actions)
            strays = np.flatnonzero(self._rng.random(batch.num_envs) < self._wander)
            if len(strays):
                actions = actions.copy()
                seen = {"board": batch.board[strays], "scalars": batch.scalars[strays]}
                actions[strays] = learner.choose(seen, batch.action_mask[strays])
            batch.step(actions)
            for row in np.flatnonzero(batch.done).tolist():
                reward = batch.reward[row]
                ended += [(number, float(reward[camp])) for number, camp in self._open[row]]
                self._open[row] = []
        return Round(*map(np.concatenate, (boards, scalars, masks, labels)), ended)


class Memory:
    """The latest `size` decisions."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.count = 0
        self.board = np.zeros((size, *BOARD_SHAPE), np.int8)
        self.scalars = np.zeros((size, SCALAR_SIZE), np.float32)
        self.masks = np.zeros((size, (ACTIONS + 7) // 8), np.uint8)
        self.actions = np.zeros(size, np.int64)
        self.outcome = np.zeros(size, np.float32)
        self.known = np.zeros(size, bool)  # whether the outcome is

    def add(self, played: Round) -> None:
        """Append a round; forget the oldest decisions."""
        fresh = len(played.actions)
        at = (self.count + np.arange(fresh)) % self.size
        for name in ("board", "scalars", "masks", "actions"):
            getattr(self, name)[at] = getattr(played, name)
        self.known[at] = False
        self.count += fresh
        for number, outcome in played.ended:
            if number >= self.count - self.size:
                self.outcome[number % self.size] = outcome
                self.known[number % self.size] = True

    def draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Return the places of `count` decisions, int64 (count,)."""
        return rng.integers(0, min(self.count, self.size), count)


def imitate(
    network: DuelNetwork,
    table: Table,
    decisions: int,
    *,
    passes: float,
    batch: int,
    kept: int,
    learning_rate: tuple[float, float],
    value_weight: float,
    rng: np.random.Generator,
    stopped: Callable[[], bool],
    show: Callable[[float, dict[str, float]], None],
) -> None:
    """Train `network` on at least `decisions` of the teacher's.

    Args:
        network: trained in place.
        table: where the teacher plays.
        passes: how often each decision is learned from, on average.
        batch: decisions in a minibatch.
        kept: decisions kept to learn from.
        learning_rate: at the start and at the end, linear between.
        value_weight: weight of the squared error of the value.
        rng: draws the minibatches.
        stopped: once true, it ends after the next minibatch.
        show: told the share done and the figures of each round: the cross-entropy
            `imitation/loss`, `imitation/agreement` (how often the best action is the
            teacher's) and `imitation/value_loss`.
    """
    memory = Memory(kept)
    optimizer = torch.optim.Adam(network.parameters(), lr=learning_rate[0])
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(table.play, _frozen(network))
        while True:
            memory.add(coming.result())
            share = min(1.0, memory.count / decisions)
            if share < 1.0:
                coming = pool.submit(table.play, _frozen(network))
            start, end = learning_rate
            for group in optimizer.param_groups:
                group["lr"] = start + (end - start) * share
            minibatches = max(1, round(passes * ROUND * table.duels / batch))
            figures = _learn(network, optimizer, memory, batch, minibatches, value_weight, rng,
                             stopped)
            show(share, figures)
            if share >= 1.0 or stopped():
                return


def _frozen(network: DuelNetwork) -> PolicyAgent:
    """Return an agent with the weights of now, for the other thread."""
    return PolicyAgent(copy.deepcopy(network).eval(), "learner")


def _learn(
    network: DuelNetwork,
    optimizer: torch.optim.Optimizer,
    memory: Memory,
    batch: int,
    minibatches: int,
    value_weight: float,
    rng: np.random.Generator,
    stopped: Callable[[], bool],
) -> dict[str, float]:
    """Take some steps of the optimiser; return their mean figures."""
    sums = np.zeros(3)
    done = 0
    device = next(network.parameters()).device
    for _ in range(minibatches):
        rows = memory.draw(batch, rng)
        masks = np.unpackbits(memory.masks[rows], axis=1, count=ACTIONS).view(bool)
        actions = torch.from_numpy(memory.actions[rows]).to(device)
        legal = torch.from_numpy(masks).to(device)
        logits, value = network(
            torch.from_numpy(memory.board[rows]).to(device),
            torch.from_numpy(memory.scalars[rows]).to(device),
        )
        log_prob, _ = masked.evaluate(logits, legal, actions)
        known = torch.from_numpy(memory.known[rows].astype(np.float32)).to(device)
        outcome = torch.from_numpy(memory.outcome[rows]).to(device)
        error = (known * functional.mse_loss(value, outcome, reduction="none")).mean()
        loss = -log_prob.mean()
        optimizer.zero_grad()
        (loss + value_weight * error).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            best = logits.masked_fill(~legal, -torch.inf).argmax(dim=1)
            agreement = (best == actions).float().mean().item()
        share = max(known.mean().item(), 1e-9)
        sums += (loss.item(), agreement, error.item() / share)
        done += 1
        if stopped():
            break
    names = ("imitation/loss", "imitation/agreement", "imitation/value_loss")
    return dict(zip(names, (sums / done).tolist(), strict=True))
