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
_SKIPPED_BLOCKS: Final = words("head nav footer aside dialog figcaption")
INLINE: Final = words("""
    a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rp
    rt ruby s samp small span strike strong sub sup time tt u var wbr img
""")
_MAX_LINK: Final = 400
_HIDDEN: Final = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_INVISIBLE: Final = re.compile("[\u200b-\u200d\u2060\ufeff\u00ad]")
_WRAP: Final = re.compile(r"(?<=[⺀-鿿豈-﫿＀-￯])[ \t]*[\r\n]\s*(?=[⺀-鿿豈-﫿＀-￯])")
_SPACE: Final = re.compile(r"[ \t\r\n\f\v\u00a0\u2002-\u200a]+")
_BAD_CHARS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
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
    body = _BAD_CHARS.sub("", text).encode()
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
        or element.tag in _SKIPPED | _SKIPPED_BLOCKS
        or "hidden" in element.attrib
        or _HIDDEN.search(element.get("style", "")) is not None
    )


def is_link(element: etree._Element) -> bool:
    """Whether the element is a link; one that swallows the page was only never closed."""
    if element.tag != "a" or element.get("href") is None:
        return False
    return sum(map(len, islice(element.itertext(), 200))) <= _MAX_LINK


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
        if tag not in INLINE:
            self.blocks.append(element)
        self.in_link += is_link(element)
        self.in_pre += tag in ("pre", "listing", "xmp")
        yield from self._text(element.text)

    def _end(self, element: etree._Element) -> Iterator[Line]:
        tag = element.tag
        if tag != "br":
            self.in_link -= is_link(element)
            self.in_pre -= tag in ("pre", "listing", "xmp")
            if tag not in INLINE:
                spaced = any("\u00a0" in part or "\u3000" in part for part in self.parts)
                empty = spaced and not "".join(self.parts).strip()
                yield from self._flush(Gap.BLANK if empty else Gap.BLOCK)
                self.blocks.pop()
        if element is not self.root:
            yield from self._tail(element)

    def _edge(self, element: etree._Element) -> Iterator[Line]:
        if element.tag not in INLINE | _SKIPPED:
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
