"""The offline embedder, `embedded/ngrams-1`: hashed pairs and triples of characters.

Two texts are similar to it as far as they share spellings; it knows nothing of meaning. The vector
is the bag of grams with the square roots of their counts, hashed with signs (Weinberger 2009).
"""

import json
import re
from base64 import b64encode
from typing import Final

import numpy as np
from numpy.typing import NDArray

MODEL: Final = "ngrams-1"

_DIMENSIONS: Final = 1024
_SPACE: Final = re.compile(r"\s+")
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)


def reply(text: str) -> str:
    """The vector as an endpoint would send it, in the form of `embedding_v1`."""
    return json.dumps({"embedding": b64encode(embed(text).tobytes()).decode()})


def embed(text: str) -> NDArray[np.float32]:
    """A unit vector of 1,024 numbers; zero for a text of blanks."""
    vector = np.zeros(_DIMENSIONS, np.float32)
    squeezed = _SPACE.sub(" ", text.strip()).casefold()
    if not squeezed:
        return vector
    squeezed = f" {squeezed} "
    codes = np.frombuffer(squeezed.encode("utf-32-le", "replace"), np.uint32).astype(np.uint64)
    for size in (2, 3):
        hashes, counts = np.unique(_grams(codes, size), return_counts=True)
        places = (hashes % np.uint64(_DIMENSIONS)).astype(np.int64)
        signs = 1.0 - 2.0 * (hashes >> np.uint64(63))
        vector += np.bincount(places, signs * np.sqrt(counts), _DIMENSIONS)
    length = np.linalg.norm(vector)
    return vector / length if length else vector


def _grams(codes: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    """Hashes of the runs of `size` characters."""
    n_gram = max(len(codes) - size + 1, 0)
    hashes = np.full(n_gram, size, np.uint64)
    for place in range(size):
        hashes = (hashes + codes[place : place + n_gram]) * _FACTOR
        hashes ^= hashes >> np.uint64(29)
    return hashes
