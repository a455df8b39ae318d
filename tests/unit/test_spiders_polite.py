"""Refusals, checked with real requests to loopback servers."""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
from scrapy.http import Response

from towbench.spiders.polite import SETTINGS, retry_after, user_agent
from towbench.spiders.sites.render import Answer
from towbench.spiders.sites.server import serve
from towbench.spiders.sources import SOURCES

PROBE = """
import json, sys
from pathlib import Path
from scrapy.crawler import AsyncCrawlerProcess
from towbench.spiders.polite import LOOPBACK_SETTINGS
from towbench.spiders.sources import SOURCES

class Probe(SOURCES["zjxc"]):
    def wire(self, url):
        return url

    def on_site(self, url):
        return True

    async def start(self):
        try:
            outcome = (await self.fetch(self.url)).status
        except Exception as error:
            outcome = type(error).__name__
        print(json.dumps([self.url, outcome]))
        return
        yield

settings = {"DOWNLOAD_MAXSIZE": 20000, "LOG_LEVEL": "CRITICAL", "RETRY_ENABLED": False}
process = AsyncCrawlerProcess(LOOPBACK_SETTINGS | settings)
for url, base in json.loads(sys.argv[1]):
    probe = type("Probe", (Probe,), {"url": url})
    process.crawl(
        probe, landing=Path("."), benchmark="b", limit=None, base=base, report=lambda *_: None
    )
process.start()
"""


def outcomes(asked: Sequence[tuple[str, str | None]]) -> list[int | str]:
    """What comes of asking for each URL with a spider of its own, given its sample address."""
    command = [sys.executable, "-c", PROBE, json.dumps(asked)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    answers = dict(json.loads(line) for line in done.stdout.splitlines())
    return [answers[url] for url, _ in asked]


def test_settings_are_polite() -> None:
    assert SETTINGS["ROBOTSTXT_OBEY"]
    assert SETTINGS["CONCURRENT_REQUESTS_PER_DOMAIN"] == 1
    assert SETTINGS["DOWNLOAD_DELAY"] >= 1 and SETTINGS["AUTOTHROTTLE_ENABLED"]
    assert not SETTINGS["COOKIES_ENABLED"] and not SETTINGS["TELNETCONSOLE_ENABLED"]
    agent = user_agent("me@example.org")
    assert "towbench" in agent and "+me@example.org" in agent


def test_private_addresses_are_refused_before_any_connection() -> None:
    log: dict[str, list[str]] = defaultdict(list)
    with serve({"x": {"/": Answer(b"secret", "text/html")}}, log) as base:
        port = base["x"].rsplit(":", 1)[1]
        names = ("127.0.0.1", "localhost", "2130706433", "[::1]", "[::ffff:127.0.0.1]")
        urls = [f"http://{name}:{port}/" for name in names]
        remote = ("10.0.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "[fe80::1]")
        urls += [f"http://{name}/" for name in remote]
        assert outcomes([(url, None) for url in urls]) == ["PrivateAddress"] * len(urls)
    assert log["x"] == []


def test_only_the_sample_servers_own_port_is_exempt() -> None:
    log: dict[str, list[str]] = defaultdict(list)
    page = {"/": Answer(b"page", "text/html")}
    with serve({"own": page, "other": page}, log) as base:
        asked = [(f"{base[name]}/", base["own"]) for name in ("own", "other")]
        assert outcomes(asked) == [200, "PrivateAddress"]
    assert log == {"own": ["/robots.txt", "/"], "other": []}


def test_robots_rules() -> None:
    rules: dict[int | str, list[Answer]] = {
        "RobotsDisallowed": [
            Answer(b"User-agent: *\nDisallow: /", "text/plain"),
            Answer(b"User-agent: towbench\nDisallow: /a", "text/plain"),
        ],
        200: [
            Answer(b"User-agent: else\nDisallow: /", "text/plain"),
            Answer(b"User-agent: *\nDisallow: /", "text/plain", status=404),
        ],
        "RobotsUnreachable": [Answer(b"", "text/plain", status=503)],
    }
    robots = [(answer, outcome) for outcome, answers in rules.items() for answer in answers]
    page = Answer(b"page", "text/html")
    sites = {str(n): {"/a": page, "/robots.txt": answer} for n, (answer, _) in enumerate(robots)}
    with serve(sites) as base:
        found = outcomes([(f"{base[name]}/a", base[name]) for name in sites])
    assert found == [outcome for _, outcome in robots]


def test_size_cap_before_and_after_decompression() -> None:
    site = {
        "/long": Answer(b"x" * 30000, "text/html"),
        "/bomb": Answer(b"x" * 10**6, "text/html", compressed=True),
    }
    with serve({"x": site}) as base:
        found = outcomes([(base["x"] + path, base["x"]) for path in site])
    assert found == ["DownloadCancelledError", "IgnoreRequest"]


@pytest.mark.parametrize(
    ("told", "seconds"),
    [(None, 0), ("7", 7), ("soon", 0), ("-3", 0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0),
     ("Wed, 21 Oct 2122 07:28:00 GMT", pytest.approx(3e9, rel=0.5))],
)  # fmt: skip
def test_retry_after_is_read(told: str | None, seconds: float) -> None:
    headers = {} if told is None else {"Retry-After": told}
    assert retry_after(Response("http://a.example", status=429, headers=headers)) == seconds


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://www.chinawriter.com.cn/a", True),
        ("http://chinawriter.com.cn/a", True),
        ("https://poem.chinawriter.com.cn/a", True),
        ("https://evilchinawriter.com.cn/a", False),
        ("https://www.chinawriter.com.cn:8080/a", False),
        ("https://www.chinawriter.com.cn@evil.example/a", False),
        ("https://chinawriter.com.cn.evil.example/a", False),
        ("http://127.0.0.1/a", False),
    ],
)
def test_on_site(url: str, inside: bool) -> None:
    spider = SOURCES["chinawriter"](Path("x"), "b", None, None, lambda *_: None)
    assert spider.on_site(url) is inside
