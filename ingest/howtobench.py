"""Import of the released HoWToBench layout: its items and the models' outputs for them.

Two forms are read. The aligned one wins where both lie in a task's folder:
    <task>/aligned.jsonl              one item a line
    <task>/inferences/<model>.jsonl   one output a line: infer_id, model, output
    <task>/data.jsonl                 the older form: items with their outputs in `infers`, a map
                                      model -> output or a list of {model, output}
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import duckdb

from towbench.ingest.lang import language
from towbench.ingest.problem import Problem
from towbench.ingest.stage import Row, write_import
from towbench.ingest.thought import split_thought
from towbench.schemas.trees import TASKS

GAP_MARK: Final = "[fill in the blank]"
ORIGIN: Final = "howtobench"
REPLACEMENT: Final = "\ufffd"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ITEM_IDS: Final = "SELECT item_id FROM corpus.item WHERE benchmark = ?"
_LABELS: Final = "SELECT label FROM corpus.genre_label WHERE origin = ?"


@dataclass
class ImportSummary:
    """What an import found (`n_item`, `n_writing`) and what it changed (`n_changed` rows)."""

    benchmark: str
    n_item: int = 0
    n_writing: int = 0
    n_changed: int = 0
    writing_status: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)

    def __str__(self) -> str:
        statuses = ", ".join(f"{n} {status}" for status, n in sorted(self.writing_status.items()))
        return (
            f"{self.benchmark}: {self.n_item} items, {self.n_writing} writings"
            f"{f' ({statuses})' if statuses else ''}, "
            f"{len(self.problems)} problems; {self.n_changed} rows changed"
        )


class Malformed(Exception):
    """A line, or an output in it, that cannot become a row; the message says why."""


class UnknownItem(Malformed):
    """An output for an item that neither this folder nor the database holds."""


def is_howtobench(folder: Path) -> bool:
    """Whether `folder` has the released layout, or is one task folder of it."""
    return bool(_task_folders(folder))


def import_howtobench(
    con: duckdb.DuckDBPyConnection, folder: Path, benchmark: str, run_id: UUID
) -> ImportSummary:
    """Load a released folder in one transaction; a second import of the same bytes changes nothing.

    A changed line replaces the item's or writing's row and marks the old record `superseded`;
    withdrawn rows stay withdrawn. A line that cannot be read is a `raw.record` with its reason.
    """
    reader = _Reader(benchmark, _column(con, _ITEM_IDS, benchmark))
    for task in _task_folders(folder):
        reader.read_task(task)
    reader.report_items(_column(con, _LABELS, ORIGIN))
    summary = reader.summary
    summary.n_item, summary.n_writing = len(reader.items), len(reader.writings)
    summary.writing_status.update(row["status"] for row in reader.writings.values())
    summary.n_changed = write_import(
        con, benchmark, run_id, reader.records.values(), reader.items.values(),
        reader.writings.values(), origin=ORIGIN,
    )  # fmt: skip
    return summary


def _column(con: duckdb.DuckDBPyConnection, sql: str, value: str) -> set[str]:
    return {name for (name,) in con.execute(sql, [value]).fetchall()}


def _task_folders(folder: Path) -> list[Path]:
    if _is_task(folder):
        return [folder]
    return sorted(path for path in folder.iterdir() if path.is_dir() and _is_task(path))


def _is_task(folder: Path) -> bool:
    return (
        (folder / "aligned.jsonl").is_file()
        or (folder / "data.jsonl").is_file()
        or any((folder / "inferences").glob("*.jsonl"))
    )


class _Reader:
    """Reads files into rows, keyed so that a second copy of anything is seen."""

    def __init__(self, benchmark: str, known: set[str]) -> None:
        self.known = known
        self.summary = ImportSummary(benchmark)
        self.records: dict[str, Row] = {}
        self.items: dict[str, Row] = {}
        self.writings: dict[str, Row] = {}

    def read_task(self, folder: Path) -> None:
        task = folder.resolve().name
        aligned, older = folder / "aligned.jsonl", folder / "data.jsonl"
        outputs = sorted((folder / "inferences").glob("*.jsonl"))
        if aligned.is_file():
            self._read_file(aligned, f"{task}/aligned.jsonl", "item", task)
        elif older.is_file():
            self._read_file(older, f"{task}/data.jsonl", "item", task)
        if aligned.is_file() and older.is_file():
            self._report(
                f"{task}/data.jsonl", 0, "not read: aligned.jsonl lies beside it", is_note=True
            )
        for path in outputs:
            self._read_file(path, f"{task}/inferences/{path.name}", "writing", path.stem)

    def report_items(self, labels: set[str]) -> None:
        """Reports what is odd about items without keeping them out: label and gap mark."""
        unknown = Counter(row["sub_task"] for row in self.items.values()) - Counter()
        for row in self.items.values():
            record = self.records[row["record_id"]]
            if row["task"] == "completion" and GAP_MARK not in row["grounding"]:
                what = f"{row['item_id']}: a completion item without the mark {GAP_MARK}"
                self._report(record["file"], record["line"], what, is_note=True)
            label = row["sub_task"]
            if label not in labels and (n := unknown.pop(label, 0)):
                what = f"unknown genre label {label!r} ({n} items): genre others"
                self._report(record["file"], record["line"], what, is_note=True)

    def _read_file(self, path: Path, file: str, kind: str, default: str) -> None:
        """Reads one file; `default` is the task of its items or the model of its outputs."""
        for number, line in json_lines(path):
            key = "\n".join((self.summary.benchmark, file)).encode() + b"\n" + line
            record_id = hashlib.sha256(key).hexdigest()
            if record_id in self.records:
                self._report(file, number, "a second copy of the same line", is_note=True)
                continue
            record: Row = {
                "record_id": record_id, "kind": kind, "file": file, "line": number,
                "body": line, "status": "ok", "reason": None,
            }  # fmt: skip
            self.records[record_id] = record
            add = self._add_item if kind == "item" else self._add_writing
            try:
                add(json_object(line), default, record)
            except Malformed as fault:
                unknown = isinstance(fault, UnknownItem)
                record["status"] = "unknown_item" if unknown else "malformed"
                record["reason"] = str(fault)
                self._report(file, number, str(fault))

    def _add_item(self, value: dict[str, Any], task: str, record: Row) -> None:
        item_id = identifier(value, "infer_id")
        row: Row = {
            "item_id": item_id,
            "task": text_of(value, "task_type", task),
            "sub_task": whole(text_of(value, "sub_task")),
            "instruction": whole(text_of(value, "basic_instruction")),
            "grounding": whole(text_of(value, "information", "")),
            "reference": whole(text_of(value, "reference")),
            "record_id": record["record_id"],
        }
        row["lang"] = language(row["reference"] or row["instruction"])
        infers = _infers(value.get("infers"))
        if row["task"] not in TASKS:
            raise Malformed(f"task_type {row['task']!r} is none of {', '.join(TASKS)}")
        if item_id in self.items:
            raise Malformed(f"a second item {item_id}")
        self.items[item_id] = row
        for model, output in infers:
            try:
                self._keep(writing_row(item_id, model, output, record["record_id"]))
            except Malformed as fault:
                self._report(record["file"], record["line"], f"{item_id}, infers: {fault}")

    def _add_writing(self, value: dict[str, Any], model: str, record: Row) -> None:
        item_id = identifier(value, "infer_id")
        if "output" not in value:
            raise Malformed("no field output")
        system = value.get("model", model)
        row = writing_row(item_id, system, value["output"], record["record_id"])
        if item_id not in self.items and item_id not in self.known:
            raise UnknownItem(f"unknown item {item_id}")
        self._keep(row)

    def _keep(self, row: Row) -> None:
        if row["writing_id"] in self.writings:
            raise Malformed(f"a second output of {row['system']} for {row['item_id']}")
        self.writings[row["writing_id"]] = row

    def _report(self, file: str, line: int, what: str, is_note: bool = False) -> None:
        self.summary.problems.append(Problem(file, line, what, is_note))


def json_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines that are not empty with their numbers."""
    body = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    for number, line in enumerate(body.split(b"\n"), 1):
        if line.strip():
            yield number, line.removesuffix(b"\r")


