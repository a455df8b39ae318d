"""Import of score-only data: human ratings, metrics and judgements of stories without a text."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import duckdb
import pytest

from towbench.ingest.hanna import JUDGE, METRICS, RATINGS
from towbench.tests.cases_loader import open_tables
from towbench.tests.import_items import import_items

HEADS = {
    RATINGS: "model,story_idx,criterion,rater_slot,score",
    METRICS: "model,story_idx,metric,value",
    JUDGE: "model,story_idx,criterion,judge,prompt_variant,score",
}
LINES = {
    RATINGS: [
        "Human,0,Coherence,1,5",
        "GPT-2 (tag),0,Coherence,1,2",
        "GPT-2 (tag),0,Coherence,2,3",
    ],
    METRICS: ["Human,0,BLEU Ξ§,100.0", "GPT-2 (tag),0,BLEU Ξ§,0.5"],
    JUDGE: [
        "GPT-2 (tag),0,Coherence,B-1,1,2.5",
        "Human,0,Coherence,B-1,1,-1.0",
        "Human,0,Coherence,B-1,2,-0.3333333333333333",
    ],
}


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    con = open_tables()
    yield con
    con.close()


@pytest.fixture
def con(tables: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    for table in (
        "raw.record", "corpus.item", "corpus.item_scope", "corpus.writing", "judge.human_rating",
        "judge.metric_score", "judge.leaf_score",
    ):  # fmt: skip
        tables.execute(f"DELETE FROM {table}")
    return tables


def write(folder: Path, **lines: list[str]) -> None:
    for file, head in HEADS.items():
        body = [head, *lines.get(file.partition("_")[0], LINES[file])]
        (folder / file).write_text("\n".join(body) + "\n", "utf-8")


def test_stories_are_writings_without_text(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    write(tmp_path)
    summary = import_items(con, tmp_path, None, uuid4())
    assert (summary.benchmark, summary.n_item, summary.n_writing) == ("hanna", 1, 2)
    assert summary.problems == []
    assert con.execute(
        "SELECT writing_id, system, text, CAST(status AS VARCHAR) FROM corpus.writing ORDER BY 1"
    ).fetchall() == [
        ("0:GPT-2 (tag):0", "GPT-2 (tag)", "", "not_imported"),
        ("0:reference:0", "reference", "", "not_imported"),
    ]
    assert con.execute("SELECT scope FROM corpus.item_scope ORDER BY 1").fetchall() == [
        ("all",), ("genre:others",), ("lang:en",), ("task:open",),
    ]  # fmt: skip


def test_an_unread_reply_is_a_status_and_never_a_number(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    write(tmp_path)
    import_items(con, tmp_path, None, uuid4())
    assert con.execute(
        "SELECT judge, score, CAST(status AS VARCHAR), reason FROM judge.leaf_score ORDER BY ALL"
    ).fetchall() == [
        ("B-1@1", 2.5, "ok", None),
        ("B-1@1", None, "unparsable", None),
        ("B-1@2", None, "out_of_range", "mean_with_unread_reply"),
    ]


def test_a_second_import_changes_nothing_and_a_new_value_replaces(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    write(tmp_path)
    first = import_items(con, tmp_path, None, uuid4())
    assert first.n_changed == 8 + 1 + 2 + 3 + 2 + 3
    assert import_items(con, tmp_path, None, uuid4()).n_changed == 0
    write(
        tmp_path,
        human=[*LINES[RATINGS][:2], "GPT-2 (tag),0,Coherence,2,4"],
        llm=["GPT-2 (tag),0,Coherence,B-1,1,3.5", *LINES[JUDGE][1:]],
    )
    import_items(con, tmp_path, None, uuid4())
    assert con.execute("SELECT sum(score), count(*) FROM judge.human_rating").fetchall() == [
        (11, 3)
    ]
    assert con.execute("SELECT sum(score), count(*) FROM judge.leaf_score").fetchall() == [(3.5, 3)]
    assert import_items(con, tmp_path, None, uuid4()).n_changed == 0


@pytest.mark.parametrize(
    ("file", "line", "fault"),
    [
        (RATINGS, "GPT,0,Coherence,1,6", "score 6 is not from 1 to 5"),
        (RATINGS, "GPT,0,Coherence,1,good", "score 'good' is not a number"),
        (RATINGS, "GPT,0,Coherence,1", "not 5 cells in UTF-8"),
        (RATINGS, "GPT,,Coherence,1,3", "story_idx '' is empty"),
        (RATINGS, "reference,0,Coherence,1,3", "reference names the human text"),
        (RATINGS, "Human,0,Coherence,1,4", "a second value for 0:reference:0, rater_1, Coherence"),
        (RATINGS, LINES[RATINGS][0], "a second copy of the same line"),
        (METRICS, "GPT,0,a|b,1", "holds a character no id may have"),
        (METRICS, "GPT,0,BLEU,nan", "value 'nan' is not a number"),
        (JUDGE, "GPT,0,Coherence,B,1,", "score '' is not a number"),
    ],
)
def test_a_bad_line_is_reported_with_file_and_line(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, file: str, line: str, fault: str
) -> None:
    write(tmp_path, **{file.partition("_")[0]: [*LINES[file], line]})
    (problem,) = import_items(con, tmp_path, None, uuid4()).problems
    assert (problem.file, problem.line) == (file, len(LINES[file]) + 2)
    assert fault in problem.what
    bad = con.execute("SELECT status, line FROM raw.record WHERE status <> 'ok'").fetchall()
    assert bad == ([] if "second copy" in fault else [("malformed", problem.line)])
    assert con.execute("SELECT count(*) FROM corpus.writing").fetchall() == [(2,)]


def test_a_file_with_another_head_is_one_problem(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    write(tmp_path)
    (tmp_path / METRICS).write_text("model,story,metric,value\nGPT,0,m,1\n", "utf-8")
    (problem,) = import_items(con, tmp_path, None, uuid4()).problems
    assert (problem.file, problem.line) == (METRICS, 1)
    assert "story_idx" in problem.what
