"""A complete view as an example, from a duel that everybody can play again."""

from functools import cache
from typing import Any

from ..agents.greedy import GreedyAgent
from ..duel.game import Duel
from .views import view_data

SEED, MAP, CLASSES, PLAYED = 85, "caveau", ["artificier", "brute"], 36


@cache
def example_view() -> dict[str, Any]:
    """The view of the seat that acts after some turns of two greedy opponents."""
    duel = Duel.new(SEED, map=MAP, classes=CLASSES, purses=[500, 300], stakes=0)
    agent = GreedyAgent(SEED)
    for _ in range(PLAYED):
        view = duel.view(duel.seat)
        duel.apply(agent.act(view))
    return view_data(duel.look(duel.seat).known, duel.seat)
