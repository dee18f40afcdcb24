"""Agents by the names used on the command line."""

from urllib.parse import parse_qsl

from ..errors import SolwarisError
from .base import Agent

SPEC_HELP = "random, greedy, or an ONNX file (policy.onnx, policy.onnx?temperature=0.5)"


def make_agent(spec: str, seed: int | None = None) -> Agent:
    """Return the agent that `spec` names.

    Args:
        spec: `random`, `greedy`, or the path of an `.onnx` file, which may end in
            `?temperature=T`: 0 (as without it) plays the best action, 1 samples the policy.
        seed: starts the agent's random stream.

    Raises:
        SolwarisError: no such agent, or its file is refused.
    """
    if spec == "random":
        from .random import RandomAgent

        return RandomAgent(seed)
    if spec == "greedy":
        from .greedy import GreedyAgent

        return GreedyAgent(seed)
    path, _, options = spec.partition("?")
    if path.endswith(".onnx"):
        from .onnx import OnnxAgent

        return OnnxAgent(path, temperature=_temperature(options), seed=seed)
    raise SolwarisError(f"unknown agent {spec!r}: expected {SPEC_HELP}")


def _temperature(options: str) -> float:
    """Read `temperature=T`; 0 without options."""
    try:
        values = dict(parse_qsl(options, strict_parsing=True)) if options else {}
        temperature = float(values.pop("temperature", 0))
    except ValueError:
        values = {options: ""}
    if values:
        raise SolwarisError(f"unknown option {options!r} of an ONNX agent: expected temperature=T")
    return temperature
