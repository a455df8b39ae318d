"""Official documents: a sample site only, since the real ones are bought files, not a crawl."""

from towbench.spiders.page import Page
from towbench.spiders.site import SiteSpider


class GongwenPage(Page):
    article_body = "div.TRS_Editor, td#UCAP-CONTENT"
    article_links = "div.news_box li a"
    list_links = "div.newspage a"


class GongwenSpider(SiteSpider):
    name = "gongwen"
    site = None
    start_path = "/zhengce/index.html"
    page = GongwenPage
