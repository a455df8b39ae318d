"""Articles out of pages: every line of the writing kept, the site around it gone."""

import json

import pytest

from towbench.ingest.extract import MIN_LETTERS, Extract, extract

URL = "http://site.example/a/1.html"
SENTENCE = "河水在夜里涨了三寸，老人站在桥头看了很久，一句话也没有说。"
PARAGRAPHS = [f"第{n}天，{SENTENCE}" for n in "一二三四五六七八九十"]
VERSE = ["雨夜灯火照归人，", "一盏孤灯映水滨。", "莫问前程多少路，", "故园犹有旧时春。"]
POEM = "\n".join(VERSE) + "\n\n" + "\n".join(VERSE)
NAVIGATION = "".join(f"<td><a href='/{n}/'>栏目{n}</a></td>" for n in range(12))
PROSE = "\n\n".join(PARAGRAPHS)


def blocks(lines: list[str], tag: str = "p") -> str:
    return "".join(f"<{tag}>{line}</{tag}>" for line in lines)


def get(page: str, url: str = URL) -> Extract:
    return extract(page, url)


@pytest.mark.parametrize(
    "page",
    [
        f"<div>{blocks(PARAGRAPHS)}</div>",
        f"<div>{blocks(PARAGRAPHS, 'div')}</div>",
        "<p>" + "<p>".join(PARAGRAPHS),
        "<br><br>".join(PARAGRAPHS),
        f"<table><tr>{NAVIGATION}</table><table><tr><td><table><tr><td>{NAVIGATION}<td><table><tr>"
        f"<td><font size=2>{'<p>'.join(PARAGRAPHS)}</font></table></table></table>",
        f"<a href='/0'>上一篇<div>{blocks(PARAGRAPHS)}</div>",
        f"<form><input type=password>{blocks(PARAGRAPHS)}</form>",
        f"<div class='content share'>{blocks(PARAGRAPHS)}</div>",
        f"<div style='display:none'>{blocks(PARAGRAPHS)}</div>",
        f"<noscript>{blocks(PARAGRAPHS)}</noscript>",
    ],
)
def test_the_text_survives_any_mark_up(page: str) -> None:
    found = get(f"<html><body>{page}</body></html>")
    assert (found.text, found.status, found.lang) == (PROSE, "ok", "zh")


@pytest.mark.parametrize(
    "page",
    [
        "<p>" + "<br><br>".join(["<br>".join(VERSE)] * 2),
        "<p>" + "<br>\n".join(VERSE) + "</p><p>" + "<br/>".join(VERSE) + "</p>",
        f"<pre>{POEM}</pre>",
        blocks(VERSE) + "<p>&nbsp;</p>" + blocks(VERSE),
        blocks(VERSE) + "<p><br></p>" + blocks(VERSE),
        "<ul>" + blocks(VERSE, "li") + "<li>&nbsp;</li>" + blocks(VERSE, "li") + "</ul>",
        "<table>" + "".join(f"<tr><td>{v}</td></tr>" for v in [*VERSE, "&nbsp;", *VERSE]),
        blocks(VERSE, "div") + "<div><br></div>" + blocks(VERSE, "div"),
    ],
)
def test_verse_lines_and_stanzas_are_kept(page: str) -> None:
    found = get(f"<html><body><div>{page}</div></body></html>")
    assert (found.text, found.status) == (POEM, "ok")


def test_a_refrain_is_no_duplicate_however_often_the_page_is_read() -> None:
    song = [
        line
        for n in "一二三四五六七"
        for line in (f"第{n}段的歌在风里走，", "船啊，船啊，回来吧。")
    ]
    page = "<div>" + "<br>".join(song) + "</div>"
    assert [get(page).text.count("船啊，船啊") for _ in range(4)] == [7, 7, 7, 7]


def test_full_width_indents_headings_and_lists_are_kept() -> None:
    page = (
        f"<h2>一、缘起</h2><p>\u3000\u3000{SENTENCE * 4}</p><ol><li><span>先看水。</span>"
        f"<li>再看船。</ol><p>\u3000\u3000{SENTENCE * 4}"
    )
    assert get(page).text == (
        f"一、缘起\n\n\u3000\u3000{SENTENCE * 4}\n\n先看水。\n再看船。\n\n\u3000\u3000{SENTENCE * 4}"
    )


def test_the_site_around_the_text_is_cut() -> None:
    links = "".join(f"<li><a href='/{n}'>另一篇文章的题目{n}</a></li>" for n in range(5))
    teasers = "".join(
        f"<div class=t><a href='/{n}'>别的文章{n}</a><p>{SENTENCE}</p></div>" for n in range(3)
    )
    comments = "".join(f"<p>我觉得第{n}条说得好，{SENTENCE}</p>" for n in range(20))
    page = f"""
        <html><head><title>桥头_某某网</title></head><body><header><a href=/>首页</a></header>
        <div class=location>您的位置：<a href=/>首页</a> &gt; 正文</div>
        <div class=main><div class=box><h1>桥头</h1><div>来源：某某网 作者：林一 2024-03-05</div></div>
        <div class=body>{blocks(PARAGRAPHS)}<div class=pager><a href=2.html>下一页</a></div>
        <p>责任编辑：王五</p><p>【提示】本文档来源自某某网，转发文档请保留以上标记，谢谢！</p></div>
        <h3>相关阅读</h3><ul>{links}</ul>{teasers}
        <div id=comments>{comments}</div></div>
        <div class=footer>版权所有 某某网 京ICP备1号</div></body></html>"""
    found = get(page)
    assert found.text == PROSE
    assert (found.title, found.author, found.published) == ("桥头", "林一", "2024-03-05")


