"""The frontier: which URLs of a source were found, and which of them are settled.

A private sqlite file beside the landing files, written once per fetch and only after the page's
record was flushed, in one transaction with the links that the page held. A kill at any moment
therefore loses no link, and repeats at most the page in flight. The file is held exclusively: a
second crawl of the source waits, then says so.
"""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from towbench.spiders.landing import Link

SCHEMA = """
CREATE TABLE IF NOT EXISTS link (
    found INTEGER PRIMARY KEY,
    benchmark TEXT NOT NULL,
    url TEXT NOT NULL,
    kind TEXT NOT NULL,
    article_url TEXT,
    part INTEGER,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'again')),
    UNIQUE (benchmark, url)
);
CREATE INDEX IF NOT EXISTS turn ON link (benchmark, state, coalesce(part, 1) > 1 DESC, found);
"""

# Parts of a begun article come first, then links as found: a list's articles before the next list.
NEXT = """
SELECT url, kind, article_url, part FROM link
WHERE benchmark = :benchmark AND state = 'pending'
    AND (part > 1 OR :limit IS NULL OR :limit > (
        SELECT count(DISTINCT article_url) FROM link
        WHERE benchmark = :benchmark AND state IN ('done', 'again') AND part = 1
    ))
ORDER BY coalesce(part, 1) > 1 DESC, found
LIMIT 1
"""


class Frontier:
    """The links of one source for one benchmark; `again` links (no lasting answer) are pending in
    the next run.

    Raises:
        sqlite3.OperationalError: "database is locked", when another crawl holds the source.
    """

    def __init__(self, folder: Path, benchmark: str, start: Iterable[Link]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.benchmark = benchmark
        self._db = sqlite3.connect(folder / "frontier.sqlite", timeout=10, isolation_level=None)
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.executescript(SCHEMA)
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("UPDATE link SET state = 'pending' WHERE state = 'again'")
            self._add(start)

    def next(self, limit: int | None) -> Link | None:
        """The link to fetch now; None if all is settled or `limit` articles were fetched (ever)."""
        row = self._db.execute(NEXT, {"benchmark": self.benchmark, "limit": limit}).fetchone()
        return Link(*row) if row else None

    def settle(self, link: Link, found: Iterable[Link] = (), *, again: bool = False) -> None:
        """Marks `link` as answered and adds the links `found` on it."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._add(found)
            self._db.execute(
                "UPDATE link SET state = ? WHERE benchmark = ? AND url = ?",
                ("again" if again else "done", self.benchmark, link.url),
            )

    def _add(self, links: Iterable[Link]) -> None:
        self._db.executemany(
            "INSERT OR IGNORE INTO link (benchmark, url, kind, article_url, part)"
            " VALUES (?, ?, ?, ?, ?)",
            [(self.benchmark, link.url, link.kind, link.article_url, link.part) for link in links],
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()
