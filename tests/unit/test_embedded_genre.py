"""Genre rules on small texts of clear form."""

import json

import pytest

from towbench.udfs.embedded import answer
from towbench.udfs.embedded.genre import LABELS

CASES = {
    "Functional - Contract": (
        "zh",
        "甲方：李某\n乙方：王某\n经甲方与乙方协商，甲方将房屋租给乙方使用，乙方按月付租。",
    ),
    "Functional - Letter": (
        "zh",
        "尊敬的领导：\n您好！\n因个人原因，我决定辞职，感谢您多年的照顾。\n此致\n敬礼",
    ),
    "Functional - Speech": (
        "zh",
        "尊敬的各位来宾：\n大家好！今天我们欢聚一堂，我代表全家向你们表示感谢。\n谢谢大家！",
    ),
    "Functional - Official": (
        "zh",
        "第一条 为加强管理，制定本办法。\n第二条 本办法适用于全县。\n第三条 各单位应当执行。\n"
        "第四条 违反者处罚。\n第五条 本办法自发布之日起施行。",
    ),
    "Creative - Poetry": (
        "zh",
        "河水退下去\n青石露出来\n我数到第七块\n风停了\n父亲的名字\n还湿着\n船在等人",
    ),
    "Creative - Fiction": (
        "en",
        'She put down the lamp. "You came back," he said. She looked at his hands. "The bridge is '
        'gone," she whispered. He turned to the window and asked her where the boat was.',
    ),
}


@pytest.mark.parametrize("label", CASES)
def test_clear_forms(label: str) -> None:
    lang, text = CASES[label]
    reply = json.loads(answer("rules-1", "genre", lang, {"text": text}))
    assert reply["label"] == label
    assert "cue" in reply["reason"] or "lines" in reply["reason"] or "words" in reply["reason"]


def test_no_cue_is_other() -> None:
    reply = json.loads(answer("rules-1", "genre", "en", {"text": "zyx wvut srqp onml kjih gfed"}))
    assert reply["label"] == "Functional - Other"
    assert len(set(LABELS)) == 15
