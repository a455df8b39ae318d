"""The parts of an official document (GB/T 9704) found in its text, which keeps them (pure)."""

import re
from typing import Final, NamedTuple

_NUMBER: Final = re.compile(
    r"[㐀-鿿]{1,14}[〔\[［（(【]\s*(?:19|20)\d\d\s*[〕\]］）)】]\s*第?\s*\d{1,5}\s*号"
    r"|^(?:[㐀-鿿]{2,20}令\s*)?第\s*[\d一二三四五六七八九十百〇零]{1,6}\s*号$"
)
_BODY: Final = re.compile(r"[省市县区州府委局部院校厅处科办会所署单位司行社团]|同志")
_DATE: Final = re.compile(
    r"^\D{0,20}?([12]\d{3}|[一二][〇○零Ｏ一二三四五六七八九]{3})\s*年\s*(\d{1,2}|[一二三四五六七八九十]{1,3})"
    r"\s*月\s*(\d{1,2}|[一二三四五六七八九十]{1,3})\s*日$"
)
_ATTACHED: Final = re.compile(r"^附\s*件?\s*[:：]?\s*(?:\d+\s*[.．、]\s*)?(.*)$")
_NEXT: Final = re.compile(r"^\d{1,2}\s*[.．、]\s*(.{2,80})$")
_DIGITS: Final = dict(zip("〇一二三四五六七八九零○Ｏ", "0123456789000", strict=True))
_HEAD, _TAIL = 12, 15


class Official(NamedTuple):
    """文号, 主送, 附件 (one a line) and 成文日期 (YYYY-MM-DD); all None for other texts."""

    doc_number: str | None = None
    addressee: str | None = None
    attachments: str | None = None
    signed: str | None = None


def official_parts(text: str) -> Official:
    """The parts, if a 文号 or an addressed body shows that the text is an official document."""
    lines = [line.strip(" \u3000") for line in text.split("\n") if line.strip(" \u3000")]
    number = next(
        (found[0] for line in lines[:_HEAD] if len(line) <= 60 and (found := _NUMBER.search(line))),
        None,
    )
    addressee = next(
        (
            line.rstrip("：:")
            for line in lines[:_HEAD]
            if line.endswith(("：", ":")) and len(line) <= 250 and _BODY.search(line)
            and not re.match(r"[一二三四五六七八九十\d（(附]", line)
        ),
        None,
    )  # fmt: skip
    if number is None and addressee is None:
        return Official()
    signed = next((date for line in reversed(lines[-_TAIL:]) if (date := _date(line))), None)
    if number is None and signed is None:
        return Official()
    return Official(number, addressee, "\n".join(_attachments(lines)) or None, signed)


def _attachments(lines: list[str]) -> list[str]:
    for at, line in enumerate(lines):
        found = _ATTACHED.match(line) if at and len(line) <= 90 else None
        if found is None:
            continue
        names = [found[1]] if found[1] else []
        for other in lines[at + 1 :]:
            following = _NEXT.match(other)
            if following is None:
                break
            names.append(following[1])
        if names:
            return names
    return []


def _date(line: str) -> str | None:
    found = _DATE.match(line)
    if found is None or len(line) > 40:
        return None
    year = "".join(_DIGITS.get(char, char) for char in found[1])
    return f"{year}-{_small(found[2]):02}-{_small(found[3]):02}"


def _small(number: str) -> int:
    if number.isdecimal():
        return int(number)
    tens, ten, ones = number.rpartition("十")
    return (int(_DIGITS.get(tens, "1")) * 10 if ten else 0) + int(_DIGITS.get(ones, "0"))
