"""What a seat, a spectator or a replay shows of a duel, as JSON."""

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from ..duel.batch import traits
from ..duel.codec import FORFEIT, PASS, RAISE
from ..duel.content.loader import RULES_VERSION, content, rulebook
from ..duel.content.schema import CELLS, SLOTS, WIDTH, Bonus, Shape
from ..duel.engine.displacement import BONUS_SPELL
from ..duel.engine.effects import TRAP_SPELL
from ..duel.engine.state import (
    ENTITY,
    HERO,
    MAX_ENTITIES,
    STATE,
    SUMMON_BASE,
    Phase,
    Termination,
    Timed,
    Until,
)
from ..duel.game import Duel
from ..duel.kinds import sheet_of
from ..duel.view import SeatView
from .fields import VIEW_SCHEMA, VIEW_VERSION

_TOP = list(STATE.names[: STATE.names.index("hero")])


def cell_of(index: int) -> list[int] | None:
    """[row, column] of a cell's index, None for no cell."""
    return [index // WIDTH, index % WIDTH] if index >= 0 else None


def cells_of(flags: np.ndarray) -> list[list[int]]:
    """[row, column] of every cell set in `flags`, (CELLS,)."""
    return np.stack(np.divmod(np.flatnonzero(flags), WIDTH), axis=1).tolist()


def cause_of(spell: int) -> str | None:
    """Name of what laid an effect or was cast: a spell's id, trap:ID, bonus, or None."""
    book = content()
    if spell < len(book.spells):
        return book.spells[spell].id
    if TRAP_SPELL < spell <= TRAP_SPELL + len(book.traps):
        return f"trap:{book.traps[spell - TRAP_SPELL - 1].id}"
    return "bonus" if spell == BONUS_SPELL else None


def spectator_known(duel: Duel) -> np.ndarray:
    """(1,) STATE with only what both camps know; nothing but placements is hidden once over."""
    merged = duel.look(0).known.copy()
    other = duel.look(1).known[0]
    known = merged[0]
    hidden = (other.entity["cell"] < 0) & (known.entity["cell"] >= 0)
    known.occupant[known.entity["cell"][hidden]] = -1
    known.entity["cell"][hidden] = -1
    known.hero["start_cell"][other.hero["start_cell"] < 0] = -1
    if known.phase != Phase.OVER:
        known.trap[:] = np.zeros_like(known.trap)
        known.trap_count = 0
    return merged


def open_known(duel: Duel) -> np.ndarray:
    """(1,) STATE of a finished duel or a replay, with nothing hidden but the generator."""
    known = duel.buffers.states.copy()
    known["rng"] = 0
    return known


def view_data(known: np.ndarray, seat: int | None) -> dict[str, Any]:
    """The JSON view of a (1,) known STATE; `seat` says whose it is, None a spectator's."""
    # plain tuples are read much faster than the fields of records
    k = dict(zip(_TOP, known[_TOP].tolist()[0], strict=True))
    book = content()
    phase, turn = k["phase"], k["turn"]
    seats = 2 * k["team_size"]
    effects = _effects(known, k["timed_count"])
    heroes = [_plain(row, HERO) for row in known["hero"][0, :seats].tolist()]
    return {
        "schema": VIEW_SCHEMA,
        "version": VIEW_VERSION,
        "rules": RULES_VERSION,
        "seat": seat,
        "phase": Phase(phase).name.lower(),
        "map": book.maps[k["map"]].id,
        "team_size": k["team_size"],
        "stakes": k["stakes"],
        "to_act": _or_none(k["seat"]),
        "actor": _or_none(k["actor"]),
        "turn": turn,
        "tour": (turn - 1) // seats + 1 if turn else 0,
        "camp_turns": k["camp_turn"].tolist(),
        "next_camp": _or_none(k["next_camp"]),
        "first_camp": _or_none(_first_camp(k)),
        "auction": {
            "drawn_camp": k["drawn_camp"],
            "price": k["price"],
            "bidder": _or_none(k["bidder"]),
        },
        "winner": _or_none(k["winner"]),
        "termination": Termination(k["termination"]).name.lower() if phase == Phase.OVER else None,
        "quitter": _or_none(k["quitter"]),
        "heroes": [_hero(hero, number) for number, hero in enumerate(heroes)],
        "entities": _entities(known, k, heroes, effects),
        "effects": effects,
        "traps": _traps(known, k["trap_count"], k["map"]),
        "bonuses": [
            {"kind": Bonus(kind).name.lower(), "cell": cell_of(cell)}
            for kind, _, cell in known["bonus"][0].tolist()
            if kind != 0
        ],
    }


def _plain(row: tuple, of: np.dtype) -> dict[str, Any]:
    """A record's fields by name."""
    return dict(zip(of.names, row, strict=True))


def _first_camp(k: dict[str, Any]) -> int:
    """Camp that plays first, in the auction as it stands; -1 before."""
    return k["bidder"] if k["phase"] == Phase.AUCTION and k["bidder"] >= 0 else k["first_camp"]


def _or_none(number: int) -> int | None:
    return number if number >= 0 else None


def _hero(h: dict[str, Any], seat: int) -> dict[str, Any]:
    book = content()
    sheet = book.classes[h["cls"]]
    variants = [bool(h["loadout"] >> i & 1) for i in range(SLOTS + 1)]
    return {
        "seat": seat,
        "class": sheet.id,
        "variants": variants,
        "placed": bool(h["placed"]),
        "purse": h["purse"],
        "cooldowns": h["cooldown"].tolist(),
        "used": h["used"].tolist(),
        "turn_start": cell_of(h["start_cell"]),
        "carried_ap": h["carried"],
        "earned_ap": h["clockwork"],
        "spells": [book.spells[number].id for number in h["spell"].tolist()],
        "passive": sheet.passives[variants[-1]].id,
    }


def _effects(known: np.ndarray, count: int) -> list[dict[str, Any]]:
    return [
        {
            "kind": Timed(kind).name.lower(),
            "target": target,
            "source": source,
            "value": value,
            "value2": value2,
            "turns": turns,
            "until": Until(until).name.lower(),
            "cause": cause_of(spell),
        }
        for kind, target, source, until, spell, turns, value, value2 in known["timed"][
            0, :count
        ].tolist()
        if kind != Timed.NONE
    ]


def _entities(
    known: np.ndarray,
    k: dict[str, Any],
    heroes: list[dict[str, Any]],
    effects: list[dict[str, Any]],
) -> list[dict[str, Any]]:
    values = np.zeros((MAX_ENTITIES, 2), np.int64)
    traits(known, rulebook(), values)
    shown = values.tolist()
    sums: Counter[tuple[str, int]] = Counter()
    for effect in effects:
        sums[effect["kind"], effect["target"]] += effect["value"]
    found = []
    rows = known["entity"][0, : k["entities"]].tolist()
    for index, row in enumerate(rows):
        e = _plain(row, ENTITY)
        if e["kind"] == 0:
            continue
        hero = e["kind"] < SUMMON_BASE
        sheet = sheet_of(e["kind"])
        kept = heroes[index]["carried"] + heroes[index]["clockwork"] if hero else 0
        acts = index == k["actor"]
        # what a turn will begin with, as `points_in_view` has it (R4)
        ap = e["ap"] if acts else max(0, sheet.ap + kept + e["ap_gain"] - e["ap_debt"])
        mp = e["mp"] if acts else max(0, sheet.mp + e["mp_gain"] - e["mp_debt"])
        found.append(
            {
                "index": index,
                "kind": "hero" if hero else sheet.id,
                "class": sheet.id if hero else None,
                "camp": e["camp"],
                "owner": e["owner"],
                "cell": cell_of(e["cell"]),
                "hp": e["hp"],
                "max_hp": e["max_hp"],
                # who fell as his turn began keeps in the record what it gave him
                "ap": e["ap"] if acts else 0,
                "mp": e["mp"] if acts else 0,
                "ap_lost": e["ap_lost"],
                "mp_lost": e["mp_lost"],
                "ap_debt": e["ap_debt"],
                "mp_debt": e["mp_debt"],
                "ap_gain": e["ap_gain"],
                "mp_gain": e["mp_gain"],
                "forced": bool(e["forced"]),
                "invisible": bool(e["invisible"]),
                "serial": e["serial"],
                "shown": {
                    "alive": e["hp"] > 0,
                    "ap": ap,
                    "mp": mp,
                    "armour": sums["armour", index],
                    "resistance": shown[index][0],
                    "power": shown[index][1],
                    "range": sums["range", index],
                },
            }
        )
    return found


@cache
def _trap_area(kind: int, centre: int, map_number: int) -> list[list[int]]:
    """Playable cells that spring a trap."""
    area = content().traps[kind - 1].area
    rows, columns = np.divmod(np.arange(CELLS), WIDTH)
    down, right = abs(rows - centre // WIDTH), abs(columns - centre % WIDTH)
    covered = {
        Shape.CIRCLE: down + right <= area.size,
        Shape.CROSS: ((down == 0) | (right == 0)) & (down + right <= area.size),
        Shape.DIAGONAL: (down == right) & (down <= area.size),
    }[area.shape]
    return cells_of(covered & (rulebook()[0].maps[map_number].playable != 0))


def _traps(known: np.ndarray, count: int, map_number: int) -> list[dict[str, Any]]:
    book = content()
    return [
        {
            "kind": book.traps[kind - 1].id,
            "owner": owner,
            "cell": cell_of(cell),
            "turns": turns,
            "area": _trap_area(kind, cell, map_number),
        }
        for kind, owner, _, turns, cell in known["trap"][0, :count].tolist()
    ]


def legal_data(mask: np.ndarray, placing: bool) -> dict[str, Any]:
    """The legal actions of a mask, uint8 (ACTIONS,), as JSON."""
    slots, cells = np.divmod(np.flatnonzero(mask[:PASS]), CELLS)
    named = np.stack(np.divmod(cells, WIDTH), axis=1).tolist()
    ends = np.searchsorted(slots, np.arange(SLOTS + 2)).tolist()
    *cast, ground = (named[low:high] for low, high in pairwise(ends))
    return {
        "go": [] if placing else ground,
        "place": ground if placing else [],
        "cast": cast,
        "pass": bool(mask[PASS]),
        "raise": bool(mask[RAISE]),
        "forfeit": bool(mask[FORFEIT]),
    }


def bot_view(duel: Duel, seat: int) -> SeatView:
    """What a seat of a hosted duel sees, for an opponent that never gives up."""
    view = duel.view(seat)
    view.action_mask[FORFEIT] = 0
    return view
