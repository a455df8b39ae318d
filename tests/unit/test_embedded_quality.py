"""The filter separates poor texts from decent ones, and says why."""

import json
from pathlib import Path

import pytest

from towbench.udfs.embedded import answer

SAMPLES = Path(__file__).parents[2] / "spiders" / "sample_texts"
SOUND = (
    "河水退下去以后，渡口露出一排青石。老周每天清早来数石头，数到第七块就停住。\n"
    "那一年发大水，船翻在河心。父亲把三个学生推上岸，自己没有回来。\n"
    "老周那时候九岁，站在堤上，手里攥着半块烧饼，谁拉也不肯走。\n"
    "如今桥通了车，没有人再坐渡船。他还是把船擦得发亮，说桥是给人走的，船是给人等的。"
)


def rate(text: str, dimensions: str = "语言\n结构\n内容") -> dict[str, object]:
    slots = {"text": text, "dimensions": dimensions}
    found: dict[str, object] = json.loads(answer("rules-1", "quality", "zh", slots))
    return found


def test_sound_text() -> None:
    reply = rate(SOUND)
    assert reply["overall"] == 5
    assert [part["name"] for part in reply["dimensions"]] == ["语言", "结构", "内容"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ("cut off", SOUND[:-20] + "后来他又想起了一件很久以前就应该对所有人说清楚的事情而且"),
        ("repetition", "\n".join([SOUND.splitlines()[0]] * 6)),
        ("advertising", SOUND + "\n点击下方链接，加微信领取优惠，限时抢购，名额有限。"),
        (
            "stock phrases",
            SOUND + "\n我们要不忘初心，砥砺前行，再创辉煌，谱写新篇章，一定要奋勇前进。",
        ),
        ("too short", SOUND.splitlines()[0]),
    ],
)
def test_faults_are_named_and_cost(fault: str, text: str) -> None:
    reply = rate(text)
    assert fault in str(reply["reason"])
    assert isinstance(reply["overall"], int)
    assert reply["overall"] <= 3


def test_a_dimension_answers_for_its_own_faults() -> None:
    text = SOUND[:-20] + "后来他又想起了一件很久以前就应该对所有人说清楚的事情而且"
    language, structure = rate(text, "语言\n结构")["dimensions"]  # type: ignore[misc]
    assert language["score"] == 5  # type: ignore[has-type]
    assert structure["score"] <= 3  # type: ignore[has-type]


def test_sample_texts_part() -> None:
    overall: dict[str, list[int]] = {"good": [], "poor": []}
    for path in sorted(SAMPLES.glob("*.md")):
        _, head, text = path.read_text("utf-8").split("---\n", 2)
        quality = "poor" if "quality: poor" in head else "good"
        lang = path.name.split(".")[-2]
        reply = json.loads(answer("rules-1", "quality", lang, {"text": text, "dimensions": "语言"}))
        overall[quality].append(reply["overall"])
    assert len(overall["poor"]) >= 8
    assert max(overall["poor"]) <= 3
    assert sum(score >= 4 for score in overall["good"]) >= 0.85 * len(overall["good"])
