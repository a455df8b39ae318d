"""What real sites do to a crawler, planted in the sample sites."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from towbench.spiders.sites.texts import Text

OFFSITE = "https://elsewhere.example/s/a1b2c3"
FORBIDDEN = "/fanwen/vip/"

ROBOTS = {
    "diyifanwen": f"User-agent: *\nDisallow: {FORBIDDEN}\nDisallow: /search\n",
    "americanrhetoric": "User-agent: *\nDisallow: /cgi-bin/\n",
    "ivypanda": "User-agent: *\nDisallow: /*?s=\n\nUser-agent: BadBot\nDisallow: /\n",
}
"""robots.txt by source; the other sites have none."""


@dataclass(frozen=True)
class Trap:
    """A list entry that is no ordinary article; `page` is the template behind it (None: 404)."""

    title: str
    href: str
    page: str | None = None


TRAPS = {
    "zjxc": [
        Trap("浙江宣传 | 我们换了一个地方见面", OFFSITE),
        Trap("浙江宣传丨这一篇后来撤下了", "/zjxc/202401/t20240101_1000001.shtml"),
    ],
    "diyifanwen": [
        Trap("会员精品：年度述职报告合集", f"{FORBIDDEN}1000002.htm", "notice.html"),
        Trap("联系我们", "/about/contact.htm", "notice.html"),
    ],
}


def stub(texts: Sequence[Text]) -> Text:
    """An article page with next to no text."""
    return replace(texts[0], name="stub", title="征文启事", body="详情请见本期纸质刊物。")


def near_duplicate(text: Text) -> Text:
    """Another site's copy of a text: a new title, a word exchanged three times, a sentence more."""
    body = text.body.replace("的", "之", 3) + "\n\n以上内容仅供参考，欢迎收藏。"
    return replace(text, name=f"{text.name}_copy", title=f"{text.title}（精选）", body=body)


def editions(assigned: dict[str, list[Text]]) -> dict[str, list[Text]]:
    """What each site publishes: its own texts, and reprints of others' (exact and edited)."""
    published = {source: list(texts) for source, texts in assigned.items()}
    published["chinawriter"].append(stub(assigned["chinawriter"]))
    published["gongwen"].append(assigned["zjxc"][0])
    published["chinesejy"].append(near_duplicate(assigned["diyifanwen"][0]))
    return published


def lying(source: str, texts: Sequence[Text]) -> Text | None:
    """The text whose page claims to be UTF-8, in header and meta, but is GBK."""
    return texts[0] if source == "chinesejy" else None
