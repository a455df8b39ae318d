"""When a request may be sent to an endpoint: slots, pauses, rate limits, backing off."""

from __future__ import annotations

import asyncio
import math
import random
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from towbench.schemas.settings import Provider

_LONGEST_PAUSE_S = 600.0
_FIRST_BACKOFF_S, _LONGEST_BACKOFF_S = 0.5, 30.0
_POLL_S = 0.1
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s)?")


class Gate:
    """The gate of one endpoint, shared by all its calls; lives on the loop thread.

    Attributes:
        slots: requests that may be in flight.
        ready: those and as many again, whose intents are stored while they wait for a slot.
    """

    def __init__(self, provider: Provider, is_stopping: Callable[[], bool]) -> None:
        self.slots = asyncio.Semaphore(provider.concurrency)
        self.ready = asyncio.Semaphore(2 * provider.concurrency)
        self._requests_per_minute = provider.requests_per_minute
        self._tokens_per_minute = provider.tokens_per_minute
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
