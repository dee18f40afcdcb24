"""All hosted duels of a server: opened and closed with it, begun, and found again."""

import asyncio
import contextlib
import logging
import secrets
from collections import Counter

from ..duel.content.loader import RULES_VERSION, rulebook, rulebook_hash
from ..duel.options import OptionError
from . import store as log
from .clocks import LoggedTime, TimeSource, steady_time
from .config import Config
from .course import Course
from .creation import hosted_of, setup_of
from .hosted import HUMAN, Hosted, Refusal, digest_of, new_secret
from .models import NewDuel
from .opponents import Opponent, find_opponents
from .recovery import fault_of, reason_of, restored
from .store import LoggedDuel, Store, StoreError
from .timekeeping import Timekeeper

LOG = logging.getLogger("solwaris.server")


class Host:
    """The duels of a server. `now` may be another source of time, for tests."""

    def __init__(self, config: Config, now: TimeSource | None = None) -> None:
        self.config = config
        self.now = LoggedTime(now or steady_time())
        self.opponents: dict[str, Opponent] = find_opponents(config.opponents, config.own)
        self.store = Store(config.database)
        self.duels: dict[str, Hosted] = {}
        self.course = Course(self.store, self.opponents, self.now)
        self.timekeeper = Timekeeper(config, self.store, self.course, self.duels, self.now)
        self.created = 0
        self._beginning: Counter[str] = Counter()  # duels of a client on their way to the disk
        self.refused: list[str] = []
        self._ticker: asyncio.Task | None = None

    async def start(self) -> None:
        """Open the log, go on with the duels in it, begin to keep time."""
        self.store.start()
        behind = self.now.go_on_from(self.store.last_moment())
        if behind > 0:
            LOG.warning("the clock was set back", extra={"seconds": round(behind, 1)})
        self.now.stand_still()  # reading many duels takes longer than some clocks run
        self.store.begin_again(self.now())
        for name in self.store.unfinished():
            try:
                logged = self.store.read(name)
                if logged is not None:
                    self.duels[name] = self._restored(logged)
            except Exception as error:  # one duel's faulty rows must not stop the others
                if isinstance(error, StoreError) and error.locked:
                    raise
                self.refused.append(name)
                LOG.error("a duel cannot go on", extra={"duel": name, "reason": fault_of(error)})
        self.now.run_on()
        self.course.start()
        for hosted in list(self.duels.values()):
            self.course.drive(hosted)
        self._ticker = asyncio.create_task(self.timekeeper.run())

    async def stop(self) -> None:
        """Stop keeping time, finish what is being decided and written."""
        self.course.stopping = True
        tasks = [self._ticker, *(hosted.driver for hosted in self.duels.values())]
        for task in tasks:
            if task is not None:
                task.cancel()
        for task in tasks:
            if task is not None:
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        await self.course.stop()
        self.store.note([log.heartbeat(self.now())])
        await asyncio.to_thread(self.store.close)

    def running_of(self, client: str) -> int:
        """How many unfinished duels a client has begun."""
        return sum(h.client == client and not h.over for h in self.duels.values())

    async def create(self, wish: NewDuel, client: str) -> tuple[Hosted, list[str | None]]:
        """Begin a duel; also each human seat's secret, told this once. Raises Refusal."""
        running = sum(not hosted.over for hosted in self.duels.values())
        running += self._beginning.total()
        if running >= self.config.max_duels:
            raise Refusal(429, "full", f"the server has {running} duels running, its most")
        if self.running_of(client) + self._beginning[client] >= self.config.duels_per_client:
            raise Refusal(
                429,
                "too_many_duels",
                f"a client may have {self.config.duels_per_client} duels running",
            )
        self._beginning[client] += 1  # the place is taken before anything is waited for
        try:
            return await self._create(wish, client)
        finally:
            self._beginning[client] -= 1
            if not self._beginning[client]:
                del self._beginning[client]

    async def _create(self, wish: NewDuel, client: str) -> tuple[Hosted, list[str | None]]:
        setup = setup_of(wish, self.opponents, self.config.away_limit)
        told = [new_secret() if seat.player == HUMAN else None for seat in wish.seats]
        digests = {n: digest_of(secret) for n, secret in enumerate(told) if secret is not None}
        name = secrets.token_urlsafe(9)
        try:
            hosted = hosted_of(name, setup, digests, client, self.now)
        except OptionError as error:
            raise Refusal(422, "invalid", str(error)) from error
        hosted.start_clock()
        await self.course.write(
            log.new_duel(
                name,
                hosted.created,
                RULES_VERSION,
                rulebook_hash(rulebook()),
                client,
                setup,
                digests,
            )
        )
        self.duels[name] = hosted
        self.created += 1
        self.course.drive(hosted)
        return hosted, told

    def _restored(self, logged: LoggedDuel) -> Hosted:
        return restored(logged, self.now, self.store.paused_since)

    async def find(self, name: str) -> Hosted:
        """A duel, read from the log if it has been put away. Raises Refusal."""
        hosted = self.duels.get(name)
        if hosted is not None:
            return hosted
        try:
            logged = await asyncio.to_thread(self.store.read, name)
        except StoreError as error:
            LOG.error("the log refuses", extra={"reason": str(error)})
            raise Refusal(503, "unavailable", "the server cannot read its log") from error
        except Exception as error:  # rows that were altered
            raise Refusal(409, "over", f"this duel cannot go on: {reason_of(error)}") from error
        if logged is None:
            raise Refusal(404, "not_found", f"there is no duel {name[:40]!r}")
        if name not in self.duels:
            try:
                hosted = await asyncio.to_thread(self._restored, logged)
            except Exception as error:
                raise Refusal(409, "over", f"this duel cannot go on: {reason_of(error)}") from error
            self.course.drive(self.duels.setdefault(name, hosted))
        return self.duels[name]
