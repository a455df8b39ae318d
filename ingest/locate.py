"""Where a page keeps its article (pure): the smallest element that holds what is worth reading.

Every line has a worth: its letters when it reads like text, less than nothing when it is mostly
links. Furniture (navigation, comments, teasers, forms) is cut first. Then, from the root, we step
into the child that holds nearly all of the worth, and cut what is worth nothing inside.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from lxml import etree

from towbench.ingest.page_lines import INLINE, Line, words

_MARK: Final = re.compile(r"[，。！？；：、…”》,.!?;:\"’—]")
_END: Final = re.compile(r"[。！？…”；.!?\"’]\W*$")
_URL: Final = re.compile(r"(?:https?://|www\.)\S+$")
_LETTER: Final = re.compile(r"[^\W_]")
_RIGHT: Final = re.compile(r"^right|text-align\s*:\s*right", re.IGNORECASE)
# The worth of a line that must be a paragraph.
_PARAGRAPH: Final = 20.0
# Share of the worth that a step into a child must keep.
_STEP: Final = 0.85
# Share of a page's worth that an element may hold and still be cut for its name or shape.
# Readers' comments can be longer than the article.
_FURNITURE_SHARE: Final = 0.3
_COMMENTS_SHARE: Final = 0.8
# The time of a reader's comment, or its number.
_STAMP: Final = re.compile(
    r"\d[-/月.]\d{1,2}日?\s+\d\d?:\d\d|\d+\s*[楼#]|发表于|\d+\s*(?:分钟|小时|天)前"
)
_TOKEN: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_COMMENTS: Final = words("comment comments pinglun reply replies respond disqus")
_FURNITURE: Final = _COMMENTS | words("""
    related relate recommend recommended tuijian share shared sharing bdshare sns sidebar nav navi
    navbar navigation menu breadcrumb breadcrumbs crumb crumbs footer foot copyright advert
    advertisement ads promo promotion pager pagination fenye qrcode ewm login signup subscribe
    newsletter social widget popup modal cookie toolbar rank ranking tags sponsor banner
