"""Ledgers are pooled, copied, shrunk and verified without losing a reply (cases C 19)."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from towbench.schemas.database import attach_ledger
from towbench.schemas.errors import DataError
from towbench.udfs.ledger_care import backup_ledger, check_ledger, compact_ledger, merge_ledger

_ID = "00000000-0000-0000-0000-{:012d}"
_KEY = """
SELECT call_key_v1('p', 'hp', 'a/x', '{}', 0, 'single', NULL, NULL, sha256('text ' || ?), NULL)
"""


def opened(path: Path) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    attach_ledger(con, path, "ledger")
    macro = Path(__file__).parents[2] / "sql" / "macros" / "call_key_v1.sql"
    con.execute(macro.read_text())
    return con


def ledger(path: Path, *calls: tuple[int, int, str]) -> Path:
    """A ledger of calls (number of the text, number of the attempt, value of the reply)."""
    con = opened(path)
    for text, attempt, value in calls:
        ((key,),) = con.execute(_KEY, [str(text)]).fetchall()
        ids = _ID.format(attempt)
        for hashed, shown in ((f"sha256('text {text}')", f"text {text}"), ("'hp'", "prompt")):
            con.execute(
                f"INSERT INTO ledger.text SELECT {hashed} AS new, ? "
                "WHERE new NOT IN (SELECT hash FROM ledger.text)",
                [shown],
            )
        con.execute(
            "INSERT INTO ledger.request SELECT ?, 't', 'score', 'a/x', 'p', 'hp', 0, '{}', 'single', "
            "NULL, NULL, sha256(?), NULL WHERE ? NOT IN (SELECT call_key FROM ledger.request)",
            [key, f"text {text}", key],
        )
        con.execute(
            "INSERT INTO ledger.intent "
            "VALUES (?, ?, ?, 1, TIMESTAMP '2026-01-01' + to_seconds(?), 1, 1, 0)",
            [ids, key, _ID.format(0), attempt],
        )
        con.execute(
            "INSERT INTO ledger.outcome BY NAME SELECT ? AS attempt_id, ? AS call_key, 'ok' AS status, "
            "false AS usage_unknown, ? AS body, TIMESTAMP '2026-01-01' AS received_at, 0.5 AS cost",
            [ids, key, value],
        )
        con.execute(
            "INSERT INTO ledger.reply VALUES (?, ?, 'reply_v1', ?, 'ok', NULL, NULL, ?)",
            [key, ids, value, value],
        )
    con.close()
    return path


def counts(path: Path) -> dict[str, int]:
    con = opened(path)
    tables = ("text", "request", "intent", "outcome", "reply", "hit")
    found = {t: con.execute(f"SELECT count(*) FROM ledger.{t}").fetchall()[0][0] for t in tables}
    con.close()
    return found


def test_two_ledgers_pool_their_replies_once(tmp_path: Path) -> None:
    ours = ledger(tmp_path / "a.duckdb", (1, 1, "5"), (2, 2, "6"))
    theirs = ledger(tmp_path / "b.duckdb", (2, 3, "6"), (3, 4, "7"))
    before = theirs.read_bytes()
    merged = merge_ledger(ours, theirs)
    assert merged.conflicts == []
    assert merged.added["intent"] == merged.added["reply"] == 2 and merged.added["request"] == 1
    pooled = counts(ours)
    assert pooled == {"text": 4, "request": 3, "intent": 4, "outcome": 4, "reply": 4, "hit": 3}
    again = merge_ledger(ours, theirs)
    assert set(again.added.values()) == {0} and counts(ours) == pooled
    assert theirs.read_bytes() == before
    assert check_ledger(ours) == []


def test_two_answers_to_one_key_are_both_kept_and_named(tmp_path: Path) -> None:
    ours = ledger(tmp_path / "a.duckdb", (1, 1, "5"))
    theirs = ledger(tmp_path / "b.duckdb", (1, 2, "9"))
    (conflict,) = merge_ledger(ours, theirs).conflicts
    assert "two replies, both kept" in conflict
    assert counts(ours)["reply"] == 2 and counts(ours)["hit"] == 1
    assert merge_ledger(ours, theirs).conflicts == []


def test_a_row_that_was_changed_is_named_and_ours_stays(tmp_path: Path) -> None:
    ours = ledger(tmp_path / "a.duckdb", (1, 1, "5"))
    theirs = ledger(tmp_path / "b.duckdb", (1, 1, "8"))
    conflicts = merge_ledger(ours, theirs).conflicts
    assert [one.split()[0] for one in conflicts] == ["outcome", "reply"]
    con = opened(ours)
    assert con.execute("SELECT value FROM ledger.reply").fetchall() == [("5",)]
    con.close()


def test_a_ledger_of_before_the_batches_is_merged(tmp_path: Path) -> None:
    ours, old = ledger(tmp_path / "a.duckdb", (1, 1, "5")), tmp_path / "old.duckdb"
    first = Path(__file__).parents[2] / "schemas" / "migrations" / "ledger" / "0001_ledger.sql"
    with duckdb.connect(str(old)) as con:
        con.execute("CREATE TABLE migration (name VARCHAR PRIMARY KEY)")
        con.execute("INSERT INTO migration VALUES ('0001_ledger.sql')")
        con.execute(first.read_text())
        con.execute("INSERT INTO text VALUES (sha256('old'), 'old')")
    assert merge_ledger(ours, old).added["text"] == 1


def test_a_backup_is_whole_and_overwrites_nothing(tmp_path: Path) -> None:
    ours = ledger(tmp_path / "a.duckdb", (1, 1, "5"), (2, 2, "6"))
    assert "rows" in backup_ledger(ours, tmp_path / "copy.duckdb")
    assert counts(tmp_path / "copy.duckdb") == counts(ours)
    assert check_ledger(tmp_path / "copy.duckdb") == []
    with pytest.raises(DataError, match="exists"):
        backup_ledger(ours, tmp_path / "copy.duckdb")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.duckdb", "copy.duckdb"]


def test_compacting_keeps_every_hit_and_shrinks(tmp_path: Path) -> None:
    ours = ledger(tmp_path / "a.duckdb", (1, 1, "5"), (2, 2, "6"))
    con = opened(ours)
    for text in range(2, 60_000, 30_000):
        con.execute(
            "INSERT INTO ledger.text SELECT sha256('text ' || range), 'text ' || range "
            "FROM range(?, ? + 30000)",
            [text + 1] * 2,
        )
        con.execute("CHECKPOINT ledger")
    # Space that nothing uses any more stays in the middle of the file.
    con.execute("DELETE FROM ledger.text WHERE text BETWEEN 'text 3' AND 'text 5'")
    con.close()
    before, size = counts(ours), ours.stat().st_size
    said = compact_ledger(ours)
    assert counts(ours) == before and ours.stat().st_size < 0.8 * size
    assert f"{size:,}" in said
    assert check_ledger(ours) == []
    assert [path.name for path in tmp_path.iterdir()] == ["a.duckdb"]
    # What can be done with a ledger can be done with the compacted one.
    assert merge_ledger(ours, ledger(tmp_path / "b.duckdb", (7, 7, "1"))).added["reply"] == 1


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("UPDATE ledger.text SET text = 'other' WHERE text = 'text 1'", "text whose hash"),
        ("UPDATE ledger.request SET repeat = 1", "request whose call_key"),
        ("DELETE FROM ledger.text WHERE text = 'text 1'", "request whose text is missing"),
        ("DELETE FROM ledger.request", "attempt without its request"),
        ("DELETE FROM ledger.intent", "finished attempt without its intent"),
        ("DELETE FROM ledger.outcome", "reply without its finished attempt"),
        ("DELETE FROM ledger.reply", "answered attempt that was never read"),
        ("INSERT INTO ledger.outcome FROM ledger.outcome", "outcome row that is there twice"),
        (
            "INSERT INTO ledger.batch_line SELECT uuid(), attempt_id, call_key FROM ledger.intent",
            "batch line without its batch",
        ),
    ],
)
def test_damage_is_found_and_named(tmp_path: Path, damage: str, says: str) -> None:
    ours = ledger(tmp_path / "a.duckdb", (1, 1, "5"))
    con = opened(ours)
    con.execute(damage)
    con.close()
    assert any(says in fault for fault in check_ledger(ours))


def test_a_ledger_in_use_is_left_alone_and_its_holder_named(tmp_path: Path) -> None:
    ours = ledger(tmp_path / "a.duckdb", (1, 1, "5"))
    hold = (
        "import duckdb,sys;c=duckdb.connect(sys.argv[1]);print('held',flush=True);sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", hold, str(ours)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout and holder.stdout.readline()
        for care in (
            compact_ledger,
            check_ledger,
            lambda path: backup_ledger(path, tmp_path / "c"),
        ):
            with pytest.raises(DataError, match=rf"in use by process {holder.pid}"):
                care(ours)
    finally:
        holder.communicate()


def test_what_is_no_ledger_is_refused(tmp_path: Path) -> None:
    ours = ledger(tmp_path / "a.duckdb", (1, 1, "5"))
    with pytest.raises(DataError, match="no such ledger"):
        merge_ledger(ours, tmp_path / "missing.duckdb")
    with pytest.raises(DataError, match="is the ledger itself"):
        merge_ledger(ours, ours)
    with duckdb.connect(str(tmp_path / "other.duckdb")) as con:
        con.execute("CREATE TABLE x AS SELECT 1")
    with pytest.raises(DataError, match="not a file of towbench"):
        merge_ledger(ours, tmp_path / "other.duckdb")


def test_a_damaged_file_is_told_and_leaves_no_copy(tmp_path: Path) -> None:
    """The header is whole and the rows are not: no command ends in a traceback."""
    words = random.Random(1)
    path = ledger(
        tmp_path / "a.duckdb", *((n, n, words.randbytes(20_000).hex()) for n in range(80))
    )
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 4)
        file.write(b"\xa5" * (size // 2))
    for care in (check_ledger, compact_ledger, lambda one: backup_ledger(one, tmp_path / "b")):
        with pytest.raises(DataError, match=r"a\.duckdb.*ledger backup"):
            care(path)
    assert {file.name for file in tmp_path.iterdir()} <= {"a.duckdb", "a.duckdb.wal"}
