"""The batch transport: the same requests, attempts and replies, sent as files at batch prices.

The first request of a step starts batches of all that the step has pending. A batch and its
attempts are in the ledger before it is submitted and its id is there before anyone waits for it, so
that a run that was killed goes on with the batch it paid for. Whatever a batch answered is kept,
however it ended; only the rest is submitted again.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from towbench.schemas.settings import Settings
from towbench.udfs.batch_ledger import BatchLedger, Stored
from towbench.udfs.client import shown_text
from towbench.udfs.client_batch import BatchApi, Refused, Unknown, Unreachable
from towbench.udfs.dialect import Dialect, Style, response_format
from towbench.udfs.exchange import Attempt, Exchange
from towbench.udfs.ledger import LedgerWriter
from towbench.udfs.reply import Form
from towbench.udfs.request import EMBEDDED, Answer, Request
from towbench.udfs.response import FREE, Response, Usage, read_response, token_bound
from towbench.udfs.session import Session

# What the endpoints take at most; a little less leaves room for what they count differently.
MOST_LINES = 50_000
MOST_BYTES = 190_000_000

_DONE = ("completed", "failed", "expired", "cancelled")
_NOT_BILLED = ("failed", "expired", "cancelled")
_TRIES = 20
_LONGEST = timedelta(hours=48)
_LOOK_S = 0.1

T = TypeVar("T")


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


class Batch:
    """Answers requests by the batch API of their provider."""

    def __init__(self, settings: Settings, session: Session, ledger: LedgerWriter) -> None:
        self._settings = settings
        self._session = session
        self._ledger = BatchLedger(ledger)
        self._apis: dict[str, BatchApi] = {}
        self._styles: dict[str, Style] = {}
        self._answers: dict[str, Answer] = {}
        self._lock = threading.Lock()

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """One answer for each request, in order; blocks until the batches of the step are done."""
        with self._lock:
            missing = [one for one in requests if one.call_key not in self._answers]
            if missing and not self._session.is_stopping:
                form = missing[0].form
                pending = self._ledger.pending(form)
                wanted = {one.call_key: one for one in pending if one.provider != EMBEDDED}
                wanted |= {one.call_key: one for one in missing}
                self._ask([one for key, one in wanted.items() if key not in self._answers])
            return [self._answers.get(one.call_key) or self._skip(one) for one in requests]

    def close(self) -> None:
        """Close the connections; batches go on at their providers."""
        for api in self._apis.values():
            api.close()

    def _skip(self, request: Request) -> Answer:
        answer = self._answers[request.call_key] = self._session.unasked(request)
        self._session.count(answer, 0.0)
        return answer

    def _ask(self, requests: Iterable[Request]) -> None:
        """Go on with stored batches, submit the rest, and wait until all are answered."""
        waiting = {one.call_key: self._exchange(one) for one in requests}
        sheets: list[Sheet] = []
        try:
            sheets += self._resume(waiting)
            while (sheets or waiting) and not self._session.is_stopping:
                sheets += self._submit(waiting)
                if self._session.purse.used_up:
                    # What was submitted is paid and read; nothing more is submitted.
                    waiting.clear()
                if sheets:
                    self._wait(sheets, waiting)
        except (Refused, ValueError) as error:
            self._session.stop(str(error))
        except Unreachable as error:
            if not self._session.is_stopping:
                self._session.stop(f"{error}; batches are stored, run the same command to go on")
        if self._session.purse.used_up:
            self._session.stop()

    def _exchange(self, request: Request) -> Exchange:
        exchange = self._session.exchange(request)
        exchange.is_batch = True
        return exchange

    # --- submitting ---

    def _submit(self, waiting: dict[str, Exchange]) -> Iterator[Sheet]:
        """Submit what waits and the budget bears, in as few batches as their limits allow."""
        groups: dict[tuple[str, Style], list[Exchange]] = {}
        for exchange in waiting.values():
            group = exchange.request.model, self._style(exchange)
            groups.setdefault(group, []).append(exchange)
        for (_, style), left in groups.items():
            while left and not self._session.is_stopping:
                lines, content, left = self._fill(left, style)
                if not lines:
                    break
                for line in lines:
                    del waiting[line.exchange.request.call_key]
                yield self._send(lines, content, style)

    def _style(self, exchange: Exchange) -> Style:
        """How a request is put: as found out for it, else for its model."""
        request = exchange.request
        known = self._styles.get(request.call_key) or self._styles.get(request.model)
        return known or Dialect().style(exchange.is_prose)

    def _fill(
        self, exchanges: list[Exchange], style: Style
    ) -> tuple[list[Line], bytes, list[Exchange]]:
        """The lines of the next batch, their text, and the requests that it has no room for."""
        lines: list[Line] = []
        texts: list[bytes] = []
        size = 0
        for place, exchange in enumerate(exchanges):
            messages = exchange.messages(style.form)
            call: dict[str, Any] = {"model": exchange.request.model_name, "messages": messages}
            call |= style.parameters(exchange.sampling, exchange.max_tokens)
            if asked := response_format(style.form, exchange.prompt.reply):
                call["response_format"] = asked
            text = _line(exchange.request.call_key, call)
            shown = shown_text(messages)
            if lines and (len(lines) == MOST_LINES or size + len(text) > MOST_BYTES):
                return lines, b"".join(texts), exchanges[place:]
            attempt = exchange.begin(token_bound(shown))
            attempt.note = style.note
            if not self._reserve(attempt):
                return lines, b"".join(texts), exchanges[place:]
            lines.append(Line(exchange, attempt, shown))
            texts.append(text)
            size += len(text)
        return lines, b"".join(texts), []

    def _reserve(self, attempt: Attempt) -> bool:
        attempt.is_reserved = self._session.purse.try_reserve(attempt.intent.cost_bound)
        return attempt.is_reserved

    def _send(self, lines: list[Line], content: bytes, style: Style) -> Sheet:
        """Store the batch and its attempts, submit it, store its id."""
        model = lines[0].exchange.request.model
        provider = lines[0].exchange.request.provider
        api = self._api(provider)
        batch_id, made_at = str(uuid.uuid4()), _now()
        intents = [line.attempt.intent for line in lines]
        self._ledger.begin(batch_id, provider, model, style.form, made_at, intents)
        for line in lines:
            line.attempt.is_promised = True
        by_key = {line.exchange.request.call_key: line for line in lines}
        sheet = Sheet(batch_id, "", provider, model, style, made_at, by_key)
        try:
            sheet.remote_id = self._create(api, content, batch_id)
        except (Refused, Unreachable, Unknown):
            self._abandon(sheet, FREE)
            raise
        self._ledger.note(batch_id, "created", sheet.remote_id)
        self._session.count_in_flight(len(lines))
        return sheet

    def _create(self, api: BatchApi, content: bytes, batch_id: str) -> str:
        """Submit a batch; where the answer got lost, look first whether it was created."""
        is_lost = False

        def create() -> str:
            nonlocal is_lost
            found = api.find(batch_id) if is_lost else None
            is_lost = True
            return found or api.submit(content, batch_id)

        return self._insist(create)

    def _abandon(self, sheet: Sheet, usage: Usage) -> None:
        """Close a batch that is not at the endpoint, or of which nobody can tell."""
        for line in sheet.lines.values():
            line.exchange.store(line.attempt, Response("dropped", usage, error="never submitted"))
        self._ledger.abandon(sheet.batch_id)

    # --- going on ---

    def _resume(self, waiting: dict[str, Exchange]) -> Iterator[Sheet]:
        """Stored batches that hold requests of this step; those requests wait no more."""
        if not waiting:
            return
        form = next(iter(waiting.values())).request.form
        for stored in self._ledger.open_batches(list(waiting)):
            lines = self._stored_lines(stored, form, waiting)
            batch_id, provider, model, style, made_at, remote_id = stored
            sheet = Sheet(batch_id, remote_id or "", provider, model, Style(style), made_at, lines)
            if not sheet.remote_id and not self._find(sheet):
                continue
            for key in lines:
                waiting.pop(key, None)
            self._session.count_in_flight(len(lines))
            yield sheet

    def _find(self, sheet: Sheet) -> bool:
        """Find out whether a batch whose id was not stored was created all the same."""
        api = self._api(sheet.provider)
        try:
            found = self._insist(lambda: api.find(sheet.batch_id))
        except Unknown:
            self._abandon(sheet, Usage())
            return False
        if found is None:
            self._abandon(sheet, FREE)
            return False
        sheet.remote_id = found
        self._ledger.note(sheet.batch_id, "created", found)
        return True

    def _insist(self, call: Callable[[], T]) -> T:
        """Call again while nobody answers; raises when that lasts or the run stops."""
        failures = 0
        while True:
            try:
                return call()
            except Unreachable:
                failures += 1
                if failures == _TRIES or not self._sleep():
                    raise

    def _stored_lines(
        self, stored: Stored, form: Form, waiting: Mapping[str, Exchange]
    ) -> dict[str, Line]:
        lines = {}
        for intent, request in self._ledger.lines(stored.batch_id, form):
            exchange = waiting.get(request.call_key) or self._exchange(request)
            age = (_now() - intent.sent_at).total_seconds()
            attempt = Attempt(intent, time.perf_counter() - age, True, True)
            self._session.purse.adopt(intent.cost_bound)
            shown = shown_text(exchange.messages(stored.form))
            lines[request.call_key] = Line(exchange, attempt, shown)
        return lines

    # --- waiting and reading ---

    def _wait(self, sheets: list[Sheet], waiting: dict[str, Exchange]) -> None:
        """Return when a batch is done and read; what it left open waits to be submitted again."""
        failures = 0
        while not self._session.is_stopping:
            for sheet in sheets:
                try:
                    if self._settle(sheet, waiting):
                        sheets.remove(sheet)
                        return
                    failures = 0
                except Unreachable:
                    failures += 1
                    if failures >= _TRIES:
                        raise
            self._sleep()

    def _settle(self, sheet: Sheet, waiting: dict[str, Exchange]) -> bool:
        """Read a batch if it is done; whether it is."""
        api = self._api(sheet.provider)
        try:
            state = api.poll(sheet.remote_id)
            is_late = _now() - sheet.made_at > _LONGEST
            if state.status not in _DONE and not is_late:
                return False
            results = [one for name in state.files for one in api.read(name)]
            usage = FREE if state.status in _NOT_BILLED else Usage()
            fault = f"batch {state.status}: {state.error or 'no result for this line'}"
        except Unknown as error:
            state, results, usage, fault = None, [], Usage(), f"batch lost: {error}"
        best = _best(results)
        is_accepted = any(_http_status(result) == 200 for result in best.values())
        for key, line in sheet.lines.items():
            response = _response(best.get(key), line) or Response("dropped", usage, error=fault)
            self._take(sheet, line, response, is_accepted, waiting)
        self._ledger.finish(sheet.batch_id)
        self._session.count_in_flight(-len(sheet.lines))
        if state and state.status == "failed":
            self._session.stop(f"{sheet.provider} refused a batch for {sheet.model}: {state.error}")
        return True

    def _take(
        self,
        sheet: Sheet,
        line: Line,
        response: Response,
        is_accepted: bool,
        waiting: dict[str, Exchange],
    ) -> None:
        """Store how a line ended; its answer, or its place among those that wait."""
        exchange = line.exchange
        key = exchange.request.call_key
        if response.http_status == 400 and (other := self._other_style(sheet, exchange, response)):
            # Where another line was accepted the refusal is this line's, else the model's.
            self._styles[key if is_accepted else sheet.model] = other
            exchange.store(line.attempt, response)
            waiting[key] = exchange
        elif answer := exchange.take(line.attempt, response):
            self._answers[key] = answer
            self._session.count(answer, exchange.cost)
        else:
            waiting[key] = exchange

    @staticmethod
    def _other_style(sheet: Sheet, exchange: Exchange, response: Response) -> Style | None:
        sent = sheet.style.parameters(exchange.sampling, exchange.max_tokens)
        error = response.error or ""
        return Dialect().next_style(sheet.style, sent, error, exchange.is_prose)

    def _api(self, provider: str) -> BatchApi:
        if provider not in self._apis:
            chosen = self._settings.provider(f"{provider}/")
            self._apis[provider] = BatchApi(chosen, self._settings.request_timeout)
        return self._apis[provider]

    def _sleep(self) -> bool:
        """Sleep until the next look, but not through a stop; False if the run stops."""
        until = time.monotonic() + self._settings.batch_poll
        while not self._session.is_stopping and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, _LOOK_S))
        return not self._session.is_stopping


def _line(call_key: str, call: Mapping[str, Any]) -> bytes:
    asked = {"custom_id": call_key, "method": "POST", "url": "/v1/chat/completions", "body": call}
    return json.dumps(asked, ensure_ascii=False).encode() + b"\n"


def _best(results: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Results by custom_id; where an id comes twice, the first that was answered."""
    best: dict[str, dict[str, Any]] = {}
    for result in results:
        key = str(result.get("custom_id"))
        if key not in best or (_http_status(best[key]) != 200 and _http_status(result) == 200):
            best[key] = result
    return best


def _http_status(result: Mapping[str, Any]) -> int | None:
    response = result.get("response")
    code = response.get("status_code") if isinstance(response, dict) else None
    return code if isinstance(code, int) else None


def _response(result: Mapping[str, Any] | None, line: Line) -> Response | None:
    """What came back for a line; None where there is nothing for it."""
    if result is None:
        return None
    code = _http_status(result)
    if code is not None:
        body = json.dumps(result["response"].get("body"), ensure_ascii=False)
        return read_response(body, code, line.shown, line.exchange.is_prose)
    error = result.get("error")
    said = error.get("message") or error.get("code") if isinstance(error, dict) else None
    return Response("dropped", FREE, error=f"batch line: {said or 'no response'}"[:500])


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