def json_object(line: bytes) -> dict[str, Any]:
    """The object that a line holds; Malformed if it holds none."""
    try:
        value = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Malformed(f"not UTF-8 (byte {error.start})") from error
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise Malformed(f"a JSON {type(value).__name__}, not an object")
    return value


def text_of(value: dict[str, Any], name: str, default: str | None = None) -> str:
    """The string under a name; Malformed if there is none."""
    found = value.get(name, default)
    if found is None:
        raise Malformed(f"no field {name}" if name not in value else f"{name} is null")
    if not isinstance(found, str):
        raise Malformed(f"{name} is a {type(found).__name__}, not a string")
    return found


def identifier(value: dict[str, Any], name: str, default: str | None = None) -> str:
    """The string under a name as an id; Malformed if it cannot be one."""
    found = text_of(value, name, default).strip()
    if not found or "|" in found or _SURROGATE.search(found):
        raise Malformed(f"{name} {found!r} is empty or holds a character no id may have")
    return found


def _infers(infers: object) -> list[tuple[object, object]]:
    if infers is None:
        return []
    if isinstance(infers, dict):
        return list(infers.items())
    if isinstance(infers, list):
        # An entry that is no object has no model: its own fault, not the item's.
        entries = [entry if isinstance(entry, dict) else {} for entry in infers]
        return [(entry.get("model"), entry.get("output")) for entry in entries]
    raise Malformed("infers is neither a map model -> output nor a list of {model, output}")


def writing_row(
    item_id: str, model: object, output: object, record_id: str, sample: int = 0
) -> dict[str, Any]:
    """A `corpus.writing` row; an output of null is a system that gave no text."""
    system = identifier({"model": model}, "model")
    if system == "reference":
        raise Malformed("reference names the human text and cannot be a model")
    raw = text_of({"output": output if output is not None else ""}, "output")
    text = whole(raw)
    judged, has_thought, closed = split_thought(text)
    has_damage = REPLACEMENT in text
    if not judged.strip():
        status, reason = "no_text", "thought_not_closed" if not closed else "empty"
    elif has_damage:
        status, reason = "damaged", "lone_surrogate" if text != raw else "replacement_character"
    else:
        status, reason = "ok", None
    return {
        "writing_id": f"{item_id}:{system}:{sample}", "item_id": item_id, "system": system,
        "sample": sample, "text": text, "judged_text": judged, "status": status, "reason": reason,
        "has_damage": has_damage, "has_thought": has_thought, "record_id": record_id,
    }  # fmt: skip


def whole(text: str) -> str:
    """The text with lone surrogates, which no database or hash takes, as U+FFFD."""
    return _SURROGATE.sub(REPLACEMENT, text)
