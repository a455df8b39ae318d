"""Weights are those of the reply or none: never a default (SPEC 4)."""

import math

import pytest

from towbench.udfs import negotiate_weights
from towbench.udfs.reply import Asked, Read, read

ASKED = Asked("en", dimensions=("logic", "emotion"))


def weigh(reply: str) -> Read:
    return read(reply, negotiate_weights, ASKED)


@pytest.mark.parametrize(
    "reply",
    [
        '{"weights": {"emotion": -0.25, "logic": 1.25}, "reason": "r"}',
        '{"weights": [{"name": "logic", "weight": 0.7}], "reason": "r"}',
        '{"weights": {"logic": 0.5, "emotion": 0.5, "plot": 0}}',
        '{"weights": [{"name": "logic", "weight": 1}, {"name": "logic", "weight": 0}, '
        '{"name": "emotion", "weight": 0}]}',
        '{"weights": {"logic": 0.5, "emotion": 0.4}}',
        '{"weights": {"logic": 0.5, "emotion": null}}',
        '{"weights": {"logic": 0.5, "emotion": NaN}}',
        '{"weights": {"logic": true, "emotion": 0}}',
        '{"weights": "equal"}',
        "Equal weights, I think.",
    ],
)
def test_a_reply_that_breaks_a_rule_has_no_weights(reply: str) -> None:
    found = weigh(reply)
    assert found.value is None
    assert found.status in ("unparsable", "out_of_range") and found.reason


@pytest.mark.parametrize(
    "reply",
    [
        '{"weights": {"emotion": 0.0, "logic": 1.0}}',
        '{"weights": [{"name": "emotion", "weight": 0}, {"name": "logic", "weight": 1}]}',
        '{"logic": 1, "emotion": 0, "reason": "r"}',
    ],
)
def test_a_map_a_list_and_a_bare_map_are_the_same_answer(reply: str) -> None:
    found = weigh(reply)
    assert (found.value, found.status) == ({"logic": 1, "emotion": 0}, "ok")


def test_a_sum_off_by_a_hundredth_is_normalised_and_marked() -> None:
    found = weigh('{"weights": {"logic": 0.7, "emotion": 0.31}}')
    assert (found.status, found.reason) == ("repaired", "normalised")
    assert found.value is not None
    weights = [float(str(weight)) for weight in found.value.values()]
    assert math.isclose(sum(weights), 1, abs_tol=1e-12)
    assert math.isclose(weights[0], 0.7 / 1.01)


def test_normalising_never_leaves_the_scale() -> None:
    found = weigh('{"weights": {"logic": 1.0, "emotion": -0.01}}')
    assert (found.value, found.status, found.reason) == (None, "out_of_range", "sum=0.99")


def test_negative_weights_are_legal() -> None:
    asked = Asked("en", dimensions=("a", "b", "c"))
    found = read('{"weights": {"a": 0.7, "b": -0.2, "c": 0.5}}', negotiate_weights, asked)
    assert found.value == {"a": 0.7, "b": -0.2, "c": 0.5}
