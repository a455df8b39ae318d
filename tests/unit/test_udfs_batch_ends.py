"""cases E28: whatever way a batch ends, what it answered is kept and only the rest is sent again."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from towbench.schemas.settings import Settings
from towbench.tests.scripted_batches import (
    BatchEndpoint,
    End,
    Line,
    Script,
    answered,
    serving_batches,
    unanswered,
)
from towbench.tests.scripted_endpoint import ESSAY, chat
from towbench.tests.unit.test_udfs_batch import BatchDesk, N, ledger_rows
from towbench.udfs import batch
from towbench.udfs.client_batch import BatchApi, Unreachable

PRICE = (900 * 100 + 20 * 200) / 2e6
"""USD that one scripted answer costs in a batch."""


def completed(keys: list[str]) -> End:
    return End(output=[answered(key) for key in keys])


def run(
    folder: Path, script: Script, n: int = 5, **settings: Any
) -> tuple[BatchEndpoint, dict[str, str], BatchDesk]:
    with serving_batches(script) as endpoint:
        desk = BatchDesk(folder, endpoint.url, **settings)
        desk.fill(n)
        keys = [key for (key,) in desk.rows("SELECT call_key FROM pending.request")]
        desk.ask()
        answers = desk.rows("SELECT call_key, status FROM pending.answer")
        desk.close()
    assert sorted(key for key, _ in answers) == sorted(keys)
    return endpoint, dict(answers), desk


def attempts(folder: Path) -> list[tuple[Any, ...]]:
    """status, usage_unknown, cost and error of the attempts."""
    return ledger_rows(
        folder,
        "SELECT status, usage_unknown, round(cost, 9), error FROM attempt ORDER BY ALL",
    )


def test_three_answers_an_error_line_and_a_missing_one(tmp_path: Path) -> None:
    """The input of cases E28: expired, 3 answers, 1 error line, 1 missing."""

    def script(keys: list[str], number: int) -> End:
        if number:
            return completed(keys)
        return End("expired", [answered(key) for key in keys[:3]], [unanswered(keys[3])])

    endpoint, answers, _ = run(tmp_path, script)
    assert set(answers.values()) == {"ok"} and len(answers) == 5
    first, second = endpoint.asked
    assert second == first[3:]
    found = Counter((status, unknown) for status, unknown, *_ in attempts(tmp_path))
    assert found == {("ok", False): 5, ("dropped", False): 1, ("dropped", True): 1}
    ((free,),) = ledger_rows(tmp_path, "SELECT cost FROM attempt WHERE error LIKE 'batch line:%'")
    assert free == 0
    ((bound, is_above),) = ledger_rows(
        tmp_path,
        f"SELECT cost, cost > {PRICE} FROM attempt WHERE usage_unknown",
    )
    assert bound is not None and is_above
    ((known,),) = ledger_rows(tmp_path, "SELECT sum(cost) FROM outcome")
    assert known == pytest.approx(5 * PRICE)


@pytest.mark.parametrize(
    ("status", "n_output"), [("expired", 2), ("cancelled", 2), ("cancelled", 0), ("completed", 2)]
)
def test_a_batch_that_ends_early_keeps_what_was_paid(
    status: str, n_output: int, tmp_path: Path
) -> None:
    """Completed without an output file among them: nothing is read as an answer."""

    def script(keys: list[str], number: int) -> End:
        if number:
            return completed(keys)
        return End(status, [answered(key) for key in keys[:n_output]])

    endpoint, answers, _ = run(tmp_path, script)
    assert set(answers.values()) == {"ok"}
    assert endpoint.asked[1] == endpoint.asked[0][n_output:] and len(endpoint.asked) == 2
    assert ledger_rows(tmp_path, "SELECT count(*) FROM open_batch") == [(0,)]
    told = {row[3] for row in attempts(tmp_path) if row[0] == "dropped"}
    assert told == {f"batch {status}: no result for this line"}


def test_a_batch_nobody_knows_any_more_is_submitted_again(tmp_path: Path) -> None:
    """What it may have cost is told as an upper bound."""
    endpoint, answers, _ = run(
        tmp_path, lambda keys, number: completed(keys) if number else End(is_gone=True)
    )
    assert set(answers.values()) == {"ok"} and len(endpoint.asked) == 2
    lost = [row for row in attempts(tmp_path) if row[0] == "dropped"]
    assert len(lost) == 5
    assert all(
        unknown and cost > PRICE and "batch lost" in error for _, unknown, cost, error in lost
    )


def test_a_batch_that_fails_stops_the_run_and_costs_nothing(tmp_path: Path) -> None:
    endpoint, answers, desk = run(tmp_path, lambda keys, number: End("failed", errors="bad line 1"))
    assert set(answers.values()) == {"not_in_ledger"} and len(endpoint.asked) == 1
    assert desk.client.stopped and "bad line 1" in desk.client.stopped
    assert {row[:3] for row in attempts(tmp_path)} == {("dropped", False, 0.0)}


def test_a_batch_that_always_comes_back_empty_ends_in_a_status(tmp_path: Path) -> None:
    """No endless loop: as many batches as a request has tries."""
    endpoint, answers, _ = run(tmp_path, lambda keys, number: End("expired"))
    assert set(answers.values()) == {"dropped"} and len(endpoint.asked) == 5


def test_an_id_that_comes_twice_or_is_not_ours_changes_nothing(tmp_path: Path) -> None:
    other = {"reason": "another", "score": 2}

    def script(keys: list[str], number: int) -> End:
        twice: list[Line] = [answered(key) for key in keys] + [answered("stranger")]
        return End(output=[*twice, answered(keys[0], body={"choices": [], "x": other})])

    endpoint, answers, _ = run(tmp_path, script)
    assert len(endpoint.asked) == 1 and set(answers.values()) == {"ok"}
    assert ledger_rows(tmp_path, "SELECT count(*) FROM attempt") == [(5,)]


def test_the_error_file_is_read_line_by_line(tmp_path: Path) -> None:
    """A 429, a 500 and a 400 in it: two are sent again, the last is its row's status."""

    bad = hashlib.sha256(b"0").hexdigest()
    error = {"error": {"message": "too long"}}

    def script(keys: list[str], number: int) -> End:
        codes = {key: 400 for key in keys if key == bad}
        if number == 0:
            codes |= dict(zip([key for key in keys if key != bad], (429, 500), strict=False))
        return End(
            output=[answered(key) for key in keys if key not in codes],
            error=[answered(key, code, error) for key, code in codes.items()],
        )

    _, answers, desk = run(tmp_path, script)
    assert answers[bad] == "http_4xx"
    assert Counter(answers.values()) == {"ok": 4, "http_4xx": 1}
    assert desk.client.stopped is None
    statuses = Counter(row[0] for row in attempts(tmp_path))
    assert (statuses["ok"], statuses["http_429"], statuses["http_5xx"]) == (4, 1, 1)


