"""Import of metric values computed elsewhere: three kinds of files, strict, idempotent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from towbench.ingest.metrics_file import MetricSummary, import_metrics, is_metrics
from towbench.tests.cases_loader import Row, fill, open_tables

ITEM = {"task": "open", "genre": "prose", "lang": "zh", "status": "accepted"}
WRITINGS: list[Row] = [
    {"benchmark": "t", "writing_id": "i1:A:0", "item_id": "i1", "system": "A"},
    {"benchmark": "t", "writing_id": "i1:A:1", "item_id": "i1", "system": "A", "sample": "1"},
    {
        "benchmark": "t", "writing_id": "i1:A:0:drop", "item_id": "i1", "system": "A",
        "perturbation": "drop",
    },
    {"benchmark": "t", "writing_id": "i1:B:0", "item_id": "i1", "system": "B"},
]  # fmt: skip
HEAD = "item_id,system,metric,score"
GOOD = f"{HEAD}\ni1,A,bertscore,0.5\ni1,B,bertscore,-0.25\n"


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    con = open_tables()
    yield con
    con.close()


@pytest.fixture
def con(tables: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    for table in ("raw.record", "corpus.item", "corpus.writing", "judge.metric_score"):
        tables.execute(f"DELETE FROM {table}")
    fill(tables, "corpus.item", [ITEM | {"benchmark": "t", "item_id": "i1"}])
    fill(tables, "corpus.writing", WRITINGS)
    return tables


def load(
    con: duckdb.DuckDBPyConnection, path: Path, text: str | bytes, benchmark: str = "t"
) -> MetricSummary:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return import_metrics(con, path, benchmark, uuid4())


def values(con: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    return list(
        con.execute(
            "SELECT writing_id, metric, reference_mode, score FROM judge.metric_score ORDER BY ALL"
        ).fetchall()
    )


EXPECTED = [("i1:A:0", "bertscore", "human", 0.5), ("i1:B:0", "bertscore", "human", -0.25)]


def test_the_three_kinds_of_files_say_the_same(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    rows = [
        {"item_id": "i1", "system": "A", "writing_id": None, "metric": "bertscore", "score": 0.5},
        {"writing_id": "i1:B:0", "metric": "bertscore", "score": -0.25, "reference_mode": None},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "m.parquet")
    lines = "\n".join(map(json.dumps, rows)) + "\n"
    files = {
        "m.csv": GOOD.encode(), "bom.csv": b"\xef\xbb\xbf" + GOOD.encode(),
        "m.jsonl": lines.encode(), "m.parquet": (tmp_path / "m.parquet").read_bytes(),
    }  # fmt: skip
    for name, content in files.items():
        con.execute("DELETE FROM judge.metric_score")
        summary = load(con, tmp_path / name, content)
        assert (summary.problems, summary.n_value) == ([], 2), name
        assert values(con) == EXPECTED, name
        assert is_metrics(tmp_path / name)


def test_a_value_without_provenance_of_ours_is_ok_and_a_method(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    load(con, tmp_path / "m.csv", GOOD)
    assert con.execute(
        "SELECT DISTINCT CAST(status AS VARCHAR), reason, input_hash, metric_version"
        " FROM judge.metric_score"
    ).fetchall() == [("ok", None, None, None)]
    assert con.execute("SELECT method, score FROM bench.method_score_v1 ORDER BY 2").fetchall() == [
        ("metric|bertscore|human", -0.25), ("metric|bertscore|human", 0.5),
    ]  # fmt: skip


def test_a_second_import_changes_nothing_and_a_new_value_replaces(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    path = tmp_path / "m.csv"
    assert load(con, path, GOOD).n_changed == 4
    assert load(con, path, GOOD).n_changed == 0
    # The changed line: its value, its record, and the record that it supersedes.
    assert load(con, path, GOOD.replace("0.5", "0.75")).n_changed == 3
    assert values(con) == [("i1:A:0", "bertscore", "human", 0.75), EXPECTED[1]]
    statuses = con.execute(
        "SELECT status, count(*) FROM raw.record GROUP BY ALL ORDER BY 1"
    ).fetchall()
    assert statuses == [("ok", 2), ("superseded", 1)]


def test_another_reference_mode_is_another_value(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    text = "writing_id,metric,score,reference_mode\n" + "".join(
        f"i1:A:0,m,{n},{mode}\n" for n, mode in enumerate(("", "human", "none", "system:B"))
    )
    summary = load(con, tmp_path / "m.csv", text)
    assert [(one.line, one.what) for one in summary.problems] == [
        (3, "a second value for i1:A:0, m, human")
    ]
    assert [row[2:] for row in values(con)] == [("human", 0), ("none", 2), ("system:B", 3)]


def test_a_sample_names_its_own_text(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    rows = "i1,A,m,0.5,\ni1,A,m,0.7,1\ni1,A,m,0.9,2\n"
    summary = load(con, tmp_path / "m.csv", f"{HEAD},sample\n{rows}")
    assert [(one.line, one.what) for one in summary.problems] == [
        (4, "t has no text of 'A' for item 'i1', sample 2")
    ]
    assert [(row[0], row[3]) for row in values(con)] == [("i1:A:0", 0.5), ("i1:A:1", 0.7)]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("i1,A,m,good", "score 'good' is not a finite number"),
        ("i1,A,m,", "score '' is not a finite number"),
        ("i1,A,m,nan", "score 'nan' is not a finite number"),
        ("i1,A,m,-inf", "score '-inf' is not a finite number"),
        ("i1,A,m,1e999", "score '1e999' is not a finite number"),
        ("i1,A,,1", "metric '' is empty"),
        ("i1,A,a|b,1", "holds a character no id may have"),
        ("i1,A,bleu_1,1", "metric 'bleu_1' is computed here"),
        ("i1,A,similarity:x/y,1", "is computed here"),
        ("i1,C,m,1", "t has no text of 'C' for item 'i1'"),
        ("i2,A,m,1", "t has no text of 'A' for item 'i2'"),
        (",A,m,1", "names no writing"),
        ("i1,A,m", "not 4 cells in UTF-8"),
        ('i1,A,"m,1', "not 4 cells in UTF-8"),
        ("i1,A,bertscore,0.5", "a second copy of the same line"),
        ("i1,A,bertscore,0.6", "a second value for i1:A:0, bertscore, human"),
    ],
)
def test_a_bad_line_is_reported_by_number_and_the_rest_goes_in(
    line: str, fault: str, con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    summary = load(con, tmp_path / "m.csv", f"{GOOD}{line}\n")
    (problem,) = summary.problems
    assert (problem.file, problem.line) == ("m.csv", 4)
    assert fault in problem.what
    assert values(con) == EXPECTED
    bad = con.execute("SELECT line FROM raw.record WHERE status = 'malformed'").fetchall()
    assert bad == ([] if "second copy" in fault else [(4,)])


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"writing_id": "i1:X:0", "metric": "m", "score": 1}', "t has no writing 'i1:X:0'"),
        ('{"writing_id": "i1:A:0", "metric": "m"}', "lacks score"),
        ('{"writing_id": "i1:A:0", "metric": "m", "score": true}', "score 'True'"),
        ('{"writing_id": "i1:A:0", "metric": "m", "score": null}', "score ''"),
        ('{"writing_id": "i1:A:0", "metric": "m", "score": NaN}', "score 'nan'"),
        ('{"writing_id": "i1:A:0", "metric": "m", "score": 1, "reference_mode": "humn"}', "'humn'"),
        ("[1, 2]", "no JSON object"),
        ('{"writing_id": ', "no JSON object"),
    ],
)
def test_a_bad_json_line_is_reported_by_number(
    line: str, fault: str, con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    good = '{"writing_id": "i1:A:0", "metric": "m", "score": 1}'
    summary = load(con, tmp_path / "m.jsonl", f"{good}\n\n{line}\n")
    (problem,) = summary.problems
    assert problem.line == 3 and fault in problem.what
    assert values(con) == [("i1:A:0", "m", "human", 1)]


def test_a_line_says_its_benchmark_where_there_are_several(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    fill(con, "corpus.item", [ITEM | {"benchmark": "u", "item_id": "i1"}])
    fill(con, "corpus.writing", [dict(row) | {"benchmark": "u"} for row in WRITINGS])
    text = (
        "benchmark,writing_id,metric,score\nt,i1:A:0,m,1\nu,i1:A:0,m,2\n,i1:A:0,n,3\nv,i1:A:0,m,4\n"
    )
    summary = load(con, tmp_path / "m.csv", text, "u")
    assert summary.benchmark == "t, u"
    assert [(one.line, one.what) for one in summary.problems] == [
        (5, "benchmark 'v' has no writing here")
    ]
    assert con.execute("SELECT benchmark, metric, score FROM judge.metric_score ORDER BY ALL").fetchall() == [
        ("t", "m", 1), ("u", "m", 2), ("u", "n", 3),
    ]  # fmt: skip


def test_what_is_no_file_of_metrics_is_told_apart(tmp_path: Path) -> None:
    files = {
        "a.csv": "writing_id,annotator,score\nx,y,1\n",
        "b.csv": "",
        "c.jsonl": '{"infer_id": "x"}\n',
        "d.jsonl": "\n",
        "e.parquet": "no parquet",
        "f.txt": GOOD,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        assert not is_metrics(tmp_path / name), name
    assert not is_metrics(tmp_path)
    assert not is_metrics(tmp_path / "nothing.csv")


def test_every_file_of_a_folder_is_read(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(GOOD)
    (tmp_path / "b.jsonl").write_text('{"writing_id": "i1:A:0", "metric": "m", "score": 1}\n')
    (tmp_path / "c.csv").write_text("x,y\n1,2\n")
    assert is_metrics(tmp_path)
    summary = import_metrics(con, tmp_path, "t", uuid4())
    assert summary.n_value == 3
    assert [(one.file, one.what) for one in summary.problems] == [
        ("c.csv", "not read: it lacks metric or score")
    ]


def test_a_benchmark_without_writings_is_named(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    con.execute("DELETE FROM corpus.writing")
    summary = load(con, tmp_path / "m.csv", GOOD)
    assert [one.what for one in summary.problems] == ["benchmark 't' has no writing here"] * 2
    assert values(con) == []
