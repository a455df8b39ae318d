"""Collections split into their texts; everything else stays whole."""

import pytest

from towbench.ingest.lang import script
from towbench.ingest.official import Official, official_parts
from towbench.ingest.pieces import split_pieces

BODY = "我在这个单位工作了三年，学会了许多东西，也犯过不少错误，今天想把它们如实写下来。" * 4


def page(*headings: str, preface: str = "以下是小编整理的范文，仅供参考。") -> str:
    return preface + "\n\n" + "\n\n".join(f"{heading}\n\n{BODY}" for heading in headings)


@pytest.mark.parametrize(
    ("title", "headings", "titles"),
    [
        ("实习报告范文(3篇)", ["篇一", "篇二", "篇三"],
         ["实习报告范文 篇一", "实习报告范文 篇二", "实习报告范文 篇三"]),
        ("实习报告", ["第一篇：工厂实习报告", "第二篇：学校实习报告"], ["工厂实习报告", "学校实习报告"]),
        ("辞职信", ["【辞职信篇1】", "【辞职信篇2】"], ["辞职信 【辞职信篇1】", "辞职信 【辞职信篇2】"]),
        ("年终总结", ["年终总结范文1", "年终总结范文2"], ["年终总结 年终总结范文1", "年终总结 年终总结范文2"]),
        ("工作计划精选2篇", ["工作计划（一）", "工作计划（二）"], ["工作计划 工作计划（一）", "工作计划 工作计划（二）"]),
        ("月报", [f"第{n}篇" for n in "一二三四五六七八九"] + ["第十篇", "第十一篇"], None),
    ],
)  # fmt: skip
def test_a_collection_is_split(title: str, headings: list[str], titles: list[str] | None) -> None:
    pieces = split_pieces(title, page(*headings))
    assert [piece.number for piece in pieces] == list(range(1, len(headings) + 1))
    assert {piece.text for piece in pieces} == {BODY}
    if titles is not None:
        assert [piece.title for piece in pieces] == titles


@pytest.mark.parametrize(
    "text",
    [
        page("篇一"),
        page("篇一", "篇三"),
        page("第一章 雨", "第二章 灯"),
        page("一、背景", "二、做法"),
        "篇一\n\n篇二\n\n篇三\n\n" + BODY,
        page("篇一", "篇二", preface=BODY * 3),
        "",
    ],
)
def test_what_is_one_text_stays_whole(text: str) -> None:
    assert split_pieces("小说", text) == [(1, "小说", text)]


NOTICE = """国办函〔2018〕74号

各省、自治区、直辖市人民政府，国务院各部委：

　　经国务院同意，现将有关事项通知如下。

附件：1.任务分工表
2.联系人名单

国务院办公厅

2018年11月5日

（此件公开发布）"""


def test_the_parts_of_an_official_document() -> None:
    assert official_parts(NOTICE) == Official(
        "国办函〔2018〕74号",
        "各省、自治区、直辖市人民政府，国务院各部委",
        "任务分工表\n联系人名单",
        "2018-11-05",
    )


@pytest.mark.parametrize(
    ("date", "signed"),
    [("二〇一八年十一月五日", "2018-11-05"), ("二○二○年三月二十一日", "2020-03-21"),
     ("2018年11月", None)],
)  # fmt: skip
def test_dates_in_either_numerals(date: str, signed: str | None) -> None:
    text = f"中华人民共和国国务院令\n\n第 708 号\n\n现予公布。\n\n{date}"
    assert official_parts(text) == Official("第 708 号", None, None, signed)


@pytest.mark.parametrize(
    "text", ["亲爱的妈妈：\n\n我很好。\n\n2018年11月5日", BODY, "", "会议要求：\n\n一、安全。"]
)
def test_other_texts_have_no_such_parts(text: str) -> None:
    assert official_parts(text) == Official()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("国务院办公厅关于学习实践的通知", "hans"),
        ("國務院辦公廳關於學習實踐的通知", "hant"),
        ("山高水大", None),
        ("Plain English.", None),
    ],
)
def test_script(text: str, found: str | None) -> None:
    assert script(text) == found
