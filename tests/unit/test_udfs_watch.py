"""Which answers stop a run, and what the user is told."""

import pytest

from towbench.udfs.response import FREE, Response, Usage
from towbench.udfs.watch import Watch

MODEL = "my-host/judge"


def watch(alias: str, host: str, concurrency: int) -> Watch:
    return Watch(alias, host, concurrency, lambda model: f"TOWBENCH_JUDGES ({model})")


def answer(status: int, code: str = "") -> Response:
    body = f'{{"error": {{"message": "said", "code": "{code}"}}}}'
    return Response("any", FREE, status, body=body, error="said")


@pytest.mark.parametrize(
    ("response", "named"),
    [
        (answer(401), "TOWBENCH_MY_HOST_API_KEY or TOWBENCH_API_KEY"),
        (answer(403), "TOWBENCH_MY_HOST_API_KEY"),
        (answer(404), "TOWBENCH_MY_HOST_BASE_URL"),
        (answer(400, "model_not_found"), MODEL),
        (answer(429, "insufficient_quota"), "quota"),
        (answer(402), "quota"),
    ],
)
def test_a_fault_of_the_settings_is_told_with_what_the_endpoint_said(
    response: Response, named: str
) -> None:
    message = watch("my-host", "host.example", 4).fault(MODEL, response)
    assert message is not None
    assert named in message and "host.example" in message and "said" in message


@pytest.mark.parametrize("status", [200, 400, 408, 429, 500, 503])
def test_what_may_pass_or_concerns_one_row_stops_nothing(status: int) -> None:
    one = watch("a", "host", 4)
    assert [one.fault(MODEL, answer(status)) for _ in range(50)] == [None] * 50


def test_nobody_there_is_a_fault_only_while_nobody_ever_answered() -> None:
    absent = Response("dropped", FREE, error="refused")
    never = watch("a", "host", 4)
    assert [bool(never.fault(MODEL, absent)) for _ in range(4)] == [False, False, True, True]
    before = watch("a", "host", 4)
    before.fault(MODEL, answer(500))
    assert not any(before.fault(MODEL, absent) for _ in range(10))
    lossy = watch("a", "host", 4)
    assert not any(lossy.fault(MODEL, Response("timeout", Usage())) for _ in range(10))


def test_twenty_refusals_and_nothing_else_stop_the_run() -> None:
    one = watch("a", "host", 4)
    told = [one.refusal(MODEL, answer(400)) for _ in range(20)]
    assert told[:-1] == [None] * 19 and MODEL in str(told[-1])
    one.fault(MODEL, answer(200))
    assert one.refusal(MODEL, answer(400)) is None


@pytest.mark.parametrize(("status", "setting"), [(429, "A_CONCURRENCY"), (500, "A_BASE_URL")])
def test_an_outage_that_does_not_end_stops_the_run(status: int, setting: str) -> None:
    one = watch("a", "host", 4)
    for _ in range(63):
        assert one.fault(MODEL, answer(status)) is None
    assert one.failed_rounds == 15
    one.fault(MODEL, answer(200))
    assert one.failed_rounds == 0
    told = [one.fault(MODEL, answer(status)) for _ in range(64)]
    assert told[:-1] == [None] * 63 and setting in str(told[-1])


@pytest.mark.parametrize("status", ["dropped", "error_in_200"])
def test_a_200_without_a_completion_is_a_failure(status: str) -> None:
    """At once where nothing else ever came: a web page, no API; else like any outage."""
    page = Response(status, Usage(), 200, body="<html>", error="the body is no JSON")
    never = watch("a", "host", 4)
    told = [never.fault(MODEL, page) for _ in range(20)]
    assert told[:-1] == [None] * 19 and "A_BASE_URL" in str(told[-1])
    later = watch("a", "host", 4)
    later.fault(MODEL, answer(200))
    told = [later.fault(MODEL, page) for _ in range(64)]
    assert told[:-1] == [None] * 63 and "A_BASE_URL" in str(told[-1])
