"""The compact rollout buffer gives what sb3's own gives, in far less memory."""

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer

from training.buffer import CompactRolloutBuffer
from training.masked import Legal, NoLegalAction, evaluate, sample

STEPS, ENVS, ACTIONS = 6, 5, 43
SPACE = spaces.Dict(
    board=spaces.Box(-128, 127, (3, 4, 5), np.int8),
    scalars=spaces.Box(-np.inf, np.inf, (7,), np.float32),
)


def filled(kind: type, one_by_one: bool = False, **kwargs: object) -> MaskableDictRolloutBuffer:
    """A buffer of `kind` with the same random content every time."""
    rng = np.random.default_rng(3)
    buffer = kind(
        STEPS,
        SPACE,
        spaces.Discrete(ACTIONS),
        "cpu",
        gae_lambda=0.9,
        gamma=0.97,
        n_envs=ENVS,
        **kwargs,
    )
    buffer.reset()
    for step in range(STEPS):
        masks = rng.random((ENVS, ACTIONS)) < 0.4
        masks[:, 0] = True
        observation = {
            "board": rng.integers(-128, 128, (ENVS, 3, 4, 5)).astype(np.int8),
            "scalars": rng.standard_normal((ENVS, 7)).astype(np.float32),
        }
        actions = rng.integers(0, ACTIONS, (ENVS, 1))
        rewards = rng.standard_normal(ENVS).astype(np.float32)
        starts = rng.random(ENVS) < 0.2
        values = torch.from_numpy(rng.standard_normal((ENVS, 1)).astype(np.float32))
        log_probs = torch.from_numpy(rng.standard_normal(ENVS).astype(np.float32))
        if one_by_one:
            # one environment after the other, the rewards last of all
            for env in reversed(range(ENVS)):
                at, one = np.array([step]), np.array([env])
                some = {key: value[one] for key, value in observation.items()}
                buffer.put(
                    at, one, some, actions[one, 0], starts[one], values[one], log_probs[one],
                    masks[one],
                )  # fmt: skip
            buffer.settle(np.full(ENVS, step), np.arange(ENVS), rewards)
        else:
            buffer.add(observation, actions, rewards, starts, values, log_probs, action_masks=masks)
    last = torch.from_numpy(rng.standard_normal((ENVS, 1)).astype(np.float32))
    buffer.compute_returns_and_advantage(last, rng.random(ENVS) < 0.5)
    return buffer


def rows(samples: object) -> list[bytes]:
    """The decisions of a minibatch as bytes, in an order of their own."""
    arrays = [samples.observations["board"], samples.observations["scalars"], *samples[1:]]
    flat = [np.asarray(array, np.float32).reshape(len(array), -1) for array in arrays]
    return sorted(row.tobytes() for row in np.concatenate(flat, axis=1))


def test_compact_buffer_agrees_with_the_float_buffer() -> None:
    """The same decisions, returns, advantages and masks, in whatever order they come in."""
    (plain,) = filled(MaskableDictRolloutBuffer).get(None)
    for one_by_one in (False, True):
        (compact,) = filled(CompactRolloutBuffer, one_by_one).get(None)
        assert len(compact.actions) == STEPS * ENVS
        assert rows(compact) == rows(plain)


def test_minibatches_cover_every_decision_once() -> None:
    """Several passes over one rollout, each in another order."""
    buffer = filled(CompactRolloutBuffer, rng=np.random.default_rng(1))
    (whole,) = buffer.get(None)
    orders = []
    for _ in range(2):
        parts = list(buffer.get(7))
        assert [len(part.actions) for part in parts] == [7, 7, 7, 7, 2]
        orders.append(np.concatenate([part.advantages for part in parts]))
        assert sorted(orders[-1]) == sorted(whole.advantages.numpy())
    assert not np.array_equal(*orders)


