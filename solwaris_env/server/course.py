"""How hosted duels go on: actions, giving up and opponents' turns, each on the disk first."""

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..duel.codec import FORFEIT
from ..errors import SolwarisError
from . import store as log
from .clocks import TimeSource
from .deciding import Decider
from .hosted import Hosted, Past, Refusal, text_of
from .opponents import Opponent
from .store import LoggedAction, Store, StoreError
from .views import bot_view

LOG = logging.getLogger("solwaris.server")
RETRY_SECONDS = 1.0


class Course:
    """Carries duels on, and counts what has happened."""

    def __init__(self, store: Store, opponents: dict[str, Opponent], now: TimeSource) -> None:
        self._store, self._opponents, self._now = store, opponents, now
        self.quick = Decider("decisions", opponents, slow=False)
        self.thorough = Decider("searches", opponents, slow=True)
        self.transitions = 0
        self.finished: Counter[str] = Counter()
        self.stopping = False

    def start(self) -> None:
        """Have the opponents' threads run."""
        self.quick.start()
        self.thorough.start()

    async def stop(self) -> None:
        """Finish what is being decided."""
        await asyncio.gather(
            *(asyncio.to_thread(decider.stop) for decider in (self.quick, self.thorough))
        )

    @property
    def deciding(self) -> bool:
        """Whether an opponent's thread is still at work."""
        return self.quick.running or self.thorough.running

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
            if hosted.duel.seat == seat and hosted.is_due:  # before the next tick sees it
                await self.advance(hosted, None)
                raise Refusal(409, "stale", "the time was up before the action came")
            index = hosted.read_action(action, seat, seq)
            before = hosted.seq
            await self.advance(hosted, index)
            return before, hosted.seq

    async def resign(self, hosted: Hosted, seat: int) -> tuple[int, int]:
        """Let a seat give up, now or when it next acts (E2, Q1). Raises Refusal.

        Where both camps give up, the first to do so has lost: the other's turns end unused.
        """
        return await asyncio.shield(asyncio.create_task(self._resign(hosted, seat)))

    async def _resign(self, hosted: Hosted, seat: int) -> tuple[int, int]:
        async with hosted.lock:
            if hosted.over:
                raise Refusal(409, "over", "the duel is over")
            before = hosted.seq
            info = hosted.seats[seat]
            if info.resigned and hosted.duel.seat != seat:
                return before, hosted.seq
            news, conceded = not info.resigned, hosted.conceded
            noted = [log.new_resignation(hosted.name, seat, self._now())] if news else []
            hosted.note_resigned(seat)
            try:
                if hosted.duel.seat == seat and hosted.conceded == seat % 2:
                    # with its end in one transaction: all or nothing
                    await self.advance(hosted, FORFEIT, noted)
                else:
                    await self.write(noted)
            except BaseException:
                info.resigned, hosted.conceded = not news, conceded
                raise
            if news:
                hosted.tell_presence()
                self.drive(hosted)
            return before, hosted.seq

    async def advance(
        self, hosted: Hosted, action: int | None, noted: Sequence[log.Statement] = ()
    ) -> None:
        """One transition, on the disk before anybody hears of it, together with what else is
        `noted`; the lock is held."""
        first = hosted.seq
        kept = hosted.snapshot()
        past = hosted.advance(action)
        now = self._now()
        statements = [
            *noted,
            log.new_action(hosted.name, self._logged(hosted, past, now)),
        ]
        if hosted.over:
            statements.append(log.new_end(hosted.name, now, hosted.duel.outcome.as_dict()))
        try:
            await self.write(statements)
        except Refusal:
            hosted.restore(kept)
            raise
        hosted.decision_time = now
        self.transitions += 1
        if hosted.over:
            hosted.ended = now
            self.finished[hosted.duel.outcome.termination] += 1
        hosted.tell(first)
        self.drive(hosted)

    @staticmethod
    def _logged(hosted: Hosted, past: Past, now: float) -> LoggedAction:
        return LoggedAction(hosted.seq, past.seat, text_of(past), now, hosted.deadline)

    async def write(self, statements: list[log.Statement]) -> None:
        """Put something on the disk. Raises Refusal where the log cannot be written."""
        try:
            await self._store.append(statements)
        except StoreError as error:
            LOG.error("the log refuses", extra={"reason": str(error)})
            raise Refusal(
                503, "unavailable", "the server cannot write its log: nothing was changed"
            ) from error

    async def set_off(self, hosted: Hosted) -> bool:
        """Let time run in a duel that is ready for it; whether it has just begun. The lock is
        held."""
        if not hosted.ready:
            return False
        try:
            await self.write([log.new_set_off(hosted.name, self._now())])
        except Refusal:
            return False  # tried again at the next tick
        hosted.set_off()
        return True

    # -- opponents -----------------------------------------------------------------------

    def decider(self, opponent: str) -> Decider:
        """The thread that decides for an opponent: searches must not keep policies waiting."""
        return self.thorough if self._opponents[opponent].slow else self.quick

    def drive(self, hosted: Hosted) -> None:
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
                if not info.resigned:
                    action = await self._choose(hosted, seat)
                else:
                    action = FORFEIT if hosted.conceded == seat % 2 else None
                async with hosted.lock:
                    if hosted.seq == seq and not hosted.over:
                        await self.advance(hosted, action)
            except Refusal:
                await asyncio.sleep(RETRY_SECONDS)  # the log will be back, or the server ends
            except Exception:
                LOG.exception("an opponent's turn failed", extra={"duel": hosted.name})
                await asyncio.sleep(RETRY_SECONDS)

    async def _choose(self, hosted: Hosted, seat: int) -> int:
        player = hosted.seats[seat].player
        view = bot_view(hosted.duel, seat)
        if player not in self._opponents:  # restored, but no longer on offer
            player = "greedy"
        try:
            action = await self.decider(player).act(player, view)
        except SolwarisError:
            action = await self.quick.act("random", view)
        pause = hosted.decision_time + hosted.setup["pace"] - self._now()
        if pause > 0:
            await asyncio.sleep(pause)
        return action
