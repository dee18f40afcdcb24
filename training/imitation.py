"""A warm start: the network learns to choose as a teacher does, and what a duel comes to.

The teacher decides for both camps of many duels. Some decisions are played by the network
instead, so that it learns from the teacher in situations that its own play leads to (as
DAgger does). While the teacher plays a round, the network learns from those before.
"""

import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from solwaris_env.agents.base import Agent, Ratings
from solwaris_env.duel.codec import ACTIONS
from solwaris_env.duel.observation import BOARD_SHAPE, SCALAR_SIZE
from solwaris_env.duel.vector import VectorDuel

from .masked import Legal, log_softmax, sample
from .network import DuelNetwork
from .pool import PolicyAgent

ROUND = 16  # decisions of each duel in a round
RATED = 8  # actions of a decision that may be wanted
MOST_AT_STAKE = 40.0  # hit points; more do not weigh more


@dataclass
class Round:
    """Decisions in the order they were made, and the outcomes learned meanwhile.

    Attributes:
        board, scalars, masks: of k decisions; the masks as packed bits.
        actions: int16 (k, RATED), that the teacher thinks best.
        wanted: float32 (k, RATED), their shares, 1 in all; see `shares_of`.
        weight: float32 (k,), see `weights_of`.
        ended: pairs (number of a decision counted from the first ever, outcome 1, 0 or -1).
    """

    board: np.ndarray
    scalars: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    wanted: np.ndarray
    weight: np.ndarray
    ended: list[tuple[int, float]]


