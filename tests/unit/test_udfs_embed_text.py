"""Vectors of texts: from the embedded model and over HTTP, through the same path as a judge's reply."""

from __future__ import annotations

import asyncio
import json
import struct
import threading
import uuid
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from aiohttp import web

from towbench.prompts import load_prompts
from towbench.schemas.database import open_database
from towbench.schemas.settings import EMBEDDER, Settings
from towbench.udfs import embed_text, measure_similarity
from towbench.udfs.embed_text import pack, unpack
from towbench.udfs.embedded.embedder import embed
from towbench.udfs.embedded.endpoint import Options, running
from towbench.udfs.engine import Engine
from towbench.udfs.ledger import LedgerWriter
from towbench.udfs.reply import Asked, read
from towbench.udfs.request import Answer, Request
from towbench.udfs.response import read_response

TEXT = "老人在桥头站了很久。河水一寸一寸地涨，他想起年轻时渡河的夜晚，灯火在雨里晃。"
NEAR = "老人在桥头站了很久，河水一寸一寸地涨。他想起年轻时渡河，灯火在雨里晃。"
FAR = "The committee approved the annual budget after a short debate about printing costs."
SAMPLING = '{"encoding_format": "base64", "max_tokens": 0}'
VECTOR = [0.5, -0.25, 0.125]


class Desk:
    """A ledger and an engine that asks one endpoint, or the embedded model."""

    def __init__(self, con: duckdb.DuckDBPyConnection, **settings: Any) -> None:
        self.con = con
        self.ledger = LedgerWriter(con)
        chosen = {"api_key": "any-word", "request_timeout": 2.0} | settings
        self.engine = Engine(Settings.model_validate(chosen), self.ledger, uuid.uuid4())

    def ask(self, text: str = TEXT, model: str = "local/embedding-1") -> Answer:
        request = Request(
            embed_text, "e" * 64, model, "embed_v1.zh", 0, SAMPLING, "single", None, None, text, None
        )  # fmt: skip
        [answer] = self.engine.answer([request])
        self.ledger.flush()
        return answer

    def attempts(self, columns: str = "status") -> list[tuple[Any, ...]]:
        query = f"SELECT {columns} FROM ledger.attempt ORDER BY sent_at"
        return list(self.con.execute(query).fetchall())


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    con = open_database(tmp_path / "main.duckdb", tmp_path / "ledger.duckdb")
    opened: list[Desk] = []

    def open_desk(**settings: Any) -> Desk:
        opened.append(Desk(con, **settings))
        return opened[-1]

    yield open_desk
    for one in opened:
        one.engine.close()
        one.ledger.close()
    con.close()


MakeDesk = Callable[..., Desk]


