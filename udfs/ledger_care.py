"""Care of the file of paid replies: pool two files, copy one, shrink it, verify it.

Each opens the file for itself alone; while another process holds it, a message names that process.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import duckdb
import pyarrow as pa

from towbench.prompts import load_prompts
from towbench.schemas.database import attach_ledger
from towbench.schemas.errors import DataError

# What makes a row of a table the same row, and what must not differ then.
_KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "text": (("hash",), ("text",)),
    "request": (("call_key",), ("model", "prompt_id", "prompt_hash", "repeat", "sampling")),
    "intent": (("attempt_id",), ("call_key",)),
    "outcome": (("attempt_id",), ("call_key", "status", "body")),
    "reply": (("attempt_id", "parser_version"), ("status", "value")),
    "batch": (("batch_id",), ("provider", "model")),
    "batch_line": (("attempt_id",), ("batch_id",)),
    "batch_event": (("batch_id", "event"), ("remote_id",)),
}
_SHOWN = 3

# What each query returns must not exist.
_CHECKS = {
    "text whose hash is another": """
        SELECT text.hash FROM ledger.text AS text
        WHERE sha256(text.text) <> text.hash
            AND text.hash NOT IN (SELECT request.prompt_hash FROM ledger.request AS request)
    """,
    "prompt whose text is not that of the package": """
        SELECT text.hash FROM ledger.text AS text
        INNER JOIN shipped ON shipped.hash = text.hash
        WHERE text.text <> shipped.body
    """,
    "request whose call_key is not the key of its parts": """
        SELECT request.call_key FROM ledger.request AS request
        WHERE request.call_key <> call_key_v1(
            request.prompt_id, request.prompt_hash, request.model, request.sampling,
            request.repeat, request.presentation, request.instruction_hash,
            request.reference_hash, request.text_hash, request.dimensions_hash
        )
    """,
    "request whose text is missing": """
        SELECT named.call_key || ' ' || named.hash
        FROM (
            SELECT call_key, unnest([
                prompt_hash, instruction_hash, reference_hash, text_hash, dimensions_hash
            ]) AS hash
            FROM ledger.request
        ) AS named
        WHERE named.hash IS NOT NULL
            AND named.hash NOT IN (SELECT text.hash FROM ledger.text AS text)
    """,
    "attempt without its request": """
        SELECT intent.attempt_id FROM ledger.intent AS intent
        ANTI JOIN ledger.request AS request ON request.call_key = intent.call_key
    """,
    "finished attempt without its intent": """
        SELECT outcome.attempt_id FROM ledger.outcome AS outcome
        ANTI JOIN ledger.intent AS intent
            ON intent.attempt_id = outcome.attempt_id AND intent.call_key = outcome.call_key
    """,
    "reply without its finished attempt": """
        SELECT reply.attempt_id FROM ledger.reply AS reply
        ANTI JOIN ledger.outcome AS outcome
            ON outcome.attempt_id = reply.attempt_id AND outcome.call_key = reply.call_key
    """,
    "answered attempt that was never read": """
        SELECT outcome.attempt_id FROM ledger.outcome AS outcome
        ANTI JOIN ledger.reply AS reply ON reply.attempt_id = outcome.attempt_id
        WHERE outcome.status = 'ok'
    """,
    "batch line without its batch or attempt": """
        SELECT line.attempt_id FROM ledger.batch_line AS line
        LEFT JOIN ledger.batch AS batch ON batch.batch_id = line.batch_id
        LEFT JOIN ledger.intent AS intent ON intent.attempt_id = line.attempt_id
        WHERE batch.batch_id IS NULL OR intent.attempt_id IS NULL
    """,
} | {
    f"{table} row that is there twice": f"""
        SELECT concat_ws(' ', {", ".join(keys)}) FROM ledger.{table}
        GROUP BY {", ".join(keys)} HAVING count(*) > 1
    """
    for table, (keys, _) in _KEYS.items()
}


class Merged(NamedTuple):
    """Rows added by table, and what the two files do not agree on."""

    added: dict[str, int]
    conflicts: list[str]

    def __str__(self) -> str:
        counts = ", ".join(f"{n:,} {table}" for table, n in self.added.items() if n)
        return f"Added rows: {counts or 'none'}. Conflicts: {len(self.conflicts):,}."


def merge_ledger(path: Path, other: Path) -> Merged:
    """Add every row of another ledger that this one lacks; the other file is only read.

    Two replies to the same key are both kept, the later one counts; a key that the two files
    answered differently is named. A row that says other things under the same id stays as it is
    here and is named too.
    """
    if path.exists() and other.exists() and path.samefile(other):
        raise DataError(f"{other}: is the ledger itself")
    _must_exist(other)
    with _opened(path) as con:
        attach_ledger(con, other, "other", read_only=True)
        con.begin()
        conflicts = [*_answered_differently(con)]
        added = {}
        for table, (keys, same) in _KEYS.items():
            if not _columns(con, "other", table):
                continue
            conflicts += _differing(con, table, keys, same)
            added[table] = _add(con, table, keys)
        con.commit()
    return Merged(added, conflicts)


def backup_ledger(path: Path, to: Path) -> str:
    """Write a consistent copy; what was done, in words."""
    _must_exist(path)
    if to.exists():
        raise DataError(f"{to}: exists; name a file that does not")
    with _opened(path) as con:
        n = _copy(con, to)
    return f"Wrote {to}: {n:,} rows."


def compact_ledger(path: Path) -> str:
    """Copy every row to a new file and put it in the place of the old; what was done, in words."""
    _must_exist(path)
    fresh = path.with_name(path.name + ".compact")
    before = path.stat().st_size
    with _opened(path) as con:
        con.execute("CHECKPOINT ledger")
        n = _copy(con, fresh)
        seen = _version(path)
    with path.open("r+b") as old:
        # The lock that DuckDB takes: nobody opens the old file while it is replaced.
        try:
            fcntl.lockf(old, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_changed = _version(path) != seen
        except OSError:
            is_changed = True
        if is_changed:
            fresh.unlink()
            raise DataError(f"{path}: another process opened it meanwhile; nothing was changed")
        os.replace(fresh, path)
    return f"Compacted {path}: {n:,} rows, {before:,} -> {path.stat().st_size:,} bytes."


def check_ledger(path: Path) -> list[str]:
    """What is wrong with a ledger, one line a fault with its first rows; empty if nothing is."""
    _must_exist(path)
    macro = files("towbench") / "sql" / "macros" / "call_key_v1.sql"
    faults = []
    with _opened(path) as con:
        con.execute(macro.read_text("utf-8"))
        prompts = [(one.sha256, one.body) for one in load_prompts().values()]
        columns = zip(*prompts, strict=True)
        con.register("shipped", pa.table(list(map(pa.array, columns)), names=["hash", "body"]))
        for fault, query in _CHECKS.items():
            rows = [str(row) for (row,) in con.execute(query).fetchall()]
            if rows:
                more = f" and {len(rows) - _SHOWN:,} more" if len(rows) > _SHOWN else ""
                faults.append(f"{path}: {fault}: {', '.join(sorted(rows)[:_SHOWN])}{more}")
    return faults


@contextmanager
def _opened(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the ledger as `ledger`, migrated, for us alone."""
    con = duckdb.connect(":memory:")
    try:
        attach_ledger(con, path, "ledger")
        yield con
    except duckdb.Error as error:
        raise DataError(
            f"{path}: {error}; if the file is damaged, go on with a copy that "
            "`towbench ledger backup` made"
        ) from error
    finally:
        con.close()


