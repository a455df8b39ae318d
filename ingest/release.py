"""A release: every table and view as Parquet with a manifest; same database, same bytes."""

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import duckdb

from towbench.schemas.errors import DataError, UsageError

Manifest = dict[str, Any]

TABLE_SCHEMAS: Final = ("corpus", "judge", "run")
"""Released schemas; crawled pages and imported lines (`raw`) stay at home."""
PRIVATE_TABLES: Final = (
    "corpus.review_round",
    "corpus.review_task",
    "corpus.review_candidate",
    "corpus.review",
    "corpus.item_history",
    "corpus.marked_text",
    "corpus.mark",
)
"""Names of reviewers, keys of blind tasks and found personal data stay at home too."""
_WITHDRAWABLE: Final = {
    "document_id": "corpus.document",
    "benchmark, item_id": "corpus.item",
    "benchmark, writing_id": "corpus.writing",
}
"""Key columns and the table that says what was taken down: such rows leave every released file."""
_NOT_MARKS: Final = (
    "coalesce(call_key, '') NOT IN "
    "(SELECT coalesce(call_key, '-') FROM corpus.annotation WHERE stage = 'marks')"
)
"""Replies of the marker model quote personal data."""
_TAG: Final = re.compile(r"[A-Za-z0-9._-]+")
_TABLES: Final = """
SELECT schema_name || '.' || table_name
FROM duckdb_tables()
WHERE
    database_name = current_database()
    AND list_contains($schemas, schema_name)
    AND NOT list_contains($private, schema_name || '.' || table_name)
ORDER BY ALL
"""
# The bare names: what the versioned views behind them are, the manifest says.
_VIEWS: Final = r"""
SELECT schema_name || '.' || view_name
FROM duckdb_views()
WHERE
    database_name = current_database()
    AND schema_name = 'bench'
    AND NOT regexp_matches(view_name, '_v\d+$')
ORDER BY ALL
"""


def write_release(
    con: duckdb.DuckDBPyConnection,
    tag: str,
    folder: Path,
    *,
    commit: str | None,
    package_version: str,
) -> Manifest:
    """Write `folder/tag`: one Parquet file a table and view, and `manifest.json`.

    Files hold their rows in total order, written on one thread, and neither a clock nor a path, so
    that a second release of the same database is byte for byte the first. They appear all at once
    (written beside, then renamed); a tag that exists stays as it is.

    Raises:
        UsageError: the tag could not be a folder name.
        DataError: the tag exists with other contents, or a view cannot be computed.
    """
    if not _TAG.fullmatch(tag) or set(tag) == {"."}:
        raise UsageError(f"tag {tag!r}: only letters, digits, dots, hyphens and underscores")
    target, draft = folder / tag, folder / f".{tag}.draft"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        manifest = _write(con, tag, draft, commit, package_version)
        if not target.exists():
            draft.rename(target)
        elif _sums(target) != _sums(draft):
            raise DataError(f"{target}: this tag exists and differs; choose another tag")
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return manifest


def _write(
    con: duckdb.DuckDBPyConnection, tag: str, draft: Path, commit: str | None, package_version: str
) -> Manifest:
    wanted = {"schemas": list(TABLE_SCHEMAS), "private": list(PRIVATE_TABLES)}
    names = con.execute(_TABLES, wanted).fetchall()
    names += con.execute(_VIEWS).fetchall()
    with _one_thread(con):
        files = [_copy(con, name, draft) for (name,) in names]
    versions = con.execute("SELECT name, version FROM run.view_version ORDER BY ALL").fetchall()
    manifest = {
        "tag": tag,
        "commit": commit,
        "package_version": package_version,
        "duckdb_version": duckdb.__version__,
        "view_versions": dict(versions),
        "files": files,
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True)
    (draft / "manifest.json").write_text(text + "\n", "utf-8")
    return manifest


def _copy(con: duckdb.DuckDBPyConnection, name: str, draft: Path) -> dict[str, object]:
    schema, relation = name.split(".", 1)
    path = draft / f"{name}.parquet"
    quoted = str(path).replace("'", "''")
    try:
        kept = _kept(con, schema, relation)
        [(n_row,)] = con.execute(
            f'COPY (SELECT * FROM "{schema}"."{relation}" {kept} ORDER BY ALL) '
            f"TO '{quoted}' (FORMAT parquet, COMPRESSION zstd)"
        ).fetchall()
    except duckdb.Error as error:
        raise DataError(f"{name} cannot be released: {error}") from error
    return {"name": name, "rows": n_row, "sha256": _sum(path), "bytes": path.stat().st_size}


def _kept(con: duckdb.DuckDBPyConnection, schema: str, relation: str) -> str:
    """The WHERE clause that leaves out what was withdrawn, and what a model marked as personal."""
    columns = {name for name, *_ in con.execute(f'DESCRIBE "{schema}"."{relation}"').fetchall()}
    tests = [
        f"({keys}) NOT IN (SELECT ({keys}) FROM {table} WHERE status = 'withdrawn')"
        if "," in keys
        else f"coalesce({keys}, '') NOT IN (SELECT {keys} FROM {table} WHERE status = 'withdrawn')"
        for keys, table in _WITHDRAWABLE.items()
        if columns >= set(keys.split(", "))
    ]
    if "call_key" in columns:
        tests.append(_NOT_MARKS)
    return f"WHERE {' AND '.join(tests)}" if tests else ""


@contextmanager
def _one_thread(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Sums of doubles and row order depend on the number of threads."""
    [(threads,)] = con.execute("SELECT current_setting('threads')").fetchall()
    con.execute("SET threads = 1")
    try:
        yield
    finally:
        con.execute(f"SET threads = {int(threads)}")


def _sums(folder: Path) -> dict[str, str]:
    return {path.name: _sum(path) for path in folder.iterdir()}


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
