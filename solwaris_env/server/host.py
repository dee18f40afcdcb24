"""All hosted duels of a server: creating, carrying on, timing, restoring."""

import asyncio
import contextlib
import logging
import secrets
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..duel.codec import FORFEIT
from ..duel.content.loader import RULES_VERSION, rulebook, rulebook_hash
from ..duel.game import Duel
from ..duel.options import OptionError
from ..errors import SolwarisError
from . import store as log
from .clocks import TimeSource, steady_time
from .config import Config
from .hosted import (
    HUMAN,
    Hosted,
    Past,
    Refusal,
    SeatInfo,
    digest_of,
    index_of,
    new_secret,
    text_of,
)
from .models import NewDuel
from .opponents import Decider, Opponent, find_opponents
from .store import LoggedAction, LoggedDuel, Store, StoreError
from .views import bot_view

LOG = logging.getLogger("solwaris.server")
TICK_SECONDS = 0.1
HEARTBEAT_SECONDS = 1.0
SWEEP_SECONDS = 3600.0
KEEP_FINISHED_SECONDS = 600.0
DRAWN_SEEDS = 1 << 53  # a number that JavaScript holds exactly
RETRY_SECONDS = 1.0


class Host:
    """The duels of a server. `now` may be another source of time, for tests."""

    def __init__(self, config: Config, now: TimeSource | None = None) -> None:
        self.config = config
        self.now = now or steady_time()
        self.opponents: dict[str, Opponent] = find_opponents(config.opponents, config.own)
        self.store = Store(config.database)
        self.quick = Decider("decisions", self.opponents, slow=False)
        self.thorough = Decider("searches", self.opponents, slow=True)
        self.duels: dict[str, Hosted] = {}
        self.created = 0
        self._beginning: Counter[str] = Counter()  # duels of a client on their way to the disk
        self.finished: Counter[str] = Counter()
        self.actions = 0
        self.refused: list[str] = []
        self._ticker: asyncio.Task | None = None
        self._beat = self._swept = 0.0
        self._leaving: dict[tuple[str, int], asyncio.Task] = {}
        self._welcomes: set[asyncio.Task] = set()
        self.stopping = False

    # -- life ----------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the log, go on with the duels in it, begin to keep time."""
        self.store.start()
        self.quick.start()
        self.thorough.start()
        self._keep_time_after(self.store.last_moment())
        self.store.begin_again(self.now())
        for name in self.store.unfinished():
            try:
                logged = self.store.read(name)
                if logged is not None:
                    self.duels[name] = self._restore(logged)
            except Exception as error:  # one duel's faulty rows must not stop the others
                self.refused.append(name)
                LOG.error("a duel cannot go on", extra={"duel": name, "reason": _words(error)})
        for hosted in list(self.duels.values()):
            self._drive(hosted)
        self._ticker = asyncio.create_task(self._tick_for_ever())

    def _keep_time_after(self, last: float | None) -> None:
        """Go on from the log's last moment where the machine's clock has been set back since."""
        source = self.now
        behind = 0.0 if last is None else last - source()
        if behind > 0:
            LOG.warning("the clock was set back", extra={"seconds": round(behind, 1)})
            self.now = lambda: source() + behind

    async def stop(self) -> None:
        """Stop keeping time, finish what is being decided and written."""
        self.stopping = True
        tasks = [self._ticker, *(hosted.driver for hosted in self.duels.values())]
        for task in tasks:
            if task is not None:
                task.cancel()
        for task in tasks:
            if task is not None:
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        for decider in (self.quick, self.thorough):
            await asyncio.to_thread(decider.stop)
        self.store.note([log.heartbeat(self.now())])
        await asyncio.to_thread(self.store.close)

    # -- creating and finding ------------------------------------------------------------

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
        for number, seat in enumerate(wish.seats):
            if seat.player != HUMAN and seat.player not in self.opponents:
                known = ", ".join(self.opponents)
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
        setup = {
            "seed": seed,
            "options": options,
            "players": [seat.player for seat in wish.seats],
            "names": [seat.name or seat.player for seat in wish.seats],
            "clocks": wish.clocks,
            "spectators": wish.spectators,
            "wait": wish.wait,
            "pace": wish.pace,
            "away_limit": self.config.away_limit,
        }
        told = [new_secret() if seat.player == HUMAN else None for seat in wish.seats]
        digests = {n: digest_of(secret) for n, secret in enumerate(told) if secret is not None}
        name = secrets.token_urlsafe(9)
        try:
            hosted = self._make(name, setup, digests, client, self.now())
        except OptionError as error:
            raise Refusal(422, "invalid", str(error)) from error
        hosted.start_clock()
        await self._write(
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
        self._drive(hosted)
        return hosted, told

    def _make(
        self, name: str, setup: dict[str, Any], digests: dict[int, bytes], client: str, now: float
    ) -> Hosted:
        duel = Duel.new(setup["seed"], **setup["options"])
        wait = setup.get("wait", False)  # older logs do not have it
        seats = [
            SeatInfo(
                player,
                called,
                digests.get(number, b""),
                last_seen=now,
                came=not wait or player != HUMAN,
            )
            for number, (player, called) in enumerate(
                zip(setup["players"], setup["names"], strict=True)
            )
        ]
        return Hosted(name, duel, seats, setup, client, self.now, now, held=wait, decision_time=now)

    def _restore(self, logged: LoggedDuel) -> Hosted:
        """A duel as it was when its last action was acknowledged. Raises SolwarisError."""
        if logged.rulebook != rulebook_hash(rulebook()) or logged.rules != RULES_VERSION:
            raise SolwarisError(f"it was begun under other rules, {logged.rules}")
        hosted = self._make(logged.duel, logged.setup, logged.digests, logged.client, self.now())
        hosted.created = logged.created
        hosted.start_clock()
        first = logged.created
        for action in logged.actions:
            try:
                hosted.advance(index_of(action.action))
            except Refusal as error:
                raise SolwarisError(f"action {action.seq}: {error.message}") from error
        for seat in logged.resigned:
            hosted.seats[seat].resigned = True
        if hosted.held:
            self._recall(hosted, logged)
        last = logged.actions[-1] if logged.actions else None
        if logged.set_off is not None and (last is None or last.at < logged.set_off):
            first, last = logged.set_off, None
        if hosted.over:
            hosted.ended = self.now()
        elif hosted.deadline is not None and last is None:  # the clock began with all in place
            hosted.deadline += first - self.now() + self.store.paused_since(first)
        elif hosted.deadline is not None and last.deadline is not None:
            hosted.deadline = last.deadline + self.store.paused_since(last.at)
        hosted.limit_clock()
        return hosted

    @staticmethod
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
            raise Refusal(409, "over", f"this duel cannot go on: {_words(error)}") from error
        if logged is None:
            raise Refusal(404, "not_found", f"there is no duel {name[:40]!r}")
        if name not in self.duels:
            try:
                hosted = await asyncio.to_thread(self._restore, logged)
            except Exception as error:
                raise Refusal(409, "over", f"this duel cannot go on: {_words(error)}") from error
            self.duels.setdefault(name, hosted)
        return self.duels[name]

    def seen(self, hosted: Hosted, seat: int) -> None:
        """Note that a seat's player is there."""
        info = hosted.seats[seat]
        info.last_seen = self.now()
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
            await self._set_off(hosted)
            hosted.tell_state()

    async def _set_off(self, hosted: Hosted) -> bool:
        """Let time run in a duel that is ready for it; whether it has just begun. The lock is
        held."""
        if not hosted.ready:
            return False
        try:
            await self._write([log.new_set_off(hosted.name, self.now())])
        except Refusal:
            return False  # tried again at the next tick
        hosted.set_off()
        return True

    # -- transitions ---------------------------------------------------------------------

    async def act(
        self, hosted: Hosted, seat: int, action: dict[str, Any], seq: int | None
    ) -> tuple[int, int]:
        """Apply a player's action; returns seq before and after, on the disk. Raises Refusal.

        It is carried through even if the request is cancelled meanwhile.
        """
        return await asyncio.shield(asyncio.create_task(self._act(hosted, seat, action, seq)))

    async def _act(
        self, hosted: Hosted, seat: int, action: dict[str, Any], seq: int | None
    ) -> tuple[int, int]:
        async with hosted.lock:
            if hosted.seats[seat].resigned and not hosted.over:
                raise Refusal(409, "not_your_turn", f"seat {seat} has given up")
            if hosted.duel.seat == seat and self._is_due(hosted):  # before the next tick sees it
                await self._advance(hosted, None)
                raise Refusal(409, "stale", "the time was up before the action came")
            index = hosted.read_action(action, seat, seq)
            before = hosted.seq
            await self._advance(hosted, index)
            return before, hosted.seq

    async def resign(self, hosted: Hosted, seat: int) -> tuple[int, int]:
        """Let a seat give up, now or when it next acts (E2, Q1). Raises Refusal."""
        return await asyncio.shield(asyncio.create_task(self._resign(hosted, seat)))

    async def _resign(self, hosted: Hosted, seat: int) -> tuple[int, int]:
        async with hosted.lock:
            if hosted.over:
                raise Refusal(409, "over", "the duel is over")
            before = hosted.seq
            info = hosted.seats[seat]
            if info.resigned and hosted.duel.seat != seat:
                return before, hosted.seq
            news = not info.resigned
            noted = [log.new_resignation(hosted.name, seat, self.now())] if news else []
            info.resigned = True
            try:
                if hosted.duel.seat == seat:  # with its end in one transaction: all or nothing
                    await self._advance(hosted, FORFEIT, noted)
                else:
                    await self._write(noted)
            except BaseException:
                info.resigned = not news
                raise
            if news:
                hosted.tell_presence()
            return before, hosted.seq

    async def _advance(
        self, hosted: Hosted, action: int | None, noted: Sequence[log.Statement] = ()
    ) -> None:
        """One transition, on the disk before anybody hears of it, together with what else is
        `noted`; the lock is held."""
        first = hosted.seq
        kept = hosted.snapshot()
        past = hosted.advance(action)
        now = self.now()
        statements = [
            *noted,
            log.new_action(hosted.name, self._logged(hosted, past, now)),
        ]
        if hosted.over:
            statements.append(log.new_end(hosted.name, now, hosted.duel.outcome.as_dict()))
        try:
            await self._write(statements)
        except Refusal:
            hosted.restore(kept)
            raise
        hosted.decision_time = now
        self.actions += 1
        if hosted.over:
            hosted.ended = now
            self.finished[hosted.duel.outcome.termination] += 1
        hosted.tell(first)
        self._drive(hosted)

    @staticmethod
    def _logged(hosted: Hosted, past: Past, now: float) -> LoggedAction:
        return LoggedAction(hosted.seq, past.seat, text_of(past), now, hosted.deadline)

    async def _write(self, statements: list[log.Statement]) -> None:
        try:
            await self.store.append(statements)
        except StoreError as error:
            LOG.error("the log refuses", extra={"reason": str(error)})
            raise Refusal(
                503, "unavailable", "the server cannot write its log: nothing was changed"
            ) from error

    # -- opponents -----------------------------------------------------------------------

    def decider(self, opponent: str) -> Decider:
        """The thread that decides for an opponent: searches must not keep policies waiting."""
        return self.thorough if self.opponents[opponent].slow else self.quick

    def _drive(self, hosted: Hosted) -> None:
        """Have the server's part go on: an opponent's decision, or one who has given up."""
        if hosted.over or self.stopping or (hosted.driver is not None and not hosted.driver.done()):
            return
        info = hosted.seats[hosted.duel.seat]
        if not info.human or info.resigned:
            hosted.driver = asyncio.create_task(self._play(hosted))

    async def _play(self, hosted: Hosted) -> None:
        """Play on until a person is to act."""
        while not hosted.over and not self.stopping:
            seat, seq = hosted.duel.seat, hosted.seq
            info = hosted.seats[seat]
            if info.human and not info.resigned:
                return
            try:
                action = FORFEIT if info.resigned else await self._choose(hosted, seat)
                async with hosted.lock:
                    if hosted.seq == seq and not hosted.over:
                        await self._advance(hosted, action)
            except Refusal:
                await asyncio.sleep(RETRY_SECONDS)  # the log will be back, or the server ends
            except Exception:
                LOG.exception("an opponent's turn failed", extra={"duel": hosted.name})
                await asyncio.sleep(RETRY_SECONDS)

    async def _choose(self, hosted: Hosted, seat: int) -> int:
        player = hosted.seats[seat].player
        view = bot_view(hosted.duel, seat)
        if player not in self.opponents:  # restored, but no longer on offer
            player = "greedy"
        try:
            action = await self.decider(player).act(player, view)
        except SolwarisError:
            action = await self.quick.act("random", view)
        pause = hosted.decision_time + hosted.setup["pace"] - self.now()
        if pause > 0:
            await asyncio.sleep(pause)
        return action

    # -- time ----------------------------------------------------------------------------

    async def _tick_for_ever(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            try:
                await self.tick()
            except Exception:
                LOG.exception("keeping time failed")

    async def tick(self) -> None:
        """Let run out what has run out: clocks, the patience with who left, memory."""
        now = self.now()
        if now - self._beat >= HEARTBEAT_SECONDS:
            self._beat = now
            self.store.note([log.heartbeat(now)])
        if self.config.keep_days and now - self._swept >= SWEEP_SECONDS:
            self._swept = now
            self.store.note(log.forget_finished(now - 86400 * self.config.keep_days))
        for hosted in list(self.duels.values()):
            if hosted.over:
                idle = hosted.ended is not None and now - hosted.ended > KEEP_FINISHED_SECONDS
                if idle and not hosted.followers:
                    self.duels.pop(hosted.name, None)
                continue
            if hosted.held:
                async with hosted.lock:
                    if await self._set_off(hosted):
                        hosted.tell_state()
                continue
            self._watch_presence(hosted, now)
            if self._is_due(hosted):
                with contextlib.suppress(Refusal):
                    await self._time_up(hosted)

    async def _time_up(self, hosted: Hosted) -> None:
        async with hosted.lock:
            if self._is_due(hosted) and not hosted.over:
                await self._advance(hosted, None)

    def _is_due(self, hosted: Hosted) -> bool:
        """Whether the clock of the decision at hand has run out."""
        return hosted.deadline is not None and self.now() >= hosted.deadline

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
            await self.resign(hosted, seat)
        if hosted.seats[seat].resigned:
            LOG.info("a player stayed away", extra={"duel": hosted.name, "seat": seat})


def _words(error: Exception) -> str:
    """What is wrong with a logged duel: a sentence of ours, or the fault that its rows led to."""
    if isinstance(error, SolwarisError):
        return str(error)
    return f"its rows in the log are faulty ({type(error).__name__}: {error})"
