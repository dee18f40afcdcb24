"""Whether a record from outside can be a duel: compiled code trusts every index in it."""

import numpy as np

from .content.schema import (
    CELLS,
    CLASS_COUNT,
    MAP_COUNT,
    NO_SPELL,
    SUMMON_COUNT,
    TRAP_COUNT,
    Bonus,
    Passive,
)
from .engine.state import (
    HEROES,
    MAX_ENTITIES,
    MAX_TIMED,
    MAX_TRAPS,
    SUMMON_BASE,
    Phase,
    Termination,
    Timed,
    Until,
)

# field -> (lowest, highest) of each part
_BOUNDS = {
    "": {
        "phase": (0, max(Phase)),
        "map": (0, MAP_COUNT - 1),
        "team_size": (1, 2),
        "seat": (-1, HEROES - 1),
        "actor": (-1, MAX_ENTITIES - 1),
        "first_camp": (-1, 1),
        "drawn_camp": (0, 1),
        "bidder": (-1, 1),
        "winner": (-1, 1),
        "termination": (0, max(Termination)),
        "quitter": (-1, 1),
        "trap_count": (0, MAX_TRAPS),
        "timed_count": (0, MAX_TIMED),
        "next_camp": (-1, 1),
        "entities": (HEROES, MAX_ENTITIES),
        "turn": (0, 1 << 20),
        "camp_turn": (0, 1 << 20),
        "price": (0, 1 << 30),
    },
    "hero": {
        "cls": (0, CLASS_COUNT - 1),
        "passive": (0, max(Passive)),
        "spell": (0, NO_SPELL - 1),
        "start_cell": (-1, CELLS - 1),
    },
    "entity": {
        "kind": (0, SUMMON_BASE + SUMMON_COUNT - 1),
        "camp": (0, 1),
        "owner": (0, HEROES - 1),
        "cell": (-1, CELLS - 1),
        "hp": (0, 1 << 20),
        "max_hp": (0, 1 << 20),
    },
    "bonus": {"kind": (0, max(Bonus)), "cell": (-1, CELLS - 1)},
    "trap": {
        "kind": (0, TRAP_COUNT),
        "owner": (0, HEROES - 1),
        "camp": (0, 1),
        "cell": (0, CELLS - 1),
    },
    "timed": {
        "kind": (0, max(Timed)),
        "target": (0, MAX_ENTITIES - 1),
        "source": (0, HEROES - 1),
        "until": (0, max(Until)),
    },
}


def find_fault(state: np.ndarray, rules: np.ndarray) -> str | None:
    """What makes a (1,) STATE no duel of the (1,) RULEBOOK, in words; None if nothing does."""
    for part, fields in _BOUNDS.items():
        here = state[part][0] if part else state
        for field, (low, high) in fields.items():
            values = here[field]
            if values.min() < low or values.max() > high:
                name = f"{part}.{field}" if part else field
                return f"{name} is not between {int(low)} and {int(high)}"
    if state["hero"]["spell"].max() >= len(rules["spell"][0]):
        return "hero.spell names no spell"
    seats = 2 * int(state["team_size"][0])
    entity = state["entity"][0]
    kinds = entity["kind"]
    if (kinds[:seats] != 1 + state["hero"]["cls"][0, :seats]).any() or kinds[seats:HEROES].any():
        return "the heroes are not those of its classes"
    if ((kinds[HEROES:] != 0) & (kinds[HEROES:] <= SUMMON_BASE)).any():
        return "a hero stands among the summons"
    if (entity["max_hp"][kinds != 0] < 1).any():
        return "an entity has no hit points to lose"
    if (entity["camp"][:seats] != np.arange(seats) % 2).any():
        return "a hero is in the wrong camp"
    if (entity["owner"][:seats] != np.arange(seats)).any():
        return "a hero is not its own"
    if kinds[int(state["entities"][0]) :].any():
        return "an entity stands past the last place in use"
    return _find_misplaced(state, rules, seats)


def _find_misplaced(state: np.ndarray, rules: np.ndarray, seats: int) -> str | None:
    entity = state["entity"][0]
    grid = rules["maps"][0, int(state["map"][0])]
    occupant = np.full(CELLS, -1, np.int8)
    for index in np.flatnonzero((entity["kind"] != 0) & (entity["cell"] >= 0)):
        cell = int(entity["cell"][index])
        if not grid["playable"][cell]:
            return f"entity {index} stands where nobody can"
        if occupant[cell] >= 0:
            return f"entity {index} stands where another one stands"
        occupant[cell] = index
    if (occupant != state["occupant"][0]).any():
        return "its cells and its entities disagree"
    phase, seat, actor = (int(state[name][0]) for name in ("phase", "seat", "actor"))
    if phase == Phase.OVER:
        return None if seat == -1 and actor == -1 else "it is over and somebody acts"
    if not 0 <= seat < seats:
        return "nobody is to act"
    if phase == Phase.FIGHT:
        if actor < 0 or entity["kind"][actor] == 0 or entity["cell"][actor] < 0:
            return "who acts is not on the board"
        if int(entity["owner"][actor]) != seat:
            return "who acts is not the seat's"
    return None
