"""Texts written elsewhere: good lines go in, the others are named; twice changes nothing."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import pytest

from towbench.ingest.detect import import_folder
from towbench.schemas.database import open_database
from towbench.schemas.errors import DataError
from towbench.tests.template import fresh_database


@pytest.fixture
def con(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_database(fresh_database(tmp_path / "t.duckdb"), None) as opened:
        for item in ("i1", "i2"):
            opened.execute(
                "INSERT INTO corpus.item (benchmark, item_id, task, genre, lang, instruction, "
                "instruction_hash, reference_hash, run_id) "
                "VALUES ('b', ?, 'open', 'poem', 'zh', '写', 'h', 'r', ?)",
                [item, uuid4()],
            )
        yield opened


def folder(tmp_path: Path, **files: str | list[dict[str, Any]]) -> Path:
    made = tmp_path / "outputs"
    made.mkdir(exist_ok=True)
    for name, content in files.items():
        path = made / name.replace("__", ".")
        if isinstance(content, list):
            content = "\n".join(json.dumps(line, ensure_ascii=False) for line in content)
        path.write_bytes(content.encode("utf-8", "surrogatepass"))
    return made


def load(con: duckdb.DuckDBPyConnection, path: Path) -> list[str]:
    return [str(problem) for problem in import_folder(con, path, None, uuid4()).problems]


def writings(con: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    return con.execute(
        "SELECT writing_id, sample, text, judged_text, status, reason FROM corpus.writing "
        "ORDER BY ALL"
    ).fetchall()


def line(item: str, text: object, system: str = "lab/m", **more: Any) -> dict[str, Any]:
    return {"item_id": item, "system": system, "text": text, **more}


def test_jsonl_goes_in_with_samples_thoughts_and_empty_texts(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    made = folder(
        tmp_path,
        a__jsonl=[
            line("i1", "渡口。\n\n船。", temperature=0.7),
            line("i1", "<think>怎么写</think>另一篇", sample=1),
            line("i2", None),
        ],
    )
    assert load(con, made) == []
    assert writings(con) == [
        ("i1:lab/m:0", 0, "渡口。\n\n船。", "渡口。\n\n船。", "ok", None),
        ("i1:lab/m:1", 1, "<think>怎么写</think>另一篇", "另一篇", "ok", None),
        ("i2:lab/m:0", 0, "", "", "no_text", "empty"),
    ]


def test_csv_says_the_same_with_the_text_as_it_stands(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    made = folder(
        tmp_path,
        a__csv='\ufeffitem_id,system,sample,text\r\ni1,lab/m,,"  渡口，\n""船""\n "\r\ni1,lab/m,2,=B\r\n',
    )
    assert load(con, made) == []
    assert [row[:4] for row in writings(con)] == [
        ("i1:lab/m:0", 0, '  渡口，\n"船"\n ', '  渡口，\n"船"\n '),
        ("i1:lab/m:2", 2, "=B", "=B"),
    ]


def test_twice_changes_nothing_and_an_edited_line_replaces_its_text(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    made = folder(tmp_path, a__jsonl=[line("i1", "一"), line("i2", "二")])
    load(con, made)
    before = con.execute("SELECT * FROM corpus.writing ORDER BY ALL").fetchall()
    assert import_folder(con, made, None, uuid4()).n_changed == 0  # type: ignore[attr-defined]
    assert con.execute("SELECT * FROM corpus.writing ORDER BY ALL").fetchall() == before
    load(con, folder(tmp_path, a__jsonl=[line("i1", "一"), line("i2", "新")]))
    assert [row[2] for row in writings(con)] == ["一", "新"]
    assert con.execute(
        "SELECT status, count(*) FROM raw.record GROUP BY 1 ORDER BY 1"
    ).fetchall() == [
        ("ok", 2),
        ("superseded", 1),
    ]


def test_a_text_that_replaces_one_of_another_file_is_told(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    load(con, folder(tmp_path, a__jsonl=[line("i1", "一"), line("i2", "二")]))
    (tmp_path / "outputs" / "a.jsonl").unlink()
    made = folder(tmp_path, b__jsonl=[line("i1", "新")])
    assert load(con, made) == ["b.jsonl: 1 texts replace those that came from a.jsonl"]
    assert load(con, made) == []
    assert [row[2] for row in writings(con)] == ["新", "二"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_csv_is_read_as_spreadsheets_save_it(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, encoding: str
) -> None:
    made = folder(tmp_path)
    (made / "a.csv").write_bytes('item_id,system,text\r\ni1,m,"河水\r\n涨了"'.encode(encoding))
    assert load(con, made) == []
    assert [row[2] for row in writings(con)] == ["河水\r\n涨了"]


def test_bad_lines_are_named_and_kept_and_the_others_go_in(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    con.execute(
        "INSERT INTO corpus.writing (benchmark, writing_id, item_id, system, text, judged_text, "
        "status, text_hash, run_id) VALUES ('b', 'i2:lab/here:0', 'i2', 'lab/here', 'x', 'x', 'ok', "
        "'h', ?)",
        [uuid4()],
    )
    good = json.dumps(line("i1", "好"), ensure_ascii=False)
    bad = [
        "not json",
        '{"item_id": "i1", "system": "lab/m"}',
        json.dumps(line("i9", "x")),
        json.dumps(line("i1", "again")),
        json.dumps(line("i1", "x", system="a|b")),
        json.dumps(line("i1", "x", system="reference")),
        json.dumps(line("i1", "x", system="embedded/rules-1")),
        json.dumps(line("i1", "x", sample=-1)),
        json.dumps(line("i1", "x", sample=1.5)),
        json.dumps(line("i1", 7, system="n")),
        json.dumps(line("i2", "x", system="lab/here")),
        good,
    ]
    made = folder(tmp_path, a__jsonl="\n\n".join([good, *bad]), b__csv="item_id,score\ni1,4\n")
    problems = load(con, made)
    wanted = [
        "not JSON", "no field text", "unknown item i9", "a second text of lab/m for i1, sample 0",
        "'a|b' is empty or holds", "cannot be a model", "are of the offline models", "sample -1",
        "sample 1.5", "is a int, not a string", "was written here", "a second copy",
    ]  # fmt: skip
    assert len(problems) == len(wanted) + 1
    for number, (said, want) in enumerate(zip(problems, wanted, strict=False), 1):
        assert said.startswith(f"a.jsonl:{1 + 2 * number}: ") and want in said
    assert problems[-1].startswith("b.csv: not read")
    assert [row[0] for row in writings(con)] == ["i1:lab/m:0", "i2:lab/here:0"]
    statuses = "SELECT status, count(*) FROM raw.record GROUP BY 1 ORDER BY 1"
    assert con.execute(statuses).fetchall() == [("malformed", 10), ("ok", 1), ("unknown_item", 1)]


@pytest.mark.parametrize(
    ("content", "line_number", "said"),
    [
        ('item_id,system,text\ni1,m,"a\nb"\ni1,m\n', 4, "2 cells, not 3"),
        ('item_id,system,text\ni1,m,a\ni1,n,"open', 3, "not a csv from here on"),
    ],
)
def test_a_broken_csv_names_the_line(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, content: str, line_number: int, said: str
) -> None:
    (problem,) = load(con, folder(tmp_path, a__csv=content))
    assert problem.startswith(f"a.csv:{line_number}: ") and said in problem
    assert len(writings(con)) == 1


def test_without_its_benchmark_nothing_is_loaded(tmp_path: Path) -> None:
    made = folder(tmp_path, a__jsonl=[line("i1", "一")])
    with (
        open_database(fresh_database(tmp_path / "e.duckdb"), None) as empty,
        pytest.raises(DataError, match="the database has items of none"),
    ):
        import_folder(empty, made, None, uuid4())
