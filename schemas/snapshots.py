"""Snapshots of heavy views: what they answered, kept while the tables they read stay the same.

A view whose header says `Snapshot: yes` has a table `snapshot.<view>_v<N>`. `towbench analyse`
fills it and points the bare name `bench.<view>` at it; a command that may change rows points the
names back first, and at its end forward again where the inputs are what they were.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

import duckdb

from towbench.schemas.definitions import current_versions, read_header, sql_files
from towbench.schemas.errors import DataError

COMPARE_SECONDS = 20.0
"""How long a check may take to ask heavy views again; the quickest come first."""


@dataclass(frozen=True)
class Snapshot:
    """A filled table `snapshot.<view>`: rows, seconds that the view took to answer."""

    view: str
    n_row: int
    seconds: float
    is_new: bool


def build_snapshots(con: duckdb.DuckDBPyConnection) -> Iterator[Snapshot]:
    """Fill every snapshot that is missing or stale, one after the other; each is kept at once.

    A heavy view under another comes first and is not computed twice. Views answer on one thread, so
    that the same tables give the same bits.

    Raises:
        DataError: a view cannot be computed; the others keep what they have.
    """
    inputs = _Inputs(con)
    kept = _kept(con)
    done: list[str] = []
    for view in sorted(heavy_views(), key=lambda view: (len(_heavy_under(view)), view)):
        tables = sorted(_reads(view)[1])
        fingerprint = inputs.fingerprint(tables)
        if view in kept and kept[view].fingerprint == fingerprint:
            _point(con, view, f"snapshot.{view}")
            built = Snapshot(view, kept[view].n_row, kept[view].seconds, False)
        else:
            with _one_thread(con), _all_or_nothing(con, view):
                built = _build(con, view, [other for other in done if other in _heavy_under(view)])
                con.execute(
                    "INSERT OR REPLACE INTO snapshot.state VALUES (?, ?, ?, ?, ?)",
                    [view, tables, fingerprint, built.n_row, built.seconds],
                )
        done.append(view)
        yield built


def _build(con: duckdb.DuckDBPyConnection, view: str, shared: list[str]) -> Snapshot:
    """Fill one snapshot; within the transaction the shared views are what was kept of them."""
    started = time.monotonic()
    _point(con, view, f"bench.{view}")
    con.execute(f"DROP TABLE IF EXISTS snapshot.{view}")
    for other in shared:
        con.execute(f"CREATE OR REPLACE VIEW bench.{other} AS SELECT * FROM snapshot.{other}")
    con.execute(f"CREATE TABLE snapshot.{view} AS SELECT * FROM bench.{view} ORDER BY ALL")
    for other in shared:
        con.execute(_text(other))
    _point(con, view, f"snapshot.{view}")
    seconds = time.monotonic() - started
    [(n_row,)] = con.execute(f"SELECT count(*) FROM snapshot.{view}").fetchall()
    return Snapshot(view, n_row, seconds, True)


@contextmanager
def changing_rows(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """While rows may change, bare names read their views; a kill leaves them so."""
    for view in _kept(con):
        _point(con, view, f"bench.{view}")
    yield
    for view in fresh_snapshots(con):
        _point(con, view, f"snapshot.{view}")


def fresh_snapshots(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Views whose snapshot rests on the tables and definitions as they are now."""
    inputs = _Inputs(con)
    return [
        view
        for view, row in _kept(con).items()
        if row.fingerprint == inputs.fingerprint(row.tables)
    ]


def faults(con: duckdb.DuckDBPyConnection, fresh: list[str]) -> dict[str, str]:
    """Queries that return rows where a snapshot is not what its view answers, by their complaint.

    Names that read a stale snapshot come with a query that is never empty.
    """
    kept = _kept(con)
    found = {
        f"bench.{_bare(view)} reads a snapshot whose inputs changed: run make analyse": "SELECT 1"
        for view in kept
        if view not in fresh and _reads_snapshot(con, view)
    }
    whole = {
        view: sum(kept[one].seconds for one in {view, *_heavy_under(view)} if one in kept)
        for view in fresh
    }
    left = COMPARE_SECONDS
    for view in sorted(fresh, key=lambda view: whole[view]):
        left -= whole[view]
        if left < 0:
            break
        says = (
            f"snapshot.{view} is not what the view answers: delete its row of snapshot.state and "
            "run make analyse"
        )
        found[says] = _difference(con, view)
    return found


@cache
def heavy_views() -> tuple[str, ...]:
    """Versioned names of the current views whose header says `Snapshot: yes`."""
    current = set(current_versions().values())
    return tuple(
        file.name.removesuffix(".sql")
        for file in sql_files("views")
        if file.name.removesuffix(".sql") in current
        and read_header(file.read_text("utf-8")).get("Snapshot") == "yes"
    )


