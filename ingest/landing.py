"""Landing files -> `raw.page`; `spiders/landing.py`, which writes them, says what they hold."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import duckdb
import pyarrow as pa
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from towbench.ingest.problem import Problem
from towbench.schemas import landing as names
from towbench.schemas.errors import DataError

Row = dict[str, Any]

BATCH_BYTES: Final = 16_000_000
_TYPES: Final = WarcRecordType.response | WarcRecordType.metadata
_REFUSALS: Final = ("robots", "http_error", "too_large")
_TEXT, _WHOLE = pa.string(), pa.int32()
_PAGE: Final = pa.schema(
    {
        "page_id": _TEXT, "benchmark": _TEXT, "source": _TEXT, "url": _TEXT, "kind": _TEXT,
        "article_url": _TEXT, "part": _WHOLE, "fetched_at": pa.timestamp("us"),
        "http_status": _WHOLE, "content_type": _TEXT, "body": pa.binary(), "body_hash": _TEXT,
        "licence": _TEXT, "landing_file": _TEXT, "status": _TEXT, "reason": _TEXT,
    }
)  # fmt: skip
_INSERT: Final = """
INSERT INTO raw.page BY NAME
SELECT *, $run_id AS run_id
FROM landed
WHERE page_id NOT IN (SELECT page_id FROM raw.page)
"""


@dataclass
class LoadSummary:
    """`n_record` records of the benchmark read, `n_page` of them new, `n_cut` cut off by a kill."""

    n_record: int = 0
    n_page: int = 0
    n_cut: int = 0
    problems: list[Problem] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.n_record} landed records, {self.n_page} new pages, {self.n_cut} cut off, "
            f"{len(self.problems)} problems"
        )


class _Unreadable(Exception):
    """A record that is not one of ours; the message says why."""


def load_landing(
    con: duckdb.DuckDBPyConnection, landing: Path, benchmark: str, run_id: UUID
) -> LoadSummary:
    """Insert the pages of `benchmark` under `landing` that `raw.page` does not hold yet.

    Committed in batches of about 16 MB. A record cut at the end of a file is what a kill leaves
    and is skipped; other damage and foreign files are problems, and the rest goes on.

    Raises:
        DataError: there is no such folder.
    """
    if not landing.is_dir():
        raise DataError(f"{landing}: no landing folder; crawl first (`make corpus`)")
    ids = con.execute("SELECT page_id FROM raw.page WHERE benchmark = ?", [benchmark]).fetchall()
    seen = {page_id for (page_id,) in ids}
    summary = LoadSummary()
    batch: list[Row] = []
    size = 0
    for path in sorted(landing.glob("*/*.warc.gz")):
        for row in _read(path, path.relative_to(landing).as_posix(), benchmark, seen, summary):
            batch.append(row)
            size += len(row["body"] or b"")
            if size >= BATCH_BYTES:
                _insert(con, batch, run_id)
                batch, size = [], 0
    _insert(con, batch, run_id)
    return summary


def _insert(con: duckdb.DuckDBPyConnection, rows: list[Row], run_id: UUID) -> None:
    if not rows:
        return
    con.register("landed", pa.Table.from_pylist(rows, _PAGE))
    try:
        con.execute(_INSERT, {"run_id": str(run_id)})
    finally:
        con.unregister("landed")


def _read(
    path: Path, file: str, benchmark: str, seen: set[str], summary: LoadSummary
) -> Iterator[Row]:
    """Yields the new rows of one file."""
    number, broken = 0, 0
    try:
        for number, record in enumerate(_records(path), 1):
            if broken:
                summary.problems.append(Problem(file, broken, "damaged record, skipped"))
                broken = 0
            if not record.verify_block_digest():
                broken = number
                continue
            try:
                row = _row(record, file, seen)
            except _Unreadable as fault:
                summary.problems.append(Problem(file, number, str(fault)))
                continue
            if row["benchmark"] != benchmark:
                continue
            summary.n_record += 1
            if row["page_id"] not in seen:
                seen.add(row["page_id"])
                summary.n_page += 1
                yield row
    except OSError as error:
        what = "no WARC file" if number == 0 else f"damaged after record {number}"
        summary.problems.append(Problem(file, number, f"{what}: {error}"))
    summary.n_cut += broken > 0


def _records(path: Path) -> Iterator[WarcRecord]:
    yield from ArchiveIterator(path, record_types=_TYPES, parse_http=False, fsspec_args=False)


def _row(record: WarcRecord, file: str, seen: set[str]) -> Row:
    headers = record.headers
    missing = [
        name
        for name in ("WARC-Record-ID", "WARC-Target-URI", names.SOURCE, names.KIND, names.BENCHMARK)
        if name not in headers
    ]
    if missing:
        raise _Unreadable(f"not landed by towbench: no {', '.join(missing)}")
    url = headers["WARC-Target-URI"]
    row: Row = {
        "page_id": names.page_id(headers["WARC-Record-ID"]),
        "benchmark": headers[names.BENCHMARK],
        "source": headers[names.SOURCE],
        "url": url,
        "kind": headers[names.KIND],
        "article_url": headers.get(names.ARTICLE_URL, url),
        "part": _whole(headers.get(names.PART) or "1"),
        "fetched_at": record.record_date.astimezone(UTC).replace(tzinfo=None),
        "licence": headers.get(names.LICENCE),
        "landing_file": file,
    }
    if row["page_id"] in seen:
        return row
    answer = _answer if record.record_type == WarcRecordType.response else _refusal
    return row | answer(record, row["kind"])


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise _Unreadable(f"part {text!r} is no number")
    return int(text)


def _answer(record: WarcRecord, kind: str) -> Row:
    """A server's answer: only a 200 that holds an article goes on; the others say why not."""
    record.parse_http()
    body = record.reader.read()
    code = record.http_headers.status_code
    if code is None:
        raise _Unreadable("no HTTP status line")
    if code != 200:
        status, reason = "http_error", f"http_{code}"
    elif kind != "article":
        status, reason = "not_article", kind
    else:
        status, reason = "ok", None
    return {
        "http_status": code,
        "content_type": record.http_headers.get("Content-Type"),
        "body": body,
        "body_hash": hashlib.sha256(body).hexdigest(),
        "status": status,
        "reason": reason,
    }


def _refusal(record: WarcRecord, kind: str) -> Row:
    """Why a URL has no answer."""
    try:
        told = json.loads(record.reader.read())
        status, reason = told["status"], str(told["reason"])
    except (ValueError, TypeError, KeyError) as error:
        raise _Unreadable(f"not the JSON of a refusal: {error!r}") from error
    if status not in _REFUSALS:
        raise _Unreadable(f"status {status!r} is none of {', '.join(_REFUSALS)}")
    return {"status": status, "reason": reason, "body": None}
