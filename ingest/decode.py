"""Bytes of a page -> text (pure): every likely encoding is tried and the most plausible text wins.

Headers and meta tags lie (GBK bytes under `charset=utf-8`, UTF-8 bytes under `gb2312`), so a
declaration only tips the scale. A byte order mark decides alone. A page put together from pieces in
two encodings is read piece by piece, and one that was encoded twice is decoded twice.
"""

import codecs
import re
from collections import Counter
from functools import cache
from typing import Final, NamedTuple

from w3lib.encoding import http_content_type_encoding, read_bom, resolve_encoding

# Python codec -> the name we store. gb18030 holds GBK and GB 2312; big5hkscs holds Big5.
_CANDIDATES: Final = {
    "utf-8": "utf-8",
    "gb18030": "gb18030",
    "big5hkscs": "big5",
    "cp1252": "windows-1252",
}
# Other codecs are tried only when declared; this keeps out Python's non-text ones (base64, idna).
_DECLARABLE: Final = re.compile(r"iso8859-\d+|cp\d+|koi8-\w|euc[_-]\w+|shift_jis\w*|utf-16\w*|hz")
_META: Final = re.compile(
    rb"<(?:meta|\?xml)\b[^<>]*?\b(?:charset|encoding)\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE
)
_FRAGMENT: Final = re.compile(rb"[^<>]*[<>]*")
_HZ: Final = re.compile(rb"~\{(?:[!-}][!-~])+~\}")
_HIGH: Final = re.compile(r"[^\x01-\x7f]")
_LONE: Final = re.compile(r"(?<![^\x00-\x7f])[^\x00-\x7f](?![^\x00-\x7f])")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
# Dashes, quotation marks and dots of every text, in both languages.
_QUOTES: Final = frozenset(map(ord, "—‘’“”…·"))
_DECLARED_BONUS: Final = 0.1
# Nobody declares Japanese or Cyrillic encodings by mistake, if the bytes fit.
_RARE_BONUS: Final = 0.5
_STRICT_UTF8_BONUS: Final = 0.5
_ENOUGH: Final = 1.2
# The first bytes of a character beyond Latin, each written as a character of its own.
_WRITTEN_TWICE: Final = re.compile(rb"\xc3[\x80-\xb4][\xc2\xc5\xc6\xcb\xe2]")
_NOT_LATIN: Final = re.compile("[\u2123-\U0010ffff]")
_CP1252_AS_LATIN1: Final = {
    ord(char): code
    for code in range(0x80, 0xA0)
    if (char := bytes([code]).decode("cp1252", "ignore"))
}
# Zero bytes are half of each ASCII character in UTF-16, and in no other text.
_WIDE: Final = ("utf-16-le", "utf-16-be")
# Share of U+FFFD and control characters among all characters above which bytes are no text.
_MAX_DAMAGE: Final = 0.05


class Undecodable(ValueError):
    """The bytes are no text in any encoding known here; the message says what was tried."""


class Decoded(NamedTuple):
    """Text of a page and the name of its encoding (`gb18030` for every GB label)."""

    text: str
    encoding: str


def decode(body: bytes, content_type: str | None = None) -> Decoded:
    """Decode a page by trying and scoring encodings.

    Args:
        body: the bytes as served.
        content_type: the `Content-Type` header, true or not.

    Raises:
        Undecodable: the most plausible text is still mostly damage (an image, an archive).
    """
    marked, bom = read_bom(body)
    if marked is not None and bom is not None:
        return Decoded(body[len(bom) :].decode(marked, "replace"), marked)
    body = _once(body)
    declared = {label for label in (_header(content_type), _meta(body)) if label}
    if _HZ.search(body):
        declared.add("hz")
    best = _likeliest(body, declared)
    damage = best.text.count("\ufffd") + len(_CONTROL.findall(best.text))
    if damage > _MAX_DAMAGE * len(best.text):
        raise Undecodable(f"no text in {', '.join([*_CANDIDATES.values(), *sorted(declared)])}")
    return best