@dataclass(frozen=True)
class _Row:
    tables: list[str]
    fingerprint: str
    n_row: int
    seconds: float


def _kept(con: duckdb.DuckDBPyConnection) -> Mapping[str, _Row]:
    """Rows of `snapshot.state` for heavy views; those of older versions are nobody's answer."""
    rows = con.execute(
        "SELECT view, tables, fingerprint, n_row, seconds FROM snapshot.state ORDER BY view"
    ).fetchall()
    return {view: _Row(*row) for view, *row in rows if view in heavy_views()}


class _Inputs:
    """Hashes of what views rest on: all definitions, and the tables that they read."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con
        built = con.execute("SELECT version FROM run.view_version WHERE name = '*'").fetchall()
        self._definitions = str(built)
        self._tables: dict[str, str] = {}

    def fingerprint(self, tables: list[str]) -> str:
        """sha256 over the definitions and the contents of the tables under a view."""
        parts = [self._definitions, *(f"{table} {self._contents(table)}" for table in tables)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def _contents(self, table: str) -> str:
        if table not in self._tables:
            rows = self._con.execute(f"SELECT count(*), sum(hash(t)) FROM {table} AS t").fetchall()
            self._tables[table] = str(rows)
        return self._tables[table]


@cache
def _reads(view: str) -> tuple[frozenset[str], frozenset[str]]:
    """Views and tables that a view reads, itself or through the views it names."""
    # Takes a while to load, and most commands build nothing.
    import sqlglot
    from sqlglot import exp

    views: set[str] = set()
    tables: set[str] = set()
    for statement in sqlglot.parse(_text(view), dialect="duckdb"):
        for table in statement.find_all(exp.Table) if statement else ():
            if table.db == "bench" and table.name != view:
                views |= {table.name} | _reads(table.name)[0]
                tables |= _reads(table.name)[1]
            elif table.db not in ("", "bench"):
                tables.add(f"{table.db}.{table.name}")
    return frozenset(views), frozenset(tables)


def _heavy_under(view: str) -> set[str]:
    return set(_reads(view)[0]) & set(heavy_views())


def _text(view: str) -> str:
    [file] = [file for file in sql_files("views") if file.name == f"{view}.sql"]
    return file.read_text("utf-8")


def _bare(view: str) -> str:
    return view.rpartition("_v")[0]


def _point(con: duckdb.DuckDBPyConnection, view: str, at: str) -> None:
    con.execute(f"CREATE OR REPLACE VIEW bench.{_bare(view)} AS SELECT * FROM {at}")


def _reads_snapshot(con: duckdb.DuckDBPyConnection, view: str) -> bool:
    rows = con.execute(
        "SELECT sql FROM duckdb_views() WHERE schema_name = 'bench' AND view_name = ? "
        "AND database_name = current_database()",
        [_bare(view)],
    ).fetchall()
    return any(f"snapshot.{view}" in text.replace('"', "") for (text,) in rows)


def _difference(con: duckdb.DuckDBPyConnection, view: str) -> str:
    """Rows of one side that the other lacks; numbers may differ by 1e-9."""
    grain = read_header(_text(view))["Grain"].split(", ")
    same = " AND ".join(f"kept.{name} IS NOT DISTINCT FROM live.{name}" for name in grain)
    tests = [f"kept.{grain[0]} IS NULL", f"live.{grain[0]} IS NULL"]
    for name, kind, *_ in con.execute(f"DESCRIBE bench.{view}").fetchall():
        test = f"kept.{name} IS DISTINCT FROM live.{name}"
        if kind == "DOUBLE":
            near = f"abs(kept.{name} - live.{name}) <= 1e-9 * greatest(1, abs(live.{name}))"
            test += f" AND NOT coalesce({near}, false)"
        tests.append(test)
    shown = ", ".join(f"coalesce(kept.{name}, live.{name}) AS {name}" for name in grain)
    return (
        f"SELECT {shown} FROM snapshot.{view} AS kept FULL JOIN bench.{view} AS live ON {same} "
        f"WHERE {' OR '.join(f'({test})' for test in tests)}"
    )


@contextmanager
def _all_or_nothing(con: duckdb.DuckDBPyConnection, view: str) -> Iterator[None]:
    con.begin()
    try:
        yield
        con.commit()
    except duckdb.Error as error:
        con.rollback()
        raise DataError(f"bench.{view} cannot be computed: {error}") from error
    except BaseException:
        con.rollback()
        raise


@contextmanager
def _one_thread(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    [(threads,)] = con.execute("SELECT current_setting('threads')").fetchall()
    con.execute("SET threads = 1")
    try:
        yield
    finally:
        con.execute(f"SET threads = {int(threads)}")
