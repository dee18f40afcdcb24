"""The log of hosted duels: SQLite, append-only, one thread that writes.

What several duels append meanwhile goes into one transaction; a future is done once its
transaction is on the disk. Kill the process at any moment: what was acknowledged is there.
"""

import asyncio
import contextlib
import json
import queue
import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from ..errors import SolwarisError
from .waiting import gather

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
    import msvcrt

FORMAT = 1
MOST_AT_ONCE = 256
START_SECONDS = 10.0  # how long a starting server waits for another process that has the log locked
LOCKED_SECONDS = 1.0  # how long a running one does
_TABLES = """
CREATE TABLE IF NOT EXISTS duels (
    duel TEXT PRIMARY KEY, created REAL NOT NULL, rules TEXT NOT NULL, rulebook TEXT NOT NULL,
    client TEXT NOT NULL, setup TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS secrets (
    duel TEXT NOT NULL, seat INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (duel, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS actions (
    duel TEXT NOT NULL, seq INTEGER NOT NULL, seat INTEGER NOT NULL, action TEXT NOT NULL,
    at REAL NOT NULL, deadline REAL, PRIMARY KEY (duel, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS resignations (
    duel TEXT NOT NULL, seat INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (duel, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS set_offs (
    duel TEXT PRIMARY KEY, at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ends (
    duel TEXT PRIMARY KEY, at REAL NOT NULL, outcome TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pauses (at REAL PRIMARY KEY, seconds REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS alive (one INTEGER PRIMARY KEY CHECK (one = 1), at REAL NOT NULL);
"""

Statement = tuple[str, tuple[Any, ...]]


class StoreError(SolwarisError):
    """The log cannot be opened or written; `locked`: because another process keeps it."""

    locked = False


class LoggedAction(NamedTuple):
    """One transition of a duel; `action` is its text or `time up`."""

    seq: int
    seat: int
    action: str
    at: float
    deadline: float | None


@dataclass(frozen=True)
class LoggedDuel:
    """A duel as the log has it."""

    duel: str
    created: float
    rules: str
    rulebook: str
    client: str
    setup: dict[str, Any]
    digests: dict[int, bytes]
    actions: list[LoggedAction]
    resigned: list[int]
    set_off: float | None  # when time began to run in a duel that waited for its people
    over: bool