def test_an_unknown_model_stops_the_run(tmp_path: Path) -> None:
    """Not one line after another, batch after batch."""
    error = {"error": {"message": "no such model", "code": "model_not_found"}}

    def script(keys: list[str], number: int) -> End:
        return End(error=[answered(key, 404, error) for key in keys])

    endpoint, answers, desk = run(tmp_path, script, judges="local/rules-1")
    assert set(answers.values()) == {"http_4xx"} and len(endpoint.asked) == 1
    assert desk.client.stopped and "TOWBENCH_JUDGES (local/rules-1)" in desk.client.stopped


def test_what_the_model_cannot_take_in_is_in_no_batch(tmp_path: Path) -> None:
    """cases F29: the context guard of live calls holds for batches."""
    with serving_batches(lambda keys, number: completed(keys)) as endpoint:
        desk = BatchDesk(tmp_path, endpoint.url, context="local=5000")
        desk.fill(2)
        desk.add("f" * 64, model="local/rules-1", text=ESSAY * 100)
        *short, long = desk.ask()
        desk.close()
    assert [status for _, status, _ in short] == ["ok", "ok"]
    assert long[:2] == (None, "prompt_cut") and long[2].endswith(">5000")
    assert len(endpoint.bodies) == 2 and "f" * 64 not in endpoint.bodies
    assert ledger_rows(tmp_path, "SELECT count(*) FROM intent") == [(2,)]


def test_nothing_in_a_result_line_can_spoil_the_ledger(tmp_path: Path) -> None:
    """Lone surrogates, a status that is no status, a line without any sense: each its own row."""
    lone = "\ud83d"

    def script(keys: list[str], number: int) -> End:
        if number:
            return completed(keys)
        body = chat('{"reason": "r", "score": 7}') | {"model": lone, "note": lone}
        error = {"custom_id": keys[1], "response": None, "error": {"message": lone}}
        return End(
            output=[answered(keys[0], body=body), answered(keys[2], 10**30)],
            error=[error, {"custom_id": [], "response": 7}, answered(keys[3], True)],
        )

    endpoint, answers, desk = run(tmp_path, script)
    assert set(answers.values()) == {"ok"} and desk.client.stopped is None
    assert len(endpoint.asked) == 2 and len(endpoint.asked[1]) == 4
    assert ledger_rows(tmp_path, "SELECT count(*) FROM outcome") == [(9,)]


