"""When a request may be sent to an endpoint: slots, pauses, rate limits, backing off."""

from __future__ import annotations

import asyncio
import math
import random
import re
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from towbench.schemas.settings import Provider

_LONGEST_PAUSE_S = 600.0
_FIRST_BACKOFF_S, _LONGEST_BACKOFF_S = 0.5, 30.0
_POLL_S = 0.1
_SLOWER, _WIDER = 0.7, 4
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s)?")


class Slots:
    """Requests that may be in flight: as many as set, fewer while the endpoint says 429.

    The number falls by a third when a request is turned away, once for all that were in flight
    together, and grows by four for each round of accepted ones: additive increase, multiplicative
    decrease, as TCP finds the width of a line.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._width = float(most)
        self._busy = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._cut_at = -math.inf

    @property
    def size(self) -> int:
        """How many may be in flight now."""
        return int(self._width)

    async def __aenter__(self) -> None:
        if not self._waiting and self._busy < self.size:
            self._busy += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        await turn

    async def __aexit__(self, *_: object) -> None:
        self._busy -= 1
        self._admit()

    def accepted(self) -> None:
        """A request got an answer: the endpoint bears what is in flight."""
        if self._width < self._most:
            self._width = min(self._most, self._width + _WIDER / self._width)
            self._admit()

    def refused(self, sent_at: float) -> None:
        """A request that was sent then (loop time) got a 429: it was one too many."""
        if sent_at >= self._cut_at:
            self._width = max(1.0, self._width * _SLOWER)
            self._cut_at = asyncio.get_running_loop().time()

    def _admit(self) -> None:
        while self._waiting and self._busy < self.size:
            turn = self._waiting.popleft()
            if not turn.done():
                self._busy += 1
                turn.set_result(None)


class Gate:
    """The gate of one endpoint, shared by all its calls; lives on the loop thread.

    Attributes:
        slots: requests that may be in flight.
        counts_tokens: whether tokens a minute are limited.
        ready: those and three times as many, whose intents are stored while they wait for a slot.
    """

    def __init__(self, provider: Provider, is_stopping: Callable[[], bool]) -> None:
        self.slots = Slots(provider.concurrency)
        self.ready = asyncio.Semaphore(4 * provider.concurrency)
        self._requests_per_minute = provider.requests_per_minute
        self._tokens_per_minute = provider.tokens_per_minute
        self.counts_tokens = provider.tokens_per_minute is not None
        self._is_stopping = is_stopping
        self._opens_at = -math.inf
        self._next_turn = -math.inf

    def pause(self, seconds: float) -> None:
        """Send nothing to this endpoint for so long."""
        until = asyncio.get_running_loop().time() + min(seconds, _LONGEST_PAUSE_S)
        self._opens_at = max(self._opens_at, until)

    async def turn(self, tokens: int) -> bool:
        """Wait for a pause to end and for the rate limits; False if the run stops meanwhile."""
        loop = asyncio.get_running_loop()
        while (wait := self._opens_at - loop.time()) > 0:
            # Jitter above the pause, never below: those who waited must not all come at once.
            await self.sleep(wait + random.uniform(0, min(1.0, 0.1 * wait)))
            if self._is_stopping():
                return False
        start = max(self._next_turn, loop.time())
        self._next_turn = start + self._spacing(tokens)
        return await self.sleep(start - loop.time())

    async def sleep(self, seconds: float) -> bool:
        """Sleep, but not through a stop; False if the run stops."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while not self._is_stopping() and (left := until - loop.time()) > 0:
            await asyncio.sleep(min(left, _POLL_S))
        return not self._is_stopping()

    def _spacing(self, tokens: int) -> float:
        """Seconds between two requests under the provider's limits a minute."""
        requests, limit = self._requests_per_minute, self._tokens_per_minute
        return max(60 / requests if requests else 0.0, 60 * tokens / limit if limit else 0.0)


def backoff(failures: int) -> float:
    """Seconds before the next attempt: doubling, with jitter of a half either way."""
    middle: float = min(_LONGEST_BACKOFF_S, _FIRST_BACKOFF_S * 2 ** (failures - 1))
    return middle * random.uniform(0.5, 1.5)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a response asks to wait, given as milliseconds, seconds or a date."""
    milliseconds = headers.get("retry-after-ms", "").strip()
    given = f"{milliseconds}ms" if milliseconds else headers.get("retry-after", "").strip()
    if match := _DURATION.fullmatch(given):
        return float(match[1]) / (1000 if match[2] == "ms" else 1)
    try:
        date = parsedate_to_datetime(given)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())
