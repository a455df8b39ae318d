"""Import of released items and outputs: both layouts, resumable, every bad line a row."""

import hashlib
import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import duckdb
import pytest

from towbench.ingest.howtobench import ImportSummary, import_howtobench
from towbench.schemas.database import open_database
from towbench.schemas.errors import DataError
from towbench.tests.import_items import import_items


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    path = tmp_path_factory.mktemp("db") / "t.duckdb"
    with open_database(path, None) as connection:
        connection.execute(
            "INSERT INTO corpus.genre_label VALUES "
            "('议论文', 'howtobench', 'argumentative', 'argumentative'), "
            "('诗歌', 'classifier', 'prose', 'prose')"
        )
        yield connection


@pytest.fixture
def con(database: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    macro = files("towbench") / "sql" / "macros" / "judged_instruction_v1.sql"
    database.execute(macro.read_text("utf-8"))
    for table in ("raw.record", "corpus.item", "corpus.writing"):
        database.execute(f"DELETE FROM {table}")
    return database


def item(item_id: str = "infer_1", **fields: Any) -> dict[str, Any]:
    return {
        "infer_id": item_id, "bench_id": "b_1", "task_type": "guide", "sub_task": "议论文",
        "basic_instruction": "写一篇文章", "information": "要点", "reference": "人写的文章。",
    } | fields  # fmt: skip


def output(
    item_id: str = "infer_1", text: object = "模型写的文章。", model: str = "m"
) -> dict[str, Any]:
    return {"infer_id": item_id, "model": model, "output": text}


def write(path: Path, *lines: dict[str, Any] | str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = [
        line if isinstance(line, bytes) else
        (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]  # fmt: skip
    path.write_bytes(b"\n".join(raw) + b"\n")


def run(con: duckdb.DuckDBPyConnection, folder: Path, run_id: UUID | None = None) -> ImportSummary:
    return import_howtobench(con, folder, "howtobench", run_id or uuid4())


def rows(con: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return con.execute(sql).fetchall()


def dump(con: duckdb.DuckDBPyConnection) -> list[list[tuple[Any, ...]]]:
    tables = ("raw.record", "corpus.item", "corpus.writing")
    return [rows(con, f"SELECT * FROM {table} ORDER BY ALL") for table in tables]


def test_aligned_layout(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    data = tmp_path / "data"
    write(data / "guide" / "aligned.jsonl", item())
    write(data / "guide" / "inferences" / "m.jsonl", output())
    run_id = uuid4()

    summary = run(con, data, run_id)

    assert (summary.n_item, summary.n_writing, summary.problems) == (1, 1, [])
    assert str(summary) == "howtobench: 1 items, 1 writings (1 ok), 0 problems; 4 rows changed"
    assert rows(
        con,
        "SELECT item_id, task, genre, sub_task, lang, instruction, grounding, reference, status, "
        "instruction_hash, reference_hash, run_id FROM corpus.item",
    ) == [
        ("infer_1", "guide", "argumentative", "议论文", "zh", "写一篇文章", "要点", "人写的文章。",
         "accepted", sha256("写一篇文章\n\n要点"), sha256("人写的文章。"), run_id)
    ]  # fmt: skip
    assert rows(
        con,
        "SELECT writing_id, item_id, system, sample, text, judged_text, perturbation, status, "
        "has_damage, has_thought, text_hash FROM corpus.writing",
    ) == [
        ("infer_1:m:0", "infer_1", "m", 0, "模型写的文章。", "模型写的文章。", None, "ok",
         False, False, sha256("模型写的文章。"))
    ]  # fmt: skip
    assert rows(con, "SELECT file, line, kind, status FROM raw.record ORDER BY file") == [
        ("guide/aligned.jsonl", 1, "item", "ok"),
        ("guide/inferences/m.jsonl", 1, "writing", "ok"),
    ]


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "infers", [{"m": "文", "n": ""}, [{"model": "m", "output": "文"}, {"model": "n", "output": ""}]]
)
def test_older_layout(con: duckdb.DuckDBPyConnection, tmp_path: Path, infers: object) -> None:
    write(tmp_path / "data" / "open" / "data.jsonl", item(task_type="open", infers=infers))
    run(con, tmp_path / "data")
    assert rows(con, "SELECT system, text, status FROM corpus.writing ORDER BY system") == [
        ("m", "文", "ok"),
        ("n", "", "no_text"),
    ]


def test_a_task_folder_alone_gives_the_same_rows(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    write(tmp_path / "data" / "guide" / "aligned.jsonl", item())
    assert run(con, tmp_path / "data" / "guide").n_changed == 2
    assert run(con, tmp_path / "data").n_changed == 0


def test_aligned_wins_over_the_older_form(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    write(tmp_path / "guide" / "aligned.jsonl", item(reference="aligned"))
    write(tmp_path / "guide" / "inferences" / "m.jsonl", output(text="aligned"))
    write(tmp_path / "guide" / "data.jsonl", item(reference="older", infers={"m": "older"}))
    summary = run(con, tmp_path)
    assert rows(con, "SELECT reference FROM corpus.item") == [("aligned",)]
    assert rows(con, "SELECT text FROM corpus.writing") == [("aligned",)]
    assert [str(problem) for problem in summary.problems] == [
        "guide/data.jsonl: not read: aligned.jsonl lies beside it"
    ]


def test_importing_twice_changes_nothing(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    write(tmp_path / "d" / "guide" / "aligned.jsonl", item(), item("infer_2"), "{broken")
    write(tmp_path / "d" / "guide" / "inferences" / "m.jsonl", output(), output("infer_9"))
    first = run(con, tmp_path / "d")
    before = dump(con)
    second = run(con, tmp_path / "d")
    assert dump(con) == before
    assert second.n_changed == 0
    assert second.problems == first.problems != []


def test_a_changed_line_replaces_its_row_and_supersedes_the_record(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    items, outputs = (
        tmp_path / "guide" / "aligned.jsonl",
        tmp_path / "guide" / "inferences" / "m.jsonl",
    )
    write(items, item(), item("infer_2"))
    write(outputs, output(), output("infer_2"))
    run(con, tmp_path)
    kept = rows(con, "SELECT * FROM corpus.item WHERE item_id = 'infer_2'")
    write(items, item(reference="改过的文章。"), item("infer_2"))
    write(outputs, output(text=""), output("infer_2"))

    assert run(con, tmp_path).n_changed == 6

    assert rows(
        con, "SELECT reference, reference_hash FROM corpus.item WHERE item_id = 'infer_1'"
    ) == [("改过的文章。", sha256("改过的文章。"))]
    assert rows(con, "SELECT text, status FROM corpus.writing WHERE item_id = 'infer_1'") == [
        ("", "no_text")
    ]
    assert rows(con, "SELECT * FROM corpus.item WHERE item_id = 'infer_2'") == kept
    assert rows(con, "SELECT status, count(*) FROM raw.record GROUP BY ALL ORDER BY ALL") == [
        ("ok", 4), ("superseded", 2),
    ]  # fmt: skip
    # Back to the first bytes: the old records count again.
    write(items, item(), item("infer_2"))
    write(outputs, output(), output("infer_2"))
    run(con, tmp_path)
    assert rows(con, "SELECT reference FROM corpus.item WHERE item_id = 'infer_1'") == [
        ("人写的文章。",)
    ]


def test_a_withdrawn_row_stays_withdrawn(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    write(tmp_path / "guide" / "aligned.jsonl", item())
    write(tmp_path / "guide" / "inferences" / "m.jsonl", output())
    run(con, tmp_path)
    con.execute("UPDATE corpus.item SET status = 'withdrawn'")
    con.execute("UPDATE corpus.writing SET status = 'withdrawn'")
    write(tmp_path / "guide" / "aligned.jsonl", item(reference="新"))
    write(tmp_path / "guide" / "inferences" / "m.jsonl", output(text="新"))
    run(con, tmp_path)
    assert rows(con, "SELECT status, reference FROM corpus.item") == [("withdrawn", "新")]
    assert rows(con, "SELECT status, text FROM corpus.writing") == [("withdrawn", "新")]


@pytest.mark.parametrize(
    ("text", "judged", "status", "reason", "damage", "thought"),
    [
        ("", "", "no_text", "empty", False, False),
        (None, "", "no_text", "empty", False, False),
        (" \u3000\n", " \u3000\n", "no_text", "empty", False, False),
        ("好\ufffd文", "好\ufffd文", "damaged", "replacement_character", True, False),
        ("好\ud83d文", "好\ufffd文", "damaged", "lone_surrogate", True, False),
        ("想一想\n</think>\n\n正文", "正文", "ok", None, False, True),
        ("<think>想一想", "", "no_text", "thought_not_closed", False, True),
        ("<think>想</think>", "", "no_text", "empty", False, True),
    ],
)
def test_what_becomes_of_an_output(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, text: str | None, judged: str, status: str,
    reason: str | None, damage: bool, thought: bool,
) -> None:  # fmt: skip
    write(tmp_path / "guide" / "aligned.jsonl", item())
    write(tmp_path / "guide" / "inferences" / "m.jsonl", output(text=text))
    run(con, tmp_path)
    assert rows(
        con, "SELECT judged_text, status, reason, has_damage, has_thought FROM corpus.writing"
    ) == [(judged, status, reason, damage, thought)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"infer_id": "infer_2", ', "not JSON"),
        ("[1, 2]", "a JSON list, not an object"),
        ("[" * 100_000, "not JSON"),
        (b'{"infer_id": "\xd6\xd0"}', "not UTF-8 (byte 14)"),
        ({"infer_id": "infer_2"}, "no field sub_task"),
        (item("infer_2", reference=None), "reference is null"),
        (item("infer_2", reference=5), "reference is a int, not a string"),
        (item("a|b"), "infer_id 'a|b' is empty or holds"),
        (item("infer_2", task_type="poem"), "task_type 'poem' is none of"),
        (item("infer_2", infers="text"), "infers is neither"),
        (item(reference="a second one"), "a second item infer_1"),
    ],
)
def test_a_malformed_item_is_a_record_and_the_rest_goes_on(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, line: Any, reason: str
) -> None:
    write(tmp_path / "guide" / "aligned.jsonl", item(), "", line, item("infer_3"))
    summary = run(con, tmp_path)
    assert rows(con, "SELECT item_id FROM corpus.item ORDER BY ALL") == [("infer_1",), ("infer_3",)]
    [(line_number, stored)] = rows(
        con, "SELECT line, reason FROM raw.record WHERE status = 'malformed'"
    )
    assert line_number == 3
    assert stored.startswith(reason)
    [problem] = summary.problems
    assert str(problem).startswith(f"guide/aligned.jsonl:3: {reason}")


@pytest.mark.parametrize(
    ("line", "status", "reason"),
    [
        (output("infer_9"), "unknown_item", "unknown item infer_9"),
        ({"infer_id": "infer_1"}, "malformed", "no field output"),
        (output(text=["a"]), "malformed", "output is a list, not a string"),
        (output(model="reference"), "malformed", "reference names the human text"),
        (output(text="again"), "malformed", "a second output of m for infer_1"),
    ],
)
def test_a_bad_output_is_a_record_and_the_rest_goes_on(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, line: Any, status: str, reason: str
) -> None:
    write(tmp_path / "guide" / "aligned.jsonl", item())
    write(tmp_path / "guide" / "inferences" / "m.jsonl", output(), line)
    run(con, tmp_path)
    assert rows(con, "SELECT writing_id FROM corpus.writing") == [("infer_1:m:0",)]
    [(stored,)] = rows(con, f"SELECT reason FROM raw.record WHERE status = '{status}'")
    assert stored.startswith(reason)


def test_an_output_finds_its_item_later(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    write(tmp_path / "guide" / "inferences" / "m.jsonl", output())
    run(con, tmp_path)
    assert rows(con, "SELECT status FROM raw.record") == [("unknown_item",)]
    write(tmp_path / "guide" / "aligned.jsonl", item())
    run(con, tmp_path)
    assert rows(con, "SELECT status FROM raw.record GROUP BY ALL") == [("ok",)]
    assert rows(con, "SELECT count(*) FROM corpus.writing") == [(1,)]


def test_an_unknown_label_is_others_and_said_once(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    lines = [
        item(f"infer_{n}", sub_task=label) for n, label in enumerate(["诗歌", "诗歌", "议论文"])
    ]
    write(tmp_path / "guide" / "aligned.jsonl", *lines)
    summary = run(con, tmp_path)
    assert rows(con, "SELECT genre FROM corpus.item ORDER BY item_id") == [
        ("others",), ("others",), ("argumentative",),
    ]  # fmt: skip
    assert [problem.what for problem in summary.problems] == [
        "unknown genre label '诗歌' (2 items): genre others"
    ]


def test_a_completion_item_without_a_mark_is_kept_and_reported(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    marked = item("infer_2", task_type="completion", information="a [fill in the blank] b")
    write(tmp_path / "completion" / "aligned.jsonl", item(task_type="completion"), marked)
    summary = run(con, tmp_path)
    assert summary.n_item == 2
    assert [(problem.line, problem.what) for problem in summary.problems] == [
        (1, "infer_1: a completion item without the mark [fill in the blank]")
    ]


def test_bom_and_carriage_returns_are_no_fault(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    path = tmp_path / "guide" / "aligned.jsonl"
    write(path, item(), item("infer_2"))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert run(con, tmp_path).problems == []
    assert rows(con, "SELECT count(*) FROM corpus.item") == [(2,)]


def test_a_failure_while_writing_leaves_nothing_behind(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    write(tmp_path / "guide" / "aligned.jsonl", item())
    con.execute("DROP MACRO judged_instruction_v1")
    with pytest.raises(duckdb.Error):
        run(con, tmp_path)
    assert rows(con, "SELECT count(*) FROM raw.record") == [(0,)]


def test_detect_names_the_benchmark(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    write(tmp_path / "guide" / "aligned.jsonl", item())
    assert import_items(con, tmp_path, None, uuid4()).benchmark == "howtobench"
    assert import_items(con, tmp_path, "mine", uuid4()).benchmark == "mine"
    assert rows(con, "SELECT benchmark FROM corpus.item ORDER BY ALL") == [
        ("howtobench",),
        ("mine",),
    ]


def test_detect_says_what_it_found_and_what_it_expected(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match="nothing where a folder was expected"):
        import_items(con, tmp_path / "absent", None, uuid4())
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(DataError, match="a file where a folder was expected"):
        import_items(con, tmp_path / "notes.txt", None, uuid4())
    with pytest.raises(DataError, match=r"it holds notes\.txt \(howtobench: <task>/aligned"):
        import_items(con, tmp_path, None, uuid4())
