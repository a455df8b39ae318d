"""The batch transport: the same requests, attempts and replies, sent as files at batch prices.

The first request of a step starts batches of all that the step has pending. A batch and its
attempts are in the ledger before it is submitted and its id is there before anyone waits for it, so
that a run that was killed goes on with the batch it paid for. Whatever a batch answered is kept,
however it ended; only the rest is submitted again.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from towbench.schemas.settings import Settings
from towbench.udfs.batch_ledger import BatchLedger, Stored
from towbench.udfs.batch_sheet import Filled, Line, Sheet, best, fill, http_status, response_to
from towbench.udfs.client import outgrows, put
from towbench.udfs.client_batch import BatchApi, Refused, Unknown, Unreachable
from towbench.udfs.dialect import UNFIT, Dialect, Style
from towbench.udfs.exchange import Attempt, Exchange
from towbench.udfs.ledger import LedgerWriter
from towbench.udfs.reply import Form
from towbench.udfs.request import EMBEDDED, Answer, Request
from towbench.udfs.response import FREE, Response, Usage
from towbench.udfs.session import Session

_DONE = ("completed", "failed", "expired", "cancelled")
_TRIES = 20
_LONGEST = timedelta(hours=48)
_LOOK_S = 0.1

T = TypeVar("T")


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
        exchanges = (self._exchange(one) for one in requests)
        waiting = {one.request.call_key: one for one in exchanges if not self._is_too_long(one)}
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

    def _is_too_long(self, exchange: Exchange) -> bool:
        """Settle a request that its model cannot take in."""
        if reason := outgrows(exchange, self._settings):
            key = exchange.request.call_key
            answer = self._answers[key] = Answer(key, None, "prompt_cut", reason, None)
            self._session.count(answer, 0.0)
        return reason is not None

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
                filled = fill(left, style, self._reserve)
                if not filled.lines:
                    break
                left = filled.left
                for line in filled.lines:
                    del waiting[line.exchange.request.call_key]
                yield self._send(filled, style)

    def _style(self, exchange: Exchange) -> Style:
        """How a request is put: as found out for it, else for its model."""
        request = exchange.request
        known = self._styles.get(request.call_key) or self._styles.get(request.model)
        return known or Dialect().style(exchange.is_prose)

    def _reserve(self, attempt: Attempt) -> bool:
        attempt.is_reserved = self._session.purse.try_reserve(attempt.intent.cost_bound)
        return attempt.is_reserved

    def _send(self, filled: Filled, style: Style) -> Sheet:
        """Store the batch and its attempts, submit it, store its id."""
        lines = filled.lines
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
            sheet.remote_id = self._create(api, filled, batch_id)
        except (Refused, Unknown):
            self._abandon(sheet, FREE)
            raise
        # Where nobody answered the batch may be there all the same: the next run looks for it.
        self._ledger.note(batch_id, "created", sheet.remote_id)
        self._session.count_in_flight(len(lines))
        return sheet

    def _create(self, api: BatchApi, filled: Filled, batch_id: str) -> str:
        """Submit a batch; where the answer got lost, look first whether it was created."""
        is_lost = False

        def create() -> str:
            nonlocal is_lost
            found = api.find(batch_id) if is_lost else None
            is_lost = True
            return found or api.submit(filled.content, filled.path, batch_id)

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
            _, _, shown = put(exchange, Style(stored.form))
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
            # A batch that fails is refused as a whole. Of any other nobody knows whether a line
            # that no file speaks of was worked on.
            usage = FREE if state.status == "failed" else Usage()
            fault = f"batch {state.status}: {state.error or 'no result for this line'}"
        except Unknown as error:
            state, results, usage, fault = None, [], Usage(), f"batch lost: {error}"
        found = best(results)
        is_accepted = any(http_status(result) == 200 for result in found.values())
        for key, line in sheet.lines.items():
            response = response_to(line, found.get(key)) or Response("dropped", usage, error=fault)
            if response.http_status:
                self._session.stop_if(api.watch.fault(sheet.model, response))
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
        is_unfit = response.http_status in UNFIT
        if is_unfit and (other := self._other_style(sheet, exchange, response)):
            # Where another line was accepted the refusal is this line's, else the model's.
            is_own = is_accepted or key in self._styles
            self._styles[key if is_own else sheet.model] = other
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
            timeout = self._settings.request_timeout
            self._apis[provider] = BatchApi(chosen, timeout, self._settings.naming)
        return self._apis[provider]

    def _sleep(self) -> bool:
        """Sleep until the next look, but not through a stop; False if the run stops."""
        until = time.monotonic() + self._settings.batch_poll
        while not self._session.is_stopping and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, _LOOK_S))
        return not self._session.is_stopping


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
