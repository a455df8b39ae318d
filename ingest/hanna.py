"""Import of HANNA: human ratings, metrics and judgements of stories that are not in the files.

    human_ratings_long.csv      model, story_idx, criterion, rater_slot, score (1-5)
    auto_metrics_long.csv       model, story_idx, metric, value
    llm_judge_scores_long.csv   model, story_idx, criterion, judge, prompt_variant, score

The model `Human` is the control `reference`; a story is a writing of status `not_imported`, which
nobody judges. A judgement becomes a row of `judge.leaf_score`: leaf = criterion, judge =
`<judge>@<prompt variant>`, mode `none`; its methods are `tree|imported|<criterion>|<judge>|none`.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Final
from uuid import UUID

import duckdb

from towbench.ingest.howtobench import ImportSummary, Malformed
from towbench.ingest.problem import Problem
from towbench.ingest.ratings import Line, csv_lines, record_of, write_scores
from towbench.ingest.stage import Row, write_import

RATINGS: Final = "human_ratings_long.csv"
METRICS: Final = "auto_metrics_long.csv"
JUDGE: Final = "llm_judge_scores_long.csv"
LOW, HIGH, UNREAD = 1.0, 5.0, -1.0
_STORY: Final = ("model", "story_idx")
_COLUMNS: Final = {
    RATINGS: (*_STORY, "criterion", "rater_slot", "score"),
    METRICS: (*_STORY, "metric", "value"),
    JUDGE: (*_STORY, "criterion", "judge", "prompt_variant", "score"),
}
# Views answer as soon as the data are in; `make score` writes the same scopes for its items.
_WRITE_SCOPE: Final = """
INSERT INTO corpus.item_scope BY NAME
SELECT
    item.benchmark,
    item.item_id,
    unnest(['all', 'task:' || item.task, 'genre:' || item.genre, 'lang:' || item.lang]) AS scope
FROM corpus.item AS item
WHERE item.benchmark = ? AND item.status = 'accepted'
ON CONFLICT DO NOTHING
"""


def is_hanna(folder: Path) -> bool:
    """Whether `folder` holds the human ratings in HANNA's long form."""
    return (folder / RATINGS).is_file()


def import_hanna(
    con: duckdb.DuckDBPyConnection, folder: Path, benchmark: str, run_id: UUID
) -> ImportSummary:
    """Load the folder; a second import of the same bytes changes nothing.

    A line that cannot be read is a `raw.record` with its reason and a problem of the summary.
    """
    reader = _Reader(benchmark)
    add: dict[str, Callable[[str, dict[str, str]], None]] = {
        RATINGS: reader.add_rating, METRICS: reader.add_metric, JUDGE: reader.add_judgement,
    }  # fmt: skip
    for file, columns in _COLUMNS.items():
        if (folder / file).is_file():
            for line in csv_lines(folder / file, columns):
                reader.read(file, line, add[file])
    summary = reader.summary
    summary.n_item, summary.n_writing = len(reader.items), len(reader.writings)
    summary.writing_status["not_imported"] = summary.n_writing
    summary.n_changed = write_import(
        con, benchmark, run_id, reader.records.values(), reader.items.values(),
        reader.writings.values(), origin="hanna",
    )  # fmt: skip
    summary.n_changed += write_scores(
        con,
        benchmark,
        run_id,
        [*reader.ratings.values()],
        [*reader.metrics.values()],
        [*reader.leaves.values()],
    )
    con.execute(_WRITE_SCOPE, [benchmark])
    return summary


