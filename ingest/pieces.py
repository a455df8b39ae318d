"""One page with several texts (篇一, 第一篇, 范文(5篇)) -> its texts (pure)."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

MIN_PIECE: Final = 80
"""Characters below which what stands between two headings is no text: a table of contents."""
_MAX_PREFACE: Final = 0.3
_NUMBER: Final = r"([一二三四五六七八九十]{1,3}|\d{1,2})"
_OPEN, _CLOSE = r"^[【\[（(《〈\s]*", r"[】\])）》〉]*\s*"
_REST: Final = r"(?:[:：、.．—-]+\s*(.{0,40}))?$"
_FORMS: Final = (
    re.compile(rf"{_OPEN}(.{{0,30}}?)第\s*{_NUMBER}\s*篇{_CLOSE}{_REST}"),
    re.compile(rf"{_OPEN}(.{{0,30}}?)篇\s*{_NUMBER}{_CLOSE}{_REST}"),
    re.compile(rf"{_OPEN}(.{{0,30}}?(?:范文|例文|样本|模板))\s*[（(]?{_NUMBER}{_CLOSE}{_REST}"),
)
_NUMBERED: Final = re.compile(rf"{_OPEN}(.{{2,30}}?)\s*[（(]?{_NUMBER}[)）]?{_CLOSE}()$")
_SEVERAL: Final = re.compile(
    r"[（(【\[]?\s*(?:精选|通用|共|合集|最新)?\s*(?:\d{1,3}|[一二三四五六七八九十]{1,3})\s*篇\s*[)）】\]]?"
)
_DIGITS: Final = "零一二三四五六七八九十"


class Piece(NamedTuple):
    """One text of a page; `number` is its place, from 1."""

    number: int
    title: str | None
    text: str


def split_pieces(title: str | None, text: str) -> list[Piece]:
    """The texts of a page; the whole page is the only piece unless headings count 1, 2, 3, ….

    What stands before the first heading is the site's preface and is dropped.
    """
    lines = text.split("\n")
    forms: list[Callable[[str], re.Match[str] | None]] = [form.match for form in _FORMS]
    if title and _SEVERAL.search(title):
        forms.append(lambda line: _like_title(line, title))
    for form in forms:
        marks = _marks(lines, form)
        if len(marks) < 2:
            continue
        ends = [at for at, _ in marks[1:]] + [len(lines)]
        texts = [
            "\n".join(lines[at + 1 : end]).strip("\n ")
            for (at, _), end in zip(marks, ends, strict=True)
        ]
        preface = sum(map(len, lines[: marks[0][0]]))
        if min(map(len, texts)) >= MIN_PIECE and preface <= _MAX_PREFACE * len(text):
            bare = _SEVERAL.sub("", title).strip() if title else ""
            return [
                Piece(n, _title(mark, bare), body)
                for n, ((_, mark), body) in enumerate(zip(marks, texts, strict=True), 1)
            ]
    return [Piece(1, title, text)]


def _marks(
    lines: list[str], form: Callable[[str], re.Match[str] | None]
) -> list[tuple[int, re.Match[str]]]:
    """Headings of one form whose numbers are 1, 2, 3, …; empty if they are not."""
    found = [
        (at, mark)
        for at, line in enumerate(lines)
        if len(line) <= 60 and (mark := form(line.strip(" \u3000")))
    ]
    numbers = [_value(mark[2]) for _, mark in found]
    return found if numbers == list(range(1, len(found) + 1)) else []


def _like_title(line: str, title: str) -> re.Match[str] | None:
    """A numbered line that repeats how the page's title begins."""
    mark = _NUMBERED.match(line)
    return mark if mark and mark[1][:4] in title else None


def _title(mark: re.Match[str], bare: str) -> str:
    rest = (mark[3] or "").strip()
    return rest if len(rest) >= 4 else f"{bare} {mark[0].strip()}".strip()


def _value(number: str) -> int:
    if number.isdecimal():
        return int(number)
    tens, ten, ones = number.rpartition("十")
    return (_DIGITS.index(tens) if tens else 1) * 10 * bool(ten) + (
        _DIGITS.find(ones) if len(ones) == 1 else 0 if not ones else -99
    )
