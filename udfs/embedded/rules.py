"""The numbers of `rules-1`: ramps of the statistics and the word-order table, read from data."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from towbench.udfs.embedded.data import load
from towbench.udfs.embedded.segment import EDGE, Token

_DATA: Final = load("rules_1")
RAMPS: Final[dict[str, dict[str, list[float]]]] = _DATA["ramps"]


def _association(table: dict[str, str]) -> dict[tuple[str, str], float]:
    kinds = list(table)
    return {
        (left, right): (ord(step) - ord("m")) / 4
        for left, row in table.items()
        for right, step in zip(kinds, row, strict=True)
    }


_ORDER: Final = {lang: _association(table) for lang, table in _DATA["order"].items()}


def word_order(tokens: Sequence[Token], lang: str) -> float:
    """Mean association (nats) of neighbouring word classes: about .3, shuffled under 0."""
    known = _ORDER[lang]
    kinds = [token.kind for token in tokens]
    # Pairs over a line end are left out: verse breaks lines where prose breaks nothing.
    values = [known.get(pair, 0.0) for pair in pairwise(kinds) if EDGE.kind not in pair]
    return sum(values) / len(values) if values else 0.0
