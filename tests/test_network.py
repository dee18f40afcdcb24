"""The network says the same of the legal actions alone as of all, and of the value alone."""

import numpy as np
import torch

from solwaris_env.agents.random import pick_uniform
from solwaris_env.duel.vector import VectorDuel
from training.masked import Legal
from training.network import LIMIT, DuelNetwork, NetworkSize

DUELS = 24


def decisions(team_size: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Boards, scalars and masks of duels on every map, from placement to the midst of a fight."""
    rng = np.random.default_rng(team_size)
    batch = VectorDuel(DUELS, seed=team_size, team_size=team_size)
    boards, scalars, masks = [], [], []
    for step in range(60):
        if step % 6 == 0:
            boards.append(batch.board.copy())
            scalars.append(batch.scalars.copy())
            masks.append(batch.action_mask.astype(bool))
        batch.step(pick_uniform(batch.action_mask.astype(bool), rng))
    return tuple(torch.from_numpy(np.concatenate(part)) for part in (boards, scalars, masks))


def trained() -> DuelNetwork:
    """A network with weights of some size everywhere, biases too."""
    torch.manual_seed(0)
    network = DuelNetwork(NetworkSize(8, 2, 24))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(0, 0.15)
    return network


def test_legal_actions_alone_have_the_logits_they_have_among_all() -> None:
    """Logits, values and gradients, 1v1 and 2v2; what agrees to rounding may not be chance."""
    for team_size in (1, 2):
        board, scalars, masks = decisions(team_size)
        legal = Legal.of(masks)
        weight = torch.linspace(-1, 1, len(legal.row))
        answers, gradients = [], []
        for alone in (True, False):
            network = trained()
            if alone:
                logits, value = network.judge(board, scalars, legal)
            else:
                logits, value = network(board, scalars)
                logits = logits[masks]
            ((logits * weight).sum() + value.sum()).backward()
            answers.append((logits.detach(), value.detach()))
            gradients.append([parameter.grad for parameter in network.parameters()])
        (some, value), (every, whole) = answers
        assert every.std() > 0.1
        assert whole.std() > 0.01
        torch.testing.assert_close(some, every, atol=1e-4, rtol=1e-5)
        torch.testing.assert_close(value, whole, atol=1e-4, rtol=1e-5)
        for got, wanted in zip(*gradients, strict=True):
            torch.testing.assert_close(got, wanted, atol=2e-3 * float(wanted.abs().max()), rtol=0.0)


def test_value_alone_is_the_value() -> None:
    """Without any action, for the bootstrap at a rollout's end."""
    board, scalars, _ = decisions(1)
    network = trained()
    with torch.no_grad():
        torch.testing.assert_close(
            network.values(board, scalars), network(board, scalars)[1], atol=1e-4, rtol=1e-5
        )


def test_one_observation_is_judged_as_among_many() -> None:
    """Nothing of one row reaches another."""
    board, scalars, masks = decisions(2)
    network = trained()
    with torch.no_grad():
        logits, value = network.judge(board, scalars, Legal.of(masks))
        for row in (0, 37, len(board) - 1):
            alone, worth = network.judge(
                board[row : row + 1], scalars[row : row + 1], Legal.of(masks[row : row + 1])
            )
            before = int(masks[:row].sum())
            torch.testing.assert_close(
                alone, logits[before : before + len(alone)], atol=1e-4, rtol=1e-5
            )
            torch.testing.assert_close(worth, value[row : row + 1], atol=1e-4, rtol=1e-5)


def test_half_the_temperature_doubles_the_logits_before_they_are_bent() -> None:
    """Of all actions; the value stays."""
    board, scalars, _ = decisions(1)
    network = trained()
    with torch.no_grad():
        before, value = network(board, scalars)
        network.temper(0.5)
        after, same = network(board, scalars)
    assert before.std() > 0.1
    straight = [
        LIMIT * torch.atanh((bent - network.preference).double() / LIMIT)
        for bent in (before, after)
    ]
    torch.testing.assert_close(straight[1], 2 * straight[0], atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(same, value)
