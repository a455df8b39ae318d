"""What the transports of a run share: prompts, ledger, counters, and whether calls must stop."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from towbench.prompts import Prompt
from towbench.udfs.exchange import Exchange
from towbench.udfs.ledger import LedgerWriter
from towbench.udfs.purse import Purse
from towbench.udfs.request import Answer, Request, unasked


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

    Args:
        purse: what prices attempts and may refuse one.
    """

    def __init__(
        self,
        prompts: Mapping[str, Prompt],
        ledger: LedgerWriter,
        run_id: str,
        purse: Purse,
    ) -> None:
        self.purse = purse
        self._prompts = prompts
        self._ledger = ledger
        self._run_id = run_id
        self._reasons: list[str] = []
        self._is_stopping = False
        self._lock = threading.Lock()
        self._ok = self._failed = self._in_flight = 0
        self._cost = 0.0

    def exchange(self, request: Request) -> Exchange:
        """The exchange of a request."""
        prompt = self._prompts[request.prompt_id]
        again = self._prompts[f"ask_again_v1.{prompt.lang}"]
        return Exchange(request, prompt, again, self._ledger, self._run_id, self.purse)

    def unasked(self, request: Request) -> Answer:
        """The answer to a request that is not sent because the run stops."""
        if self.purse.used_up:
            return Answer(request.call_key, None, "skipped_budget", None, None)
        return unasked(request, "stopped")

    def stop(self, message: str | None = None) -> None:
        """Send nothing more; the first message, if any, is what the user gets to read.

        Takes no lock: a signal handler calls it, maybe while its own thread holds one.
        """
        if message:
            self._reasons.append(message)
        self._is_stopping = True

    def stop_if(self, message: str | None) -> None:
        """Stop if there is a reason to."""
        if message:
            self.stop(message)

    @property
    def is_stopping(self) -> bool:
        """Whether no further request may be sent."""
        return self._is_stopping

    @property
    def stopped(self) -> str | None:
        """One message for the user when a fault of the settings stopped the calls, else None."""
        return self._reasons[0] if self._reasons else None

    @property
    def progress(self) -> Progress:
        """The counters now."""
        with self._lock:
            done = self._ok + self._failed
            return Progress(done, self._ok, self._failed, self._in_flight, self._cost)

    def count(self, answer: Answer, cost: float) -> None:
        """Count a settled request and what its attempts are known to have cost."""
        is_ok = answer.status in ("ok", "repaired")
        with self._lock:
            self._ok += is_ok
            self._failed += not is_ok
            self._cost += cost

    def count_in_flight(self, change: int) -> None:
        """Count requests that are being sent."""
        with self._lock:
            self._in_flight += change
