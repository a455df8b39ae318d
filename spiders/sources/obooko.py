"""obooko: catalogue and blurbs of free books (the books themselves sit behind accounts)."""

import re
from functools import cached_property

from towbench.spiders.page import Page
from towbench.spiders.site import SiteSpider

BOOK = re.compile(r"/free-[\w-]+-books/[\w-]+/?$")
CATEGORY = re.compile(r"/(?:category/)?free-[\w-]+-books/?$")


class ObookoPage(Page):
    @cached_property
    def is_article(self) -> bool:
        """A book's page: its address has a slug below the category, its page a heading."""
        return bool(BOOK.search(self.url) and self.select.css("h1"))

    @cached_property
    def articles(self) -> list[str]:
        return [url for url in self.absolute(self.hrefs("body a")) if BOOK.search(url)]

    @cached_property
    def lists(self) -> list[str]:
        following = self.hrefs('a[rel="next"], a.next, .pagination a')
        categories = [url for url in self.absolute(self.hrefs("body a")) if CATEGORY.search(url)]
        return list(dict.fromkeys([*self.absolute(following), *categories]))


class ObookoSpider(SiteSpider):
    name = "obooko"
    site = "https://www.obooko.com"
    start_path = "/"
    page = ObookoPage
    licence = "blurb only; copyright of the site and its authors"
