"""Events and actions as a viewer may know them, as plain data."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..duel.codec import decode
from ..duel.content.loader import content
from ..duel.content.schema import Bonus
from ..duel.engine.scratch import Event
from ..duel.engine.state import SUMMON_BASE, Termination, Timed
from ..duel.kinds import class_of, summon_of
from ..duel.log import sentences
from .views import cause_of, cell_of

BOTH_CAMPS = 3
_ACTOR, _TARGET, _CAUSE, _CELL, _VALUE, _VALUE2 = range(6)
_A, _T, _C, _V = (_ACTOR,), (_TARGET,), (_CELL,), (_VALUE,)
# what an event's kind tells: nothing else of its record leaves the house
_TOLD: dict[Event, tuple[int, ...]] = {
    Event.PLACED: _A + _C,
    Event.BID: _A + _V,
    Event.AUCTION_PASS: _A,
    Event.FIGHT_BEGINS: (_VALUE, _VALUE2),
    Event.TURN_BEGINS: _A + _V,
    Event.TURN_ENDS: _A,
    Event.CAST: (_ACTOR, _TARGET, _CAUSE, _CELL),
    Event.STEP: _A + _C,
    Event.BLOCKED: _A + _C,
    Event.DAMAGE: (_ACTOR, _VALUE, _VALUE2),
    Event.CRITICAL: _A,
    Event.HEAL: _A + _V,
    Event.COSTS_HP: _A + _V,
    Event.TIMED: (_ACTOR, _TARGET, _VALUE),
    Event.ENDED: _A + _V,
    Event.LOSES_AP: (_ACTOR, _VALUE, _VALUE2),
    Event.LOSES_MP: (_ACTOR, _VALUE, _VALUE2),
    Event.GAINS_AP: _A + _V,
    Event.GAINS_MP: _A + _V,
    Event.PUSHED: (_TARGET, _CELL, _VALUE),
    Event.PULLED: (_TARGET, _CELL, _VALUE),
    Event.COLLIDES: (_ACTOR, _TARGET, _VALUE),
    Event.MOVED: _A + _C,
    Event.TRAP_LAID: _A + _C,
    Event.TRAP_SPRUNG: _T + _C,
    Event.SUMMONED: _T + _C,
    Event.EXPLODES: _C,
    Event.DIES: _A,
    Event.BONUS: _C,
    Event.COLLECTS: _A,
    Event.VANISHES_FROM_SIGHT: _A,
    Event.APPEARS: _A + _C,
    Event.FAILS: _C,
    Event.COOLDOWNS: _A + _V,
    Event.FORFEITS: _A,
    Event.ENDS: _V,
}


def _kind_name(kind: int) -> str:
    if kind < SUMMON_BASE:
        return f"hero:{class_of(kind).id}"
    return f"summon:{summon_of(kind).id}"


def _what(kind: Event, value: int, value2: int) -> str | None:
    """The thing that an event names with a number."""
    book = content()
    if kind in (Event.TIMED, Event.ENDED):
        return Timed(value2).name.lower()
    if kind in (Event.TRAP_LAID, Event.TRAP_SPRUNG):
        return book.traps[value - 1].id
    if kind == Event.EXPLODES:
        return book.summons[value - 1].id
    if kind in (Event.BONUS, Event.COLLECTS):
        return Bonus(value).name.lower()
    if kind == Event.ENDS:
        return Termination(value2).name.lower()
    return None


def _told_twice(events: np.ndarray) -> Iterator[tuple[np.record, np.record | None]]:
    """Events, those that tell each camp apart of one thing together; the acting camp's first."""
    number = 0
    while number < len(events):
        e = events[number]
        after = events[number + 1] if number + 1 < len(events) else None
        number += 1
        if (
            after is not None
            and e.kind == after.kind
            and e.actor == after.actor
            and int(e.camps) + int(after.camps) == BOTH_CAMPS
            and e.camps != BOTH_CAMPS
        ):
            number += 1
            yield e, after
        else:
            yield e, None


def spectator_events(events: np.ndarray, all_placed: bool) -> np.ndarray:
    """EVENT records of what both camps know; where each knows a part, what is common to them.

    `all_placed`: whether everybody is placed once these events have happened (P3).
    """
    told: list[np.ndarray] = []
    placed: set[int] = set()
    for e, other in _told_twice(events):
        if e.kind == Event.PLACED:
            if all_placed and int(e.actor) not in placed:
                told.append(np.asarray(e, events.dtype).reshape(1))
            placed.add(int(e.actor))
            continue
        if other is None and e.camps != BOTH_CAMPS:
            continue
        shared = np.asarray(e, events.dtype).reshape(1).copy()
        if other is not None:
            if e.cell != other.cell:
                shared["cell"] = -1
            if e.target != other.target:
                shared["target"], shared["target_kind"] = -1, 0
        told.append(shared)
    return np.concatenate(told) if told else events[:0]


def open_events(events: np.ndarray) -> np.ndarray:
    """EVENT records of all that happened, each thing once, nothing hidden."""
    told: list[np.ndarray] = []
    for e, other in _told_twice(events):
        if other is not None and (other.target >= 0) + (other.cell >= 0) > (e.target >= 0) + (
            e.cell >= 0
        ):
            e = other
        if e.kind == Event.PLACED and told:
            continue  # earlier placements, told to the other camp only now
        told.append(np.asarray(e, events.dtype).reshape(1))
    return np.concatenate(told) if told else events[:0]


def events_data(events: np.ndarray, camp: int | None, all_placed: bool) -> list[dict[str, Any]]:
    """What a camp, or a spectator (None), is told of some EVENT records."""
    if camp is None:
        return tell(spectator_events(events, all_placed))
    return tell(events[(events["camps"] >> camp & 1) == 1])


def tell(told: np.ndarray) -> list[dict[str, Any]]:
    """EVENT records as plain data, whoever may know of them."""
    if not len(told):
        return []
    return [_event(e, text) for e, text in zip(told, _texts(told), strict=True)]


def _texts(told: np.ndarray) -> list[str]:
    open_to_all = told.copy()
    open_to_all["camps"] = BOTH_CAMPS
    return sentences(open_to_all, 0)


def _event(e: np.record, text: str) -> dict[str, Any]:
    kind = Event(int(e.kind))
    fields = _TOLD[kind]
    actor, target = int(e.actor), int(e.target)
    has_actor = _ACTOR in fields and actor >= 0
    has_target = _TARGET in fields and target >= 0
    data = {
        "kind": kind.name.lower(),
        "actor": actor if has_actor else None,
        "actor_kind": _kind_name(int(e.actor_kind)) if has_actor and e.actor_kind > 0 else None,
        "target": target if has_target else None,
        "target_kind": _kind_name(int(e.target_kind)) if has_target and e.target_kind > 0 else None,
        "cause": cause_of(int(e.spell)) if _CAUSE in fields else None,
        "cell": cell_of(int(e.cell)) if _CELL in fields else None,
        "value": int(e.value) if _VALUE in fields else None,
        "value2": int(e.value2) if _VALUE2 in fields else None,
        "text": text,
    }
    what = _what(kind, int(e.value), int(e.value2))
    if what is not None:
        data["what"] = what
    return data


def action_data(action: int | None, placing: bool) -> dict[str, Any]:
    """A transition by name: an action's index, or None for a clock that ran out (T11)."""
    return {"type": "time_up"} if action is None else decode(action, placing)


def is_placed(known: np.record) -> bool:
    """Whether everybody had been placed, the last seat last (P1)."""
    return bool(known.hero[2 * int(known.team_size) - 1].placed)
