"""Ratings by people from sheets as they come: any encoding, full-width digits, rows that are wrong."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import pytest
from openpyxl import Workbook

from towbench.ingest.detect import import_folder
from towbench.ingest.human_ratings import RatingSummary
from towbench.schemas.errors import DataError
from towbench.tests.cases_loader import fill, open_tables

HEAD = "writing_id,annotator,criterion,score,error_type,guidelines"
GOOD = [
    "i1:A:0,甲,overall,4,,v2",
    "i1:A:0,乙,overall,2,流畅性问题；准确性,v2",
    "i1:B:0,甲,overall,5,,v2",
    "i1:B:0,乙,overall,3,,v2",
]


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    con = open_tables()
    yield con
    con.close()


@pytest.fixture
def con(tables: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    for table in ("raw.record", "corpus.item", "corpus.writing", "judge.human_rating"):
        tables.execute(f"DELETE FROM {table}")
    fill(tables, "corpus.item", [{"benchmark": "t", "item_id": "i1", "task": "open",
                                  "genre": "prose", "lang": "zh", "document_id": "d1"}])  # fmt: skip
    for system, sample in (("A", "0"), ("B", "0"), ("B", "1")):
        row = {"benchmark": "t", "writing_id": f"i1:{system}:{sample}", "item_id": "i1",
               "system": system, "sample": sample, "status": "ok"}  # fmt: skip
        fill(tables, "corpus.writing", [row])
    copied = {"benchmark": "t", "writing_id": "i1:A:0:drop:1", "item_id": "i1", "system": "A",
              "perturbation": "drop", "seed": "1", "status": "ok"}  # fmt: skip
    fill(tables, "corpus.writing", [copied])
    return tables


def load(con: duckdb.DuckDBPyConnection, folder: Path, benchmark: str | None = None) -> Any:
    summary = import_folder(con, folder, benchmark, uuid4())
    assert isinstance(summary, RatingSummary)
    return summary


def ratings(con: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    return con.execute(
        "SELECT writing_id, annotator, criterion, score, error_type, guidelines, scale "
        "FROM judge.human_rating ORDER BY ALL"
    ).fetchall()


WANTED = sorted(
    [
        ("i1:A:0", "甲", "overall", 4.0, None, "v2", "1-5"),
        ("i1:A:0", "乙", "overall", 2.0, "fluency; accuracy", "v2", "1-5"),
        ("i1:B:0", "甲", "overall", 5.0, None, "v2", "1-5"),
        ("i1:B:0", "乙", "overall", 3.0, None, "v2", "1-5"),
    ],
    key=lambda row: row[:2],
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_sheet_is_read_in_any_encoding_and_twice_changes_nothing(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, encoding: str
) -> None:
    (tmp_path / "ratings.csv").write_bytes("\r\n".join([HEAD, *GOOD]).encode(encoding))
    summary = load(con, tmp_path)
    assert (summary.n_rating, summary.problems, summary.n_changed) == (4, [], 8)
    assert ratings(con) == WANTED
    assert load(con, tmp_path).n_changed == 0


def test_a_workbook_with_chinese_columns_and_full_width_digits(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["指令编号", "模型", "样本", "标注员", "分数", "错误类型", "指南版本", "备注"])
    sheet.append(["i1", "A", None, "甲", "４", None, "ｖ２", "好"])
    sheet.append(["i1", "Ｂ", "１", "甲", 2, "一致性问题", "v2", None])
    sheet.append(["i1", "B", 1, "乙", "５．５", None, "v2", None])
    sheet.append(["i1", "B", 1, "丙", None, None, None, "没填"])
    book.save(tmp_path / "评分.xlsx")
    summary = load(con, tmp_path, "t")
    assert [str(problem) for problem in summary.problems] == [
        "评分.xlsx:4: score ５．５ is not from 1 to 5"
    ]
    assert (summary.n_rating, summary.n_empty) == (2, 1)
    assert ratings(con) == [
        ("i1:A:0", "甲", "overall", 4.0, None, "v2", "1-5"),
        ("i1:B:1", "甲", "overall", 2.0, "consistency", "v2", "1-5"),
    ]


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("i1:A:0,甲,logic,6,,", "score 6 is not from 1 to 5"),
        ("i1:A:0,甲,logic,0,,", "score 0 is not from 1 to 5"),
        ("i1:A:0,甲,logic,-1,,", "score -1 is not from 1 to 5"),
        ("i1:A:0,甲,logic,good,,", "score 'good' is not a number"),
        ("i1:A:0,甲,logic,nan,,", "score 'nan' is not a number"),
        ("i1:A:0,甲,logic,1e0,,", "score '1e0' is not a number"),
        ("i1:Z:0,甲,logic,4,,", "no writing 'i1:Z:0' in t"),
        ("i1:A:0,,logic,4,,", "no annotator"),
        ("i1:A:0,a|b,logic,4,,", "annotator 'a|b' holds a character that no name may have"),
        ("i1:A:0,甲,logic,4,一致,性,v2", "1 cells beyond the last column; is a comma not quoted?"),
        ("i1:A:0,甲,overall,5,,", "a second score for i1:A:0, 甲, overall"),
        (GOOD[0], "a second copy of the same row"),
    ],
)
def test_a_wrong_row_is_named_and_the_others_go_in(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, row: str, fault: str
) -> None:
    (tmp_path / "r.csv").write_text("\n".join([HEAD, *GOOD, row]), "utf-8")
    summary = load(con, tmp_path)
    assert [str(problem) for problem in summary.problems] == [f"r.csv:6: {fault}"]
    assert ratings(con) == WANTED
    assert summary.problems[0].is_note == ("copy" in fault)
    kept = con.execute("SELECT reason FROM raw.record WHERE status = 'malformed'").fetchall()
    assert kept == ([] if "copy" in fault else [(fault,)])


def test_what_contradicts_the_guidelines_is_told_and_taken(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    rows = ["i1:A:0,甲,logic,2,,", "i1:B:0,甲,logic,4,safety,"]
    (tmp_path / "r.csv").write_text("\n".join([HEAD, *rows]), "utf-8")
    problems = load(con, tmp_path).problems
    assert [str(problem) for problem in problems] == [
        "r.csv:2: score 2 names no error type; taken as it is",
        "r.csv:3: score 4 names the error type safety; taken as it is",
    ]
    assert all(problem.is_note for problem in problems)
    assert len(ratings(con)) == 2


def test_a_criterion_has_one_scale(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    head = "item_id,system,annotator,criterion,score,scale"
    rows = ["i1,A,甲,logic,9,1-10", "i1,B,甲,logic,4,", "i1,B,甲,style,4,", "i1,B,乙,logic,8,10-1"]
    (tmp_path / "r.csv").write_text("\n".join([head, *rows]), "utf-8")
    assert [str(problem) for problem in load(con, tmp_path).problems] == [
        "r.csv:3: scale 1-5, but logic is rated 1-10 in t; give the criterion another name",
        "r.csv:5: scale '10-1' is not lowest-highest, such as 1-5",
    ]
    (tmp_path / "r.csv").write_text("\n".join([head, "i1,A,乙,style,9,1-10"]), "utf-8")
    assert "style is rated 1-5" in str(load(con, tmp_path).problems[0])


def test_a_corrected_sheet_replaces_what_it_said(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    sheet = tmp_path / "r.csv"
    sheet.write_text("\n".join([HEAD, *GOOD]), "utf-8")
    load(con, tmp_path)
    sheet.write_text("\n".join([HEAD, GOOD[0].replace(",4,", ",3,"), *GOOD[1:]]), "utf-8")
    assert load(con, tmp_path).n_rating == 4
    assert ratings(con)[1][3] == 3.0
    statuses = con.execute("SELECT status, count(*) FROM raw.record GROUP BY ALL").fetchall()
    assert dict(statuses) == {"ok": 4, "superseded": 1}


def test_a_sheet_of_somebody_else_by_the_same_name_takes_nothing_back(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    for name in "甲乙":
        (tmp_path / name).mkdir()
        rows = [row for row in GOOD if f",{name}," in row]
        (tmp_path / name / "r.csv").write_text("\n".join([HEAD, *rows]), "utf-8")
        assert load(con, tmp_path / name).problems == []
    assert ratings(con) == WANTED


def test_what_a_sheet_says_no_more_counts_no_more(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    sheet = tmp_path / "r.csv"
    sheet.write_text("\n".join([HEAD, *GOOD]), "utf-8")
    load(con, tmp_path)
    emptied, mistyped = GOOD[0].replace(",4,", ",,"), GOOD[2].replace(",5,", ",55,")
    sheet.write_text("\n".join([HEAD, emptied, GOOD[1], mistyped]), "utf-8")
    summary = load(con, tmp_path)
    assert [str(problem) for problem in summary.problems] == [
        "r.csv:4: score 55 is not from 1 to 5",
        f"{tmp_path.name}: 3 ratings are in their sheets no more and do not count",
    ]
    assert [(row[:2], row[3]) for row in ratings(con) if row[3] is not None] == [
        (("i1:A:0", "乙"), 2.0)
    ]
    assert len(ratings(con)) == 4 and load(con, tmp_path).n_changed == 0
    sheet.write_text("\n".join([HEAD, *GOOD]), "utf-8")
    load(con, tmp_path)
    assert ratings(con) == WANTED


def test_a_sample_is_a_whole_number_and_a_column_stands_once(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    head = "item_id,system,sample,annotator,score"
    (tmp_path / "a.csv").write_text(f"{head}\ni1,B,0.7,甲,4\ni1,B,１.0,甲,4", "utf-8")
    (tmp_path / "b.csv").write_text("writing_id,annotator,分数,score\ni1:A:0,甲,1,5", "utf-8")
    assert [str(problem) for problem in load(con, tmp_path).problems] == [
        "a.csv:2: sample '0.7' is no whole number",
        "b.csv:1: columns 分数 and score say the same; the sheet is left out",
    ]
    assert [row[0] for row in ratings(con)] == ["i1:B:1"]


def test_a_perturbed_copy_is_rated_by_its_own_id_alone(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text(f"{HEAD}\ni1:A:0:drop:1,甲,,4,,", "utf-8")
    head = "item_id,system,annotator,score"
    (tmp_path / "b.csv").write_text(f"{head}\ni1,A,甲,5", "utf-8")
    assert load(con, tmp_path).problems == []
    assert [(row[0], row[3]) for row in ratings(con)] == [("i1:A:0", 5.0), ("i1:A:0:drop:1", 4.0)]


def test_sheets_that_cannot_be_read_are_named(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    (tmp_path / "good.csv").write_text("\n".join([HEAD, *GOOD]), "utf-8")
    (tmp_path / "broken.xlsx").write_bytes(b"PK but no workbook")
    (tmp_path / "other.csv").write_text("name,score\nx,3\n", "utf-8")
    (tmp_path / "~$good.xlsx").write_bytes(b"lock")
    summary = load(con, tmp_path)
    assert summary.n_rating == 4
    assert [problem.file for problem in summary.problems] == ["broken.xlsx", "other.csv"]
    assert "no column annotator, writing_id (or item_id and system)" in summary.problems[1].what


def test_the_fault_of_a_lone_sheet_is_named(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("writing_id,annotator,score,score\ni1:A:0,甲,4,5", "utf-8")
    (tmp_path / "b.csv").write_text(f'{HEAD}\ni1:A:0,"甲,,4,,', "utf-8")
    with pytest.raises(
        DataError, match=r"a\.csv:1: column score stands there twice; .*b\.csv: not"
    ):
        load(con, tmp_path)


def test_the_benchmark_must_be_there(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("\n".join([HEAD, *GOOD]), "utf-8")
    with pytest.raises(DataError, match="x: the database has items of t; name one"):
        import_folder(con, tmp_path, "x", uuid4())
    fill(con, "corpus.item", [{"benchmark": "u", "item_id": "i1", "task": "open",
                               "genre": "prose", "lang": "zh"}])  # fmt: skip
    with pytest.raises(DataError, match="no benchmark named: the database has items of t, u"):
        import_folder(con, tmp_path, None, uuid4())
    assert load(con, tmp_path, "t").n_rating == 4
