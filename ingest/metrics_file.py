"""Import of metric values computed elsewhere: one value a line of csv, jsonl or parquet files.

    metric, score                 the metric's name (no '|') and a finite number
    writing_id | item_id, system  the writing: by its id, or the text of a system for an item, with
                                  sample where it is not the first
    benchmark                     optional: where it is missing, that of the import
    reference_mode                optional: human (default), none or system:<id>

A line that cannot be used is a `raw.record` with its reason and a problem of the summary; the rest
goes in. A second import of the same file changes nothing, one with another value replaces it.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import duckdb
import pyarrow.parquet as pq

from towbench.ingest.howtobench import ImportSummary, Malformed
from towbench.ingest.problem import Problem
from towbench.ingest.ratings import Line, csv_lines, record_of, write_scores
from towbench.ingest.stage import Row, write_import
from towbench.schemas.metrics import is_computed

SHAPE: Final = "csv, jsonl or parquet with metric, score and writing_id or item_id and system"
_NEEDED: Final = ("metric", "score")
_KINDS: Final = (".csv", ".jsonl", ".parquet")
_MODE: Final = re.compile(r"human|none|system:[^|]+")
_WRITINGS: Final = """
SELECT
    writing.benchmark,
    writing.writing_id,
    writing.item_id,
    writing.system,
    writing.sample,
    writing.perturbation IS NULL AS is_own
