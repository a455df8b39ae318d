"""The fake endpoint over HTTP, as the OpenAI client sees it."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from statistics import mean

import httpx2
import openai
import pytest

from towbench.prompts import load_prompts, render
from towbench.tests.project import Project
from towbench.udfs.embedded.endpoint import Options, running
from towbench.udfs.embedded.endpoint_options import Latency

PROMPT = load_prompts()["logic_v1.en"]
TEXT = "The ferry left at dawn and the old man counted the gulls above the water. " * 3
CONTENT = render(PROMPT, {name: TEXT for name in PROMPT.slots}, "f00d")


def client(url: str, **settings: object) -> openai.OpenAI:
    return openai.OpenAI(base_url=url, api_key="any", max_retries=0, **settings)  # type: ignore[arg-type]


def post(url: str, **body: object) -> httpx2.Response:
    asked = {"model": "rules-1", "messages": [{"role": "user", "content": CONTENT}]} | body
    return httpx2.post(f"{url}/chat/completions", json=asked, timeout=5)


def test_the_openai_client_is_served() -> None:
    with running(Options()) as endpoint:
        api = client(endpoint.url)
        assert {"rules-1", "lead-half"} <= {model.id for model in api.models.list()}
        vectors = api.embeddings.create(model="embedding-1", input=["甲乙", "丙"]).data
        assert [round(sum(x * x for x in one.embedding), 5) for one in vectors] == [1.0, 1.0]
        reply = api.chat.completions.create(
            model="rules-1", messages=[{"role": "user", "content": CONTENT}]
        )
        assert "[[" in (reply.choices[0].message.content or "")
        assert (reply.model, reply.system_fingerprint) == ("rules-1-served", "fp_towbench_1")
        assert reply.usage and reply.usage.prompt_tokens > 200
        [record] = endpoint.records
        assert record.usage == (reply.usage.prompt_tokens, reply.usage.completion_tokens)
        counts = httpx2.get(endpoint.url.removesuffix("/v1") + "/counts").json()
        assert (counts["requests"], counts["replies"], counts["fault_none"]) == (2, 2, 1)


def test_it_listens_on_loopback_only() -> None:
    with pytest.raises(ValueError, match="loopback"), running(Options(host="0.0.0.0")):
        pass


def test_wrong_keys_models_and_bodies_are_refused() -> None:
    with running(Options(key="right")) as endpoint:
        with pytest.raises(openai.AuthenticationError):
            client(endpoint.url).models.list()
        assert post(endpoint.url).status_code == 401
    with running(Options()) as endpoint:
        wrong = post(endpoint.url, model="gpt-9")
        assert (wrong.status_code, wrong.json()["error"]["code"]) == (404, "model_not_found")
        assert post(endpoint.url, messages="hello").status_code == 400
        assert httpx2.post(f"{endpoint.url}/chat/completions", content=b"{").status_code == 400


def test_429_says_how_long_in_three_ways() -> None:
    for name, header in (("http_429", "retry-after"), ("http_429_ms", "retry-after-ms")):
        with running(Options(faults=f"{name}=1", pause=2)) as endpoint:
            reply = post(endpoint.url)
            assert reply.status_code == 429 and 0 < int(reply.headers[header]) <= 2000
    with running(Options(faults="http_429_date=1", pause=2)) as endpoint:
        date = parsedate_to_datetime(post(endpoint.url).headers["retry-after"])
        assert -1 < (date - datetime.now(UTC)).total_seconds() <= 3


def test_who_comes_before_the_pause_is_over_gets_a_429() -> None:
    with running(Options(faults="http_429=0.2", seed=1, pause=30)) as endpoint:
        statuses = []
        while 429 not in statuses:
            statuses.append(post(endpoint.url).status_code)
        assert [post(endpoint.url).status_code for _ in range(5)] == [429] * 5
        assert {record.fault for record in endpoint.records[-5:]} == {"http_429"}


def test_connections_break() -> None:
    with running(Options(faults="reset=1")) as endpoint:
        with pytest.raises(httpx2.HTTPError):
            post(endpoint.url)
        assert [record.sent for record in endpoint.records] == [False]
    with running(Options(faults="stall=1")) as endpoint, pytest.raises(httpx2.TimeoutException):
        httpx2.post(
            f"{endpoint.url}/chat/completions",
            json={"model": "rules-1", "messages": [{"role": "user", "content": CONTENT}]},
            timeout=0.2,
        )
    with running(Options(faults="refuse=1", pause=3)) as endpoint:
        with pytest.raises(httpx2.HTTPError):
            post(endpoint.url)
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(f"{endpoint.url}/models")
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with suppress(httpx2.ConnectError):
                assert httpx2.get(f"{endpoint.url}/models").status_code == 200
                return
            time.sleep(0.1)
        pytest.fail("it never listened again")


def test_the_same_seed_gives_the_same_faults() -> None:
    seen = []
    for _ in range(2):
        with running(Options(faults="http_500=0.3,fenced=0.4", seed=7)) as endpoint:
            for _ in range(12):
                post(endpoint.url, response_format={"type": "json_object"})
            seen.append([record.fault for record in endpoint.records])
    assert seen[0] == seen[1] and {"http_500", "fenced", "none"} <= set(seen[0])


def test_a_model_that_refuses_json_schema() -> None:
    with running(Options(faults="json_schema_refused=1")) as endpoint:
        assert post(endpoint.url, response_format={"type": "json_schema"}).status_code == 400
        assert post(endpoint.url, response_format={"type": "json_object"}).status_code == 200


def test_latency_has_the_mean_and_the_tail_that_were_asked_for() -> None:
    latency = Latency.parse("lognormal:200,0.6,0.01")
    body = [latency.seconds((n + 0.5) / 2000, 0.5) for n in range(2000)]
    assert mean(body) == pytest.approx(0.2, rel=0.02)
    assert latency.seconds(0.5, 0.005) == pytest.approx(10 * latency.seconds(0.5, 0.5))
    with running(Options(latency="lognormal:150,0")) as endpoint:
        started = time.monotonic()
        post(endpoint.url)
        assert time.monotonic() - started >= 0.15
    with pytest.raises(ValueError, match="latency"):
        Latency.parse("normal:3")


def test_canned_answers_and_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with running(Options(canned='{"score": 7}', log=log)) as endpoint:
        said = post(endpoint.url, messages=[{"role": "user", "content": "hello"}]).json()
        assert said["choices"][0]["message"]["content"] == '{"score": 7}'
    assert log.read_text().count("\n") == 1 and '"fault": "none"' in log.read_text()


def test_the_command_names_faults_and_refuses_other_hosts(tmp_path: Path) -> None:
    project = Project(tmp_path)
    assert "think_open" in project.run("fake-endpoint", "--list-faults")
    assert "loopback" in project.run("fake-endpoint", "--host", "0.0.0.0", code=2)
