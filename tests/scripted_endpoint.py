"""What tests of the call engine share: an endpoint that follows a script, and a desk that asks it."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from towbench.schemas.database import open_database
from towbench.schemas.settings import Settings
from towbench.udfs.engine import Engine
from towbench.udfs.ledger import LedgerWriter
from towbench.udfs.register import register

KEY = "sk-local-7f3a9"
ESSAY = "The ferry left at dawn and the old man counted the gulls above the water. " * 3
CALL = """
INSERT INTO pending.answer
SELECT a.call_key, a.value, a.status, a.reason, a.rationale
FROM (
    SELECT {function}(
        call_key, model, prompt_id, repeat, sampling, presentation,
        instruction, reference, text, dimensions
    ) AS a
    FROM pending.request
)
"""


@dataclass
class Asked:
    """A request as the endpoint saw it."""

    at: float
    body: dict[str, Any]

    @property
    def form(self) -> str:
        return str(self.body.get("response_format", {"type": "text"})["type"])

    @property
    def prompt(self) -> str:
        return "\n".join(message["content"] for message in self.body["messages"])


Reply = web.Response | dict[str, Any] | str
Script = Callable[[Asked, int], Reply]


def chat(content: str | None, finish: str = "stop", **message: object) -> dict[str, Any]:
    """A chat completion."""
    return {
        "model": "served-1",
        "system_fingerprint": "fp",
        "choices": [{"finish_reason": finish, "message": {"content": content, **message}}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 20},
    }


def score(n: int) -> dict[str, Any]:
    return chat(json.dumps({"reason": "r", "score": n}))


def refuse(status: int, message: str = "no", headers: dict[str, str] | None = None) -> web.Response:
    return web.json_response({"error": {"message": message}}, status=status, headers=headers)


@dataclass
class FakeEndpoint:
    """An OpenAI-compatible server on loopback; `script` gets each request and its number."""

    script: Script
    asked: list[Asked] = field(default_factory=list)
    latency: float = 0.0
    peak: int = 0
    url: str = ""
    _busy: int = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        assert request.headers["Authorization"] == f"Bearer {KEY}"
        asked = Asked(time.monotonic(), await request.json())
        self.asked.append(asked)
        self._busy += 1
        self.peak = max(self.peak, self._busy)
        try:
            reply = self.script(asked, len(self.asked) - 1)
            await asyncio.sleep(self.latency)
        finally:
            self._busy -= 1
        if isinstance(reply, web.Response):
            return reply
        if isinstance(reply, str):
            if reply == "stall":
                await asyncio.sleep(5)
            if reply == "reset" and request.transport:
                request.transport.abort()
            return web.Response(text=reply, content_type="application/json")
        return web.json_response(reply)


@contextmanager
def serving(script: Script, latency: float = 0.0) -> Iterator[FakeEndpoint]:
    endpoint = FakeEndpoint(script, latency=latency)
    loop = asyncio.new_event_loop()
    app = web.Application(client_max_size=2**24)
    app.router.add_post("/v1/chat/completions", endpoint.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)

    async def start() -> None:
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        endpoint.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"

    loop.run_until_complete(start())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


class Desk:
    """A database, a ledger and a client that asks one endpoint."""

    def __init__(self, folder: Path, url: str | None, **settings: Any) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.con = open_database(folder / "main.duckdb", folder / "ledger.duckdb")
        self.ledger = LedgerWriter(self.con)
        chosen: dict[str, Any] = {
            "base_url": url,
            "api_key": KEY,
            "request_timeout": 2.0,
        } | settings
        self.client = Engine(Settings(**chosen), self.ledger, uuid.uuid4())
        register(self.con, self.client)

    def close(self) -> None:
        self.client.close()
        self.ledger.close()
        self.con.close()

    def add(self, key: str, **columns: object) -> None:
        row: dict[str, object] = {
            "call_key": key,
            "model": "local/judge-1",
            "prompt_id": "logic_v1.en",
            "repeat": 0,
            "sampling": '{"temperature": 0, "max_tokens": 100}',
            "presentation": "reference_first",
            "instruction": "Write about a ferry.",
            "reference": "A reference text. " * 20,
            "text": ESSAY,
            "dimensions": None,
        } | columns
        marks = ", ".join("?" for _ in row)
        self.con.execute(
            f"INSERT INTO pending.request ({', '.join(row)}) VALUES ({marks})", list(row.values())
        )

    def ask(self, n: int = 1, function: str = "score_leaf") -> list[tuple[Any, ...]]:
        """Ask the pending requests, or n standard ones; value, status and reason by key."""
        if not self.rows("SELECT 1 FROM pending.request"):
            for i in range(n):
                self.add(f"{i:064}")
        self.con.execute(CALL.format(function=function))
        self.ledger.flush()
        return self.rows("SELECT value, status, reason FROM pending.answer ORDER BY call_key")

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.con.execute(sql).fetchall()

    def attempts(self) -> list[str]:
        return [
            status for (status,) in self.rows("SELECT status FROM ledger.attempt ORDER BY sent_at")
        ]
