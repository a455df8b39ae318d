"""九月范文网 (once 中国教育资源网): functional writing (labelled gb2312, really GBK)."""

import re
from functools import cached_property

from towbench.spiders.page import Page
from towbench.spiders.site import SiteSpider

ARTICLE = re.compile(r"/\w+/\d+\.html$")


class ChinesejyPage(Page):
    encoding = "gb18030"
    article_body = "div#artContent, div.article_content, td#content"
    list_links = "li.menubar a, div.showpage a"
    part_links = "div.showpage a"

    @cached_property
    def articles(self) -> list[str]:
        """Lists are bare `<li>` without `<ul>`: what is an article shows in its URL."""
        return [url for url in self.absolute(self.hrefs("li a")) if ARTICLE.search(url)]


class ChinesejySpider(SiteSpider):
    name = "chinesejy"
    site = "https://www.chinesejy.com"
    start_path = "/"
    page = ChinesejyPage
