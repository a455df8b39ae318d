"""Import of ratings by people: csv or xlsx sheets about writings that the database holds.

A row is one score of one annotator (HoWToBench 5.2, appendix J). Columns, by these names or the
Chinese ones of COLUMNS:

    writing_id            or item_id and system, with sample where a system wrote several texts
    annotator, score
    criterion             `overall` where it is missing or empty
    error_type            what pulled the score down, several separated by ; or 、
    guidelines            version of the guidelines that the annotator followed
    scale                 lowest and highest score, such as 1-10; 1-5 where it is missing or empty

A row that cannot go in is a `raw.record` with its reason and a problem with its row number; the
others go in. A row without a score was not filled in. What a sheet that is read again says no more
of an annotator whom it still names stays as a row without a score.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from uuid import UUID

import duckdb

from towbench.ingest.problem import Problem
from towbench.ingest.ratings import Line, record_of, write_scores
from towbench.ingest.review import Entry
from towbench.ingest.review_sheet import read_csv, read_xlsx
from towbench.ingest.stage import Row, count_changed, write_import
from towbench.schemas.errors import DataError

KIND: Final = "rating"
SCALE: Final = "1-5"
BELOW: Final = 3.0
"""A score below this on the scale 1-5 must name an error type, a score from it on may not."""
COLUMNS: Final = {
    "文本编号": "writing_id", "写作编号": "writing_id", "指令编号": "item_id",
    "题目编号": "item_id", "模型": "system", "系统": "system", "样本": "sample",
    "标注员": "annotator", "标注者": "annotator", "评分人": "annotator", "维度": "criterion",
    "评分维度": "criterion",
    "分数": "score", "评分": "score", "得分": "score", "错误类型": "error_type",
    "标注指南": "guidelines", "指南版本": "guidelines", "量表": "scale", "分值范围": "scale",
}  # fmt: skip
ERRORS: Final = {
    "一致性": "consistency", "一致性问题": "consistency", "准确性": "accuracy",
    "准确性问题": "accuracy", "流畅性": "fluency", "流畅性问题": "fluency", "安全": "safety",
    "安全问题": "safety", "未遵循指令": "instruction", "指令遵循": "instruction",
}  # fmt: skip

_READERS: Final[dict[str, Callable[[Path], Iterator[Entry]]]] = {
    ".xlsx": read_xlsx, ".csv": read_csv, ".tsv": read_csv,
}  # fmt: skip
_NUMBER: Final = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,15})?")
_SCALE: Final = re.compile(r"(-?\d+(?:\.\d+)?)\s*[-–—~至到]\s*(-?\d+(?:\.\d+)?)")
_BETWEEN: Final = re.compile(r"[;,、/|\n]")


@dataclass
class RatingSummary:
    """What an import found, and how many rows it changed."""

    benchmark: str
    n_rating: int = 0
    n_empty: int = 0
    n_changed: int = 0
    problems: list[Problem] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.benchmark}: {self.n_rating} ratings, {self.n_empty} rows without a score, "
            f"{len(self.problems)} problems; {self.n_changed} rows changed"
        )


# Scores that their sheet says no more: the row was taken out, emptied, or is refused now. A sheet
# is known by its name: one of that name that does not know an annotator is somebody else's.
_TAKE_BACK: Final = """
UPDATE judge.human_rating
SET score = NULL, run_id = $run_id
FROM raw.record AS record
WHERE
    human_rating.benchmark = $benchmark
    AND human_rating.score IS NOT NULL
    AND human_rating.annotator IN (SELECT unnest($annotators))
    AND record.record_id = human_rating.record_id
    AND record.status = 'superseded'
