"""The call engine against an endpoint on loopback: the kinds of cases.md C, D, E and F."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from towbench.schemas.database import open_database
from towbench.schemas.definitions import build_macros, sql_files
from towbench.tests.scripted_endpoint import (
    ESSAY,
    Asked,
    Desk,
    Reply,
    chat,
    refuse,
    score,
    serving,
)
from towbench.udfs.reply import PARSER_VERSION

MakeDesk = Callable[..., Desk]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[MakeDesk]:
    opened: list[Desk] = []

    def open_desk(url: str | None, **settings: Any) -> Desk:
        opened.append(Desk(tmp_path, url, **settings))
        return opened[-1]

    yield open_desk
    for one in opened:
        one.close()


KEY_PARTS = (
    "prompt_id", "prompt_hash", "model", "sampling", "repeat", "presentation",
    "instruction_hash", "reference_hash", "text_hash", "dimensions_hash",
)  # fmt: skip


def test_every_part_of_a_request_is_in_its_key(tmp_path: Path) -> None:
    """cases C 15: who is asked, how and what; no two parts can be mistaken for each other."""
    with open_database(tmp_path / "a.duckdb", None) as con:
        build_macros(con)
        base: dict[str, object] = {name: name[0] for name in KEY_PARTS} | {"repeat": 1}
        changed = [base | {name: 2 if name == "repeat" else "other"} for name in KEY_PARTS]
        missing = [base | {name: None} for name in KEY_PARTS if name.endswith("_hash")]
        moved = [
            base | {"instruction_hash": None, "reference_hash": base["instruction_hash"]},
            base | {"text_hash": None, "dimensions_hash": base["text_hash"]},
            base | {"prompt_id": "pm", "model": "" }, base | {"prompt_id": "p", "model": "mm"},
        ]  # fmt: skip
        marks = ", ".join("?" for _ in KEY_PARTS)
        keys = [
            con.execute(
                f"SELECT call_key_v1({marks})", [row[name] for name in KEY_PARTS]
            ).fetchall()
            for row in [base, *changed, *missing, *moved]
        ]
        assert len({key for ((key,),) in keys}) == len(keys)


def test_a_filtered_reply_is_an_attempt_and_no_answer(desk: MakeDesk) -> None:
    """cases C 16: what was filtered is not replayed as an answer, and RETRY asks anew."""
    with serving(lambda asked, n: chat(None, "content_filter") if n == 0 else score(7)) as endpoint:
        one = desk(endpoint.url)
        assert one.ask() == [(None, "filtered", None)]
        assert one.rows("SELECT count(*) FROM ledger.reply") == [(0,)]
        one.con.execute("DELETE FROM pending.answer")
        assert one.ask() == [('{"score": 7}', "ok", None)]
        assert one.attempts() == ["filtered", "ok"]


def test_the_ledger_only_grows_and_the_latest_wins(desk: MakeDesk) -> None:
    """cases C 19: rows are added, never updated or deleted."""
    with serving(lambda asked, n: score(n + 3)) as endpoint:
        one = desk(endpoint.url)
        for n in range(3):
            one.con.execute("DELETE FROM pending.answer")
            assert one.ask() == [(f'{{"score": {n + 3}}}', "ok", None)]
            assert one.rows("SELECT count(*) FROM ledger.outcome") == [(n + 1,)]
        (hit,) = one.rows("SELECT attempt_id FROM ledger.hit")
        assert one.rows("SELECT attempt_id FROM ledger.outcome ORDER BY received_at")[-1] == hit


@pytest.mark.slow
def test_rows_before_and_behind_a_wall_of_429(desk: MakeDesk) -> None:
    """cases D 20, D 23: 6,000 rows, 429 from row 4,097 on: 4,096 answers kept, 6,000 rows out."""

    def script(asked: Asked, n: int) -> Reply:
        return score(7) if n < 4096 else refuse(429, "busy", {"retry-after-ms": "5"})

    with serving(script) as endpoint:
        one = desk(endpoint.url, concurrency=16)
        one.con.execute(
            """
            INSERT INTO pending.request
            SELECT format('{:064d}', i), 'local/judge-1', 'logic_v1.en', 0, '{}',
                'reference_first', 'Write.', 'A reference.', ?, NULL
            FROM range(6000) AS t(i)
            """,
            [ESSAY],
        )
        answers = one.ask()
        statuses = Counter(status for _, status, _ in answers)
        assert len(answers) == 6000 and statuses["ok"] == 4096
        assert set(statuses) <= {"ok", "http_429", "not_in_ledger"}
        assert len(endpoint.asked) < 4096 + 16 * 18
        assert one.rows("SELECT count(*) FROM ledger.hit") == [(4096,)]
        assert "TOWBENCH_LOCAL_CONCURRENCY" in str(one.client.stopped)


def test_a_reply_that_is_no_json_costs_its_row_only(desk: MakeDesk) -> None:
    """cases D 21, D 22: one bad row in fifty; each prompt held its own essay."""

    def script(asked: Asked, n: int) -> Reply:
        return "{" if "number 17." in asked.prompt else score(7)

    with serving(script) as endpoint:
        one = desk(endpoint.url)
        for i in range(50):
            one.add(f"{i:064}", text=f"{ESSAY} This is essay number {i}.")
        answers = one.ask()
        assert Counter(status for _, status, _ in answers) == {"ok": 49, "dropped": 1}
        for i in range(50):
            assert any(f"{ESSAY} This is essay number {i}." in a.prompt for a in endpoint.asked)
        assert one.client.stopped is None


@pytest.mark.slow
def test_fifty_workers_told_to_wait_wait_and_come_back_once(desk: MakeDesk) -> None:
    """cases E 26: 50 + 50 requests, none of the second fifty earlier than a second."""
    turned_away: set[str] = set()

    def script(asked: Asked, n: int) -> Reply:
        if asked.prompt in turned_away:
            return score(7)
        turned_away.add(asked.prompt)
        return refuse(429, "busy", {"Retry-After": "1"})

    with serving(script, latency=0.3) as endpoint:
        one = desk(endpoint.url, concurrency=50)
        for i in range(50):
            one.add(f"{i:02}" * 32)
        assert {status for _, status, _ in one.ask()} == {"ok"}
        assert len(endpoint.asked) == 100
        times: dict[str, list[float]] = {}
        for asked in endpoint.asked:
            times.setdefault(asked.prompt, []).append(asked.at)
        assert len(times) == 50
        assert all(again - first >= 1.0 for first, again in times.values())


def test_what_the_model_cannot_take_in_is_not_sent(desk: MakeDesk) -> None:
    """cases F 29: the row says so; nothing is paid and no attempt is stored."""
    with serving(lambda asked, n: score(7)) as endpoint:
        one = desk(endpoint.url, context="local/judge-1=5000,other=1")
        one.add("0" * 64)
        one.add("1" * 64, text=ESSAY * 100)
        short, long = one.ask()
        assert short[1] == "ok" and long[:2] == (None, "prompt_cut")
        assert long[2].startswith("tokens=") and long[2].endswith(">5000")
        assert len(endpoint.asked) == 1
        assert one.rows("SELECT count(*) FROM ledger.intent") == [(1,)]


def test_a_reasoning_model_is_asked_in_its_way(desk: MakeDesk) -> None:
    """Its budget has another name, it takes no temperature; learnt once, and noted."""

    def script(asked: Asked, n: int) -> Reply:
        if "max_tokens" in asked.body:
            return refuse(400, "'max_tokens' is not supported: use 'max_completion_tokens'")
        if "temperature" in asked.body:
            return refuse(400, "'temperature' does not support 0 with this model")
        return chat('{"reason": "r", "score": 7}', reasoning_content="perhaps [[3]]")

    with serving(script) as endpoint:
        one = desk(endpoint.url, concurrency=2)
        assert {row[:2] for row in one.ask(10)} == {('{"score": 7}', "ok")}
        assert len(endpoint.asked) <= 10 + 2 * 2
        assert endpoint.asked[-1].body["max_completion_tokens"] == 100
        assert one.rows("SELECT DISTINCT error FROM ledger.outcome WHERE status = 'ok'") == [
            ("sent without temperature",)
        ]


def test_the_candidate_may_come_first(desk: MakeDesk) -> None:
    with serving(lambda asked, n: score(7)) as endpoint:
        one = desk(endpoint.url)
        one.add("0" * 64, presentation="candidate_first")
        one.ask()
        prompt = endpoint.asked[0].prompt
        assert prompt.index(ESSAY) < prompt.index("A reference text.")


def reread(one: Desk) -> None:
    (step,) = [file for file in sql_files("steps") if file.name.startswith("05_")]
    one.con.execute(step.read_text("utf-8"))


def test_a_newer_parser_rereads_stored_replies_without_a_call(desk: MakeDesk) -> None:
    """cases A 4: raw replies are stored; what was read in them is a table of its own."""
    replies = [score(7), chat("I cannot say."), chat("Still not.")]
    with serving(lambda asked, n: replies[n]) as endpoint:
        one = desk(endpoint.url, concurrency=1)
        one.ask(2)
        assert len(endpoint.asked) == 3
        one.con.execute("INSERT INTO judge.parser VALUES (?, true)", [PARSER_VERSION])
        one.con.execute(
            """
            INSERT INTO ledger.request BY NAME
            SELECT call_key, 'b' AS benchmark, 'score' AS stage, model, prompt_id,
                'h' AS prompt_hash, repeat, sampling, presentation
            FROM pending.request
            """
        )
        kept = one.rows("FROM ledger.reply ORDER BY attempt_id")
        reread(one)
        assert one.rows("FROM ledger.reply ORDER BY attempt_id") == kept
        one.con.execute(
            "UPDATE ledger.reply SET parser_version = 'old', value = NULL, status = 'unparsable'"
        )
        reread(one)
        reread(one)
        new = "FROM ledger.reply WHERE parser_version <> 'old' ORDER BY attempt_id"
        assert one.rows(new) == kept
        assert len(endpoint.asked) == 3


def test_what_is_not_in_the_ledger_is_said_so_by_replay(desk: MakeDesk) -> None:
    with serving(lambda asked, n: score(7)) as endpoint:
        one = desk(endpoint.url, transport="replay")
        one.add("0" * 64, model="embedded/rules-1")
        one.add("1" * 64)
        assert one.ask() == [(None, "not_in_ledger", "replay")] * 2
        assert endpoint.asked == [] and one.attempts() == []