class Store:
    """The log in a file, or in memory for `:memory:`. Raises StoreError."""

    def __init__(self, path: str | Path) -> None:
        self._path = str(path)
        self._held = _hold(self._path)
        self.failing = False  # the last that was to be written could not be
        self._queue: queue.SimpleQueue[tuple[list[Statement], asyncio.Future | None] | None] = (
            queue.SimpleQueue()
        )
        self._started = False
        self._tired = 0.0  # until this moment nobody waits again for who has the log locked
        try:
            self._file = sqlite3.connect(
                self._path, isolation_level=None, check_same_thread=False, timeout=START_SECONDS
            )
            version = self._file.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, FORMAT):
                raise StoreError(
                    f"{path} is a log of format {version}, this version writes {FORMAT}"
                )
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.executescript(_TABLES)
            self._file.execute(f"PRAGMA user_version = {FORMAT}")
        except (sqlite3.Error, StoreError) as error:
            self._let_go()
            if isinstance(error, StoreError):
                raise
            raise StoreError(f"cannot use {path} as the log of duels: {error}") from error
        self._lock = threading.Lock()  # one statement at a time on the one connection
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)

    def start(self) -> None:
        """Begin to write, on the running event loop's behalf."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def append(self, statements: list[Statement]) -> None:
        """Write all of the statements or none; returns once they are on the disk.

        Raises StoreError.
        """
        assert self._loop is not None
        done = self._loop.create_future()
        self._queue.put((statements, done))
        await done

    def note(self, statements: list[Statement]) -> None:
        """Write soon, nobody waits for it."""
        self._queue.put((statements, None))

    def close(self) -> None:
        """Write what is waiting and close the file."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
        with self._lock:
            self._file.close()
        self._let_go()

    def _let_go(self) -> None:
        """Let another server have the log; the end of the process does as much."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def _write(self) -> None:
        """The thread's work: gather what waits, one transaction for all of it."""
        while True:
            work, ending = gather(self._queue, MOST_AT_ONCE)
            if work:
                self._commit(work)
            if ending:
                return

    def _commit(self, work: list[tuple[list[Statement], asyncio.Future | None]]) -> None:
        failure: StoreError | None = None
        with self._lock:
            try:
                self._limit_patience()
                self._file.execute("BEGIN IMMEDIATE")
                for statements, _ in work:
                    for text, values in statements:
                        self._file.execute(text, values)
                self._file.execute("COMMIT")
            except sqlite3.Error as error:
                failure = self._fault(error)
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
            self.failing = failure is not None
        if failure is not None and len(work) > 1 and not failure.locked:
            for item in work:  # one duel's fault must not undo the others' work
                self._commit([item])
            return
        waiting = [done for _, done in work if done is not None]
        if waiting and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_settle, waiting, failure)

    def _rows(self, text: str, values: tuple[Any, ...] = ()) -> list[tuple]:
        with self._lock:
            try:
                self._limit_patience()
                with closing(self._file.execute(text, values)) as cursor:
                    return cursor.fetchall()
            except sqlite3.Error as error:
                raise self._fault(error) from error

    def _limit_patience(self) -> None:
        """How long the next statement waits for another process that has the log locked.

        Whoever asks after one that waited in vain waits no more: together they wait only once.
        """
        if self._started:
            seconds = 0.0 if time.monotonic() < self._tired else LOCKED_SECONDS
            self._file.execute(f"PRAGMA busy_timeout = {int(1000 * seconds)}")

    def _fault(self, error: sqlite3.Error) -> StoreError:
        """The fault in our words; notes if another process was waited for in vain."""
        fault = StoreError(f"the log of duels {self._path} cannot be used: {error}")
        primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
        fault.locked = primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        if fault.locked:
            self._tired = time.monotonic() + LOCKED_SECONDS
        return fault

    def unfinished(self) -> list[str]:
        """Names of the duels to go on with, oldest first. Raises StoreError."""
        rows = self._rows(
            "SELECT duel FROM duels WHERE duel NOT IN (SELECT duel FROM ends) ORDER BY created"
        )
        return [name for (name,) in rows]

    def read(self, name: str) -> LoggedDuel | None:
        """All that the log has of a duel, None if it has nothing. Raises StoreError."""
        heads = self._rows(
            "SELECT duel, created, rules, rulebook, client, setup FROM duels WHERE duel = ?",
            (name,),
        )
        if not heads:
            return None
        *head, setup = heads[0]
        return LoggedDuel(
            *head,
            setup=json.loads(setup),
            digests=dict(self._rows("SELECT seat, digest FROM secrets WHERE duel = ?", (name,))),
            actions=[
                LoggedAction(*row)
                for row in self._rows(
                    "SELECT seq, seat, action, at, deadline FROM actions WHERE duel = ? "
                    "ORDER BY seq",
                    (name,),
                )
            ],
            resigned=[
                seat
                for (seat,) in self._rows(
                    "SELECT seat FROM resignations WHERE duel = ? ORDER BY at, seat", (name,)
                )
            ],
            set_off=next(
                (at for (at,) in self._rows("SELECT at FROM set_offs WHERE duel = ?", (name,))),
                None,
            ),
            over=bool(self._rows("SELECT 1 FROM ends WHERE duel = ?", (name,))),
        )

    def last_moment(self) -> float | None:
        """The latest moment when clocks were kept, None in a new log. Raises StoreError."""
        number = "typeof(at) IN ('real', 'integer')"  # whatever else a row may hold
        rows = self._rows(
            f"SELECT max(at) FROM alive WHERE {number} "
            f"UNION ALL SELECT max(at) FROM actions WHERE {number}"
        )
        return max((at for (at,) in rows if at is not None), default=None)

    def begin_again(self, now: float) -> None:
        """Note how long nobody kept the clocks: they stand still while the server is down.

        Raises StoreError.
        """
        last = self.last_moment()
        down = 0.0 if last is None else max(0.0, now - last)
        with self._lock:
            try:
                self._file.execute("BEGIN IMMEDIATE")
                self._file.execute(
                    "INSERT INTO pauses VALUES (?, ?) "
                    "ON CONFLICT (at) DO UPDATE SET seconds = seconds + excluded.seconds",
                    (now, down),
                )
                self._file.execute("INSERT OR REPLACE INTO alive VALUES (1, ?)", (now,))
                self._file.execute("COMMIT")
            except sqlite3.Error as error:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise self._fault(error) from error
        self._started = True

    def paused_since(self, at: float) -> float:
        """Seconds that clocks stood still after a moment."""
        return self._rows("SELECT total(seconds) FROM pauses WHERE at > ?", (at,))[0][0]


