"""How importers write: staged rows become records, items and writings in one transaction."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID

import duckdb
import pyarrow as pa

Row = dict[str, Any]

_TEXT, _FLAG = pa.string(), pa.bool_()
_RECORD: Final = pa.schema(
    {
        "record_id": _TEXT, "kind": _TEXT, "file": _TEXT, "line": pa.int32(), "body": pa.binary(),
        "status": _TEXT, "reason": _TEXT,
    }
)  # fmt: skip
_ITEM: Final = pa.schema(
    {
        "item_id": _TEXT, "task": _TEXT, "sub_task": _TEXT, "lang": _TEXT, "instruction": _TEXT,
        "grounding": _TEXT, "reference": _TEXT, "record_id": _TEXT,
    }
)  # fmt: skip
_WRITING: Final = pa.schema(
    {
        "writing_id": _TEXT, "item_id": _TEXT, "system": _TEXT, "sample": pa.int32(), "text": _TEXT,
        "judged_text": _TEXT, "status": _TEXT, "reason": _TEXT, "has_damage": _FLAG,
        "has_thought": _FLAG, "record_id": _TEXT,
    }
)  # fmt: skip

_WRITE_RECORD: Final = """
INSERT INTO raw.record
SELECT record_id, $benchmark, kind, file, line, body, status, reason, $run_id
FROM staged_record
ON CONFLICT (record_id) DO UPDATE
SET status = excluded.status,
    reason = excluded.reason,
    line = excluded.line,
    run_id = excluded.run_id
WHERE (record.status, record.reason, record.line)
    IS DISTINCT FROM (excluded.status, excluded.reason, excluded.line)
"""

# A withdrawn row stays withdrawn whatever the file says now.
_WRITE_ITEM: Final = """
INSERT INTO corpus.item BY NAME
SELECT
    $benchmark AS benchmark,
    i.* EXCLUDE (record_id),
    coalesce(l.genre, 'others') AS genre,
    sha256(judged_instruction_v1(i.instruction, i.grounding)) AS instruction_hash,
    sha256(i.reference) AS reference_hash,
    i.record_id,
    $run_id AS run_id
FROM staged_item AS i
LEFT JOIN corpus.genre_label AS l ON l.label = i.sub_task AND l.origin = $origin
ON CONFLICT (benchmark, item_id) DO UPDATE
SET task = excluded.task,
    genre = excluded.genre,
    sub_task = excluded.sub_task,
    lang = excluded.lang,
    instruction = excluded.instruction,
    grounding = excluded.grounding,
    reference = excluded.reference,
    reference_source = 'human',
    instruction_hash = excluded.instruction_hash,
    reference_hash = excluded.reference_hash,
    record_id = excluded.record_id,
    run_id = excluded.run_id
WHERE item.record_id IS DISTINCT FROM excluded.record_id
"""
_WRITE_WRITING: Final = """
INSERT INTO corpus.writing BY NAME
SELECT
    $benchmark AS benchmark,
    * REPLACE (coalesce(sample, 0) AS sample),
    sha256(judged_text) AS text_hash,
    $run_id AS run_id
FROM staged_writing
ON CONFLICT (benchmark, writing_id) DO UPDATE
SET text = excluded.text,
    judged_text = excluded.judged_text,
    status = CASE WHEN writing.status = 'withdrawn' THEN writing.status ELSE excluded.status END,
    reason = CASE WHEN writing.status = 'withdrawn' THEN writing.reason ELSE excluded.reason END,
    has_damage = excluded.has_damage,
    has_thought = excluded.has_thought,
    text_hash = excluded.text_hash,
    record_id = excluded.record_id,
    run_id = excluded.run_id
WHERE writing.record_id IS DISTINCT FROM excluded.record_id
"""
_SUPERSEDE: Final = """
UPDATE raw.record
SET status = 'superseded', reason = NULL, run_id = $run_id
WHERE benchmark = $benchmark
    AND status <> 'superseded'
    AND file IN (SELECT file FROM staged_record)
    AND record_id NOT IN (SELECT record_id FROM staged_record)
    AND record_id NOT IN (
        SELECT record_id FROM corpus.item WHERE benchmark = $benchmark AND record_id IS NOT NULL
        UNION ALL
        SELECT record_id FROM corpus.writing WHERE benchmark = $benchmark AND record_id IS NOT NULL
    )
"""


def write_import(
    con: duckdb.DuckDBPyConnection,
    benchmark: str,
    run_id: UUID,
    records: Iterable[Row],
    items: Iterable[Row],
    writings: Iterable[Row],
    *,
    origin: str,
) -> int:
    """Insert what is new, replace what changed, supersede what a file no longer says.

    `origin` names the genre labels that `sub_task` is looked up in. Everything happens in one
    transaction, and rows whose bytes did not change are not touched.

    Returns:
        Rows inserted or changed in the three tables.
    """
    stages = {
        "staged_record": pa.Table.from_pylist(list(records), _RECORD),
        "staged_item": pa.Table.from_pylist(list(items), _ITEM),
        "staged_writing": pa.Table.from_pylist(list(writings), _WRITING),
    }
    names = {"benchmark": benchmark, "run_id": str(run_id)}
    with staged(con, stages):
        return (
            count_changed(con, _WRITE_RECORD, names)
            + count_changed(con, _WRITE_ITEM, names | {"origin": origin})
            + count_changed(con, _WRITE_WRITING, names)
            + count_changed(con, _SUPERSEDE, names)
        )


@contextmanager
def staged(con: duckdb.DuckDBPyConnection, stages: Mapping[str, pa.Table]) -> Iterator[None]:
    """One transaction in which the given tables can be read by their names."""
    for name, table in stages.items():
        con.register(name, table)
    con.begin()
    try:
        yield
        con.commit()
    except BaseException:
        con.rollback()
        raise
    finally:
        for name in stages:
            con.unregister(name)


def count_changed(con: duckdb.DuckDBPyConnection, sql: str, names: Mapping[str, object]) -> int:
    """Run a statement that changes rows; return how many it changed."""
    return int(con.execute(sql, names).fetchall()[0][0])
