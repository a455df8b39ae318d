"""WARC files -> `raw.page`: our landing files and any other (a Common Crawl extract).

`spiders/landing.py`, which writes landing files, says what they hold. A record without our headers
is taken as a web archive has it: an answer is an article of its own, of the source that the file is
named after, and extraction says whether it is one.
"""

import hashlib
import json
import mmap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import duckdb
import pyarrow as pa
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from towbench.ingest.problem import Problem
from towbench.schemas import landing as names
from towbench.schemas.errors import DataError

Row = dict[str, Any]

BATCH_BYTES: Final = 16_000_000
MAX_BODY: Final = 8 * 2**20
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
_MEMBER: Final = b"\x1f\x8b\x08"
_FOREIGN_LICENCE: Final = "not stated in the archive"
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


class Given(NamedTuple):
    """What the user says of an imported archive, for records that do not say it themselves."""

    source: str
    licence: str


class _Unreadable(Exception):
    """A record that is not one of ours; the message says why."""


def load_landing(
    con: duckdb.DuckDBPyConnection, landing: Path, benchmark: str, run_id: UUID
) -> LoadSummary:
    """Insert the pages of `benchmark` under `landing` that `raw.page` does not hold yet.

    Committed in batches of about 16 MB. A record cut at the end of a file is what a kill leaves
    and is skipped; other damage and foreign files are problems, and the rest goes on. A file that
    was read to its end and has not grown since is not read again.

    Raises:
        DataError: there is no such folder.
    """
    if not landing.is_dir():
        raise DataError(f"{landing}: no landing folder; crawl first (`make corpus`)")
    paths = sorted(landing.glob("*/*.warc.gz"))
    named = [(path, path.relative_to(landing).as_posix(), None) for path in paths]
    return _load(con, named, benchmark, run_id)


def load_warcs(
    con: duckdb.DuckDBPyConnection,
    files: Mapping[Path, str],
    benchmark: str,
    given: Given,
    run_id: UUID,
) -> LoadSummary:
    """Insert the pages of WARC files, ours or foreign, into `benchmark`.

    Args:
        files: the name by which each is known from then on.
    """
    return _load(con, [(path, name, given) for path, name in files.items()], benchmark, run_id)


def _load(
    con: duckdb.DuckDBPyConnection,
    files: Sequence[tuple[Path, str, Given | None]],
    benchmark: str,
    run_id: UUID,
) -> LoadSummary:
    known = con.execute(
        "SELECT file, n_byte FROM raw.landing_file WHERE benchmark = ?", [benchmark]
    ).fetchall()
    files = [entry for entry in files if (entry[1], entry[0].stat().st_size) not in known]
    summary = LoadSummary()
    if not files:
        return summary
    ids = con.execute("SELECT page_id FROM raw.page WHERE benchmark = ?", [benchmark]).fetchall()
    seen = {page_id for (page_id,) in ids}
    batch: list[Row] = []
    size = 0
    for path, file, given in files:
        n_byte, n_before = path.stat().st_size, summary.n_record
        for row in _read(path, file, benchmark, given, seen, summary):
            batch.append(row)
            size += len(row["body"] or b"")
            if size >= BATCH_BYTES:
                insert_pages(con, batch, run_id)
                batch, size = [], 0
        insert_pages(con, batch, run_id)
        batch, size = [], 0
        con.execute(
            "INSERT OR REPLACE INTO raw.landing_file VALUES (?, ?, ?, ?, ?)",
            [benchmark, file, n_byte, summary.n_record - n_before, str(run_id)],
        )
    return summary


def insert_pages(con: duckdb.DuckDBPyConnection, rows: list[Row], run_id: UUID) -> None:
    """Insert rows of `raw.page`; a page that is there already stays as it is."""
    if not rows:
        return
    con.register("landed", pa.Table.from_pylist(rows, _PAGE))
    try:
        con.execute(_INSERT, {"run_id": str(run_id)})
    finally:
        con.unregister("landed")


def _read(
    path: Path, file: str, benchmark: str, given: Given | None, seen: set[str], summary: LoadSummary
) -> Iterator[Row]:
    """Yields the new rows of one file."""
    broken = 0
    for number, record in enumerate(_records(path, file, summary), 1):
        if broken:
            summary.problems.append(Problem(file, broken, "damaged record, skipped"))
            broken = 0
        if not _is_whole(record):
            broken = number
            continue
        try:
            row = _row(record, file, benchmark, given, seen)
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
    summary.n_cut += broken > 0


