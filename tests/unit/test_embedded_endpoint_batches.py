"""Files and batches of the fake endpoint, through the OpenAI client (cases E 28)."""

from __future__ import annotations

import io
import json
import time

import openai
from openai.types import Batch

from towbench.prompts import load_prompts, render
from towbench.udfs.embedded.endpoint import Endpoint, Options, running

PROMPT = load_prompts()["logic_v1.en"]
TEXT = "The ferry left at dawn and the old man counted the gulls above the water. " * 3
N = 20


def lines() -> bytes:
    asked = []
    for n in range(N):
        content = render(PROMPT, {name: f"{n} {TEXT}" for name in PROMPT.slots}, f"f{n}")
        body = {"model": "rules-1", "messages": [{"role": "user", "content": content}]}
        line = {
            "custom_id": f"key-{n}",
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": body,
        }
        asked.append(json.dumps(line))
    return "\n".join(asked).encode()


def run(faults: str) -> tuple[Batch, list[str], dict[str, dict[str, object]], Endpoint]:
    """A batch at its end, statuses it went through, and its lines of both files by custom_id."""
    with running(Options(faults=faults, seed=1, batch_seconds=0.2)) as endpoint:
        api = openai.OpenAI(base_url=endpoint.url, api_key="any", max_retries=0)
        file = api.files.create(file=("in.jsonl", io.BytesIO(lines())), purpose="batch")
        batch = api.batches.create(
            input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h"
        )
        seen: list[str] = [batch.status]
        while batch.status not in ("completed", "expired"):
            time.sleep(0.03)
            batch = api.batches.retrieve(batch.id)
            seen.append(batch.status)
        assert [one.id for one in api.batches.list()] == [batch.id]
        found = {}
        for file_id in (batch.output_file_id, batch.error_file_id):
            if file_id:
                for line in api.files.content(file_id).text.splitlines():
                    found[json.loads(line)["custom_id"]] = json.loads(line)
        return batch, seen, found, endpoint


def test_a_batch_is_polled_to_its_end_and_counted() -> None:
    batch, seen, found, endpoint = run("")
    assert list(dict.fromkeys(seen)) == ["validating", "in_progress", "completed"]
    assert len(found) == N and batch.error_file_id is None
    bodies = [one["response"]["body"] for one in found.values()]  # type: ignore[index]
    tokens = sum(body["usage"]["prompt_tokens"] for body in bodies)
    assert (endpoint.counts["replies"], endpoint.counts["prompt_tokens"]) == (N, tokens)


def test_an_expired_batch_keeps_what_was_answered() -> None:
    batch, seen, found, _ = run("batch_expired=1")
    assert seen[-1] == "expired" and batch.output_file_id and batch.error_file_id
    codes = [(one.get("error") or {}).get("code") for one in found.values()]  # type: ignore[attr-defined]
    assert codes.count("batch_expired") == N // 2 and codes.count(None) == N // 2


def test_a_partial_batch_misses_lines_without_a_word() -> None:
    batch, _, found, _ = run("batch_partial=1")
    assert batch.status == "completed" and len(found) == N * 4 // 5


def test_lines_that_fail_are_in_the_error_file() -> None:
    batch, _, found, _ = run("http_500=0.5")
    statuses = [one["response"]["status_code"] for one in found.values()]  # type: ignore[index]
    assert batch.request_counts and batch.request_counts.failed == statuses.count(500) > 0
    assert statuses.count(200) == batch.request_counts.completed > 0
