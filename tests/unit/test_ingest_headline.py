"""Title, author and date, freed of what sites put around them."""

import pytest

from towbench.ingest.headline import author_of, bare_title, first_line, published_of, title_of
from towbench.ingest.page_lines import page_lines, parse


def title(page: str) -> str | None:
    root = parse(page)
    return title_of(root, page_lines(root))


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<title>惊蛰--原创--某某作家网</title><h6 class=end_tit>惊蛰</h6>", "惊蛰"),
        ("<title>工作总结 - 某某范文网</title><h1>工作总结（2）</h1>", "工作总结"),
        ("<title>你我皆是黑马_浙江宣传-浙江新闻</title><h1>浙江宣传 | 你我皆是黑马</h1>", "你我皆是黑马"),
        ("<title>浙江宣传丨一口春，百样味_浙江新闻</title><p>x", "一口春，百样味"),
        ("<title>某某书苑</title><h1>梅岭三章</h1><p>x", "梅岭三章"),
        ("<title>通知_某某网</title><h1>某某网</h1><div class=title>通知</div>", "通知"),
        ("<title>Site: Ann Lee - On Bridges</title><p>Ann Lee<p>On Bridges", "On Bridges"),
        ("<title>Nine Degrees | Free Essay Example - Panda</title><h1>Nine Degrees</h1>", "Nine Degrees"),
        ("<meta property='og:title' content='桥头'><p>x", "桥头"),
        ("<title>“Stay” — Remarks | Site</title><h1>“Stay” — Remarks</h1>", "“Stay” — Remarks"),
        ("<table><tr><td>标　　题：<td>关于桥的通知</table><p>国务院", "关于桥的通知"),
        ("<p>关于桥的通知<p>各省：", None),
    ],
)  # fmt: skip
def test_title(page: str, expected: str | None) -> None:
    assert title(page) == expected


def test_the_first_line_may_be_a_title() -> None:
    assert first_line(page_lines(parse("<p>关于桥的通知<p>各省："))) == "关于桥的通知"
    assert first_line(page_lines(parse("<p>他站在桥头，看了很久。<p>天黑了。"))) is None
    assert first_line([]) is None


def test_every_published_prefix_is_cut() -> None:
    for mark in (" | ", "丨", "｜", "|"):
        assert bare_title(f"浙江宣传{mark}凭什么不是张雪机车") == "凭什么不是张雪机车"
    assert bare_title("A | B 与其他") == "A | B 与其他"


@pytest.mark.parametrize(
    ("page", "author"),
    [
        ("<meta name=author content=' 林一 '><p>作者：林二", "林一"),
        ("<meta name=author content='admin'><p>来源：网络 作者：林二 时间：2024-01-02", "林二"),
        ("<p>来源：某某网 | 林三 2024年01月02日08:30", "林三"),
        ("<p>By Ann B. Lee</p>", "Ann B. Lee"),
        ("<p>This essay was written and submitted by Ann Lee.", "Ann Lee"),
        ("<table><tr><td>发文机关：<td>某某办公室</table>", "某某办公室"),
        ("<title>Site: Ann Lee - On Bridges</title><p>x", "Ann Lee"),
        ("<title>Sale: the best - Shop</title><p>x", None),
        ("<p>作者：佚名", None),
        ("<p>这首诗的作者是谁，没有人知道。", None),
    ],
)
def test_author(page: str, author: str | None) -> None:
    root = parse(page)
    assert author_of(root, page_lines(root)) == author


@pytest.mark.parametrize(
    ("page", "date"),
    [
        ("<meta name=publishdate content='2024-03-05'><p>2020年1月1日", "2024-03-05"),
        ("<meta property='article:published_time' content='2024-03-05T08:00:00+08:00'>", "2024-03-05"),
        ("<time datetime='2024-3-5'>yesterday</time>", "2024-03-05"),
        ("<script type='application/ld+json'>{\"datePublished\": \"2024-03-05\"}</script><p>x", "2024-03-05"),
        ("<p>来源：某某网 2024年03月05日08:30", "2024-03-05"),
        ("<meta name=pubdate content='20240305'><p>x", "2024-03-05"),
        ("<p>电话 2024-13-45", None),
        ("<p>x", None),
    ],
)  # fmt: skip
def test_published(page: str, date: str | None) -> None:
    root = parse(page)
    assert published_of(root, page_lines(root)) == date
