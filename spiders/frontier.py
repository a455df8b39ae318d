"""The frontier: which URLs of a source were found, and which of them are settled.

A private sqlite file beside the landing files, written once per fetch and only after the page's
record was flushed, in one transaction with the links that the page held. A kill at any moment
therefore loses no link, and repeats at most the page in flight. The file is held exclusively: a
second crawl of the source waits, then says so.
"""

import re
import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

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
    settled_at TEXT,
    published TEXT,
    UNIQUE (benchmark, url)
);
CREATE INDEX IF NOT EXISTS turn ON link (benchmark, state, coalesce(part, 1) > 1 DESC, found);
"""

# Parts of a begun article come first, then links as found: a list's articles before the next list.
NEXT = """
SELECT url, kind, article_url, part FROM link
WHERE benchmark = :benchmark AND state = 'pending'
    AND (part > 1 OR :more)
    AND (:since IS NULL OR published IS NULL OR published >= :since)
ORDER BY coalesce(part, 1) > 1 DESC, found
LIMIT 1
"""

DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)[/-]?(?:\1[/-])?([01]\d)[/-]?([0-3]\d)(?!\d)")


def date_in(url: str) -> str | None:
    """The day (YYYY-MM-DD) that an article's address names, as many sites' do."""
    found = DATE.search(urlsplit(url).path)
    return "-".join(found.groups()) if found else None


class Frontier:
    """The links of one source for one benchmark; `again` links (no lasting answer) are pending in
    the next run, and so are those settled longer than `revisit` ago.

    Args:
        since: Day (YYYY-MM-DD) before which an article is left, if its address tells its day.
        revisit: Age at which a page is fetched again; None: never.

    Raises:
        sqlite3.OperationalError: "database is locked", when another crawl holds the source.
    """

    def __init__(
        self,
        folder: Path,
        benchmark: str,
        start: Iterable[Link],
        since: str | None = None,
        revisit: timedelta | None = None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.benchmark = benchmark
        self.since = since
        self._db = sqlite3.connect(folder / "frontier.sqlite", timeout=10, isolation_level=None)
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.executescript(SCHEMA)
        held = {name for _, name, *_ in self._db.execute("PRAGMA table_info(link)")}
        for column in sorted({"settled_at", "published"} - held):  # a frontier of version 0.1
            self._db.execute(f"ALTER TABLE link ADD COLUMN {column} TEXT")
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("UPDATE link SET state = 'pending' WHERE state = 'again'")
            if revisit is not None:
                self._db.execute(
                    "UPDATE link SET state = 'pending' WHERE state = 'done' AND settled_at < ?",
                    [(datetime.now(UTC) - revisit).isoformat()],
                )
            self._add(start)
        fetched = self._db.execute(
            "SELECT article_url FROM link WHERE benchmark = ? AND state <> 'pending' AND part = 1",
            [benchmark],
        )
        self._articles = {url for (url,) in fetched}

    def next(self, limit: int | None) -> Link | None:
        """The link to fetch now; None if all is settled or `limit` articles were fetched (ever)."""
        more = limit is None or limit > len(self._articles)
        values = {"benchmark": self.benchmark, "more": more, "since": self.since}
        row = self._db.execute(NEXT, values).fetchone()
        return Link(*row) if row else None

    def settle(self, link: Link, found: Iterable[Link] = (), *, again: bool = False) -> None:
        """Marks `link` as answered and adds the links `found` on it."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._add(found)
            self._db.execute(
                "UPDATE link SET state = ?, settled_at = ? WHERE benchmark = ? AND url = ?",
                (
                    "again" if again else "done",
                    datetime.now(UTC).isoformat(),
                    self.benchmark,
                    link.url,
                ),
            )
        if link.part == 1 and link.article_url:
            self._articles.add(link.article_url)

    def _add(self, links: Iterable[Link]) -> None:
        self._db.executemany(
            "INSERT OR IGNORE INTO link (benchmark, url, kind, article_url, part, published)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            [
                (
                    self.benchmark,
                    link.url,
                    link.kind,
                    link.article_url,
                    link.part,
                    date_in(link.url) if link.kind == "article" else None,
                )
                for link in links
            ],
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()
