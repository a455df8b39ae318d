"""The files of a batch: requests -> lines that go out, lines that come back -> responses. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from towbench.udfs.client import put
from towbench.udfs.client_batch import MOST_BYTES, MOST_LINES
from towbench.udfs.dialect import Style
from towbench.udfs.exchange import Attempt, Exchange
from towbench.udfs.loose_json import without_surrogates
from towbench.udfs.response import FREE, Response, read_response, token_bound


@dataclass(slots=True)
class Line:
    """A request in a batch."""

    exchange: Exchange
    attempt: Attempt
    shown: str


@dataclass(slots=True)
class Sheet:
    """A batch that was submitted; lines by call key, without those already settled."""

    batch_id: str
    remote_id: str
    provider: str
    model: str
    style: Style
    made_at: datetime
    lines: dict[str, Line] = field(default_factory=dict)


class Filled(NamedTuple):
    """The lines of a batch, the file that holds them, and the requests it has no room for.

    Attributes:
        path: where every line is to be sent, such as `/chat/completions`.
    """

    lines: list[Line]
    content: bytes
    path: str
    left: list[Exchange]


def fill(exchanges: list[Exchange], style: Style, reserve: Callable[[Attempt], bool]) -> Filled:
    """Begin the attempts of the next batch: as many as one may hold and `reserve` has money for."""
    lines: list[Line] = []
    texts: list[bytes] = []
    size = 0
    path = ""
    for place, exchange in enumerate(exchanges):
        path, call, shown = put(exchange, style)
        text = _line(exchange.request.call_key, path, call)
        if lines and (len(lines) == MOST_LINES or size + len(text) > MOST_BYTES):
            return Filled(lines, b"".join(texts), path, exchanges[place:])
        attempt = exchange.begin(token_bound(shown))
        attempt.note = style.note
        if not reserve(attempt):
            return Filled(lines, b"".join(texts), path, exchanges[place:])
        lines.append(Line(exchange, attempt, shown))
        texts.append(text)
        size += len(text)
    return Filled(lines, b"".join(texts), path, [])


def best(results: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Results by custom_id; where an id comes twice, the first that was answered."""
    found: dict[str, dict[str, Any]] = {}
    for result in results:
        key = str(result.get("custom_id"))
        if key not in found or (http_status(found[key]) != 200 and http_status(result) == 200):
            found[key] = result
    return found


def http_status(result: Mapping[str, Any]) -> int | None:
    """The status that a line was answered with; None where it was not."""
    response = result.get("response")
    code = response.get("status_code") if isinstance(response, dict) else None
    return code if type(code) is int and 100 <= code < 600 else None


def response_to(line: Line, result: Mapping[str, Any] | None) -> Response | None:
    """What came back for a line; None where no file speaks of it."""
    if result is None:
        return None
    code = http_status(result)
    if code is not None:
        body = without_surrogates(json.dumps(result["response"].get("body"), ensure_ascii=False))
        return read_response(body, code, line.shown, line.exchange.is_prose)
    error = result.get("error")
    said = error.get("message") or error.get("code") if isinstance(error, dict) else None
    words = without_surrogates(f"batch line: {said or 'no response'}"[:500])
    return Response("dropped", FREE, error=words)


def _line(call_key: str, path: str, call: Mapping[str, Any]) -> bytes:
    asked = {"custom_id": call_key, "method": "POST", "url": f"/v1{path}", "body": call}
    return json.dumps(asked, ensure_ascii=False).encode() + b"\n"
