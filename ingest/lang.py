"""Language of a text by its script (pure): zh or en, the two that the benchmark knows."""

import re
from typing import Final

_HAN: Final = re.compile(r"[㐀-鿿豈-﫿]")
_LATIN: Final = re.compile(r"[A-Za-zÀ-ɏ]")
# An English word has about five letters where Chinese has one or two characters.
_LATIN_PER_HAN: Final = 4


def language(text: str) -> str:
    """`zh` when Han characters outweigh Latin words, else `en`."""
    return "zh" if len(_HAN.findall(text)) * _LATIN_PER_HAN > len(_LATIN.findall(text)) else "en"
