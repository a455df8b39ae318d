"""Signs that the parts of a text stand in the order they were written in.

All of them fall, a little, when sentences or paragraphs are shuffled; none reads for meaning.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from towbench.udfs.embedded import lexicon
from towbench.udfs.embedded.segment import EDGE, Token, sentences_of

_STOPS: Final = "\n。！？!?…."
_DIGITS: Final = "一二三四五六七八九十"
_MARKUP: Final = "#* \t"
# One style of numbering a group: 一、 / （一） / 1. / 第一条 / a line that is only a numeral.
_NUMBER: Final = re.compile(
    r"([一二三四五六七八九十]{1,3})[、.．是]|（([一二三四五六七八九十]{1,3})）|(\d{1,2})[.、)）](?!\d)"
    r"|第([一二三四五六七八九十]{1,3})[章节条，]|([一二三四五六七八九十])$"
)
_HEADING: Final = re.compile(r"(#+) |([一二三四五六七八九十]+)[、.]|(\*\*)[^*]+\*\*[:：]?$")


def sequence_stats(
    tokens: Sequence[Token], paragraphs: Sequence[str], sentences: Sequence[str], lang: str
) -> dict[str, float]:
    """The order statistics of a text by name."""
    opens = lexicon.POINT_BACK[lang]
    by_sentence, by_paragraph = _units(tokens, lang)
    return {
        "cohesion": cohesion(by_sentence),
        "paragraph_cohesion": cohesion(by_paragraph),
        "paragraph_flow": paragraph_flow(paragraphs, lang),
        "order_cues": order_cues(sentences, lang),
        "order_breaks": order_breaks(paragraphs) / max(len(paragraphs), 1),
        "points_back": float(bool(paragraphs and opens.match(paragraphs[0].lstrip(_MARKUP)))),
    }


def _units(tokens: Sequence[Token], lang: str) -> tuple[list[set[str]], list[set[str]]]:
    """Topic units (zh characters of content words, en word stems) by sentence and by paragraph."""
    sentences: list[set[str]] = []
    paragraphs: list[set[str]] = []
    units: set[str] = set()
    begin = 0
    for token in tokens:
        if token.content:
            units.update(token.word if lang == "zh" else (token.word[:6],))
        elif token.word[0] in _STOPS:
            if units:
                sentences.append(units)
                units = set()
            if token is EDGE and begin < len(sentences):
                paragraphs.append(set().union(*sentences[begin:]))
                begin = len(sentences)
    return sentences, paragraphs


def cohesion(parts: Sequence[set[str]]) -> float:
    """How often neighbouring parts share units beyond chance, in standard deviations.

    For a unit used in k of n parts, k(k - 1)/n uses in directly neighbouring parts are expected
    when the parts stand in random order: near 0 for shuffled parts.
    """
    uses = Counter([unit for units in parts for unit in units])
    found = sum([len(a & b) for a, b in pairwise(parts)])
    expected = sum([k * (k - 1) for k in uses.values()]) / max(len(parts), 1)
    return (found - expected) / math.sqrt(expected + 1)


def order_cues(sentences: Sequence[str], lang: str) -> float:
    """Share of neighbouring ordering cues (first, then, finally) that stand in rising order."""
    ranks = [
        rank
        for sentence in sentences
        for rank, cue in enumerate(lexicon.ORDER_CUES[lang])
        if cue.match(sentence)
    ]
    steps = [a <= b for a, b in pairwise(ranks)]
    return sum(steps) / len(steps) if steps else 1.0


def paragraph_flow(paragraphs: Sequence[str], lang: str) -> float:
    """Whether paragraphs open briefly and independently and end by joining on (-2 to 2).

    Mean over paragraphs of two or more sentences of (last joins on) - (first joins on) + the
    relative growth in length from the first to the last sentence.
    """
    joins = lexicon.JOINS_ON[lang]
    flows = []
    for paragraph in paragraphs:
        sentences = sentences_of(paragraph.lstrip(_MARKUP), lang)
        if len(sentences) > 1:
            first, last = sentences[0], sentences[-1]
            growth = (len(last) - len(first)) / (len(last) + len(first))
            flows.append(bool(joins.match(last)) - bool(joins.match(first)) + growth)
    return sum(flows) / len(flows) if flows else 0.0


def order_breaks(paragraphs: Sequence[str]) -> int:
    """Numbers that neither go on nor begin again, and headings with nothing under them."""
    last: dict[int, int] = {}
    breaks = 0
    kinds: list[str] = []
    for paragraph in paragraphs:
        line = paragraph.lstrip(_MARKUP)
        if (match := _NUMBER.match(line)) and match.lastindex:
            value = _value(match[match.lastindex])
            if value not in (1, last.get(match.lastindex, 0) + 1):
                breaks += 1
            last[match.lastindex] = value
        heading = _HEADING.match(paragraph) if len(paragraph) < 30 else None
        kinds.append(heading[1] or heading[3] or "一" if heading else "")
    bare = sum(bool(kind) and kind == following for kind, following in pairwise([*kinds, ""]))
    return breaks + bare + bool(kinds and kinds[-1])


def _value(numeral: str) -> int:
    if numeral.isdigit():
        return int(numeral)
    tens, ten, ones = numeral.rpartition("十")
    if not ten:
        return _DIGITS.index(ones[-1]) + 1
    first = _DIGITS.index(tens[-1]) + 1 if tens else 1
    return 10 * first + (_DIGITS.index(ones[-1]) + 1 if ones else 0)
