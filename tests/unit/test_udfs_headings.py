"""The heading grammar: published nesting, and our additions where the paper is silent."""

import pytest

from towbench.udfs.headings import han_number, headings


def levels(text: str) -> list[tuple[str, int]]:
    return [(heading.kind, heading.level) for heading in headings(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# a\n## b\n# c", [("markdown", 2), ("markdown", 3), ("markdown", 2)]),
        ("### a\n#### b", [("markdown", 2), ("markdown", 3)]),
        ("一、a\n（一）b\n1. c\n2. d\n- e\n- f\n3. g\n二.h",
         [("chinese", 2), ("bracket", 3), ("ordered", 4), ("ordered", 4), ("dash", 5), ("dash", 5),
          ("ordered", 4), ("chinese", 2)]),
        ("- a\n1. b\n- c", [("dash", 2), ("ordered", 2), ("dash", 3)]),
        ("一、a\n1. b", [("chinese", 2), ("ordered", 3)]),
        # the published listing takes a rule for a `-` line, and so do we
        ("# a\n---\n## b\n1. c\n---\n2. d",
         [("markdown", 2), ("dash", 3), ("markdown", 3), ("ordered", 4), ("dash", 5),
          ("ordered", 4)]),
        ("（十一）a", [("bracket", 3)]),
        ("一、a\n（一）b\n1. c\n（1）d\n（2）e\n2. f\n（1）g",
         [("chinese", 2), ("bracket", 3), ("ordered", 4), ("paren", 5), ("paren", 5),
          ("ordered", 4), ("paren", 5)]),
        ("第一章 总则\n第一节 a\n第一条 b\n（一）c\n第二章\n第二条\u3000d\n（一）e",
         [("chapter", 2), ("section", 3), ("article", 4), ("bracket", 5), ("chapter", 2),
          ("article", 3), ("bracket", 4)]),
        ("第一条 a\n一、b\n（一）c\n第二条 d",
         [("article", 2), ("chinese", 3), ("bracket", 4), ("article", 2)]),
        ("#### a\n## b", [("markdown", 2), ("markdown", 2)]),
    ],
)  # fmt: skip
def test_levels(text: str, expected: list[tuple[str, int]]) -> None:
    assert levels(text) == expected


@pytest.mark.parametrize(
    "line",
    [
        "3.5 million people came.", "10.28事件之后", "100. a", "第三条路走不通。", "第一节课下课后，他们走了。",
        "第一章写的是一个老人和他的船，还有那条在夜里涨了三寸的河，以及河边那些没有说出口的话", "他说：一、二、三", "——这不是列表",
    ],
)  # fmt: skip
def test_lines_that_are_no_headings(line: str) -> None:
    assert headings(line) == []


@pytest.mark.parametrize(
    ("line", "title", "ordinal"),
    [
        ("  ## 小结  ", "小结", None),
        ("##", "", None),
        ("一、", "", 1),
        ("二十一、尾声", "尾声", 21),
        ("（十二） 附则", "附则", 12),
        ("第一百零三条 附则", "附则", 103),
        ("第3章 水", "水", 3),
        ("第一章", "", 1),
        ("第二章雨夜", "雨夜", 2),
        ("12.a", "a", 12),
        ("（3）甲", "甲", 3),
    ],
)
def test_titles_and_ordinals(line: str, title: str, ordinal: int | None) -> None:
    [heading] = headings(line)
    assert (heading.title, heading.ordinal) == (title, ordinal)


@pytest.mark.parametrize(
    ("text", "number"),
    [("一", 1), ("十", 10), ("十九", 19), ("二十", 20), ("九十九", 99), ("一百零一", 101),
     ("三百二十一", 321), ("", None), ("一二", None), ("十十", None)],
)  # fmt: skip
def test_han_number(text: str, number: int | None) -> None:
    assert han_number(text) == number
