"""The duel: everything a user of the environment needs, under one name."""

from typing import Any

from .agents.make import make_agent
from .duel.aec import env, raw_env
from .duel.game import Duel, IllegalAction, Outcome
from .duel.replay import Replay
from .duel.rewards import PotentialShaping
from .duel.single import SingleDuel
from .duel.vector import VectorDuel
from .duel.view import BatchView, SeatView, json_view
from .duel.wrappers import FlatObservation

__all__ = [
    "BatchView", "Duel", "FlatObservation", "IllegalAction", "Outcome", "PotentialShaping",
    "Replay", "SeatView", "SingleDuel", "VectorDuel", "env", "json_view", "make_agent",
    "raw_env", "single",
]  # fmt: skip


def single(opponent: Any = "random", **arguments: Any) -> SingleDuel:
    """`SingleDuel` with the opponent named ("random", "greedy", a model file) or given."""
    if isinstance(opponent, str):
        opponent = make_agent(opponent)
    if isinstance(arguments.get("ally"), str):
        arguments["ally"] = make_agent(arguments["ally"])
    return SingleDuel(opponent, **arguments)
