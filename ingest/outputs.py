"""Import of texts that systems wrote elsewhere, for items that the database holds.

    *.jsonl   one text a line: item_id, system, text (null: the system gave none), sample (0)
    *.csv     the same columns, in UTF-8, UTF-16 or GB18030; an empty text is none

Other fields are kept in `raw.record` and read by nothing.

A line that cannot go in is a `raw.record` with its reason and a problem with its line number; the
others go in. A text written by `towbench generate` is never replaced; one that came from another
file is, with a note.
"""

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import duckdb

from towbench.ingest.howtobench import (
    ImportSummary,
    Malformed,
    UnknownItem,
    identifier,
    json_lines,
    json_object,
    writing_row,
)
from towbench.ingest.problem import Problem
from towbench.ingest.review_sheet import decode_sheet
from towbench.ingest.stage import Row, write_import
from towbench.schemas.errors import DataError

KIND: Final = "writing"
NEEDED: Final = ("item_id", "system", "text")
_OFFLINE: Final = "embedded/"
_LOOKED_AT: Final = 20
_FILES: Final = """
SELECT
    writing.writing_id,
    record.file
FROM corpus.writing AS writing
INNER JOIN raw.record AS record ON record.record_id = writing.record_id
WHERE writing.benchmark = ?
"""


class Line(NamedTuple):
    """A line of a file: where it begins, its bytes, and what it says, or why it says nothing."""

    number: int
    body: bytes
    value: dict[str, Any] | Malformed


def is_outputs(folder: Path) -> bool:
    """Whether a file of `folder` has the needed fields in one of its first lines."""
    return any(_has_fields(path) for path in _files(folder))


def import_outputs(
    con: duckdb.DuckDBPyConnection, folder: Path, benchmark: str, run_id: UUID
) -> ImportSummary:
    """Load every file of the folder; a second import of the same bytes changes nothing."""
    reader = _Reader(con, benchmark)
    for path in _files(folder):
        if not _has_fields(path):
            reader.report(path.name, 0, f"not read: its lines lack {', '.join(NEEDED)}")
            continue
        for line in _lines(path):
            reader.read(path.name, line)
    for (file, known), n in reader.replaced.items():
        reader.report(file, 0, f"{n} texts replace those that came from {known}", is_note=True)
    summary = reader.summary
    summary.n_writing = len(reader.writings)
    summary.writing_status.update(row["status"] for row in reader.writings.values())
    summary.n_changed = write_import(
        con, benchmark, run_id, reader.records.values(), [], reader.writings.values(), origin=KIND
    )
    return summary


class _Reader:
    """Reads lines into rows, keyed so that a second copy of anything is seen."""

    def __init__(self, con: duckdb.DuckDBPyConnection, benchmark: str) -> None:
        self.summary = ImportSummary(benchmark)
        self.records: dict[str, Row] = {}
        self.writings: dict[str, Row] = {}
        items = "SELECT item_id FROM corpus.item WHERE benchmark = ?"
        self._items = {name for (name,) in con.execute(items, [benchmark]).fetchall()}
        here = "SELECT writing_id FROM corpus.writing WHERE benchmark = ? AND record_id IS NULL"
        self._written_here = {name for (name,) in con.execute(here, [benchmark]).fetchall()}
        self.replaced: Counter[tuple[str, str]] = Counter()
        self._files: dict[str, str] = dict(con.execute(_FILES, [benchmark]).fetchall())

    def read(self, file: str, line: Line) -> None:
        key = "\n".join((self.summary.benchmark, file)).encode() + b"\n" + line.body
        record_id = hashlib.sha256(key).hexdigest()
        if record_id in self.records:
            self.report(file, line.number, "a second copy of the same line", is_note=True)
            return
        record: Row = {
            "record_id": record_id, "kind": KIND, "file": file, "line": line.number,
            "body": line.body, "status": "ok", "reason": None,
        }  # fmt: skip
        self.records[record_id] = record
        try:
            row = self._row(line.value, record_id)
        except Malformed as fault:
            unknown = isinstance(fault, UnknownItem)
            record["status"] = "unknown_item" if unknown else "malformed"
            record["reason"] = str(fault)
            self.report(file, line.number, str(fault))
            return
        self.writings[row["writing_id"]] = row
        known = self._files.get(row["writing_id"], file)
        if known != file:
            self.replaced[file, known] += 1

    def report(self, file: str, line: int, what: str, is_note: bool = False) -> None:
        self.summary.problems.append(Problem(file, line, what, is_note))

    def _row(self, value: dict[str, Any] | Malformed, record_id: str) -> Row:
        if isinstance(value, Malformed):
            raise value
        if missing := [name for name in NEEDED if name not in value]:
            raise Malformed(f"no field {missing[0]}")
        item_id = identifier(value, "item_id")
        if item_id not in self._items:
            raise UnknownItem(f"unknown item {item_id} in {self.summary.benchmark}")
        row = writing_row(item_id, value["system"], value["text"], record_id, _sample(value))
        if row["system"].startswith(_OFFLINE):
            raise Malformed(f"{row['system']}: names in {_OFFLINE} are of the offline models")
        place = f"{row['system']} for {item_id}, sample {row['sample']}"
        if row["writing_id"] in self.writings:
            raise Malformed(f"a second text of {place}")
        if row["writing_id"] in self._written_here:
            raise Malformed(f"a text of {place} was written here; name the imported one otherwise")
        return row


def _sample(value: dict[str, Any]) -> int:
    given = value.get("sample")
    if given is None or given == "":
        return 0
    text = str(given).strip()
    if isinstance(given, bool) or not text.isascii() or not text.isdigit() or len(text) > 9:
        raise Malformed(f"sample {given!r} is no whole number from 0 on")
    return int(text)


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in (".jsonl", ".csv") and not path.name.startswith(".")
    )


def _has_fields(path: Path) -> bool:
    values = (line.value for line in islice(_lines(path), _LOOKED_AT))
    return any(isinstance(value, dict) and set(NEEDED) <= set(value) for value in values)


def _lines(path: Path) -> Iterator[Line]:
    return _csv_lines(path) if path.suffix.lower() == ".csv" else _json_lines(path)


def _json_lines(path: Path) -> Iterator[Line]:
    for number, body in json_lines(path):
        try:
            yield Line(number, body, json_object(body))
        except Malformed as fault:
            yield Line(number, body, fault)


def _csv_lines(path: Path) -> Iterator[Line]:
    try:
        text = decode_sheet(path)
    except DataError as error:
        yield Line(1, b"", Malformed(str(error).removeprefix(f"{path}: ")))
        return
    csv.field_size_limit(1 << 27)
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    head: list[str] | None = None
    start = 1
    try:
        for cells in rows:
            number, start = start, rows.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if head is None:
                head = [cell.strip() for cell in cells]
                continue
            body = json.dumps(cells, ensure_ascii=False).encode()
            if len(cells) == len(head):
                yield Line(number, body, dict(zip(head, cells, strict=True)))
            else:
                yield Line(number, body, Malformed(f"{len(cells)} cells, not {len(head)}"))
    except csv.Error as error:
        yield Line(start, b"", Malformed(f"not a csv from here on: {error}"))
