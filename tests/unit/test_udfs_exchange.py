"""A request's way to an answer, without a network: what is stored and when it is asked again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import cast

import pytest

from towbench.prompts import load_prompts
from towbench.schemas.prices import Prices
from towbench.udfs import score_leaf
from towbench.udfs.exchange import Exchange
from towbench.udfs.ledger import Intent, LedgerWriter, Outcome, Reply, Row
from towbench.udfs.purse import Purse
from towbench.udfs.request import Answer, Request
from towbench.udfs.response import FREE, Response, Usage, read_response


class Notebook:
    """Keeps what would go to the ledger."""

    def __init__(self) -> None:
        self.commits: list[Sequence[Row]] = []

    def add(self, *rows: Row) -> None:
        self.commits.append(rows)


def exchange(notebook: Notebook, model: str = "local/m") -> Exchange:
    request = Request(
        score_leaf, "k" * 64, model, "logic_v1.en", 0, '{"temperature": 0, "max_tokens": 50}',
        "reference_first", "Write.", "The reference.", "The text.", "unused",
    )  # fmt: skip
    ledger = cast(LedgerWriter, notebook)
    prompts = load_prompts()
    purse = Purse(Prices([]), None)
    return Exchange(
        request, prompts["logic_v1.en"], prompts["ask_again_v1.en"], ledger, "run", purse
    )


def reply(content: str) -> Response:
    message = {"choices": [{"finish_reason": "stop", "message": {"content": content}}]}
    usage = {"usage": {"prompt_tokens": 9, "completion_tokens": 9}}
    return read_response(json.dumps(message | usage), 200, "", False)


def replay(one: Exchange, *responses: Response) -> list[Answer | None]:
    return [one.take(one.begin(100), response) for response in responses]


def test_an_answer_leaves_intent_outcome_and_reply_in_one_commit() -> None:
    notebook = Notebook()
    one = exchange(notebook)
    [answer] = replay(one, reply('{"reason": "r", "score": 7}'))
    assert answer == Answer("k" * 64, '{"score": 7}', "ok", None, "r")
    [(intent, outcome, read)] = notebook.commits
    assert isinstance(intent, Intent) and isinstance(outcome, Outcome) and isinstance(read, Reply)
    assert intent.attempt_id == outcome.attempt_id == read.attempt_id
    assert (intent.number, intent.prompt_tokens_bound, intent.completion_tokens_bound) == (
        1,
        100,
        50,
    )
    assert (outcome.cost, outcome.usage_unknown, outcome.prompt_tokens) == (None, False, 9)
    assert one.slots.keys() == {"instruction", "reference", "text"}


def test_an_unreadable_reply_is_asked_again_once() -> None:
    notebook = Notebook()
    one = exchange(notebook)
    bad = reply('{"score": 11}')
    first, second = replay(one, bad, bad)
    assert first is None and second is not None
    assert one.unusable is not None and one.unusable.fault == "out_of_range (score=11)"
    asked, quoted, again = (message["content"] for message in one.messages("text"))
    assert "The text." in asked and quoted == '{"score": 11}' and "score=11" in again
    assert second[1:4] == (None, "out_of_range", "score=11")
    assert [rows[0].number for rows in notebook.commits if isinstance(rows[0], Intent)] == [1, 2]


def test_a_cut_reply_doubles_the_budget_once() -> None:
    one = exchange(Notebook())
    cut = Response("truncated", Usage(9, 50), 200)
    first, second = replay(one, cut, cut)
    assert first is None and one.max_tokens == 100
    assert second is not None and second.status == "truncated"


@pytest.mark.parametrize(
    ("status", "tries"),
    [
        ("http_429", 8), ("http_5xx", 5), ("dropped", 5), ("error_in_200", 5), ("timeout", 3),
        ("empty", 2), ("refused", 1), ("filtered", 1), ("prompt_cut", 1), ("http_4xx", 1),
    ],
)  # fmt: skip
def test_tries_are_bounded_by_status(status: str, tries: int) -> None:
    answers = replay(exchange(Notebook()), *[Response(status, FREE, 418)] * tries)
    assert answers[:-1] == [None] * (tries - 1)
    assert answers[-1] is not None and answers[-1].status == status
    assert answers[-1].value is None


def test_money_is_known_to_be_none_or_unknown() -> None:
    notebook = Notebook()
    replay(exchange(notebook), Response("http_5xx", FREE, 500), Response("timeout", Usage()))
    replay(exchange(notebook, "embedded/rules-1"), reply("[[7]]"))
    outcomes = [row for rows in notebook.commits for row in rows if isinstance(row, Outcome)]
    assert [(one.cost, one.usage_unknown) for one in outcomes] == [
        (0.0, False),
        (None, True),
        (0.0, False),
    ]