""")


@dataclass(slots=True, eq=False)
class Held:
    """What an element holds: its lines, and the worth of those that are no links."""

    lines: list[Line] = field(default_factory=list)
    read: float = 0.0


Members = dict[etree._Element, Held]


def locate(root: etree._Element, lines: list[Line]) -> list[Line]:
    """The lines of the article, furniture and link lists left out."""
    value = {line: worth(line) for line in lines}
    lines = _without(lines, _furniture(root, _members(root, lines, value)))
    members = _members(root, lines, value)
    lines = _without(lines, _teasers(root, members) | _forms(root, members))
    members = _members(root, lines, value)
    place = root
    while (child := _step(place, members)) is not None:
        place = child
    lines = members[place].lines
    links = {
        element
        for element, held in _members(place, lines, value).items()
        if element is not place
        and len(held.lines) > 1
        and sum(value[line] for line in held.lines) < 0
    }
    kept = _without(lines, links)
    return [
        line
        for line, following in zip_longest([*kept, *_signature(place, members)], kept[1:])
        if value[line] >= 0 or _URL.match(line.text) or _is_entry(line, following, value)
    ]


def _is_entry(line: Line, following: Line | None, value: dict[Line, float]) -> bool:
    """Whether a link is the heading of a part of the text."""
    is_heading = isinstance(line.block.tag, str) and re.fullmatch("h[1-6]", line.block.tag)
    return bool(is_heading) and following is not None and value[following] > _PARAGRAPH


def _signature(place: etree._Element, members: Members) -> Iterator[Line]:
    """Right-aligned lines just below a place: who signed a text, when, where it was printed."""
    for following in place.itersiblings():
        if following in members:
            where = f"{following.get('align', '')} {following.get('style', '')}"
            if not _RIGHT.search(where):
                return
            yield from members[following].lines


def worth(line: Line) -> float:
    """Letters of a line that reads like text, negative for links."""
    letters = len(_LETTER.findall(line.text))
    if is_linked(line):
        return -min(letters, 20.0)
    if _MARK.search(line.text):
        return float(letters) if letters > 15 or _END.search(line.text) else 0.5 * letters
    return 0.2 * letters


def is_linked(line: Line) -> bool:
    """Whether most of a line is links."""
    return line.linked * 2 > len(line.text.replace(" ", ""))


def _step(place: etree._Element, members: Members) -> etree._Element | None:
    """The child that holds nearly all of a place, if it is more than one paragraph."""
    child = max(_blocks(place, members), key=lambda element: members[element].read, default=None)
    if child is None or len(members[child].lines) < 2:
        return None
    return child if members[child].read >= _STEP * members[place].read else None


def _blocks(place: etree._Element, members: Members) -> Iterator[etree._Element]:
    """The outermost blocks in a place; a `<font>` round half a page is none."""
    waiting = list(place)
    while waiting:
        child = waiting.pop()
        if child.tag in INLINE:
            waiting += child
        elif child in members:
            yield child


def _furniture(root: etree._Element, members: Members) -> set[etree._Element]:
    """Elements whose class or id names them as navigation, comments, related links or the like."""
    cut = set()
    for element, held in members.items():
        names = f"{element.get('class', '')} {element.get('id', '')}"
        tokens = {token.lower() for token in _TOKEN.findall(names)}
        share = _COMMENTS_SHARE if tokens & _COMMENTS else _FURNITURE_SHARE
        is_small = held.read <= share * members[root].read
        if element is root or not tokens & _FURNITURE:
            continue
        if is_small or (tokens & _COMMENTS and _repeats(element, members)):
            cut.add(element)
    return cut


def _repeats(element: etree._Element, members: Members) -> bool:
    """Whether an element holds three or more like blocks of several lines: one a comment."""
    like = Counter(
        (below.getparent(), below.tag, below.get("class"))
        for below in element.iterdescendants()
        if below in members and len(members[below].lines) > 1
    )
    return max(like.values(), default=0) > 2


def _teasers(root: etree._Element, members: Members) -> set[etree._Element]:
    """Three or more like siblings of several lines, one of them a link or a time of day: lists of
    other articles, readers' comments."""
    most = _FURNITURE_SHARE * members[root].read
    alike: dict[tuple[object, ...], list[etree._Element]] = defaultdict(list)
    for element, held in members.items():
        if len(held.lines) > 1 and held.read <= most and any(map(_is_lead, held.lines)):
            alike[element.getparent(), element.tag, element.get("class")].append(element)
    return {element for group in alike.values() if len(group) > 2 for element in group}


def _is_lead(line: Line) -> bool:
    return is_linked(line) or (len(line.text) <= 40 and _STAMP.search(line.text) is not None)


def _forms(root: etree._Element, members: Members) -> set[etree._Element]:
    """Elements in which a third of the lines are labels (发文机关：, Author:)."""
    most = _FURNITURE_SHARE * members[root].read
    return {
        element
        for element, held in members.items()
        if len(held.lines) > 5
        and held.read <= most
        and 3 * sum(map(_is_label, held.lines)) > len(held.lines)
    }


def _is_label(line: Line) -> bool:
    return len(line.text) < 12 and line.text.endswith(("：", ":"))


def _members(root: etree._Element, lines: list[Line], value: dict[Line, float]) -> Members:
    """What `root` and each element in it with a line holds."""
    members: Members = defaultdict(Held, {root: Held()})
    for line in lines:
        read = max(value[line], 0.0)
        for element in up_to(root, line.block):
            held = members[element]
            held.lines.append(line)
            held.read += read
    return dict(members)


def _without(lines: list[Line], cut: set[etree._Element]) -> list[Line]:
    return [
        line
        for line in lines
        if line.block not in cut and cut.isdisjoint(line.block.iterancestors())
    ]


def up_to(root: etree._Element, element: etree._Element) -> Iterator[etree._Element]:
    """An element and its ancestors, `root` the last."""
    yield element
    while element is not root and (parent := element.getparent()) is not None:
        element = parent
        yield element
