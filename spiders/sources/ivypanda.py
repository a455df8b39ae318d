"""IvyPanda: student essays (UTF-8, sent compressed)."""

from towbench.spiders.page import Page
from towbench.spiders.site import SiteSpider


class IvypandaPage(Page):
    article_body = '[class*="article__content"]'
    article_links = "a.article__heading-link"
    list_links = "a.next.page-numbers"


class IvypandaSpider(SiteSpider):
    name = "ivypanda"
    site = "https://ivypanda.com"
    start_path = "/essays/"
    page = IvypandaPage
