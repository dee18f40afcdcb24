"""Beginning a hosted duel: from what was wished to its set-up, from a set-up to the duel."""

import secrets
from collections.abc import Collection
from typing import Any

from ..duel.game import Duel
from .clocks import TimeSource
from .hosted import HUMAN, Hosted, Refusal, SeatInfo
from .models import NewDuel

DRAWN_SEEDS = 1 << 53  # a number that JavaScript holds exactly


def setup_of(wish: NewDuel, opponents: Collection[str], away_limit: float) -> dict[str, Any]:
    """All that decides how a duel begins, as the log keeps it. Raises Refusal."""
    for number, seat in enumerate(wish.seats):
        if seat.player != HUMAN and seat.player not in opponents:
            known = ", ".join(opponents)
            raise Refusal(
                422, "invalid", f"seats[{number}].player: {seat.player!r} is not human or one "
                f"of {known}",
            )  # fmt: skip
    seed = secrets.randbelow(DRAWN_SEEDS) if wish.seed is None else wish.seed
    options = {
        "team_size": len(wish.seats) // 2,
        "map": wish.map,
        "classes": [seat.class_ for seat in wish.seats],
        "loadouts": [seat.loadout for seat in wish.seats],
        "purses": [seat.purse for seat in wish.seats],
        "stakes": wish.stakes,
    }
    options = {
        key: value
        for key, value in options.items()
        if value is not None and value != [None] * len(wish.seats)
    }
    return {
        "seed": seed,
        "options": options,
        "players": [seat.player for seat in wish.seats],
        "names": [seat.name or seat.player for seat in wish.seats],
        "clocks": wish.clocks,
        "spectators": wish.spectators,
        "wait": wish.wait,
        "pace": wish.pace,
        "away_limit": away_limit,
    }


def hosted_of(
    name: str, setup: dict[str, Any], digests: dict[int, bytes], client: str, now: TimeSource
) -> Hosted:
    """A duel at its beginning, its clock not yet set. Raises OptionError."""
    moment = now()
    duel = Duel.new(setup["seed"], **setup["options"])
    wait = setup.get("wait", False)  # older logs do not have it
    seats = [
        SeatInfo(
            player,
            called,
            digests.get(number, b""),
            last_seen=moment,
            came=not wait or player != HUMAN,
        )
        for number, (player, called) in enumerate(
            zip(setup["players"], setup["names"], strict=True)
        )
    ]
    return Hosted(name, duel, seats, setup, client, now, moment, held=wait, decision_time=moment)