FROM corpus.writing AS writing
"""


@dataclass
class MetricSummary(ImportSummary):
    """What an import of metrics found: values, and what it changed."""

    n_value: int = 0

    def __str__(self) -> str:
        return (
            f"{self.benchmark}: {self.n_value} metric values, {len(self.problems)} problems; "
            f"{self.n_changed} rows changed"
        )


def is_metrics(path: Path) -> bool:
    """Whether a path is a file of metric values, or a folder with one."""
    return any(map(_has_columns, _files(path)))


def import_metrics(
    con: duckdb.DuckDBPyConnection, path: Path, benchmark: str, run_id: UUID
) -> MetricSummary:
    """Load a file, or every file of a folder, with values for writings that the database holds.

    Args:
        benchmark: that of lines which name none.
    """
    reader = _Reader(benchmark, con.execute(_WRITINGS).fetchall())
    for file in _files(path):
        if _has_columns(file):
            for line in _lines(file):
                reader.read(file.name, line)
        else:
            reader.report(file.name, 0, f"not read: it lacks {' or '.join(_NEEDED)}")
    summary = reader.summary
    summary.benchmark = ", ".join(reader.values) or benchmark
    for name in reader.records:
        values = [*reader.values.get(name, {}).values()]
        records = reader.records[name].values()
        summary.n_changed += write_import(con, name, run_id, records, [], [], origin="metrics")
        summary.n_changed += write_scores(con, name, run_id, [], values, [])
        summary.n_value += len(values)
    return summary


class _Reader:
    """Turns lines into values by benchmark, keyed so that a second value for anything is seen."""

    def __init__(self, benchmark: str, writings: list[tuple[Any, ...]]) -> None:
        self.summary = MetricSummary("")
        self.records: dict[str, dict[str, Row]] = {}
        self.values: dict[str, dict[tuple[str, ...], Row]] = {}
        self._default = benchmark
        self._known = {benchmark for benchmark, *_ in writings}
        self._by_id = {(benchmark, writing) for benchmark, writing, *_ in writings}
        self._by_item: dict[tuple[str, ...], str] = {
            (benchmark, item, system, str(sample)): writing
            for benchmark, writing, item, system, sample, is_own in writings
            if is_own
        }

    def read(self, file: str, line: Line) -> None:
        """Keep a line as a record and its value, or why it has none.

        A line of no known benchmark is only reported: there is no place for its record.
        """
        benchmark = _word(line.cells, "benchmark") or self._default
        if benchmark not in self._known:
            self.report(file, line.number, f"benchmark {benchmark!r} has no writing here")
            return
        records = self.records.setdefault(benchmark, {})
        record = record_of(benchmark, "metric", file, line)
        if record["record_id"] in records:
            self.report(file, line.number, "a second copy of the same line", is_note=True)
            return
        records[record["record_id"]] = record
        try:
            if line.fault:
                raise Malformed(line.fault)
            self._add(benchmark, line.cells)
        except Malformed as fault:
            record["status"], record["reason"] = "malformed", str(fault)
            self.report(file, line.number, str(fault))

    def _add(self, benchmark: str, cells: dict[str, str]) -> None:
        writing_id = self._writing(benchmark, cells)
        metric = _word(cells, "metric")
        if not metric or "|" in metric:
            raise Malformed(f"metric {metric!r} is empty or holds a character no id may have")
        if is_computed(metric):
            raise Malformed(f"metric {metric!r} is computed here; give it another name")
        mode = _word(cells, "reference_mode") or "human"
        if not _MODE.fullmatch(mode):
            raise Malformed(f"reference_mode {mode!r} is not human, none or system:<id>")
        score = _number(cells["score"])
        key = (writing_id, metric, mode)
        values = self.values.setdefault(benchmark, {})
        if key in values:
            raise Malformed(f"a second value for {', '.join(key)}")
        names = ("writing_id", "metric", "reference_mode")
        values[key] = dict(zip(names, key, strict=True)) | {"score": score}

    def _writing(self, benchmark: str, cells: dict[str, str]) -> str:
        if writing_id := _word(cells, "writing_id"):
            if (benchmark, writing_id) in self._by_id:
                return writing_id
            raise Malformed(f"{benchmark} has no writing {writing_id!r}")
        item_id, system = _word(cells, "item_id"), _word(cells, "system")
        if not item_id or not system:
            raise Malformed("names no writing: wants writing_id, or item_id and system")
        sample = _word(cells, "sample") or "0"
        if found := self._by_item.get((benchmark, item_id, system, sample)):
            return found
        raise Malformed(
            f"{benchmark} has no text of {system!r} for item {item_id!r}, sample {sample}"
        )

    def report(self, file: str, line: int, what: str, is_note: bool = False) -> None:
        """Tell the user of something that is not as it should be."""
        self.summary.problems.append(Problem(file, line, what, is_note))


def _files(path: Path) -> list[Path]:
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file for file in files if file.is_file() and file.suffix.lower() in _KINDS]


def _has_columns(file: Path) -> bool:
    first = next(_lines(file), None)
    return first is not None and set(_NEEDED) <= first.cells.keys()


def _lines(path: Path) -> Iterator[Line]:
    """The lines of a file of any of the three kinds, cells as text."""
    kind = path.suffix.lower()
    if kind == ".csv":
        return csv_lines(path, _NEEDED)
    return _json_lines(path) if kind == ".jsonl" else _parquet_lines(path)


def _json_lines(path: Path) -> Iterator[Line]:
    for number, body in enumerate(path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not body.strip():
            continue
        try:
            row = json.loads(body)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict):
            yield Line(number, body, _texts(row), _lacking(row))
        else:
            yield Line(number, body, {}, "no JSON object")


def _parquet_lines(path: Path) -> Iterator[Line]:
    try:
        table = pq.read_table(path)
    except (OSError, ValueError) as error:
        yield Line(0, b"", {}, f"no parquet file: {error}")
        return
    for number, row in enumerate(table.to_pylist(), 1):
        body = json.dumps(row, ensure_ascii=False, default=str).encode("utf-8", "replace")
        yield Line(number, body, _texts(row), _lacking(row))


def _texts(row: dict[str, Any]) -> dict[str, str]:
    return {name: "" if value is None else str(value) for name, value in row.items()}


def _lacking(row: dict[str, Any]) -> str | None:
    missing = [name for name in _NEEDED if name not in row]
    return f"lacks {' and '.join(missing)}" if missing else None


def _word(cells: dict[str, str], column: str) -> str:
    return cells.get(column, "").strip()


def _number(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise Malformed(f"score {text!r} is not a finite number")
    return found
