"""Score-only data: CSV lines in, rows of ratings, metrics and judgements out, one transaction."""

import csv
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

import duckdb
import pyarrow as pa

from towbench.ingest.stage import Row, count_changed, staged

_TEXT, _NUMBER = pa.string(), pa.float64()
_RATING: Final = pa.schema(
    {
        "writing_id": _TEXT, "annotator": _TEXT, "criterion": _TEXT, "score": _NUMBER,
        "error_type": _TEXT, "guidelines": _TEXT, "scale": _TEXT, "record_id": _TEXT,
    }
)  # fmt: skip
_METRIC: Final = pa.schema(
    {"writing_id": _TEXT, "metric": _TEXT, "reference_mode": _TEXT, "score": _NUMBER}
)
_LEAF: Final = pa.schema(
    {
        "writing_id": _TEXT, "leaf": _TEXT, "judge": _TEXT, "score": _NUMBER, "status": _TEXT,
        "reason": _TEXT,
    }
)  # fmt: skip

IMPORTED: Final = "imported"
"""Stands for prompt, input and parser of a judgement that somebody else asked for."""

_WRITE_RATING: Final = """
INSERT INTO judge.human_rating BY NAME
SELECT $benchmark AS benchmark, said.*, $run_id AS run_id
FROM staged_rating AS said
ON CONFLICT (benchmark, writing_id, annotator, criterion) DO UPDATE
SET score = excluded.score,
    error_type = excluded.error_type,
    guidelines = excluded.guidelines,
    scale = excluded.scale,
    record_id = excluded.record_id,
    run_id = excluded.run_id
WHERE (
        human_rating.score, human_rating.error_type, human_rating.guidelines, human_rating.scale,
        human_rating.record_id
    )
    IS DISTINCT FROM (
        excluded.score, excluded.error_type, excluded.guidelines, excluded.scale,
        excluded.record_id
    )
"""
_WRITE_METRIC: Final = """
INSERT INTO judge.metric_score BY NAME
SELECT $benchmark AS benchmark, writing_id, metric, reference_mode, score, $run_id AS run_id
FROM staged_metric
ON CONFLICT (benchmark, writing_id, metric, reference_mode) DO UPDATE
SET score = excluded.score, run_id = excluded.run_id
WHERE metric_score.score IS DISTINCT FROM excluded.score
"""
# judge.leaf_score has no key: rows that are no longer said this way go, those that are new come.
_REMOVE_LEAF: Final = f"""
DELETE FROM judge.leaf_score AS known
USING staged_leaf AS said
WHERE
    known.benchmark = $benchmark AND $run_id IS NOT NULL
    AND known.parser_version = '{IMPORTED}'
    AND (known.writing_id, known.leaf, known.judge) = (said.writing_id, said.leaf, said.judge)
    AND (known.score, CAST(known.status AS VARCHAR), known.reason)
    IS DISTINCT FROM (said.score, said.status, said.reason)
"""
_WRITE_LEAF: Final = f"""
INSERT INTO judge.leaf_score BY NAME
SELECT
    $benchmark AS benchmark,
    said.*,
    0 AS repeat,
    'none' AS reference_mode,
    'single' AS presentation,
    '{IMPORTED}' AS prompt_id,
    '{IMPORTED}' AS input_hash,
    '{IMPORTED}' AS parser_version,
    $run_id AS run_id
FROM staged_leaf AS said
WHERE NOT EXISTS (
    SELECT 1
    FROM judge.leaf_score AS known
    WHERE
        known.benchmark = $benchmark
        AND known.parser_version = '{IMPORTED}'
        AND (known.writing_id, known.leaf, known.judge) = (said.writing_id, said.leaf, said.judge)
)
"""


class Line(NamedTuple):
    """A line of a CSV file: its cells by name, or `fault`, why it has none."""

    number: int
    body: bytes
    cells: dict[str, str]
    fault: str | None


def csv_lines(path: Path, columns: Sequence[str]) -> Iterator[Line]:
    """The lines of a CSV file under its head; a fault is reported, never raised.

    A file whose head lacks one of `columns` is one fault, at line 1.
    """
    lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()
    head = _cells(lines[0]) if lines else None
    if head is None or not set(columns) <= set(head):
        yield Line(1, lines[0] if lines else b"", {}, f"the head lacks one of {', '.join(columns)}")
        return
    for number, body in enumerate(lines[1:], 2):
        if not body.strip():
            continue
        cells = _cells(body)
        if cells is None or len(cells) != len(head):
            yield Line(number, body, {}, f"not {len(head)} cells in UTF-8")
        else:
            yield Line(number, body, dict(zip(head, cells, strict=True)), None)


def record_of(benchmark: str, kind: str, file: str, line: Line) -> Row:
    """The `raw.record` row of a line; its reason is the fault, if there is one."""
    key = "\n".join((benchmark, file)).encode() + b"\n" + line.body
    return {
        "record_id": hashlib.sha256(key).hexdigest(), "kind": kind, "file": file,
        "line": line.number, "body": line.body,
        "status": "malformed" if line.fault else "ok", "reason": line.fault,
    }  # fmt: skip


def write_scores(
    con: duckdb.DuckDBPyConnection,
    benchmark: str,
    run_id: UUID,
    ratings: Sequence[Row],
    metrics: Sequence[Row],
    leaves: Sequence[Row],
) -> int:
    """Insert what is new and replace what changed; return how many rows that were."""
    stages = {
        "staged_rating": pa.Table.from_pylist(list(ratings), _RATING),
        "staged_metric": pa.Table.from_pylist(list(metrics), _METRIC),
        "staged_leaf": pa.Table.from_pylist(list(leaves), _LEAF),
    }
    names = {"benchmark": benchmark, "run_id": str(run_id)}
    with staged(con, stages):
        con.execute(_REMOVE_LEAF, names).fetchall()
        writes = (_WRITE_RATING, _WRITE_METRIC, _WRITE_LEAF)
        return sum(count_changed(con, sql, names) for sql in writes)


def _cells(body: bytes) -> list[str] | None:
    try:
        return next(csv.reader([body.decode("utf-8")], strict=True), [])
    except (UnicodeDecodeError, csv.Error):
        return None