@pytest.mark.parametrize(
    "heading",
    [
        "大家都在看",
        "【编辑推荐】",
        "评论（12）",
        "全部评论 3条",
        "热点新闻：",
        "相关阅读",
        "为您推荐",
    ],
)
def test_the_text_is_over_where_others_are_offered(heading: str) -> None:
    page = (
        f"<div>{blocks([*PARAGRAPHS, heading, '写得真好，想起家乡。', '另一篇讲山的文章'])}</div>"
    )
    assert get(page).text == PROSE


@pytest.mark.parametrize("heading", ["评论", "推荐理由", "延伸一下午的谈话", "热点问题"])
def test_headings_of_the_text_itself_do_not_end_it(heading: str) -> None:
    lines = [*PARAGRAPHS, heading, "写得真好，想起家乡的桥头。"]
    assert get(f"<div>{blocks(lines)}</div>").text == "\n\n".join(lines)


def test_official_parts_are_text_and_the_table_about_them_is_not() -> None:
    parts = [
        "国办函〔2018〕74号",
        "各省人民政府：",
        *PARAGRAPHS,
        "国务院办公厅",
        "2018年11月5日",
        "（此件公开发布）",
    ]
    cells = ["索引号：", "0001/2018", "标题：", "关于桥头的通知", "发文机关：", "国务院办公厅"]
    page = (
        "<table>" + "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in zip(cells[::2], cells[1::2], strict=True))
        + f"</table><table><tr><td>{blocks(parts)}</td></tr></table>"
    )  # fmt: skip
    found = get(page)
    assert found.text.split("\n\n") == parts
    assert (found.title, found.author) == ("关于桥头的通知", "国务院办公厅")


def test_an_english_speech_page() -> None:
    speech = [
        "We met on the bridge last winter, and I said that the town would stand. [applause]"
    ] * 6
    page = f"""<head><title>Sample Rhetoric: Ann Lee - The Bridge</title></head><body><table><tr><td>
        <a href=/a>Speech Bank</a></td><td><font color=red>A</font><font>nn Lee</font><p>The Bridge
        <p>delivered 5 May 2020, Harrow<p>Audio mp3 of Address <a href=x.pdf>click for pdf</a>
        <p>[AUTHENTICITY CERTIFIED: transcribed from audio.]<p>{"<p>".join(speech)}
        </td></tr><tr><td>Also in this database: <a href=/b>B</a><p>Audio Source: a recording
        <p>U.S. Copyright Status: Text = free<p>&copy; Copyright 2001-Present.</td></tr></table>"""
    found = get(page)
    assert found.text == "\n\n".join(speech)
    assert (found.title, found.author, found.lang) == ("The Bridge", "Ann Lee", "en")


def test_a_text_only_in_json_ld_is_found() -> None:
    data = json.dumps({"@type": "NewsArticle", "articleBody": SENTENCE * 12})
    page = (
        f"<html><script type='application/ld+json'>{data}</script><body><div id=app></div></html>"
    )
    assert get(page).text == SENTENCE * 12


@pytest.mark.parametrize(
    ("page", "status", "reason"),
    [
        ("", "extract_failed", "no page: Document is empty"),
        ("<p>详情请见本期纸质刊物。", "too_short", "10_letters"),
        (f"<p>{'河' * (MIN_LETTERS - 1)}。", "too_short", "199_letters"),
        (
            "<p>请先登录后查看。</p><input name=u> <input type=password>",
            "not_article",
            "login_form",
        ),
        (
            "".join(f"<li><a href='/{n}'>一篇文章的题目，第{n}篇</a></li>" for n in range(60)),
            "not_article",
            "mostly_links",
        ),
        (blocks([f"标签{chr(0x4E00 + n)}" for n in range(90)]), "not_article", "no_sentences"),
    ],
)
def test_what_is_no_article(page: str, status: str, reason: str) -> None:
    found = get(page)
    assert (found.status, found.reason) == (status, reason)


def test_limits_are_what_they_say() -> None:
    assert get(f"<p>{'河' * (MIN_LETTERS - 20)}，</p><p>{'水' * 20}。").status == "ok"
    assert get("<p>" + "<br>".join(VERSE)).status == "too_short"


def test_a_start_page_is_no_article() -> None:
    page = blocks(PARAGRAPHS)
    for url in ("http://site.example", "http://site.example/", "http://site.example/index.html"):
        assert get(page, url).reason == "start_page"
    assert get(page, "http://site.example/a/index.html").status == "ok"