def _likeliest(body: bytes, declared: set[str]) -> Decoded:
    """The most plausible reading of all that are tried."""
    best, best_score = Decoded("", "utf-8"), float("-inf")
    wide = _WIDE if b"\0" in body else ()
    for codec in dict.fromkeys([*_CANDIDATES, *wide, *sorted(declared)]):
        text = body.decode(codec, "replace")
        score = _score(text, codec)
        if codec not in (*_CANDIDATES, *wide) and "\ufffd" not in text:
            score += _RARE_BONUS
        elif codec in declared:
            score += _DECLARED_BONUS
        if score > best_score:
            best, best_score = Decoded(text, _CANDIDATES.get(codec, codec)), score
        if codec == "utf-8" and score >= _ENOUGH:
            break
    if "\ufffd" in best.text:
        mixed = _mixed(body)
        if _score(mixed.text, mixed.encoding) > best_score:
            best = mixed
    return best


def _mixed(body: bytes) -> Decoded:
    """A page of pieces in UTF-8 and in GB 18030: each stretch between tags is read by itself."""
    sizes = {"utf-8": 0, "gb18030": 0}
    parts = []
    for piece in _FRAGMENT.findall(body):
        text, codec = piece.decode("utf-8", "replace"), "utf-8"
        if "\ufffd" in text:
            other = piece.decode("gb18030", "replace")
            if _score(other, "gb18030") > _score(text, "utf-8"):
                text, codec = other, "gb18030"
        sizes[codec] += 0 if piece.isascii() else len(piece)
        parts.append(text)
    return Decoded("".join(parts), max(sizes, key=sizes.__getitem__))


def _once(body: bytes) -> bytes:
    """The bytes below a second encoding: taken for Latin letters, then written as UTF-8."""
    if not _WRITTEN_TWICE.search(body):
        return body
    try:
        text = body.decode("utf-8")
        # In real Latin text letters beyond ASCII stand alone.
        if _NOT_LATIN.search(text) or 2 * len(_LONE.findall(text)) >= len(_HIGH.findall(text)):
            return body
        return text.translate(_CP1252_AS_LATIN1).encode("latin-1")
    except UnicodeError:
        return body


def _header(content_type: str | None) -> str | None:
    return _known(http_content_type_encoding(content_type))


def _meta(body: bytes) -> str | None:
    """The encoding that the first meta tag or XML declaration names, wherever it stands."""
    found = _META.search(body)
    return _known(found[1].decode("ascii", "replace")) if found else None


def _known(label: str | None) -> str | None:
    codec = resolve_encoding(label) if label else None
    if codec is None:
        return None
    codec = codecs.lookup(codec).name
    return codec if codec in _CANDIDATES or _DECLARABLE.fullmatch(codec) else None


def _score(text: str, codec: str) -> float:
    """Mean plausibility (about 0 to 1) of zeros and characters beyond ASCII; 1 without any."""
    counts = Counter(_HIGH.findall(text))
    total = counts.total()
    if not total:
        return 1.0
    strict_utf8 = codec == "utf-8" and "\ufffd" not in counts
    if codec.startswith(("cp125", "iso8859")):
        # In real Latin text such characters stand among ASCII; side by side they are Han bytes.
        value = 0.9 * len(_LONE.findall(text)) + sum(
            n * min(_plausibility(char), 0.0) for char, n in counts.items()
        )
    else:
        value = sum(n * _plausibility(char) for char, n in counts.items())
    return value / total + _STRICT_UTF8_BONUS * strict_utf8


def _plausibility(char: str) -> float:
    """How likely a character is in real Chinese or English text."""
    point = ord(char)
    if point in (0, 0xFFFD) or 0x80 <= point < 0xA0:
        return -2.0
    if char in _common_han() or 0x3000 <= point < 0x3020 or 0xFF01 <= point < 0xFF5F:
        return 1.0
    if point in _QUOTES:
        return 1.0
    if 0x2010 <= point < 0x2040 or 0xA0 <= point < 0xC0 or point in (0x2122, 0x20AC):
        return 0.7
    if 0x4E00 <= point < 0xA000 or 0x3040 <= point < 0x3100 or 0xC0 <= point < 0x250:
        return 0.2
    if 0xE000 <= point < 0xF900 or 0x3400 <= point < 0x4E00 or point >= 0x10000:
        return -0.5
    return 0.0


@cache
def _common_han() -> frozenset[str]:
    """The characters that GB 2312 and Big5 list as the common ones (level 1 of each)."""
    simplified = (bytes((row, cell)) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF))
    cells = (*range(0x40, 0x7F), *range(0xA1, 0xFF))
    traditional = (bytes((row, cell)) for row in range(0xA4, 0xC7) for cell in cells)
    return frozenset(
        "".join(pair.decode("gb2312", "ignore") for pair in simplified)
        + "".join(pair.decode("big5", "ignore") for pair in traditional)
    )
