"""Page classes on the rendered sample pages and on page fragments known from the real sites."""

import pytest

from towbench.spiders.page import Page
from towbench.spiders.sites.layout import LAYOUTS
from towbench.spiders.sites.render import Site, sample_sites
from towbench.spiders.sources import SOURCES
from towbench.spiders.sources.americanrhetoric import AmericanrhetoricPage
from towbench.spiders.sources.chinawriter import ChinawriterPage
from towbench.spiders.sources.chinesejy import ChinesejyPage
from towbench.spiders.sources.diyifanwen import DiyifanwenPage
from towbench.spiders.sources.gongwen import GongwenPage
from towbench.spiders.sources.ivypanda import IvypandaPage
from towbench.spiders.sources.zjxc import ZjxcPage


@pytest.fixture(scope="module")
def sites() -> dict[str, Site]:
    return sample_sites()


def page(sites: dict[str, Site], source: str, path: str) -> Page:
    return SOURCES[source].page(f"http://{source}.example{path}", sites[source][path].body)


def paths(urls: list[str]) -> list[str]:
    return ["/" + url.split("/", 3)[3] for url in urls]


@pytest.mark.parametrize("source", LAYOUTS)
def test_every_page_is_reached_and_of_one_kind(source: str, sites: dict[str, Site]) -> None:
    """Following lists, articles and parts from the start visits the whole site but robots.txt."""
    todo = [SOURCES[source].start_path]
    seen: dict[str, str] = {}
    while todo:
        path = todo.pop()
        if path in seen or path not in sites[source]:
            continue
        found = page(sites, source, path)
        seen[path] = found.kind
        if found.kind == "list":
            todo += paths(found.articles) + paths(found.lists)
        elif found.next_part:
            todo += paths([found.next_part])
    assert set(seen) | {"/robots.txt"} >= set(sites[source])
    assert {"list", "article"} <= set(seen.values())
    assert ("other" in seen.values()) == (source == "diyifanwen")


@pytest.mark.parametrize("source", ["chinawriter", "diyifanwen", "chinesejy"])
def test_parts_follow_each_other_to_the_last(source: str, sites: dict[str, Site]) -> None:
    first: list[str] = []
    last: list[str] = []
    for path in sites[source]:
        if path.endswith("/robots.txt"):
            continue
        found = page(sites, source, path)
        if found.kind == "article":
            (first if found.next_part else last).append(path)
    assert first and last
    for path in first:
        following = page(sites, source, path).next_part
        assert following is not None
        assert paths([following])[0] in sites[source]


def test_chinawriter_filters_links_by_url_pattern() -> None:
    html = """<main><div class=inner><a href="/n1/2024/0102/c404057-40100001.html">a</a>
    <a href="/zt/2024/">topic</a><a href="/2008/2008-01-02/12345.html">old</a></div></main>
    <a href="/n1/2024/0102/c404057-40100002.html">elsewhere</a>"""
    found = ChinawriterPage("https://www.chinawriter.com.cn/", html.encode())
    assert paths(found.articles) == [
        "/n1/2024/0102/c404057-40100001.html",
        "/2008/2008-01-02/12345.html",
    ]


def test_chinawriter_lists_without_a_main_part_and_old_addresses() -> None:
    html = """<body><a href="/news/2010/2010-05-06/85123.html">a</a><a href="/n1/2024/0102/c1-2.html">b
    </a><a href="/about.html">c</a></body>"""
    found = ChinawriterPage("https://www.chinawriter.com.cn/", html.encode())
    assert paths(found.articles) == ["/news/2010/2010-05-06/85123.html", "/n1/2024/0102/c1-2.html"]


def test_zjxc_counts_lists_by_number_until_the_pager_or_the_entries_end() -> None:
    entry = (
        '<ul class=listUl><li class=listLi><a href="//zjnews.zjol.com.cn/zjxc/a.shtml">x</a></ul>'
    )
    url = "https://zjnews.zjol.com.cn/zjxc/index_1.shtml"
    assert paths(ZjxcPage(url, entry.encode()).lists) == ["/zjxc/index_2.shtml"]
    drawn = entry + '<script>createPageHTML(2, 1, "index", "shtml")</script>'
    assert ZjxcPage(url, drawn.encode()).lists == []
    assert ZjxcPage(url, b"<ul class=listUl></ul>").lists == []
    assert ZjxcPage(url, entry.encode()).articles == ["https://zjnews.zjol.com.cn/zjxc/a.shtml"]


def test_diyifanwen_reads_gbk_pager_words() -> None:
    html = """<h1>x</h1><div class="content">y</div>
    <div class="page"><a href="1.htm">上一页</a><a href="3.htm">下一页</a></div>"""
    found = DiyifanwenPage("https://www.diyifanwen.com/fanwen/a/2.htm", html.encode("gbk"))
    assert found.kind == "article"
    assert found.next_part == "https://www.diyifanwen.com/fanwen/a/3.htm"


def test_chinesejy_takes_bare_items_with_single_quotes() -> None:
    html = """<li class=menubar><a href='/shixi/' title='实习'>实习</a></li>
    <li><a href='/shixi/1234.html'>报告</a>"""
    found = ChinesejyPage("https://www.chinesejy.com/", html.encode("gbk"))
    assert (paths(found.articles), paths(found.lists)) == (["/shixi/1234.html"], ["/shixi/"])
    assert found.kind == "list"


def test_gongwen_page_without_document_is_other() -> None:
    assert GongwenPage("http://gongwen.example/x", "<p>请登录</p>".encode()).kind == "other"


def test_americanrhetoric_tells_speeches_from_index_pages_by_url() -> None:
    html = """<table><tr><td><font size=2><a href="speeches/barackobama/one.htm">One</a>
    <a href="speechbankg-l.htm">G-L</a> <a href="corax&tisias.htm">C</a></font></table>"""
    bank = AmericanrhetoricPage("https://www.americanrhetoric.com/speechbank.htm", html.encode())
    assert bank.kind == "list"
    assert paths(bank.articles) == ["/speeches/barackobama/one.htm"]
    assert paths(bank.lists) == ["/speechbankg-l.htm"]
    speech = AmericanrhetoricPage(bank.articles[0], b"<p><font size='2'>Friends\x92")
    assert speech.kind == "article"


def test_ivypanda_follows_the_next_button_only() -> None:
    html = """<a class="article__heading-link" href="/essays/one/">One</a>
    <a class="page-numbers" href="/essays/page/1,204/">1,204</a>
    <a class="next page-numbers" href="/essays/page/2/">Next</a>"""
    found = IvypandaPage("https://ivypanda.com/essays/", html.encode())
    assert (paths(found.articles), paths(found.lists)) == (["/essays/one/"], ["/essays/page/2/"])


def test_useless_hrefs_are_dropped() -> None:
    hrefs = [
        "#top",
        "",
        "javascript:go()",
        "mailto:a@b.c",
        "http://[bad",
        "a b.htm#x",
        "//h.example/y",
        "a b.htm",
    ]
    found = GongwenPage("http://gongwen.example/l/", b"<p>").absolute(hrefs)
    assert found == ["http://gongwen.example/l/a%20b.htm", "http://h.example/y"]


def test_empty_and_binary_bodies_are_other() -> None:
    for body in (b"", b"\x00\xff\xfe" * 10):
        assert DiyifanwenPage("https://www.diyifanwen.com/x", body).kind == "other"
