"""What a fetched page says about where to go next: pure functions of its URL and bytes, no I/O."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import ClassVar
from urllib.parse import urldefrag, urljoin

from parsel import Selector
from w3lib.url import safe_url_string

from towbench.schemas.landing import Kind


class Page:
    """A page of one site. Sites subclass it and say where their articles, lists and parts are
    linked.

    Links are read with the site's known encoding: what header and meta claim is for `ingest` to
    judge, and hrefs survive a wrong guess.
    """

    encoding: ClassVar[str] = "utf-8"
    article_body: ClassVar[str]
    """CSS of the text's container; a page that has it is an article."""
    article_links: ClassVar[str]
    """CSS of the `<a>` elements of a list that lead to articles."""
    list_links: ClassVar[str]
    """CSS of the `<a>` elements that lead to other lists: categories and the list's pager."""
    part_links: ClassVar[str | None] = None
    """CSS of the `<a>` elements of a multi-page article's pager."""

    def __init__(self, url: str, body: bytes) -> None:
        self.url = url
        self.select = Selector(text=body.decode(self.encoding, "replace"))

    @cached_property
    def kind(self) -> Kind:
        if self.is_article:
            return "article"
        return "list" if self.articles or self.lists else "other"

    @cached_property
    def is_article(self) -> bool:
        return bool(self.select.css(self.article_body))

    @cached_property
    def articles(self) -> list[str]:
        """URLs of the first parts of the articles that a list names, in its order."""
        return self.absolute(self.hrefs(self.article_links))

    @cached_property
    def lists(self) -> list[str]:
        """URLs of further lists, the next page among them."""
        return self.absolute(self.hrefs(self.list_links))

    @cached_property
    def next_part(self) -> str | None:
        """URL of the page on which this article goes on."""
        if self.part_links is None:
            return None
        following = [
            link.attrib.get("href", "")
            for link in self.select.css(self.part_links)
            if is_next(link)
        ]
        return next(iter(self.absolute(following)), None)

    def hrefs(self, css: str) -> list[str]:
        return [link.attrib.get("href", "") for link in self.select.css(css)]

    def absolute(self, hrefs: Iterable[str]) -> list[str]:
        """Absolute http(s) URLs without fragment, each once; what cannot be parsed is dropped."""
        return list(dict.fromkeys(self._absolute(hrefs)))

    def _absolute(self, hrefs: Iterable[str]) -> Iterator[str]:
        for href in hrefs:
            if not href.strip() or href.startswith("#"):
                continue
            try:
                url = urldefrag(safe_url_string(urljoin(self.url, href.strip()), self.encoding)).url
            except ValueError:
                continue
            if re.match("https?://", url):
                yield url


def is_next(link: Selector) -> bool:
    """Whether a pager's link is the one to the following page."""
    return bool(re.search(r"下一?页|Next", "".join(link.css("::text").getall())))