def test_types_stay_small_until_the_network() -> None:
    """int8 boards, bool masks, packed in the buffer; reset keeps the memory."""
    buffer = filled(CompactRolloutBuffer)
    assert buffer.observations["board"].dtype == np.int8
    assert buffer.action_masks.shape == (STEPS, ENVS, (ACTIONS + 7) // 8)
    held = buffer.observations["board"]
    (samples,) = buffer.get(None)
    assert samples.observations["board"].dtype == torch.int8
    assert samples.action_masks.dtype == torch.bool
    before = buffer.nbytes
    buffer.reset()
    assert buffer.observations["board"] is held
    assert buffer.nbytes == before


def test_a_stop_ends_an_epoch_early() -> None:
    """At its second minibatch, as sb3 needs one."""
    buffer = filled(CompactRolloutBuffer, stopped=lambda: True)
    assert len(list(buffer.get(7))) == 1


def test_faults_of_use_are_refused() -> None:
    """A step without masks, and reading before the buffer is full."""
    buffer = filled(CompactRolloutBuffer)
    buffer.reset()
    with pytest.raises(ValueError, match="not full"):
        next(buffer.get(4))
    with pytest.raises(ValueError, match="action_masks"):
        buffer.add({}, None, None, None, None, None)


def random_masks(rng: np.random.Generator, count: int) -> np.ndarray:
    """Masks with one to many legal actions."""
    masks = rng.random((count, ACTIONS)) < rng.choice([0.02, 0.3, 0.9], (count, 1))
    masks[np.arange(count), rng.integers(0, ACTIONS, count)] = True
    return masks


def test_masked_softmax_agrees_with_the_dense_one() -> None:
    """Log probabilities, entropies and their gradients."""
    rng = np.random.default_rng(0)
    masks = torch.from_numpy(random_masks(rng, 60))
    legal = Legal.of(masks)
    start = torch.from_numpy(4 * rng.standard_normal((60, ACTIONS)).astype(np.float32))
    actions = torch.from_numpy(np.array([rng.choice(np.flatnonzero(row)) for row in masks]))
    gradients = []
    answers = []
    for sparse in (True, False):
        logits = start.clone().requires_grad_()
        if sparse:
            log_prob, entropy = evaluate(logits[masks], legal, actions)
        else:
            every = torch.log_softmax(logits.masked_fill(~masks, -1e8), dim=1)
            log_prob = every.gather(1, actions[:, None]).squeeze(1)
            entropy = -(every.exp() * every.masked_fill(~masks, 0)).sum(1)
        (log_prob * torch.arange(60) + 3 * entropy).sum().backward()
        answers.append(torch.stack((log_prob, entropy)).detach())
        gradients.append(logits.grad)
    torch.testing.assert_close(*answers, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(*gradients, atol=1e-4, rtol=1e-4)


def test_sampling_is_legal_and_follows_the_softmax() -> None:
    """Over 20,000 draws each frequency lies within five standard deviations."""
    torch.manual_seed(0)
    rng = np.random.default_rng(1)
    row = random_masks(rng, 8)[:1]
    logits = torch.from_numpy(rng.standard_normal((1, ACTIONS)).astype(np.float32))
    count = 20_000
    legal = Legal.of(row.repeat(count, axis=0))
    actions, log_prob = sample(logits[0, row[0]].repeat(count), legal)
    wanted = np.where(row[0], np.exp(logits.numpy()[0]), 0)
    wanted /= wanted.sum()
    seen = np.bincount(actions.numpy(), minlength=ACTIONS) / count
    assert (np.abs(seen - wanted) <= 5 * np.sqrt(wanted / count)).all()
    np.testing.assert_allclose(log_prob.exp().numpy(), wanted[actions.numpy()], rtol=1e-4)


def test_sampling_never_leaves_the_mask() -> None:
    """Many rows with few legal actions and extreme logits."""
    torch.manual_seed(0)
    rng = np.random.default_rng(2)
    masks = random_masks(rng, 5000)
    logits = torch.from_numpy(80 * rng.standard_normal((5000, ACTIONS)).astype(np.float32))
    for deterministic in (False, True):
        actions, _ = sample(logits[masks], Legal.of(masks), deterministic)
        assert masks[np.arange(5000), actions.numpy()].all()
    best = np.where(masks, logits.numpy(), -np.inf).argmax(axis=1)
    assert (actions.numpy() == best).all()


def test_equal_logits_give_the_lowest_index() -> None:
    """The rule for ties."""
    masks = np.zeros((1, ACTIONS), bool)
    masks[0, [5, 9, 30]] = True
    actions, _ = sample(torch.zeros(3), Legal.of(masks), deterministic=True)
    assert actions.item() == 5


def test_an_empty_mask_is_refused() -> None:
    """It would silently become a uniform distribution over illegal actions."""
    masks = np.ones((3, ACTIONS), bool)
    masks[1] = False
    for given in (masks, torch.from_numpy(masks)):
        with pytest.raises(NoLegalAction, match="row 1"):
            Legal.of(given)
