"""SQL function `embed_text`: a text -> the vector that an embedding model gives it."""

from __future__ import annotations

import base64
import binascii
from typing import Final

import numpy as np
from numpy.typing import NDArray

from towbench.udfs.reply import Asked, Fault, Settled, Verdict
from towbench.udfs.request import EMBEDDING

NAME: Final = "embed_text"
REPLY: Final = EMBEDDING

Vector = NDArray[np.float32]


def is_verdict(verdict: Verdict, asked: Asked) -> bool:
    """An object that holds a vector."""
    return "embedding" in verdict.fields


def settle(verdict: Verdict, asked: Asked) -> Settled:
    """`{"embedding": vector}`, finite and not zero; stored as base64 whatever form it came in."""
    return Settled({"embedding": pack(_read(verdict.fields["embedding"]))}, None)


def pack(vector: Vector) -> str:
    """A vector as base64 of its little-endian 32-bit numbers, as embedding endpoints send it."""
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def unpack(text: str) -> Vector:
    """The vector in a base64 text.

    Raises:
        ValueError: the text is no base64 of whole numbers.
    """
    return np.frombuffer(base64.b64decode(text, validate=True), "<f4")


def _read(given: object) -> Vector:
    try:
        with np.errstate(over="ignore"):
            vector = unpack(given) if isinstance(given, str) else np.array(given, np.float32)
    except (ValueError, TypeError, OverflowError, binascii.Error):
        raise Fault("unparsable", "embedding=no_vector") from None
    if vector.ndim != 1 or not len(vector):
        raise Fault("unparsable", f"embedding=shape_{vector.shape}")
    if not np.isfinite(vector).all():
        raise Fault("out_of_range", "embedding=not_finite")
    if not vector.any():
        raise Fault("out_of_range", "embedding=zero")
    return vector
