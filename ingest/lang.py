"""Language of a text by its script (pure): zh or en, the two that the benchmark knows."""

import re
from functools import cache
from typing import Final

_HAN: Final = re.compile(r"[㐀-鿿豈-﫿]")
_LATIN: Final = re.compile(r"[A-Za-zÀ-ɏ]")
# An English word has about five letters where Chinese has one or two characters.
_LATIN_PER_HAN: Final = 4


def language(text: str) -> str:
    """`zh` when Han characters outweigh Latin words, else `en`."""
    return "zh" if len(_HAN.findall(text)) * _LATIN_PER_HAN > len(_LATIN.findall(text)) else "en"


def script(text: str) -> str | None:
    """`hans` or `hant`, by the characters that only GB 2312 or only Big5 has; None without any."""
    simplified = traditional = 0
    for char in text:
        if char in _only_simplified():
            simplified += 1
        elif char in _only_traditional():
            traditional += 1
    if simplified == traditional == 0:
        return None
    return "hans" if simplified >= traditional else "hant"


@cache
def _han(codec: str) -> frozenset[str]:
    return frozenset(
        char for char in map(chr, range(0x4E00, 0xA000)) if char.encode(codec, "ignore")
    )


@cache
def _only_simplified() -> frozenset[str]:
    return _han("gb2312") - _han("big5")


@cache
def _only_traditional() -> frozenset[str]:
    return _han("big5") - _han("gb2312")
