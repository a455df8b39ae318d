"""A page as the lines a reader sees (pure), each with its links, place and the gap before it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from typing import Final

from lxml import etree


def words(text: str) -> frozenset[str]:
    """The words of a string as a set."""
    return frozenset(text.split())


_SKIPPED: Final = words("""
    script style noscript template iframe object embed svg math canvas video audio select option
    input textarea button map
""")
_NEVER_READ: Final = _SKIPPED | words("head nav footer aside dialog figcaption")
INLINE: Final = words("""
    a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rp
    rt ruby s samp small span strike strong sub sup time tt u var wbr img
""")
_MAX_LINK: Final = 400
# Numbers of lines and pages that stand beside a text.
_NUMBERING: Final = re.compile(r"(?:line|page|verse)[_-]?(?:no|num|number)s?\b", re.IGNORECASE)
_HIDDEN: Final = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_BLOCK_STYLE: Final = re.compile(r"display\s*:\s*(?:block|flex|list-item|table)", re.IGNORECASE)
_PRE_STYLE: Final = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
# A link to a document that is named as an attachment is part of a text, whatever it leads to.
_ATTACHED: Final = re.compile(r"附\s*件|附\s*[:：]|\d{1,2}\s*[.．、]")
_DOCUMENT: Final = re.compile(
    r"\.(?:docx?|pdf|xlsx?|wps|et|ofd|rtf|zip|rar)(?:$|[?#])", re.IGNORECASE
)
_INVISIBLE: Final = re.compile("[\u200b-\u200d\u2060\ufeff\u00ad]")
_WRAP: Final = re.compile(r"(?<=[⺀-鿿豈-﫿＀-￯])[ \t]*[\r\n]\s*(?=[⺀-鿿豈-﫿＀-￯])")
_SPACE: Final = re.compile(r"[ \t\r\n\f\v\u00a0\u2002-\u200a]+")
_BAD_CHARS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Pages put together from whole documents go on after these; the parser would stop there.
_CLOSED: Final = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
# Numeric references such as &#151; mean windows-1252, as browsers read them.
_C1: Final = {code: bytes([code]).decode("cp1252", "ignore") or None for code in range(0x80, 0xA0)}


class Gap(IntEnum):
    """What stands before a line: a `<br>`, the edge of a block, or an empty line."""

    BREAK = 0
    BLOCK = 1
    BLANK = 2


@dataclass(slots=True, eq=False)
class Line:
    """One visible line; `linked` counts its characters inside links, `block` holds it."""

    text: str
    linked: int
    block: etree._Element
    gap: Gap


def parse(text: str) -> etree._Element:
    """The page's tree; broken mark-up is mended as browsers do.

    Raises:
        ValueError: there is nothing in the text that could be a page.
    """
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True)
    body = _CLOSED.sub("", _BAD_CHARS.sub("", text)).encode()
    try:
        tree = etree.fromstring(body, parser)
    except etree.LxmlError as error:
        raise ValueError(f"no page: {error}") from error
    if tree is None:
        raise ValueError("no page: Document is empty")
    return tree


def is_hidden(element: etree._Element) -> bool:
    """Whether readers never see the element, or it is a control rather than text."""
    return (
        not isinstance(element.tag, str)
        or element.tag in _NEVER_READ
        or is_veiled(element)
        or _is_numbering(element)
    )


def is_veiled(element: etree._Element) -> bool:
    """Whether a script may yet show the element."""
    style = element.get("style")
    is_styled = style is not None and _HIDDEN.search(style) is not None
    return is_styled or element.get("hidden") is not None


def _is_numbering(element: etree._Element) -> bool:
    names = element.get("class")
    return (
        names is not None
        and _NUMBERING.search(names) is not None
        and "".join(element.itertext()).strip().isdecimal()
    )


def is_link(element: etree._Element) -> bool:
    """Whether the element is a link away from the text; one that swallows the page was only never
    closed."""
    href = element.get("href") if element.tag == "a" else None
    if href is None:
        return False
    parts = list(islice(element.itertext(), 200))
    is_attachment = _DOCUMENT.search(href) and _ATTACHED.match("".join(parts).strip())
    return not is_attachment and sum(map(len, parts)) <= _MAX_LINK


def is_inline(element: etree._Element) -> bool:
    """Whether the element stands within a line, by its tag and style."""
    style = element.get("style")
    return element.tag in INLINE and not (style and _BLOCK_STYLE.search(style))


def is_preformatted(element: etree._Element) -> bool:
    """Whether line ends in the element's source are line ends for its reader."""
    style = element.get("style")
    is_pre = element.tag in ("pre", "listing", "xmp")
    return is_pre or bool(style and _PRE_STYLE.search(style))


