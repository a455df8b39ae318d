"""What one model of one endpoint accepts, found out by asking (cases A 10).

How structured output is asked for is probed once, best form first. A sampling parameter that the
endpoint refuses by name is renamed or left out. Both are remembered once a request in that style
was accepted, so that an error that merely quotes a prompt teaches nothing.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from towbench.prompts import echoing_schema

PLAIN = "text"
UNFIT = (400, 422)
"""What endpoints answer to a request that is not put as the model wants it."""
_FORMS = ("json_schema", "json_object", PLAIN)
# An endpoint that refuses a form says so at once; a slow answer is no reason to idle its slots.
_PROBE_WAIT_S = 1.0
# The budget of a reasoning model holds its thoughts too and has another name.
_BUDGET, _REASONING_BUDGET = "max_tokens", "max_completion_tokens"
_MAY_GO = ("top_k", "top_p", "temperature", "encoding_format")


class Style(NamedTuple):
    """How a request is put: the form of structured output, and parameters to do without."""

    form: str = PLAIN
    without: frozenset[str] = frozenset()

    @property
    def note(self) -> str | None:
        """What the ledger says of a request that was not sent as asked."""
        left_out = sorted(self.without - {_BUDGET})
        return f"sent without {', '.join(left_out)}" if left_out else None

    def parameters(self, sampling: Mapping[str, Any], max_tokens: int | None) -> dict[str, Any]:
        """The sampling parameters as this style sends them."""
        kept = {name: value for name, value in sampling.items() if name not in self.without}
        if max_tokens:
            kept[_REASONING_BUDGET if _BUDGET in self.without else _BUDGET] = max_tokens
        return kept


class Dialect:
    """What is known of a model; lives on the loop thread."""

    def __init__(self) -> None:
        self._form: str | None = None
        self._without: frozenset[str] = frozenset()
        self._is_settled = asyncio.Event()
        self._probed_until: float | None = None

    async def probe(self) -> None:
        """Let the first caller go ahead; others wait for what it finds out, a second at most."""
        now = asyncio.get_running_loop().time()
        if self._probed_until is None:
            self._probed_until = now + _PROBE_WAIT_S
        elif not self._is_settled.is_set() and now < self._probed_until:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_settled.wait(), self._probed_until - now)

    def style(self, is_prose: bool) -> Style:
        """The best style that is not known to be refused; an essay is asked for as plain text."""
        return Style(PLAIN if is_prose else self._form or _FORMS[0], self._without)

    def next_style(
        self, style: Style, sent: Mapping[str, Any], error: str, is_prose: bool
    ) -> Style | None:
        """The style to try after a 400 or 422; None when another would be refused as well.

        Args:
            sent: the parameters that were sent.
            error: the endpoint's words.
        """
        if refused := _refused_parameter(sent, error):
            return Style(style.form, style.without | {refused})
        forms = (style.form,) if is_prose or self._form else _FORMS
        left = forms[forms.index(style.form) + 1 :] if style.form in forms else ()
        return Style(left[0], style.without) if left else None

    def settle(self, style: Style, is_prose: bool) -> None:
        """Remember the style of a request that was accepted."""
        self._without |= style.without
        if not is_prose:
            self._form = self._form or style.form
        self._is_settled.set()


def _refused_parameter(sent: Mapping[str, Any], error: str) -> str | None:
    """The parameter that an error complains of, if going without it may help."""
    named = set(re.findall(r"[a-z]+(?:_[a-z]+)*", error.lower()))
    if _BUDGET in sent and _REASONING_BUDGET in named:
        return _BUDGET
    # Where two exclude each other, the temperature is the one that the run was asked for.
    return next((name for name in _MAY_GO if name in sent and name in named), None)


def response_format(form: str, schema_name: str) -> dict[str, Any] | None:
    """The `response_format` of a chat completion; None for plain text."""
    if form == PLAIN:
        return None
    if form == "json_object":
        return {"type": "json_object"}
    schema = {"name": schema_name, "schema": echoing_schema(schema_name), "strict": True}
    return {"type": "json_schema", "json_schema": schema}
