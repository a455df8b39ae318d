"""What a call function asks and what it gets back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from towbench.prompts import Prompt
from towbench.udfs.reply import Asked, Form

EMBEDDED = "embedded"
EMBEDDING = "embedding_v1"
"""The reply of a request for the vector of a text, which is no chat."""


@dataclass(frozen=True, slots=True)
class Request:
    """One row of `pending.request` with the form that its function expects back."""

    form: Form
    call_key: str
    model: str
    prompt_id: str
    repeat: int
    sampling: str
    presentation: str
    instruction: str | None
    reference: str | None
    text: str | None
    dimensions: str | None

    @property
    def provider(self) -> str:
        """The endpoint alias."""
        return self.model.partition("/")[0]

    @property
    def model_name(self) -> str:
        """The model as its endpoint calls it."""
        return self.model.partition("/")[2]

    @property
    def is_embedding(self) -> bool:
        """Whether the vector of the text is asked for."""
        return self.form.REPLY == EMBEDDING

    @property
    def slots(self) -> dict[str, str]:
        """The texts that the prompt has places for."""
        texts = {
            "instruction": self.instruction,
            "reference": self.reference,
            "text": self.text,
            "dimensions": self.dimensions,
        }
        return {name: text for name, text in texts.items() if text is not None}

    @property
    def asked_names(self) -> tuple[str, ...]:
        """Names in `dimensions`: one a line, before the colon where a description follows."""
        return asked_names(self.dimensions)

    @property
    def fence(self) -> str:
        """Delimiter of the texts in the prompt; nobody who wrote one of them can know it."""
        return self.call_key[:16]

    @property
    def nonce(self) -> str:
        """The word that the reply must repeat."""
        return nonce_of(self.call_key)

    def sampling_values(self) -> dict[str, Any]:
        """Sampling as a mapping, unset values left out."""
        values: dict[str, Any] = json.loads(self.sampling)
        return {name: value for name, value in values.items() if value is not None}


class Answer(NamedTuple):
    """The row that a call function returns; `value` is JSON where status is ok or repaired."""

    call_key: str
    value: str | None
    status: str
    reason: str | None
    rationale: str | None


class Transport(Protocol):
    """A way to get answers: live, embedded, replay (a provider's batch API would be another)."""

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """One answer for each request, in order; never raises for a row."""


def asked(prompt: Prompt, call_key: str, dimensions: str | None) -> Asked:
    """What a request of a prompt fixes about its reply."""
    low, high = prompt.range or (None, None)
    names = asked_names(dimensions)
    return Asked(prompt.lang, low, high, prompt.anchor, names, nonce_of(call_key))


def nonce_of(call_key: str) -> str:
    """Like the fence derived from the key, so that a stored reply can be read again (DESIGN 4)."""
    return call_key[16:24]


def asked_names(dimensions: str | None) -> tuple[str, ...]:
    """The names that a reply must give, one a line, before the colon of a description."""
    lines = (dimensions or "").splitlines()
    names = (line.replace("：", ":").partition(":")[0].strip() for line in lines)
    return tuple(name for name in names if name)


def unasked(request: Request, reason: str) -> Answer:
    """The answer to a request that was not sent; the next run asks it again."""
    return Answer(request.call_key, None, "not_in_ledger", reason, None)