def _must_exist(path: Path) -> None:
    if not path.is_file():
        raise DataError(f"{path}: no such ledger")


def _version(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size


def _copy(con: duckdb.DuckDBPyConnection, to: Path) -> int:
    """Copy the ledger to a new file that appears only when it is whole; the number of rows."""
    part = to.with_name(to.name + ".part")
    part.unlink(missing_ok=True)
    attach_ledger(con, part, "copy", migrated=False)
    try:
        con.execute("COPY FROM DATABASE ledger TO copy")
    except duckdb.Error:
        part.unlink()
        raise
    n = 0
    for table in _KEYS:
        counts = (
            f"SELECT (SELECT count(*) FROM ledger.{table}), (SELECT count(*) FROM copy.{table})"
        )
        ((here, there),) = con.execute(counts).fetchall()
        if here != there:
            raise DataError(f"{to}: {there} of {here} rows of {table} were copied; try again")
        n += here
    con.execute("CHECKPOINT copy")
    con.execute("DETACH copy")
    with part.open("rb") as written:
        os.fsync(written.fileno())
    os.replace(part, to)
    return n


def _columns(con: duckdb.DuckDBPyConnection, database: str, table: str) -> list[str]:
    query = (
        "SELECT column_name FROM duckdb_columns() "
        "WHERE database_name = ? AND table_name = ? AND NOT internal ORDER BY column_index"
    )
    return [name for (name,) in con.execute(query, [database, table]).fetchall()]


def _add(con: duckdb.DuckDBPyConnection, table: str, keys: tuple[str, ...]) -> int:
    """Insert the rows whose key is new; an older file may lack columns."""
    known = set(_columns(con, "ledger", table))
    columns = ", ".join(name for name in _columns(con, "other", table) if name in known)
    names = ", ".join(keys)
    ((n,),) = con.execute(
        f"INSERT INTO ledger.{table} BY NAME SELECT DISTINCT ON ({names}) {columns} "
        f"FROM other.{table} ANTI JOIN (SELECT {names} FROM ledger.{table}) USING ({names})"
    ).fetchall()
    return int(n)


def _differing(
    con: duckdb.DuckDBPyConnection, table: str, keys: tuple[str, ...], same: tuple[str, ...]
) -> list[str]:
    differs = " OR ".join(f"ours.{name} IS DISTINCT FROM theirs.{name}" for name in same)
    names = ", ".join(f"ours.{key}" for key in keys)
    rows = con.execute(
        f"SELECT DISTINCT concat_ws(' ', {names}) AS id FROM ledger.{table} AS ours "
        f"INNER JOIN other.{table} AS theirs USING ({', '.join(keys)}) WHERE {differs} ORDER BY id"
    ).fetchall()
    return [f"{table} {row}: differs between the files; ours stays" for (row,) in rows]


def _answered_differently(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Keys with a usable reply in both files, of the same parser version but not the same value."""
    rows = con.execute(
        """
        SELECT DISTINCT ours.call_key
        FROM ledger.reply AS ours
        INNER JOIN other.reply AS theirs
            ON
                theirs.call_key = ours.call_key
                AND theirs.parser_version = ours.parser_version
                AND theirs.attempt_id <> ours.attempt_id
                AND theirs.value <> ours.value
        WHERE NOT EXISTS (
            SELECT 1 FROM ledger.intent AS known WHERE known.attempt_id = theirs.attempt_id
        )
        ORDER BY ours.call_key
        """
    ).fetchall()
    return [f"call {key}: two replies, both kept; the later attempt counts" for (key,) in rows]
