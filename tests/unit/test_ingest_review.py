"""Review sheets out and back: every form, every fault, and what settled reviews do to items."""

from __future__ import annotations

import csv
import json
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pytest
from openpyxl import load_workbook

from towbench.ingest import review_json, review_sheet
from towbench.ingest.review import DECISIONS, LETTERS, SHOWN, Task
from towbench.ingest.review_import import ReviewSummary, import_files, read_file, undo
from towbench.ingest.review_task import open_round, open_splits, read_tasks
from towbench.schemas.definitions import sql_files
from towbench.schemas.errors import DataError, UsageError
from towbench.tests.cases_loader import fill, open_tables

RUN = uuid.UUID(int=1)
NOW = datetime(2026, 1, 2, 3, 4, 5)
SYSTEMS = ("m/one", "m/three", "m/two")
LONG = "长" * 40_000 + "😀" * 20_000
RISKY = '=HYPERLINK("http://x.invalid","y")'
APPLY = next(f.read_text("utf-8") for f in sql_files("steps") if f.name.startswith("44_"))


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    con = open_tables()
    con.execute("ATTACH ':memory:' AS pending")
    con.execute("CREATE TABLE pending.run AS SELECT CAST(? AS UUID) AS run_id", [str(RUN)])
    fill(con, "run.run", [{"run_id": str(RUN), "started_at": "2026-01-02"}])
    fill(
        con,
        "corpus.item",
        [
            {
                "benchmark": "b", "item_id": f"i{n}", "task": "guide", "genre": "prose",
                "lang": "zh", "instruction": f"写第{n}篇", "grounding": grounding,
                "reference": f"第{n}篇的原文。", "instruction_hash": "x", "reference_hash": "x",
            }
            for n, grounding in enumerate([RISKY, LONG, "'=1", "一\r\n二\x07"], 1)
        ],
    )  # fmt: skip
    fill(
        con,
        "corpus.writing",
        [
            {
                "benchmark": "b", "writing_id": f"i{n}:{system}:0", "item_id": f"i{n}",
                "system": system, "judged_text": f"{system}写的第{n}篇", "status": "ok",
            }
            for n in (1, 2, 3, 4)
            for system in (*SYSTEMS, "m/zero")
            if (n, system) not in ((4, "m/two"), (3, "m/zero"))
        ],
    )  # fmt: skip
    con.execute(
        "UPDATE corpus.item SET reference_hash = sha256(reference), "
        "instruction_hash = sha256(judged_instruction_v1(instruction, grounding))"
    )
    yield con
    con.close()


