"""What time brings: clocks that run out, players who come and leave, duels put away."""

import asyncio
import contextlib
import logging

from . import store as log
from .clocks import TimeSource
from .config import Config
from .course import Course
from .hosted import Hosted, Refusal
from .store import Store

LOG = logging.getLogger("solwaris.server")
TICK_SECONDS = 0.1
HEARTBEAT_SECONDS = 1.0
SWEEP_SECONDS = 3600.0
KEEP_FINISHED_SECONDS = 600.0


class Timekeeper:
    """Watches the clocks and the presence of players in the `duels` of a server."""

    def __init__(
        self,
        config: Config,
        store: Store,
        course: Course,
        duels: dict[str, Hosted],
        now: TimeSource,
    ) -> None:
        self._config, self._store, self._course = config, store, course
        self._duels, self._now = duels, now
        self._beat = self._swept = 0.0
        self._leaving: dict[tuple[str, int], asyncio.Task] = {}
        self._welcomes: set[asyncio.Task] = set()

    # -- presence ------------------------------------------------------------------------

    def seen(self, hosted: Hosted, seat: int) -> None:
        """Note that a seat's player is there."""
        info = hosted.seats[seat]
        info.last_seen = self._now()
        if not info.came:
            info.came = True
            task = asyncio.create_task(self._welcome(hosted))
            self._welcomes.add(task)
            task.add_done_callback(self._welcomes.discard)
        if not info.was_present:
            info.was_present = True
            hosted.tell_presence()

    async def _welcome(self, hosted: Hosted) -> None:
        """Tell of somebody who was waited for; the last one sets time going."""
        async with hosted.lock:  # what is not on the disk yet has not happened
            await self._course.set_off(hosted)
            hosted.tell_state()

    def _watch_presence(self, hosted: Hosted, now: float) -> None:
        changed = False
        for number, seat in enumerate(hosted.seats):
            if not seat.human or seat.resigned:
                continue
            present = seat.present(now)
            changed |= present != seat.was_present
            seat.was_present = present
            if not present and now - seat.last_seen >= hosted.setup["away_limit"]:
                key = hosted.name, number
                if key not in self._leaving:
                    task = asyncio.create_task(self._give_up(hosted, number))
                    self._leaving[key] = task
                    task.add_done_callback(lambda _, key=key: self._leaving.pop(key, None))
        if changed:
            hosted.tell_presence()

    async def _give_up(self, hosted: Hosted, seat: int) -> None:
        with contextlib.suppress(Refusal):
            await self._course.resign(hosted, seat)
        if hosted.seats[seat].resigned:
            LOG.info("a player stayed away", extra={"duel": hosted.name, "seat": seat})

    # -- time ----------------------------------------------------------------------------

    async def run(self) -> None:
        """Keep time until cancelled."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            try:
                await self.tick()
            except Exception:
                LOG.exception("keeping time failed")

    async def tick(self) -> None:
        """Let run out what has run out: clocks, the patience with who left, memory."""
        now = self._now()
        if now - self._beat >= HEARTBEAT_SECONDS:
            self._beat = now
            self._store.note([log.heartbeat(now)])
        if self._config.keep_days and now - self._swept >= SWEEP_SECONDS:
            self._swept = now
            self._store.note(log.forget_finished(now - 86400 * self._config.keep_days))
        for hosted in list(self._duels.values()):
            if hosted.over:
                idle = hosted.ended is not None and now - hosted.ended > KEEP_FINISHED_SECONDS
                if idle and not hosted.followers:
                    self._duels.pop(hosted.name, None)
                continue
            if hosted.held:
                async with hosted.lock:
                    if await self._course.set_off(hosted):
                        hosted.tell_state()
                continue
            self._watch_presence(hosted, now)
            if hosted.is_due:
                with contextlib.suppress(Refusal):
                    await self._time_up(hosted)

    async def _time_up(self, hosted: Hosted) -> None:
        async with hosted.lock:
            if hosted.is_due and not hosted.over:
                await self._course.advance(hosted, None)
