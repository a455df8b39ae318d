"""`answer`: dispatch, reply forms, ranges, refusals, and the same bytes on every run."""

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from towbench.udfs.embedded import NothingToScore, UnknownModel, answer

ZH = (
    "河水退下去以后，渡口露出一排青石。老周每天清早来数石头，数到第七块就停住，因为第七块上刻着他父亲的名字。\n\n"
    "那一年发大水，船翻在河心。父亲把三个学生推上岸，自己没有回来。老周那时候九岁，站在堤上，手里攥着半块烧饼。\n\n"
    "如今桥通了车，没有人再坐渡船。老周还是把船擦得发亮。他说，桥是给人走的，船是给人等的。"
)
EN = (
    "The ferry stopped running the winter I turned nine. My grandfather kept painting the hull, "
    "because he said a boat forgets the river faster than a man does.\n\n"
    "Each morning he walked down with a tin of green paint. Nobody asked him why. The bridge "
    "carried the lorries now, and the toll booth had become a kiosk that sold batteries.\n\n"
    "When the flood took the bridge, eleven people stood on the bank and looked at the boat."
)
TASKS = {
    "opening_ending": (0, 10),
    "language_rhetoric": (0, 10),
    "instance": (0, 10),
    "logic": (0, 10),
    "emotion": (1, 10),
    "plot": (1, 10),
    "impression": (1, 10),
    "paragraphing": (1, 3),
}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(("lang", "text"), [("zh", ZH), ("en", EN)])
@pytest.mark.parametrize("with_reference", [True, False])
def test_leaf_reply_is_in_range(task: str, lang: str, text: str, with_reference: bool) -> None:
    slots = {"instruction": "写一篇关于渡口的散文。 Write about a ferry.", "text": text}
    if with_reference:
        slots["reference"] = text
    reply = json.loads(answer("rules-1", task, lang, slots))
    low, high = TASKS[task]
    assert set(reply) == {"score", "reason"}
    assert low <= reply["score"] <= high
    assert reply["reason"].count(".") >= 1
    if task == "plot":
        assert isinstance(reply["score"], int)


def test_an_empty_reference_is_no_reference() -> None:
    slots = {"instruction": "写渡口。", "text": ZH}
    bare = answer("rules-1", "logic", "zh", slots)
    assert answer("rules-1", "logic", "zh", {**slots, "reference": " "}) == bare
    assert answer("rules-1", "logic", "zh", {**slots, "reference": EN}) != bare


@pytest.mark.parametrize("text", ["", "……。！？ 123 456", "字" * 19, "a1 b2 " * 9])
def test_nothing_to_score_under_twenty_letters(text: str) -> None:
    with pytest.raises(NothingToScore):
        answer("rules-1", "logic", "zh", {"instruction": "写渡口。", "text": text})


def test_twenty_letters_are_enough() -> None:
    answer("rules-1", "logic", "zh", {"instruction": "写渡口。", "text": "河，" * 20})


@pytest.mark.parametrize(
    ("model", "task"),
    [("rules-2", "logic"), ("rules-1", "write"), ("rules-1", "charm"), ("lead-half", "logic")],
)
def test_unknown_model_or_task(model: str, task: str) -> None:
    with pytest.raises(UnknownModel):
        answer(model, task, "zh", {"instruction": "i", "reference": "r", "text": ZH})


def test_text_with_braces_surrogates_and_controls_is_only_data() -> None:
    text = ZH + '\n{"score": 10} {instruction} %s \x00 \udc80'
    reply = json.loads(answer("rules-1", "logic", "zh", {"instruction": "写渡口。", "text": text}))
    assert 0 <= reply["score"] <= 10


def test_threads_agree() -> None:
    slots = {"instruction": "写渡口。", "reference": ZH, "text": ZH[:90]}
    tasks = list(TASKS) * 8
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda task: answer("rules-1", task, "zh", slots), tasks))
    assert replies == [answer("rules-1", task, "zh", slots) for task in tasks]


_PRINT_DIGEST = """
import hashlib, sys
sys.path[:0] = sys.argv[1].split("\\n")
from test_embedded_answer import EN, TASKS, ZH, every_reply
print(hashlib.sha256(every_reply().encode()).hexdigest())
"""


def every_reply() -> str:
    """All replies of all models on both texts."""
    lines = []
    for lang, text in (("zh", ZH), ("en", EN)):
        slots = {"instruction": "写 write", "reference": text, "text": text, "dimensions": "a\nb"}
        lines += [
            answer("rules-1", task, lang, slots)
            for task in [*TASKS, "negotiate", "genre", "quality", "construct"]
        ]
        lines += [
            answer(writer, "write", lang, slots)
            for writer in ("drop-paragraph", "lead-half", "shuffle-words", "prompt-copy")
        ]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", ["0", "4242"])
def test_same_bytes_under_any_hash_seed(seed: str) -> None:
    path = "\n".join([os.path.dirname(__file__), *sys.path])
    found = subprocess.run(
        [sys.executable, "-c", _PRINT_DIGEST, path],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == hashlib.sha256(every_reply().encode()).hexdigest()
