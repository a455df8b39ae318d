"""The live transport over real HTTP, through INSERT ... SELECT, against faults on purpose."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from aiohttp import web

from towbench.tests.scripted_endpoint import (
    CALL,
    ESSAY,
    KEY,
    Asked,
    Desk,
    Reply,
    chat,
    refuse,
    score,
    serving,
)
from towbench.udfs.ledger import LedgerWriter


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    opened: list[Desk] = []

    def open_desk(url: str | None, **settings: Any) -> Desk:
        opened.append(Desk(tmp_path, url, **settings))
        return opened[-1]

    yield open_desk
    for one in opened:
        one.close()


MakeDesk = Callable[..., Desk]


def test_the_essay_is_in_the_prompt_and_the_score_in_the_table(desk: MakeDesk) -> None:
    """cases D 22: what is judged is what was handed in."""
    with serving(lambda asked, n: score(7)) as endpoint:
        one = desk(endpoint.url)
        assert one.ask() == [('{"score": 7}', "ok", None)]
        [asked] = endpoint.asked
        assert ESSAY.strip() in asked.prompt and "A reference text." in asked.prompt
        assert asked.body["model"] == "judge-1"
        assert (asked.body["temperature"], asked.body["max_tokens"]) == (0, 100)
        assert asked.form == "json_schema"
        [row] = one.rows(
            "SELECT status, http_status, finish_reason, prompt_tokens, completion_tokens, cost,"
            " usage_unknown, served_model, fingerprint, latency_ms > 0 FROM ledger.attempt"
        )
        assert row == ("ok", 200, "stop", 900, 20, None, False, "served-1", "fp", True)
        assert one.rows("SELECT status, value, rationale FROM ledger.reply") == [
            ("ok", '{"score": 7}', "r")
        ]
        assert one.rows("SELECT status FROM ledger.hit") == [("ok",)]
        progress = one.client.progress()
        assert (progress.done, progress.ok, progress.failed, progress.in_flight) == (1, 1, 0, 0)


@pytest.mark.slow
def test_every_row_is_answered_once_and_the_endpoint_is_kept_busy(desk: MakeDesk) -> None:
    with serving(lambda asked, n: score(n % 10 + 1), latency=0.02) as endpoint:
        one = desk(endpoint.url, concurrency=16)
        answers = one.ask(400)
        assert len(answers) == len(endpoint.asked) == 400
        assert {status for _, status, _ in answers} == {"ok"}
        assert 14 <= endpoint.peak <= 16
        assert one.rows("SELECT count(*), count(DISTINCT call_key) FROM ledger.hit") == [(400, 400)]


def test_equal_requests_in_flight_are_one_call(desk: MakeDesk) -> None:
    with serving(lambda asked, n: score(7), latency=0.1) as endpoint:
        one = desk(endpoint.url)
        for _ in range(3):
            one.add("k" * 64)
        assert one.ask() == [('{"score": 7}', "ok", None)] * 3
        assert len(endpoint.asked) == 1


def test_a_429_pauses_everyone_for_as_long_as_asked(desk: MakeDesk) -> None:
    """cases E 26: 50 workers, one retry each, none too early."""

    def script(asked: Asked, n: int) -> Reply:
        return refuse(429, headers={"Retry-After": "1"}) if n < 50 else score(7)

    with serving(script, latency=0.3) as endpoint:
        one = desk(endpoint.url, concurrency=50)
        for i in range(50):
            one.add(f"{i:064}", prompt_id="write_v1.en")
        answers = one.ask(function="write_candidate")
        assert {status for _, status, _ in answers} == {"ok"}
        assert len(endpoint.asked) == 100
        first_end = endpoint.asked[0].at + 0.3
        assert endpoint.asked[50].at - first_end >= 1.0
        assert one.attempts().count("http_429") == 50


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (lambda: refuse(503), "http_5xx"),
        (lambda: "reset", "dropped"),
        (lambda: '{"choices": [{"mess', "dropped"),
        (lambda: "stall", "timeout"),
        (lambda: {"error": {"message": "overloaded"}}, "error_in_200"),
        (lambda: {"choices": None}, "error_in_200"),
        (lambda: chat(""), "empty"),
        (lambda: chat(None), "empty"),
    ],
)
def test_what_may_pass_is_tried_again(
    desk: MakeDesk, fault: Callable[[], Reply], status: str
) -> None:
    """cases A 14, B 13: each has its own status, and none is an answer."""
    with serving(lambda asked, n: fault() if n == 0 else score(8)) as endpoint:
        one = desk(endpoint.url, request_timeout=0.5)
        assert one.ask() == [('{"score": 8}', "ok", None)]
        assert one.attempts() == [status, "ok"]
        is_billed = status in ("dropped", "timeout", "error_in_200")
        [(unknown, bound)] = one.rows(
            f"SELECT usage_unknown, prompt_tokens FROM ledger.attempt WHERE status = '{status}'"
        )
        assert unknown == is_billed
        assert bound > 900 if is_billed else bound in (0, 900)


@pytest.mark.slow
def test_tries_are_bounded_and_the_row_says_why(
    desk: MakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("towbench.udfs.gate._FIRST_BACKOFF_S", 0.1)
    with serving(lambda asked, n: refuse(500)) as endpoint:
        one = desk(endpoint.url)
        started = time.monotonic()
        assert one.ask() == [(None, "http_5xx", None)]
        assert len(endpoint.asked) == 5
        assert time.monotonic() - started > 0.5 * (0.1 + 0.2 + 0.4 + 0.8)
        assert one.rows("SELECT * FROM ledger.hit") == []


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (chat(None, refusal="I will not."), "refused"),
        (chat("", finish="content_filter"), "filtered"),
        (
            score(7) | {"usage": {"prompt_tokens": 40, "completion_tokens": 20}},
            "prompt_cut",
        ),
    ],
)
def test_what_asking_again_would_not_change_is_final(
    desk: MakeDesk, reply: dict[str, Any], status: str
) -> None:
    """cases F 29 among them: a prompt cut without a word is no judgement."""
    with serving(lambda asked, n: reply) as endpoint:
        one = desk(endpoint.url)
        assert one.ask() == [(None, status, None)]
        assert len(endpoint.asked) == 1
        assert one.rows("SELECT status FROM ledger.hit") == [(status,)]
        assert one.rows("SELECT count(*) FROM ledger.reply") == [(0,)]


def test_a_cut_reply_gets_twice_the_budget_once(desk: MakeDesk) -> None:
    """cases A 8."""
    cut = chat('{"score": 8, "reason": "The ending', finish="length")
    with serving(lambda asked, n: cut if asked.body["max_tokens"] < 200 else score(8)) as endpoint:
        one = desk(endpoint.url)
        assert one.ask() == [('{"score": 8}', "ok", None)]
        assert [asked.body["max_tokens"] for asked in endpoint.asked] == [100, 200]
        assert one.attempts() == ["truncated", "ok"]


def test_a_thought_that_never_ends_is_truncated(desk: MakeDesk) -> None:
    """cases A 5."""
    with serving(lambda asked, n: chat("<think>it is a 4, no, a")) as endpoint:
        one = desk(endpoint.url)
        assert one.ask() == [(None, "truncated", None)]
        assert len(endpoint.asked) == 2


def test_an_unreadable_reply_is_asked_again_once_with_its_fault(desk: MakeDesk) -> None:
    def script(asked: Asked, n: int) -> Reply:
        return chat('{"score": 98}') if n == 0 else score(9)

    with serving(script) as endpoint:
        one = desk(endpoint.url)
        assert one.ask() == [('{"score": 9}', "ok", None)]
        again = endpoint.asked[1].body["messages"]
        assert [message["role"] for message in again] == ["user", "assistant", "user"]
        assert again[1]["content"] == '{"score": 98}'
        assert "out_of_range (score=98)" in again[2]["content"]
        assert one.rows("SELECT status, value FROM ledger.reply ORDER BY status") == [
            ("ok", '{"score": 9}'),
            ("out_of_range", None),
        ]


def test_after_one_more_try_the_fault_stands(desk: MakeDesk) -> None:
    """cases B 11: failure to judge never becomes a score."""
    with serving(lambda asked, n: chat("I cannot evaluate this.")) as endpoint:
        one = desk(endpoint.url)
        assert one.ask() == [(None, "unparsable", "no_verdict")]
        assert len(endpoint.asked) == 2
        assert one.rows("SELECT status FROM ledger.hit") == [("ok",)]


@pytest.mark.parametrize("code", [400, 422])
@pytest.mark.parametrize("accepted", ["json_object", "text"])
def test_the_form_of_the_reply_is_probed_once_per_model(
    desk: MakeDesk, accepted: str, code: int
) -> None:
    """cases A 10."""

    def script(asked: Asked, n: int) -> Reply:
        if asked.form == accepted:
            return chat("Fair.\n[[7]]") if accepted == "text" else score(7)
        return refuse(code, f"{asked.form} is not supported")

    with serving(script) as endpoint:
        one = desk(endpoint.url, concurrency=8)
        assert {(value, status) for value, status, _ in one.ask(40)} == {('{"score": 7}', "ok")}
        forms = [asked.form for asked in endpoint.asked]
        assert forms.count("json_schema") == 1
        assert len(forms) == (42 if accepted == "text" else 41)
        assert all(
            "json" in asked.prompt.lower() for asked in endpoint.asked if asked.form != "text"
        )


def test_a_400_is_that_rows_status(desk: MakeDesk) -> None:
    def script(asked: Asked, n: int) -> Reply:
        return refuse(400, "too long") if "poison" in asked.prompt else score(7)

    with serving(script) as endpoint:
        one = desk(endpoint.url)
        one.add("0" * 64)
        one.add("1" * 64, text=ESSAY + "poison")
        assert one.ask() == [('{"score": 7}', "ok", None), (None, "http_4xx", "http_400")]
        assert one.client.stopped is None
        # The form was known by then or found wanting in every form: no endless probing.
        assert len(endpoint.asked) <= 4


@pytest.mark.parametrize(
    ("fault", "setting"),
    [
        (lambda: refuse(401, f"bad key {KEY}"), "TOWBENCH_LOCAL_API_KEY or TOWBENCH_API_KEY"),
        (lambda: refuse(403), "TOWBENCH_LOCAL_API_KEY or TOWBENCH_API_KEY"),
        (lambda: refuse(404), "TOWBENCH_LOCAL_BASE_URL or TOWBENCH_BASE_URL"),
        (
            lambda: web.json_response(
                {"error": {"message": "pay", "code": "insufficient_quota"}}, status=429
            ),
            "quota",
        ),
    ],
)
def test_a_fault_of_the_settings_stops_the_run_once(
    desk: MakeDesk, fault: Callable[[], Reply], setting: str
) -> None:
    with serving(lambda asked, n: fault()) as endpoint:
        one = desk(endpoint.url, concurrency=4)
        answers = one.ask(100)
        assert len(answers) == 100 and all(value is None for value, _, _ in answers)
        assert len(endpoint.asked) <= 4
        assert setting in str(one.client.stopped)
        assert KEY not in str(one.client.stopped)
        unsent = [reason for _, status, reason in answers if status == "not_in_ledger"]
        assert len(unsent) >= 96 and set(unsent) == {"stopped"}


@pytest.mark.slow
def test_a_run_whose_first_requests_are_all_refused_stops(desk: MakeDesk) -> None:
    with serving(lambda asked, n: refuse(400, "temperature and top_p together")) as endpoint:
        one = desk(endpoint.url, concurrency=2)
        answers = one.ask(200)
        assert "temperature and top_p together" in str(one.client.stopped)
        assert len(endpoint.asked) <= 4 * 25
        assert sum(status == "http_4xx" for _, status, _ in answers) >= 20


def test_an_address_where_nobody_is_stops_the_run(desk: MakeDesk) -> None:
    one = desk("http://127.0.0.1:9/v1")
    assert {status for _, status, _ in one.ask(50)} <= {"not_in_ledger", "dropped"}
    assert "TOWBENCH_LOCAL_BASE_URL or TOWBENCH_BASE_URL" in str(one.client.stopped)
    assert one.rows("SELECT max(cost) FROM ledger.attempt") == [(0.0,)]


@pytest.mark.parametrize(
    ("url", "settings", "setting"),
    [
        (None, {}, "TOWBENCH_LOCAL_BASE_URL"),
        ("http://127.0.0.1:9/v1", {"api_key": None}, "TOWBENCH_LOCAL_API_KEY"),
        ("http://127.0.0.1:9/v1", {"api_key": "sk-密钥"}, "TOWBENCH_LOCAL_API_KEY"),
        ("http://127.0.0.1:9/v1", {"api_key": "sk-a\r\nHost: b"}, "TOWBENCH_LOCAL_API_KEY"),
        ("127.0.0.1:9/v1", {}, "TOWBENCH_LOCAL_BASE_URL"),
        ("http:///v1", {}, "TOWBENCH_LOCAL_BASE_URL"),
        ("http://me:secret@127.0.0.1:9/v1", {}, "TOWBENCH_LOCAL_BASE_URL"),
    ],
)
def test_a_missing_setting_is_named_before_any_call(
    desk: MakeDesk, url: str | None, settings: dict[str, Any], setting: str
) -> None:
    one = desk(url, **settings)
    assert one.ask(3) == [(None, "not_in_ledger", "stopped")] * 3
    assert setting in str(one.client.stopped)
    assert one.rows("SELECT count(*) FROM ledger.attempt") == [(0,)]


def test_the_key_is_nowhere(desk: MakeDesk, caplog: pytest.LogCaptureFixture) -> None:
    def script(asked: Asked, n: int) -> Reply:
        if n == 0:
            return refuse(500, f"proxy said: Authorization: Bearer {KEY}")
        return chat(json.dumps({"reason": f"I saw {KEY}", "score": 7}))

    caplog.set_level(logging.DEBUG)
    with serving(script) as endpoint:
        one = desk(endpoint.url)
        assert one.ask()[0][1] == "ok"
        assert one.rows("SELECT rationale FROM pending.answer") == [("I saw ***",)]
        one.con.execute("CHECKPOINT ledger")
    assert KEY not in caplog.text
    for file in one.folder.iterdir():
        assert KEY.encode() not in file.read_bytes(), file.name


def test_a_stop_lets_calls_in_flight_end(desk: MakeDesk) -> None:
    stops: list[Callable[[], None]] = []

    def script(asked: Asked, n: int) -> Reply:
        if n == 6:
            stops[0]()
        return score(7)

    with serving(script, latency=0.1) as endpoint:
        one = desk(endpoint.url, concurrency=4)
        stops.append(one.client.stop)
        answers = one.ask(200)
        assert one.client.stopped is None
        done = [status for _, status, _ in answers if status == "ok"]
        assert 7 <= len(done) == len(endpoint.asked) < 30
        assert {status for _, status, _ in answers} == {"ok", "not_in_ledger"}
        assert one.rows("SELECT count(*) FROM ledger.hit") == [(len(done),)]
        unsent = one.rows(
            "SELECT DISTINCT cost, usage_unknown FROM ledger.attempt WHERE status <> 'ok'"
        )
        assert set(unsent) <= {(0.0, False)}


def test_replay_makes_no_call(desk: MakeDesk) -> None:
    with serving(lambda asked, n: score(7)) as endpoint:
        one = desk(endpoint.url, transport="replay")
        assert one.ask(3) == [(None, "not_in_ledger", "replay")] * 3
        assert endpoint.asked == [] and one.client.stopped is None


def test_a_rate_limit_spaces_the_requests(desk: MakeDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOWBENCH_LOCAL_RPM", "600")
    with serving(lambda asked, n: score(7)) as endpoint:
        one = desk(endpoint.url)
        one.ask(10)
        assert endpoint.asked[-1].at - endpoint.asked[0].at >= 0.85


def test_an_endpoint_is_asked_in_its_own_language(desk: MakeDesk) -> None:
    with serving(lambda asked, n: chat("从前有一条河。")) as endpoint:
        one = desk(endpoint.url)
        one.add(
            "w" * 64,
            prompt_id="write_v1.zh",
            reference=None,
            text=None,
            sampling='{"temperature": 0.7, "top_p": 0.8, "top_k": 20, "max_tokens": 16000}',
        )
        assert one.ask(function="write_candidate")[0][0] == '{"text": "从前有一条河。"}'
        [asked] = endpoint.asked
        assert asked.body["top_k"] == 20 and "response_format" not in asked.body


def test_the_ledger_survives_a_failing_statement(desk: MakeDesk) -> None:
    """cases D 20: what is paid for is kept, whatever becomes of the statement."""
    with serving(lambda asked, n: score(7)) as endpoint:
        one = desk(endpoint.url)
        for i in range(10):
            one.add(f"{i:064}")
        one.con.begin()
        one.con.execute(CALL.format(function="score_leaf"))
        one.con.rollback()
        one.ledger.flush()
        assert one.rows("SELECT count(*) FROM pending.answer") == [(0,)]
        assert one.rows("SELECT count(*) FROM ledger.hit") == [(10,)]
        assert len(endpoint.asked) == 10


def test_a_closed_ledger_stops_the_calls(desk: MakeDesk) -> None:
    with serving(lambda asked, n: score(7)) as endpoint:
        one = desk(endpoint.url)
        one.ledger.close()
        for i in range(3):
            one.add(f"{i:064}")
        one.con.execute(CALL.format(function="score_leaf"))
        assert one.rows("SELECT DISTINCT status FROM pending.answer") == [("not_in_ledger",)]
        assert "ledger" in str(one.client.stopped)
        assert endpoint.asked == []
        one.ledger = LedgerWriter(duckdb.connect())
