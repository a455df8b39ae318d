"""Steps 72 to 74 on a real database: what is missing is measured, once, and why else there is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from towbench.ingest.detect import import_folder
from towbench.schemas.asked import ask_score, select
from towbench.schemas.definitions import sql_files
from towbench.schemas.settings import EMBEDDER, Settings
from towbench.sql.runner import Workspace, _run_step, open_workspace
from towbench.tests.cases_loader import Row, fill
from towbench.tests.template import fresh_database
from towbench.udfs import embedded, measure_learned, measure_overlap
from towbench.udfs.embed_text import pack
from towbench.udfs.embedded.embedder import embed
from towbench.udfs.measure_overlap import Counted, scores

REFERENCE = "老人站在桥头看河水涨，雨停了，天亮时河水退了，他回屋去睡了。"
TEXT = "老人在桥头看着河水一寸一寸地涨，天亮时雨停了，河水退了三寸。"
ITEMS: list[Row] = [
    {"item_id": "i1", "reference": REFERENCE},
    {"item_id": "i2", "reference": "<empty>"},
    {"item_id": "i3", "lang": "en", "reference": "The ferry left at dawn and the gulls followed it."},
]  # fmt: skip
WRITINGS: list[Row] = [
    {"writing_id": "A1", "item_id": "i1", "system": "A", "judged_text": TEXT},
    {"writing_id": "B1", "item_id": "i1", "system": "B", "judged_text": TEXT},
    {"writing_id": "C1", "item_id": "i1", "system": "C", "judged_text": "<empty>", "status": "no_text"},
    {"writing_id": "A2", "item_id": "i2", "system": "A", "judged_text": TEXT},
    {"writing_id": "A3", "item_id": "i3", "system": "A", "judged_text": "The ferry left before dawn, gulls behind it."},
]  # fmt: skip
Open = Callable[..., Workspace]


@pytest.fixture
def open_work(tmp_path: Path) -> Iterator[Open]:
    """Opens the same files again and again, as runs with other settings do."""
    fresh_database(tmp_path / "t.duckdb")
    contexts: list[Any] = []

    def close() -> None:
        while contexts:
            contexts.pop().__exit__(None, None, None)

    def open_it(**settings: object) -> Workspace:
        close()
        files = {"db": tmp_path / "t.duckdb", "ledger": tmp_path / "l.duckdb"}
        context = open_workspace(Settings.model_validate(files | settings), "score")
        work = context.__enter__()
        contexts.append(context)
        if not rows(work.con, "SELECT 1 FROM corpus.item"):
            made = {"benchmark": "t", "task": "guide", "genre": "prose"}
            fill(
                work.con,
                "corpus.item",
                [made | {"lang": "zh", "status": "accepted"} | dict(row) for row in ITEMS],
            )
            fill(work.con, "corpus.writing", [{"benchmark": "t"} | dict(row) for row in WRITINGS])
        refresh(work.con)
        ask_score(work.con, work.settings)
        select(work.con, work.settings)
        return work

    yield open_it
    close()


def refresh(con: duckdb.DuckDBPyConnection) -> None:
    """What step 50 does."""
    con.execute("UPDATE corpus.item SET reference_hash = sha256(reference)")
    con.execute("UPDATE corpus.writing SET text_hash = sha256(judged_text)")


def run(work: Workspace, number: int) -> None:
    [step] = [step for step in sql_files("steps") if step.name.startswith(f"{number}_")]
    text = step.read_text("utf-8")
    _run_step(work, step.name, text, "-- Calls:" in text, lambda *_: None)


def rows(con: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return list(con.execute(sql).fetchall())


def said(work: Workspace) -> list[tuple[Any, ...]]:
    """Writings with the status and reason that their metrics have, and how many have a number."""
    return rows(
        work.con,
        "SELECT writing_id, CAST(status AS VARCHAR), reason, count(score) FROM judge.metric_score"
        " GROUP BY ALL ORDER BY ALL",
    )


def test_overlap_is_measured_where_there_are_two_texts(open_work: Open) -> None:
    work = open_work()
    run(work, 72)
    assert said(work) == [
        ("A1", "ok", None, 11), ("A2", "no_reference", None, 0), ("A3", "ok", None, 11),
        ("B1", "ok", None, 11), ("C1", "no_text", None, 0),
    ]  # fmt: skip
    found = dict(
        rows(work.con, "SELECT metric, score FROM judge.metric_score WHERE writing_id = 'A1'")
    )
    assert found == pytest.approx(scores(Counted(TEXT, "zh"), Counted(REFERENCE, "zh")), abs=1e-12)
    methods = rows(
        work.con,
        "SELECT count(DISTINCT method), count(score) FROM bench.method_score_v1 WHERE method LIKE 'metric|%'",
    )
    assert methods == [(11, 33)]


def test_what_is_measured_is_not_measured_again(
    open_work: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def run_counted(
        lang: pa.ChunkedArray, text: pa.ChunkedArray, reference: pa.ChunkedArray
    ) -> pa.Array:
        seen.append(len(text))
        return overlap(lang, text, reference)

    overlap = measure_overlap.run
    monkeypatch.setattr(measure_overlap, "run", run_counted)
    work = open_work(metrics=("rouge",))
    run(work, 72)
    # A1 and B1 are the same two texts.
    assert sum(seen) == 2
    before = rows(work.con, "SELECT * FROM judge.metric_score ORDER BY ALL")
    run(work, 72)
    assert sum(seen) == 2
    assert rows(work.con, "SELECT * FROM judge.metric_score ORDER BY ALL") == before
    work = open_work(metrics=("rouge", "bleu"))
    run(work, 72)
    assert sum(seen) == 4
    counts = "SELECT count(*), count(DISTINCT run_id) FROM judge.metric_score"
    assert rows(work.con, counts) == [(5 * 11, 2)]


def test_an_edited_text_or_reference_is_measured_again_and_no_other(open_work: Open) -> None:
    work = open_work(metrics=("rouge",))
    run(work, 72)
    values = "SELECT writing_id, metric, score, status FROM judge.metric_score ORDER BY 1, 2"
    before = rows(work.con, values)
    work.con.execute(
        "UPDATE corpus.writing SET judged_text = ? WHERE writing_id = 'B1'", [REFERENCE]
    )
    work.con.execute("UPDATE corpus.item SET reference = ? WHERE item_id = 'i2'", [TEXT])
    work.con.execute(
        "UPDATE corpus.writing SET judged_text = ?, status = 'ok' WHERE writing_id = 'C1'", [TEXT]
    )
    work = open_work(metrics=("rouge",))
    run(work, 72)
    after = rows(work.con, values)
    assert {row[0] for row in set(after) - set(before)} == {"A2", "B1", "C1"}
    assert [row[2:] for row in after if row[0] in ("A2", "B1")] == [(1.0, "ok")] * 6
    assert len(after) == len(before)


def test_an_older_version_is_replaced_and_an_imported_value_left_alone(open_work: Open) -> None:
    work = open_work(metrics=("rouge",))
    run(work, 72)
    work.con.execute(
        "UPDATE judge.metric_score SET metric_version = 'overlap_v0', score = 0.9 WHERE writing_id = 'A1'"
    )
    imported = {
        "benchmark": "t",
        "writing_id": "A1",
        "metric": "m",
        "reference_mode": "human",
        "score": "7",
    }
    fill(work.con, "judge.metric_score", [imported])
    run(work, 72)
    assert rows(work.con, "SELECT DISTINCT metric_version FROM judge.metric_score ORDER BY 1") == [
        ("overlap_v1",), (None,),
    ]  # fmt: skip
    assert rows(work.con, "SELECT score FROM judge.metric_score WHERE metric = 'm'") == [(7,)]
    assert (0.9,) not in rows(work.con, "SELECT score FROM judge.metric_score")


def test_none_is_nothing_and_another_system_may_be_the_reference(open_work: Open) -> None:
    work = open_work()
    work = open_work(metrics=("none",))
    run(work, 72)
    run(work, 73)
    run(work, 74)
    assert said(work) == []
    work = open_work(metrics=("rouge",), references=("none", "system:B"))
    run(work, 72)
    assert said(work) == [
        ("A1", "ok", None, 3), ("A2", "no_reference", None, 0), ("A3", "no_reference", None, 0),
        ("B1", "ok", None, 3), ("C1", "no_text", None, 0),
    ]  # fmt: skip
    assert rows(work.con, "SELECT DISTINCT reference_mode FROM judge.metric_score") == [
        ("system:B",)
    ]


def test_similarity_is_the_cosine_of_stored_vectors(open_work: Open) -> None:
    work = open_work(metrics=("similarity",))
    run(work, 73)
    assert said(work) == [
        ("A1", "ok", None, 1), ("A2", "no_reference", None, 0), ("A3", "ok", None, 1),
        ("B1", "ok", None, 1), ("C1", "no_text", None, 0),
    ]  # fmt: skip
    [(metric, score)] = rows(
        work.con, "SELECT metric, score FROM judge.metric_score WHERE writing_id = 'A1'"
    )
    assert metric == f"similarity:{EMBEDDER}"
    assert score == pytest.approx(float(embed(TEXT) @ embed(REFERENCE)), abs=1e-6)
    # Four texts: A1 and B1 are one.
    assert rows(work.con, "SELECT stage, model, count(*) FROM ledger.request GROUP BY ALL") == [
        ("embed", EMBEDDER, 4)
    ]
    keys = "SELECT count(DISTINCT call_key), count(DISTINCT reference_call_key) FROM judge.metric_score"
    assert rows(work.con, keys) == [(2, 2)]
    run(work, 73)
    work.ledger.flush()
    assert rows(work.con, "SELECT count(*) FROM ledger.intent") == [(4,)]


def test_vectors_outlive_the_database(open_work: Open) -> None:
    work = open_work(metrics=("similarity",))
    run(work, 73)
    before = rows(work.con, "SELECT writing_id, score FROM judge.metric_score ORDER BY 1")
    work.con.execute("DELETE FROM judge.metric_score")
    work = open_work(metrics=("similarity",), transport="replay")
    run(work, 73)
    assert rows(work.con, "SELECT writing_id, score FROM judge.metric_score ORDER BY 1") == before


def test_a_text_without_a_vector_is_why_its_pairs_have_no_number(
    open_work: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(model: str, task: str, lang: str, slots: dict[str, str]) -> str:
        if slots["text"] == REFERENCE:
            raise ZeroDivisionError("rules")
        return json.dumps({"embedding": pack(embed(slots["text"]))})

    with monkeypatch.context() as patch:
        patch.setattr(embedded, "answer", fail)
        work = open_work(metrics=("similarity",))
        run(work, 73)
    assert said(work) == [
        ("A1", "error_in_200", "reference", 0), ("A2", "no_reference", None, 0),
        ("A3", "ok", None, 1), ("B1", "error_in_200", "reference", 0), ("C1", "no_text", None, 0),
    ]  # fmt: skip
    # The next run asks for the missing vector, and for no other.
    work = open_work(metrics=("similarity",))
    run(work, 73)
    assert [row[1] for row in said(work)] == ["ok", "no_reference", "ok", "ok", "no_text"]
    work.ledger.flush()
    assert rows(work.con, "SELECT count(DISTINCT call_key) FROM ledger.intent") == [(4,)]


def test_a_short_text_is_not_applicable_and_stays_so(open_work: Open) -> None:
    work = open_work(metrics=("similarity",))
    work.con.execute("UPDATE corpus.writing SET judged_text = '雨停了。' WHERE writing_id = 'A1'")
    work = open_work(metrics=("similarity",))
    run(work, 73)
    run(work, 73)
    assert said(work)[0] == ("A1", "not_applicable", "too_few_letters", 0)


def test_a_learned_metric_is_asked_with_its_folder(
    open_work: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    asked: list[tuple[str, Sequence[tuple[str, str]]]] = []

    class Model:
        def measure(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
            asked.append((str(folder), pairs))
            return [{"score": len(text) / 100, "status": "ok"} for _, text in pairs]

    def load(path: str) -> Model:
        assert path == str(folder)
        return Model()

    monkeypatch.setattr(measure_learned, "_load", load)
    monkeypatch.setattr("towbench.schemas.metrics.find_spec", lambda name: object())
    work = open_work(metrics=("learned",), learned_metric=folder)
    run(work, 74)
    run(work, 74)
    assert said(work) == [
        ("A1", "ok", None, 1), ("A2", "no_reference", None, 0), ("A3", "ok", None, 1),
        ("B1", "ok", None, 1), ("C1", "no_text", None, 0),
    ]  # fmt: skip
    assert sum(len(pairs) for _, pairs in asked) == 2
    assert (REFERENCE, TEXT) in asked[0][1]
    [(metric, score)] = rows(
        work.con, "SELECT metric, score FROM judge.metric_score WHERE writing_id = 'B1'"
    )
    assert metric.startswith("learned:tiny@")
    assert score == pytest.approx(len(TEXT) / 100)


def test_a_file_of_metrics_is_a_layout_of_import(open_work: Open, tmp_path: Path) -> None:
    work = open_work()
    path = tmp_path / "bert.csv"
    path.write_text("item_id,system,metric,score\ni1,A,bertscore,0.5\n")
    assert str(import_folder(work.con, path, None, work.run_id)).startswith("t: 1 metric values")
    assert rows(work.con, "SELECT writing_id, score FROM judge.metric_score") == [("A1", 0.5)]
