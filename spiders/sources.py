"""Every source that can be crawled, by name."""

from towbench.spiders.americanrhetoric import AmericanrhetoricSpider
from towbench.spiders.chinawriter import ChinawriterSpider
from towbench.spiders.chinesejy import ChinesejySpider
from towbench.spiders.diyifanwen import DiyifanwenSpider
from towbench.spiders.gongwen import GongwenSpider
from towbench.spiders.ivypanda import IvypandaSpider
from towbench.spiders.site import SiteSpider
from towbench.spiders.zjxc import ZjxcSpider

SOURCES: dict[str, type[SiteSpider]] = {
    spider.name: spider
    for spider in (
        ChinawriterSpider,
        ZjxcSpider,
        DiyifanwenSpider,
        ChinesejySpider,
        GongwenSpider,
        AmericanrhetoricSpider,
        IvypandaSpider,
    )
}
