"""What the rule models measure in one text: a `Profile` of words, sentences and statistics."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from towbench.udfs.embedded import lexicon
from towbench.udfs.embedded.cache import DigestCache
from towbench.udfs.embedded.rules import word_order
from towbench.udfs.embedded.segment import (
    Reading,
    letter_count,
    paragraphs_of,
    read,
    sentences_of,
)
from towbench.udfs.embedded.sequence import sequence_stats

_TERMINAL: Final = re.compile(r"[。！？!?…~～.”’\"」』）)》】]\W*$")
_DASH: Final = re.compile(r"—+|…+|\.{3,}| - ")
_DETAIL: Final = re.compile(r"[“「『《\"]|\d+")
_LIST_LINE: Final = re.compile(r"[-*•·]\s|\d+[.、)]")
_MATTR_WINDOW: Final = 50
_RARE: Final = 12.5


@dataclass(frozen=True, slots=True)
class Profile:
    """One text, measured.

    Attributes:
        reading: its words.
        paragraphs: non-empty lines.
        sentences: sentences in order.
        stats: statistics by name; shares are 0-1, `*_k` are per 1,000 letters.
    """

    lang: str
    reading: Reading
    paragraphs: tuple[str, ...]
    sentences: tuple[str, ...]
    stats: dict[str, float]


def ends_whole(text: str) -> bool:
    """Whether the text stops at an end: a closing mark, or a short last line (signature, verse)."""
    lines = paragraphs_of(text)
    if not lines:
        return False
    last = lines[-1]
    if _TERMINAL.search(last):
        return True
    return len(lines) > 2 and letter_count(last) <= 24 and last[-1] not in "，、；：,;:"


def _build(text: str, lang: str) -> Profile:
    reading = read(text, lang)
    paragraphs = paragraphs_of(text)
    sentences = sentences_of(text, lang)
    words = [token.word for token in reading.words]
    stats = {
        **_word_stats(words, reading),
        **_mark_stats(text, max(reading.letters, 1), lang),
        **_shape_stats(paragraphs, sentences),
        "repeat_short": _repeated(words, 4),
        "repeat_long": _repeated(words, 10),
        "word_order": word_order(reading.tokens, lang),
        **sequence_stats(reading.tokens, paragraphs, sentences, lang),
        "ends_whole": float(ends_whole(text)),
        "chatter": float(bool(lexicon.CHATTER[lang].search(text.strip()))),
        "foreign": _foreign(words, lang),
    }
    return Profile(lang, reading, paragraphs, sentences, stats)


def _word_stats(words: Sequence[str], reading: Reading) -> dict[str, float]:
    total = max(len(words), 1)
    rare = len([1 for token in reading.words if token.rarity > _RARE])
    function = len([1 for token in reading.words if token.kind == token.word])
    return {"diversity": mattr(words), "rare": rare / total, "function": function / total}


def _foreign(words: Sequence[str], lang: str) -> float:
    """Share of letters in the other script; Latin ones count half, their words are longer."""
    latin = sum([len(word) for word in words if word < "ɐ"]) / 2
    han = sum([len(word) for word in words if word >= "ɐ"])
    return (latin if lang == "zh" else han) / max(latin + han, 1)


def _mark_stats(text: str, letters: int, lang: str) -> dict[str, float]:
    def per_thousand(pattern: re.Pattern[str]) -> float:
        return 1000 * len(pattern.findall(text)) / letters

    return {
        "dash_k": per_thousand(_DASH),
        "detail_k": per_thousand(_DETAIL),
        "sense_k": per_thousand(lexicon.SENSORY[lang]),
    }


def _shape_stats(paragraphs: Sequence[str], sentences: Sequence[str]) -> dict[str, float]:
    sizes = [len(paragraph) for paragraph in paragraphs] or [0]
    lengths = [len(sentence) for sentence in sentences] or [1]
    mean = sum(lengths) / len(lengths)
    spread = (sum((n - mean) ** 2 for n in lengths) / len(lengths)) ** 0.5
    seen: set[str] = set()
    twice = 0
    for paragraph in paragraphs:
        if len(paragraph) > 12 and paragraph in seen:
            twice += len(paragraph)
        seen.add(paragraph)
    lists = sum(bool(_LIST_LINE.match(line)) for line in paragraphs)
    return {
        "sentence_spread": spread / mean,
        "paragraphs": float(len(paragraphs)),
        "longest_paragraph": float(max(sizes)),
        "paragraph_mean": sum(sizes) / len(sizes),
        "twice": twice / max(sum(sizes), 1),
        "lists": lists / len(sizes),
    }


def mattr(words: Sequence[str]) -> float:
    """Moving-average type-token ratio over windows of 50 words (all words if there are fewer)."""
    window = min(_MATTR_WINDOW, len(words))
    if not window:
        return 0.0
    counts = Counter(words[:window])
    total = types = len(counts)
    for out, new in zip(words, words[window:], strict=False):
        if out != new:
            counts[new] += 1
            counts[out] -= 1
            types += (counts[new] == 1) - (counts[out] == 0)
        total += types
    return total / (window * (len(words) - window + 1))


def _repeated(words: Sequence[str], size: int) -> float:
    """Share of the runs of `size` words that occurred before."""
    runs = len(words) - size + 1
    distinct = len(set(zip(*(words[i:] for i in range(size)), strict=False)))
    return 1 - distinct / runs if runs > 0 else 0.0


profile: Final = DigestCache(_build, size=256)
