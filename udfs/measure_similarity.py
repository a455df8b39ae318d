"""SQL function `measure_similarity`: the cosine of two vectors as `embed_text` stores them."""

import json
from typing import Any, Final

import numpy as np
import pyarrow as pa

from towbench.udfs.embed_text import unpack

NAME: Final = "measure_similarity"
PARAMETERS: Final = ["VARCHAR", "VARCHAR"]
RETURNS: Final = "STRUCT(score DOUBLE, status VARCHAR, reason VARCHAR)"
METRIC_VERSION: Final = "cosine_v1"

_TYPE: Final = pa.struct(
    [("score", pa.float64()), ("status", pa.string()), ("reason", pa.string())]
)


def run(one: pa.ChunkedArray, other: pa.ChunkedArray) -> pa.Array:
    """Values of two replies of `embed_text` -> cosine from -1 to 1, or why there is none."""
    rows = zip(one.to_pylist(), other.to_pylist(), strict=True)
    return pa.array([_measure(*row) for row in rows], type=_TYPE)


def _measure(one: str, other: str) -> dict[str, Any]:
    a, b = (unpack(json.loads(value)["embedding"]).astype(np.float64) for value in (one, other))
    if len(a) != len(b):
        # The endpoint serves another model under the same name than it did.
        return {"status": "conflicting", "reason": f"dimensions={len(a)}|{len(b)}"}
    cosine = float(a @ b / np.sqrt((a @ a) * (b @ b)))
    return {"score": min(max(cosine, -1.0), 1.0), "status": "ok"}
