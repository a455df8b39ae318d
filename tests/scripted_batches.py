"""An endpoint whose batches end as a test says: files, batches and nothing else, on loopback."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from towbench.tests.scripted_endpoint import chat

Line = dict[str, Any]


@dataclass
class End:
    """How a batch ends: its last status, the lines of its two files, whether it is still known."""

    status: str = "completed"
    output: list[Line] = field(default_factory=list)
    error: list[Line] = field(default_factory=list)
    errors: str | None = None
    is_gone: bool = False


Script = Callable[[list[str], int], End]
"""custom ids of a batch, its number -> how it ends"""


def answered(key: str, code: int = 200, body: dict[str, Any] | None = None) -> Line:
    """A line with a response."""
    said = body or chat('{"reason": "r", "score": 7}')
    return {"custom_id": key, "response": {"status_code": code, "body": said}, "error": None}


def unanswered(key: str, code: str = "batch_expired") -> Line:
    """A line that was not worked on."""
    error = {"code": code, "message": "not done within the window"}
    return {"custom_id": key, "response": None, "error": error}


@dataclass
class BatchEndpoint:
    """Every batch is done when it is first looked at."""

    script: Script
    asked: list[list[str]] = field(default_factory=list)
    bodies: dict[str, dict[str, Any]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    url: str = ""
    _metadata: list[object] = field(default_factory=list)

    async def upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        file = form["file"]
        assert isinstance(file, web.FileField)
        return web.json_response({"id": self._store(file.file.read())})

    async def create(self, request: web.Request) -> web.Response:
        asked = await request.json()
        lines = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
        self.bodies |= {line["custom_id"]: line["body"] for line in lines}
        self.asked.append([line["custom_id"] for line in lines])
        self._metadata.append(asked["metadata"])
        return web.json_response({"id": f"b{len(self.asked) - 1}"})

    async def poll(self, request: web.Request) -> web.Response:
        number = int(request.match_info["id"][1:])
        end = self.script(self.asked[number], number)
        if end.is_gone:
            return web.json_response({"error": {"message": "no such batch"}}, status=404)
        batch: Line = {"id": f"b{number}", "status": end.status, "output_file_id": None}
        for kind, lines in (("output", end.output), ("error", end.error)):
            if lines:
                content = "\n".join(json.dumps(line) for line in lines)
                batch[f"{kind}_file_id"] = self._store(content.encode())
        if end.errors:
            batch["errors"] = {"data": [{"message": end.errors}]}
        return web.json_response(batch)

    async def list(self, request: web.Request) -> web.Response:
        data = [{"id": f"b{n}", "metadata": one} for n, one in enumerate(self._metadata)]
        return web.json_response({"data": data, "has_more": False})

    async def content(self, request: web.Request) -> web.Response:
        return web.Response(body=self.files[request.match_info["id"]])

    def _store(self, content: bytes) -> str:
        name = f"f{len(self.files)}"
        self.files[name] = content
        return name


@contextmanager
def serving_batches(script: Script) -> Iterator[BatchEndpoint]:
    endpoint = BatchEndpoint(script)
    app = web.Application(client_max_size=2**24)
    app.router.add_post("/v1/files", endpoint.upload)
    app.router.add_get("/v1/files/{id}/content", endpoint.content)
    app.router.add_post("/v1/batches", endpoint.create)
    app.router.add_get("/v1/batches", endpoint.list)
    app.router.add_get("/v1/batches/{id}", endpoint.poll)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    loop = asyncio.new_event_loop()

    async def start() -> None:
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
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
