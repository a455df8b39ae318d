"""The one way to open the database, the ledger and the scratch file."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import duckdb

from towbench.schemas.errors import DataError

# duckdb-cli on PyPI reads storage up to 1.5 (facts 0.1); files attached later inherit this.
STORAGE_VERSION = "v1.5.0"
CATALOG = "towbench"
PENDING_ROW_GROUP = 2048


def open_database(
    db: Path, ledger: Path | None, *, threads: int = 2, read_only: bool = False
) -> duckdb.DuckDBPyConnection:
    """Open `db` (as catalog `towbench`), with the ledger and the scratch file attached.

    Read-only connections and a `ledger` of None attach nothing else. Tables are migrated, never
    dropped.

    Raises:
        DataError: the file is locked, is no DuckDB file, or was written by a newer towbench.
    """
    if read_only and not db.exists():
        raise DataError(f"{db}: no such database; run `make score` first")
    con = duckdb.connect(":memory:", config={"storage_compatibility_version": STORAGE_VERSION})
    try:
        con.execute(f"SET threads = {int(threads)}")
        con.execute("SET enable_progress_bar = false")
        _attach(con, db, CATALOG, "READ_ONLY" if read_only else "READ_WRITE")
        con.execute(f"USE {CATALOG}")
        if not read_only:
            migrate(con, "main", db)
        if not read_only and ledger is not None:
            _attach(con, ledger, "ledger", "READ_WRITE")
            migrate(con, "ledger", ledger)
            _attach_pending(con, db.parent / "pending.duckdb")
    except BaseException:
        con.close()
        raise
    return con


def migrate(con: duckdb.DuckDBPyConnection, target: str, path: Path) -> list[str]:
    """Apply the missing migrations of `target` (`main` or `ledger`); return their names."""
    con.execute(f"USE {target if target == 'ledger' else CATALOG}")
    try:
        con.execute("CREATE TABLE IF NOT EXISTS migration (name VARCHAR PRIMARY KEY)")
        done = {name for (name,) in con.execute("SELECT name FROM migration").fetchall()}
        known = {file.name: file for file in _migration_files(target)}
        if newer := sorted(done - known.keys()):
            raise DataError(
                f"{path}: written by a newer towbench (it has migration {newer[-1]}); "
                "upgrade towbench or choose another file"
            )
        fresh = [name for name in known if name not in done]
        for name in fresh:
            _apply(con, name, known[name].read_text("utf-8"), path)
        return fresh
    finally:
        con.execute(f"USE {CATALOG}")


def _apply(con: duckdb.DuckDBPyConnection, name: str, sql: str, path: Path) -> None:
    con.begin()
    try:
        con.execute(sql)
        con.execute("INSERT INTO migration VALUES (?)", [name])
        con.commit()
    except duckdb.Error as error:
        con.rollback()
        raise DataError(f"{path}: migration {name} failed: {error}") from error


def _migration_files(target: str) -> list[Traversable]:
    folder = files("towbench") / "schemas" / "migrations" / target
    found = sorted(folder.iterdir(), key=lambda file: file.name)
    return [file for file in found if file.name.endswith(".sql")]


def _attach(con: duckdb.DuckDBPyConnection, path: Path, alias: str, options: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    quoted = str(path).replace("'", "''")
    try:
        con.execute(f"ATTACH '{quoted}' AS {alias} ({options})")
    except duckdb.Error as error:
        raise DataError(explain(path, str(error))) from error


def _attach_pending(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Start each run with an empty scratch file; nothing in it outlives a run."""
    for leftover in (path, path.with_name(path.name + ".wal")):
        leftover.unlink(missing_ok=True)
    _attach(con, path, "pending", f"ROW_GROUP_SIZE {PENDING_ROW_GROUP}")
    con.execute((files("towbench") / "schemas" / "pending.sql").read_text("utf-8"))


def explain(path: Path, message: str) -> str:
    """An engine message as: what, where, and what to do next."""
    if "Could not set lock" in message:
        holder = re.search(r"held in (.+?) \(PID (\d+)\)", message)
        who = f"process {holder[2]} ({holder[1]})" if holder else "another process"
        return (
            f"{path}: in use by {who}; wait until it ends or stop it, "
            "or read the last release under release/"
        )
    if "not a valid DuckDB database" in message:
        return f"{path}: not a DuckDB file; move it away or choose another file with TOWBENCH_DB"
    if "version number" in message:
        return (
            f"{path}: written by another DuckDB version ({message.splitlines()[0]}); "
            "open it with that version and export it, or choose another file"
        )
    return f"{path}: {message}"
