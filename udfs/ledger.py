"""The ledger's only writer: one thread, its own cursor, commits of its own.

Rows survive a failed or killed step because they never belong to the caller's transaction (facts
2). Commits are grouped, and start no later than half a second after a row was handed in.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import NamedTuple, TypeAlias

import duckdb
import pyarrow as pa

from towbench.schemas.errors import DataError

# A live request waits for its intent, so these commits come soon, yet late enough to be shared: one
# costs as much as ten calls.
_INTENT_DELAY_S = 0.15
_DELAY_S = 0.45
_BATCH = 4096
_NEVER = float("inf")


class Intent(NamedTuple):
    """An attempt about to be sent, with what it can cost at most."""

    attempt_id: str
    call_key: str
    run_id: str
    number: int
    sent_at: datetime
    prompt_tokens_bound: int | None
    completion_tokens_bound: int | None
    cost_bound: float | None


class Outcome(NamedTuple):
    """What came back for an attempt; `body` is the raw response text."""

    attempt_id: str
    call_key: str
    status: str
    http_status: int | None
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    usage_unknown: bool
    latency_ms: float | None
    served_model: str | None
    fingerprint: str | None
    body: str | None
    error: str | None
    received_at: datetime
    cached_tokens: int | None = None
    is_batch: bool = False


class Reply(NamedTuple):
    """What a parser version read in the reply of an attempt."""

    call_key: str
    attempt_id: str
    parser_version: str
    value: str | None
    status: str
    reason: str | None
    rationale: str | None
    text: str | None


Row: TypeAlias = Intent | Outcome | Reply

_TEXT, _WHOLE, _REAL, _TIME = pa.string(), pa.int64(), pa.float64(), pa.timestamp("us")
# In this order within a commit: an outcome without its intent must never be seen.
_TABLES: dict[type[Row], tuple[str, list[pa.DataType]]] = {
    Intent: ("intent", [_TEXT, _TEXT, _TEXT, _WHOLE, _TIME, _WHOLE, _WHOLE, _REAL]),
    Outcome: (
        "outcome",
        [
            *[_TEXT] * 3,
            _WHOLE,
            _TEXT,
            _WHOLE,
            _WHOLE,
            _REAL,
            pa.bool_(),
            _REAL,
            *[_TEXT] * 4,
            _TIME,
            _WHOLE,
            pa.bool_(),
        ],
    ),
    Reply: ("reply", [_TEXT] * 8),
}


class LedgerError(DataError):
    """The ledger cannot be written (disk full, file gone); no call may be made any more."""


class _Queue:
    """Rows waiting for a common commit, when it is due, and a future that says it is done."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.due = _NEVER
        self.committed: Future[None] = Future()
        # Many wait for one future: none of them may cancel it.
        self.committed.set_running_or_notify_cancel()


class LedgerWriter:
    """Queues rows from any thread and commits them in groups.

    Args:
        con: a connection with the ledger attached as `ledger`; only a cursor of it is used.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con
        self._cursor = con.cursor()
        self._wake = threading.Condition()
        self._promised, self._others = _Queue(), _Queue()
        self._awaited: tuple[Future[None], asyncio.Future[None]] | None = None
        self._is_closing = False
        self._failure: LedgerError | None = None
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Another connection to the same files, with transactions of its own."""
        return self._con.cursor()

    def intent(self, row: Intent) -> Future[None]:
        """Queue an intent; the future is done when it would survive a kill."""
        with self._wake:
            return self._put(self._promised, [row], _INTENT_DELAY_S)

    async def promise(self, row: Intent) -> None:
        """Queue an intent and return when it would survive a kill; all callers share one loop."""
        committed = self.intent(row)
        if self._awaited is None or self._awaited[0] is not committed:
            self._awaited = committed, asyncio.wrap_future(committed)
        # One wake-up of the loop for all that wait for this commit. A waiter that was cancelled
        # would take the others with it: nothing cancels a call, it ends by itself.
        await self._awaited[1]

    def add(self, *rows: Row) -> None:
        """Queue rows that are committed together or not at all, half a second later at most."""
        with self._wake:
            self._put(self._others, rows, _DELAY_S)

    def flush(self) -> None:
        """Return when every row queued so far is committed."""
        with self._wake:
            waiting = [self._put(queue, [], 0) for queue in (self._promised, self._others)]
        for committed in waiting:
            committed.result()

    def close(self) -> None:
        """Commit what is queued and end the thread; raises LedgerError if rows were lost."""
        with self._wake:
            self._is_closing = True
            self._wake.notify()
        self._thread.join()
        self._cursor.close()
        if self._failure:
            raise self._failure

    def _put(self, queue: _Queue, rows: Sequence[Row], delay: float) -> Future[None]:
        """Add rows to a queue; the caller holds the lock."""
        if self._failure:
            raise self._failure
        if self._is_closing:
            raise LedgerError("the ledger is closed")
        queue.rows.extend(rows)
        due = time.monotonic() + delay
        if due < queue.due or len(queue.rows) >= _BATCH:
            queue.due = min(due, queue.due)
            self._wake.notify()
        return queue.committed

    def _run(self) -> None:
        is_last = False
        while not is_last:
            with self._wake:
                while not (taken := self._take_due()):
                    due = min(self._promised.due, self._others.due) - time.monotonic()
                    self._wake.wait(min(max(due, 0), threading.TIMEOUT_MAX))
                is_last = self._is_closing
            try:
                self._commit([row for queue in taken for row in queue.rows])
            except Exception as error:
                self._fail(error, taken)
                return
            for queue in taken:
                queue.committed.set_result(None)

    def _take_due(self) -> list[_Queue]:
        """The queues whose time has come, replaced by empty ones; intents first."""
        taken = []
        if self._is_due(self._promised):
            taken.append(self._promised)
            self._promised = _Queue()
        if self._is_due(self._others):
            taken.append(self._others)
            self._others = _Queue()
        return taken

    def _is_due(self, queue: _Queue) -> bool:
        is_full = len(queue.rows) >= _BATCH
        return is_full or self._is_closing or time.monotonic() >= queue.due

    def _commit(self, rows: list[Row]) -> None:
        self._cursor.begin()
        for kind, (table, types) in _TABLES.items():
            if batch := [row for row in rows if type(row) is kind]:
                columns = zip(*batch, strict=True)
                arrays = [pa.array(c, t) for c, t in zip(columns, types, strict=True)]
                self._cursor.register("batch", pa.table(arrays, names=list(kind._fields)))
                self._cursor.execute(f"INSERT INTO ledger.{table} BY NAME FROM batch")
                self._cursor.unregister("batch")
        self._cursor.commit()

    def _fail(self, error: Exception, taken: list[_Queue]) -> None:
        with self._wake:
            self._failure = LedgerError(f"the ledger cannot be written: {error}")
        for queue in (*taken, self._promised, self._others):
            queue.committed.set_exception(self._failure)
