"""The ledger's writer: grouped, durable, outside the caller's transaction."""

from __future__ import annotations

import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from threading import Thread

import duckdb
import pytest

from towbench.schemas.database import open_database
from towbench.udfs.ledger import Intent, LedgerError, LedgerWriter, Outcome, Reply

NOW = datetime(2026, 11, 30, 12)


def rows(n: int, status: str = "ok") -> tuple[Intent, Outcome, Reply]:
    attempt, key = str(uuid.UUID(int=n)), f"{n:064}"
    return (
        Intent(attempt, key, str(uuid.UUID(int=1)), 1, NOW, 10, 20, None),
        Outcome(
            attempt, key, status, 200, "stop", 5, 6, None, False, 1.5, "m", "fp", "{}", None, NOW
        ),
        Reply(key, attempt, "reply_v1", '{"score": 7}', "ok", None, "good", "[[7]]"),
    )


@pytest.fixture
def con(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_database(tmp_path / "main.duckdb", tmp_path / "ledger.duckdb") as opened:
        yield opened


def count(con: duckdb.DuckDBPyConnection, table: str) -> int:
    return int(con.execute(f"SELECT count(*) FROM ledger.{table}").fetchall()[0][0])


def test_rows_arrive_whole(con: duckdb.DuckDBPyConnection) -> None:
    ledger = LedgerWriter(con)
    ledger.add(*rows(7))
    ledger.close()
    assert con.execute("SELECT attempt_id, status, cost, usage_unknown FROM ledger.attempt").fetchall() == [
        (uuid.UUID(int=7), "ok", None, False)
    ]  # fmt: skip
    assert con.execute("SELECT rationale, text FROM ledger.reply").fetchall() == [("good", "[[7]]")]


def test_rows_of_a_rolled_back_transaction_stay(con: duckdb.DuckDBPyConnection) -> None:
    ledger = LedgerWriter(con)
    con.begin()
    ledger.add(*rows(1))
    ledger.flush()
    con.rollback()
    assert count(con, "hit") == 1
    ledger.close()


def test_rows_are_committed_within_half_a_second_and_in_groups(
    con: duckdb.DuckDBPyConnection,
) -> None:
    ledger = LedgerWriter(con)
    for n in range(100):
        ledger.add(*rows(n)[1:])
    assert count(con, "outcome") == 0
    time.sleep(0.9)
    assert (count(con, "outcome"), count(con, "reply")) == (100, 100)
    ledger.close()


def test_an_intent_is_stored_when_its_future_is_done(con: duckdb.DuckDBPyConnection) -> None:
    ledger = LedgerWriter(con)
    ledger.intent(rows(1)[0]).result(timeout=5)
    assert count(con, "intent") == 1
    assert con.execute("SELECT status, usage_unknown, prompt_tokens FROM ledger.attempt").fetchall() == [
        ("sent", True, 10)
    ]  # fmt: skip
    ledger.close()


def test_many_threads_may_write(con: duckdb.DuckDBPyConnection) -> None:
    ledger = LedgerWriter(con)

    def write(first: int) -> None:
        for n in range(first, first + 200):
            ledger.intent(rows(n)[0]).result() if n % 50 == 0 else ledger.add(*rows(n))

    threads = [Thread(target=write, args=(first,)) for first in range(0, 1600, 200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ledger.close()
    assert (count(con, "intent"), count(con, "outcome")) == (1600, 1568)


def test_a_ledger_that_cannot_be_written_says_so_to_everyone(
    con: duckdb.DuckDBPyConnection,
) -> None:
    ledger = LedgerWriter(con)
    ledger.add(*rows(1, status="no such status"))
    with pytest.raises(LedgerError, match="cannot be written"):
        ledger.flush()
    with pytest.raises(LedgerError, match="cannot be written"):
        ledger.intent(rows(2)[0])
    with pytest.raises(LedgerError, match="cannot be written"):
        ledger.close()


KILLED = """
import sys, uuid
from pathlib import Path
from towbench.schemas.database import open_database
from towbench.tests.unit.test_udfs_ledger import rows
from towbench.udfs.ledger import LedgerWriter
folder = Path(sys.argv[1])
ledger = LedgerWriter(open_database(folder / "main.duckdb", folder / "ledger.duckdb"))
n = 0
while True:
    n += 1
    ledger.intent(rows(n)[0]).result()
    print(n, flush=True)
"""


@pytest.mark.slow
def test_no_durable_intent_is_lost_by_a_kill(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        promised = 0
        while promised < 25:
            promised = int(process.stdout.readline())
        process.kill()
        promised = max([promised, *map(int, process.stdout.read().split())])
    with duckdb.connect(str(tmp_path / "ledger.duckdb"), read_only=True) as con:
        found = con.execute("SELECT count(DISTINCT call_key) FROM intent").fetchall()[0][0]
    assert promised <= found <= promised + 1
