"""SQL function `extract_page`: bytes of a page -> its article, or why there is none."""

from typing import Any, Final

import pyarrow as pa

from towbench.ingest.decode import Undecodable, decode
from towbench.ingest.extract import extract

NAME: Final = "extract_page"
PARAMETERS: Final = ["BLOB", "VARCHAR", "VARCHAR"]
RETURNS: Final = (
    "STRUCT(title VARCHAR, author VARCHAR, published VARCHAR, text VARCHAR, lang VARCHAR, "
    "encoding VARCHAR, status VARCHAR, reason VARCHAR)"
)
_FIELDS: Final = (
    "title", "author", "published", "text", "lang", "encoding", "status", "reason",
)  # fmt: skip
_TYPE: Final = pa.struct([(name, pa.string()) for name in _FIELDS])


def run(body: pa.ChunkedArray, content_type: pa.ChunkedArray, url: pa.ChunkedArray) -> pa.Array:
    """Pages -> one struct each; a bad page is a status, never an error."""
    rows = zip(body.to_pylist(), content_type.to_pylist(), url.to_pylist(), strict=True)
    return pa.array([_page(*row) for row in rows], type=_TYPE)


def _page(body: bytes | None, content_type: str | None, url: str | None) -> dict[str, Any]:
    if not body:
        return {"status": "extract_failed", "reason": "empty_body"}
    try:
        decoded = decode(body, content_type)
        found = extract(decoded.text, url or "")
    except Undecodable as fault:
        return {"status": "undecodable", "reason": str(fault)}
    except Exception as error:  # one page must never stop the batch
        return {"status": "extract_failed", "reason": f"{type(error).__name__}: {error}"[:200]}
    return {
        "title": found.title,
        "author": found.author,
        "published": found.published,
        "text": found.text,
        "lang": found.lang,
        "encoding": decoded.encoding,
        "status": found.status,
        "reason": found.reason,
    }
