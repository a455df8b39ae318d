"""The transports that need no network: the embedded models, and the ledger alone."""

from __future__ import annotations

import json
from collections.abc import Sequence

from towbench.udfs import embedded
from towbench.udfs.exchange import Exchange
from towbench.udfs.request import Answer, Request, unasked
from towbench.udfs.response import FREE, Response, read_response, token_estimate
from towbench.udfs.session import Session

# What the embedded models call the tasks that are no leaves, by reply schema.
_TASKS = {
    "genre_v1": "genre",
    "quality_v1": "quality",
    "construct_v1": "construct",
    "marks_v1": "marks",
    "weights_v1": "negotiate",
    "rubric_scores_v1": "elaborated",
    "plan_v1": "auto_plan",
    "text": "write",
}

_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


class Embedded:
    """Answers on the calling thread from the offline models; their replies cost nothing."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """One answer for each request, in order."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        exchange = self._session.exchange(request)
        try:
            answer = self._exchange(exchange)
        except embedded.NothingToScore:
            answer = Answer(request.call_key, None, "not_applicable", "too_few_letters", None)
        except embedded.UnknownModel as error:
            self._session.stop(f"TOWBENCH_JUDGES and the other model settings: {error}")
            answer = self._session.unasked(request)
        self._session.count(answer, 0.0)
        return answer

    def _exchange(self, exchange: Exchange) -> Answer:
        request, prompt = exchange.request, exchange.prompt
        slots = request.slots | {"dimensions": "\n".join(request.asked_names)}
        shown = "\n".join(slots.values())
        task = _TASKS.get(prompt.reply, prompt.task)
        while not self._session.is_stopping:
            attempt = exchange.begin(token_estimate(shown))
            try:
                reply = embedded.answer(request.model_name, task, prompt.lang, slots)
                body = _completion(request.model, shown, reply)
                response = read_response(body, 200, shown, exchange.is_prose)
            except (embedded.NothingToScore, embedded.UnknownModel):
                raise
            except Exception as error:  # a fault of the rules costs this row, not the run
                response = Response("error_in_200", FREE, error=f"{type(error).__name__}: {error}")
            if answer := exchange.take(attempt, response):
                return answer
        return self._session.unasked(request)


class Replay:
    """Answers from the ledger alone; hits never get here, so whatever does is missing."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """`not_in_ledger` for each request."""
        answers = [unasked(request, "replay") for request in requests]
        for answer in answers:
            self._session.count(answer, 0.0)
        return answers


def _completion(model: str, shown: str, reply: str) -> str:
    """A reply as the chat completion that an endpoint would send; token counts are estimates."""
    completion = {
        "object": "chat.completion",
        "model": model,
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": reply},
            }
        ],
        "usage": {
            "prompt_tokens": token_estimate(shown),
            "completion_tokens": token_estimate(reply),
        },
    }
    return _ENCODE(completion)