def _is_whole(record: WarcRecord) -> bool:
    """Whether the block is all there: by its digest, or without one by its length."""
    if "WARC-Block-Digest" in record.headers:
        return bool(record.verify_block_digest())
    told = record.headers.get("Content-Length") or ""
    record.freeze()
    return told.isdecimal() and record.content_length == int(told)


def _records(path: Path, file: str, summary: LoadSummary) -> Iterator[WarcRecord]:
    """The records of a file; after damage, from the next gzip member that can be read."""
    start = read = 0
    while True:
        before = read
        end = start
        try:
            for record in _open(path, start):
                # Positions are told relative to where reading began.
                end = max(end, start + record.stream_pos)
                yield record
                read += 1
            return
        except OSError as error:
            if read == 0 and start == 0:
                summary.problems.append(Problem(file, 0, f"no WARC file: {error}"))
            elif read > before or start == 0:
                summary.problems.append(
                    Problem(file, read, f"damaged after record {read}: {error}")
                )
        following = _member_after(path, end)
        if following is None:
            return
        start = following


def _open(path: Path, start: int) -> Iterator[WarcRecord]:
    with path.open("rb") as file:
        file.seek(start)
        yield from ArchiveIterator(file, record_types=_TYPES, parse_http=False)


def _member_after(path: Path, position: int) -> int | None:
    """Where the next gzip member may begin behind `position`."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as whole:
        found = whole.find(_MEMBER, position + 1)
    return None if found < 0 else found


def _row(record: WarcRecord, file: str, benchmark: str, given: Given | None, seen: set[str]) -> Row:
    headers = record.headers
    ours = (names.SOURCE, names.KIND, names.BENCHMARK) if given is None else ()
    needed = ("WARC-Record-ID", "WARC-Target-URI", *ours)
    missing = [name for name in needed if name not in headers]
    if missing:
        raise _Unreadable(f"not landed by towbench: no {', '.join(missing)}")
    url = headers["WARC-Target-URI"].strip("<>")
    page_id = names.page_id(headers["WARC-Record-ID"])
    told = headers.get(names.BENCHMARK)
    # A file that is imported goes where the user says, wherever it was landed.
    goes_to = benchmark if given is not None or told is None else told
    row: Row = {
        "page_id": page_id if goes_to == told else f"{page_id[:48]}{_tag(goes_to)}",
        "benchmark": goes_to,
        "source": headers.get(names.SOURCE, given and given.source),
        "url": url,
        "kind": headers.get(names.KIND, "article"),
        "article_url": headers.get(names.ARTICLE_URL, url),
        "part": _whole(headers.get(names.PART) or "1"),
        "fetched_at": _date(record),
        "licence": headers.get(names.LICENCE, (given and given.licence) or _FOREIGN_LICENCE),
        "landing_file": file,
    }
    if row["page_id"] in seen:
        return row
    answer = _answer if record.record_type == WarcRecordType.response else _refusal
    return row | answer(record, row["kind"])


def _tag(benchmark: str) -> str:
    """Sixteen hex digits: the same archive may be imported into two benchmarks."""
    return hashlib.sha256(benchmark.encode()).hexdigest()[:16]


def _date(record: WarcRecord) -> datetime:
    if record.record_date is None:
        raise _Unreadable("no WARC-Date")
    return record.record_date.astimezone(UTC).replace(tzinfo=None)


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise _Unreadable(f"part {text!r} is no number")
    return int(text)


def _answer(record: WarcRecord, kind: str) -> Row:
    """A server's answer: only a 200 that holds an article goes on; the others say why not."""
    record.parse_http(auto_decode="none" if names.BENCHMARK in record.headers else "all")
    if record.http_headers is None:
        raise _Unreadable("no HTTP answer")
    body = record.reader.read()
    code = record.http_headers.status_code
    if code is None:
        raise _Unreadable("no HTTP status line")
    if len(body) > MAX_BODY:
        status, reason, body = "too_large", "over_size_cap", b""
    elif code != 200:
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
