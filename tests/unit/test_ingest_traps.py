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
    # --- facts/site_structure_facts.md, site by site ---
    "chinawriter: h6 title, info line, sharing box inside the body": (
        "<div class=location><a class=clink href=/>首页</a>&gt;&gt;<a class=clink href=/x>新闻</a></div>"
        "<h6 class=end_tit>桥头</h6><div class=end_info>来源：某某网 | 林一 <em>2024年01月02日08:30</em></div>"
        f"<div class=end_article>{p(LINES)}<div class=end_shared><a href=#>分享</a>分享到：</div></div>"
        f"<ul>{links(12)}</ul>",
        PROSE,
    ),
    "zjxc: column before the title, source and time in spans": (
        "<div class=content><h1 class=artTitle>浙江宣传丨桥头</h1><div class=info><span>2024-01-02 08:30:00"
        f"</span><span>来源：浙江宣传</span></div><div class=artCon>{p(LINES)}</div></div>",
        PROSE,
    ),
    "diyifanwen: unclosed links in items, odd title attribute, scripts that redirect": (
        "<script>if(document.domain!='site.example')location.href='http://site.example'</script><ul>"
        + "".join(f"<li><a href=/{n} title =\"另一篇\">另一篇&#160;“文章”{n}" for n in range(10))
        + f"</ul><div class=content><h1>桥头</h1>{p(LINES)}</div>",
        PROSE,
    ),
    "diyifanwen: paragraphs that a line break and an indent part": (
        "<h1>桥头</h1><div class=content>" + "<br>".join("　　" + line for line in LINES) + "</div>",
        "\n\n".join("　　" + line for line in LINES),
    ),
    "diyifanwen: the mark that downloads carry": (
        f"<div>{p(LINES)}<p>【提示】本文档来源自某某范文网（https://www.example.com）。转发文档请保留以上标记，谢谢！"
        "</p></div>",
        PROSE,
    ),
    "chinesejy: script between head and body, login frame, items without a list, single quotes": (
        "<script>var a=1</script><iframe src='/login.asp'>请登录</iframe>"
        + "".join(f"<li class='menubar'><a href='/{n}/' title='栏目'>栏目{n}</a>" for n in range(12))
        + f"<table><tr><td id='content'>{p(LINES)}</td></tr></table>",
        PROSE,
    ),
    "americanrhetoric: drop cap over font tags, head and foot noise, raised numbers": (
        "<table><tr><td><font size=2><p>delivered 5 May 2020, Harrow<p>Audio mp3 of Address<p>Your browser "
        "does not support the audio element<p><a href=x.pdf>click for pdf</a><p>[AUTHENTICITY CERTIFIED: x]<p>"
        f"<font size=6>W</font><font size=2>{SPEECH[0][1:]}</font><p>" + "<p>".join(SPEECH[1:])
        + "<p><sup>1</sup></font><p>Book/CDs by Michael E. Eidenmuller<p>Text Source: a recording<p>Page Updated: "
        "1/2/24<p>Online Speech Bank</table>",
        "\n\n".join(SPEECH),
    ),
    "americanrhetoric: stage notes are part of a speech": (
        "<table><tr><td><font size=2><p>" + "<p>".join(f"{line} [applause]" for line in SPEECH) + "</font></table>",
        "\n\n".join(f"{line} [applause]" for line in SPEECH),
    ),
    "ivypanda: offers inside the text, details beside it": (
        "<h1>Bridges</h1><div class=paper-details__values>Words: 550 Pages: 2</div><div class=article__content>"
        "<div id=cb-id1-default class=cbn-writers>We will write a custom essay <a href=/o>Order now</a></div>"
        f"{p(SPEECH)}<div data-id=cb-id3-default class=cbn-hour>Learn more in 1 hour! <a href=/o>808 writers</a></div></div>",
        "\n\n".join(SPEECH),
    ),
    # --- the same kinds, harder ---
    "verse whose line ends only a style makes visible": (
        "<h1>春</h1><div style='white-space: pre-wrap'>" + "\n".join(VERSE) + "\n\n" + "\n".join(VERSE) + "</div>",
        "\n".join(VERSE) + "\n\n" + "\n".join(VERSE),
    ),
    "verse in spans that a style makes blocks": (
        "<div><div>" + "".join(f"<span style='display:block'>{line}</span>" for line in VERSE) + "</div><div>&nbsp;</div>"
        "<div>" + "".join(f"<span style='display:block'>{line}</span>" for line in VERSE) + "</div></div>",
        "\n".join(VERSE) + "\n\n" + "\n".join(VERSE),
    ),
    "two poems under headings of their own": (
        "<h1>诗二首</h1><div><h3>雨</h3><p>" + "<br>".join(VERSE) + "</p><h3>灯</h3><p>" + "<br>".join(VERSE) + "</p></div>",
        "雨\n\n" + "\n".join(VERSE) + "\n\n灯\n\n" + "\n".join(VERSE),
    ),
    "an official document whose attachments are links": (
        f"<div><p>某政函〔2018〕74号</p><p>各省人民政府：</p>{p(LINES)}<p><a href=/a.doc>附件：1.重点任务分工表</a></p>"
        "<p><a href=/b.pdf>2.联系人名单</a></p><p>某某省办公厅</p><p>2018年11月5日</p></div>",
        "某政函〔2018〕74号\n\n各省人民政府：\n\n" + PROSE
        + "\n\n附件：1.重点任务分工表\n\n2.联系人名单\n\n某某省办公厅\n\n2018年11月5日",
    ),
    "comments without a name for them, told by their times": (
        f"<div class=a>{p(LINES)}</div><div class=b>" + "".join(
            f"<dl><dt>网友{n} 2024-01-0{n % 9 + 1} 12:00</dt><dd>写得真好，我也想起了家乡的桥头，谢谢作者。</dd></dl>"
            for n in range(15)) + "</div>",
        PROSE,
    ),
    "three hundred links beside eight short paragraphs": (
        f"<table><tr><td>{links(150)}</td><td><div>{p(LINES)}</div></td><td>{links(150)}</td></tr></table>",
        PROSE,
    ),
    "short lines of dialogue": (
        "<div>" + p(["“来了？”", "“来了。”", *LINES[:2]] * 5) + "</div>",
        "\n\n".join(["“来了？”", "“来了。”", *LINES[:2]] * 5),
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


def test_a_page_with_little_text_keeps_what_it_has() -> None:
    notice = ["本馆定于五月一日起闭馆整修，请读者在四月底以前还书。", "市图书馆", "2024年4月1日"]
    page = f"<ul>{links(20)}</ul><div class=content><h1>启事</h1>{p(notice)}</div><div class=footer>版权所有</div>"
    row = read_page(page.encode(), "text/html", URL)
    assert (row["status"], row["reason"]) == ("not_article", "mostly_links")
    assert row["text"] == "\n\n".join(notice)


def test_a_page_with_a_fragment_in_another_encoding_is_read_as_the_rest() -> None:
    page = f"<meta charset=gb2312><div>{p(LINES)}</div>".encode("gb18030")
    row = read_page(page + "<div class=footer>版权所有</div>".encode(), "text/html", URL)
    assert (row["encoding"], row["text"]) == ("gb18030", PROSE)
    page = f"<meta charset=gb2312><div>{p(LINES)}</div>".encode()
    row = read_page(page + "<div class=footer>版权所有</div>".encode("gb18030"), "text/html", URL)
    assert (row["encoding"], row["text"]) == ("utf-8", PROSE)


def test_traditional_pages_stay_traditional() -> None:
    lines = [
        f"第{n}夜，風雨故人來，燈火照著河邊的舊船，老人沒有說話，聽見遠處的鐘聲。"
        for n in "一二三四五六七八"
    ]
    for label in ("gb2312", "utf-8", "big5"):
        page = f"<html><head><meta charset={label}></head><body><div>{p(lines)}</div>".encode(
            "big5"
        )
        row = read_page(page, f"text/html; charset={label}", URL)
        assert (row["encoding"], row["text"]) == ("big5", "\n\n".join(lines))


def test_a_blurb_without_its_book_is_too_short_to_be_writing() -> None:
    page = "<h1>The Bridge</h1><p>by Ann Lee</p><p>A short novel of a town.</p><a href=/signup>Download</a>"
    assert read_page(page.encode(), "text/html", URL)["status"] == "too_short"
