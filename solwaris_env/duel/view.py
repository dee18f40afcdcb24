"""What a seat may know, in the forms that agents, drawings and frontends take.

All are computed from the known state (`engine.known`): nothing here reads the duel itself
but its finished outcome and the events this camp may hear of.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .batch import traits
from .codec import ACTIONS, FORFEIT, GO, PASS, RAISE
from .content.loader import RULES_VERSION, content, rulebook
from .content.schema import CELLS, HEIGHT, SLOTS, WIDTH, Bonus, Terrain
from .engine import geometry
from .engine.state import MAX_ENTITIES, SUMMON_BASE, Phase, Timed
from .engine.turns import tour
from .game import Duel
from .kinds import sheet_of
from .log import sentences
from .observation import BOARD_SHAPE, points_in_view

_TERRAIN_SIGNS = {
    Terrain.VOID: " ", Terrain.FLOOR: ".", Terrain.WALL: "W", Terrain.HEDGE: "H",
    Terrain.CRATE: "C", Terrain.ROCK: "R", Terrain.VAULT: "V",
}  # fmt: skip


@dataclass(frozen=True)
class SeatView:
    """What one seat knows.

    `known`: STATE record; `observation`: {"board": int8 (C, H, W), "scalars": float32 (K,)};
    `action_mask`: uint8 (A,), all zero unless the seat is to act; `seat`: 0 to 3; `rules`:
    (1,) RULEBOOK of the duel.
    """

    known: np.record
    observation: dict[str, np.ndarray]
    action_mask: np.ndarray
    seat: int
    rules: np.ndarray = field(default_factory=rulebook)


@dataclass(frozen=True)
class BatchView:
    """What n acting seats know: the fields of `SeatView` with a leading axis n, same rules."""

    known: np.ndarray
    observation: dict[str, np.ndarray]
    action_mask: np.ndarray
    seat: np.ndarray
    rules: np.ndarray = field(default_factory=rulebook)

    def __len__(self) -> int:
        return len(self.seat)

    def row(self, index: int) -> SeatView:
        """What one of the seats knows: views into these arrays, the mask as a seat gets it."""
        return SeatView(
            self.known[index],
            {name: part[index] for name, part in self.observation.items()},
            self.action_mask[index].view(np.uint8),
            int(self.seat[index]),
            self.rules,
        )

    @classmethod
    def of(cls, view: SeatView) -> "BatchView":
        """A batch of one."""
        known = np.empty(1, view.known.dtype)
        known[0] = view.known
        return cls(
            known,
            {name: part[None] for name, part in view.observation.items()},
            view.action_mask[None],
            np.array([view.seat], np.int8),
            view.rules,
        )


def seat_view(duel: Duel, seat: int) -> SeatView:
    """What a seat of the duel knows now (copies)."""
    eyes = duel.look(seat)
    board, scalars = eyes.board[0].reshape(BOARD_SHAPE).copy(), eyes.scalars[0].copy()
    mask = eyes.mask[0, :ACTIONS].copy()
    observation = {"board": board, "scalars": scalars}
    return SeatView(eyes.known.copy()[0], observation, mask, seat, duel.rules)


def _cell(index: int) -> list[int] | None:
    return [int(index) // WIDTH, int(index) % WIDTH] if index >= 0 else None


def _cells(flags: np.ndarray) -> list[list[int]]:
    return [[int(c) // WIDTH, int(c) % WIDTH] for c in np.flatnonzero(flags)]


def _seats(known: np.record) -> range:
    return range(2 * int(known.team_size))


def _heroes(known: np.record, rules: np.record) -> Iterator[dict[str, Any]]:
    book = content()
    for seat in _seats(known):
        h = known.hero[seat]
        sheet = book.classes[int(h.cls)]
        variants = [bool((int(h.loadout) >> i) & 1) for i in range(SLOTS + 1)]
        passive = sheet.passives[variants[-1]]
        spells = []
        for slot in range(SLOTS):
            spell = book.spells[int(h.spell[slot])]
            spells.append(
                {
                    "slot": slot,
                    "id": spell.id,
                    "name": spell.name,
                    "cost": spell.cost,
                    "range": [spell.range_min, spell.range_max],
                    "cooldown": int(h.cooldown[slot]),
                    "used": int(h.used[slot]),
                    "per_turn": spell.per_turn,
                }
            )
        yield {
            "seat": seat,
            "camp": seat % 2,
            "class": sheet.id,
            "class_name": sheet.name,
            "variants": variants,
            "passive": passive.id,
            "passive_name": passive.name,
            "placed": bool(h.placed),
            "purse": int(h.purse),
            "spells": spells,
        }


def _python(kernel: Any) -> Any:
    """The plain form of a kernel: drawing a view is no hot path and needs no compiling."""
    return getattr(kernel, "py_func", kernel)


def _entities(known: np.record, rules: np.record, values: np.ndarray) -> Iterator[dict[str, Any]]:
    laid: dict[int, list[dict[str, Any]]] = {}
    for t in known.timed[: int(known.timed_count)]:
        if t.kind != Timed.NONE:
            laid.setdefault(int(t.target), []).append(
                {
                    "kind": Timed(int(t.kind)).name.lower(),
                    "value": int(t.value),
                    "turns": int(t.turns),
                    "source": int(t.source),
                }
            )
    for index in range(MAX_ENTITIES):
        e = known.entity[index]
        if e.kind == 0:
            continue
        hero = e.kind < SUMMON_BASE
        sheet = sheet_of(e.kind)
        effects = laid.get(index, [])
        totals = dict.fromkeys(("armour", "range"), 0)
        for effect in effects:
            if effect["kind"] in totals:
                totals[effect["kind"]] += effect["value"]
        yield {
            "index": index,
            "kind": "hero" if hero else sheet.id,
            "class": sheet.id if hero else None,
            "name": sheet.name,
            "camp": int(e.camp),
            "owner": int(e.owner),
            "cell": _cell(e.cell),
            "alive": bool(e.hp > 0),
            "hp": int(e.hp),
            "max_hp": int(e.max_hp),
            "ap": int(_python(points_in_view)(known, rules, index, False)),
            "mp": int(_python(points_in_view)(known, rules, index, True)),
            "ap_lost": int(e.ap_lost),
            "mp_lost": int(e.mp_lost),
            "armour": totals["armour"],
            "resistance": int(values[index, 0]),
            "power": int(values[index, 1]),
            "range_bonus": totals["range"],
            "invisible": bool(e.invisible),
            "effects": effects,
        }


def _traps(known: np.record, rules: np.record) -> Iterator[dict[str, Any]]:
    book = content()
    playable = np.flatnonzero(rules.maps[int(known.map)].playable).tolist()
    covers = _python(geometry.covers)
    for t in known.trap[: int(known.trap_count)]:
        sheet = book.traps[int(t.kind) - 1]
        shape, size, centre = int(sheet.area.shape), sheet.area.size, int(t.cell)
        area = [c for c in playable if covers(shape, size, centre, c)]
        yield {
            "id": sheet.id,
            "name": sheet.name,
            "camp": int(t.camp),
            "owner": int(t.owner),
            "cell": _cell(t.cell),
            "turns": int(t.turns),
            "area": [_cell(c) for c in area],
        }


def _actions(known: np.record, mask: np.ndarray) -> dict[str, Any]:
    placing = known.phase == Phase.PLACEMENT
    ground = _cells(mask[GO:PASS])
    return {
        "reach": [] if placing else ground,
        "aims": [_cells(mask[s * CELLS : (s + 1) * CELLS]) for s in range(SLOTS)],
        "place": ground if placing else [],
        "pass": bool(mask[PASS]),
        "raise": bool(mask[RAISE]),
        "forfeit": bool(mask[FORFEIT]),
    }


def json_view(duel: Duel, seat: int) -> dict[str, Any]:
    """The duel as a seat may know it, as plain data fit for JSON."""
    eyes = duel.look(seat)
    known, rules = eyes.known[0], duel.rules[0]
    values = np.zeros((MAX_ENTITIES, 2), np.int64)
    traits(eyes.known, duel.rules, values)
    book = content()
    sheet = book.maps[int(known.map)]
    grid = rules.maps[int(known.map)]
    outcome = duel.outcome
    to_act = int(known.seat) if known.seat >= 0 else None
    signs = [_TERRAIN_SIGNS[Terrain(int(t))] for t in grid.terrain]
    zones = [".12"[int(z)] for z in grid.zone]
    rows = range(HEIGHT)
    return {
        "rules": RULES_VERSION,
        "map": {"id": sheet.id, "name": sheet.name},
        "terrain": ["".join(signs[r * WIDTH : (r + 1) * WIDTH]) for r in rows],
        "zones": ["".join(zones[r * WIDTH : (r + 1) * WIDTH]) for r in rows],
        "phase": Phase(int(known.phase)).name.lower(),
        "viewer": seat,
        "camp": seat % 2,
        "to_act": to_act,
        "actor": int(known.actor) if known.actor >= 0 else None,
        "tour": int(_python(tour)(known)),
        "turn": int(known.turn),
        "team_size": int(known.team_size),
        "first_camp": int(known.first_camp if known.first_camp >= 0 else known.drawn_camp),
        "auction": {
            "price": int(known.price),
            "bidder": int(known.bidder) if known.bidder >= 0 else None,
            "drawn": int(known.drawn_camp),
            "purses": [int(known.hero[s].purse) for s in _seats(known)],
        },
        "stakes": int(known.stakes),
        "heroes": list(_heroes(known, rules)),
        "entities": list(_entities(known, rules, values)),
        "traps": list(_traps(known, rules)),
        "bonuses": [
            {"kind": Bonus(int(b.kind)).name.lower(), "cell": _cell(b.cell)}
            for b in known.bonus
            if b.kind != 0
        ],
        "actions": _actions(known, eyes.mask[0]) if to_act == seat else None,
        "log": sentences(duel.events, seat % 2),
        "outcome": outcome.as_dict() if outcome else None,
    }
