"""Takedown requests: notes them in `raw.withdrawal`; step 15 lets the rows fall."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

import duckdb

from towbench.schemas.errors import DataError

_KIND = """
SELECT 'document' FROM corpus.document WHERE document_id = $target
UNION ALL
SELECT 'item' FROM corpus.item WHERE item_id = $target
UNION ALL
SELECT 'url' FROM raw.page WHERE url = $target OR article_url = $target
UNION ALL
SELECT 'url' FROM corpus.document WHERE url = $target
LIMIT 1
"""


def withdraw(
    con: duckdb.DuckDBPyConnection, targets: Sequence[str], reason: str, run_id: UUID
) -> None:
    """Note a request for each target: a document id, an item id or an address.

    An address that was never fetched is noted too: it then falls as soon as it comes.

    Raises:
        DataError: a target is none of these; nothing is noted then.
    """
    kinds = {target: _kind(con, target) for target in targets}
    if unknown := [target for target, kind in kinds.items() if kind is None]:
        raise DataError(f"no document, item or address: {', '.join(unknown)}")
    con.executemany(
        "INSERT OR REPLACE INTO raw.withdrawal VALUES (?, ?, ?, ?, ?)",
        [
            [kind, target, reason, datetime.now(UTC).replace(tzinfo=None), str(run_id)]
            for target, kind in kinds.items()
        ],
    )


def _kind(con: duckdb.DuckDBPyConnection, target: str) -> str | None:
    found = con.execute(_KIND, {"target": target}).fetchall()
    if found:
        return str(found[0][0])
    return "url" if target.startswith(("http://", "https://", "file:")) else None
