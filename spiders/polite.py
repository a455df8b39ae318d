"""How we behave on other people's servers: the settings and the two refusals of every crawl."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import Any, Protocol, cast
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import CannotResolveHostError, IgnoreRequest
from scrapy.http import Response
from scrapy.robotstxt import RobotParser
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.error import DNSLookupError

ROBOT = "towbench"
MAX_PAUSE = 60.0
"""Seconds: a Crawl-delay above it is kept to this."""
MAX_WAIT = 120.0
"""Seconds: a Retry-After above it leaves the source for the next run."""

SETTINGS: dict[str, Any] = {
    "AUTOTHROTTLE_ENABLED": True,
    "AUTOTHROTTLE_START_DELAY": 2.0,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "COOKIES_ENABLED": False,
    "DOWNLOADER_MIDDLEWARES": {
        # Knows host names only, while SiteSpider.on_site also looks at ports.
        "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "towbench.spiders.polite.PublicAddressMiddleware": 50,
        "towbench.spiders.polite.RobotsMiddleware": 100,
    },
    "DOWNLOAD_DELAY": 2.0,
    "DOWNLOAD_MAXSIZE": 8 * 2**20,
    "DOWNLOAD_TIMEOUT": 30,
    "DOWNLOAD_WARNSIZE": 0,
    "HTTPPROXY_ENABLED": False,  # a proxy resolves names itself, past the address check
    "LOG_LEVEL": "WARNING",
    "METAREFRESH_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "RETRY_GIVE_UP_LOG_LEVEL": "DEBUG",  # landed as a record instead
    "RETRY_HTTP_CODES": [500, 502, 504, 522, 524, 408],  # 429 and 503: SiteSpider.fetch
    "ROBOTSTXT_OBEY": True,
    "ROBOTSTXT_USER_AGENT": ROBOT,
    "TELNETCONSOLE_ENABLED": False,
}
LOOPBACK_SETTINGS: dict[str, Any] = SETTINGS | {"AUTOTHROTTLE_ENABLED": False, "DOWNLOAD_DELAY": 0}


class Offsite(IgnoreRequest):
    """The link leads away from the source."""


class PrivateAddress(IgnoreRequest):
    """The host resolves to an address that is not on the public internet."""


class RobotsDisallowed(IgnoreRequest):
    """The site's robots.txt forbids the page."""


class RobotsUnreachable(IgnoreRequest):
    """The site's robots.txt cannot be had now, which RFC 9309 (2.3.1.4) reads as: stay away."""


class Sampled(Protocol):
    """What the checks know of a spider: the loopback address it was given, if any, and the seconds
    that robots.txt wants between two requests (Crawl-delay)."""

    base: str | None
    pause: float


class PublicAddressMiddleware:
    """Refuses private, loopback and link-local addresses, but for the bundled sample server's.

    Scrapy caches the answer it resolves here and connects to that, so the name cannot change its
    mind in between.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "PublicAddressMiddleware":
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        base = cast(Sampled, self.crawler.spider).base
        if base is not None and request.url.startswith(f"{base}/"):
            return
        from twisted.internet import reactor  # importing it installs it: only once Scrapy chose one

        host = urlsplit(request.url).hostname or ""
        try:
            address = ip_address(host)
        except ValueError:
            try:
                resolved = await maybe_deferred_to_future(cast(Any, reactor).resolve(host))
            except DNSLookupError as error:
                raise CannotResolveHostError(host) from error
            address = ip_address(resolved)
        if not address.is_global or address.is_multicast:
            raise PrivateAddress(f"{host} is {address}")


class RobotsMiddleware(RobotsTxtMiddleware):
    """Scrapy's check, with RFC 9309's rules for a missing (go) or unreachable (stop) robots.txt."""

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        if response.status >= 500 or response.status == 429:
            raise RobotsUnreachable
        if response.status != 200:
            response = response.replace(body=b"")
        await super()._parse_robots(response, netloc, request)

    def process_request_2(self, rp: RobotParser | None, request: Request) -> None:
        if rp is None:
            raise RobotsUnreachable
        if not rp.allowed(request.url, ROBOT):
            raise RobotsDisallowed
        spider = cast(Sampled, self.crawler.spider)
        spider.pause = min(rp.crawl_delay(ROBOT) or 0.0, MAX_PAUSE)


def retry_after(response: Response) -> float:
    """Seconds that a 429 or 503 answer asks us to wait; 0 if it does not say."""
    told = (response.headers.get("Retry-After") or b"").decode("latin-1").strip()
    if told.isdecimal():
        return float(told)
    try:
        until = parsedate_to_datetime(told)
    except ValueError:
        return 0.0
    return max(0.0, (until - datetime.now(UTC)).total_seconds()) if until.tzinfo else 0.0


def user_agent(contact: str) -> str:
    """The honest name of this crawler; `contact` is a URL or mail address of who runs it."""
    return f"Mozilla/5.0 (compatible; {ROBOT}/0.1; research corpus; +{contact})"
