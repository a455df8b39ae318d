"""The SQL files of the package: where they lie, what their headers say, how views are created."""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files
from importlib.resources.abc import Traversable

import duckdb

from towbench.schemas.errors import DataError


def sql_files(*folder: str) -> list[Traversable]:
    """Every .sql file under `sql/<folder>`, sorted by path."""
    found: list[Traversable] = []
    root = files("towbench") / "sql"
    for part in folder:
        root = root / part
    for entry in sorted(root.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            found += sql_files(*folder, entry.name)
        elif entry.name.endswith(".sql"):
            found.append(entry)
    return found


def read_header(text: str) -> dict[str, str]:
    """The `-- Key: value` lines that open an SQL file; indented lines continue the value."""
    header: dict[str, str] = {}
    key = ""
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        body = line[2:]
        if body.startswith("     ") and key:
            header[key] += " " + body.strip()
            continue
        name, colon, value = body.strip().partition(": ")
        if colon:
            key = name
            header[key] = value
    return header


def build_macros(con: duckdb.DuckDBPyConnection) -> None:
    """Create every macro, after those that it uses."""
    _create_all(con, sql_files("macros"))


def build_views(con: duckdb.DuckDBPyConnection) -> None:
    """Create every version of every view, then the bare names of `current.sql`.

    Nothing is done when the database already holds exactly these definitions.
    """
    current = files("towbench") / "sql" / "current.sql"
    sources = [*sql_files("macros"), *sql_files("views"), current]
    texts = [source.read_text("utf-8") for source in sources]
    fingerprint = hashlib.sha256("\0".join(texts).encode()).hexdigest()
    built = con.execute("SELECT version FROM run.view_version WHERE name = '*'").fetchall()
    if built == [(fingerprint,)]:
        return
    con.execute("CREATE SCHEMA IF NOT EXISTS bench")
    build_macros(con)
    _create_all(con, sql_files("views"))
    con.execute(texts[-1])
    con.execute("DELETE FROM run.view_version")
    con.executemany(
        "INSERT INTO run.view_version VALUES (?, ?)",
        [["*", fingerprint], *([name, version] for name, version in current_versions().items())],
    )


def current_versions() -> dict[str, str]:
    """Bare view name -> the versioned name that `current.sql` maps it to."""
    text = (files("towbench") / "sql" / "current.sql").read_text("utf-8")
    versions: dict[str, str] = {}
    for statement in duckdb.extract_statements(text):
        words = statement.query.replace(";", " ").split()
        name = words[words.index("VIEW") + 1] if "VIEW" in words else ""
        if name.startswith("bench."):
            version = words[words.index("FROM") + 1]
            versions[name.removeprefix("bench.")] = version.removeprefix("bench.")
    return versions


def _create_all(con: duckdb.DuckDBPyConnection, sources: list[Traversable]) -> None:
    """Run files so that each comes after those it names."""
    waiting = {source.name.removesuffix(".sql"): source.read_text("utf-8") for source in sources}
    while waiting:
        ready = [
            name for name, text in waiting.items() if not _named(text) & waiting.keys() - {name}
        ]
        if not ready:
            raise DataError(f"these views or macros name each other: {', '.join(waiting)}")
        for name in ready:
            try:
                con.execute(waiting.pop(name))
            except duckdb.Error as error:
                raise DataError(f"{name}.sql cannot be created: {error}") from error


def _named(text: str) -> set[str]:
    """Versioned names in the statements of a file; its comments may name anything."""
    return set(re.findall(r"\w+_v\d+", re.sub(r"^\s*--.*$", "", text, flags=re.MULTILINE)))
