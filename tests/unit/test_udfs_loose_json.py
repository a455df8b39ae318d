"""Objects inside replies: what is read, what is repaired, what is refused."""

import time

import pytest

from towbench.udfs.loose_json import Conflict, Cut, Found, objects


def only(text: str) -> Found:
    [found] = objects(text)
    return found


@pytest.mark.parametrize(
    ("text", "value", "repairs"),
    [
        ('{"a": [1, {"b": "}"}]}', {"a": [1, {"b": "}"}]}, ()),
        ("{“a”：“好”}", {"a": "好"}, ("full_width", "quotes")),
        ('｛"a"：１．５，"b"：－２｝', {"a": 1.5, "b": -2}, ("full_width",)),
        ('{"a": "用了“好”，很多", "b": 1,}', {"a": "用了“好”，很多", "b": 1}, ("trailing_comma",)),
        ('{"a": 1 // one\n, /* two */ "b": 2}', {"a": 1, "b": 2}, ("comment",)),
        ('{"a": "x // y"}', {"a": "x // y"}, ()),
        ('{"a": "x\ny"}', {"a": "x\ny"}, ("raw_line_break",)),
        ('{"a": "he said "go", and left"}', {"a": 'he said "go", and left'}, ("unescaped_quote",)),
        ('{"a": ["he "x" it", "b"]}', {"a": ['he "x" it', "b"]}, ("unescaped_quote",)),
        ("{a: 'it's', b: True}", {"a": "it's", "b": True}, None),
        (r'{"a": "\d \n é",}', {"a": "\\d \n é"}, ("escape", "trailing_comma")),
    ],
)
def test_structure_is_repaired_and_words_are_kept(
    text: str, value: dict[str, object], repairs: tuple[str, ...] | None
) -> None:
    found = only(text)
    assert found.value == value
    assert repairs is None or found.repairs == repairs


def test_objects_come_in_order_with_their_places() -> None:
    text = 'a {not json} {"x": 1} b {"y": 2}'
    assert [(text[f.start : f.end], f.value) for f in objects(text)] == [
        ('{"x": 1}', {"x": 1}),
        ('{"y": 2}', {"y": 2}),
    ]


def test_a_key_named_twice_with_different_values_is_a_conflict() -> None:
    assert only('{"a": 1, "a": true}').value == {"a": Conflict((1, True))}
    assert only('{"a": 1, "a": 1}').value == {"a": 1}


def test_what_stands_in_a_cut_object_is_not_offered() -> None:
    with pytest.raises(Cut):
        list(objects('{"reason": "the essay says {"score": 10} and'))


def test_a_number_too_long_for_a_scale_is_no_whole_number() -> None:
    assert only('{"a": 1' + "0" * 5000 + "}").value == {"a": float("inf")}


@pytest.mark.parametrize(
    "text", ["{" * 50_000, '{"a' * 20_000, '{"a":' * 20_000, "{“" * 20_000, '{"a":[' * 20_000]
)
def test_a_hostile_reply_costs_no_minutes(text: str) -> None:
    started = time.perf_counter()
    with pytest.raises(Cut):
        list(objects(text))
    assert time.perf_counter() - started < 3
