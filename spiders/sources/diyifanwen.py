"""第一范文网: functional writing (labelled gb2312, really GBK)."""

from towbench.spiders.page import Page
from towbench.spiders.site import SiteSpider


class DiyifanwenPage(Page):
    encoding = "gb18030"
    article_body = "h1 ~ .content, h1 ~ #content, #ArtContent, .article-content"
    article_links = "div.alllist-data ul li a"
    list_links = "div.childlist-data dl.SList dt a, div.list-page a"
    part_links = "div.page a"


class DiyifanwenSpider(SiteSpider):
    name = "diyifanwen"
    site = "https://www.diyifanwen.com"
    start_path = "/fanwen/"
    page = DiyifanwenPage
