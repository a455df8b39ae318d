"""Replies with sub-scores: the rubric's own names, a plan's shares; a fault costs the whole reply."""

import json

import pytest

from towbench.udfs import score_plan, score_rubric
from towbench.udfs.reply import Asked, Read, read

RUBRIC = Asked("en", 1, 10, 6, ("theme", "language"))
PLAN = Asked("en", 1, 10, 6)


def rubric(reply: object) -> Read:
    return read(reply if isinstance(reply, str) else json.dumps(reply), score_rubric, RUBRIC)


def plan(*parts: object, total: object = 6) -> Read:
    reply = {"dimensions": list(parts), "reason": "Because.", "total": total}
    return read(f"First, my plan.\n```json\n{json.dumps(reply)}\n```", score_plan, PLAN)


def part(name: object, share: object, score: object = 6) -> dict[str, object]:
    return {"name": name, "share": share, "reason": "r", "score": score}


def test_a_rubric_gives_total_and_parts_in_the_order_asked() -> None:
    found = rubric(
        {
            "dimensions": [
                {"name": "language", "reason": "r", "score": 7},
                {"name": "theme", "reason": "r", "score": 5},
            ],
            "reason": "Sound.",
            "total": 8,
        }
    )
    assert (found.status, found.rationale) == ("ok", "Sound.")
    assert found.value == {
        "score": 8,
        "parts": [{"name": "theme", "score": 5}, {"name": "language", "score": 7}],
    }


@pytest.mark.parametrize(
    ("reply", "status", "reason"),
    [
        ({"dimensions": [{"name": "theme", "score": 5}], "total": 6}, "unparsable", "missing="),
        ({"dimensions": {"theme": 5, "language": 11}, "total": 6}, "out_of_range", "language=11"),
        ({"dimensions": {"theme": 5, "language": 5}, "total": 0}, "out_of_range", "total=0"),
        ({"dimensions": {"theme": 5, "language": 5, "wit": 5}, "total": 6}, "unparsable", "wit"),
        ({"dimensions": {"theme": 5, "language": 5}}, "unparsable", "no_verdict"),
        ("[[7]]", "unparsable", "no_verdict"),
    ],
)
def test_a_rubric_reply_that_breaks_a_rule_has_no_value(
    reply: object, status: str, reason: str
) -> None:
    found = rubric(reply)
    assert found.value is None and found.status == status
    assert reason in str(found.reason)


def test_a_plan_gives_names_shares_scores_and_its_own_total() -> None:
    found = plan(part("structure", 0.25, 4), part("wit", 0.75, 8), total=9)
    assert (found.status, found.rationale) == ("ok", "Because.")
    assert found.value == {
        "score": 9,
        "parts": [
            {"name": "structure", "share": 0.25, "score": 4},
            {"name": "wit", "share": 0.75, "score": 8},
        ],
    }


def test_shares_off_by_a_hundredth_are_divided_by_their_sum_and_marked() -> None:
    found = plan(part("a", 0.33), part("b", 0.33), part("c", 0.33))
    assert (found.status, found.reason) == ("repaired", "normalised")
    assert found.value is not None
    parts = found.value["parts"]
    assert isinstance(parts, list)
    assert sum(one["share"] for one in parts) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("parts", "status", "reason"),
    [
        ([part("a", 0.5), part("b", 0.4)], "out_of_range", "sum=0.9"),
        ([part("a", 30), part("b", 70)], "out_of_range", "share of a=30"),
        ([part("a", -0.5), part("b", 1.5)], "out_of_range", "share of a=-0.5"),
        ([part("a", 0.5), part("a", 0.5)], "unparsable", "twice=a"),
        ([part("", 1)], "unparsable", "name="),
        ([part("a", None)], "unparsable", "share of a=null"),
        ([part("a", 1, 11)], "out_of_range", "a=11"),
        ([], "unparsable", "dimensions=[]"),
    ],
)
def test_a_plan_that_breaks_a_rule_has_no_value(
    parts: list[object], status: str, reason: str
) -> None:
    found = plan(*parts)
    assert found.value is None and found.status == status
    assert reason in str(found.reason)


def test_a_second_plan_with_another_total_conflicts() -> None:
    replies = [
        json.dumps({"dimensions": [part("a", 1)], "reason": "r", "total": n}) for n in (4, 5)
    ]
    assert read("\n".join(replies), score_plan, PLAN).status == "conflicting"
