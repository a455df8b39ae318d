"""SQL function `extract_page`: bytes of a page -> its article, or why there is none.

The pages are read by two worker processes (`ingest/worker.py`), whichever DuckDB thread asks.
"""

from typing import Final

import pyarrow as pa

from towbench.ingest.document import FIELDS
from towbench.ingest.worker import shared_pool

NAME: Final = "extract_page"
PARAMETERS: Final = ["BLOB", "VARCHAR", "VARCHAR"]
RETURNS: Final = "STRUCT(" + ", ".join(f"{name} VARCHAR" for name in FIELDS) + ")"
_TYPE: Final = pa.struct([(name, pa.string()) for name in FIELDS])


def run(body: pa.ChunkedArray, content_type: pa.ChunkedArray, url: pa.ChunkedArray) -> pa.Array:
    """Pages -> one struct each; a bad page is a status, never an error."""
    pages = list(zip(body.to_pylist(), content_type.to_pylist(), url.to_pylist(), strict=True))
    return pa.array(shared_pool().read(pages), type=_TYPE)
