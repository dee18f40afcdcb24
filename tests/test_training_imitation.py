"""The warm start learns what a teacher does and what its duels come to."""

import numpy as np
import torch

from solwaris_env.agents.base import Agent, Ratings
from solwaris_env.duel.codec import ACTIONS, PASS
from solwaris_env.duel.vector import VectorDuel
from training.imitation import RATED, ROUND, Memory, Round, Table, WarmStart, shares_of, weights_of
from training.masked import Legal
from training.network import DuelNetwork, NetworkSize
from training.pool import PolicyAgent

SIZE = NetworkSize(8, 0, 32)


class Passer(Agent):
    """Passes where it may, otherwise takes the first legal action."""

    name = "passer"

    def act(self, view: object) -> int:
        raise NotImplementedError

    def act_batch(self, views: object) -> np.ndarray:
        masks = views.action_mask
        return np.where(masks[:, PASS], PASS, masks.argmax(axis=1))


def duels(count: int, seed: int = 0) -> VectorDuel:
    return VectorDuel(count, seed=seed, team_size=1, map="caveau", copy=False)


def warm_start(
    network: DuelNetwork, table: Table, decisions: int, passes: int, batch: int = 128
) -> WarmStart:
    return WarmStart(
        network,
        table,
        decisions,
        passes=passes,
        batch=batch,
        kept=4096,
        learning_rate=(3e-3, 1e-3),
        value_weight=0.5,
        rng=np.random.default_rng(2),
    )


