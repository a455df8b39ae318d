"""SQL functions `read_reply` and the list of call functions whose replies it reads."""

import json

import pyarrow as pa

from towbench.prompts import load_prompts
from towbench.udfs.calls import CALLS
from towbench.udfs.read_reply import run

KEY = "k" * 16 + "1d0cf00d" + "k" * 40


def read(prompt_id: str, dimensions: str | None, body: str | None) -> object:
    row = (KEY, prompt_id, dimensions, body)
    return run(*(pa.chunked_array([[one]], pa.string()) for one in row)).to_pylist()[0]


def body(content: str) -> str:
    choice = {"finish_reason": "stop", "message": {"content": content}}
    return json.dumps({"choices": [choice]})


def test_a_stored_body_is_read_as_a_fresh_one_would_be() -> None:
    assert read("logic_v1.en", None, body('{"score": 7, "reason": "fair"}')) == {
        "value": '{"score": 7}',
        "status": "ok",
        "reason": None,
        "rationale": "fair",
        "text": '{"score": 7, "reason": "fair"}',
    }
    wrong = read("logic_v1.en", None, body("[[11]]"))
    assert isinstance(wrong, dict) and (wrong["value"], wrong["status"]) == (None, "out_of_range")


def test_the_nonce_of_a_stored_reply_is_checked_again() -> None:
    """cases F29."""
    own = read("logic_v1.en", None, body('{"nonce": "1d0cf00d", "score": 7}'))
    assert isinstance(own, dict) and own["status"] == "ok"
    other = read("logic_v1.en", None, body('{"nonce": "1d0cf00e", "score": 7}'))
    assert isinstance(other, dict)
    assert (other["value"], other["reason"]) == (None, 'nonce="1d0cf00e"')


def test_weights_are_read_by_the_names_that_were_asked() -> None:
    weights = {"weights": [{"name": "a", "weight": 0.4}, {"name": "b", "weight": 0.6}]}
    found = read("negotiate_v1.en", "a: first\nb: second", body(json.dumps(weights)))
    assert isinstance(found, dict) and found["status"] in ("ok", "repaired")
    assert json.loads(found["value"]) == {"a": 0.4, "b": 0.6}


def test_what_cannot_be_read_is_null() -> None:
    assert read("logic_v1.en", None, None) is None
    assert read("logic_v1.en", None, "{") is None
    assert read("gone_v1.en", None, body("[[7]]")) is None


def test_every_reply_schema_has_one_call_function() -> None:
    read_by = [form.REPLY for form in CALLS]
    assert len(set(read_by)) == len(read_by)
    assert {prompt.reply for prompt in load_prompts().values() if prompt.slots} <= set(read_by)
