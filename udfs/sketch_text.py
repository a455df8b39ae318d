"""SQL function `sketch_text`: a text -> its MinHash signature and band hashes for near-duplicates.

Grams are 5 characters of the text without spaces and punctuation; 128 permutations in 32 bands of
4 rows (Broder 1997; facts 8.3). Two texts of Jaccard similarity 0.7 share a band with probability
0.9998, of 0.3 with 0.23; the share of agreeing signature positions then decides.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from rensa import RMinHash

NAME: Final = "sketch_text"
PARAMETERS: Final = ["VARCHAR"]
RETURNS: Final = "STRUCT(signature UINTEGER[], bands UBIGINT[])"
SKETCH_VERSION: Final = "minhash_v1"

GRAM: Final = 5
PERMUTATIONS: Final = 128
BANDS: Final = 32
_SEED: Final = 20_260_101
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
# Texts hashed together: enough to spare Python a loop, few enough to stay in the cache.
_TOGETHER: Final = 256


def run(text: pa.ChunkedArray) -> pa.Array:
    """Texts -> sketches; NULL for a text without a single letter or digit."""
    values = text.to_pylist()
    signatures, counts = [np.empty((0, PERMUTATIONS), np.uint32)], [np.empty(0, np.int64)]
    for start in range(0, len(values), _TOGETHER):
        grams, count = grams_of(values[start : start + _TOGETHER])
        signatures.append(_signatures(grams, count[count > 0]))
        counts.append(count)
    known = np.concatenate(counts) > 0
    matrix = np.concatenate(signatures)
    at = np.zeros(len(values) + 1, np.int32)
    np.cumsum(known, out=at[1:])
    return pa.StructArray.from_arrays(
        [_lists(matrix, at), _lists(_bands(matrix), at)],
        names=["signature", "bands"],
        mask=pa.array(~known),
    )


def grams_of(texts: Sequence[str | None]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Hashes of the character grams of texts, one text after the other, and how many each has.

    A text of fewer characters than a gram is one gram, one without any character none.
    """
    joined = "".join(text or "" for text in texts)
    points = _letters()[np.frombuffer(joined.encode("utf-32-le"), np.uint32)]
    is_letter = points > 0
    ends = np.cumsum([len(text or "") for text in texts])
    kept = np.concatenate(([0], np.cumsum(is_letter)))[ends]
    sizes = np.diff(kept, prepend=0)
    counts = np.maximum(sizes - GRAM + 1, np.minimum(sizes, 1))
    # Zeros behind each text, so that no gram reaches into the next.
    starts = kept - sizes + (GRAM - 1) * np.arange(len(sizes))
    codes = np.zeros(kept[-1] + (GRAM - 1) * (len(sizes) + 1), np.uint64)
    codes[np.arange(kept[-1]) + np.repeat(starts - kept + sizes, sizes)] = points[is_letter]
    hashes = np.zeros(len(codes) - GRAM + 1, np.uint64)
    for place in range(GRAM):
        hashes += codes[place : place + len(hashes)]
        hashes *= _FACTOR
        hashes ^= hashes >> np.uint64(29)
    firsts = np.cumsum(counts) - counts
    return hashes[np.arange(counts.sum()) + np.repeat(starts - firsts, counts)], counts


@cache
def _letters() -> NDArray[np.uint32]:
    """For each code point its lower case if it is a letter or digit, else 0.

    Of the planes above the first, two and three hold Han characters.
    """
    table = np.arange(0x110000, dtype=np.uint32)
    table[0x10000:0x20000] = table[0x40000:] = 0
    lower = (chr(point).lower()[0] for point in range(0x10000))
    table[:0x10000] = [ord(char) if char.isalnum() else 0 for char in lower]
    return table


def _signatures(grams: NDArray[np.uint64], counts: NDArray[np.int64]) -> NDArray[np.uint32]:
    if not len(counts):
        return np.empty((0, PERMUTATIONS), np.uint32)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    matrix = RMinHash.digest_matrix_from_flat_token_hashes(grams, offsets, PERMUTATIONS, _SEED)
    return np.array(matrix.to_rows(), dtype=np.uint32)


def _bands(signatures: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """One hash for each band of a signature; equal rows in different bands differ."""
    rows = signatures.reshape(-1, BANDS, PERMUTATIONS // BANDS).astype(np.uint64)
    hashes = np.broadcast_to(np.arange(BANDS, dtype=np.uint64), rows.shape[:2]).copy()
    for place in range(rows.shape[2]):
        hashes = (hashes + rows[:, :, place]) * _FACTOR
        hashes ^= hashes >> np.uint64(31)
    return hashes


def _lists(values: NDArray[np.uint32] | NDArray[np.uint64], at: NDArray[np.int32]) -> pa.ListArray:
    """Rows as lists; row n of the result is value row n, or empty where the text had none."""
    return pa.ListArray.from_arrays(pa.array(at * values.shape[1]), pa.array(values.reshape(-1)))
