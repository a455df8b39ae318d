"""Reads answered review sheets into `corpus.review`: good rows go in, the others are named.

A row that is already there changes nothing. A reviewer who answers differently gets a new revision,
the old one stays. Reviewers of an item take places 1, 2 and 3; the third settles a split, so it is
refused where the first two agree. What the settled reviews change in items is for
`sql/steps/44_apply_reviews.sql`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import duckdb
import pyarrow as pa

from towbench.ingest import review_json, review_sheet
from towbench.ingest.problem import Problem
from towbench.ingest.review import (
    DECISIONS,
    EMPTY,
    KEY,
    KINDS,
    REASONS,
    SHOWN,
    WORDS,
    Entry,
    Task,
    kind_of,
    plain,
)
from towbench.ingest.review_task import read_tasks
from towbench.schemas.errors import DataError

GAP_MARK: Final = "[fill in the blank]"
_PLACES: Final = 3
_NAME: Final = re.compile(r"[^\x00-\x1f|]{1,100}")

Target = tuple[str, int, str, str]
"""benchmark, round, kind, item id"""

_TEXT: Final = pa.string()
_REVIEW: Final = pa.schema(
    {
        "benchmark": _TEXT, "round": pa.int32(), "kind": _TEXT, "item_id": _TEXT,
        "reviewer": _TEXT, "revision": pa.int32(), "place": pa.int32(), "decision": _TEXT,
        "reason": _TEXT, "comment": _TEXT, "instruction": _TEXT, "grounding": _TEXT,
        "reference": _TEXT, "genre": _TEXT, "reviewed_at": pa.timestamp("us"), "file": _TEXT,
        "row": pa.int32(), "run_id": _TEXT,
    }
)  # fmt: skip
_ANSWER: Final = ("decision", "reason", "comment", *REASONS)


class Refused(Exception):
    """Why a row cannot go in."""


@dataclass
class ReviewSummary:
    """What an import did: rows new, changed, known already, still empty; and what was refused."""

    n_new: int = 0
    n_changed: int = 0
    n_known: int = 0
    n_empty: int = 0
    problems: list[Problem] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.n_new} reviews new, {self.n_changed} changed, {self.n_known} known already, "
            f"{self.n_empty} rows without a decision, {len(self.problems)} problems"
        )


def read_file(path: Path) -> Iterator[Entry]:
    """Entries of a sheet, by the ending of its name.

    Raises:
        DataError: the file cannot be read as what its name says.
    """
    readers = {
        ".xlsx": review_sheet.read_xlsx, ".csv": review_sheet.read_csv,
        ".tsv": review_sheet.read_csv, ".json": review_json.read,
    }  # fmt: skip
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise DataError(f"{path}: a review sheet ends in .xlsx, .csv, .tsv or .json")
    if not path.is_file():
        raise DataError(f"{path}: no such file")
    return reader(path)


def import_files(
    con: duckdb.DuckDBPyConnection, paths: Sequence[Path], run_id: UUID, now: datetime
) -> ReviewSummary:
    """Read all files, then write what holds in one transaction; an unreadable file is a problem."""
    entries: list[Entry] = []
    unreadable: list[Problem] = []
    for path in paths:
        try:
            entries += read_file(path)
        except DataError as error:
            unreadable.append(Problem(path.name, 0, str(error).removeprefix(f"{path}: ")))
    summary = import_entries(con, entries, run_id, now)
    summary.problems[:0] = unreadable
    return summary


def import_entries(
    con: duckdb.DuckDBPyConnection, entries: Iterable[Entry], run_id: UUID, now: datetime
) -> ReviewSummary:
    """Validate and write entries; the one path that every form of a review takes."""
    reader = _Reader(con, run_id, now)
    for entry in entries:
        try:
            reader.read(entry)
        except Refused as fault:
            reader.summary.problems.append(Problem(entry.file, entry.row, str(fault)))
    reader.write()
    return reader.summary


def undo(
    con: duckdb.DuckDBPyConnection, benchmark: str, number: int, kind: str, items: Sequence[str]
) -> int:
    """Take back the reviews of a round (of `items`, or all): they stay, but count no more."""
    rows = con.execute(
        """
        UPDATE corpus.review SET is_current = false
        WHERE benchmark = ? AND round = ? AND kind = ? AND is_current
            AND (? = [] OR list_contains(?, item_id))
        """,
        [benchmark, number, kind, list(items), list(items)],
    ).fetchall()
    return int(rows[0][0])


class _Reader:
    def __init__(self, con: duckdb.DuckDBPyConnection, run_id: UUID, now: datetime) -> None:
        self.con, self.run_id, self.now = con, run_id, now
        self.summary = ReviewSummary()
        self.rows: list[dict[str, Any]] = []
        self.seen: dict[tuple[Target, str], str] = {}
        self.tasks: dict[tuple[str, int, str], dict[str, Task]] = {}
        self.current: dict[Target, list[dict[str, Any]]] = {}
        self.revisions: dict[tuple[Target, str], int] = {}
        self.genres = {g for (g,) in con.execute("SELECT genre FROM corpus.genre").fetchall()}

    def read(self, entry: Entry) -> None:
        if entry.fault:
            raise Refused(entry.fault)
        values = entry.values
        kind = kind_of(set(values))
        if kind is None or "decision" not in values or "reviewer" not in values:
            # Tools that export JSON leave out what nobody answered.
            if kind is not None and not values.get("decision"):
                self.summary.n_empty += 1
                return
            raise Refused(_missing(set(values)))
        task = self._task(kind, values)
        for name in SHOWN[kind]:
            if plain(values[name]) != plain(task[name]):
                raise Refused(f"column {name} was changed; only answers may be")
        answer = self._answer(kind, task, values)
        if answer is None:
            self.summary.n_empty += 1
            return
        target: Target = (task["benchmark"], int(task["round"]), kind, task["item_id"])
        self._keep(entry, target, values["reviewer"].strip(), answer)

    def _task(self, kind: str, values: dict[str, str]) -> Task:
        benchmark, number, item_id = (values[name].strip() for name in KEY)
        if not re.fullmatch(r"[0-9]{1,6}", number):
            raise Refused(f"round {number!r} is no number")
        place = (benchmark, int(number), kind)
        if place not in self.tasks:
            shown = read_tasks(self.con, benchmark, kind, int(number))
            self.tasks[place] = {task["item_id"]: task for task in shown}
        if not self.tasks[place]:
            raise Refused(f"wrong round: {kind} of {benchmark!r} were not exported as {number}")
        if item_id not in self.tasks[place]:
            known = self.con.execute(
                "SELECT 1 FROM corpus.item WHERE benchmark = ? AND item_id = ?",
                [benchmark, item_id],
            ).fetchall()
            what = f"is not in round {number}" if known else "is unknown"
            raise Refused(f"item {item_id!r} {what}")
        return self.tasks[place][item_id]

    def _answer(self, kind: str, task: Task, values: dict[str, str]) -> dict[str, str] | None:
        """The checked answer columns that are not empty; None if nothing was answered."""
        said = {
            name: plain(values.get(name, ""))
            for name in ("decision", "reason", "comment", *(f"new_{field}" for field in REASONS))
        }
        if not any(said.values()):
            return None
        decision = _word(said["decision"], DECISIONS[kind])
        if not said["decision"]:
            raise Refused("no decision, though other columns are filled in")
        if decision is None:
            raise Refused(
                f"unknown decision {said['decision'][:40]!r}: {', '.join(DECISIONS[kind])}"
            )
        if not _NAME.fullmatch(values["reviewer"].strip()):
            raise Refused("no reviewer, or a name with characters no name has")
        answer = {"decision": decision} | {name: said[name] for name in ("comment",) if said[name]}
        if kind == "picks":
            return answer
        if said["reason"] or decision == "reject":
            reason = _word(said["reason"], REASONS)
            if reason is None:
                given = f"unknown reason {said['reason'][:40]!r}" if said["reason"] else "no reason"
                raise Refused(f"{given}: {', '.join(REASONS)}")
            answer["reason"] = reason
        revised = self._revised(task, said)
        if (decision == "revise") != bool(revised):
            raise Refused(
                "a revision without a new text" if not revised else
                f"new_{next(iter(revised))} is filled in, but the decision is {decision}"
            )  # fmt: skip
        return answer | revised

    def _revised(self, task: Task, said: dict[str, str]) -> dict[str, str]:
        revised = {
            name: said[f"new_{name}"]
            for name in REASONS
            if said[f"new_{name}"] and said[f"new_{name}"] != plain(task[name])
        }
        if revised.get("grounding") == EMPTY:
            revised["grounding"] = ""
        if any(value == EMPTY for value in revised.values()):
            raise Refused(f"only new_grounding may be {EMPTY}")
        genre = revised.get("genre")
        if genre is not None and genre not in self.genres:
            raise Refused(f"unknown genre {genre[:40]!r}: {', '.join(sorted(self.genres))}")
        grounding = revised.get("grounding")
        if task["task"] == "completion" and grounding is not None and GAP_MARK not in grounding:
            raise Refused(f"new_grounding has lost the mark {GAP_MARK}")
        return revised

    def _keep(self, entry: Entry, target: Target, reviewer: str, answer: dict[str, str]) -> None:
        key = (target, reviewer)
        where = f"{entry.file}:{entry.row}"
        if key in self.seen:
            raise Refused(f"{reviewer} has answered this item already in {self.seen[key]}")
        self.seen[key] = where
        current = self._current(target)
        before = next((row for row in current if row["reviewer"] == reviewer), None)
        wanted = {name: answer.get(name) for name in _ANSWER}
        if before is not None and all(before[name] == wanted[name] for name in _ANSWER):
            self.summary.n_known += 1
            return
        if before is not None:
            place = int(before["place"])
            current.remove(before)
        else:
            place = self._free_place(current)
        row = wanted | {
            "benchmark": target[0], "round": target[1], "kind": target[2], "item_id": target[3],
            "reviewer": reviewer, "revision": self.revisions.get(key, 0) + 1, "place": place,
            "reviewed_at": entry.at or self.now, "file": entry.file, "row": entry.row,
            "run_id": str(self.run_id),
        }  # fmt: skip
        current.append(row)
        self.rows.append(row)
        if before is None:
            self.summary.n_new += 1
        else:
            self.summary.n_changed += 1

    def _free_place(self, current: list[dict[str, Any]]) -> int:
        taken = {int(row["place"]) for row in current}
        free = [place for place in range(1, _PLACES + 1) if place not in taken]
        if not free:
            raise Refused("three reviewers have answered this item already")
        if free[0] == _PLACES and _meaning(current[0]) == _meaning(current[1]):
            raise Refused("two reviewers agree on this item; there is nothing to settle")
        return free[0]

    def _current(self, target: Target) -> list[dict[str, Any]]:
        """Current reviews of an item; those of its whole round are read at once."""
        if target not in self.current:
            names = ("item_id", "reviewer", "revision", "place", "is_current", *_ANSWER)
            rows = self.con.execute(
                f"""
                SELECT {", ".join(names)} FROM corpus.review
                WHERE benchmark = ? AND round = ? AND kind = ? ORDER BY place, revision
                """,
                list(target[:3]),
            ).fetchall()
            for item_id in self.tasks[target[:3]]:
                self.current[*target[:3], item_id] = []
            for values in rows:
                row = dict(zip(names, values, strict=True))
                place: Target = (*target[:3], row["item_id"])
                key = (place, row["reviewer"])
                self.revisions[key] = max(row["revision"], self.revisions.get(key, 0))
                if row["is_current"]:
                    self.current.setdefault(place, []).append(row)
        return self.current[target]

    def write(self) -> None:
        if not self.rows:
            return
        self.con.register("staged_review", pa.Table.from_pylist(self.rows, _REVIEW))
        self.con.begin()
        try:
            self.con.execute(
                """
                UPDATE corpus.review SET is_current = false
                FROM staged_review AS staged
                WHERE
                    review.benchmark = staged.benchmark
                    AND review.round = staged.round
                    AND review.kind = staged.kind
                    AND review.item_id = staged.item_id
                    AND review.reviewer = staged.reviewer
                """
            )
            self.con.execute("INSERT INTO corpus.review BY NAME SELECT * FROM staged_review")
            self.con.commit()
        except BaseException:
            self.con.rollback()
            raise
        finally:
            self.con.unregister("staged_review")


def _meaning(row: dict[str, Any]) -> tuple[Any, ...]:
    """What two reviewers must share to agree; the twin of `bench.review_outcome_v1`."""
    texts = tuple(row[name] for name in REASONS) if row["decision"] == "revise" else ()
    return (row["decision"], *texts)


def _word(said: str, known: Sequence[str]) -> str | None:
    """The known word that was meant, whatever its case or language."""
    word = WORDS.get(said, said)
    return {name.casefold(): name for name in known}.get(word.casefold())


def _missing(columns: set[str]) -> str:
    lacks = {kind: [c for c in SHOWN[kind] if c not in columns] for kind in KINDS}
    kind = min(KINDS, key=lambda kind: len(lacks[kind]))
    names = lacks[kind] + [c for c in ("reviewer", "decision") if c not in columns]
    return f"no review sheet: column {', '.join(names)} is missing"
