"""One request on its way to an answer: its attempts, what came back, whether to ask again.

The same path for every transport, so that a null, a refusal and an empty reply are told apart in
one place. Every attempt leaves an intent, an outcome and, if it had a reply, what was read in it.
"""

from __future__ import annotations

import random
import time
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from towbench.prompts import Prompt, render, reply_form
from towbench.udfs.dialect import PLAIN
from towbench.udfs.ledger import Intent, LedgerWriter, Outcome, Reply, Row
from towbench.udfs.purse import Purse
from towbench.udfs.reply import PARSER_VERSION, Read, canonical, read
from towbench.udfs.request import EMBEDDED, Answer, Request, asked
from towbench.udfs.response import FREE, Response, Usage

# How often an attempt that ended so is made; those that may have been billed less often.
_TRIES: dict[str, int] = {
    "http_429": 8, "http_5xx": 5, "dropped": 5, "error_in_200": 5, "timeout": 3, "empty": 2,
}  # fmt: skip

_RANDOM = random.Random()


@dataclass(slots=True)
class Attempt:
    """An attempt that has begun.

    Attributes:
        is_reserved: its money is set aside.
        is_promised: its intent is durable.
        note: how its parameters differ from those asked for.
    """

    intent: Intent
    started: float
    is_reserved: bool = False
    is_promised: bool = False
    note: str | None = None


class Unusable(NamedTuple):
    """A reply that has to be asked for again, and what was wrong with it."""

    text: str
    fault: str


