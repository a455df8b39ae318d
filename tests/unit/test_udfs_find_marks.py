"""Marks of a model: known kinds only, each passage once, an empty list is an answer."""

import json

import pytest

from towbench.udfs import find_marks
from towbench.udfs.embedded import answer
from towbench.udfs.reply import Asked, read

TEXT = "联系人：张三丰，电话 13912345678，请加微信咨询。河水在夜里涨了三寸，老人站在桥头看了很久。"


def test_kinds_and_quotes_are_kept_once_in_order() -> None:
    found = read(
        '{"reason": "r", "marks": [{"kind": "PII", "quote": "张三"}, {"kind": "ad", "quote": "扫码"},'
        ' {"kind": "pii", "quote": "张三"}]}',
        find_marks,
        Asked("zh"),
    )
    assert found.value == {
        "marks": [{"kind": "pii", "quote": "张三"}, {"kind": "ad", "quote": "扫码"}]
    }
    assert found.rationale == "r"


def test_nothing_to_point_out_is_an_answer() -> None:
    found = read('{"reason": "clean", "marks": []}', find_marks, Asked("en"))
    assert (found.value, found.status) == ({"marks": []}, "ok")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"marks": [{"kind": "rude", "quote": "x"}]}', "unknown=rude"),
        ('{"marks": [{"kind": "pii", "quote": " "}]}', "quote="),
        ('{"marks": "none"}', "marks is no list"),
        ('{"found": []}', "no_verdict"),
    ],
)
def test_what_breaks_the_form_is_no_answer(reply: str, reason: str) -> None:
    found = read(reply, find_marks, Asked("en"))
    assert (found.value, found.status) == (None, "unparsable")
    assert reason in str(found.reason)


def test_the_embedded_model_answers_with_its_rules() -> None:
    reply = answer("rules-1", "marks", "zh", {"text": TEXT})
    found = read(reply, find_marks, Asked("zh"))
    assert found.value is not None
    assert {"kind": "pii", "quote": "13912345678"} in json.loads(json.dumps(found.value))["marks"]
