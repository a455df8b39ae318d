"""The whole crawl over real HTTP: child process, spiders, frontier, landing files."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from datetime import date
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from scrapy.http import Response

from towbench.schemas import landing as names
from towbench.schemas.errors import UsageError
from towbench.spiders import crawl as crawl_module
from towbench.spiders.crawl import CrawlError, crawl
from towbench.spiders.frontier import Frontier
from towbench.spiders.landing import Landing, Link
from towbench.spiders.sites.layout import LAYOUTS, publisher
from towbench.spiders.sites.render import Answer, Site, sample_sites
from towbench.spiders.sites.server import serve
from towbench.spiders.sites.texts import sample_texts
from towbench.spiders.sites.traps import FORBIDDEN, OFFSITE, lying
from towbench.spiders.sources import SOURCES


def records(landing: Path, source: str) -> list[WarcRecord]:
    found = []
    for path in sorted((landing / source).glob("*.warc.gz")):
        for record in ArchiveIterator(str(path), parse_http=False):
            record.freeze()
            if record.verify_block_digest():
                record.parse_http()
                found.append(record)
    return found


def path_of(record: WarcRecord, source: str) -> str:
    return str(record.headers.get("WARC-Target-URI")).removeprefix(f"http://{source}.example")


def test_sample_sites_end_to_end(tmp_path: Path) -> None:
    sites = sample_sites()
    log: dict[str, list[str]] = defaultdict(list)
    reported: Counter[tuple[str, str]] = Counter()
    with serve(sites, log) as base:
        started = time.monotonic()
        summary = crawl(
            list(sites), tmp_path, "sample", None, base,
            progress=lambda *record: reported.update([record]),
        )  # fmt: skip
        assert time.monotonic() - started < 20
        again = crawl(list(sites), tmp_path, "sample", None, base)
    assert not any(again.counts.values())

    for source, site in sites.items():
        landed = records(tmp_path, source)
        assert summary.counts[source].total() == len(landed)
        assert all(
            summary.counts[source][status] == reported[source, status]
            for status in ("ok", "robots")
        )
        assert max(Counter(log[source]).values()) == 1
        bodies = {
            path_of(record, source): record.reader.read()
            for record in landed
            if record.record_type == WarcRecordType.response
        }
        for path, answer in site.items():
            if path != "/robots.txt" and not path.startswith(FORBIDDEN):
                assert bodies[path] == answer.body, path

    assert not any(path.startswith(FORBIDDEN) for path in log["diyifanwen"])
    refusals = {
        record["url"]: (record["status"], record["reason"])
        for source in sites
        for each in records(tmp_path, source)
        if each.record_type == WarcRecordType.metadata
        for record in [json.loads(each.reader.read())]
    }
    assert refusals == {
        f"http://diyifanwen.example{FORBIDDEN}1000002.htm": ("robots", "disallowed"),
        OFFSITE: ("http_error", "offsite"),
    }
    kinds = {
        path_of(record, source): record.headers.get(names.KIND)
        for source in sites
        for record in records(tmp_path, source)
    }
    assert kinds["/about/contact.htm"] == "other"
    assert kinds["/zjxc/index_1.shtml"] == "list"
    gone = [
        record.http_headers.status_code
        for record in records(tmp_path, "zjxc")
        if record.http_headers and path_of(record, "zjxc").endswith("_1000001.shtml")
    ]
    assert gone == [404]

    liar = lying("chinesejy", [text for text in sample_texts() if publisher(text) == "chinesejy"])
    assert liar is not None
    layout = LAYOUTS["chinesejy"]
    path = layout.article_path(layout.category(liar)[0], liar, 1)
    record = next(
        each for each in records(tmp_path, "chinesejy") if path_of(each, "chinesejy") == path
    )
    assert record.http_headers is not None
    assert record.http_headers.get("Content-Type") == "text/html; charset=utf-8"
    assert liar.title in record.reader.read().decode("gbk")


def test_parts_share_the_article_url_and_are_numbered(tmp_path: Path) -> None:
    with serve({"chinawriter": sample_sites()["chinawriter"]}) as base:
        crawl(["chinawriter"], tmp_path, "mine", None, base)
    parts = defaultdict(list)
    for record in records(tmp_path, "chinawriter"):
        if record.headers.get(names.KIND) == "article":
            parts[record.headers.get(names.ARTICLE_URL)].append(record)
    several = {url: of_one for url, of_one in parts.items() if len(of_one) > 1}
    assert several
    for url, of_one in several.items():
        assert url == of_one[0].headers.get("WARC-Target-URI")
        assert [each.headers.get(names.PART) for each in of_one] == [
            str(n + 1) for n in range(len(of_one))
        ]
        assert of_one[0].headers.get(names.BENCHMARK) == "mine"


def listed(n: int) -> Site:
    """A zjxc-shaped site of one list with `n` articles."""
    links = "".join(f'<li class="listLi"><a href="/zjxc/{i}.shtml">{i}</a></li>' for i in range(n))
    body = f'<ul class="listUl">{links}</ul><script>createPageHTML(1,0)</script>'
    article = '<h1 class="artTitle">{0}</h1><div class="artCon"><p>{0}</p></div>'
    pages = {f"/zjxc/{i}.shtml": article.format(i) for i in range(n)} | {"/zjxc/index.shtml": body}
    return {path: Answer(html.encode(), "text/html") for path, html in pages.items()}


@pytest.mark.slow
def test_limit_is_articles_over_all_runs(tmp_path: Path) -> None:
    log: dict[str, list[str]] = defaultdict(list)
    with serve({"zjxc": listed(6)}, log) as base:
        crawl(["zjxc"], tmp_path, "b", 2, base)
        assert log["zjxc"][2:] == ["/zjxc/0.shtml", "/zjxc/1.shtml"]
        assert not crawl(["zjxc"], tmp_path, "b", 2, base).counts["zjxc"]
        assert crawl(["zjxc"], tmp_path, "b", 3, base).counts["zjxc"] == {"ok": 1}


class SlowLog(list[str]):
    """A request log that keeps article `hold` waiting, so that the kill meets it in flight."""

    def __init__(self, hold: str) -> None:
        super().__init__()
        self.hold = hold

    def append(self, path: str) -> None:
        super().append(path)
        if path == self.hold and self.count(path) == 1:
            time.sleep(1)


@pytest.mark.slow
def test_kill_loses_no_link_and_repeats_no_page(tmp_path: Path) -> None:
    """cases D24: ten pages, killed with the fourth in flight, on another port the second time."""
    script = (
        "import sys, json; from pathlib import Path; from towbench.spiders.crawl import crawl;"
        "crawl(['zjxc'], Path(sys.argv[1]), 'b', None, json.loads(sys.argv[2]))"
    )
    log = {"zjxc": SlowLog("/zjxc/3.shtml")}
    with serve({"zjxc": listed(10)}, log) as base:
        command = [sys.executable, "-c", script, str(tmp_path), json.dumps(base)]
        parent = subprocess.Popen(command)
        deadline = time.monotonic() + 20
        while "/zjxc/3.shtml" not in log["zjxc"] and time.monotonic() < deadline:
            time.sleep(0.005)
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
        time.sleep(1.2)
        before = list(log["zjxc"])
        assert before[2:] == [f"/zjxc/{n}.shtml" for n in range(4)], "the child outlived its parent"
    with serve({"zjxc": listed(10)}, log) as base:
        summary = crawl(["zjxc"], tmp_path, "b", None, base)
    after = log["zjxc"][len(before) :]
    assert after == ["/robots.txt"] + [f"/zjxc/{n}.shtml" for n in range(3, 10)]
    assert summary.counts["zjxc"] == {"ok": 7}
    landed = [path_of(record, "zjxc") for record in records(tmp_path, "zjxc")]
    assert sorted(landed) == sorted(listed(10))


@pytest.mark.slow
def test_failing_site_is_left_for_the_next_run(tmp_path: Path) -> None:
    site = listed(9)
    broken = site | {
        path: Answer(b"", "text/html", status=500) for path in site if "index" not in path
    }
    with serve({"zjxc": broken}) as base:
        counts = crawl(["zjxc"], tmp_path, "b", None, base).counts["zjxc"]
    assert counts == {"ok": 1, "http_error": 5}
    with serve({"zjxc": site}) as base:
        assert crawl(["zjxc"], tmp_path, "b", None, base).counts["zjxc"] == {"ok": 9}


def test_crawl_delay_is_kept(tmp_path: Path) -> None:
    site = listed(2) | {"/robots.txt": Answer(b"User-agent: *\nCrawl-delay: 0.3", "text/plain")}
    with serve({"zjxc": site}) as base:
        started = time.monotonic()
        assert crawl(["zjxc"], tmp_path, "b", None, base).counts["zjxc"] == {"ok": 3}
        assert time.monotonic() - started > 0.6


@pytest.mark.slow
def test_a_revisit_lands_what_changed_and_nothing_else(tmp_path: Path) -> None:
    site = listed(3)
    with serve({"zjxc": site}) as base:
        crawl(["zjxc"], tmp_path, "b", None, base)
    site["/zjxc/1.shtml"] = Answer(b'<h1 class="artTitle">new</h1>', "text/html")
    del site["/zjxc/2.shtml"]
    with serve({"zjxc": site}) as base:
        assert not crawl(["zjxc"], tmp_path, "b", None, base, revisit_days=1).counts["zjxc"]
        counts = crawl(["zjxc"], tmp_path, "b", None, base, revisit_days=0).counts["zjxc"]
    assert counts == {"ok": 3, "http_error": 1}
    ids = Counter(str(record.headers.get("WARC-Record-ID")) for record in records(tmp_path, "zjxc"))
    assert sorted(ids.values()) == [1, 1, 1, 1, 2, 2]


def test_since_leaves_earlier_articles(tmp_path: Path) -> None:
    site = listed(0)
    days = ["202312/t20231231_1", "202401/t20240101_2", "undated"]
    links = "".join(f'<li class="listLi"><a href="/zjxc/{day}.shtml">x</a></li>' for day in days)
    site["/zjxc/index.shtml"] = Answer(f'<ul class="listUl">{links}</ul>'.encode(), "text/html")
    for day in days:
        site[f"/zjxc/{day}.shtml"] = Answer(b'<h1 class="artTitle">x</h1>', "text/html")
    log: dict[str, list[str]] = defaultdict(list)
    with serve({"zjxc": site}, log) as base:
        crawl(["zjxc"], tmp_path, "b", None, base, since=date(2024, 1, 1))
    assert log["zjxc"][2:4] == ["/zjxc/202401/t20240101_2.shtml", "/zjxc/undated.shtml"]
    assert "/zjxc/202312/t20231231_1.shtml" not in log["zjxc"]


def test_unreachable_site_ends_the_run_with_a_record(tmp_path: Path) -> None:
    counts = crawl(["zjxc"], tmp_path, "b", None, {"zjxc": "http://127.0.0.1:9"}).counts["zjxc"]
    assert counts == {"http_error": 1}
    (record,) = records(tmp_path, "zjxc")
    assert json.loads(record.reader.read())["reason"] == "robots_unreachable"


def test_redirects_are_landed_and_followed_on_site_only(tmp_path: Path) -> None:
    site = listed(2)
    site["/zjxc/0.shtml"] = Answer(b"", "text/html", status=302, location="/zjxc/moved.shtml")
    site["/zjxc/1.shtml"] = Answer(b"", "text/html", status=301, location="http://10.0.0.1/x")
    site["/zjxc/moved.shtml"] = Answer(b'<h1 class="artTitle">m</h1>', "text/html")
    with serve({"zjxc": site}) as base:
        assert crawl(["zjxc"], tmp_path, "b", None, base).counts["zjxc"] == {
            "ok": 2,
            "http_error": 3,
        }
    by_path = {path_of(record, "zjxc"): record for record in records(tmp_path, "zjxc")}
    moved = by_path["/zjxc/moved.shtml"]
    assert moved.headers.get(names.ARTICLE_URL) == "http://zjxc.example/zjxc/0.shtml"
    assert json.loads(by_path["http://10.0.0.1/x"].reader.read())["reason"] == "offsite"


@pytest.mark.parametrize(
    ("sources", "sample", "message"),
    [
        (["nowhere"], {"zjxc": "http://127.0.0.1:9"}, "unknown source nowhere; known: zjxc"),
        (["gongwen"], None, "gongwen has no site to crawl"),
        (["zjxc"], None, "needs a contact"),
    ],
)
def test_impossible_tasks_are_named(
    tmp_path: Path, sources: list[str], sample: dict[str, str] | None, message: str
) -> None:
    contact = "me@example.org" if "gongwen" in sources else ""
    with pytest.raises(UsageError, match=message):
        crawl(sources, tmp_path, "b", None, sample, contact)


def test_a_child_that_breaks_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_module, "is_pending", lambda *_: True)
    (tmp_path / "zjxc").write_text("a file where the folder should be")
    with pytest.raises(CrawlError, match="code 1"):
        crawl(["zjxc"], tmp_path, "b", None, {"zjxc": "http://127.0.0.1:9"})


def test_a_link_is_settled_only_after_its_record_is_written(tmp_path: Path) -> None:
    spider = SOURCES["zjxc"](tmp_path, "b", None, "http://127.0.0.1:9", lambda *_: None)

    async def fetch(url: str) -> Response:
        return Response(url, body=b"<p>")

    def full_disk(*_: object) -> None:
        raise OSError("no space left on device")

    spider.fetch = fetch  # type: ignore[method-assign]
    start = Link("http://zjxc.example/zjxc/index.shtml", "list")
    with (
        Frontier(tmp_path, "b", [start]) as frontier,
        Landing(tmp_path, "z", "b", "CC0") as landing,
    ):
        landing.response = full_disk  # type: ignore[method-assign, assignment]
        with pytest.raises(OSError, match="no space"):
            asyncio.run(spider.visit(start, frontier, landing))
        assert frontier.next(None) == start