class Exchange:
    """The attempts of one request.

    Attributes:
        slots: the texts that the prompt shows; a request may carry more.
        sampling: sampling values but the token budget.
        max_tokens: token budget of the next attempt; doubled once when a reply was cut.
        unusable: the reply that is asked for again (once), else None.
        failures: attempts that came to nothing so far.
        cost: known money spent so far, in USD.
        is_batch: whether its attempts are sent in a provider's batch, at its price.
    """

    def __init__(
        self,
        request: Request,
        prompt: Prompt,
        again: Prompt,
        ledger: LedgerWriter,
        run_id: str,
        purse: Purse,
    ) -> None:
        self.request = request
        self.prompt = prompt
        texts = request.slots
        self.slots = {name: texts[name] for name in prompt.slots}
        self.sampling = request.sampling_values()
        self.max_tokens: int | None = self.sampling.pop("max_tokens", None)
        self.unusable: Unusable | None = None
        self.failures = 0
        self.cost = 0.0
        self.is_batch = False
        self._again = again
        self._ledger = ledger
        self._purse = purse
        self._run_id = run_id
        self._number = 0
        self._is_doubled = False
        self._is_free = request.provider == EMBEDDED
        self._asked = asked(prompt, request.call_key, request.dimensions)

    def begin(self, prompt_tokens_bound: int) -> Attempt:
        """The next attempt, which can cost at most so much."""
        self._number += 1
        now = _now()
        intent = Intent(
            attempt_id=_uuid4(),
            call_key=self.request.call_key,
            run_id=self._run_id,
            number=self._number,
            sent_at=now,
            prompt_tokens_bound=prompt_tokens_bound,
            completion_tokens_bound=self.max_tokens,
            cost_bound=0.0
            if self._is_free
            else self._purse.bound(
                self.request.model, now, prompt_tokens_bound, self.max_tokens, self.is_batch
            ),
        )
        return Attempt(intent, time.perf_counter())

    @property
    def is_prose(self) -> bool:
        """Whether an essay is asked for, no verdict."""
        return self.prompt.reply == "text"

    def messages(self, form: str) -> list[dict[str, str]]:
        """The prompt with the form of its reply; after an unusable reply, that and its fault."""
        request, prompt = self.request, self.prompt
        content = render(prompt, self.slots, request.fence, request.presentation)
        if not self.is_prose:
            content += "\n\n" + reply_form(prompt.reply, prompt.lang, form != PLAIN, request.nonce)
        messages = [{"role": "user", "content": content}]
        if self.unusable:
            fault = {"fault": self.unusable.fault}
            messages += [
                {"role": "assistant", "content": self.unusable.text},
                {"role": "user", "content": render(self._again, fault, request.fence)},
            ]
        return messages

    async def reserve(self, attempt: Attempt) -> bool:
        """Set aside what the attempt can cost; False if the budget does not bear it."""
        attempt.is_reserved = await self._purse.reserve(attempt.intent.cost_bound)
        return attempt.is_reserved

    async def promise(self, attempt: Attempt) -> None:
        """Return when the attempt's intent would survive a kill; only then may it be sent."""
        await self._ledger.promise(attempt.intent)
        attempt.is_promised = True
        attempt.started = time.perf_counter()

    def take(self, attempt: Attempt, response: Response) -> Answer | None:
        """Store how an attempt ended; the answer, or None when the request is to be sent again."""
        if response.status != "ok" or response.text is None:
            self.store(attempt, response)
            return self._settle_failure(response)
        found = read(response.text, self.request.form, self._asked)
        self._ledger.add(*self._rows(attempt, response), self._reply(attempt, response, found))
        if found.value is None and self.unusable is None:
            self.unusable = Unusable(response.text, f"{found.status} ({found.reason})")
            return None
        return Answer(
            self.request.call_key, _json(found), found.status, found.reason, found.rationale
        )

    def _settle_failure(self, response: Response) -> Answer | None:
        status = response.status
        if status == "truncated" and self.max_tokens and not self._is_doubled:
            # SPEC 8: one try with twice the budget. It is an attempt of the same key: what is asked
            # for has not changed, only how long the answer may be.
            self.max_tokens *= 2
            self._is_doubled = True
            return None
        if status in _TRIES:
            self.failures += 1
            if self.failures < _TRIES[status]:
                return None
        reason = f"http_{response.http_status}" if status == "http_4xx" else None
        return Answer(self.request.call_key, None, status, reason, None)

    def store(self, attempt: Attempt, response: Response) -> None:
        """Store how an attempt ended that has no reply."""
        self._ledger.add(*self._rows(attempt, response))

    def _rows(self, attempt: Attempt, response: Response) -> list[Row]:
        cost = self._cost(attempt, response.usage)
        if attempt.is_reserved:
            self._purse.settle(attempt.intent.cost_bound, cost)
        self.cost += cost or 0.0
        outcome = Outcome(
            attempt_id=attempt.intent.attempt_id,
            call_key=attempt.intent.call_key,
            status=response.status,
            http_status=response.http_status,
            finish_reason=response.finish_reason,
            prompt_tokens=response.usage.prompt,
            completion_tokens=response.usage.completion,
            cost=cost,
            usage_unknown=response.usage.is_unknown,
            latency_ms=(time.perf_counter() - attempt.started) * 1000,
            served_model=response.served_model,
            fingerprint=response.fingerprint,
            body=response.body,
            error=response.error or attempt.note,
            received_at=_now(),
            cached_tokens=response.usage.cached,
            is_batch=self.is_batch,
        )
        return [outcome] if attempt.is_promised else [attempt.intent, outcome]

    def _cost(self, attempt: Attempt, usage: Usage) -> float | None:
        if self._is_free or usage == FREE:
            return 0.0
        model, at = self.request.model, attempt.intent.sent_at
        return self._purse.cost(
            model, at, usage.prompt, usage.completion, usage.cached, self.is_batch
        )

    def _reply(self, attempt: Attempt, response: Response, found: Read) -> Reply:
        return Reply(
            call_key=self.request.call_key,
            attempt_id=attempt.intent.attempt_id,
            parser_version=PARSER_VERSION,
            value=_json(found),
            status=found.status,
            reason=found.reason,
            rationale=found.rationale,
            text=response.text,
        )


def _json(found: Read) -> str | None:
    return canonical(found.value) if found.value is not None else None


def _uuid4() -> str:
    """A random UUID without a system call each."""
    return str(uuid.UUID(int=_RANDOM.getrandbits(128), version=4))


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
