"""Events: what happened, for whom to know."""

from .kernel import kernel
from .scratch import MAX_EVENTS

BOTH = 3


@kernel
def emit(state, scratch, kind, actor, target, spell, cell, value, value2, camps):
    """Append one event; costs nothing where the caller records none."""
    if scratch.record_events == 0:
        return
    n = scratch.events
    if n >= MAX_EVENTS:
        scratch.truncated = 1
        return
    e = scratch.event[n]
    e.kind = kind
    e.camps = camps
    e.spell = spell
    e.actor = actor
    e.actor_kind = state.entity[actor].kind if actor >= 0 else 0
    e.target = target
    e.target_kind = state.entity[target].kind if target >= 0 else 0
    e.cell = cell
    e.value = value
    e.value2 = value2
    scratch.events = n + 1


@kernel
def tell(state, scratch, kind, entity, value, value2):
    """An event about one entity that everyone may know."""
    emit(state, scratch, kind, entity, -1, 255, -1, value, value2, BOTH)


@kernel
def witnesses(state, entity):
    """Camps that see this entity (I5)."""
    e = state.entity[entity]
    return 1 << e.camp if e.invisible else BOTH
