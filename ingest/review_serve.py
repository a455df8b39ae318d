"""A web form on loopback for reviewers who have only a browser.

One page a task, no script and nothing from elsewhere. A form carries a token that only this process
knows, the page may not be framed, and a request for another host or origin is refused. Answers take
the path of every other review (`review_import.import_entries`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Final
from urllib.parse import parse_qs, quote, urlsplit

from towbench.ingest.review import (
    ABOUT,
    ANSWERS,
    DECISIONS,
    GUIDELINES,
    REASONS,
    SHOWN,
    Entry,
    Task,
)

MAX_BODY: Final = 8 << 20
FILE: Final = "web form"
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; " + (
    "frame-ancestors 'none'; base-uri 'none'"
)
_STYLE: Final = (
    "body{font:16px/1.6 sans-serif;max-width:60em;margin:1em auto;padding:0 1em}"
    "pre{white-space:pre-wrap;background:#f6f6f6;padding:.6em;font:inherit}"
    "textarea{width:100%;height:6em}label{display:block;margin:.5em 0}.bad{color:#a00}"
)

Submit = Callable[[Entry], str]
"""Imports one entry; returns what is wrong with it, or nothing."""


class ReviewServer(HTTPServer):
    """Serves the tasks of one round on a loopback port (0 = any free one), one request a time."""

    def __init__(self, kind: str, tasks: list[Task], submit: Submit, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.kind, self.tasks, self.submit = kind, tasks, submit
        self.token = secrets.token_urlsafe(24)
        self.n_saved = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    def page(self, number: int, reviewer: str, said: dict[str, str], bad: str) -> str:
        """The form of task `number` (from 0), or the last page."""
        if not self.tasks or number >= len(self.tasks):
            return _html("Done", "<h1>Done</h1><p>No further task. 全部完成。</p>")
        task = self.tasks[number]
        shown = "".join(
            f"<h3>{escape(name)}</h3><pre>{escape(task[name])}</pre>"
            for name in SHOWN[self.kind]
            if name not in ABOUT and task[name]
        )
        fields = "".join(
            self._field(name, said.get(name, reviewer if name == "reviewer" else ""))
            for name in ANSWERS[self.kind]
        )
        about = " · ".join(escape(task[name]) for name in ABOUT)
        links = f"<a href='/?n={number + 1}&amp;reviewer={escape(_quoted(reviewer))}'>skip</a>"
        return _html(
            f"{self.kind} {number + 1} of {len(self.tasks)}",
            f"<p>{escape(GUIDELINES[self.kind])}</p><h2>{number + 1} / {len(self.tasks)}</h2>"
            f"<p>{about}</p>{shown}<p class='bad'>{escape(bad)}</p>"
            f"<form method='post' action='/' accept-charset='utf-8'>"
            f"<input type='hidden' name='token' value='{escape(self.token)}'>"
            f"<input type='hidden' name='n' value='{number}'>{fields}"
            f"<button>save 保存</button> {links}</form>",
        )

    def _field(self, name: str, value: str) -> str:
        options = {"decision": DECISIONS[self.kind], "reason": REASONS}.get(name)
        if options is not None:
            inside = "".join(
                f"<option{' selected' if option == value else ''}>{escape(option)}</option>"
                for option in ("", *options)
            )
            return f"<label>{name} <select name='{name}'>{inside}</select></label>"
        if name == "reviewer":
            return f"<label>{name} <input name='{name}' value='{escape(value)}'></label>"
        # The line break that HTML drops at the start of a textarea.
        return f"<label>{name}<textarea name='{name}'>\n{escape(value)}</textarea></label>"


class _Handler(BaseHTTPRequestHandler):
    server: ReviewServer
    server_version = "towbench"
    sys_version = ""

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if not self._is_local():
            return
        if address.path != "/":
            self._send(HTTPStatus.NOT_FOUND, _html("Not found", "Not found"))
            return
        query = _fields(address.query)
        self._send(
            HTTPStatus.OK,
            self.server.page(_number(query.get("n", "")), query.get("reviewer", ""), {}, ""),
        )

    def do_POST(self) -> None:
        if not self._is_local():
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MAX_BODY:
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _html("Too large", "Too large"))
            return
        try:
            said = _fields(self.rfile.read(int(length)).decode("utf-8"))
        except (UnicodeDecodeError, ValueError):
            self._send(HTTPStatus.BAD_REQUEST, _html("Unreadable", "Unreadable form"))
            return
        if not secrets.compare_digest(said.pop("token", "").encode(), self.server.token.encode()):
            self._send(HTTPStatus.FORBIDDEN, _html("Refused", "Reload the page and try again."))
            return
        number = _number(said.pop("n", ""))
        reviewer = said.get("reviewer", "")
        if number >= len(self.server.tasks):
            self._send(HTTPStatus.BAD_REQUEST, _html("Unknown", "No such task"))
            return
        answers = {name: said.get(name, "") for name in ANSWERS[self.server.kind]}
        entry = Entry(FILE, number + 1, self.server.tasks[number] | answers)
        bad = self.server.submit(entry)
        if bad:
            self._send(HTTPStatus.OK, self.server.page(number, reviewer, said, bad))
        else:
            self.server.n_saved += 1
            self.send_response(HTTPStatus.SEE_OTHER)
            self.send_header("Location", f"/?n={number + 1}&reviewer={_quoted(reviewer)}")
            self.send_header("Content-Length", "0")
            self.end_headers()

    def _is_local(self) -> bool:
        """Refuse other hosts (DNS rebinding) and forms of other sites."""
        here = {f"{name}:{self.server.server_port}" for name in ("127.0.0.1", "localhost")}
        origin = self.headers.get("Origin")
        if self.headers.get("Host") in here and (origin is None or urlsplit(origin).netloc in here):
            return True
        self._send(HTTPStatus.FORBIDDEN, _html("Refused", "Only from this machine."))
        return False

    def _send(self, status: HTTPStatus, page: str) -> None:
        body = page.encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", _POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "same-origin")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Names and answers stay out of the terminal."""


def _html(title: str, body: str) -> str:
    return (
        "<!doctype html><html><head><meta charset='utf-8'>"
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>{body}</body></html>"
    )


def _fields(query: str) -> dict[str, str]:
    parsed = parse_qs(query, keep_blank_values=True, max_num_fields=50)
    return {name: values[-1] for name, values in parsed.items()}


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0


def _quoted(text: str) -> str:

    return quote(text, safe="")
