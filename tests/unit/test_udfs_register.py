"""The SQL functions on a connection."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock

import duckdb
import pytest

from towbench.schemas.database import open_database
from towbench.schemas.settings import EMBEDDED, Settings
from towbench.udfs import embedded
from towbench.udfs.calls import CALLS
from towbench.udfs.engine import Engine
from towbench.udfs.ledger import LedgerWriter
from towbench.udfs.register import PURE, register
from towbench.udfs.reply import Form
from towbench.udfs.request import Answer, Request

ARGUMENTS = (
    "call_key, model, prompt_id, repeat, sampling, presentation, instruction, reference, text,"
    " dimensions"
)


@pytest.fixture
def con(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_database(tmp_path / "main.duckdb", tmp_path / "ledger.duckdb") as opened:
        ledger = LedgerWriter(opened)
        client = Engine(Settings.model_validate({}), ledger, uuid.uuid4())
        register(opened, client)
        yield opened
        client.close()
        ledger.close()


def fill(con: duckdb.DuckDBPyConnection, n: int) -> None:
    con.execute(
        "INSERT INTO pending.request SELECT format('{:064d}', i), ?, 'emotion_v1.zh', 0, '{}',"
        " 'reference_first', '写', '参考', concat('正文', i), NULL FROM range(?) AS t(i)",
        [EMBEDDED, n],
    )


def test_every_function_is_there(con: duckdb.DuckDBPyConnection) -> None:
    names = {module.NAME for module in (*CALLS, *PURE)}
    found = con.execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()
    assert names <= {name for (name,) in found}
    assert len(names) == len(CALLS) + len(PURE)


@pytest.mark.parametrize("form", CALLS, ids=lambda form: str(form.NAME))
def test_a_call_function_hands_on_its_rows_and_returns_a_struct(
    con: duckdb.DuckDBPyConnection, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Request] = []

    def answer(self: Engine, requests: Sequence[Request]) -> list[Answer]:
        seen.extend(requests)
        return [Answer(one.call_key, None, "refused", one.text, one.dimensions) for one in requests]

    monkeypatch.setattr(Engine, "answer", answer)
    fill(con, 2)
    called = f"SELECT a.* FROM (SELECT {form.NAME}({ARGUMENTS}) AS a FROM pending.request)"
    assert sorted(con.execute(called).fetchall()) == [
        (f"{i:064}", None, "refused", f"正文{i}", None) for i in range(2)
    ]
    assert [(one.form, one.repeat, one.reference) for one in seen] == [(form, 0, "参考")] * 2


def test_rows_are_called_once_each_from_several_threads(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    lock = Lock()

    def answer(model: str, task: str, lang: str, slots: dict[str, str]) -> str:
        with lock:
            asked.append(slots["text"])
        return '{"score": 7, "reason": "r"}'

    monkeypatch.setattr(embedded, "answer", answer)
    fill(con, 5000)
    con.execute(
        "INSERT INTO pending.answer SELECT a.call_key, a.value, a.status, a.reason, a.rationale"
        f" FROM (SELECT score_leaf({ARGUMENTS}) AS a FROM pending.request)"
    )
    assert len(asked) == len(set(asked)) == 5000
    found = con.execute(
        "SELECT count(DISTINCT call_key), min(value), max(value) FROM pending.answer"
    ).fetchall()
    assert found == [(5000, '{"score": 7}', '{"score": 7}')]
