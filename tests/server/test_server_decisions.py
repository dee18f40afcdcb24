"""Decisions on views: legal, as the agent itself decides, with honest probabilities."""

import json
import threading

import numpy as np
import pytest
from play import lively
from serving import Served, actions_of

from solwaris_env.agents.onnx import OnnxAgent
from solwaris_env.client import ServerError
from solwaris_env.duel.codec import FORFEIT, decode, encode
from solwaris_env.duel.game import Duel
from solwaris_env.server.example import example_view
from solwaris_env.server.models import CheckedView, DecisionAnswer
from solwaris_env.server.opponents import find_opponents
from solwaris_env.server.views import view_data

FIRST = "checkpoints/first.onnx"


def views(seed: int, every: int = 9) -> list[tuple[Duel, dict]]:
    """Some moments of a random duel, and the acting seat's view as JSON."""
    rng = np.random.default_rng(seed)
    duel = Duel.new(seed, allow_forfeit=False, team_size=1 + seed % 2)
    found = []
    for ply in range(100):
        if duel.seat < 0:
            break
        if ply % every == 0 or duel.placing:
            found.append((duel.clone(), view_data(duel.look(duel.seat).known, duel.seat)))
        duel.apply(lively(duel.mask(), rng))
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_a_policy_decides_on_a_view_as_on_the_duel(served: Served, seed: int) -> None:
    agent = OnnxAgent(FIRST, 0, threads=1)
    with served.client() as client:
        for duel, data in views(seed):
            seen = duel.view(duel.seat)
            seen.action_mask[FORFEIT] = 0
            told = client.decide("first", data, alternatives=5, temperature=0)
            DecisionAnswer.model_validate_json(json.dumps(told))
            assert encode(told["action"]) == agent.act(seen)
            assert told["legal_actions"] == seen.action_mask.sum()
            observation = {name: part[None] for name, part in seen.observation.items()}
            logits, value = agent.logits_and_value(observation)
            legal = np.flatnonzero(seen.action_mask)
            shares = np.exp(logits[0, legal].astype(float) - logits[0, legal].max())
            shares /= shares.sum()
            best = np.sort(shares)[::-1][:5]
            named = [choice["probability"] for choice in told["alternatives"]]
            assert named == pytest.approx(best.tolist(), rel=1e-4)
            chosen = shares[legal == encode(told["action"])]
            assert told["probability"] == pytest.approx(chosen[0], rel=1e-4)
            # an estimate may overshoot what a duel can come to
            assert told["value"] == pytest.approx(np.clip(float(value[0]), -1, 1), abs=1e-4)


@pytest.mark.parametrize("opponent", ["random", "greedy", "planner", "first"])
def test_every_opponent_takes_a_legal_action(served: Served, opponent: str) -> None:
    with served.client() as client:
        for duel, data in views(4, 20):
            told = client.decide(opponent, data, alternatives=2, temperature=1.0)
            assert duel.mask()[encode(told["action"])], told
            legal = [decode(int(a), duel.placing) for a in np.flatnonzero(duel.mask())]
            assert told["alternatives"][0]["action"] in legal


@pytest.mark.parametrize("opponent", ["random", "greedy", "planner"])
def test_who_weighs_no_probabilities_tells_none(served: Served, opponent: str) -> None:
    with served.client() as client:
        told = client.decide(opponent, example_view(), alternatives=3, temperature=1.0)
        assert told["probability"] is None and told["value"] is None
        (only,) = told["alternatives"]
        assert only == {"action": told["action"], "text": told["text"], "probability": None}
        probabilities = {one["name"]: one["probabilities"] for one in client.opponents()}
        assert probabilities[opponent] is False and probabilities["first"] is True


def test_at_temperature_0_probabilities_are_those_at_1(served: Served) -> None:
    with served.client() as client:
        cold, usual, hot = (
            client.decide("first", example_view(), alternatives=50, temperature=temperature)
            for temperature in (0, 1, 4)
        )
    assert cold["alternatives"] == usual["alternatives"] != hot["alternatives"]
    assert max(c["probability"] for c in hot["alternatives"]) < cold["probability"]


def test_an_own_opponent_is_of_its_agent_s_kind() -> None:
    own = {
        "deep": "planner:nodes=90",
        "search": "checkpoints/first.onnx?search=60",
        "cold": "checkpoints/first.onnx?temperature=0",
        "simple": "greedy",
    }
    found = find_opponents(None, own)
    kinds = {name: found[name].kind for name in own}
    assert kinds == {"deep": "search", "search": "search", "cold": "policy", "simple": "scripted"}


def test_a_checked_view_tells_its_legal_actions(served: Served) -> None:
    with served.client() as client:
        for duel, data in views(5):
            told = client.check(data)
            CheckedView.model_validate_json(json.dumps(told))
            named = sorted(encode(action) for action in actions_of(told["legal"]))
            assert named == np.flatnonzero(duel.mask()).tolist()


def test_a_view_that_cannot_be_is_refused(served: Served) -> None:
    with served.client() as client:
        data = json.loads(json.dumps(example_view()))
        data["to_act"] = 1 - data["seat"]
        with pytest.raises(ServerError, match=r"view: to_act"):
            client.decide("greedy", data)
        data = json.loads(json.dumps(example_view()))
        data["heroes"][0]["class"] = "elf"
        with pytest.raises(ServerError, match=r"view\.heroes\[0\]\.class"):
            client.decide("greedy", data)
        with pytest.raises(ServerError, match="temperature"):
            client.decide("first", example_view(), temperature=-1)


def test_several_duels_share_a_batch(served: Served) -> None:
    """Sixteen ask at once while the first of them keeps the thread busy."""
    quick = served.host.course.quick
    data = example_view()

    def ask() -> None:
        with served.client() as client:
            for _ in range(5):
                client.decide("first", data)

    before = quick.decided, quick.batches
    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    decided, batches = quick.decided - before[0], quick.batches - before[1]
    assert decided == 80
    assert batches < decided
