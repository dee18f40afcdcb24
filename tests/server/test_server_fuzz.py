"""Requests made up from the OpenAPI document: none may be answered with a 5xx."""

import random

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from serving import Served, serving

from solwaris_env.server.models import ErrorAnswer

FEW, MANY = 20, 700
METHODS = ("get", "post")


def fuzz(served: Served, examples: int) -> tuple[int, set[int]]:
    """Send so many requests to every address; how many in all, and the statuses met."""
    schema = schemathesis.openapi.from_url(f"{served.address}/openapi.json")
    rng = random.Random(1)
    statuses: set[int] = set()
    sent = 0
    with served.client() as client:
        duels = [
            client.create([{}, {"player": "random"}], clocks=False),
            client.create([{"player": "random"}, {"player": "greedy"}], clocks=False, seed=3),
        ]
        for found in schema.get_all_operations():
            operation = found.ok()

            @settings(
                max_examples=examples,
                deadline=None,
                database=None,
                derandomize=True,
                phases=(Phase.explicit, Phase.generate),
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy())
            def check(case: schemathesis.Case) -> None:
                nonlocal sent
                if "duel" in (case.path_parameters or {}) and rng.random() < 0.7:
                    duel = rng.choice(duels)
                    case.path_parameters["duel"] = duel.name
                    if duel.secrets[0] is not None and rng.random() < 0.7:
                        case.headers["Authorization"] = f"Bearer {duel.secrets[0]}"
                answer = case.call()
                sent += 1
                statuses.add(answer.status_code)
                assert answer.status_code < 500, answer.text
                if answer.status_code >= 400:
                    ErrorAnswer.model_validate_json(answer.content)

            check()
    return sent, statuses


def test_made_up_requests_are_answered(served: Served) -> None:
    sent, statuses = fuzz(served, FEW)
    assert sent > 200
    assert {200, 404, 422} <= statuses


@pytest.mark.slow
def test_ten_thousand_made_up_requests_are_answered() -> None:
    with serving(max_duels=100_000) as served:
        sent, _ = fuzz(served, MANY)
    assert sent >= 10_000
