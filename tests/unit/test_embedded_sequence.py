"""Order statistics: high as written, lower when parts change places."""

import pytest

from towbench.udfs.embedded.sequence import (
    cohesion,
    order_breaks,
    order_cues,
    paragraph_flow,
)


def test_cohesion_counts_neighbours_beyond_chance() -> None:
    near = cohesion([{"a"}, {"a"}, {"b"}, {"b"}])
    far = cohesion([{"a"}, {"b"}, {"a"}, {"b"}])
    # Two units used twice in four parts: one neighbouring pair is expected.
    assert near == pytest.approx((2 - 1) / 2**0.5)
    assert far == pytest.approx((0 - 1) / 2**0.5)
    assert cohesion([set()]) == 0.0


@pytest.mark.parametrize(
    ("paragraphs", "breaks"),
    [
        (["一、甲", "正文", "二、乙", "正文"], 0),
        (["二、乙", "正文", "一、甲", "正文"], 1),
        (["1. a", "2. b", "1. c", "2. d"], 0),
        (["十一、甲", "正文"], 1),
        (["3.5 万元的预算", "正文"], 0),
        (["# 题", "## 一节", "正文", "## 二节", "正文"], 0),
        (["# 题", "正文", "## 一节", "## 二节", "正文"], 1),
        (["正文", "## 末节"], 1),
        (["（一）甲", "（二）乙", "（三）丙"], 0),
        ([], 0),
    ],
)
def test_order_breaks(paragraphs: list[str], breaks: int) -> None:
    assert order_breaks(paragraphs) == breaks


def test_numbers_count_on_past_ten() -> None:
    ordinals = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"]
    lines = [line for ordinal in ordinals for line in (f"{ordinal}、题", "正文")]
    assert order_breaks(lines) == 0
    assert order_breaks(["第二十条，甲", "第二十一条，乙"]) == 1


def test_order_cues_rise() -> None:
    assert order_cues(["首先看河。", "其次看桥。", "最后回家。"], "zh") == 1.0
    assert order_cues(["最后回家。", "其次看桥。", "首先看河。"], "zh") == 0.0
    assert order_cues(["First look.", "Then wait.", "Finally go."], "en") == 1.0
    assert order_cues(["河水退了。"], "zh") == 1.0


def test_paragraph_flow() -> None:
    assert paragraph_flow(["河水退了。因此我们等到第二天清早才敢下去数那一排石头。"], "zh") > 1
    assert paragraph_flow(["因此我们等到第二天清早才敢下去数那一排石头。河水退了。"], "zh") < -1
    assert paragraph_flow(["只有一句话。"], "zh") == 0.0
