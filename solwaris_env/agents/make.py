"""Agents by the names used on the command line."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from ..errors import SolwarisError, blamed
from .base import Agent

if TYPE_CHECKING:
    from .onnx import OnnxAgent

SPEC_HELP = (
    "random, greedy, planner (planner:nodes=300, planner:ms=20, planner+policy.onnx), "
    "an ONNX file (policy.onnx, policy.onnx?temperature=0.5, policy.onnx?search=1000), "
    "or your own as module:attribute (my_agents:Cautious)"
)


def make_agent(spec: str, seed: int | None = None, threads: int | None = None) -> Agent:
    """Return the agent that `spec` names.

    Args:
        spec: `random`, `greedy`, `planner`, or the path of an `.onnx` file. It plays as the file
            says: at its temperature (0, as where it names none, plays the best action, 1 samples
            the policy), or guiding a planner where it names a number of trials. With
            `?temperature=T` it plays alone, at that one; with `?search=N` it guides a planner of
            N trials a decision, with `?search=0` none.
            `planner:nodes=N` or `planner:ms=M` bounds what a decision of the planner takes, and
            `+FILE.onnx` behind it lets a policy guide it, with `?trust=T&habit=H` if need be.
            `module:attribute` is imported, from the current folder too: an `Agent`, or a class
            or function that makes one when called without arguments.
        seed: starts the agent's random stream.
        threads: how many an ONNX agent may use; None: as many as its runtime likes.

    Raises:
        SolwarisError: no such agent, or its file is refused.
    """
    if spec == "random":
        from .random import RandomAgent

        return RandomAgent(seed)
    if spec == "greedy":
        from .greedy import GreedyAgent

        return GreedyAgent(seed)
    head, plus, policy = spec.partition("+")
    if head.partition(":")[0] == "planner":
        return _planner(head, policy if plus else None, seed, threads)
    path, _, options = spec.partition("?")
    if path.endswith(".onnx"):
        given = _numbers(
            options, ("temperature", "search"), "an ONNX agent: expected temperature=T or search=N"
        )
        if len(given) > 1:
            raise SolwarisError(f"agent {spec!r}: a search has no temperature, give one of them")
        return policy_agent(path, seed, threads, **given)
    module, colon, attribute = spec.partition(":")
    if colon:
        return _own_agent(spec, module, attribute, seed)
    raise SolwarisError(f"unknown agent {spec!r}: expected {SPEC_HELP}")


def policy_agent(
    path: str | os.PathLike,
    seed: int | None = None,
    threads: int | None = None,
    temperature: float | None = None,
    search: float | None = None,
) -> Agent:
    """Return the agent of the policy's file `path`, whatever its name.

    It plays as the file says, unless a temperature or trials of a search are given, one of them.

    Raises:
        SolwarisError: the file or what is given is refused.
    """
    from .onnx import OnnxAgent

    policy = OnnxAgent(path, temperature, seed, threads)
    if search is None:
        search = policy.search if temperature is None else 0
    return _searching(policy, search, seed) if search else policy


def _planner(head: str, policy: str | None, seed: int | None, threads: int | None) -> Agent:
    """Make a planner of `planner`, `planner:nodes=N` or `planner:ms=M`, and a policy's file."""
    _, colon, budget = head.partition(":")
    key, _, value = budget.partition("=")
    kinds = {"nodes": int, "ms": float}
    limits: dict[str, Any] = {}
    if colon:
        try:
            limits[key] = kinds[key](value)
        except (KeyError, ValueError):
            raise SolwarisError(
                f"agent {head!r}: expected planner:nodes=N or planner:ms=M, a number"
            ) from None
    if policy is None:
        from .planner import PlannerAgent

        return PlannerAgent(seed=seed, **limits)
    path, _, options = policy.partition("?")
    if not path.endswith(".onnx"):
        raise SolwarisError(f"agent {head}+{policy}: expected planner+FILE.onnx")
    shares = _numbers(
        options, ("trust", "habit"), "a guided planner: expected trust=T, habit=H or both"
    )
    from .onnx import OnnxAgent
    from .planner_guided import GuidedPlannerAgent

    policy_agent = OnnxAgent(path, seed=seed, threads=threads)
    return GuidedPlannerAgent(policy_agent, seed=seed, **limits, **shares)


def _searching(policy: OnnxAgent, nodes: float, seed: int | None) -> Agent:
    """Let a policy guide a planner under the policy's name."""
    from .planner_guided import GuidedPlannerAgent

    if not float(nodes).is_integer():
        raise SolwarisError(f"search must be a whole number of trials, got {nodes:g}")
    try:
        agent = GuidedPlannerAgent(policy, nodes=int(nodes), seed=seed)
    except SolwarisError as error:
        raise SolwarisError(f"{policy.name} cannot guide a search: {error}") from error
    agent.name = policy.name
    return agent


def _own_agent(spec: str, module_name: str, attribute: str, seed: int | None) -> Agent:
    """Import `module:attribute` and make an agent of it."""
    if not all(part.isidentifier() for part in (*module_name.split("."), attribute)):
        raise SolwarisError(f"unknown agent {spec!r}: expected {SPEC_HELP}")
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.insert(0, folder)  # stays: what is imported now may import more when it plays
    with blamed(f"agent {spec!r}: importing it failed"):
        try:
            module = importlib.import_module(module_name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
                raise  # the module is there, and misses another
            raise SolwarisError(
                f"agent {spec!r}: there is no module {error.name} here or among those installed"
            ) from error
    found = getattr(module, attribute, None)
    if found is None:
        near = difflib.get_close_matches(attribute, vars(module), n=1)
        hint = f", did you mean {near[0]}?" if near else ""
        raise SolwarisError(f"agent {spec!r}: {module_name} has no {attribute}{hint}")
    agent: Any = found
    if not isinstance(found, Agent) and callable(found):
        with blamed(f"agent {spec!r}: making it failed"):
            agent = found()
    if not isinstance(agent, Agent):
        raise SolwarisError(
            f"agent {spec!r}: expected an Agent or what makes one, got {type(agent).__name__}"
        )
    if not isinstance(getattr(agent, "name", None), str):
        raise SolwarisError(f"agent {spec!r}: it has no name, a text")
    with blamed(f"agent {spec!r}: resetting it failed"):
        agent.reset(seed)
    return agent


def _numbers(options: str, known: tuple[str, ...], of: str) -> dict[str, float]:
    """Read `key=number&...` of the `known` keys; empty without options. `of` ends the refusal."""
    try:
        values = dict(parse_qsl(options, strict_parsing=True)) if options else {}
        numbers = {key: float(values.pop(key)) for key in known if key in values}
    except ValueError:
        values = {options: ""}
    if values:
        raise SolwarisError(f"unknown option {options!r} of {of}")
    return numbers
