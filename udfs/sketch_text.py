"""SQL function `sketch_text`: a text -> its MinHash signature and band hashes for near-duplicates.

Grams are 5 characters of the text without spaces and punctuation; 128 permutations in 32 bands of
4 rows (Broder 1997; facts 8.3). Two texts of Jaccard similarity 0.7 share a band with probability
0.9998, of 0.3 with 0.23; the share of agreeing signature positions then decides.
"""

import re
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
_IGNORED: Final = re.compile(r"[\W_]+")
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)


def run(text: pa.ChunkedArray) -> pa.Array:
    """Texts -> sketches; NULL for a text without a single letter or digit."""
    grams = [_grams(value) for value in text.to_pylist()]
    known = np.array([len(row) > 0 for row in grams], dtype=bool)
    rows = [row for row in grams if len(row)]
    signatures = _signatures(rows) if rows else np.empty((0, PERMUTATIONS), np.uint32)
    at = np.zeros(len(grams) + 1, np.int32)
    np.cumsum(known, out=at[1:])
    return pa.StructArray.from_arrays(
        [_lists(signatures, at), _lists(_bands(signatures), at)],
        names=["signature", "bands"],
        mask=pa.array(~known),
    )


def _grams(text: str | None) -> NDArray[np.uint64]:
    """Hashes of the character grams of a text; a shorter text is one gram."""
    letters = _IGNORED.sub("", text or "").casefold()
    codes = np.frombuffer(letters.encode("utf-32-le", "replace"), np.uint32).astype(np.uint64)
    n_gram = max(len(codes) - GRAM + 1, min(len(codes), 1))
    hashes = np.zeros(n_gram, np.uint64)
    for place in range(min(GRAM, len(codes))):
        hashes = (hashes + codes[place : place + n_gram]) * _FACTOR
        hashes ^= hashes >> np.uint64(29)
    return hashes


def _signatures(rows: list[NDArray[np.uint64]]) -> NDArray[np.uint32]:
    offsets = np.cumsum([0, *map(len, rows)])
    hashes = np.concatenate(rows)
    matrix = RMinHash.digest_matrix_from_flat_token_hashes(hashes, offsets, PERMUTATIONS, _SEED)
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
