"""A page as lines: breaks and blank lines where a reader sees them, links counted, layout gone."""

import pytest

from towbench.ingest.page_lines import Gap, clean, page_lines, parse

BREAK, BLOCK, BLANK = Gap.BREAK, Gap.BLOCK, Gap.BLANK


def lines(page: str) -> list[tuple[str, Gap]]:
    return [(line.text, line.gap) for line in page_lines(parse(page))]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>甲<br><br>乙<br>丙</p>", [("甲", BLOCK), ("乙", BLANK), ("丙", BREAK)]),
        ("<p>甲<br/>\n<br />乙", [("甲", BLOCK), ("乙", BLANK)]),
        ("<pre>甲\n乙\n\n丙</pre>", [("甲", BLOCK), ("乙", BREAK), ("丙", BLANK)]),
        ("<pre>甲\r\n\r\n乙</pre>", [("甲", BLOCK), ("乙", BLANK)]),
        ("<p>甲</p><p>&nbsp;</p><p>乙</p>", [("甲", BLOCK), ("乙", BLANK)]),
        ("<p>甲</p><p><br></p><p>乙</p>", [("甲", BLOCK), ("乙", BLANK)]),
        ("<p>甲</p><p></p><p>乙</p>", [("甲", BLOCK), ("乙", BLOCK)]),
        ("<ul><li>甲<li>&nbsp;<li>乙</ul>", [("甲", BLOCK), ("乙", BLANK)]),
        ("<p>甲<p>乙<div>丙", [("甲", BLOCK), ("乙", BLOCK), ("丙", BLOCK)]),
        ("<li><span>甲</span>乙<b>丙</b></li>", [("甲乙丙", BLOCK)]),
        ("<font size=7>B</font><font>arack</font> Obama", [("Barack Obama", BLOCK)]),
        ("<p>甲<script>x()</script>乙<!-- c -->丙</p>", [("甲乙丙", BLOCK)]),
        ("<p>甲</p><?php include 'x.php'; ?><p>乙</p>", [("甲", BLOCK), ("乙", BLOCK)]),
        ("<p>甲<i style='DISPLAY: none'>x</i></p><p hidden>y</p><nav>z</nav>", [("甲", BLOCK)]),
    ],
)
def test_lines_and_gaps(page: str, expected: list[tuple[str, Gap]]) -> None:
    assert lines(page) == expected


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("\n\t 河水\n  涨了 ", "河水涨了"),
        ("the river\n   rose", "the river rose"),
        ("\u3000\u3000段首\u3000", "\u3000\u3000段首"),
        ("\xa0\xa0\u3000段首", "\u3000段首"),
        ("韩\u3000正\xa0\xa0副总理", "韩\u3000正 副总理"),
        ("a\u200bb\ufeffc\u00add", "abcd"),
        ("\x93no\x94 \x97 \x85", "“no” — …"),
    ],
)
def test_clean(raw: str, text: str) -> None:
    assert clean(raw) == text


def test_numeric_references_mean_windows_1252() -> None:
    assert lines("<p>&#147;no&#148; &#151; &#8212;") == [("“no” — —", BLOCK)]


def test_links_are_counted() -> None:
    [line] = page_lines(parse("<p>见 <a href='/a'>上 篇</a>，<a name='b'>此处</a></p>"))
    assert (line.text, line.linked) == ("见 上 篇，此处", 2)


def test_a_link_that_was_never_closed_is_no_link() -> None:
    body = "".join(f"<p>第{n}段，河水在夜里涨了三寸，老人站在桥头。</p>" for n in range(30))
    assert {line.linked for line in page_lines(parse(f"<a href='/x'>上一篇{body}"))} == {0}


def test_deep_nesting_is_no_trouble() -> None:
    assert lines("<div>" * 900 + "深" + "</div>" * 900) == [("深", BLOCK)]
    assert lines("<b><i>" * 400 + "深") == [("深", BLOCK)]


def test_an_xml_declaration_with_an_encoding_is_no_trouble() -> None:
    assert lines('<?xml version="1.0" encoding="gb2312"?><html><p>甲') == [("甲", BLOCK)]


@pytest.mark.parametrize("page", ["", "  \n", "<!-- only -->"])
def test_nothing_is_said_to_be_no_page(page: str) -> None:
    with pytest.raises(ValueError, match="no page"):
        parse(page)
