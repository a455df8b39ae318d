"""What distinguishes the sample sites: encoding, address forms, list length, genres."""

from collections.abc import Callable
from dataclasses import dataclass

from towbench.spiders.sites.texts import Text

CATEGORIES = {
    "report": ("gongzuobaogao", "工作报告"),
    "letters": ("shuxin", "书信"),
    "speech": ("yanjianggao", "演讲稿"),
    "plan": ("fangan", "方案"),
    "contract": ("hetong", "合同"),
    "others": ("qita", "其他"),
}
"""Folder and label of the functional genres on the two model-text sites."""

PUBLISHERS: dict[tuple[str, str], tuple[str, ...]] = {
    ("zh", "fiction"): ("chinawriter",),
    ("zh", "poem"): ("chinawriter",),
    ("zh", "prose"): ("chinawriter",),
    ("zh", "comment"): ("zjxc",),
    ("zh", "argumentative"): ("zjxc",),
    ("zh", "regulation"): ("gongwen",),
    ("en", "speech"): ("americanrhetoric",),
}
"""Who publishes what; a genre with several publishers is dealt out by the text's number."""
OTHER_PUBLISHERS = {"zh": ("diyifanwen", "chinesejy"), "en": ("ivypanda",)}


@dataclass(frozen=True)
class Layout:
    """One sample site.

    `encoding` is what the bytes are, `declared` what meta and (if `header_charset`) header call
    them. Paths take the category's folder and a page number from 1. An article longer than
    `part_chars` characters goes on over several pages. `home` is where categories are listed; a
    site without one starts with its only list.
    """

    encoding: str
    declared: str
    list_path: Callable[[str, int], str]
    article_path: Callable[[str, Text, int], str]
    category: Callable[[Text], tuple[str, str]] = lambda _: ("", "")
    home: str | None = None
    list_size: int = 6
    part_chars: int | None = None
    header_charset: bool = True
    compressed: bool = False


def genre_category(text: Text) -> tuple[str, str]:
    return CATEGORIES.get(text.genre, CATEGORIES["others"])


def alphabet_category(text: Text) -> tuple[str, str]:
    folder = "a-l" if text.title[0].upper() < "M" else "m-z"
    return folder, folder.upper()


def numbered(
    stem: str, page: int, between: str = "", first: str = "", suffix: str = ".html"
) -> str:
    """`stem` for page 1, `stem` + separator + number for the others."""
    return stem + (first if page == 1 else f"{between}{page}") + suffix


LAYOUTS = {
    "chinawriter": Layout(
        encoding="utf-8",
        declared="utf-8",
        list_path=lambda _, page: "/" if page == 1 else f"/index{page}.html",
        article_path=lambda _, text, part: numbered(
            f"/n1/{text.day[:4]}/{text.day[4:]}/c404057-{text.number}",
            part,
            "-",
        ),
        part_chars=1200,
    ),
    "zjxc": Layout(
        encoding="utf-8",
        declared="utf-8",
        list_path=lambda _, page: (
            "/zjxc/index.shtml" if page == 1 else f"/zjxc/index_{page - 1}.shtml"
        ),
        article_path=lambda _, text, part: f"/zjxc/{text.day[:6]}/t{text.day}_{text.number}.shtml",
    ),
    "diyifanwen": Layout(
        encoding="gbk",
        declared="gb2312",
        header_charset=False,
        home="/fanwen/",
        category=genre_category,
        list_path=lambda folder, page: (
            f"/fanwen/{folder}/" + ("" if page == 1 else f"list_{page}.html")
        ),
        article_path=lambda folder, text, part: numbered(
            f"/fanwen/{folder}/{text.number}", part, "_", suffix=".htm"
        ),
        list_size=4,
        part_chars=900,
    ),
    "chinesejy": Layout(
        encoding="gbk",
        declared="gb2312",
        home="/",
        category=genre_category,
        list_path=lambda folder, page: f"/{folder}/" + ("" if page == 1 else f"index_{page}.html"),
        article_path=lambda folder, text, part: numbered(f"/{folder}/{text.number}", part, "_"),
        list_size=4,
        part_chars=1000,
    ),
    "gongwen": Layout(
        encoding="utf-8",
        declared="utf-8",
        header_charset=False,
        list_path=lambda _, page: numbered("/zhengce/index", page, "_"),
        article_path=lambda _, text, part: (
            f"/zhengce/content/{text.published[:7]}/content_{text.number}.htm"
        ),
        list_size=3,
    ),
    "americanrhetoric": Layout(
        encoding="windows-1252",
        declared="windows-1252",
        header_charset=False,
        home="/speechbank.htm",
        category=alphabet_category,
        list_path=lambda folder, page: f"/speechbank{folder}.htm",
        article_path=lambda _, text, part: f"/speeches/{text.name.replace('_', '')}.htm",
        list_size=1000,
    ),
    "ivypanda": Layout(
        encoding="utf-8",
        declared="utf-8",
        list_path=lambda _, page: "/essays/" if page == 1 else f"/essays/page/{page}/",
        article_path=lambda _, text, part: f"/essays/{text.name.replace('_', '-')}/",
        list_size=4,
        compressed=True,
    ),
}


def publisher(text: Text) -> str:
    """The source on whose sample site a text appears."""
    known = PUBLISHERS.get((text.lang, text.genre), OTHER_PUBLISHERS[text.lang])
    return known[text.number % len(known)]