@pytest.fixture
def con(tables: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    yield tables
    for table in ("review", "review_task", "review_candidate", "review_round"):
        tables.execute(f"DELETE FROM corpus.{table}")
    # Without reviews every item is what it was.
    if tables.execute("SELECT 1 FROM corpus.item_history LIMIT 1").fetchall():
        apply(tables)
        tables.execute("DELETE FROM corpus.item_history")


def apply(con: duckdb.DuckDBPyConnection) -> None:
    for statement in duckdb.extract_statements(APPLY):
        con.execute(statement)


def opened(con: duckdb.DuckDBPyConnection, kind: str, number: int = 1, seed: int = 7) -> list[Task]:
    open_round(con, "b", kind, number, seed, RUN, systems=SYSTEMS if kind == "picks" else ())
    return read_tasks(con, "b", kind, number)


Answer = dict[str, str]
Write = Callable[[str, list[tuple[Task, Answer]]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a csv as a reviewer would hand it in."""

    def write(name: str, rows: list[tuple[Task, Answer]]) -> Path:
        kind = "picks" if "A" in rows[0][0] else "items"
        path = tmp_path / name
        review_sheet.write_csv(path, kind, [task for task, _ in rows])
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = list(csv.DictReader(file))
        for line, (_, answer) in zip(lines, rows, strict=True):
            line.update(answer)
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.DictWriter(file, list(lines[0]))
            writer.writeheader()
            writer.writerows(lines)
        return path

    return write


def take(con: duckdb.DuckDBPyConnection, *paths: Path) -> ReviewSummary:
    summary = import_files(con, paths, RUN, NOW)
    apply(con)
    return summary


def item(con: duckdb.DuckDBPyConnection, item_id: str, *columns: str) -> tuple[object, ...]:
    [row] = con.execute(
        f"SELECT {', '.join(columns)} FROM corpus.item WHERE item_id = ?", [item_id]
    ).fetchall()
    return tuple(row)


def source(con: duckdb.DuckDBPyConnection, item_id: str, wanted: str) -> str:
    """The letter behind which a source hides."""
    [(letter,)] = con.execute(
        "SELECT letter FROM corpus.review_candidate WHERE item_id = ? AND source = ?",
        [item_id, wanted],
    ).fetchall()
    return str(letter)


# --- sheets ---


@pytest.mark.parametrize("form", ["xlsx", "csv", "labelstudio", "argilla"])
@pytest.mark.parametrize("kind", ["items", "picks"])
def test_a_sheet_read_back_shows_what_was_written(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, form: str, kind: str
) -> None:
    tasks = opened(con, kind)
    path = tmp_path / f"sheet.{form if form in ('xlsx', 'csv') else 'json'}"
    module = review_sheet if form in ("xlsx", "csv") else review_json
    assert all(file.is_file() for file in module.save(path, form, kind, tasks))
    entries = list(read_file(path))
    assert len(entries) == len(tasks)
    for entry, task in zip(entries, tasks, strict=True):
        for name in SHOWN[kind]:
            assert entry.values[name] == task[name].replace("\r\n", "\n").replace("\x07", "\ufffd")
    summary = import_files(con, [path], RUN, NOW)
    assert summary.problems == []
    assert summary.n_empty == len(tasks)


def test_no_cell_of_a_workbook_is_a_formula_or_too_long(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    path = tmp_path / "a.xlsx"
    review_sheet.write_xlsx(path, "items", opened(con, "items"))
    cells = [cell for row in load_workbook(path)["tasks"].iter_rows() for cell in row]
    assert {cell.data_type for cell in cells if cell.value is not None} == {"s"}
    assert all(len(str(cell.value or "").encode("utf-16-le")) // 2 <= 32_767 for cell in cells)
    (risky,) = [cell for cell in cells if cell.value == RISKY]
    assert risky.quotePrefix


def test_no_cell_of_a_csv_starts_like_a_formula(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    path = tmp_path / "a.csv"
    review_sheet.write_csv(path, "items", opened(con, "items"))
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    with path.open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert "'" + RISKY in cells
    assert not [cell for cell in cells if cell.lstrip()[:1] in tuple("=+-@＝＋－＠") and cell]
    assert max(len(cell.encode("utf-16-le")) // 2 for cell in cells) <= 32_767


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_csv_saved_by_any_spreadsheet_is_read(
    con: duckdb.DuckDBPyConnection, write: Write, encoding: str, delimiter: str
) -> None:
    tasks = opened(con, "items")
    path = write("a.csv", [(task, {"reviewer": "王", "decision": "接受"}) for task in tasks])
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.reader(file))
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\r\n").writerows(lines)
    summary = take(con, path)
    assert (summary.n_new, summary.problems) == (4, [])


def test_an_answered_workbook_goes_in_with_its_rows(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    path = tmp_path / "a.xlsx"
    review_sheet.write_xlsx(path, "items", opened(con, "items"))
    book = load_workbook(path)
    sheet = book["tasks"]
    at = {cell.value: place for place, cell in enumerate(sheet[1], 1)}
    for row in range(2, 6):
        sheet.cell(row, at["reviewer"]).value = "王"
        sheet.cell(row, at["decision"]).value = "reject" if row == 3 else "accept"
    book.save(path)
    summary = take(con, path)
    assert summary.n_new == 3
    assert [str(problem) for problem in summary.problems] == [
        "a.xlsx:3: no reason: instruction, grounding, reference, genre"
    ]
    rows = con.execute(
        "SELECT file, row, reviewer, reviewed_at FROM corpus.review ORDER BY row"
    ).fetchall()
    assert rows == [("a.xlsx", row, "王", NOW) for row in (2, 4, 5)]


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.xlsx", b"no workbook"),
        ("a.csv", b"\xff\x00\xff"),
        ("a.csv", b'item_id,x\r\n"never closed'),
        ("a.csv", b"x,x\n1,2\n"),
        ("a.json", b"{"),
        ("a.json", b'{"data": 1}'),
        ("a.json", b"[1]"),
        ("a.doc", b""),
    ],
)
def test_an_unreadable_file_is_named_and_others_go_in(
    con: duckdb.DuckDBPyConnection, write: Write, tmp_path: Path, name: str, body: bytes
) -> None:
    good = write("good.csv", [(opened(con, "items")[0], {"reviewer": "王", "decision": "accept"})])
    (tmp_path / name).write_bytes(body)
    summary = take(con, tmp_path / name, good)
    assert summary.n_new == 1
    assert [problem.file for problem in summary.problems] == [name]


def test_label_studio_answers_go_in(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    tasks = opened(con, "items")
    path = tmp_path / "export.json"
    review_json.save(path, "labelstudio", "items", tasks)
    rows = json.loads(path.read_text("utf-8"))
    config = ElementTree.parse(tmp_path / "export.label_config.xml")
    names = {element.get("name") for element in config.iter() if element.get("toName")}
    assert {"decision", "reason", "comment", "new_reference"} <= names
    rows[0]["annotations"] = [
        {
            "completed_by": {"id": 3, "email": "w@x.invalid"},
            "updated_at": "2026-05-01T10:00:00.5+08:00",
            "result": [
                {"from_name": "decision", "type": "choices", "value": {"choices": ["revise"]}},
                {"from_name": "new_reference", "type": "textarea", "value": {"text": ["新文。"]}},
            ],
        },
        {"completed_by": 4, "was_cancelled": True, "result": []},
    ]
    path.write_text(json.dumps(rows), "utf-8")
    summary = take(con, path)
    assert (summary.n_new, summary.n_empty, summary.problems) == (1, 3, [])
    assert item(con, tasks[0]["item_id"], "reference") == ("新文。",)
    [(reviewer, at)] = con.execute("SELECT reviewer, reviewed_at FROM corpus.review").fetchall()
    assert (reviewer, at) == ("w@x.invalid", datetime(2026, 5, 1, 2, 0, 0, 500_000))


def test_argilla_answers_go_in(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    tasks = opened(con, "picks")
    path = tmp_path / "records.json"
    review_json.save(path, "argilla", "picks", tasks)
    settings = json.loads((tmp_path / "records.settings.json").read_text("utf-8"))
    (decision,) = [q for q in settings["questions"] if q["name"] == "decision"]
    assert [option["value"] for option in decision["settings"]["options"]] == list(LETTERS)
    rows = json.loads(path.read_text("utf-8"))
    rows[0]["responses"] = {
        "decision": [{"value": "A", "user_id": "u1"}, {"value": "B", "user_id": "u2"}],
        "comment": [{"value": "稳", "user_id": "u1"}],
    }
    path.write_text(json.dumps(rows), "utf-8")
    summary = take(con, path)
    assert (summary.n_new, summary.problems) == (2, [])
    assert open_splits(con) == [f"b, picks, round 1: {tasks[0]['item_id']}"]


# --- faults ---


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"item_id": "nobody"}, "item 'nobody' is unknown"),
        ({"round": "9"}, "wrong round"),
        ({"round": "one"}, "round 'one' is no number"),
        ({"benchmark": "c"}, "wrong round"),
        ({"instruction": "写别的"}, "column instruction was changed"),
        ({"marks": "x"}, "column marks was changed"),
        ({"decision": "maybe"}, "unknown decision 'maybe'"),
        ({"decision": "", "comment": "好"}, "no decision"),
        ({"decision": "A"}, "unknown decision"),
        ({"reviewer": ""}, "no reviewer"),
        ({"reviewer": "a|b"}, "no reviewer"),
        ({"decision": "reject"}, "no reason"),
        ({"decision": "reject", "reason": "taste"}, "unknown reason 'taste'"),
        ({"decision": "revise"}, "a revision without a new text"),
        ({"decision": "accept", "new_reference": "新"}, "new_reference is filled in"),
        ({"decision": "revise", "new_genre": "epic"}, "unknown genre 'epic'"),
        ({"decision": "revise", "new_reference": "<empty>"}, "only new_grounding"),
    ],
)
def test_a_faulty_row_is_refused_with_file_and_row(
    con: duckdb.DuckDBPyConnection, write: Write, answer: Answer, says: str
) -> None:
    good = {"reviewer": "王", "decision": "accept"}
    first, second = opened(con, "items")[:2]
    summary = take(con, write("a.csv", [(first, good), (second, good | answer)]))
    assert summary.n_new == 1
    (problem,) = summary.problems
    assert (problem.file, problem.line) == ("a.csv", 3)
    assert says in problem.what


def test_a_sheet_without_its_columns_is_refused(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    opened(con, "items")
    (tmp_path / "a.csv").write_text("item_id,decision\ni1,accept\n", "utf-8")
    (problem,) = take(con, tmp_path / "a.csv").problems
    assert "column benchmark, round" in problem.what


def test_a_second_row_of_a_reviewer_for_an_item_is_refused(
    con: duckdb.DuckDBPyConnection, write: Write
) -> None:
    task = opened(con, "items")[0]
    rows = [(task, {"reviewer": "王", "decision": "accept"})] * 2
    summary = take(con, write("a.csv", rows))
    assert summary.n_new == 1
    assert str(summary.problems[0]) == "a.csv:3: 王 has answered this item already in a.csv:2"


# --- what reviews do ---


def test_reviews_change_items_once_and_come_back_after_undo(
    con: duckdb.DuckDBPyConnection, write: Write
) -> None:
    columns = ("instruction", "grounding", "reference", "genre", "status", "reason")
    before = {f"i{n}": item(con, f"i{n}", *columns) for n in (1, 2, 3, 4)}
    hashes = item(con, "i2", "instruction_hash", "reference_hash")
    tasks = {task["item_id"]: task for task in opened(con, "items")}
    answers = {
        "i1": {"decision": "拒绝", "reason": "参考"},
        "i2": {"decision": "revise", "new_instruction": "写好第2篇", "new_grounding": "<empty>",
               "new_genre": "fiction"},
        "i3": {"decision": "accept"},
    }  # fmt: skip
    path = write("a.csv", [(tasks[i], {"reviewer": "王"} | a) for i, a in answers.items()])
    assert take(con, path).n_new == 3
    assert item(con, "i1", "status", "reason") == ("rejected", "review: reference")
    assert item(con, "i2", *columns[:4]) == ("写好第2篇", "", "第2篇的原文。", "fiction")
    assert item(con, "i2", "instruction_hash")[0] != hashes[0]
    assert item(con, "i2", "reference_hash")[0] == hashes[1]
    assert item(con, "i3", *columns) == before["i3"]

    again = take(con, path)
    assert (again.n_new, again.n_known) == (0, 3)
    assert con.execute("SELECT count(*) FROM corpus.item_history").fetchall() == [(2,)]

    assert undo(con, "b", 1, "items", ["i2"]) == 1
    apply(con)
    assert item(con, "i2", *columns) == before["i2"]
    assert item(con, "i2", "instruction_hash", "reference_hash") == hashes
    assert item(con, "i1", "status") == ("rejected",)
    assert con.execute(
        "SELECT version, instruction FROM corpus.item_history WHERE item_id = 'i2' ORDER BY ALL"
    ).fetchall() == [(1, "写第2篇"), (2, "写好第2篇")]
    # Handed in again, the same answer counts again, as a revision of its own.
    assert take(con, path).n_new == 1
    assert item(con, "i2", "instruction") == ("写好第2篇",)
    assert con.execute(
        "SELECT revision, is_current FROM corpus.review WHERE item_id = 'i2' ORDER BY ALL"
    ).fetchall() == [(1, False), (2, True)]


def test_a_second_round_shows_what_the_first_left_and_may_take_back_a_rejection(
    con: duckdb.DuckDBPyConnection, write: Write
) -> None:
    task = next(task for task in opened(con, "items") if task["item_id"] == "i1")
    reject = {"reviewer": "王", "decision": "reject", "reason": "genre"}
    take(con, write("a.csv", [(task, reject)]))
    assert [task["item_id"] for task in opened(con, "items", 2)].count("i1") == 0
    open_round(con, "b", "items", 3, 7, RUN, items=["i1"])
    (shown,) = read_tasks(con, "b", "items", 3)
    revise = {"reviewer": "李", "decision": "revise", "new_reference": "改好了。"}
    take(con, write("b.csv", [(shown, revise)]))
    assert item(con, "i1", "status", "reason", "reference") == ("accepted", None, "改好了。")
    assert con.execute(
        "SELECT round, rejected, revised FROM bench.review_agreement ORDER BY round"
    ).fetchall() == [(1, 1, 0), (3, 0, 1)]


def test_two_picks_settle_and_a_split_waits_for_a_third(
    con: duckdb.DuckDBPyConnection, write: Write
) -> None:
    tasks = {task["item_id"]: task for task in opened(con, "picks")}
    assert set(tasks) == {"i1", "i2", "i3"}
    one, human = source(con, "i1", "m/one"), source(con, "i2", "reference")
    other = source(con, "i2", "m/two")
    first = write(
        "wang.csv",
        [(tasks["i1"], {"reviewer": "王", "decision": one.lower()}),
         (tasks["i2"], {"reviewer": "王", "decision": human}),
         (tasks["i3"], {"reviewer": "王", "decision": "A"})],
    )  # fmt: skip
    second = write(
        "li.csv",
        [(tasks["i1"], {"reviewer": "李", "decision": one}),
         (tasks["i2"], {"reviewer": "李", "decision": other})],
    )  # fmt: skip
    assert take(con, first).n_new == 3
    assert item(con, "i1", "reference_source") == ("human",)
    assert take(con, second).n_new == 2
    assert item(con, "i1", "reference", "reference_source") == ("m/one写的第1篇", "m/one")
    assert item(con, "i2", "reference", "reference_source") == ("第2篇的原文。", "human")
    assert open_splits(con) == ["b, picks, round 1: i2"]
    assert [t["item_id"] for t in read_tasks(con, "b", "picks", 1, only_open=True)] == ["i2"]

    third = write(
        "zhao.csv",
        [(tasks["i1"], {"reviewer": "赵", "decision": one}),
         (tasks["i2"], {"reviewer": "赵", "decision": other})],
    )  # fmt: skip
    summary = take(con, third)
    assert summary.n_new == 1
    assert summary.problems[0].what == (
        "two reviewers agree on this item; there is nothing to settle"
    )
    assert item(con, "i2", "reference", "reference_source") == ("m/two写的第2篇", "m/two")
    assert open_splits(con) == []
    fourth = write("sun.csv", [(tasks["i2"], {"reviewer": "孙", "decision": human})])
    assert take(con, fourth).problems[0].what.startswith("three reviewers")
    [row] = con.execute(
        "SELECT n_pick, n_pair, n_split, n_pick_open, pick_agreement, replaced "
        "FROM bench.review_agreement"
    ).fetchall()
    assert row == (3, 2, 1, 1, 0.5, 2)
    # A reviewer who changes his mind keeps his place; the third is no longer needed.
    changed = write("li.csv", [(tasks["i2"], {"reviewer": "李", "decision": human})])
    assert take(con, changed).n_changed == 1
    assert item(con, "i2", "reference", "reference_source") == ("第2篇的原文。", "human")


def test_an_item_imported_anew_is_not_changed_by_its_old_review(
    con: duckdb.DuckDBPyConnection, write: Write
) -> None:
    task = next(task for task in opened(con, "items") if task["item_id"] == "i3")
    path = write("a.csv", [(task, {"reviewer": "王", "decision": "revise", "new_reference": "新"})])
    take(con, path)
    con.execute("UPDATE corpus.item SET reference = '重来', record_id = 'r2' WHERE item_id = 'i3'")
    apply(con)
    assert item(con, "i3", "reference") == ("重来",)
    con.execute("UPDATE corpus.item SET reference = '新', record_id = NULL WHERE item_id = 'i3'")


# --- blindness ---


def test_letters_hide_sources_and_come_back_with_the_seed(con: duckdb.DuckDBPyConnection) -> None:
    def key() -> list[tuple[object, ...]]:
        return con.execute(
            "SELECT item_id, letter, source FROM corpus.review_candidate ORDER BY ALL"
        ).fetchall()

    def wipe() -> None:
        for table in ("review_task", "review_candidate", "review_round"):
            con.execute(f"DELETE FROM corpus.{table}")

    tasks = opened(con, "picks", seed=5)
    first = key()
    assert {letter for _, letter, _ in first} == set(DECISIONS["picks"])
    assert not any("reference" in task or "seed" in task for task in tasks)
    opened(con, "picks", seed=6)
    assert key() == first, "a round once opened never changes"
    wipe()
    opened(con, "picks", seed=5)
    assert key() == first
    orders = set()
    for seed in range(6):
        wipe()
        opened(con, "picks", seed=seed)
        orders.add(tuple(key()))
    assert len(orders) > 3


def test_picks_need_three_known_systems(con: duckdb.DuckDBPyConnection) -> None:
    for systems in (SYSTEMS[:2], (*SYSTEMS[:2], "m/none"), ("m/one", "m/one", "m/two")):
        with pytest.raises(UsageError, match="3 systems"):
            open_round(con, "b", "picks", 1, 1, RUN, systems=systems)
    with pytest.raises(DataError, match="no item to review"):
        open_round(con, "b", "items", 1, 1, RUN, items=["nobody"])
    done = open_round(con, "b", "picks", None, 1, RUN)
    assert done.systems == ("m/one", "m/three", "m/two")
    assert [line.split(":")[0] for line in done.left_out] == ["i4"]


def test_published_counts_give_the_published_shares(con: duckdb.DuckDBPyConnection) -> None:
    """HoWToBench 4.5: 1,302 picks, 43 splits = 96.7 % agreement, 137 replaced, 41 rejected."""
    con.begin()
    con.execute(
        """
        INSERT INTO corpus.review_candidate
        SELECT 'p', 1, n, letter, source, ''
        FROM range(1302) AS item (n),
            (VALUES ('A', 'reference'), ('B', 'm'), ('C', 'n')) AS c (letter, source)
        """
    )
    con.execute(
        """
        INSERT INTO corpus.review BY NAME
        SELECT
            'p' AS benchmark, 1 AS round, 'picks' AS kind, n AS item_id, r.reviewer, 1 AS revision,
            r.place, CASE WHEN r.place = 2 AND n < 43 THEN 'C' WHEN n < 137 THEN 'B' ELSE 'A' END
            AS decision, TIMESTAMP '2026-01-01' AS reviewed_at, 'f' AS file, n AS row,
            uuidv7() AS run_id
        FROM range(1302) AS item (n), (VALUES ('x', 1), ('y', 2), ('z', 3)) AS r (reviewer, place)
        WHERE r.place < 3 OR n < 43
        UNION ALL
        SELECT 'p', 1, 'items', n, 'x', 1, 1, CASE WHEN n < 41 THEN 'reject' ELSE 'accept' END,
            TIMESTAMP '2026-01-01', 'f', n, uuidv7()
        FROM range(1302) AS item (n)
        """
    )
    [row] = con.execute(
        "SELECT pick_agreement, replaced, replaced_share, rejected, rejected_share, kappa "
        "FROM bench.review_agreement WHERE benchmark = 'p'"
    ).fetchall()
    con.rollback()
    # Chance: reference 1165/1302 twice, m 137 and 94, n 0 and 43.
    chance = (1165 * 1165 + 137 * 94) / 1302**2
    assert row == pytest.approx(
        (1259 / 1302, 137, 137 / 1302, 41, 41 / 1302, (1259 / 1302 - chance) / (1 - chance))
    )
    assert round(100 * row[0], 1) == 96.7
