"""A replay as moments to show, one after another."""

from typing import Any

from ..duel.codec import decode, parse_action
from ..duel.game import Duel
from ..duel.replay import TIME_UP, Replay
from .happenings import events_data, open_events, tell
from .views import open_known, view_data


def frames_of(replay: Replay, first: int, limit: int, seat: int | None) -> dict[str, Any]:
    """Moments `first` on of a replay, at most `limit`; `seat`: as that seat saw them.

    Raises ReplayError when the replay does not play.
    """
    frames: list[dict[str, Any]] = []
    total = 0
    acted, placing = -1, True
    for duel, text in replay.frames(seat):
        if first <= total < first + limit:
            known = open_known(duel) if seat is None else duel.look(seat).known
            frames.append(
                {
                    "seq": total,
                    "seat": None if text is None else acted,
                    "action": _shown(text, placing, acted, seat),
                    "text": text if seat is None or acted % 2 == seat % 2 else None,
                    "events": [] if text is None else _events(duel, seat),
                    "view": view_data(known, seat),
                }
            )
        acted, placing = duel.seat, duel.placing
        total += 1
    return {"total": total, "frames": frames}


def _shown(text: str | None, placing: bool, acted: int, seat: int | None) -> dict[str, Any] | None:
    if text is None or (seat is not None and acted % 2 != seat % 2):
        return None
    return {"type": "time_up"} if text == TIME_UP else decode(parse_action(text), placing)


def _events(duel: Duel, seat: int | None) -> list[dict[str, Any]]:
    """What happened: to a seat what it was told, to nobody in particular everything once."""
    if seat is not None:
        return events_data(duel.events, seat % 2, True)
    return tell(open_events(duel.events))
