"""Series of meetings: every agent against every other, in chunks over processes.

A chunk is a few pairings of one meeting. Its agents' random streams start from the series'
seed and the chunk's place, and it is played as one batch, so that what it comes to does not
depend on which process plays it or on how many there are.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ..agents.make import make_agent
from ..duel.options import parse_seed
from ..errors import SolwarisError
from .pairing import check_duels, plan
from .play import FINISHED, Tables

if TYPE_CHECKING:
    from ..agents.base import Agent

CHUNKS = 16  # a meeting is cut into about as many, for several processes and for Ctrl-C,
LEAST_PAIRS, MOST_PAIRS = 8, 64  # but a chunk is a batch: small ones are slow, large ones no faster
START_SECONDS = 5.0  # this process plays alone so long, and on where less than twice it is left
ENDED, ROWS, FAULT = "ended", "rows", "fault"


def labels(agents: Sequence[str | Agent]) -> list[str]:
    """Return short names: the last part of a path, or all of it where that is no name."""
    short = [a.rpartition("/")[2] if isinstance(a, str) else a.name for a in agents]
    if len(set(short)) == len(short):
        return short
    return [a if isinstance(a, str) else a.name for a in agents]


@dataclass(frozen=True)
class Chunk:
    """Some pairings of a meeting: its number, and which of its plan."""

    meeting: int
    start: int
    stop: int


@dataclass(frozen=True)
class Job:
    """All that a process needs to play any chunk of a series.

    Attributes:
        agents: names for `make_agent`, or the agents themselves.
        seed: the series' own.
        meetings: pairs of places in `agents`.
        plans: (pairs,) SETUP of each meeting, equally long.
        size: the most pairings in a chunk.
    """

    agents: tuple[str | Agent, ...]
    seed: int
    meetings: tuple[tuple[int, int], ...]
    plans: tuple[np.ndarray, ...]
    size: int

    def chunks(self) -> list[Chunk]:
        """Return the chunks, all meetings' first ones first: a series cut short is even."""
        pairs = len(self.plans[0])
        return [
            Chunk(meeting, start, min(start + self.size, pairs))
            for start in range(0, pairs, self.size)
            for meeting in range(len(self.plans))
        ]


class _HandOver(Exception):
    """This process has played long enough alone."""


