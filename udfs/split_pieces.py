"""SQL function `split_pieces`: title and text of a page -> each of its texts with what it shows."""

from typing import Any, Final

import pyarrow as pa

from towbench.ingest.lang import language, script
from towbench.ingest.official import Official, official_parts
from towbench.ingest.pieces import split_pieces

NAME: Final = "split_pieces"
PARAMETERS: Final = ["VARCHAR", "VARCHAR"]
_FIELDS: Final = ("title", "text", "lang", "script", *Official._fields)
RETURNS: Final = "STRUCT(piece INTEGER, " + ", ".join(f"{name} VARCHAR" for name in _FIELDS) + ")[]"
_TYPE: Final = pa.list_(
    pa.struct([("piece", pa.int32()), *((name, pa.string()) for name in _FIELDS)])
)


def run(title: pa.ChunkedArray, text: pa.ChunkedArray) -> pa.Array:
    """One list of pieces a row, at least one."""
    rows = zip(title.to_pylist(), text.to_pylist(), strict=True)
    return pa.array([_pieces(*row) for row in rows], type=_TYPE)


def _pieces(title: str | None, text: str | None) -> list[dict[str, Any]]:
    return [
        {
            "piece": piece.number,
            "title": piece.title,
            "text": piece.text,
            "lang": language(piece.text) if piece.text else None,
            "script": script(piece.text),
        }
        | official_parts(piece.text)._asdict()
        for piece in split_pieces(title, text or "")
    ]
