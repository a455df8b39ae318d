"""What came back for an attempt: raw response body -> attempt status, text, usage. Pure.

One path for every transport and for rereading stored bodies: live, embedded and batch responses all
have the shape of a chat completion, or that of an embedding.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from towbench.udfs.loose_json import without_surrogates
from towbench.udfs.thought import strip_thought

# No tokenizer in use spends under 0.4 tokens on a Han character (3 bytes) or 0.13 on a letter, and
# none puts two words with a space between them into one token; an endpoint that counts less than
# this has cut the prompt (cases F 29). English has about 1.3 tokens a word, so a cut by a quarter
# shows; Chinese 0.6 to 1 a character, so a cut by half does.
_BYTES_PER_TOKEN_AT_MOST = 7.5
# Nobody's request has as many tokens; a column of whole numbers could not even hold some.
_NO_COUNT = 10**12
# Billed already: a bare control character in a string is no reason to pay again.
_LENIENT = json.JSONDecoder(strict=False)
_BLANKS = " \n\t\r\u3000\xa0"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of an attempt, and those of the prompt read from a cache; None where not told."""

    prompt: int | None = None
    completion: int | None = None
    cached: int | None = None

    @property
    def is_unknown(self) -> bool:
        """Whether the attempt may have cost something that we do not know."""
        return self.prompt is None or self.completion is None


FREE = Usage(0, 0)
"""The usage of an attempt that the endpoint refused or that was never sent."""


@dataclass(frozen=True, slots=True)
class Response:
    """An attempt's end; `text` is the reply where status is ok."""

    status: str
    usage: Usage
    http_status: int | None = None
    finish_reason: str | None = None
    text: str | None = None
    served_model: str | None = None
    fingerprint: str | None = None
    body: str | None = None
    error: str | None = None


def read_response(body: str, http_status: int, prompt: str, is_prose: bool) -> Response:
    """Read the body of an answered attempt.

    Args:
        prompt: what was sent, to see whether the endpoint cut it silently.
        is_prose: an essay was asked for, no verdict.
    """
    if not 200 <= http_status < 300:
        return Response(
            _http_status(http_status), FREE, http_status, body=body, error=error_message(body)
        )
    try:
        reply = _LENIENT.decode(body)
    except (ValueError, RecursionError):
        return Response("dropped", Usage(), 200, body=body, error="the body is no JSON")
    if not isinstance(reply, dict):
        return Response("error_in_200", Usage(), 200, body=body, error="the body is no object")
    usage = _usage(reply)
    if isinstance(reply.get("data"), list) and not reply.get("error"):
        return _read_embedding(reply, usage, body, prompt)
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if reply.get("error") or not isinstance(choice, dict):
        error = error_message(body) if reply.get("error") else "no choices"
        return Response("error_in_200", usage, 200, body=body, error=error)
    finish_reason = _text(choice.get("finish_reason"))
    given = choice.get("message")
    message: dict[str, Any] = given if isinstance(given, dict) else {}
    text = _content(message.get("content"))
    status, fault = _judge_choice(finish_reason, text, _text(message.get("refusal")), is_prose)
    if status == "ok" and _is_cut(prompt, usage.prompt):
        status, fault = "prompt_cut", f"the endpoint read only {usage.prompt} prompt tokens"
    return Response(
        status,
        usage,
        200,
        finish_reason,
        text,
        _text(reply.get("model")),
        _text(reply.get("system_fingerprint")),
        body,
        fault,
    )


def _read_embedding(reply: dict[str, Any], usage: Usage, body: str, prompt: str) -> Response:
    """The vector of one text, as the JSON text that a form reads; it has no completion tokens."""
    usage = replace(usage, completion=0)
    first = reply["data"][0] if reply["data"] else None
    if not isinstance(first, dict) or first.get("embedding") is None:
        return Response("error_in_200", usage, 200, body=body, error="no embedding")
    status, fault = "ok", None
    if _is_cut(prompt, usage.prompt):
        status, fault = "prompt_cut", f"the endpoint read only {usage.prompt} prompt tokens"
    text = json.dumps({"embedding": first["embedding"]})
    served = _text(reply.get("model"))
    return Response(status, usage, 200, None, text, served, body=body, error=fault)


def error_message(body: str) -> str:
    """The endpoint's own words about an error, at most 500 characters."""
    return (_text(_error_field(body, "message")) or body.strip())[:500]


def error_code(body: str) -> str:
    """The endpoint's code or type of an error, or nothing."""
    return _text(_error_field(body, "code")) or _text(_error_field(body, "type")) or ""


def token_estimate(text: str) -> int:
    """A middling guess: three quarters of a token a Han character, a quarter a letter."""
    return max(len(text.encode()) // 4, len(text.split())) + 1


def token_bound(text: str) -> int:
    """What no byte-level tokenizer exceeds, with room for the frame of a message."""
    return len(text.encode()) + 16


def _http_status(code: int) -> str:
    if code == 429:
        return "http_429"
    return "http_5xx" if code >= 500 else "http_4xx"


def _judge_choice(
    finish_reason: str | None, text: str, refusal: str | None, is_prose: bool
) -> tuple[str, str | None]:
    """Status by what stands around the text, before anyone reads it (cases A 8, B 13, B 14)."""
    if finish_reason == "content_filter":
        return "filtered", "content filter"
    if refusal:
        return "refused", refusal[:500]
    if finish_reason == "length":
        return "truncated", "the token limit was reached"
    answer = strip_thought(text, is_prose)
    if answer is None:
        return "truncated", "a thought was opened and never closed"
    if not answer.strip():
        return "empty", "the reply is empty"
    return "ok", None


def _is_cut(prompt: str, prompt_tokens: int | None) -> bool:
    if not prompt_tokens:
        return False
    if prompt_tokens < len(prompt.encode()) / _BYTES_PER_TOKEN_AT_MOST:
        return True
    # Splitting takes five times as long as counting, which settles nearly every prompt.
    most_words = sum(map(prompt.count, _BLANKS)) + 1
    return prompt_tokens < most_words and prompt_tokens < len(prompt.split())


def _usage(reply: dict[str, Any]) -> Usage:
    usage = reply.get("usage")
    if not isinstance(usage, dict):
        return Usage()
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return Usage(
        _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")), _count(cached)
    )


def _count(value: object) -> int | None:
    """A number of tokens; what cannot be one (negative, text, beyond all contexts) is not told."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < _NO_COUNT else None


def _content(content: object) -> str:
    """A message's content; some endpoints send a list of parts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) or "" for part in content if isinstance(part, dict))
    return _text(content) or ""


def _text(value: object) -> str | None:
    return without_surrogates(value) if isinstance(value, str) else None


def _error_field(body: str, name: str) -> object:
    try:
        error = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return error.get(name) if isinstance(error, dict) else error if name == "message" else None
