"""The ledger's only writer: one thread, its own cursor, commits of its own.

Rows survive a failed or killed step because they never belong to the caller's transaction (facts
2). Commits are grouped, and start no later than half a second after a row was handed in.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import NamedTuple, TypeAlias

import duckdb
import pyarrow as pa

# A live request waits for its intent, so these commits come soon, yet late enough to be shared.
_INTENT_DELAY_S = 0.02
_DELAY_S = 0.45
_BATCH = 4096


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
        ],
    ),
    Reply: ("reply", [_TEXT] * 8),
}


class LedgerError(Exception):
    """The ledger cannot be written (disk full, file gone); no call may be made any more."""


class LedgerWriter:
    """Queues rows from any thread and commits them in groups.

    Args:
        con: a connection with the ledger attached as `ledger`; only a cursor of it is used.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._cursor = con.cursor()
        self._wake = threading.Condition()
        self._rows: list[Row] = []
        self._durable: list[Future[None]] = []
        self._due = float("inf")
        self._is_closing = False
        self._failure: LedgerError | None = None
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    def intent(self, row: Intent) -> Future[None]:
        """Queue an intent; the future is done when it would survive a kill."""
        future: Future[None] = Future()
        self._put([row], _INTENT_DELAY_S, future)
        return future

    def outcome(self, row: Outcome) -> None:
        """Queue an outcome."""
        self._put([row], _DELAY_S)

    def reply(self, row: Reply) -> None:
        """Queue a reply."""
        self._put([row], _DELAY_S)

    def together(self, *rows: Row) -> None:
        """Queue rows that are committed together or not at all."""
        self._put(rows, _DELAY_S)

    def flush(self) -> None:
        """Return when every row queued so far is committed."""
        future: Future[None] = Future()
        self._put([], 0, future)
        future.result()

    def close(self) -> None:
        """Commit what is queued and end the thread; raises LedgerError if rows were lost."""
        with self._wake:
            self._is_closing = True
            self._wake.notify()
        self._thread.join()
        self._cursor.close()
        if self._failure:
            raise self._failure

    def _put(self, rows: Sequence[Row], delay: float, future: Future[None] | None = None) -> None:
        with self._wake:
            if self._failure:
                raise self._failure
            if self._is_closing:
                raise LedgerError("the ledger is closed")
            self._rows.extend(rows)
            if future:
                self._durable.append(future)
            due = time.monotonic() + delay
            if due < self._due:
                self._due = due
                self._wake.notify()
            elif len(self._rows) >= _BATCH:
                self._wake.notify()

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._is_due():
                    left = self._due - time.monotonic()
                    self._wake.wait(left if left < _DELAY_S else _DELAY_S)
                rows, self._rows = self._rows, []
                durable, self._durable = self._durable, []
                self._due = float("inf")
                is_last = self._is_closing
            try:
                if rows:
                    self._commit(rows)
            except Exception as error:
                self._fail(error, durable)
                return
            for future in durable:
                future.set_result(None)
            if is_last:
                return

    def _is_due(self) -> bool:
        return self._is_closing or len(self._rows) >= _BATCH or time.monotonic() >= self._due

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

    def _fail(self, error: Exception, durable: list[Future[None]]) -> None:
        failure = LedgerError(f"the ledger cannot be written: {error}")
        with self._wake:
            self._failure = failure
            durable += self._durable
        for future in durable:
            future.set_exception(failure)
