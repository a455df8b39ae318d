"""中国作家网: fiction, poetry and prose (People's Daily content system, UTF-8)."""

import re
from functools import cached_property

from towbench.spiders.page import Page
from towbench.spiders.site import SiteSpider

ARTICLE = re.compile(r"/\d{4}/\d{4}/\w+-\w+\.html$|/\d{4}-\d{2}-\d{2}/\d+\.html$")


class ChinawriterPage(Page):
    article_body = "div.end_article"
    list_links = "div.page_n a"
    part_links = "div.end_article div.zdfy a"

    @cached_property
    def articles(self) -> list[str]:
        """Links in `main div.inner`, on older lists anywhere, that look like an article's URL."""
        hrefs = self.hrefs("main div.inner a") or self.hrefs("body a")
        return [url for url in self.absolute(hrefs) if ARTICLE.search(url)]


class ChinawriterSpider(SiteSpider):
    name = "chinawriter"
    site = "https://www.chinawriter.com.cn"
    start_path = "/"
    page = ChinawriterPage
