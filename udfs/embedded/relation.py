"""How a text stands to its instruction and to the reference."""

from collections.abc import Mapping
from typing import Final

from towbench.udfs.embedded.cache import DigestCache
from towbench.udfs.embedded.features import profile
from towbench.udfs.embedded.segment import Reading, read

BLANK: Final = "[fill in the blank]"
_WINDOW: Final = 12


def measure(instruction: str, reference: str, text: str, lang: str) -> dict[str, float]:
    """Every statistic of `text` by name: its own, and those against instruction and reference.

    Without a reference the names `recall`, `end_recall` and `length_ratio` are absent.
    """
    own = profile(text, lang)
    asked = read(instruction, lang)
    fill = BLANK in instruction
    # To continue a long context is to take up its words; to follow a short order is to cover them.
    from_asked = _coverage(own.reading.rarities, asked.rarities)
    stats = {
        **own.stats,
        "letters": float(own.reading.letters),
        "relevance": from_asked if fill else _coverage(asked.rarities, own.reading.rarities),
        "novelty": 1 - from_asked,
        "copied": _copied(own.reading.squeezed, asked.squeezed),
        "fill": float(fill),
    }
    if reference.strip():
        model = read(reference, lang)
        stats["recall"] = _coverage(model.rarities, own.reading.rarities)
        stats["end_recall"] = _coverage(_ending(model), own.reading.rarities)
        stats["length_ratio"] = own.reading.letters / max(model.letters, 1)
    return stats


def _coverage(wanted: Mapping[str, float], present: Mapping[str, float]) -> float:
    """Share of the words `wanted` that are `present`, each weighted by its rarity (0 if none)."""
    total = sum(wanted.values())
    return sum([wanted[word] for word in wanted if word in present]) / total if total else 0.0


def _copied(text: str, source: str) -> float:
    """Share of the text's windows of 12 characters that stand in the source as they are."""
    starts = range(0, max(len(text) - _WINDOW + 1, 1), 3)
    return len([1 for start in starts if text[start : start + _WINDOW] in source]) / len(starts)


def _ending(model: Reading) -> dict[str, float]:
    """Content words of the last fifth of a text."""
    tokens = model.tokens[-max(len(model.tokens) // 5, 1) :]
    return {token.word: token.rarity for token in tokens if token.content}


measured: Final = DigestCache(measure, size=8192)
