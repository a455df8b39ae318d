"""The spider that all sources share: take the next link, fetch it, land the answer, settle it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import ClassVar
from urllib.parse import urljoin, urlsplit, urlunsplit

from scrapy import Request, Spider, exceptions
from scrapy.http import Response

from towbench.schemas.errors import UsageError
from towbench.schemas.landing import Refusal
from towbench.spiders import polite
from towbench.spiders.frontier import Frontier
from towbench.spiders.landing import Landing, Link
from towbench.spiders.page import Page

MAX_WAITS = 3
"""Times that a busy page (429, 503) is asked, with the pauses that it wants in between."""
MAX_FAILURES = 5
"""A source that fails this often in a row is left for the next run."""

REFUSALS: dict[type[Exception], tuple[Refusal, str]] = {
    polite.RobotsDisallowed: ("robots", "disallowed"),
    polite.Offsite: ("http_error", "offsite"),
    polite.PrivateAddress: ("http_error", "private_address"),
    polite.RobotsUnreachable: ("http_error", "robots_unreachable"),
    # Scrapy raises it bare only for a body that inflates past the cap.
    exceptions.IgnoreRequest: ("too_large", "over_size_cap"),
    exceptions.DownloadCancelledError: ("too_large", "over_size_cap"),
    exceptions.DownloadTimeoutError: ("http_error", "timeout"),
    exceptions.CannotResolveHostError: ("http_error", "unresolved"),
    exceptions.DownloadConnectionRefusedError: ("http_error", "connection"),
    exceptions.DownloadFailedError: ("http_error", "connection"),
    exceptions.ResponseDataLossError: ("http_error", "connection"),
}
LASTING = {"disallowed", "offsite", "private_address", "over_size_cap"}
"""Refusals that the next run would meet again; all others are tried once more then."""

SAMPLE_LICENCE = "Apache-2.0"


class SiteSpider(Spider):
    """One source. Subclasses say what it is called, where it starts and how its pages are read.

    Links, frontier and landing files know a page by its public URL; `base` (the address of the
    loopback server that stands in for the site, if any) is used on the wire only, so that a resumed
    crawl does not depend on its port.
    """

    site: ClassVar[str | None]
    """Scheme and host of the real site; None if it is not crawled."""
    start_path: ClassVar[str]
    page: ClassVar[type[Page]]
    licence: ClassVar[str] = "none stated; copyright of the site and its authors"

    def __init__(
        self,
        landing: Path,
        benchmark: str,
        limit: int | None,
        base: str | None,
        report: Callable[[str, str], None],
        since: str | None = None,
        revisit: timedelta | None = None,
    ) -> None:
        super().__init__()
        self.folder = landing / self.name
        self.benchmark = benchmark
        self.limit = limit
        self.base = base
        self.report = report
        self.since = since
        self.revisit = revisit
        self.failures = 0
        self.pause = 0.0
        self.free_at = 0.0

    @classmethod
    def origin(cls, base: str | None) -> str:
        """Scheme and host of the public URLs: the real site's, or a reserved name for a sample."""
        if base is not None:
            return f"http://{cls.name}.example"
        if cls.site is None:
            raise UsageError(f"source {cls.name} has no site to crawl, only a bundled sample")
        return cls.site

    @classmethod
    def frontier(
        cls,
        landing: Path,
        benchmark: str,
        base: str | None,
        since: str | None = None,
        revisit: timedelta | None = None,
    ) -> Frontier:
        start = Link(cls.origin(base) + cls.start_path, "list")
        return Frontier(landing / cls.name, benchmark, [start], since, revisit)

    async def start(self) -> AsyncIterator[Request]:
        """Crawls link by link; yields nothing to Scrapy, whose queue would not survive a kill."""
        licence = self.licence if self.base is None else SAMPLE_LICENCE
        with (
            self.frontier(
                self.folder.parent, self.benchmark, self.base, self.since, self.revisit
            ) as frontier,
            Landing(self.folder, self.name, self.benchmark, licence) as landing,
        ):
            while self.failures < MAX_FAILURES and (link := frontier.next(self.limit)):
                await self.visit(link, frontier, landing)
        if self.failures:
            self.logger.warning("%s left after %d failures in a row", self.name, self.failures)
        return
        yield

    async def visit(self, link: Link, frontier: Frontier, landing: Landing) -> None:
        """Lands the answer, then settles the link: a kill in between repeats rather than loses."""
        try:
            response = await self.fetch(link.url)
        except (
            Exception
        ) as error:  # whatever goes wrong with one page, the others are still fetched
            status, reason = REFUSALS.get(type(error), ("http_error", type(error).__name__))
            again = reason not in LASTING
            landing.refusal(link, status, reason)
            frontier.settle(link, again=again)
            self.report(self.name, status)
        else:
            again = response.status == 429 or response.status >= 500
            link, found = self.read(link, response)
            landing.response(link, response)
            frontier.settle(link, found, again=again)
            self.report(self.name, "ok" if response.status == 200 else "http_error")
        self.failures = self.failures + 1 if again else 0

    async def fetch(self, url: str) -> Response:
        if not self.on_site(url):
            raise polite.Offsite(url)
        for _ in range(MAX_WAITS):
            await self.rest()
            request = Request(self.wire(url), meta={"dont_redirect": True})
            response: Response = await self.crawler.engine.download_async(request)
            self.free_at = time.monotonic() + self.pause
            if response.status not in (429, 503):
                break
            wait = polite.retry_after(response)
            if wait > polite.MAX_WAIT:
                self.failures = MAX_FAILURES  # it wants to be left alone: until the next run
                break
            self.free_at = max(self.free_at, time.monotonic() + wait)
        return response

    async def rest(self) -> None:
        """Waits until the site may be asked again (Crawl-delay, Retry-After)."""
        if (left := self.free_at - time.monotonic()) > 0:
            await asyncio.sleep(left)

    def on_site(self, url: str) -> bool:
        parts, home = (
            urlsplit(url),
            str(urlsplit(self.origin(self.base)).hostname).removeprefix("www."),
        )
        host = f".{parts.hostname}"
        return host.endswith(f".{home}") and parts.netloc == parts.hostname

    def wire(self, url: str) -> str:
        """The address that is really asked for `url`."""
        if self.base is None:
            return url
        parts = urlsplit(url)
        return self.base + urlunsplit(("", "", parts.path, parts.query, ""))

    def read(self, link: Link, response: Response) -> tuple[Link, list[Link]]:
        """What an answer turned out to be, and the links it adds to the frontier."""
        location = response.headers.get("Location")
        if 300 <= response.status < 400 and location:
            return link, [replace(link, url=urljoin(link.url, location.decode("latin-1")))]
        if response.status != 200:
            return link, []
        if b"html" not in (response.headers.get("Content-Type") or b"html"):
            return Link(link.url, "other"), []
        page = self.page(link.url, response.body)
        if page.kind == "article":
            first, part = link.article_url or link.url, link.part or 1
            parts = [Link(page.next_part, "article", first, part + 1)] if page.next_part else []
            return Link(link.url, "article", first, part), parts
        if page.kind == "list":
            articles = [Link(url, "article", url, 1) for url in page.articles]
            return Link(link.url, "list"), articles + [Link(url, "list") for url in page.lists]
        return Link(link.url, "other"), []
