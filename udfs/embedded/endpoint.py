"""A fake endpoint: an OpenAI-compatible server on loopback that answers with the embedded models.

A test double for users and for our own tests: it misbehaves on purpose, by seeded rates, and keeps
count of what it received and sent, so that a ledger can be compared with it.
"""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import math
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any, TextIO

from aiohttp import web

from towbench.udfs.embedded.embedder import embed
from towbench.udfs.embedded.endpoint_batches import Batches
from towbench.udfs.embedded.endpoint_faults import FAULTS, Fault, Profile, parse_rates
from towbench.udfs.embedded.endpoint_options import Latency, Options, Record
from towbench.udfs.embedded.endpoint_prompts import MODEL, count_tokens
from towbench.udfs.embedded.endpoint_replies import (
    EMBEDDING_MODEL,
    Desk,
    Reply,
    error_body,
)
from towbench.udfs.embedded.writers import WRITERS

_SLOW_FACTOR, _SLOW_LEAST_S = 20, 1.0
_LONGEST_STALL_S = 3600.0
_BODY_LIMIT = 2**28
_NO_PARAMETERS = ("messages", "response_format", "model")

__all__ = ["Endpoint", "Options", "Record", "running", "serve"]


class Endpoint:
    """The server; `start` it on the loop that it is to live on.

    Raises:
        ValueError: an option cannot be right, or the host is not loopback.
    """

    def __init__(self, options: Options) -> None:
        _check_loopback(options.host)
        profile = Profile(parse_rates(options.faults), options.seed)
        self.records: list[Record] = []
        self.port = options.port
        self._options = options
        self._profile = profile
        self._latency = Latency.parse(options.latency)
        self._desk = Desk(profile, options.canned)
        self._batches = Batches(self._desk, profile, options.batch_seconds, self._note_batch)
        self._counts: Counter[str] = Counter()
        self._busy_until = 0.0
        self._listener: asyncio.Server | None = None
        self._log: TextIO | None = options.log.open("a") if options.log else None
        app = web.Application(client_max_size=_BODY_LIMIT)
        app.router.add_routes(
            [
                web.post("/v1/chat/completions", self._chat),
                web.post("/v1/embeddings", self._embeddings),
                web.get("/v1/models", self._models),
                web.post("/v1/files", self._upload),
                web.get("/v1/files/{file_id}/content", self._download),
                web.post("/v1/batches", self._create_batch),
                web.get("/v1/batches", self._list_batches),
                web.get("/v1/batches/{batch_id}", self._poll_batch),
                web.post("/v1/batches/{batch_id}/cancel", self._cancel_batch),
                web.get("/counts", self._show_counts),
            ]
        )
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)

    @property
    def url(self) -> str:
        """The base URL that clients are given."""
        return f"http://{self._options.host}:{self.port}/v1"

    @property
    def counts(self) -> dict[str, int]:
        """Requests received, replies sent whole, tokens stated in those, requests by fault."""
        return dict(self._counts)

    async def start(self) -> None:
        """Listen."""
        await self._runner.setup()
        await self._listen()

    async def stop(self) -> None:
        """Close every connection."""
        if self._listener:
            self._listener.close()
        await self._runner.cleanup()
        if self._log:
            self._log.close()

    async def _listen(self) -> None:
        assert self._runner.server is not None
        self._listener = await asyncio.get_running_loop().create_server(
            self._runner.server, self._options.host, self.port, reuse_address=True, backlog=1024
        )
        self.port = self._listener.sockets[0].getsockname()[1]

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        at = time.time()
        if refusal := self._check_key(request):
            return refusal
        try:
            body = await request.json()
        except ValueError:
            return _json(400, error_body("the body is no JSON", "invalid_value"))
        if not isinstance(body, dict):
            return _json(400, error_body("the body is no object", "invalid_value"))
        reply = self._desk.answer(body)
        fault = self._rate_limit(reply)
        seconds = self._latency.seconds(
            self._profile.draw("latency", reply.call, reply.number),
            self._profile.draw("tail", reply.call, reply.number),
        )
        if fault.where == "time":
            seconds = max(seconds * _SLOW_FACTOR, _SLOW_LEAST_S)
        elif fault.where == "http":
            seconds = 0.0
        record = Record(
            at,
            request.headers.get("Idempotency-Key"),
            reply.call,
            reply.number,
            reply.model,
            reply.form,
            fault.name,
            fault.http if fault.where in ("http", "connection") else reply.status,
            seconds,
            reply.usage if fault.has_usage else None,
            None if fault.where == "http" else reply.usage,
            reply.content,
            parameters={name: body[name] for name in body if name not in _NO_PARAMETERS},
        )
        self.records.append(record)
        try:
            if seconds:
                await asyncio.sleep(seconds)
            return await self._send(request, reply, fault, record)
        finally:
            self._settle(record)

    def _rate_limit(self, reply: Reply) -> Fault:
        """A 429 holds for everyone until its time is over: requests that come before get one."""
        now = time.time()
        if reply.fault.http in (429, 503) and now >= self._busy_until:
            self._busy_until = now + self._options.pause
            return reply.fault
        if now < self._busy_until and reply.fault.where != "connection":
            return FAULTS["http_429"]
        return reply.fault

    async def _send(
        self, request: web.Request, reply: Reply, fault: Fault, record: Record
    ) -> web.StreamResponse:
        if fault.where == "connection":
            return await self._break(request, reply, fault)
        text = (
            reply.body if reply.fault is fault else error_body("Rate limit reached", "rate_limit")
        )
        response = web.Response(
            text=text,
            status=record.status,
            headers=self._headers(fault),
            content_type="text/html" if fault.name == "http_502" else "application/json",
        )
        # A client that waited too long is gone, and nothing reaches it any more.
        if request.transport is not None:
            with suppress(ConnectionResetError):
                await response.prepare(request)
                await response.write_eof()
                record.sent = True
        return response

    async def _break(self, request: web.Request, reply: Reply, fault: Fault) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        transport = request.transport
        if fault.name == "reset":
            body = (reply.body or "").encode()
            response.content_length = len(body)
            with suppress(ConnectionResetError):
                await response.prepare(request)
                await response.write(body[: len(body) // 2])
        elif fault.name == "stall":
            until = time.monotonic() + _LONGEST_STALL_S
            while transport and not transport.is_closing() and time.monotonic() < until:
                await asyncio.sleep(0.05)
        else:
            await self._refuse_connections()
        if transport:
            transport.abort()
        return response

    async def _refuse_connections(self) -> None:
        """Listen to nobody for a while."""
        if self._listener is None:
            return
        listener, self._listener = self._listener, None
        listener.close()
        asyncio.get_running_loop().call_later(self._options.pause, self._listen_again)

    def _listen_again(self) -> None:
        task = asyncio.ensure_future(self._listen())
        task.add_done_callback(lambda done: done.exception())

    def _headers(self, fault: Fault) -> dict[str, str]:
        left = max(self._busy_until - time.time(), 0.0)
        if fault.name == "http_429_ms":
            return {"retry-after-ms": str(math.ceil(left * 1000))}
        if fault.name == "http_429_date":
            # A date has whole seconds: the next one after the pause.
            date = datetime.fromtimestamp(math.ceil(self._busy_until), UTC)
            return {"Retry-After": format_datetime(date, usegmt=True)}
        if fault.http in (429, 503):
            return {"Retry-After": str(math.ceil(left) if left >= 1 else round(left + 0.001, 3))}
        return {}

    def _settle(self, record: Record) -> None:
        record.done = time.time()
        if self._log:
            self._log.write(record.line() + "\n")
            self._log.flush()
        self._counts.update(requests=1, **{f"fault_{record.fault}": 1})
        if record.sent:
            prompt, completion = record.usage or (0, 0)
            self._counts.update(replies=1, prompt_tokens=prompt, completion_tokens=completion)

    def _note_batch(self, reply: Reply) -> None:
        now = time.time()
        usage = reply.usage if reply.fault.has_usage else None
        record = Record(
            now, None, reply.call, reply.number, reply.model, reply.form, reply.fault.name,
            reply.status, 0.0, usage, reply.usage, reply.content, sent=True,
        )  # fmt: skip
        self.records.append(record)
        self._settle(record)

    def _check_key(self, request: web.Request) -> web.Response | None:
        wanted = self._options.key
        if wanted is None or request.headers.get("Authorization") == f"Bearer {wanted}":
            return None
        return _json(401, error_body("Incorrect API key provided", "invalid_api_key"))

    async def _embeddings(self, request: web.Request) -> web.Response:
        if refusal := self._check_key(request):
            return refusal
        body = await request.json()
        given = body.get("input", [])
        texts = [given] if isinstance(given, str) else [str(text) for text in given]
        vectors: list[Any] = [embed(text).tolist() for text in texts]
        if body.get("encoding_format") == "base64":
            packed = (struct.pack(f"<{len(vector)}f", *vector) for vector in vectors)
            vectors = [base64.b64encode(one).decode() for one in packed]
        n_token = count_tokens(*texts)
        self._counts.update(requests=1, replies=1, prompt_tokens=n_token)
        data = [
            {"object": "embedding", "index": place, "embedding": vector}
            for place, vector in enumerate(vectors)
        ]
        usage = {"prompt_tokens": n_token, "total_tokens": n_token}
        answer = {"object": "list", "data": data, "model": EMBEDDING_MODEL, "usage": usage}
        return web.json_response(answer)

    async def _models(self, request: web.Request) -> web.Response:
        if refusal := self._check_key(request):
            return refusal
        names = [MODEL, EMBEDDING_MODEL, *WRITERS]
        models = [{"id": name, "object": "model", "owned_by": "towbench"} for name in names]
        return web.json_response({"object": "list", "data": models})

    async def _upload(self, request: web.Request) -> web.Response:
        if refusal := self._check_key(request):
            return refusal
        form = await request.post()
        file = form.get("file")
        if not isinstance(file, web.FileField):
            return _json(400, error_body("file: missing", "invalid_value"))
        content = file.file.read()
        stored = self._batches.store(file.filename, str(form.get("purpose")), content)
        return web.json_response(stored)

    async def _download(self, request: web.Request) -> web.Response:
        if refusal := self._check_key(request):
            return refusal
        found = self._batches.files.get(request.match_info["file_id"])
        if found is None:
            return _not_found("file")
        return web.Response(body=found[1], content_type="application/octet-stream")

    async def _create_batch(self, request: web.Request) -> web.Response:
        if refusal := self._check_key(request):
            return refusal
        return _found(self._batches.create(await request.json()), "input file")

    async def _poll_batch(self, request: web.Request) -> web.Response:
        if refusal := self._check_key(request):
            return refusal
        return _found(self._batches.poll(request.match_info["batch_id"]), "batch")

    async def _cancel_batch(self, request: web.Request) -> web.Response:
        if refusal := self._check_key(request):
            return refusal
        return _found(self._batches.cancel(request.match_info["batch_id"]), "batch")

    async def _list_batches(self, request: web.Request) -> web.Response:
        if refusal := self._check_key(request):
            return refusal
        found = self._batches.all()
        return web.json_response({"object": "list", "data": found, "has_more": False})

    async def _show_counts(self, request: web.Request) -> web.Response:
        return web.json_response(self.counts)


@contextmanager
def running(options: Options) -> Iterator[Endpoint]:
    """The endpoint on a thread of its own."""
    endpoint = Endpoint(options)
    loop = asyncio.new_event_loop()
    loop.run_until_complete(endpoint.start())
    thread = threading.Thread(target=loop.run_forever, name="fake-endpoint", daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        asyncio.run_coroutine_threadsafe(endpoint.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def serve(options: Options, ready: Callable[[Endpoint], None]) -> None:
    """Run the endpoint until Ctrl-C; `ready` is told when it listens."""

    async def run() -> None:
        endpoint = Endpoint(options)
        await endpoint.start()
        ready(endpoint)
        try:
            await asyncio.Event().wait()
        finally:
            await endpoint.stop()

    with suppress(KeyboardInterrupt):
        asyncio.run(run())


def _check_loopback(host: str) -> None:
    try:
        is_loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise ValueError(f"the fake endpoint listens on loopback only, not on {host!r}")


def _json(status: int, text: str) -> web.Response:
    return web.Response(text=text, status=status, content_type="application/json")


def _found(thing: dict[str, Any] | None, what: str) -> web.Response:
    return _not_found(what) if thing is None else web.json_response(thing)


def _not_found(what: str) -> web.Response:
    return _json(404, error_body(f"no such {what}", "not_found"))
