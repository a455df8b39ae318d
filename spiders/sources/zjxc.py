"""浙江宣传: argumentative essays (UTF-8)."""

import re
from functools import cached_property

from towbench.spiders.page import Page
from towbench.spiders.site import SiteSpider

LIST = re.compile(r"/index(?:_(\d+))?\.shtml$")
PAGER = re.compile(r"createPageHTML\(\s*(\d+)\s*,")


class ZjxcPage(Page):
    article_body = "div.artCon, h1.artTitle"
    article_links = "ul.listUl > li.listLi a"

    @cached_property
    def lists(self) -> list[str]:
        """The next list by number (index, index_1, …): the pager is drawn by a script."""
        number, pages = LIST.search(self.url), PAGER.search(self.select.get())
        if number is None or not self.articles:
            return []
        following = int(number[1] or 0) + 1
        return (
            []
            if pages and following >= int(pages[1])
            else self.absolute([f"index_{following}.shtml"])
        )


class ZjxcSpider(SiteSpider):
    name = "zjxc"
    site = "https://zjnews.zjol.com.cn"
    start_path = "/zjxc/index.shtml"
    page = ZjxcPage
