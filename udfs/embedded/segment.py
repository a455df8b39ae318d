"""Words, word classes and word rarity for Chinese and English."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

import rjieba

from towbench.udfs.embedded.cache import DigestCache
from towbench.udfs.embedded.lexicon import FUNCTION_WORDS

# Sum of all frequencies in the dictionary that rjieba ships (jieba's own).
_ZH_TOTAL: Final = 60_101_967
_EN_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+(?:[.,]\d+)*|\n+|[^\w\s]")
_EN_SUFFIX: Final = ("ing", "ed", "ly", "tion", "ness", "ment", "ous", "ful", "al", "s")
_LINE_END: Final = re.compile(r"\s*\n\s*")
_SPACE: Final = re.compile(r"\s+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SENTENCE: Final = {
    "zh": re.compile(r"[^。！？!?…\n]+[。！？!?…]*[”’」』）)]*|[。！？!?…]+"),
    "en": re.compile(r"(?:[^.!?…\n]|\.(?=\S))+(?:[.!?…]+[\"”’')]*)?|[.!?…]+"),
}


class Token(NamedTuple):
    """A token; a function word or a mark is its own `kind`, other words have a class."""

    word: str
    kind: str
    content: bool  # carries topic: no function word, number or mark; zh of two characters or more
    rarity: float  # -ln of the word's share of running text
    letters: int  # 0 for marks and numbers


EDGE: Final = Token("\n", "|", False, 0.0, 0)


@dataclass(frozen=True, slots=True)
class Reading:
    """The words of a text.

    Attributes:
        letters: letters and Han characters.
        tokens: tokens in order, one `EDGE` at every paragraph end and at both ends.
        words: the tokens with letters.
        counts: content words with their counts, in order of first use.
        rarities: the same words with their rarity.
        squeezed: the text without spaces (en: with single ones), for finding copies.
    """

    letters: int
    tokens: tuple[Token, ...]
    words: tuple[Token, ...]
    counts: dict[str, int]
    rarities: dict[str, float]
    squeezed: str


def has_letters(text: str, least: int) -> bool:
    """Whether the text has at least that many letters and Han characters."""
    return next(islice(_LETTER.finditer(text), least - 1, None), None) is not None


def letter_count(text: str) -> int:
    """Letters and Han characters: no digits, spaces or punctuation."""
    return len(_LETTER.findall(text))


def paragraphs_of(text: str) -> tuple[str, ...]:
    """Non-empty lines, stripped (the full-width indent included)."""
    return tuple(line for raw in text.splitlines() if (line := raw.strip()))


def sentences_of(text: str, lang: str) -> tuple[str, ...]:
    """Sentences in order; a line end always ends one."""
    found = (match.group().strip() for match in _SENTENCE[lang].finditer(text))
    return tuple(sentence for sentence in found if sentence)


def tokenize(text: str, lang: str) -> list[Token]:
    """Tokens of `text` in order; every paragraph end is one `EDGE`."""
    # Lone surrogates become question marks: the segmenter takes only valid Unicode.
    text = _LINE_END.sub("\n", text.strip()).encode("utf-8", "replace").decode("utf-8")
    if lang == "zh":
        found = map(_zh_token, rjieba.cut(text))
    else:
        found = map(_en_token, _EN_TOKEN.findall(text))
    return [EDGE, *filter(None, found), EDGE]


def _read(text: str, lang: str) -> Reading:
    tokens = tokenize(text, lang)
    words = [token for token in tokens if token.letters]
    content = [token for token in words if token.content]
    return Reading(
        letters=sum([token.letters for token in words]),
        tokens=tuple(tokens),
        words=tuple(words),
        counts=dict(Counter([token.word for token in content])),
        rarities={token.word: token.rarity for token in content},
        squeezed=_SPACE.sub("" if lang == "zh" else " ", text),
    )


read: Final = DigestCache(_read, size=128)


@lru_cache(maxsize=65_536)
def _zh_token(word: str) -> Token | None:
    """The token of one word of rjieba; None for a space."""
    if word.isspace():
        return EDGE if "\n" in word else None
    # The dictionary that rjieba segments with is the frequency list too.
    rarity = -math.log(max(rjieba.suggest_freq(word), 1) / _ZH_TOTAL)
    if not word[0].isalnum():
        return Token(word, word[0], False, rarity, 0)
    letters = len(word) if word[0].isalpha() else 0
    if word in FUNCTION_WORDS["zh"]:
        return Token(word, word, False, rarity, letters)
    _, part_of_speech = rjieba.tag(word)[0]
    return Token(word, part_of_speech[0], letters > 1, rarity, letters)


@lru_cache(maxsize=65_536)
def _en_token(match: str) -> Token | None:
    """The token of one match.

    No frequency list is worth its size here; word length stands in for rarity (Zipf's law of
    abbreviation), on the scale of the Chinese one.
    """
    word = match.lower().replace("’", "'")
    if word[0] == "\n":
        return EDGE
    if not word[0].isalnum():
        return Token(word, word, False, 0.0, 0)
    if word[0].isdigit():
        return Token(word, "#", False, 0.0, 0)
    rarity = min(4.0 + len(word), 16.0)
    if word in FUNCTION_WORDS["en"]:
        return Token(word, word, False, rarity, len(word))
    suffix = next((s for s in _EN_SUFFIX if word.endswith(s) and len(word) > len(s) + 2), "")
    return Token(word, f"~{suffix}", len(word) > 2, rarity, len(word))