class _Reader:
    """Reads lines into rows, keyed so that a second copy of anything is seen."""

    def __init__(self, benchmark: str) -> None:
        self.summary = ImportSummary(benchmark)
        self.records: dict[str, Row] = {}
        self.items: dict[str, Row] = {}
        self.writings: dict[str, Row] = {}
        self.ratings: dict[tuple[str, ...], Row] = {}
        self.metrics: dict[tuple[str, ...], Row] = {}
        self.leaves: dict[tuple[str, ...], Row] = {}

    def read(self, file: str, line: Line, add: Callable[[str, dict[str, str]], None]) -> None:
        record = record_of(self.summary.benchmark, file.partition("_long")[0], file, line)
        if record["record_id"] in self.records:
            self._report(file, line.number, "a second copy of the same line", is_note=True)
            return
        self.records[record["record_id"]] = record
        try:
            if line.fault:
                raise Malformed(line.fault)
            writing_id = _writing_id(line.cells)
            add(writing_id, line.cells)
            self._keep_story(writing_id, line.cells["story_idx"].strip(), record["record_id"])
        except Malformed as fault:
            record["status"], record["reason"] = "malformed", str(fault)
            self._report(file, line.number, str(fault))

    def add_rating(self, writing_id: str, cells: dict[str, str]) -> None:
        score = _number(cells, "score")
        if not LOW <= score <= HIGH:
            raise Malformed(f"score {cells['score']} is not from {LOW:.0f} to {HIGH:.0f}")
        _keep(self.ratings, {
            "writing_id": writing_id, "annotator": f"rater_{_name(cells, 'rater_slot')}",
            "criterion": _name(cells, "criterion"), "score": score,
        }, 3)  # fmt: skip

    def add_metric(self, writing_id: str, cells: dict[str, str]) -> None:
        # The human story scores 100 or 1 by each of these metrics: they compare with it.
        _keep(self.metrics, {
            "writing_id": writing_id, "metric": _name(cells, "metric"),
            "reference_mode": "human", "score": _number(cells, "value"),
        }, 3)  # fmt: skip

    def add_judgement(self, writing_id: str, cells: dict[str, str]) -> None:
        """Keep a judgement; scores are means of replies, in which an unread one counted as -1."""
        score = _number(cells, "score")
        status, reason = "ok", None
        if score == UNREAD:
            status = "unparsable"
        elif not LOW <= score <= HIGH:
            status, reason = "out_of_range", "mean_with_unread_reply" if score < LOW else None
        _keep(self.leaves, {
            "writing_id": writing_id, "leaf": _name(cells, "criterion"),
            "judge": f"{_name(cells, 'judge')}@{_name(cells, 'prompt_variant')}",
            "score": score if status == "ok" else None, "status": status, "reason": reason,
        }, 3)  # fmt: skip

    def _keep_story(self, writing_id: str, item_id: str, record_id: str) -> None:
        if item_id not in self.items:
            self.items[item_id] = {
                "item_id": item_id, "task": "open", "sub_task": "story", "lang": "en",
                "instruction": "", "grounding": "", "reference": "", "record_id": record_id,
            }  # fmt: skip
        if writing_id not in self.writings:
            self.writings[writing_id] = {
                "writing_id": writing_id, "item_id": item_id,
                "system": writing_id.removeprefix(f"{item_id}:").removesuffix(":0"), "text": "",
                "judged_text": "", "status": "not_imported", "reason": None, "has_damage": False,
                "has_thought": False, "record_id": record_id,
            }  # fmt: skip

    def _report(self, file: str, line: int, what: str, is_note: bool = False) -> None:
        self.summary.problems.append(Problem(file, line, what, is_note))


def _keep(rows: dict[tuple[str, ...], Row], row: Row, n_key: int) -> None:
    key = tuple([*row.values()][:n_key])
    if key in rows:
        raise Malformed(f"a second value for {', '.join(key)}")
    rows[key] = row


def _writing_id(cells: dict[str, str]) -> str:
    model = _name(cells, "model")
    if model == "reference":
        raise Malformed("reference names the human text and cannot be a model")
    system = "reference" if model == "Human" else model
    return f"{_name(cells, 'story_idx')}:{system}:0"


def _name(cells: dict[str, str], column: str) -> str:
    found = cells[column].strip()
    if not found or "|" in found:
        raise Malformed(f"{column} {found!r} is empty or holds a character no id may have")
    return found


def _number(cells: dict[str, str], column: str) -> float:
    try:
        found = float(cells[column])
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise Malformed(f"{column} {cells[column]!r} is not a number")
    return found
