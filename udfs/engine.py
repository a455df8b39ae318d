"""The call engine: gives the requests of a call function to the transport of their model."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from towbench.prompts import load_prompts
from towbench.schemas.prices import Prices
from towbench.schemas.settings import Settings
from towbench.udfs.ledger import LedgerError, LedgerWriter
from towbench.udfs.offline import Embedded, Replay
from towbench.udfs.purse import Purse
from towbench.udfs.request import EMBEDDED, Answer, Request, Transport
from towbench.udfs.session import Progress, Session

if TYPE_CHECKING:
    from towbench.udfs.batch import Batch
    from towbench.udfs.client import Live


class Engine:
    """Answers requests through the transport of their model.

    Args:
        settings: endpoints, keys, transport.
        ledger: where every attempt and reply is stored.
        run_id: id of the run that asks.

    Attributes:
        purse: the prices and the budget of the run.
    """

    def __init__(self, settings: Settings, ledger: LedgerWriter, run_id: UUID) -> None:
        self.purse = Purse(Prices.load(settings.prices), settings.budget)
        self._session = Session(load_prompts(), ledger, str(run_id), self.purse)
        self._ledger = ledger
        self._settings = settings
        self._remote: dict[str, Live | Batch] = {}
        self._embedded = Embedded(self._session)
        self._replay = Replay(self._session) if settings.transport == "replay" else None
        self._lock = threading.Lock()
        self._asking: dict[str, _Chunk] = {}

    @property
    def stopped(self) -> str | None:
        """Why calls were stopped, naming the setting to mend, or None."""
        return self._session.stopped

    @property
    def budget_stopped(self) -> str | None:
        """Why the budget stopped the calls, or None."""
        return self.purse.used_up

    def progress(self) -> Progress:
        """Counters of this run."""
        return self._session.progress

    def stop(self) -> None:
        """Let calls in flight end and send no more; what was not sent is `not_in_ledger`."""
        self._session.stop()

    def close(self) -> None:
        """End the loop thread; call it when no request is being answered."""
        for remote in self._remote.values():
            remote.close()

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """One answer for each request, in order; blocks. Equal keys in flight are one call."""
        chunk = _Chunk()
        askers = self._claim(requests, chunk)
        own = [one for one in requests if askers[one.call_key] is chunk]
        try:
            self._ask({one.call_key: one for one in own}, chunk)
        finally:
            with self._lock:
                for one in own:
                    self._asking.pop(one.call_key, None)
            chunk.is_done.set()
        return [self._collect(one, askers[one.call_key]) for one in requests]

    def _claim(self, requests: Sequence[Request], chunk: _Chunk) -> dict[str, _Chunk]:
        """Which chunk asks each key: this one, or one that began before."""
        with self._lock:
            return {one.call_key: self._asking.setdefault(one.call_key, chunk) for one in requests}

    def _ask(self, requests: Mapping[str, Request], chunk: _Chunk) -> None:
        batches: dict[Transport, list[Request]] = {}
        for request in requests.values():
            batches.setdefault(self._transport(request), []).append(request)
        for transport, batch in batches.items():
            try:
                chunk.answers |= {one.call_key: one for one in transport.answer(batch)}
            except LedgerError as error:
                self._session.stop(str(error))

    def _transport(self, request: Request) -> Transport:
        if self._replay:
            return self._replay
        if request.provider == EMBEDDED:
            return self._embedded
        with self._lock:
            # Vectors cost so little that no batch is worth the wait.
            how = "live" if request.is_embedding else self._settings.transport
            if how not in self._remote:
                self._remote[how] = self._open_remote(how)
            return self._remote[how]

    def _open_remote(self, how: str) -> Live | Batch:
        """The client library takes a second to load: only runs that call a model wait for it."""
        if how == "batch":
            from towbench.udfs.batch import Batch

            return Batch(self._settings, self._session, self._ledger)
        from towbench.udfs.client import Live

        return Live(self._settings, self._session)

    def _collect(self, request: Request, chunk: _Chunk) -> Answer:
        chunk.is_done.wait()
        return chunk.answers.get(request.call_key) or self._session.unasked(request)


class _Chunk:
    """Requests that one call of a function asks; others may wait for its answers."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.is_done = threading.Event()
