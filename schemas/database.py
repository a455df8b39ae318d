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
        if read_only:
            _applied(con, CATALOG, "main", db)
        else:
            migrate(con, "main", db)
        if not read_only and ledger is not None:
            _attach(con, ledger, "ledger", "READ_WRITE")
            migrate(con, "ledger", ledger)
            _attach_pending(con, db.parent / "pending.duckdb")
    except BaseException:
        con.close()
        raise
    return con


def attach_ledger(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    alias: str,
    *,
    read_only: bool = False,
    migrated: bool = True,
) -> None:
    """Attach a ledger without the database of its project, in an in-memory connection.

    Raises:
        DataError: the file is locked, is no DuckDB file, or was written by a newer towbench.
    """
    con.execute(f"SET storage_compatibility_version = '{STORAGE_VERSION}'")
    con.execute(f"ATTACH IF NOT EXISTS ':memory:' AS {CATALOG}")
    _attach(con, path, alias, "READ_ONLY" if read_only else "READ_WRITE")
    if read_only:
        _applied(con, alias, "ledger", path)
    elif migrated:
        migrate(con, "ledger", path)


def migrate(con: duckdb.DuckDBPyConnection, target: str, path: Path) -> list[str]:
    """Apply the missing migrations of `target` (`main` or `ledger`); return their names."""
    catalog = "ledger" if target == "ledger" else CATALOG
    con.execute(f"USE {catalog}")
    try:
        query = "SELECT count(*) FROM duckdb_tables() WHERE database_name = current_database()"
        if con.execute(query).fetchall() == [(0,)]:
            con.execute("CREATE TABLE migration (name VARCHAR PRIMARY KEY)")
        done = _applied(con, catalog, target, path)
        known = {file.name: file for file in _migration_files(target)}
        fresh = [name for name in known if name not in done]
        for name in fresh:
            _apply(con, name, known[name].read_text("utf-8"), path)
        return fresh
    finally:
        con.execute(f"USE {CATALOG}")


def _applied(con: duckdb.DuckDBPyConnection, catalog: str, target: str, path: Path) -> set[str]:
    """Migrations that an attached file has; one that is not ours or is newer is refused."""
    try:
        rows = con.execute(f"SELECT name FROM {catalog}.main.migration").fetchall()
    except duckdb.CatalogException:
        raise DataError(
            f"{path}: a DuckDB file, but not a file of towbench; choose another one"
        ) from None
    done = {name for (name,) in rows}
    if newer := sorted(done - {file.name for file in _migration_files(target)}):
        raise DataError(
            f"{path}: written by a newer towbench (it has migration {newer[-1]}); "
            "upgrade towbench or choose another file"
        )
    return done


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
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{path}: cannot be made ({error.strerror})") from error
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
        return (
            f"{path}: not a DuckDB file; move it away or choose another file with TOWBENCH_DB "
            "or TOWBENCH_LEDGER"
        )
    if "version number" in message:
        return (
            f"{path}: written by another DuckDB version ({message.splitlines()[0]}); "
            "open it with that version and export it, or choose another file"
        )
    if "Read-only file system" in message or "Permission denied" in message:
        return (
            f"{path}: cannot be written ({message.rpartition(': ')[2]}); make it writable, or copy "
            "it and name the copy with TOWBENCH_DB or TOWBENCH_LEDGER"
        )
    return f"{path}: {message}"
