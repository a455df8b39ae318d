"""What the transports of a run share: prompts, ledger, counters, and whether calls must stop."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace

from towbench.prompts import Prompt
from towbench.udfs.exchange import Exchange
from towbench.udfs.ledger import LedgerWriter
from towbench.udfs.request import Answer, Request


@dataclass(frozen=True, slots=True)
class Progress:
    """Requests so far: settled, of them with a value, without one, now being sent; money in USD."""

    done: int = 0
    ok: int = 0
    failed: int = 0
    in_flight: int = 0
    cost: float = 0.0


class Session:
    """The shared state of a run's calls; safe to use from any thread.

    Attributes:
        stopped: one message for the user when a fault of the settings stopped the calls, else None.
    """

    def __init__(self, prompts: Mapping[str, Prompt], ledger: LedgerWriter, run_id: str) -> None:
        self.stopped: str | None = None
        self._prompts = prompts
        self._ledger = ledger
        self._run_id = run_id
        self._is_stopping = threading.Event()
        self._lock = threading.Lock()
        self._progress = Progress()

    def exchange(self, request: Request) -> Exchange:
        """The exchange of a request."""
        return Exchange(request, self._prompts[request.prompt_id], self._ledger, self._run_id)

    def ask_again_prompt(self, lang: str) -> Prompt:
        """The prompt that names what was wrong with a reply."""
        return self._prompts[f"ask_again_v1.{lang}"]

    def stop(self, message: str | None = None) -> None:
        """Send nothing more; the first message, if any, is what the user gets to read."""
        with self._lock:
            self.stopped = self.stopped or message
        self._is_stopping.set()

    def stop_if(self, message: str | None) -> None:
        """Stop if there is a reason to."""
        if message:
            self.stop(message)

    @property
    def is_stopping(self) -> bool:
        """Whether no further request may be sent."""
        return self._is_stopping.is_set()

    @property
    def progress(self) -> Progress:
        """The counters now."""
        return self._progress

    def count(self, answer: Answer, cost: float) -> None:
        """Count a settled request and what its attempts are known to have cost."""
        is_ok = answer.status in ("ok", "repaired")
        with self._lock:
            now = self._progress
            self._progress = replace(
                now,
                done=now.done + 1,
                ok=now.ok + is_ok,
                failed=now.failed + (not is_ok),
                cost=now.cost + cost,
            )

    def count_in_flight(self, change: int) -> None:
        """Count requests that are being sent."""
        with self._lock:
            self._progress = replace(self._progress, in_flight=self._progress.in_flight + change)
