"""A duel out of the log, as it was when its last action was acknowledged."""

from collections.abc import Callable

from ..duel.content.loader import RULES_VERSION, rulebook, rulebook_hash
from ..errors import SolwarisError
from .clocks import TimeSource
from .creation import hosted_of
from .hosted import Hosted, Refusal, digest_of, index_of
from .store import LoggedDuel


def restored(logged: LoggedDuel, now: TimeSource, paused_since: Callable[[float], float]) -> Hosted:
    """The duel of a log's rows; `paused_since` tells how long the server has been down since
    a moment. Raises SolwarisError."""
    if logged.rulebook != rulebook_hash(rulebook()) or logged.rules != RULES_VERSION:
        raise SolwarisError(f"it was begun under other rules, {logged.rules}")
    _check(logged)
    hosted = hosted_of(logged.duel, logged.setup, logged.digests, logged.client, now)
    hosted.created = logged.created
    hosted.start_clock()
    first = logged.created
    for action in logged.actions:
        try:
            hosted.advance(index_of(action.action))
        except Refusal as error:  # what the action was is not for everybody
            raise SolwarisError(f"its action {action.seq} in the log is not legal there") from error
    for seat in logged.resigned:
        hosted.note_resigned(seat)
    if hosted.held:
        _recall(hosted, logged)
    last = logged.actions[-1] if logged.actions else None
    if logged.set_off is not None and (last is None or last.at < logged.set_off):
        first, last = logged.set_off, None
    if hosted.over:
        hosted.ended = now()
    elif hosted.deadline is not None and last is None:  # the clock began with all in place
        hosted.deadline += first - now() + paused_since(first)
    elif hosted.deadline is not None and last.deadline is not None:
        hosted.deadline = last.deadline + paused_since(last.at)
    hosted.limit_clock()
    return hosted


def _recall(hosted: Hosted, logged: LoggedDuel) -> None:
    """Who of the awaited people had come, as far as the log tells; others come again."""
    # older logs tell of it only by the clocks that ran
    set_off = logged.set_off is not None or any(
        action.deadline is not None for action in logged.actions
    )
    acted = {action.seat for action in logged.actions}.union(logged.resigned)
    for number, seat in enumerate(hosted.seats):
        seat.came = seat.came or set_off or number in acted
    if set_off:
        hosted.set_off()


def _check(logged: LoggedDuel) -> None:
    """Raises SolwarisError where rows are not of the kind that this server writes."""
    moments = [logged.created, logged.set_off]
    for action in logged.actions:
        moments += action.at, action.deadline
    if not all(isinstance(at, float) for at in moments if at is not None):
        raise SolwarisError("a moment of its rows in the log is no number")
    if not all(
        isinstance(digest, bytes) and len(digest) == len(digest_of(""))
        for digest in logged.digests.values()
    ):
        raise SolwarisError("the digest of a secret in its rows in the log is none")


def reason_of(error: Exception) -> str:
    """What is wrong with a logged duel, as anybody may hear it: rows tell what is hidden."""
    if isinstance(error, SolwarisError):
        return str(error)
    return "its rows in the log are faulty"


def fault_of(error: Exception) -> str:
    """The same for the server's own log: with what the rows led to."""
    reason = reason_of(error)
    named = isinstance(error, SolwarisError)
    return reason if named else f"{reason} ({type(error).__name__}: {error})"
