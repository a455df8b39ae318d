"""SQL function `measure_overlap`: BLEU and ROUGE of a text against its reference (SPEC 4), 0 to 1.

bleu_1 … bleu_4 are sentence BLEU as sacrebleu has it without a tokenizer, with exponential
smoothing and effective order, up to that order (Papineni 2002; Post 2018). rouge_1, rouge_2 and
rouge_l are F1 of n-grams and of the longest common subsequence (Lin 2004). bleu_released_1 … _4 are
what the published code calls BLEU: the share of the text's n-grams of one order that the reference
has, each at most as often as there, without brevity penalty; white space is a token to it.
"""

from __future__ import annotations

import math
import re
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
import pyarrow as pa
import rjieba
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

NAME: Final = "measure_overlap"
PARAMETERS: Final = ["VARCHAR", "VARCHAR", "VARCHAR"]
RETURNS: Final = "STRUCT(scores MAP(VARCHAR, DOUBLE), status VARCHAR, reason VARCHAR)"
METRIC_VERSION: Final = "overlap_v1"
"""Named in the steps; another segmenter, rule for words or formula is another version."""

_ORDERS: Final = (1, 2, 3, 4)
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_TYPE: Final = pa.struct(
    [
        ("scores", pa.map_(pa.string(), pa.float64())),
        ("status", pa.string()),
        ("reason", pa.string()),
    ]
)
Numbers = NDArray[np.int64]


class Counted:
    """A text in tokens; its n-grams are counted where it is a reference.

    Attributes:
        raw: the tokens as they are cut, white space and all, which the published code compares.
        tokens: the tokens as sacrebleu and rouge see them when they are joined with blanks.
    """

    def __init__(self, text: str, lang: str) -> None:
        self.raw = tokens_of(text, lang)
        self.tokens = " ".join(self.raw).split()

    @cached_property
    def grams(self) -> Grams:
        """The n-grams of the text."""
        return Grams(self.tokens)

    @cached_property
    def raw_grams(self) -> Grams:
        """The same with white space."""
        return Grams(self.raw)


class Grams:
    """The n-grams of a text by order, each as its shorter beginning and its last token.

    An n-gram has a number within its order, and the code number of beginning * number of words +
    last word; so a text is looked up order by order, and only where the beginning was found.
    """

    def __init__(self, tokens: list[str]) -> None:
        self._words = {token: n for n, token in enumerate(dict.fromkeys(tokens))}
        words = self._read(tokens)
        numbers, self._codes, self._counts = words, [words], [np.bincount(words)]
        for order in _ORDERS[1:]:
            codes = numbers[: len(words) - order + 1] * len(self._words) + words[order - 1 :]
            known, numbers, counts = np.unique(codes, return_inverse=True, return_counts=True)
            self._codes.append(known)
            self._counts.append(counts)

    def matches(self, tokens: list[str]) -> list[int]:
        """How many n-grams of each order stand here too, each at most as often as here."""
        words = self._read(tokens)
        starts = np.flatnonzero(words >= 0)
        numbers = words[starts]
        found = [self._clipped(numbers, 1)]
        for order in _ORDERS[1:]:
            known = self._codes[order - 1]
            is_whole = starts + order <= len(words)
            starts, numbers = starts[is_whole], numbers[is_whole]
            last = words[starts + order - 1]
            codes = np.where(last < 0, -1, numbers * len(self._words) + last)
            numbers = np.searchsorted(known, codes)
            is_here = np.append(known, -2)[numbers] == codes
            starts, numbers = starts[is_here], numbers[is_here]
            found.append(self._clipped(numbers, order))
        return found

    def _read(self, tokens: list[str]) -> Numbers:
        """Numbers of words, -1 for a word that is not here."""
        return np.array([self._words.get(token, -1) for token in tokens], np.int64)

    def _clipped(self, numbers: Numbers, order: int) -> int:
        counts = self._counts[order - 1]
        return int(np.minimum(np.bincount(numbers, minlength=len(counts)), counts).sum())


def run(lang: pa.ChunkedArray, text: pa.ChunkedArray, reference: pa.ChunkedArray) -> pa.Array:
    """Language, text and reference of pairs -> every score by name, or why there is none."""
    rows = zip(lang.to_pylist(), text.to_pylist(), reference.to_pylist(), strict=True)
    return pa.array([_measure(*row) for row in rows], type=_TYPE)


def _measure(lang: str, text: str, reference: str) -> dict[str, Any]:
    one, other = Counted(text, lang), _reference(reference, lang)
    if not one.tokens:
        return {"status": "not_applicable", "reason": "no_words"}
    if not other.tokens:
        return {"status": "not_applicable", "reason": "no_words_in_reference"}
    return {"scores": [*scores(one, other).items()], "status": "ok"}


# Rows come ordered by reference, and two threads each hold one of them.
_reference = lru_cache(maxsize=4)(Counted)


def scores(one: Counted, other: Counted) -> dict[str, float]:
    """Every score of a text against a reference; both have tokens."""
    matches = other.grams.matches(one.tokens)
    found = {f"bleu_{n}": score for n, score in enumerate(_bleu(matches, one, other), 1)}
    for n, match in enumerate(other.raw_grams.matches(one.raw), 1):
        found[f"bleu_released_{n}"] = match / max(_size(one.raw, n), 1)
    for n in (1, 2):
        sizes = _size(one.tokens, n) + _size(other.tokens, n)
        found[f"rouge_{n}"] = 2 * matches[n - 1] / max(sizes, 1)
    common = LCSseq.similarity(one.tokens, other.tokens)
    found["rouge_l"] = 2 * common / (len(one.tokens) + len(other.tokens))
    return found


def tokens_of(text: str, lang: str) -> list[str]:
    """Chinese by the segmenter, white space and all; any other language by its words."""
    found: list[str] = rjieba.cut(text) if lang == "zh" else _WORD.findall(text)
    return found


def _size(tokens: list[str], order: int) -> int:
    """How many n-grams of an order there are."""
    return max(len(tokens) - order + 1, 0)


def _bleu(matches: list[int], one: Counted, other: Counted) -> list[float]:
    """Sentence BLEU up to each order."""
    if not matches[0]:
        return [0.0] * len(_ORDERS)
    penalty = math.exp(min(0.0, 1 - len(other.tokens) / len(one.tokens)))
    smooth, logs = 1.0, 0.0
    found: list[float] = []
    for order, match in zip(_ORDERS, matches, strict=True):
        total = _size(one.tokens, order)
        if not total:
            # Effective order: a text too short for an order is judged by those it has.
            found.append(found[-1])
            continue
        if not match:
            smooth *= 2
        logs += math.log((match or 1 / smooth) / total)
        found.append(penalty * math.exp(logs / order))
    return found
