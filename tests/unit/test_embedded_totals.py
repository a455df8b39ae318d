"""The offline judge's totals: read by the same functions as a model's, and made of its leaves."""

import json

import pytest

from towbench.prompts import load_prompts
from towbench.udfs import score_leaf, score_plan, score_rubric
from towbench.udfs.embedded import NothingToScore, answer
from towbench.udfs.embedded.judge import LEAVES
from towbench.udfs.reply import Asked, Read, read

TEXT = (
    "河水退下去以后，渡口露出一排青石。老周每天清早来数石头，数到第七块就停住。\n\n"
    "那一年发大水，船翻在河心。父亲把三个学生推上岸，自己没有回来。\n\n"
    "如今桥通了车，没有人再坐渡船。老周还是把船擦得发亮。"
)
SLOTS = {"instruction": "写一篇关于渡口的散文。", "reference": TEXT, "text": TEXT}
RUBRICS = sorted(
    prompt.prompt_id
    for prompt in load_prompts().values()
    if prompt.task.startswith("elaborated_") and prompt.lang == "zh" and prompt.has_reference
)


def leaf_mean(slots: dict[str, str]) -> float:
    scores = [json.loads(answer("rules-1", leaf, "zh", slots))["score"] for leaf in LEAVES]
    return float(sum(scores) / len(scores))


def said(task: str, slots: dict[str, str], names: tuple[str, ...] = ()) -> Read:
    form = {"single": score_leaf, "elaborated": score_rubric, "auto_plan": score_plan}[task]
    reply = answer("rules-1", task, "zh", slots | {"dimensions": "\n".join(names)})
    return read(reply, form, Asked("zh", 1, 10, 6, names))


def test_one_score_is_the_mean_of_the_leaves() -> None:
    found = said("single", SLOTS)
    assert found.status == "ok" and found.value is not None
    assert found.value["score"] == pytest.approx(leaf_mean(SLOTS), abs=0.005)


@pytest.mark.parametrize("prompt_id", RUBRICS)
def test_every_rubric_is_answered_by_its_names(prompt_id: str) -> None:
    names = load_prompts()[prompt_id].dimensions
    found = said("elaborated", SLOTS, names)
    assert found.status == "ok" and found.value is not None
    parts = found.value["parts"]
    assert isinstance(parts, list)
    assert tuple(one["name"] for one in parts) == names
    assert found.value["score"] == pytest.approx(leaf_mean(SLOTS), abs=0.005)


def test_a_plan_is_the_negotiators_and_its_total_the_weighted_sum() -> None:
    found = said("auto_plan", SLOTS)
    assert found.status == "ok" and found.value is not None
    parts = found.value["parts"]
    assert isinstance(parts, list) and len(parts) == 4
    total = sum(one["share"] * one["score"] for one in parts)
    assert found.value["score"] == pytest.approx(total, abs=0.005)


@pytest.mark.parametrize("task", ["single", "elaborated", "auto_plan"])
def test_a_damaged_text_gets_less(task: str) -> None:
    names = ("theme", "language") if task == "elaborated" else ()
    whole, damaged = (said(task, SLOTS | {"text": text}, names) for text in (TEXT, TEXT[:40]))
    assert whole.value is not None and damaged.value is not None
    assert float(str(whole.value["score"])) > float(str(damaged.value["score"]))


@pytest.mark.parametrize("task", ["single", "elaborated", "auto_plan"])
def test_too_short_a_text_has_no_total(task: str) -> None:
    with pytest.raises(NothingToScore):
        answer("rules-1", task, "zh", SLOTS | {"text": "河水。"})
