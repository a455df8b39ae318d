"""Back-construction: extracted, within the lengths asked for."""

import json

import pytest

from towbench.udfs.embedded import answer

ZH = (
    "河水退下去以后，渡口露出一排青石。老周说他每天清早来数石头，数到第七块就停住。\n\n"
    "那一年发大水，船翻在河心。父亲把三个学生推上岸，自己没有回来。老周站在堤上哭。\n\n"
    "如今桥通了车，没有人再坐渡船。老周还是把船擦得发亮。船是给人等的。"
)
EN = (
    "The ferry stopped running the winter I turned nine. My grandfather kept painting the ferry.\n"
    "Each morning he walked down with a tin of green paint. Nobody asked him why.\n"
    "When the flood took the bridge, eleven people stood on the bank and looked at the ferry."
)

TRAITS = ["plot", "characters", "theme", "language", "emotion", "originality"]


@pytest.mark.parametrize(("lang", "text"), [("zh", ZH), ("en", EN), ("zh", "河" * 300)])
def test_lengths_and_names(lang: str, text: str) -> None:
    slots = {"text": text, "dimensions": "\n".join(TRAITS)}
    reply = json.loads(answer("rules-1", "construct", lang, slots))
    assert [trait["name"] for trait in reply["traits"]] == TRAITS
    for trait in reply["traits"]:
        words = len(trait["text"]) if lang == "zh" else len(trait["text"].split())
        assert 0 < words <= 100
    assert reply["summary"]
    assert len(reply["theme"]) <= 10 if lang == "zh" else len(reply["theme"].split()) <= 5


def test_sentences_are_the_text_s_own() -> None:
    reply = json.loads(answer("rules-1", "construct", "zh", {"text": ZH, "dimensions": "情节"}))
    for sentence in reply["traits"][0]["text"].split("。"):
        assert sentence in ZH
    assert ZH.startswith(reply["traits"][0]["text"][:10])


def test_no_traits_asked() -> None:
    assert json.loads(answer("rules-1", "construct", "zh", {"text": ZH}))["traits"] == []
