"""Html -> the text of its article, with every line break that means something (pure).

`page_lines` gives what a reader sees, `locate` where the article is; this module trims what sites
put around a text (title block, byline, sharing, related links), puts lines and paragraphs together
and says whether the result is an article at all. trafilatura alone loses signatures, addressees and
verse on these sites (measured in tests/unit/test_ingest_shared.py) and is asked second.
"""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final
from urllib.parse import urlsplit

from lxml import etree

from towbench.ingest.boilerplate import ABOUT, AFTER, COMMENTS, CRUMBS, RELATED
from towbench.ingest.embedded_texts import embedded_texts, reveal
from towbench.ingest.headline import (
    author_of,
    bare_title,
    first_line,
    is_heading,
    published_of,
    title_of,
    title_pieces,
)
from towbench.ingest.lang import language
from towbench.ingest.locate import is_linked, locate
from towbench.ingest.page_lines import Gap, Line, clean, page_lines, parse

EXTRACTOR_VERSION: Final = "extract_v1"
# A text of fewer letters and Han characters says too little to be judged as writing (a short notice
# has about twice that); verse says more with less, and two quatrains of five characters have 40.
MIN_LETTERS: Final = 200
MIN_VERSE_LETTERS: Final = 40
# Share of what a page shows that is links, above which a page with little text is a list.
_MAX_LINKED: Final = 0.5
# Without two sentence marks a text is an article only if its lines are longer than labels are:
# unpunctuated prose and free verse.
_MIN_SENTENCES: Final = 2
_LABEL_LETTERS: Final = 5
_SENTENCES_AMONG_LINKS: Final = 5
# A page that shows more links than this is a list, and trafilatura would be slow to say so.
_LIST_LINKS: Final = 100
# Fewer letters than this are no text that was merely short: trafilatura is asked.
_NEXT_TO_NOTHING: Final = 50
# The same text may be there in several forms; more long texts than this are a list of them.
_MOST_ALIKE: Final = 3
# Letters of a text that is no teaser or label.
_ENOUGH_LETTERS: Final = 100
# Lines without marks at their ends must be this many to be free verse.
_FREE_VERSE_LINES: Final = 6
_HEAD_LINES: Final = 10
# Verse lines are shorter; a longer line that ends a sentence ends a paragraph.
_FULL_LINE: Final = 60
_TITLE_BLOCK_LETTERS: Final = 150
# Share of a text that must follow links to other texts for it to go on.
_GOES_ON: Final = 0.2

_LETTER: Final = re.compile(r"[^\W\d_]")
_SENTENCE: Final = re.compile(r"[。！？!?…]|\.(?=\s|$)|[，；,;]$", re.MULTILINE)
_AUTHOR_LINE: Final = re.compile(r"作\s*者\s*[:：].{1,30}$|[Bb]y:? [A-Z][\w.'’ -]{2,40}$")
_LABELLED: Final = re.compile(r"[:：|]|\d\d")
_START_PAGE: Final = re.compile(r"(?:/|/(?:index|default)\.\w+)?")


@dataclass(frozen=True, slots=True)
class Extract:
    """What a page holds; `status` is `ok`, `not_article`, `too_short` or `extract_failed`."""

    title: str | None
    author: str | None
    published: str | None
    text: str
    lang: str | None
    status: str
    reason: str | None


def extract(page: str, url: str) -> Extract:
    """The article of a decoded page.

    Args:
        page: html text.
        url: its address; a start page (no path) is never an article.
    """
    try:
        root = parse(page)
    except ValueError as error:
        return Extract(None, None, None, "", None, "extract_failed", str(error))
    lines = page_lines(root)
    found = locate(root, lines)
    title = title_of(root, lines)
    article = _trim(found, title, set(title_pieces(root)))
    status, reason = _verdict(root, lines, article)
    if reason != "login_form" and (unseen := _unseen(page, root, lines, article, status)):
        article = _trim(unseen, title, set(title_pieces(root)))
        status, reason = _verdict(root, article, article)
    if status == "ok" and _START_PAGE.fullmatch(urlsplit(url).path):
        status, reason = "not_article", "start_page"
    kept = set(article)
    around = [line for line in lines if line not in kept]
    text = render(article)
    return Extract(
        title=title or first_line(article),
        author=author_of(root, around + article),
        published=published_of(root, around),
        text=text,
        lang=language(text) if text else None,
        status=status,
        reason=reason,
    )


