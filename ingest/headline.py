"""Title, author and date of a page (pure), from meta tags, headings and the lines about them."""

import re
from itertools import pairwise, zip_longest
from typing import Final

from lxml import etree

from towbench.ingest.page_lines import Line, clean

_SITE: Final = re.compile(
    r"\s*(?:--+|_|[|丨｜]|(?<=\s)[-–—](?=\s)|(?<=[⺀-鿿])[-–—](?=[⺀-鿿]))\s*"
)
_PREFIX: Final = re.compile(r"^[^|丨｜\s]{2,10}\s*[|丨｜]\s*(?=\S)")
_PART_NUMBER: Final = re.compile(r"\s*[（(](?:第?\d{1,3}页?|\d{1,3}/\d{1,3})[)）]$")
_DATE: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)\s*[-年/.]\s*(\d{1,2})\s*[-月/.]\s*(\d{1,2})(?!\d)"
)
_PUBLISHED_NAMES: Final = (
    "article:published_time", "publishdate", "pubdate", "firstpublishedtime", "date",
    "datepublished", "og:published_time", "release_date",
)  # fmt: skip
_JSON_DATE: Final = re.compile(r'"datePublished"\s*:\s*"([^"]{8,30})"')
_AUTHOR: Final = (
    re.compile(r"(?:^|[\s|(（])作\s*者\s*[:：]\s*([^\s:：|，,()（）]{2,20})"),
    re.compile(r"来源\s*[:：][^|]{2,30}\|\s*(\S{2,10})\s+(?=\d{4}\s*年)"),
    re.compile(r"(?:written|submitted)\s+by\s+([A-Z][^.]{2,40})\.?$"),
    re.compile(r"^[Bb]y:?\s+([A-Z][\w.'’-]*(?:\s+[A-Z][\w.'’-]*){0,3})$"),
)
# "Site: Speaker - Title", the form of speech collections.
_SPEAKER: Final = re.compile(
    r"[^:\n]{3,40}:\s+([A-Z][\w.'’-]*(?:\s[A-Z][\w.'’-]*){0,3})\s+[-–—]\s+(\S.*)"
)
_TITLE_LABEL: Final = re.compile(r"标\s*题\s*[:：]")
_AUTHOR_LABEL: Final = re.compile(r"(?:作\s*者|发文机关|发布机构)\s*[:：]")
_NO_AUTHOR: Final = re.compile(
    r"^(?:https?:|www\.|佚名|未知|网络|admin|administrator|无|-)", re.IGNORECASE
)


def title_of(root: etree._Element, lines: list[Line]) -> str | None:
    """The page's title without site names before or after it.

    A heading that the `<title>` repeats is surest, then what a label names, then the only `<h1>`,
    then what meta tags say.
    """
    pieces = title_pieces(root)
    headings = {bare_title(line.text): line for line in lines if is_heading(line)}
    for piece in pieces:
        if piece in headings:
            return piece
    for line, following in pairwise(lines):
        if _TITLE_LABEL.fullmatch(line.text):
            return bare_title(following.text)
    firsts = [title for title, line in headings.items() if line.block.tag == "h1"]
    if len(firsts) == 1:
        return firsts[0]
    shown = [title for line in lines[:60] if (title := bare_title(line.text)) in pieces]
    if shown:
        return max(shown, key=len)
    return pieces[0] if pieces else None


def first_line(article: list[Line]) -> str | None:
    """The first line of a text, if it reads like a title; the text keeps it."""
    first = article[0].text.strip() if article else ""
    return first if first and len(first) <= 60 and first[-1] not in "，。；！？,.;!?" else None


def bare_title(text: str) -> str:
    """A heading without the column name before it (浙江宣传 | …) and the part number after it."""
    return _PART_NUMBER.sub("", _PREFIX.sub("", clean(text).strip()))


def is_heading(line: Line) -> bool:
    """Whether the line is a heading by its tag or the name of its class or id."""
    block = line.block
    if isinstance(block.tag, str) and re.fullmatch(r"h[1-6]", block.tag):
        return True
    return "tit" in f"{block.get('class', '')} {block.get('id', '')}".lower()


def title_pieces(root: etree._Element) -> list[str]:
    """What `<title>` and og:title may be put together from: titles, sites, columns, names."""
    pieces: list[str] = []
    for found in root.xpath("//title/text() | //meta[@property='og:title']/@content"):
        whole = _PREFIX.sub("", clean(str(found)).strip())
        parts = [part for part in _SITE.split(whole) if part]
        named = [part.split(": ", 1)[1] for part in parts if ": " in part]
        spoken = [found[2] for found in [_SPEAKER.fullmatch(whole)] if found]
        pieces += [part for part in (*spoken, *parts, *named, whole) if part]
    return pieces


def author_of(root: etree._Element, lines: list[Line]) -> str | None:
    """The author named by a meta tag or a line of its own."""
    for name in root.xpath("//meta[@name='author' or @property='article:author']/@content"):
        author = clean(str(name)).strip()
        if author and "@" not in author and not _NO_AUTHOR.match(author):
            return author
    for line, following in zip_longest(lines, lines[1:]):
        if len(line.text) > 120:
            continue
        if following is not None and _AUTHOR_LABEL.fullmatch(line.text):
            return following.text.strip()
        for pattern in _AUTHOR:
            found = pattern.search(line.text)
            if found and not _NO_AUTHOR.match(found[1]):
                return found[1]
    speaker = _SPEAKER.fullmatch(clean("".join(root.xpath("//title/text()")[:1])).strip())
    return speaker[1] if speaker else None


def published_of(root: etree._Element, lines: list[Line]) -> str | None:
    """Date of publication as YYYY-MM-DD: meta tag, `<time>`, JSON-LD, or the first date shown."""
    metas = {
        str(meta.get("name") or meta.get("property") or meta.get("itemprop")).lower(): meta
        for meta in root.iter("meta")
    }
    told = [metas[name].get("content", "") for name in _PUBLISHED_NAMES if name in metas]
    told += [element.get("datetime", "") for element in root.iter("time")]
    for script in root.xpath("//script[@type='application/ld+json']/text()"):
        told += _JSON_DATE.findall(str(script))
    told += [line.text for line in lines if len(line.text) <= 120]
    return next((date for text in told if (date := _date(text))), None)


def _date(text: str) -> str | None:
    for year, month, day in _DATE.findall(text):
        if 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
            return f"{year}-{int(month):02}-{int(day):02}"
    compact = re.match(r"((?:19|20)\d\d)(\d\d)(\d\d)(?!\d)", text)
    return "-".join(compact.groups()) if compact else None
