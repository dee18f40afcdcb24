"""Requests made up from the OpenAPI document: none may be answered with a 5xx."""

import contextlib
import random
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from serving import free_port, spawn

from solwaris_env.client import Client
from solwaris_env.server.models import ErrorAnswer

FEW, MANY = 20, 700


def fuzz(folder: Path, examples: int, *more: str) -> tuple[int, set[int]]:
    """Send so many requests to every address; how many in all, and the statuses met.

    The server has a process of its own: Python 3.11 can fail to parse sources in two
    threads at once, as numba does when it compiles and hypothesis when it generates.
    """
    process = spawn(folder / "log.sqlite", free_port(), folder / "log.txt", *more)
    rng = random.Random(1)
    statuses: set[int] = set()
    sent = 0
    with contextlib.ExitStack() as stack:
        stack.callback(process.kill)
        client = stack.enter_context(Client(process.address))
        schema = schemathesis.openapi.from_url(f"{process.address}/openapi.json")
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


def test_made_up_requests_are_answered(tmp_path: Path) -> None:
    sent, statuses = fuzz(tmp_path, FEW)
    assert sent > 200
    assert {200, 404, 422} <= statuses


@pytest.mark.slow
def test_ten_thousand_made_up_requests_are_answered(tmp_path: Path) -> None:
    sent, _ = fuzz(tmp_path, MANY, "--max-duels", "100000")
    assert sent >= 10_000