def page_lines(root: etree._Element) -> list[Line]:
    """Lines of an element in reading order."""
    return list(_Walk(root).lines())


class _Walk:
    """Walks a tree without recursion (pages nest thousands deep) and cuts it into lines."""

    def __init__(self, root: etree._Element) -> None:
        self.root = root
        self.parts: list[str] = []
        self.linked = 0
        self.in_link = 0
        self.in_pre = 0
        self.gap = Gap.BLOCK
        self.blocks: list[etree._Element] = [root]

    def lines(self) -> Iterator[Line]:
        skipped: etree._Element | None = None
        for event, element in etree.iterwalk(self.root, events=("start", "end", "pi")):
            if skipped is not None:
                if event == "end" and element is skipped:
                    skipped = None
                    yield from self._tail(element)
            elif event == "pi":
                yield from self._tail(element)
            elif event == "start" and element is not self.root and is_hidden(element):
                skipped = element
                yield from self._edge(element)
            elif event == "start":
                yield from self._start(element)
            else:
                yield from self._end(element)
        yield from self._flush(Gap.BLOCK)

    def _start(self, element: etree._Element) -> Iterator[Line]:
        tag = element.tag
        if tag == "br":
            yield from self._break()
            return
        yield from self._edge(element)
        if not is_inline(element):
            self.blocks.append(element)
        self.in_link += is_link(element)
        self.in_pre += is_preformatted(element)
        yield from self._text(element.text)

    def _end(self, element: etree._Element) -> Iterator[Line]:
        tag = element.tag
        if tag != "br":
            self.in_link -= is_link(element)
            self.in_pre -= is_preformatted(element)
            if not is_inline(element):
                spaced = any("\u00a0" in part or "\u3000" in part for part in self.parts)
                empty = spaced and not "".join(self.parts).strip()
                yield from self._flush(Gap.BLANK if empty else Gap.BLOCK)
                self.blocks.pop()
        if element is not self.root:
            yield from self._tail(element)

    def _edge(self, element: etree._Element) -> Iterator[Line]:
        if element.tag not in _SKIPPED and not is_inline(element):
            yield from self._flush(Gap.BLOCK)

    def _tail(self, element: etree._Element) -> Iterator[Line]:
        yield from self._text(element.tail)

    def _break(self) -> Iterator[Line]:
        had_text = bool("".join(self.parts).strip())
        yield from self._flush(Gap.BREAK if had_text else Gap.BLANK)

    def _text(self, text: str | None) -> Iterator[Line]:
        if not text:
            return
        if not self.in_pre:
            self._add(text)
            return
        first, *others = text.replace("\r\n", "\n").split("\n")
        self._add(first)
        for other in others:
            yield from self._break()
            self._add(other)

    def _add(self, text: str) -> None:
        self.parts.append(text)
        if self.in_link:
            self.linked += len(_SPACE.sub("", text))

    def _flush(self, gap: Gap) -> Iterator[Line]:
        """Ends the current line; what follows stands after `gap`, or a wider one already noted."""
        text = clean("".join(self.parts)) if self.parts else ""
        if text.strip():
            yield Line(text, self.linked, self.blocks[-1], self.gap)
            self.gap = gap
        else:
            self.gap = max(self.gap, gap)
        self.parts, self.linked = [], 0


def clean(text: str) -> str:
    """Text without layout: runs of spaces are one, source line ends between Han characters none.

    A full-width indent (U+3000) at the start stays; it is part of the writing.
    """
    text = _INVISIBLE.sub("", text).translate(_C1)
    text = _SPACE.sub(" ", _WRAP.sub("", text)).strip(" ")
    bare = text.lstrip(" \u3000")
    indent = "\u3000" * text[: len(text) - len(bare)].count("\u3000")
    return indent + bare.rstrip(" \u3000")
