"""SQL function `compare_texts`: two texts -> the Jaccard similarity of their sets of grams.

The grams are those of `sketch_text`, whose signatures only estimate this figure.
"""

from typing import Final

import numpy as np
import pyarrow as pa

from towbench.udfs.sketch_text import grams_of

NAME: Final = "compare_texts"
PARAMETERS: Final = ["VARCHAR", "VARCHAR"]
RETURNS: Final = "DOUBLE"


def run(first: pa.ChunkedArray, second: pa.ChunkedArray) -> pa.Array:
    """Pairs of texts -> shared grams / all grams, from 0 to 1; NULL if neither has any."""
    rows = zip(first.to_pylist(), second.to_pylist(), strict=True)
    return pa.array([_jaccard(one, other) for one, other in rows], pa.float64())


def _jaccard(one: str | None, other: str | None) -> float | None:
    hashes, (size, _) = grams_of([one, other])
    first, second = np.unique(hashes[:size]), np.unique(hashes[size:])
    both = len(np.intersect1d(first, second, assume_unique=True))
    all_of_them = len(first) + len(second) - both
    return both / all_of_them if all_of_them else None