"""


class Refused(Exception):
    """Why a row cannot go in."""


def is_ratings(folder: Path) -> bool:
    """Whether `folder` holds a sheet of ratings."""
    for path in _sheets(folder):
        try:
            first = next(_READERS[path.suffix.lower()](path), None)
        except DataError:
            continue
        if first is not None and not _missing(first.values):
            return True
    return False


def unreadable_sheets(folder: Path) -> Iterator[str]:
    """Why no sheet of a folder was taken for one of ratings, where reading it failed."""
    for path in _sheets(folder):
        try:
            next(_READERS[path.suffix.lower()](path), None)
        except DataError as error:
            yield str(error)


def import_ratings(
    con: duckdb.DuckDBPyConnection, folder: Path, benchmark: str, run_id: UUID
) -> RatingSummary:
    """Load every sheet of the folder; a second import of the same files changes nothing."""
    reader = _Reader(con, benchmark)
    for path in _sheets(folder):
        try:
            entries = list(_READERS[path.suffix.lower()](path))
        except DataError as error:
            reader.report(path.name, 0, str(error).removeprefix(f"{path}: "))
            continue
        if entries and (fault := _missing(entries[0].values) or _twice(entries[0].values)):
            reader.report(path.name, 1, f"{fault}; the sheet is left out")
            continue
        for entry in entries:
            reader.read(entry)
    summary = reader.summary
    summary.n_rating = len(reader.ratings)
    summary.n_changed = write_import(
        con, benchmark, run_id, reader.records.values(), [], [], origin=KIND
    ) + write_scores(con, benchmark, run_id, [*reader.ratings.values()], [], [])
    names = {
        "benchmark": benchmark, "run_id": str(run_id), "annotators": sorted(reader.annotators),
    }  # fmt: skip
    if n_taken_back := count_changed(con, _TAKE_BACK, names):
        what = f"{n_taken_back} ratings are in their sheets no more and do not count"
        reader.report(folder.name, 0, what, is_note=True)
        summary.n_changed += n_taken_back
    return summary


class _Reader:
    """Reads rows, keyed so that a second value for anything is seen."""

    def __init__(self, con: duckdb.DuckDBPyConnection, benchmark: str) -> None:
        self.summary = RatingSummary(benchmark)
        self.records: dict[str, Row] = {}
        self.ratings: dict[tuple[str, ...], Row] = {}
        self.annotators: set[str] = set()
        writings = con.execute(
            "SELECT writing_id, item_id, system, sample, perturbation IS NULL FROM corpus.writing "
            "WHERE benchmark = ?",
            [benchmark],
        ).fetchall()
        self.ids = {row[0] for row in writings}
        self.by_system = {(row[1], row[2], row[3]): row[0] for row in writings if row[4]}
        self.scales: dict[str, str] = dict(
            con.execute(
                f"SELECT criterion, any_value(coalesce(scale, '{SCALE}')) FROM judge.human_rating "
                "WHERE benchmark = ? GROUP BY criterion",
                [benchmark],
            ).fetchall()
        )

    def read(self, entry: Entry) -> None:
        cells = _named(entry.values)
        self.annotators.add(_narrow(cells.get("annotator", "")))
        body = json.dumps(entry.values, ensure_ascii=False).encode()
        line = Line(entry.row, body, cells, None)
        record = record_of(self.summary.benchmark, KIND, entry.file, line)
        if not cells.get("score") and not entry.fault:
            self.summary.n_empty += 1
            return
        if record["record_id"] in self.records:
            self.report(entry.file, entry.row, "a second copy of the same row", is_note=True)
            return
        self.records[record["record_id"]] = record
        try:
            if entry.fault:
                raise Refused(entry.fault)
            rating = self._rating(cells) | {"record_id": record["record_id"]}
            key = (rating["writing_id"], rating["annotator"], rating["criterion"])
            if key in self.ratings:
                raise Refused(f"a second score for {', '.join(key)}")
        except Refused as fault:
            record["status"], record["reason"] = "malformed", str(fault)
            self.report(entry.file, entry.row, str(fault))
            return
        self.ratings[key] = rating
        if doubt := _doubt(rating):
            self.report(entry.file, entry.row, f"{doubt}; taken as it is", is_note=True)

    def report(self, file: str, row: int, what: str, is_note: bool = False) -> None:
        self.summary.problems.append(Problem(file, row, what, is_note))

    def _rating(self, cells: dict[str, str]) -> Row:
        criterion = _name(cells, "criterion") or "overall"
        scale, low, high = _scale(cells.get("scale", ""))
        if self.scales.setdefault(criterion, scale) != scale:
            raise Refused(
                f"scale {scale}, but {criterion} is rated {self.scales[criterion]} in "
                f"{self.summary.benchmark}; give the criterion another name"
            )
        score = _number(cells["score"], "score")
        if not low <= score <= high:
            raise Refused(f"score {cells['score']} is not from {low:g} to {high:g}")
        annotator = _name(cells, "annotator")
        if not annotator:
            raise Refused("no annotator")
        return {
            "writing_id": self._writing(cells), "annotator": annotator, "criterion": criterion,
            "score": score, "error_type": _errors(cells.get("error_type", "")),
            "guidelines": _name(cells, "guidelines") or None, "scale": scale,
        }  # fmt: skip

    def _writing(self, cells: dict[str, str]) -> str:
        if cells.get("writing_id"):
            found = {cells["writing_id"], _narrow(cells["writing_id"])} & self.ids
            shown = cells["writing_id"]
        else:
            sample = _sample(cells.get("sample", ""))
            item, system = cells.get("item_id", ""), cells.get("system", "")
            names = ((item, system), (_narrow(item), _narrow(system)))
            found = {self.by_system[*name, sample] for name in names
                     if (*name, sample) in self.by_system}  # fmt: skip
            shown = f"{item}, {system}, {sample}"
        if not found:
            raise Refused(f"no writing {shown!r} in {self.summary.benchmark}")
        return found.pop()


def _sheets(folder: Path) -> list[Path]:
    """The sheets of a folder, without what office programs leave beside open ones."""
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in _READERS and not path.name.startswith((".", "~$"))
    )


def _named(values: dict[str, str]) -> dict[str, str]:
    """Cells by the names of this module."""
    return {_column(name): value.strip() for name, value in values.items()}


def _column(name: str) -> str:
    narrow = _narrow(name)
    return COLUMNS.get(narrow, narrow.lower())


def _twice(values: dict[str, str]) -> str | None:
    """Why a sheet whose columns have two names for one thing cannot be read."""
    same: dict[str, list[str]] = {}
    for name in values:
        same.setdefault(_column(name), []).append(name)
    doubled = [names for names in same.values() if len(names) > 1]
    return f"columns {' and '.join(doubled[0])} say the same" if doubled else None


def _missing(values: dict[str, str]) -> str | None:
    """Which columns that a sheet of ratings must have are not in this one."""
    cells = _named(values)
    missing = [name for name in ("annotator", "score") if name not in cells]
    if "writing_id" not in cells and not {"item_id", "system"} <= cells.keys():
        missing.append("writing_id (or item_id and system)")
    return f"no column {', '.join(missing)}" if missing else None


def _doubt(rating: Row) -> str | None:
    """What contradicts the guidelines: an error without a low score, or the other way round."""
    if rating["scale"] != SCALE:
        return None
    if rating["score"] < BELOW and not rating["error_type"]:
        return f"score {rating['score']:g} names no error type"
    if rating["score"] >= BELOW and rating["error_type"]:
        return f"score {rating['score']:g} names the error type {rating['error_type']}"
    return None


def _narrow(text: str) -> str:
    """Full-width digits and letters as plain ones."""
    return unicodedata.normalize("NFKC", text).strip()


def _name(cells: dict[str, str], column: str) -> str:
    found = _narrow(cells.get(column, ""))
    if "|" in found:
        raise Refused(f"{column} {found!r} holds a character that no name may have")
    return found


def _number(text: str, column: str) -> float:
    narrow = _narrow(text)
    if not _NUMBER.fullmatch(narrow):
        raise Refused(f"{column} {text!r} is not a number")
    return float(narrow)


def _sample(text: str) -> int:
    number = _number(text or "0", "sample")
    if number != int(number):
        raise Refused(f"sample {text!r} is no whole number")
    return int(number)


def _scale(text: str) -> tuple[str, float, float]:
    found = _SCALE.fullmatch(_narrow(text) or SCALE)
    if not found or float(found[1]) >= float(found[2]):
        raise Refused(f"scale {text!r} is not lowest-highest, such as {SCALE}")
    low, high = float(found[1]), float(found[2])
    return f"{low:g}-{high:g}", low, high


def _errors(text: str) -> str | None:
    """Error types, each once, by the names of this module where they are known."""
    parts = (part.strip() for part in _BETWEEN.split(_narrow(text)))
    return "; ".join(dict.fromkeys(ERRORS.get(part, part) for part in parts if part)) or None
