"""Made pages with the traps of real sites: nothing of the writing lost, nothing of the site kept."""

import pytest

from towbench.ingest.document import read_page

URL = "http://site.example/a/1.html"
LINES = [
    f"第{n}天，河水在夜里涨了三寸，老人站在桥头看了很久，一句话也没有说。"
    for n in "一二三四五六七八"
]
PROSE = "\n\n".join(LINES)
VERSE = ["雨夜灯火照归人，", "一盏孤灯映水滨。", "莫问前程多少路，", "故园犹有旧时春。"]
SPEECH = [
    "We met on the bridge last winter, and I said that the town would stand, whatever came."
] * 5


def p(lines: list[str]) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


def links(n: int, text: str = "另一篇文章的题目") -> str:
    return "".join(f"<li><a href='/{i}'>{text}{i}</a></li>" for i in range(n))


TRAPS = {
    "layout tables five deep, link columns left and right": (
        "<table><tr><td><ul>" + links(20) + "</ul></td><td><table><tr><td><table><tr><td>"
        + "<p>".join(LINES) + "</td></tr></table></td></tr></table></td><td><ul>" + links(20)
        + "</ul></td></tr></table>",
        PROSE,
    ),
    "text set in two columns of a table": (
        f"<table><tr><td>{p(LINES[:4])}</td><td>{p(LINES[4:])}</td></tr></table>",
        PROSE,
    ),
    "readers' comments longer than the text": (
        f"<div class=article>{p(LINES)}</div><div class='comment-list'>"
        + "".join(f"<div class=item><a href=/u/{n}>读者{n}</a><p>写得真好，{LINES[n % 8]}</p></div>" for n in range(12))
        + "</div>",
        PROSE,
    ),
    "related texts with teasers after the end": (
        f"<div>{p(LINES)}<h4>延伸阅读</h4><ul>{links(8)}</ul></div>",
        PROSE,
    ),
    "a paywall notice after a whole text": (
        f"<div>{p(LINES)}</div><div class='login'><p>登录后查看更多</p><input type=password></div>",
        PROSE,
    ),
    "verse of line breaks between stanzas in paragraphs": (
        "<div><p>" + "<br/>".join(VERSE) + "</p>\n<p>" + "<br>".join(VERSE) + "</p></div>",
        "\n".join(VERSE) + "\n\n" + "\n".join(VERSE),
    ),
    "verse in pre between navigation": (
        f"<ul>{links(15, '诗人')}</ul><pre>\n" + "\n".join(VERSE) + "\n\n" + "\n".join(VERSE) + "\n</pre>",
        "\n".join(VERSE) + "\n\n" + "\n".join(VERSE),
    ),
    "English paragraphs never closed in font tags": (
        "<table><tr><td><font size=2><p>" + "<p>".join(SPEECH) + "</font></table><table><tr><td>"
        "<p>Also in this database: <a href=/x>Another</a><p>&copy; Copyright 2001-Present.</table>",
        "\n\n".join(SPEECH),
    ),
}  # fmt: skip


@pytest.mark.parametrize("codec", ["utf-8", "gb18030"])
@pytest.mark.parametrize("trap", TRAPS)
def test_traps(trap: str, codec: str) -> None:
    """No page declares its encoding."""
    page, text = TRAPS[trap]
    body = f"<html><head><title>桥头_某某网</title></head><body>{page}</body></html>".encode(codec)
    row = read_page(body, "text/html", URL)
    assert (row["status"], row["text"]) == ("ok", text)


def test_a_four_character_page_without_charset_is_no_hangul() -> None:
    row = read_page("雨夜灯火".encode("gb18030"), None, URL)
    assert (row["text"], row["encoding"], row["status"]) == ("雨夜灯火", "gb18030", "too_short")


def test_a_double_break_is_a_stanza() -> None:
    row = read_page("<p>甲，<br><br>乙，<br>丙。</p>".encode(), None, URL)
    assert row["text"] == "甲，\n\n乙，\n丙。"
