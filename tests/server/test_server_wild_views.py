"""Views that no duel would come to but that read: opponents decide on them all the same."""

import json

import numpy as np
import pytest
from play import lively, started

from solwaris_env.agents import make_agent
from solwaris_env.duel.content.loader import content
from solwaris_env.duel.engine.effects import LOSS_CAP
from solwaris_env.server.catalogue import catalogue
from solwaris_env.server.fields import MOST_POINTS, MOST_VALUE, View
from solwaris_env.server.rebuild import Looker, ViewError, known_of
from solwaris_env.server.views import view_data

OPPONENTS = ("greedy", "planner:nodes=300", "random")
KINDS = ("armour", "resistance", "power", "range", "poison", "anchor", "delayed", "bonus_power")


def distort(data: dict, rng: np.random.Generator) -> None:
    """Change a few things of a view, each within its own bounds and as a duel might have it."""
    playable = np.argwhere([[s == "." for s in row] for row in drawing(data["map"])]).tolist()
    for _ in range(int(rng.integers(1, 8))):
        entity = data["entities"][int(rng.integers(len(data["entities"])))]
        hero = data["heroes"][int(rng.integers(len(data["heroes"])))]
        foe = entity["camp"] != data["seat"] % 2
        change = int(rng.integers(9))
        if change == 0:
            points = str(rng.choice(("ap", "mp")))
            acts = entity["index"] == data["actor"]
            entity[points if acts else f"{points}_gain"] = int(rng.integers(MOST_POINTS + 1))
            entity[f"{points}_lost"] = int(rng.integers(entity[f"{points}_debt"], LOSS_CAP + 1))
        elif change == 1 and entity["hp"]:
            entity["hp"] = int(rng.integers(1, entity["max_hp"] + 1))
        elif change == 2 and entity["cell"]:
            entity["cell"] = playable[int(rng.integers(len(playable)))]
        elif change == 3:
            hero["cooldowns"][int(rng.integers(8))] = int(rng.integers(100))
            hero["used"][int(rng.integers(8))] = int(rng.integers(2))
        elif change == 4:
            kind = str(rng.choice(KINDS))
            least = -MOST_VALUE if kind in ("resistance", "power") else 0
            value = int(rng.integers(least, MOST_VALUE + 1))
            data["effects"].append(
                {
                    "kind": kind,
                    "target": entity["index"],
                    "source": hero["seat"],
                    "value": value,
                    "value2": int(rng.integers(value, MOST_VALUE + 1)),
                    "turns": int(rng.integers(1, 100)),
                }
            )
        elif change == 5:
            trap = content().traps[int(rng.integers(5))].id
            cell = playable[int(rng.integers(len(playable)))]
            turns = int(rng.integers(1, 9))
            data["traps"].append(
                {"kind": trap, "owner": data["seat"], "cell": cell, "turns": turns}
            )
        elif change == 6:
            rounds = 2 * data["team_size"]
            data["turn"] = data["turn"] % rounds + rounds * int(rng.integers(1, 40))
            data["camp_turns"] = data["next_camp"] = None
        elif change == 7:
            hero["turn_start"] = playable[int(rng.integers(len(playable)))]
            hero["variants"] = [bool(x) for x in rng.integers(2, size=9)]
        elif entity["hp"]:
            entity["invisible"] = True
            entity["cell"] = None if foe else entity["cell"]


def drawing(name: str) -> list[str]:
    """A map's terrain on the canvas."""
    return next(sheet["terrain"] for sheet in catalogue()["maps"] if sheet["id"] == name)


@pytest.mark.parametrize("part", range(3))
def test_opponents_decide_on_wild_views(part: int) -> None:
    rng = np.random.default_rng(part)
    agents = [make_agent(spec, 1) for spec in OPPONENTS]
    looker = Looker()
    decided = refused = 0
    for seed in range(40 * part, 40 * part + 40):
        duel = started(seed, int(rng.integers(8, 80)))
        if duel.seat < 0:
            continue
        base = view_data(duel.look(duel.seat).known, duel.seat)
        for _ in range(4):
            data = json.loads(json.dumps(base))
            distort(data, rng)
            try:
                known = known_of(View.model_validate(data))
                seen = looker.look(known, data["seat"])
            except ViewError:
                refused += 1
                continue
            for agent in agents:
                assert seen.action_mask[agent.act(seen)], data
            # and the rules go on from it: whoever searches does so
            state = duel.clone()
            state.buffers.states[:] = known
            state.refresh()
            for _ in range(30):
                if state.seat < 0:
                    break
                state.apply(lively(state.mask(), rng))
            decided += 1
    assert decided > 60, refused