def rounds(numbers: list[int], ended: list[tuple[int, float]]) -> Round:
    """A round whose decisions carry their own number as action."""
    k = len(numbers)
    return Round(
        np.zeros((k, *Memory(1).board.shape[1:]), np.int8),
        np.zeros((k, Memory(1).scalars.shape[1]), np.float32),
        np.zeros((k, (ACTIONS + 7) // 8), np.uint8),
        np.repeat(np.array(numbers, np.int16)[:, None], RATED, axis=1),
        np.ones((k, RATED), np.float32),
        np.ones(k, np.float32),
        ended,
    )


def test_memory_keeps_the_latest_and_gives_outcomes_to_their_decisions() -> None:
    """Of five decisions in a memory of three the last three stay; outcomes find their places."""
    memory = Memory(3)
    memory.add(rounds([0, 1, 2], []))
    assert not memory.known.any()
    # Decision 0 is forgotten in the same round that tells its outcome, 2 is not.
    memory.add(rounds([3, 4], [(0, 1.0), (2, -1.0), (4, 1.0)]))
    assert sorted(memory.actions[:, 0].tolist()) == [2, 3, 4]
    outcomes = {
        int(action): float(outcome)
        for action, outcome, known in zip(
            memory.actions[:, 0], memory.outcome, memory.known, strict=True
        )
        if known
    }
    assert outcomes == {2: -1.0, 4: 1.0}
    assert set(memory.draw(100, np.random.default_rng(0)).tolist()) == {0, 1, 2}


def test_labels_are_the_teachers_and_outcomes_the_camps() -> None:
    """Passing to the tour limit draws every duel: each of its decisions learns 0."""
    table = Table(duels(4), Passer(), 0.0, 0.0, 0.0, np.random.default_rng(0))
    learner = PolicyAgent(DuelNetwork(SIZE).eval(), "learner")
    memory = Memory(10_000)
    while not memory.known.any():
        memory.add(table.play(learner))
    masks = np.unpackbits(memory.masks[: memory.count], axis=1, count=ACTIONS).view(bool)
    actions = memory.actions[: memory.count, 0]
    assert masks[np.arange(memory.count), actions].all()
    assert (actions[masks[:, PASS]] == PASS).all()
    assert (memory.outcome[memory.known] == 0).all()
    assert memory.count % (4 * ROUND) == 0


def test_the_learner_wanders_and_the_label_stays_the_teachers() -> None:
    """With every decision played by the learner, fighters move although the teacher passes."""
    table = Table(duels(4, seed=2), Passer(), 1.0, 0.0, 0.0, np.random.default_rng(0))
    learner = PolicyAgent(DuelNetwork(SIZE).eval(), "learner")
    played = [table.play(learner) for _ in range(3)]
    boards = np.concatenate([r.board for r in played])
    actions = np.concatenate([r.actions[:, 0] for r in played])
    masks = np.unpackbits(played[-1].masks, axis=1, count=ACTIONS).view(bool)
    assert (actions[-len(masks) :][masks[:, PASS]] == PASS).all()
    assert len(np.unique(boards.reshape(len(boards), -1), axis=0)) > len(boards) / 2


def test_network_learns_to_pass() -> None:
    """A teacher who passes is imitated, nearly always, after a few rounds."""
    torch.manual_seed(0)
    network = DuelNetwork(SIZE)
    seen: list[dict[str, float]] = []
    shares: list[float] = []

    def show(share: float, figures: dict[str, float]) -> None:
        shares.append(share)
        seen.append(figures)

    table = Table(duels(32), Passer(), 0.25, 0.0, 0.0, np.random.default_rng(1))
    start = warm_start(network, table, 4 * 32 * ROUND, 4)
    start.run(lambda: False, show)
    assert start.done == 4 * 32 * ROUND
    assert shares == [0.25, 0.5, 0.75, 1.0]
    assert seen[-1]["imitation/agreement"] > 0.9 > seen[0]["imitation/agreement"]
    assert seen[-1]["imitation/loss"] < 0.5 * seen[0]["imitation/loss"]


def test_stopping_ends_at_the_next_minibatch() -> None:
    """Ctrl-C waits for one minibatch and one round of the teacher, no more."""
    shares: list[float] = []
    table = Table(duels(4), Passer(), 0.0, 0.0, 0.0, np.random.default_rng(1))
    start = warm_start(DuelNetwork(SIZE), table, 10**9, 4, batch=16)
    start.run(lambda: True, lambda share, figures: shares.append(share))
    assert len(shares) == 1


def test_worse_actions_are_wanted_less() -> None:
    """3 hit points less at a spread of 3: 1/e as much. Unrated ones not at all, even if first."""
    ratings = Ratings(
        np.array([7, 5]),
        np.array([[9, 7, 0], [5, 0, 0]]),
        np.array([[2.0, 5.0, -np.inf], [-40.0, -np.inf, -np.inf]]),
    )
    actions, shares = shares_of(ratings, 3.0)
    assert actions.shape == shares.shape == (2, RATED)
    assert actions[0, :2].tolist() == [7, 9]
    e = np.exp(-1.0)
    assert np.allclose(shares[0, :3], [1 / (1 + e), e / (1 + e), 0])
    assert actions[1, 0] == 5
    assert np.allclose(shares[1], [1] + [0] * (RATED - 1))
    actions, shares = shares_of(ratings, 0.0)
    assert actions[:, 0].tolist() == [7, 5]
    assert (shares[:, 0] == 1).all()
    assert (shares[:, 1:] == 0).all()


def test_what_is_at_stake_weighs() -> None:
    """Others 10 hit points worse on average at stakes of 5: 1 + 10 / 5; 100 worse count as 40.

    One alone weighs the mean of those compared, (3 + 9) / 2; where none is, and at 0, 1.
    """
    inf = np.inf
    worth = np.array([[5.0, 0, -10], [50, -50, -inf], [7, -inf, -inf]])
    ratings = Ratings(np.zeros(3, int), np.zeros((3, 3), int), worth)
    assert weights_of(ratings, 5.0).tolist() == [3, 9, 6]
    assert weights_of(ratings, 0.0).tolist() == [1, 1, 1]
    alone = Ratings(np.zeros(1, int), np.zeros((1, 3), int), worth[2:])
    assert weights_of(alone, 5.0).tolist() == [1]


def test_a_heavier_decision_is_learned_first() -> None:
    """Two decisions alike but for their labels, one weighing 9 times: its action is wanted 9 to 1.

    The weighted cross-entropy is least where the policy is (0.9, 0.1).
    """
    torch.manual_seed(0)
    batch = duels(1)
    first, other = np.flatnonzero(batch.action_mask[0])[:2]
    played = rounds([int(first), int(other)], [])
    played.board[:], played.scalars[:] = batch.board[0], batch.scalars[0]
    masks = np.zeros((2, ACTIONS), bool)
    masks[:, [first, other]] = True
    played.masks[:] = np.packbits(masks, axis=1)
    played.wanted[:, 1:] = 0
    played.weight[:] = 9, 1

    class Again(Table):
        def play(self, learner: PolicyAgent) -> Round:
            return played

    network = DuelNetwork(SIZE)
    table = Again(duels(1), Passer(), 0.0, 0.0, 0.0, np.random.default_rng(1))
    start = WarmStart(
        network, table, 200, passes=16, batch=256, kept=2, learning_rate=(3e-3, 1e-3),
        value_weight=0.5, rng=np.random.default_rng(2),
    )  # fmt: skip
    start.run(lambda: False, lambda share, figures: None)
    with torch.inference_mode():
        legal = Legal.of(masks[:1])
        logits, _ = network.judge(
            torch.from_numpy(played.board[:1]), torch.from_numpy(played.scalars[:1]), legal
        )
    assert abs(float(logits.softmax(0)[0]) - 0.9) < 0.05


def test_the_network_learns_shares() -> None:
    """Two actions wanted 3 to 1 are chosen 3 to 1: the cross-entropy falls to their entropy."""
    torch.manual_seed(0)

    class Torn(Passer):
        def rate_batch(self, views: object) -> Ratings:
            passes = self.act_batch(views)
            other = views.action_mask.argmax(axis=1)
            worth = np.where(other == passes, -np.inf, -np.log(3.0))
            return Ratings(
                passes,
                np.stack((passes, other), axis=1),
                np.stack((np.zeros(len(views)), worth), axis=1),
            )

    seen: list[dict[str, float]] = []
    table = Table(duels(32), Torn(), 0.25, 1.0, 0.0, np.random.default_rng(1))
    start = warm_start(DuelNetwork(SIZE), table, 8 * 32 * ROUND, 8)
    start.run(lambda: False, lambda share, figures: seen.append(figures))
    entropy = 0.75 * np.log(4 / 3) + 0.25 * np.log(4)
    assert seen[-1]["imitation/loss"] < entropy + 0.35
