"""What the fake endpoint replies: one request in, one reply with its fault out. No network here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from towbench.udfs.embedded.endpoint_faults import (
    FAULTS,
    NO_FAULT,
    Fault,
    Profile,
    fitting,
    spoil,
)
from towbench.udfs.embedded.endpoint_prompts import (
    MODEL,
    Draft,
    content_text,
    count_tokens,
    draft,
    first_prompt,
)
from towbench.udfs.embedded.writers import WRITERS

EMBEDDING_MODEL: Final = "embedding-1"
FINGERPRINT: Final = "fp_towbench_1"
_THOUGHT: Final = "The opening is plain. Perhaps [[3]]? No, the end is better than that."


def is_known(model: str) -> bool:
    """Whether the endpoint serves a model: `rules-1`, `rules-1-<anything>`, the writers."""
    return model == MODEL or model.startswith(f"{MODEL}-") or model in WRITERS


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply to one request.

    Attributes:
        body: JSON to send; None where the connection breaks before.
        usage: prompt and completion tokens that the body states, if it does.
        call: what stays the same when a request is sent again.
        number: which request of that call this is, from 1.
    """

    status: int
    body: str | None
    fault: Fault
    call: str
    number: int
    model: str
    form: str
    usage: tuple[int, int] | None = None
    content: str | None = None


@dataclass
class Desk:
    """Answers chat requests; the same seed and the same requests get the same replies."""

    profile: Profile
    canned: str | None = None
    _numbers: dict[str, int] = field(default_factory=dict)

    def answer(self, body: Mapping[str, Any]) -> Reply:
        """The reply to the body of a chat completion request."""
        model = str(body.get("model", ""))
        messages = body.get("messages")
        if not isinstance(messages, list) or not messages:
            return self._refuse(400, "messages: not a list of messages", model)
        asked = body.get("response_format")
        form = str(asked.get("type")) if isinstance(asked, dict) else "text"
        call = hashlib.blake2b(first_prompt(messages).encode("utf-8", "replace"), digest_size=8)
        call.update(model.encode("utf-8", "replace"))
        key = call.hexdigest()
        number = self._numbers[key] = self._numbers.get(key, 0) + 1
        if not is_known(model):
            return self._refuse(
                404, f"the model {model!r} does not exist", model, "model_not_found"
            )
        if form == "json_schema" and self.profile.befalls("json_schema_refused", model):
            fault = FAULTS["json_schema_refused"]
            said = error_body("response_format json_schema is not supported", "invalid_value")
            return Reply(400, said, fault, key, number, model, form)
        return self._reply(key, number, model, form, messages)

    def _reply(
        self, call: str, number: int, model: str, form: str, messages: list[dict[str, Any]]
    ) -> Reply:
        fault = self.profile.fault(call, number)
        written = self._draft(model, messages, form)
        fault = fitting(fault, written)
        if fault.where == "http":
            return Reply(fault.http, _http_body(fault), fault, call, number, model, form)
        if fault.name == "error_in_200":
            body = error_body("the model crashed", "server_error")
            return Reply(200, body, fault, call, number, model, form)
        written = spoil(written, fault.name)
        shown = [content_text(message.get("content")) for message in messages]
        n_prompt, n_completion = count_tokens(*shown), count_tokens(written.text)
        if fault.name == "prompt_cut":
            n_prompt = max(n_prompt // 10, 1)
        elif fault.name == "empty_length":
            n_completion = 512
        elif fault.name == "reasoning_content":
            n_completion += count_tokens(_THOUGHT)
        completion = _completion(model, call, number, written, fault, (n_prompt, n_completion))
        return Reply(
            200,
            json.dumps(completion),
            fault,
            call,
            number,
            model,
            form,
            (n_prompt, n_completion),
            written.text,
        )

    def _draft(self, model: str, messages: list[dict[str, Any]], form: str) -> Draft:
        if self.canned is None:
            return draft(model, messages, form)
        return Draft(self.canned, is_json=self.canned.startswith("{"))

    def _refuse(self, status: int, message: str, model: str, code: str = "invalid_value") -> Reply:
        return Reply(status, error_body(message, code), NO_FAULT, "", 1, model, "text")


def error_body(message: str, code: str) -> str:
    """An error as OpenAI-compatible endpoints write it."""
    return json.dumps({"error": {"message": message, "type": code, "code": code, "param": None}})


def _http_body(fault: Fault) -> str:
    if fault.name == "http_502":
        return "<html><body><h1>502 Bad Gateway</h1></body></html>"
    said = {429: ("Rate limit reached", "rate_limit_exceeded"), 503: ("Overloaded", "overloaded")}
    return error_body(*said.get(fault.http, ("The server had an error", "server_error")))


def _completion(
    model: str, call: str, number: int, reply: Draft, fault: Fault, usage: tuple[int, int]
) -> dict[str, Any]:
    finish = {"content_filter": "content_filter", "empty_length": "length"}
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": None}
    if fault.name == "refusal":
        message |= {"content": None, "refusal": "I cannot help with that."}
    elif reply.refusal is not None:
        message |= {"content": None, "refusal": reply.refusal}
    elif fault.name == "reasoning_content":
        message["reasoning_content"] = _THOUGHT
    choice = {"index": 0, "message": message, "finish_reason": finish.get(fault.name, "stop")}
    prompt, completion = usage
    return {
        "id": f"chatcmpl-{call}-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": f"{model}-served",
        "system_fingerprint": FINGERPRINT,
        "choices": None if fault.name == "choices_null" else [choice],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        },
    }
