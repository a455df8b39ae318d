"""How structured output is asked of a model: probed once, best form first (cases A 10)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from towbench.prompts import reply_schemas

PLAIN = "text"
_FORMS = ("json_schema", "json_object", PLAIN)
# An endpoint that refuses a form says so at once; a slow answer is no reason to idle its slots.
_PROBE_WAIT_S = 1.0


class Dialect:
    """What one model of one endpoint accepts; lives on the loop thread."""

    def __init__(self) -> None:
        self._settled: str | None = None
        self._is_settled = asyncio.Event()
        self._probed_until: float | None = None

    async def probe(self) -> None:
        """Let the first caller go ahead; others wait for what it finds out, a second at most."""
        now = asyncio.get_running_loop().time()
        if self._probed_until is None:
            self._probed_until = now + _PROBE_WAIT_S
        elif not self._settled and now < self._probed_until:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_settled.wait(), self._probed_until - now)

    def form(self, refused: frozenset[str]) -> str | None:
        """The form for a request of which those in `refused` got a 400; None when none is left."""
        forms = (self._settled,) if self._settled else _FORMS
        return next((form for form in forms if form not in refused), None)

    def settle(self, form: str) -> None:
        """Remember the form of the first request that was accepted."""
        self._settled = self._settled or form
        self._is_settled.set()


def response_format(form: str, schema_name: str) -> dict[str, Any] | None:
    """The `response_format` of a chat completion; None for plain text."""
    if form == PLAIN:
        return None
    if form == "json_object":
        return {"type": "json_object"}
    schema = {"name": schema_name, "schema": reply_schemas()[schema_name], "strict": True}
    return {"type": "json_schema", "json_schema": schema}
