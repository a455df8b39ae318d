"""The embedded models and the replay, through the same path as a live call."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from towbench.schemas.database import open_database
from towbench.schemas.settings import EMBEDDED, Settings
from towbench.udfs import embedded, negotiate_weights, score_leaf, write_candidate
from towbench.udfs.engine import Engine
from towbench.udfs.ledger import LedgerWriter
from towbench.udfs.request import Request

TEXT = (
    "老人在桥头站了很久。河水一寸一寸地涨，他想起年轻时渡河的夜晚，灯火在雨里晃。\n\n天亮时雨停了。"
)


class Desk:
    def __init__(self, con: duckdb.DuckDBPyConnection, transport: str = "live") -> None:
        self.con = con
        self.ledger = LedgerWriter(con)
        settings = Settings.model_validate({"transport": transport})
        self.client = Engine(settings, self.ledger, uuid.uuid4())

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        self.ledger.flush()
        return list(self.con.execute(sql).fetchall())

    def close(self) -> None:
        self.client.close()
        self.ledger.close()


@pytest.fixture
def con(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_database(tmp_path / "main.duckdb", tmp_path / "ledger.duckdb") as opened:
        yield opened


@pytest.fixture
def desk(con: duckdb.DuckDBPyConnection) -> Iterator[Desk]:
    one = Desk(con)
    yield one
    one.close()


def leaf(text: str = TEXT, model: str = EMBEDDED, key: str = "a" * 64) -> Request:
    return Request(
        score_leaf, key, model, "emotion_v1.zh", 0, '{"temperature": 0}', "reference_first",
        "写一篇关于桥的散文。", "那座桥还在，桥下的水已经换了许多年。" * 4, text, None,
    )  # fmt: skip


def test_a_score_is_stored_as_if_an_endpoint_had_answered(desk: Desk) -> None:
    [answer] = desk.client.answer([leaf()])
    assert answer.status == "ok" and answer.value is not None and answer.rationale
    assert 1 <= json.loads(answer.value)["score"] <= 10
    [(status, unknown, cost, model, body)] = desk.rows(
        "SELECT status, usage_unknown, cost, served_model, body FROM ledger.attempt"
    )
    assert (status, unknown, cost, model) == ("ok", False, 0.0, EMBEDDED)
    content = json.loads(str(body))["choices"][0]["message"]["content"]
    assert json.loads(content)["score"] == json.loads(answer.value)["score"]
    assert desk.rows("SELECT value, text FROM ledger.reply") == [(answer.value, content)]


def test_a_text_of_a_few_letters_is_not_applicable_and_no_attempt(desk: Desk) -> None:
    [answer] = desk.client.answer([leaf("太短了。")])
    assert answer[1:4] == (None, "not_applicable", "too_few_letters")
    assert desk.rows("SELECT * FROM ledger.attempt") == []


def test_weights_are_asked_for_by_name(desk: Desk) -> None:
    request = Request(
        negotiate_weights, "b" * 64, EMBEDDED, "negotiate_v1.zh", 0, "{}", "single",
        "写一首诗。", None, None, "logic：论证的逻辑：顺。\nemotion：情感。",
    )  # fmt: skip
    [answer] = desk.client.answer([request])
    assert answer.status == "ok" and answer.value is not None
    weights = json.loads(answer.value)
    assert weights.keys() == {"logic", "emotion"} and abs(sum(weights.values()) - 1) < 1e-9


def test_a_writer_writes(desk: Desk) -> None:
    request = Request(
        write_candidate, "c" * 64, "embedded/lead-half", "write_v1.zh", 0, "{}", "single",
        "写一篇散文。", TEXT, None, None,
    )  # fmt: skip
    [answer] = desk.client.answer([request])
    assert answer.status == "ok" and answer.value is not None
    assert json.loads(answer.value)["text"] in TEXT


def test_an_unknown_model_stops_the_run_and_names_the_setting(desk: Desk) -> None:
    first, second = desk.client.answer([leaf(model="embedded/rules-9"), leaf(key="d" * 64)])
    assert first.status == second.status == "not_in_ledger"
    assert "rules-9" in str(desk.client.stopped) and "TOWBENCH_" in str(desk.client.stopped)


def test_a_fault_of_the_rules_costs_the_row_not_the_run(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(model: str, task: str, lang: str, slots: dict[str, str]) -> str:
        if "poison" in slots["text"]:
            raise ZeroDivisionError("rules")
        return '{"score": 7, "reason": "r"}'

    monkeypatch.setattr(embedded, "answer", answer)
    bad, good = desk.client.answer([leaf("poison"), leaf(key="d" * 64)])
    assert (bad.value, bad.status) == (None, "error_in_200")
    assert good.value == '{"score": 7}'
    assert desk.rows("SELECT DISTINCT error FROM ledger.outcome WHERE error IS NOT NULL") == [
        ("ZeroDivisionError: rules",)
    ]


def test_replay_asks_nobody_not_even_the_embedded_models(con: duckdb.DuckDBPyConnection) -> None:
    one = Desk(con, transport="replay")
    assert one.client.answer([leaf()])[0][1:4] == (None, "not_in_ledger", "replay")
    assert one.rows("SELECT * FROM ledger.attempt") == []
    one.close()
