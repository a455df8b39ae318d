"""SQL function `mark_text`: a text -> the spans a reviewer should look at (`ingest/marks.py`)."""

from typing import Final

import pyarrow as pa

from towbench.ingest.marks import mark_text

NAME: Final = "mark_text"
PARAMETERS: Final = ["VARCHAR"]
RETURNS: Final = "STRUCT(kind VARCHAR, start_at INTEGER, end_at INTEGER, excerpt VARCHAR)[]"

_TYPE: Final = pa.list_(
    pa.struct(
        [
            ("kind", pa.string()),
            ("start_at", pa.int32()),
            ("end_at", pa.int32()),
            ("excerpt", pa.string()),
        ]
    )
)


def run(text: pa.ChunkedArray) -> pa.Array:
    """Texts -> marks; an empty list where there is nothing to look at."""
    rows = [
        [
            {"kind": kind, "start_at": start, "end_at": end, "excerpt": excerpt}
            for kind, start, end, excerpt in mark_text(value or "")
        ]
        for value in text.to_pylist()
    ]
    return pa.array(rows, _TYPE)
