"""Word lists of the rule models by language, compiled from `lexicon_1.toml`."""

import re
from collections.abc import Sequence
from typing import Final

from towbench.udfs.embedded.data import load

_LISTS: Final = load("lexicon_1")
_LANGS: Final = ("zh", "en")
_QUOTE: Final = r"[\s“\"]*"

Patterns = dict[str, re.Pattern[str]]


def _any_of(words: Sequence[str], lang: str, before: str = "") -> re.Pattern[str]:
    """Any of the alternatives; English ones are whole words of either case."""
    choice = "|".join(words)
    if lang == "zh":
        return re.compile(f"{before}(?:{choice})")
    return re.compile(rf"{before}\b(?:{choice})\b", re.IGNORECASE)


def _patterns(name: str, before: str = "") -> Patterns:
    return {lang: _any_of(_LISTS[name][lang], lang, before) for lang in _LANGS}


FUNCTION_WORDS: Final = {lang: frozenset(_LISTS["function_words"][lang].split()) for lang in _LANGS}
POINT_BACK: Final = _patterns("point_back", _QUOTE)
JOINS_ON: Final = _patterns("joins_on", _QUOTE)
STOCK_PHRASES: Final = _patterns("stock_phrases")
ADVERTISING: Final = _patterns("advertising")
SENSORY: Final = _patterns("sensory")
FEELING: Final = _patterns("feeling")
CHATTER: Final[Patterns] = {
    lang: re.compile("|".join(_LISTS["chatter"][lang]), re.IGNORECASE) for lang in _LANGS
}
ORDER_CUES: Final[dict[str, tuple[re.Pattern[str], ...]]] = {
    lang: tuple(_any_of(words, lang) for words in _LISTS["order_cues"][lang]) for lang in _LANGS
}
