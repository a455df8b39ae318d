"""One path from a response body to a status: null, refusal, empty and cut are told apart."""

import json
from typing import Any

import pytest

from towbench.udfs.response import (
    FREE,
    Usage,
    error_code,
    read_response,
    token_bound,
    token_estimate,
)

PROMPT = "Judge this. " * 50


def body(message: object, finish: object = "stop", **fields: Any) -> str:
    usage = {"prompt_tokens": 150, "completion_tokens": 9}
    whole = {"choices": [{"finish_reason": finish, "message": message}], "usage": usage}
    return json.dumps(whole | fields)


@pytest.mark.parametrize(
    ("case", "text", "status"),
    [
        ("fine", body({"content": "[[7]]"}), "ok"),
        ("parts", body({"content": [{"type": "text", "text": "[[7]]"}]}), "ok"),
        ("B13", body({"content": ""}, "length"), "truncated"),
        ("A8", body({"content": '{"score": 8, "rea'}, "length"), "truncated"),
        ("A5", body({"content": "<think>it is a 4"}), "truncated"),
        ("B14", body({"content": None}), "empty"),
        ("B14", body({"content": " \n"}), "empty"),
        ("B14", body({"content": "<think>7</think>"}), "empty"),
        ("B14", body(None), "empty"),
        ("B14", body({"content": None, "refusal": "I can't."}), "refused"),
        ("C16", body({"content": ""}, "content_filter"), "filtered"),
        ("error", json.dumps({"error": {"message": "busy"}}), "error_in_200"),
        ("error", json.dumps({"error": "busy"}), "error_in_200"),
        ("null", json.dumps({"choices": None}), "error_in_200"),
        ("none", json.dumps({"choices": []}), "error_in_200"),
        ("odd", json.dumps({"choices": {"0": 1}}), "error_in_200"),
        ("odd", "[1]", "error_in_200"),
        ("control", body({"content": "7 A"}).replace("7 A", "7\x00\nA"), "ok"),
        ("half", '{"choices": [{"mess', "dropped"),
        ("html", "<html>Bad gateway</html>", "dropped"),
        ("F29", body({"content": "[[7]]"}, usage={"prompt_tokens": 20}), "prompt_cut"),
        ("no count", body({"content": "[[7]]"}, usage=None), "ok"),
    ],
)
def test_status_of_a_body(case: str, text: str, status: str) -> None:
    assert read_response(text, 200, PROMPT, is_prose=False).status == status, case


@pytest.mark.parametrize(
    ("code", "status"),
    [(429, "http_429"), (500, "http_5xx"), (503, "http_5xx"), (400, "http_4xx"), (404, "http_4xx")],
)
def test_a_refused_request_costs_nothing(code: int, status: str) -> None:
    found = read_response('{"error": {"message": "no", "code": "why"}}', code, PROMPT, False)
    assert (found.status, found.usage, found.error) == (status, FREE, "no")


def test_usage_that_is_not_told_is_unknown() -> None:
    told = read_response(body({"content": "a"}), 200, PROMPT, False)
    assert (told.usage, told.usage.is_unknown) == (Usage(150, 9), False)
    for usage in (None, {}, {"prompt_tokens": 150}, {"prompt_tokens": "many"}):
        untold = read_response(body({"content": "a"}, usage=usage), 200, PROMPT, False)
        assert untold.usage.is_unknown


@pytest.mark.parametrize("wrong", [-1, 10**12, 10**30, True, 9.5, "150"])
def test_what_cannot_be_a_number_of_tokens_is_not_told(wrong: object) -> None:
    """It would make a call earn money, be taken for a cut prompt, or be too much for the ledger."""
    usage = {"prompt_tokens": wrong, "completion_tokens": wrong}
    details = {"prompt_tokens_details": {"cached_tokens": wrong}}
    found = read_response(body({"content": "a"}, usage=usage | details), 200, PROMPT, False)
    assert (found.status, found.usage) == ("ok", Usage())


def test_a_story_cut_by_the_server_is_seen() -> None:
    """cases F 29: a 9,000-character story of which the server read 2,051 tokens."""
    story = "雨夜灯火" * 2250
    cut = body({"content": "[[7]]"}, usage={"prompt_tokens": 2051, "completion_tokens": 5})
    assert read_response(cut, 200, story, False).status == "prompt_cut"
    whole = body({"content": "[[7]]"}, usage={"prompt_tokens": 4700, "completion_tokens": 5})
    assert read_response(whole, 200, story, False).status == "ok"


def test_a_cut_of_an_english_prompt_is_seen_by_its_words() -> None:
    """cases F 29: 1,000 words are 1,000 tokens at least."""
    story = "the ferry left before dawn " * 200
    cut = body({"content": "[[7]]"}, usage={"prompt_tokens": 990, "completion_tokens": 5})
    assert read_response(cut, 200, story, False).status == "prompt_cut"
    whole = body({"content": "[[7]]"}, usage={"prompt_tokens": 1050, "completion_tokens": 5})
    assert read_response(whole, 200, story, False).status == "ok"


def test_a_thought_in_a_field_of_its_own_is_no_part_of_the_reply() -> None:
    """cases A 5, B 13: reasoning models."""
    message = {"content": "[[7]]", "reasoning_content": "It is a [[3]], or {"}
    assert read_response(body(message), 200, PROMPT, False).text == "[[7]]"
    spent = {"content": "", "reasoning_content": "so far [[3]]"}
    assert read_response(body(spent, "length"), 200, PROMPT, False).status == "truncated"
    assert read_response(body(spent), 200, PROMPT, False).status == "empty"


def test_an_essay_is_not_searched_for_thoughts() -> None:
    essay = "He wrote `<think>` on the board."
    assert read_response(body({"content": essay}), 200, PROMPT, is_prose=True).status == "ok"


def test_lone_surrogates_are_replaced() -> None:
    found = read_response(body({"content": "a \ud83d b"}), 200, PROMPT, False)
    assert found.text == "a \ufffd b"
    assert found.body is not None and found.body.isascii()


def test_the_code_of_an_error_or_nothing() -> None:
    assert error_code('{"error": {"code": "insufficient_quota"}}') == "insufficient_quota"
    assert error_code('{"error": {"type": "bad"}}') == "bad"
    assert error_code("<html>") == error_code('{"error": "text"}') == error_code("[]") == ""


def test_a_token_estimate_lies_under_the_bound() -> None:
    for text in ("", "plain words here", "雨夜灯火", "🙂"):
        assert 0 < token_estimate(text) < token_bound(text)