def shares_of(ratings: Ratings, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Say how much each of the best actions is wanted.

    Args:
        spread: hit points; an action worse by so much is e times less wanted. 0: the action
            chosen alone is.

    Returns:
        Actions int16 (n, RATED) and their shares, float32 (n, RATED), the best first, 1 in all.
    """
    n, k = ratings.rated.shape
    rated = np.zeros((n, RATED), np.int16)
    shares = np.zeros((n, RATED), np.float32)
    if spread == 0:
        rated[:, 0], shares[:, 0] = ratings.actions, 1.0
        return rated, shares
    order = np.argsort(-ratings.worth, axis=1, kind="stable")[:, :RATED]
    worth = np.take_along_axis(ratings.worth, order, axis=1)
    wanted = np.exp((worth - worth[:, :1]) / spread)
    rated[:, : min(k, RATED)] = np.take_along_axis(ratings.rated, order, axis=1)
    shares[:, : min(k, RATED)] = wanted / wanted.sum(axis=1, keepdims=True)
    return rated, shares


def weights_of(ratings: Ratings, stakes: float) -> np.ndarray:
    """Say how much each decision weighs: float32 (n,), from 1 up.

    Args:
        stakes: hit points; a decision weighs once more for every so many that the rated actions
            other than the best are worse by on average. One whose best alone is rated weighs as
            much as the others do on average. 0: all weigh alike.
    """
    n = len(ratings.actions)
    if stakes == 0:
        return np.ones(n, np.float32)
    worse = ratings.worth.max(axis=1, keepdims=True) - ratings.worth
    rated = np.isfinite(worse)
    others = rated.sum(axis=1) - 1
    lost = np.where(rated, worse, 0.0).sum(axis=1) / np.maximum(others, 1)
    weights = 1 + np.minimum(lost, MOST_AT_STAKE) / stakes
    compared = others > 0
    weights[~compared] = weights[compared].mean() if compared.any() else 1.0
    return weights.astype(np.float32)


class Table:
    """Duels played by a teacher, with an admixture of the learner.

    Args:
        batch: made with auto_reset and without copies.
        teacher: labels every decision.
        wander: share of decisions that the learner plays, the label being the teacher's.
        spread: hit points, see `shares_of`.
        stakes: hit points, see `weights_of`.
        rng: draws which.

    Attributes:
        duels: how many are played at a time.
    """

    def __init__(
        self,
        batch: VectorDuel,
        teacher: Agent,
        wander: float,
        spread: float,
        stakes: float,
        rng: np.random.Generator,
    ) -> None:
        self._batch = batch
        self.duels = batch.num_envs
        self._teacher = teacher
        self._wander = wander
        self._spread = spread
        self._stakes = stakes
        self._rng = rng
        self._count = 0
        self._open: list[list[tuple[int, int]]] = [[] for _ in range(batch.num_envs)]

    def play(self, learner: PolicyAgent) -> Round:
        """Play one round: ROUND decisions of every duel."""
        batch, everywhere = self._batch, np.arange(self._batch.num_envs)
        boards, scalars, masks, labels, wanted, weights = [], [], [], [], [], []
        ended: list[tuple[int, float]] = []
        for _ in range(ROUND):
            boards.append(batch.board.copy())
            scalars.append(batch.scalars.copy())
            masks.append(np.packbits(batch.action_mask, axis=1))
            for row, camp in enumerate((batch.seat & 1).tolist()):
                self._open[row].append((self._count + row, camp))
            self._count += batch.num_envs
            ratings = self._teacher.rate_batch(batch.views(everywhere))
            rated, shares = shares_of(ratings, self._spread)
            labels.append(rated)
            wanted.append(shares)
            weights.append(weights_of(ratings, self._stakes))
            actions = ratings.actions
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
        made = (boards, scalars, masks, labels, wanted, weights)
        return Round(*map(np.concatenate, made), ended)


class Memory:
    """The latest `size` decisions."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.count = 0
        self.board = np.zeros((size, *BOARD_SHAPE), np.int8)
        self.scalars = np.zeros((size, SCALAR_SIZE), np.float32)
        self.masks = np.zeros((size, (ACTIONS + 7) // 8), np.uint8)
        self.actions = np.zeros((size, RATED), np.int16)
        self.wanted = np.zeros((size, RATED), np.float32)
        self.weight = np.zeros(size, np.float32)
        self.outcome = np.zeros(size, np.float32)
        self.known = np.zeros(size, bool)  # whether the outcome is

    def add(self, played: Round) -> None:
        """Append a round; forget the oldest decisions."""
        fresh = len(played.actions)
        at = (self.count + np.arange(fresh)) % self.size
        for name in ("board", "scalars", "masks", "actions", "wanted", "weight"):
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


class WarmStart:
    """Trains a network on a teacher's decisions, until it has learned from as many as wanted.

    Args:
        network: trained in place.
        table: where the teacher plays.
        decisions: how many of the teacher's are wanted.
        passes: how often each decision is learned from, on average.
        batch: decisions in a minibatch.
        kept: decisions kept to learn from.
        learning_rate: at the start and at the end, linear between.
        value_weight: weight of the squared error of the value.
        rng: draws the minibatches.

    Attributes:
        done: decisions so far, earlier sittings included.
        optimizer: its state dict goes into a checkpoint.
    """

    def __init__(
        self,
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
    ) -> None:
        self.done = 0
        self.optimizer = torch.optim.Adam(network.parameters(), lr=learning_rate[0])
        self._network = network
        self._table = table
        self._decisions = decisions
        self._batch = batch
        self._minibatches = max(1, round(passes * ROUND * table.duels / batch))
        self._memory = Memory(kept)
        self._learning_rate = learning_rate
        self._value_weight = value_weight
        self._rng = rng

    def restore(self, done: int, optimizer: dict[str, Any]) -> None:
        """Go on after `done` decisions; those kept to learn from are gathered anew."""
        self.done = done
        self.optimizer.load_state_dict(optimizer)

    def run(
        self, stopped: Callable[[], bool], show: Callable[[float, dict[str, float]], None]
    ) -> None:
        """Learn.

        Args:
            stopped: once true, it ends after the next minibatch.
            show: told the share done and the figures of each round: the cross-entropy
                `imitation/loss`, `imitation/agreement` (how often the best action is the
                teacher's best) and `imitation/value_loss`.
        """
        with ThreadPoolExecutor(1) as pool:
            coming = pool.submit(self._table.play, _frozen(self._network))
            while True:
                played = coming.result()
                self._memory.add(played)
                self.done += len(played.actions)
                share = min(1.0, self.done / self._decisions)
                if share < 1.0:
                    coming = pool.submit(self._table.play, _frozen(self._network))
                start, end = self._learning_rate
                for group in self.optimizer.param_groups:
                    group["lr"] = start + (end - start) * share
                show(share, self._learn(stopped))
                if share >= 1.0 or stopped():
                    return

    def _learn(self, stopped: Callable[[], bool]) -> dict[str, float]:
        """Take some steps of the optimiser; return their mean figures."""
        sums = np.zeros(3)
        done = 0
        for _ in range(self._minibatches):
            sums += self._step(self._memory.draw(self._batch, self._rng))
            done += 1
            if stopped():
                break
        names = ("imitation/loss", "imitation/agreement", "imitation/value_loss")
        return dict(zip(names, (sums / done).tolist(), strict=True))

    def _step(self, rows: np.ndarray) -> tuple[float, float, float]:
        """Learn from the decisions at `rows` of the memory; return the three figures."""
        network, memory = self._network, self._memory
        device = next(network.parameters()).device

        def tensor(values: np.ndarray) -> torch.Tensor:
            return torch.from_numpy(values).to(device)

        masks = np.unpackbits(memory.masks[rows], axis=1, count=ACTIONS)
        legal = Legal.of(tensor(masks.view(bool)))
        actions = tensor(memory.actions[rows].astype(np.int64))
        known = tensor(memory.known[rows].astype(np.float32))
        board, scalars = tensor(memory.board[rows]), tensor(memory.scalars[rows])
        logits, value = network.judge(board, scalars, legal)
        log_probs = log_softmax(logits, legal)[legal.places(actions)]
        losses = -(tensor(memory.wanted[rows]) * log_probs).sum(dim=1)
        weight = tensor(memory.weight[rows])
        loss = (weight * losses).sum() / weight.sum()
        errors = functional.mse_loss(value, tensor(memory.outcome[rows]), reduction="none")
        error = (known * errors).mean()
        self.optimizer.zero_grad()
        (loss + self._value_weight * error).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        self.optimizer.step()
        best, _ = sample(logits, legal, deterministic=True)
        agreement = (best == actions[:, 0].cpu()).float().mean().item()
        return losses.mean().item(), agreement, error.item() / max(known.mean().item(), 1e-9)


def _frozen(network: DuelNetwork) -> PolicyAgent:
    """Return an agent with the weights of now, for the other thread."""
    return PolicyAgent(copy.deepcopy(network).eval(), "learner")