def test_a_batch_nobody_confirmed_is_looked_for_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was created, the answer got lost, and then the endpoint stayed away until the run gave up."""
    monkeypatch.setattr(batch, "_TRIES", 2)
    call = BatchApi._call

    def mute(self: BatchApi, method: str, path: str, **sent: Any) -> dict[str, Any]:
        if path.startswith("/batches?"):
            raise Unreachable("nobody there")
        found = call(self, method, path, **sent)
        if (method, path) == ("POST", "/batches"):
            raise Unreachable("the answer got lost")
        return found

    with serving_batches(lambda keys, number: completed(keys)) as endpoint:
        with monkeypatch.context() as patch:
            patch.setattr(BatchApi, "_call", mute)
            desk = BatchDesk(tmp_path, endpoint.url)
            assert set(desk.score().values()) == {"not_in_ledger"}
            desk.close()
        desk = BatchDesk(tmp_path, endpoint.url)
        assert set(desk.score().values()) == {"ok"}
        desk.close()
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (web.Response(text="<html>"), "BASE_URL"),
        (web.Response(text="[1]"), "BASE_URL"),
        (web.Response(status=402), "quota"),
        (
            web.json_response(
                {"error": {"message": "none left", "code": "insufficient_quota"}}, status=429
            ),
            "quota",
        ),
        (None, "BASE_URL"),
    ],
)
def test_settings_that_cannot_work_stop_a_batch_at_once(
    answer: web.Response | None, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def upload(self: BatchEndpoint, request: web.Request) -> web.Response:
        assert answer is not None
        return answer

    monkeypatch.setattr(BatchEndpoint, "upload", upload)
    with serving_batches(lambda keys, number: completed(keys)) as endpoint:
        url = endpoint.url if answer else "http://127.0.0.1:9/v1"
        desk = BatchDesk(tmp_path, url, batch_poll=60)
        assert set(desk.score().values()) == {"not_in_ledger"}
        desk.close()
    assert desk.client.stopped and says in desk.client.stopped
    assert ledger_rows(tmp_path, "SELECT sum(cost), count(*) FROM attempt") == [(0.0, N)]


def test_money_is_set_aside_before_a_batch_is_sent(tmp_path: Path) -> None:
    """What is reserved at batch price never passes the budget; the rest waits for what comes back."""
    sent: list[float] = []

    def script(keys: list[str], number: int) -> End:
        sent.append(sum(bounds[key] for key in keys))
        return completed(keys)

    with serving_batches(lambda keys, number: completed(keys)) as endpoint:
        desk = BatchDesk(tmp_path / "a", endpoint.url)
        desk.fill(20)
        desk.ask()
        rows = desk.rows("SELECT call_key, cost_bound FROM ledger.intent")
        bounds: dict[str, float] = dict(rows)
        desk.close()
    one = max(bounds.values())
    endpoint, answers, desk = run(tmp_path, script, n=20, budget=one * 6)
    assert len(endpoint.asked) > 1
    assert all(total <= one * 6 for total in sent)
    spent = desk.client.purse.spent
    assert (
        spent == pytest.approx(sum(s == "ok" for s in answers.values()) * PRICE)
        and spent <= one * 6
    )
    assert set(answers.values()) <= {"ok", "skipped_budget"}


def test_what_a_reply_in_a_batch_lacks_is_asked_again_in_the_next(tmp_path: Path) -> None:
    """An unreadable reply is quoted with its fault; a cut one gets twice the budget."""
    cut = {"choices": [{"finish_reason": "length", "message": {"content": "{"}}]}
    bad = {"choices": [{"finish_reason": "stop", "message": {"content": '{"score": 98}'}}]}

    def script(keys: list[str], number: int) -> End:
        if number:
            return completed(keys)
        first, second, *rest = keys
        return End(
            output=[answered(first, body=cut), answered(second, body=bad), *map(answered, rest)]
        )

    endpoint, answers, _ = run(tmp_path, script)
    assert set(answers.values()) == {"ok"}
    first, second = endpoint.asked[0][:2]
    assert endpoint.bodies[first]["max_tokens"] == 200
    assert [m["role"] for m in endpoint.bodies[second]["messages"]] == [
        "user", "assistant", "user",
    ]  # fmt: skip


@pytest.mark.parametrize("odd", [5, "none", [5, None], {"data": 5}, {"data": [5]}])
def test_a_batch_told_of_in_an_odd_way_is_told_of(
    odd: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its faults nor a list of batches need be what the API says."""
    settings = Settings(base_url="http://127.0.0.1:9/v1", api_key="key")
    api = BatchApi(settings.provider("local/"), 1.0, str)
    monkeypatch.setattr(
        api, "_call", lambda *sent: {"status": "failed", "errors": odd, "data": odd}
    )
    assert api.poll("b").status == "failed" and api.find("ours") is None
    api.close()