def _unseen(
    page: str, root: etree._Element, lines: list[Line], article: list[Line], status: str
) -> list[Line]:
    """The article among what scripts would show, if it is the rest of what is seen or there is
    no article (by `status`) to be seen."""
    shown = _letters(article)
    parent = article[-1].block.getparent() if status == "ok" else None
    if reveal(root if parent is None else parent):
        whole = locate(root, page_lines(root))
        is_more = _letters(whole) > shown and _reads_well(whole)
        if is_more and (status != "ok" or _goes_on(article, whole)):
            return whole
    if status == "ok":
        return []
    texts = {
        render(found): found
        for tree in embedded_texts(root)
        if _reads_well(found := locate(tree, page_lines(tree)))
    }
    found = max(texts.values(), key=_letters, default=[])
    like = sum(2 * _letters(other) >= _letters(found) for other in texts.values())
    if _letters(found) > 2 * shown:
        return found if like <= _MOST_ALIKE else []
    is_list = sum(map(is_linked, lines)) > _LIST_LINKS
    if shown < _NEXT_TO_NOTHING and not is_list:
        # Few pages need it, and trafilatura takes a while to load.
        from towbench.ingest.second_opinion import second_opinion

        found = second_opinion(page)
        return found if _reads_well(found) else []
    return []


def _goes_on(part: list[Line], whole: list[Line]) -> bool:
    """Whether a text goes on in the other, in the same block and without saying anything twice."""
    old = {line.text for line in part}
    new = [line for line in whole if line.text not in old]
    block = part[-1].block.getparent()
    return len(new) + len(old) == len(whole) and all(_is_in(line, block) for line in new)


def extract_plain(lines: list[str]) -> Extract:
    """The text of a file without mark-up: its lines are the writing, the first may be a title.

    Lines that were wrapped at a fixed width are not put together again. Empty lines part
    paragraphs; in a file without any, each line is a paragraph.
    """
    root = etree.Element("body")
    kept: list[Line] = []
    gap = Gap.BLOCK
    for source in lines:
        text = clean(source)
        if not text.strip():
            gap = Gap.BLANK
            continue
        kept.append(Line(text, 0, etree.SubElement(root, "p"), gap))
        gap = Gap.BLOCK
    article, title = kept, first_line(kept)
    if title is not None and len(kept) > 1:
        article = kept[1:]
    around = kept[:3]
    if article and _AUTHOR_LINE.match(article[0].text.strip()):
        article = article[1:]
    text = render(article)
    status, reason = _verdict(root, kept, article)
    return Extract(
        title=title,
        author=author_of(root, around),
        published=published_of(root, around),
        text=text,
        lang=language(text) if text else None,
        status=status,
        reason=reason,
    )


def _trim(lines: list[Line], title: str | None, names: set[str]) -> list[Line]:
    """The article without its title block, byline and what follows its end.

    `names` are the title, author and site as the page's `<title>` has them.
    """
    lines = _without_asides(_without_title(lines, title))
    lines = [line for n, line in enumerate(lines) if n >= _HEAD_LINES or not _is_about(line, names)]
    lines = [line for line in lines[: _end(lines)] if not _is_offer(line)]
    lines = [line for line in lines if not _is_footnote_mark(line)]
    while lines and _is_notice(lines[-1]):
        lines = lines[:-1]
    return [line for n, line in enumerate(lines) if 2 * n < len(lines) or not _is_notice(line)]


def _end(lines: list[Line]) -> int:
    """The number of lines before a heading that ends the text: over comments, or over other texts
    unless much of this one follows in the same block."""
    over = {n for n, line in enumerate(lines) if COMMENTS.match(line.text.strip())}
    offers = {n for n, line in enumerate(lines) if _is_offer(line)}
    if not over | offers:
        return len(lines)
    before = [0, *accumulate(_letters([line]) for line in lines)]
    below: Counter[etree._Element | None] = Counter()
    end = len(lines)
    for n in range(len(lines) - 1, 0, -1):
        letters, rest = before[n], before[-1] - before[n + 1]
        goes_on = below[lines[n - 1].block.getparent()] >= _GOES_ON * letters
        if (n in over or (n in offers and not goes_on)) and 2 * letters > rest:
            end = n
        if lines[n].block.tag == "p":
            below[lines[n].block.getparent()] += before[n + 1] - letters
    return end


def _is_offer(line: Line) -> bool:
    return RELATED.match(line.text.strip()) is not None


def _without_title(lines: list[Line], title: str | None) -> list[Line]:
    """Drops the title among the first lines, what is before it, and the small block about it."""
    for n, line in enumerate(lines[:_HEAD_LINES]):
        if title is None or bare_title(line.text) != title or not is_heading(line):
            continue
        block, inside = line.block, [line]
        for ancestor in line.block.iterancestors():
            held = [other for other in lines if _is_in(other, ancestor)]
            if _letters(held) > _TITLE_BLOCK_LETTERS or len(held) == len(lines):
                break
            block, inside = ancestor, held
        last = max(lines.index(other) for other in inside)
        before = lines[:n]
        if _letters(before) > _TITLE_BLOCK_LETTERS or _is_in(lines[-1], block):
            return [other for other in lines if other not in inside]
        return lines[max(last, n) + 1 :]
    return lines


def _without_asides(lines: list[Line]) -> list[Line]:
    """Drops short boxes with a link (offers, "read also") that stand among real paragraphs."""
    paragraphs = sum(line.block.tag == "p" for line in lines)
    if 2 * paragraphs < len(lines):
        return lines
    return [
        line
        for line in lines
        if not (line.linked and line.block.tag in ("div", "section") and len(line.text) < 100)
    ]