def _hold(path: str) -> IO[bytes] | None:
    """Keep other servers off a log, by a lock that ends with the process. Raises StoreError."""
    if path == ":memory:":
        return None
    try:
        real = Path(path).resolve()  # a link to the file is the same log
        if not path or real.is_dir():  # under an empty name SQLite would keep nothing
            raise ValueError("it is no file's name")
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a NUL
        raise StoreError(f"cannot use {path!r} as the log of duels: {error}") from error
    held = None
    try:
        held = real.with_name(f"{real.name}.lock").open("ab")
        if fcntl is not None:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            held.seek(0)
            msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError as error:
        taken = held is not None and isinstance(error, BlockingIOError | PermissionError)
        if held is not None:
            with contextlib.suppress(OSError):
                held.close()
        if taken:
            raise StoreError(f"another server has this log open: {path}") from error
        raise StoreError(f"cannot use {path} as the log of duels: {error}") from error
    return held


def _settle(waiting: list[asyncio.Future], failure: StoreError | None) -> None:
    for done in waiting:
        if done.done():
            continue
        if failure is None:
            done.set_result(None)
        else:
            done.set_exception(failure)


def new_duel(
    name: str, created: float, rules: str, book: str, client: str, setup: dict, digests: dict
) -> list[Statement]:
    """The statements that write down a new duel."""
    return [
        (
            "INSERT INTO duels VALUES (?, ?, ?, ?, ?, ?)",
            (name, created, rules, book, client, json.dumps(setup)),
        ),
        *(
            ("INSERT INTO secrets VALUES (?, ?, ?)", (name, seat, digest))
            for seat, digest in digests.items()
        ),
    ]


def new_action(name: str, action: LoggedAction) -> Statement:
    """The statement that writes down a transition."""
    return ("INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?)", (name, *action))


def new_resignation(name: str, seat: int, at: float) -> Statement:
    """The statement that writes down that a seat gives up."""
    return ("INSERT OR IGNORE INTO resignations VALUES (?, ?, ?)", (name, seat, at))


def new_set_off(name: str, at: float) -> Statement:
    """The statement that writes down that time begins to run in a duel that waited."""
    return ("INSERT OR IGNORE INTO set_offs VALUES (?, ?)", (name, at))


def new_end(name: str, at: float, outcome: dict[str, Any]) -> Statement:
    """The statement that writes down a duel's end."""
    return ("INSERT OR IGNORE INTO ends VALUES (?, ?, ?)", (name, at, json.dumps(outcome)))


def forget_finished(before: float) -> list[Statement]:
    """The statements that drop the duels that ended before a moment."""
    ended = "(SELECT duel FROM ends WHERE at < ?)"
    tables = ("actions", "secrets", "resignations", "set_offs", "duels", "ends")
    return [(f"DELETE FROM {table} WHERE duel IN {ended}", (before,)) for table in tables]


def heartbeat(at: float) -> Statement:
    """The statement that says that clocks were kept until now."""
    return ("INSERT OR REPLACE INTO alive VALUES (1, ?)", (at,))
