"""Headings of a text and their levels: the published nesting grammar and our additions (pure).

The grammar of the paper (appendix J) knows markdown `#` to `######`, `一、` or `一.`, `（一）`,
`1.` and `-`. The first `#` is level 2, others count from it; `一、` is level 2, `（一）` level 3;
`1.` and `-` nest under whatever is open. Ours (SPEC 4): `（十一）`, `（1）`, and 第X章/节/条 as
levels that the others nest under; decimals are no headings and no level is above 2. A rule of
dashes (`---`) is a `-` line, as in the published listing.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

Kind = Literal[
    "markdown", "chapter", "section", "article", "chinese", "bracket", "ordered", "paren", "dash"
]

_DIGITS: Final = "一二三四五六七八九"
_HAN: Final = r"[一二三四五六七八九十百零〇\d]{1,7}"
_PATTERNS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("markdown", re.compile(r"(#{1,6})\s*(.*)")),
    ("chapter", re.compile(rf"第({_HAN})章(?:[\s:：、.]+(.*)|()|(?=.{{1,30}}$)(.*[^。！？，；]))")),
    ("section", re.compile(rf"第({_HAN})节(?:[\s:：、.]+(.*)|()|(?=.{{1,30}}$)(.*[^。！？，；]))")),
    ("article", re.compile(rf"第({_HAN})条(?:[\s:：、.]+(.*)|())")),
    ("chinese", re.compile(r"([一二三四五六七八九十]+)[、.]\s*(.*)")),
    ("bracket", re.compile(r"（([一二三四五六七八九十]{1,3})）\s*(.*)")),
    ("ordered", re.compile(r"(\d{1,2})\.(?!\d)\s*(.*)")),
    ("paren", re.compile(r"（(\d{1,2})）\s*(.*)")),
    ("dash", re.compile(r"-()\s*(.*)")),
)
_STATUTE: Final = ("chapter", "section", "article")
_LISTED: Final = ("ordered", "paren", "dash")


class Heading(NamedTuple):
    """A heading line.

    `level` counts from 2 (1 is the text itself); `depth` is the same before the floor of 2, so
    that a `#` after a first `##` has depth 1; `parent_level` is that of the heading it is under.
    """

    kind: Kind
    ordinal: int | None
    title: str
    level: int
    depth: int
    parent_level: int
    line: str


def headings(text: str) -> list[Heading]:
    """The headings of a text in order, with the level that each has where it stands."""
    return list(_walk(text))


def _walk(text: str) -> Iterator[Heading]:
    stack: list[tuple[str, int]] = [("text", 1)]
    base: int | None = None
    for raw in text.splitlines():
        line = raw.strip()
        found = _match(line)
        if found is None:
            continue
        kind, mark, title = found
        if kind == "markdown":
            base = len(mark) if base is None else base
            depth = len(mark) - base + 2
        else:
            depth = _level(kind, stack)
        level = max(depth, 2)
        while len(stack) >= level:
            stack.pop()
        yield Heading(kind, _number(kind, mark), title, level, depth, stack[-1][1], line)
        stack.append((kind, level))


def _match(line: str) -> tuple[Kind, str, str] | None:
    for kind, pattern in _PATTERNS:
        if found := pattern.fullmatch(line):
            mark, *titles = found.groups()
            return kind, mark, next((title for title in titles if title), "").strip()
    return None


def _level(kind: Kind, stack: list[tuple[str, int]]) -> int:
    """Level of an ordinal under what is open, by the published rules and ours."""
    kinds = [open_kind for open_kind, _ in stack]
    top = kinds[-1]
    if kind == "chapter":
        return 2
    if kind == "section":
        return _last(kinds, ("chapter",)) + 1
    if kind == "article":
        return _last(kinds, ("chapter", "section")) + 1
    statute = _last(kinds, _STATUTE)
    if kind == "chinese":
        return statute + 1
    if kind == "bracket":
        if statute == 1:
            return 3
        return max(_last(kinds, ("chinese",)), statute) + 1
    if kind == "dash":
        return len(stack) + (top != "dash")
    own = _last(kinds, (kind,))
    if own > 1 and all(open_kind in _LISTED for open_kind in kinds[own:]):
        return own
    return len(stack) + (top != "dash")


def _last(kinds: list[str], wanted: tuple[str, ...]) -> int:
    """Place in the stack of the innermost open heading of a kind; 1, the text, if there is none."""
    return next((n for n in range(len(kinds), 1, -1) if kinds[n - 1] in wanted), 1)


def _number(kind: Kind, mark: str) -> int | None:
    if kind in ("markdown", "dash"):
        return None
    return int(mark) if mark.isdecimal() else han_number(mark)


def han_number(text: str) -> int | None:
    """二十一 -> 21; None when the characters make no number below 1,000."""
    found = re.fullmatch(
        rf"(?:([{_DIGITS}])百零?)?(?:([{_DIGITS}])?(十))?([{_DIGITS}])?", text.replace("〇", "零")
    )
    if found is None or not text:
        return None
    hundreds, tens, ten, ones = found.groups()
    value = 100 * (_DIGITS.index(hundreds) + 1) if hundreds else 0
    if ten:
        value += 10 * (_DIGITS.index(tens) + 1 if tens else 1)
    return value + (_DIGITS.index(ones) + 1 if ones else 0)