def _is_in(line: Line, element: etree._Element) -> bool:
    return line.block is element or any(up is element for up in line.block.iterancestors())


def _is_about(line: Line, names: set[str]) -> bool:
    """Whether one of the first lines is about the text rather than of it."""
    text = line.text.strip()
    return len(text) <= 150 and (
        bare_title(text) in names or ABOUT.match(text) is not None or CRUMBS.match(text) is not None
    )


def _is_notice(line: Line) -> bool:
    return len(line.text) <= 300 and AFTER.match(line.text.strip()) is not None


def _is_footnote_mark(line: Line) -> bool:
    """Whether a raised number was cut off from its word (transcripts of speeches)."""
    text = line.text.strip()
    return text.isdecimal() and any(
        "".join(sup.itertext()) == text for sup in line.block.iter("sup")
    )


def render(lines: list[Line]) -> str:
    """Lines as text: verse lines and list items on lines of their own, an empty line between
    paragraphs and stanzas."""
    blocks = sum(line.gap == Gap.BLOCK for line in lines[1:])
    breaks = sum(line.gap == Gap.BREAK for line in lines[1:])
    is_short = _is_verse(lines)
    verse = is_short and breaks < blocks
    kin = [line.block.getparent() is other.block.getparent() for line, other in pairwise(lines)]
    stanzas = verse and 2 * sum(kin) > len(kin)
    text = ""
    for n, line in enumerate(lines):
        if n:
            # In prose an indent or a full line before it makes a break the end of a paragraph.
            paragraph = not is_short and (line.text[0] == "\u3000" or _is_full(lines[n - 1]))
            close = (line.gap == Gap.BREAK and not paragraph) or (
                line.gap == Gap.BLOCK
                and (not stanzas or kin[n - 1])
                and (verse or _are_items(lines[n - 1], line))
            )
            text += "\n" if close else "\n\n"
        text += line.text
    return text


def _is_full(line: Line) -> bool:
    """Whether a line is long and ends a sentence."""
    return len(line.text) > _FULL_LINE and line.text[-1] in '。！？…”』」.!?"'


def _are_items(line: Line, following: Line) -> bool:
    """Whether two lines are items of a list or cells of a row; one of several lines is a stanza."""
    tags = {line.block.tag, following.block.tag}
    return line.gap != Gap.BREAK and tags <= {"li", "td", "th", "dt", "dd"}


def _is_verse(lines: list[Line]) -> bool:
    """Whether lines that are blocks of their own are verses, not paragraphs."""
    limit = 24 if language("".join(line.text for line in lines)) == "zh" else 60
    short = sum(len(line.text.strip()) <= limit for line in lines)
    return len(lines) >= 4 and short >= 0.8 * len(lines)


def _letters(lines: list[Line]) -> int:
    return sum(len(_LETTER.findall(line.text)) for line in lines)


def _verdict(
    root: etree._Element, lines: list[Line], article: list[Line]
) -> tuple[str, str | None]:
    """Status and reason of a page: is it an article, and is there enough of it?"""
    letters = _letters(article)
    shown = sum(len(line.text) for line in lines)
    linked = sum(len(line.text) for line in lines if is_linked(line))
    if letters < (MIN_VERSE_LETTERS if _is_poem(article) else MIN_LETTERS):
        if root.xpath("//input[@type='password']"):
            return "not_article", "login_form"
        if linked > _MAX_LINKED * shown:
            return "not_article", "mostly_links"
        return "too_short", f"{letters}_letters"
    if linked > 2 * letters and _sentences(article) < _SENTENCES_AMONG_LINKS:
        return "not_article", "mostly_links"
    if _sentences(article) < _MIN_SENTENCES and letters < _LABEL_LETTERS * len(article):
        return "not_article", "no_sentences"
    return "ok", None


def _is_poem(lines: list[Line]) -> bool:
    """Whether a short text is verse and no list of labels: short lines that have marks or that line
    breaks and stanzas hold together."""
    if not _is_verse(lines):
        return False
    texts = [line.text.strip() for line in lines]
    if 2 * sum(text[-1] in "，。；！？、,.;!?…—" for text in texts) >= len(texts):
        return True
    together = sum(line.gap != Gap.BLOCK for line in lines[1:])
    return (
        len(lines) >= _FREE_VERSE_LINES
        and (2 * together > len(lines) or Gap.BLANK in [line.gap for line in lines[1:]])
        and not any(_LABELLED.search(text) for text in texts)
    )


def _reads_well(lines: list[Line]) -> bool:
    """Whether lines found by other means are prose enough to be trusted: long, in sentences."""
    letters = _letters(lines)
    return (
        letters >= _ENOUGH_LETTERS
        and _sentences(lines) >= _SENTENCES_AMONG_LINKS
        and letters >= 15 * len(lines)
    )


def _sentences(lines: list[Line]) -> int:
    return sum(len(_SENTENCE.findall(line.text)) for line in lines)
