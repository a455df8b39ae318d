"""American Rhetoric: speeches (windows-1252, nested layout tables, unclosed paragraphs)."""

import re
from functools import cached_property

from towbench.spiders.page import Page
from towbench.spiders.site import SiteSpider

SPEECH = re.compile(r"/speeches/(?:\w+/)?[^/]+\.html?$")
BANK = re.compile(r"/speechbank\w-\w\.html?$")


class AmericanrhetoricPage(Page):
    encoding = "windows-1252"

    @cached_property
    def is_article(self) -> bool:
        """The text has only a font size, which index pages use too: the URL tells."""
        return bool(SPEECH.search(self.url) and self.select.css('font[size="2"]'))

    @cached_property
    def articles(self) -> list[str]:
        return [url for url in self.absolute(self.hrefs("table a")) if SPEECH.search(url)]

    @cached_property
    def lists(self) -> list[str]:
        """The speech bank is cut by the alphabet: speechbanka-f.htm, speechbankg-l.htm, …"""
        return [url for url in self.absolute(self.hrefs("table a")) if BANK.search(url)]


class AmericanrhetoricSpider(SiteSpider):
    name = "americanrhetoric"
    site = "https://www.americanrhetoric.com"
    start_path = "/speechbank.htm"
    page = AmericanrhetoricPage