@contextmanager
def serving(
    script: Callable[[dict[str, Any], int], web.Response | dict[str, Any]],
) -> Iterator[Any]:
    """An embedding endpoint on loopback that follows a script; yields its URL and what it was sent."""
    sent: list[dict[str, Any]] = []

    async def handle(request: web.Request) -> web.Response:
        sent.append(await request.json())
        reply = script(sent[-1], len(sent) - 1)
        return reply if isinstance(reply, web.Response) else web.json_response(reply)

    app = web.Application()
    app.router.add_post("/v1/embeddings", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    loop = asyncio.new_event_loop()
    loop.run_until_complete(runner.setup())
    loop.run_until_complete(web.TCPSite(runner, "127.0.0.1", 0).start())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1", sent
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def reply(vector: object) -> dict[str, Any]:
    return {
        "object": "list",
        "data": [{"object": "embedding", "index": 0, "embedding": vector}],
        "model": "served-1",
        "usage": {"prompt_tokens": 40, "total_tokens": 40},
    }


def base64_of(vector: list[float]) -> str:
    return b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def vector_of(answer: Answer) -> list[float]:
    assert answer.status == "ok" and answer.value is not None, answer
    return [float(number) for number in unpack(json.loads(answer.value)["embedding"])]


def cosine(one: str, other: str) -> float:
    values = [json.dumps({"embedding": pack(embed(text))}) for text in (one, other)]
    [row] = measure_similarity.run(*([pa.array([value])][0] for value in values)).to_pylist()
    assert row["status"] == "ok"
    return float(row["score"])


def test_the_bare_text_is_sent_and_its_vector_stored(desk: MakeDesk) -> None:
    with serving(lambda body, n: reply(base64_of(VECTOR))) as (url, sent):
        one = desk(base_url=url)
        assert vector_of(one.ask()) == VECTOR
        assert sent == [{"model": "embedding-1", "input": TEXT, "encoding_format": "base64"}]
        assert one.attempts(
            "status, prompt_tokens, completion_tokens, usage_unknown, served_model"
        ) == [("ok", 40, 0, False, "served-1")]
        [(value, text)] = one.con.execute("SELECT value, text FROM ledger.reply").fetchall()
        assert json.loads(value) == json.loads(text) == {"embedding": base64_of(VECTOR)}


def test_what_is_stored_can_be_read_again(desk: MakeDesk) -> None:
    with serving(lambda body, n: reply(VECTOR)) as (url, _):
        one = desk(base_url=url)
        answer = one.ask()
        [(body,)] = one.attempts("body")
        text = read_response(body, 200, "", False).text
        assert text is not None
        again = read(text, embed_text, Asked("zh"))
        assert answer.value is not None
        assert again.value == json.loads(answer.value)


def test_written_numbers_are_taken_where_base64_is_refused(desk: MakeDesk) -> None:
    def script(body: dict[str, Any], n: int) -> web.Response | dict[str, Any]:
        if "encoding_format" in body:
            error = {"error": {"message": "unknown parameter: encoding_format"}}
            return web.json_response(error, status=400)
        return reply(VECTOR)

    with serving(script) as (url, sent):
        one = desk(base_url=url)
        assert vector_of(one.ask()) == VECTOR
        assert len(sent) == 2
        assert one.attempts("status, error") == [
            ("http_4xx", "unknown parameter: encoding_format"),
            ("ok", "sent without encoding_format"),
        ]


def test_an_overloaded_endpoint_is_asked_again(desk: MakeDesk) -> None:
    def script(body: dict[str, Any], n: int) -> web.Response | dict[str, Any]:
        return web.json_response({}, status=503) if n == 0 else reply(VECTOR)

    with serving(script) as (url, _):
        one = desk(base_url=url)
        assert vector_of(one.ask()) == VECTOR
        assert one.attempts() == [("http_5xx",), ("ok",)]


@pytest.mark.parametrize(
    ("vector", "status", "reason"),
    [
        ("not base64!", "unparsable", "embedding=no_vector"),
        ("AAA=", "unparsable", "embedding=no_vector"),
        ([], "unparsable", "embedding=shape_(0,)"),
        ([[1.0]], "unparsable", "embedding=shape_(1, 1)"),
        (["a"], "unparsable", "embedding=no_vector"),
        ({"a": 1}, "unparsable", "embedding=no_vector"),
        ([0.0, 0.0], "out_of_range", "embedding=zero"),
        (base64_of([float("nan"), 1.0]), "out_of_range", "embedding=not_finite"),
        ([1e60, 1.0], "out_of_range", "embedding=not_finite"),
    ],
)
def test_what_is_no_vector_is_asked_for_again_and_then_a_reason(
    vector: object, status: str, reason: str, desk: MakeDesk
) -> None:
    with serving(lambda body, n: reply(vector)) as (url, sent):
        answer = desk(base_url=url).ask()
        assert (answer.value, answer.status, answer.reason) == (None, status, reason)
        assert len(sent) == 2


@pytest.mark.parametrize("body", [{"data": []}, {"data": [{}]}, {"data": [7]}])
def test_an_answer_without_a_vector_is_an_error_in_200(body: dict[str, Any]) -> None:
    found = read_response(json.dumps(body), 200, TEXT, False)
    assert (found.status, found.text, found.error) == ("error_in_200", None, "no embedding")


def test_an_endpoint_that_reads_a_part_of_the_text_is_found_out() -> None:
    body = reply(VECTOR) | {"usage": {"prompt_tokens": 8}}
    assert read_response(json.dumps(body), 200, "a word " * 50, False).status == "prompt_cut"


def test_the_test_double_embeds_over_http(desk: MakeDesk) -> None:
    with running(Options()) as endpoint:
        vector = vector_of(desk(base_url=endpoint.url).ask())
    assert sum(number * number for number in vector) == pytest.approx(1, abs=1e-5)


def test_a_price_of_prompt_tokens_alone_keeps_a_budget(desk: MakeDesk, tmp_path: Path) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text("model,since,input,output\nlocal/*,2026-01-01,1000,0\n")
    with serving(lambda body, n: reply(VECTOR)) as (url, _):
        one = desk(base_url=url, prices=prices, budget=1.0)
        assert one.ask().status == "ok"
        [(cost,)] = one.attempts("cost")
        assert cost == pytest.approx(40 * 1000 / 1e6)


def test_the_embedded_model_needs_no_endpoint(desk: MakeDesk) -> None:
    one = desk()
    vector = np.array(vector_of(one.ask(model=EMBEDDER)))
    assert vector == pytest.approx(embed(TEXT).astype(float))
    assert one.attempts("status, cost, served_model") == [("ok", 0.0, EMBEDDER)]
    [(body,)] = one.attempts("body")
    text = read_response(body, 200, "", False).text
    assert text is not None and read(text, embed_text, Asked("zh")).status == "ok"


def test_the_embedded_model_says_what_it_cannot_embed(desk: MakeDesk) -> None:
    one = desk()
    assert one.ask("太短了。", EMBEDDER)[1:4] == (None, "not_applicable", "too_few_letters")
    assert one.ask(model="embedded/ngrams-9").status == "not_in_ledger"
    assert "ngrams-9" in str(one.engine.stopped)


def test_spelling_makes_embedded_vectors_alike() -> None:
    assert cosine(TEXT, TEXT) == 1
    assert cosine(TEXT, NEAR) > 0.7
    assert abs(cosine(TEXT, FAR)) < 0.15
    assert cosine(TEXT, f"\n {TEXT}\n") == pytest.approx(1)
    # Pinned: a stored vector must stay comparable with one made today.
    pinned = embed("河水在夜里涨了三寸")
    assert [int(place) for place in pinned.nonzero()[0][:4]] == [111, 117, 168, 175]
    signs = [1, -1, 1, -1]
    assert pinned[[111, 117, 168, 175]].tolist() == pytest.approx(
        [0.229416 * s for s in signs], abs=1e-6
    )
    assert not embed(" \n").any()


def test_the_cosine_of_known_vectors() -> None:
    def value(*vector: float) -> str:
        return json.dumps({"embedding": pack(np.array(vector, np.float32))})

    rows = [
        (value(1, 0), value(0, 2)), (value(3, 4), value(4, 3)), (value(1, 1), value(-2, -2)),
        (value(1e-20, 0), value(1e20, 0)), (value(1), value(1, 2)),
    ]  # fmt: skip
    columns = [pa.chunked_array([pa.array(column)]) for column in zip(*rows, strict=True)]
    found = measure_similarity.run(*columns).to_pylist()
    assert [row["score"] for row in found] == [
        0, pytest.approx(24 / 25), pytest.approx(-1), pytest.approx(1), None,
    ]  # fmt: skip
    assert found[-1] == {"score": None, "status": "conflicting", "reason": "dimensions=1|2"}


def test_the_prompt_names_the_text_and_nothing_else() -> None:
    for lang in ("zh", "en"):
        prompt = load_prompts()[f"embed_v1.{lang}"]
        assert (prompt.slots, prompt.reply, prompt.range) == (("text",), embed_text.REPLY, None)