class Player:
    """Plays chunks of a job in this process."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._agents: dict[int, Agent] = {}
        self._tables = Tables(job.size)

    def play(self, chunk: Chunk, progress: Callable[[int], None]) -> np.ndarray:
        """Play a chunk, see `Tables.play`; `pair` counts from the start of the meeting."""
        words = np.random.SeedSequence([self._job.seed, chunk.meeting, chunk.start])
        agents = [self._agent(place) for place in self._job.meetings[chunk.meeting]]
        for agent, seed in zip(agents, words.generate_state(2), strict=True):
            agent.reset(int(seed))
        setups = self._job.plans[chunk.meeting][chunk.start : chunk.stop]
        rows = self._tables.play(agents, setups, progress)
        rows["pair"] += chunk.start
        return rows

    def _agent(self, place: int) -> Agent:
        if place not in self._agents:
            agent = self._job.agents[place]
            # one thread: processes share the processors, and sums come out the same everywhere
            self._agents[place] = make_agent(agent, threads=1) if isinstance(agent, str) else agent
        return self._agents[place]


class Series:
    """A series under way: `play` carries it to its end, `rows` hands out what was played.

    Args:
        agents: names as `make_agent` takes them, or agents; these are played in this process.
        duels: of each two agents, an even number.
        seed: draws everything.
        team_size, map, classes: see `pairing.plan`.

    Attributes:
        names: of the agents, as tables show them.
        duels, played: how many were asked for, and have ended so far.
        seconds: spent playing.

    Raises:
        SolwarisError: an agent, the number of duels or an option is refused.
    """

    def __init__(
        self,
        agents: Sequence[str | Agent],
        duels: int,
        seed: int = 0,
        *,
        team_size: int | None = 1,
        map: str | None = None,
        classes: Sequence[str] | None = None,
    ) -> None:
        pairs = check_duels(duels)
        seed = parse_seed(seed)
        if len(agents) < 2:
            raise SolwarisError(f"agents meet by twos: at least 2 are needed, got {len(agents)}")
        meetings = tuple(combinations(range(len(agents)), 2))
        plans = tuple(
            plan(pairs, [seed, number], team_size=team_size, map=map, classes=classes)
            for number in range(len(meetings))
        )
        size = min(max(-(-pairs // CHUNKS), LEAST_PAIRS), MOST_PAIRS, pairs)
        for agent in agents:
            if isinstance(agent, str):
                make_agent(agent, threads=1)  # faults are told before anything is played
        self.names = labels(agents)
        self.job = Job(tuple(agents), seed, meetings, plans, size)
        self.duels = 2 * pairs * len(meetings)
        self.played = 0
        self.seconds = 0.0
        self._finished: dict[Chunk, np.ndarray] = {}

    def play(self, progress: Callable[[int], None] | None = None, workers: int = 1) -> None:
        """Play on to the end; an interruption keeps the chunks that are finished.

        Args:
            progress: told now and then how many duels have ended.
            workers: how many processes may play. This one begins; others take over once what is
                left would take longer than to start them. Agents that are not given by name are
                played in this one.

        Raises:
            SolwarisError: an agent failed, or a process died.
        """
        start, before = time.perf_counter(), self.seconds
        left = [chunk for chunk in self.job.chunks() if chunk not in self._finished]
        self.played = self._counted()
        known = self.played
        alone = True
        able = len(left) > 1 and workers > 1 and all(isinstance(a, str) for a in self.job.agents)

        def ended(duels: int) -> None:
            self.played += duels
            if duels and progress is not None:
                progress(self.played)
            elapsed = time.perf_counter() - start
            if able and alone and elapsed > START_SECONDS:
                done = self.played - known
                if not done or elapsed / done * (self.duels - self.played) > 2 * START_SECONDS:
                    raise _HandOver

        try:
            try:
                player = Player(self.job)
                while left:
                    self._finished[left[0]] = player.play(left[0], ended)
                    del left[0]
            except _HandOver:
                # the chunk begun is begun again elsewhere: little is lost, nothing depends on it
                alone, self.played = False, self._counted()
                for chunk, rows in _elsewhere(self.job, left, ended, workers):
                    self._finished[chunk] = rows
        finally:
            self.seconds = before + time.perf_counter() - start

    def _counted(self) -> int:
        """Duels of the finished chunks."""
        return sum(len(rows) for rows in self._finished.values())

    def rows(self, meeting: int) -> np.ndarray:
        """Return the duels of the finished chunks of a meeting in order: (n,) FINISHED."""
        parts = [
            self._finished[chunk]
            for chunk in self.job.chunks()
            if chunk.meeting == meeting and chunk in self._finished
        ]
        return np.concatenate([np.zeros(0, FINISHED), *parts])


def _elsewhere(
    job: Job, chunks: Sequence[Chunk], ended: Callable[[int], None], workers: int
) -> Iterator[tuple[Chunk, np.ndarray]]:
    """Play chunks in worker processes, which are gone when this ends, however it ends."""
    context = multiprocessing.get_context("spawn")
    left = deque(chunks)
    busy: dict[Any, Chunk] = {}
    processes: dict[Any, Any] = {}
    try:
        for _ in range(min(workers, len(chunks))):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(job, theirs), daemon=True)
            with _deaf_to_interrupts():
                process.start()
            theirs.close()
            processes[ours] = process
            busy[ours] = left.popleft()
            ours.send(busy[ours])
        while busy:
            for connection in multiprocessing.connection.wait(list(busy)):
                try:
                    kind, value = connection.recv()
                except (EOFError, OSError):
                    processes[connection].join()
                    raise SolwarisError(
                        "a worker process ended before its time, with exit status "
                        f"{processes[connection].exitcode}"
                    ) from None
                if kind == ENDED:
                    ended(value)
                elif kind == FAULT:
                    raise SolwarisError(value)
                else:
                    chunk = busy.pop(connection)
                    if left:
                        busy[connection] = left.popleft()
                        connection.send(busy[connection])
                    yield chunk, value
    finally:
        for process in processes.values():
            process.terminate()
        for process in processes.values():
            process.join()


def _serve(job: Job, connection: Any) -> None:
    """Play the chunks that come in, in a worker process, until nobody listens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    try:
        player = Player(job)
        while True:
            chunk = connection.recv()
            rows = player.play(
                chunk, lambda duels: connection.send((ENDED, duels)) if duels else None
            )
            connection.send((ROWS, rows))
    except SolwarisError as error:
        connection.send((FAULT, str(error)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C for a moment; a process that starts meanwhile is born ignoring it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
