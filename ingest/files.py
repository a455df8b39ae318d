"""Bought or given documents -> `raw.page`: docx, html and text files, in folders or a zip.

A file is a page of the source that the folder or archive is named after, its path its address.
Nothing of an archive is unpacked to disk. What cannot be read is a row or a problem, and the rest
goes on.
"""

import hashlib
import stat
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final
from uuid import UUID

import duckdb

from towbench.ingest.decode import Undecodable, decode
from towbench.ingest.landing import BATCH_BYTES, Given, LoadSummary, insert_pages, load_warcs
from towbench.ingest.office import DOCX
from towbench.ingest.problem import Problem
from towbench.schemas.errors import DataError

CONTENT_TYPES: Final = {
    ".docx": DOCX,
    ".htm": "text/html",
    ".html": "text/html",
    ".shtml": "text/html",
    ".txt": "text/plain",
    ".md": "text/plain",
}
UNREAD: Final = (".doc", ".wps", ".pdf", ".rtf", ".odt")
"""Documents in forms that are not read: a row each, so that the account is whole."""
WARC: Final = (".warc", ".warc.gz")
LICENCE: Final = "bought or given; not stated"
MAX_BODY: Final = 32 * 2**20
MAX_FILES: Final = 200_000
MAX_TOTAL: Final = 8 * 2**30
MAX_RATIO: Final = 200
_FREE: Final = 64 * 2**20  # unpacked bytes below which the ratio does not matter

Entry = tuple[str, bytes | None]
"""Path below the folder or archive, and the bytes; None if it is too large."""


def is_documents(path: Path) -> bool:
    """Whether a path is a WARC file, a zip, a document, or a folder that holds some."""
    if path.is_dir():
        known = (*WARC, *CONTENT_TYPES, *UNREAD)
        return any(file.name.lower().endswith(known) for file in path.rglob("*"))
    return path.name.lower().endswith((*WARC, ".zip", *CONTENT_TYPES))


def source_of(path: Path) -> str:
    """The source that an import is named after: its name without `.warc.gz`, `.zip` …"""
    name = path.resolve().name
    while (suffix := PurePosixPath(name).suffix.lower()) in (
        ".gz",
        ".warc",
        ".zip",
        *CONTENT_TYPES,
    ):
        name = name[: -len(suffix)]
    return name


def load_documents(
    con: duckdb.DuckDBPyConnection, path: Path, benchmark: str, licence: str, run_id: UUID
) -> LoadSummary:
    """Insert the pages of WARC files and the documents of a folder, zip or single file.

    Raises:
        DataError: there is nothing at `path`, or it is no readable archive.
    """
    if not path.exists():
        raise DataError(f"{path}: nothing there")
    source = source_of(path)
    archives = {file: _name_in(path, file) for file in _archives(path)}
    summary = load_warcs(con, archives, benchmark, Given(source, licence), run_id)
    if path in archives:
        return summary
    ids = con.execute("SELECT page_id FROM raw.page WHERE benchmark = ?", [benchmark]).fetchall()
    seen = {page_id for (page_id,) in ids}
    batch: list[dict[str, Any]] = []
    size = 0
    now = datetime.now(UTC).replace(tzinfo=None)
    for name, body in _entries(path, summary):
        row = _row(name, body, benchmark, source, path.name)
        summary.n_record += 1
        if row["page_id"] in seen:
            continue
        seen.add(row["page_id"])
        summary.n_page += 1
        batch.append(row | {"fetched_at": now, "licence": licence or LICENCE})
        size += len(body or b"")
        if size >= BATCH_BYTES:
            insert_pages(con, batch, run_id)
            batch, size = [], 0
    insert_pages(con, batch, run_id)
    return summary


def _row(
    name: str, body: bytes | None, benchmark: str, source: str, archive: str
) -> dict[str, Any]:
    url = f"file:{source}/{name.replace('%', '%25').replace('#', '%23')}"
    body_hash = hashlib.sha256(body or b"").hexdigest()
    key = "|".join((benchmark, url, body_hash))
    suffix = PurePosixPath(name).suffix.lower()
    status, reason = "ok", None
    if body is None:
        status, reason = "too_large", "over_size_cap"
    elif suffix in UNREAD:
        status, reason, body = "not_article", f"unread_form_{suffix[1:]}", None
    return {
        "page_id": hashlib.sha256(key.encode()).hexdigest(),
        "benchmark": benchmark,
        "source": source,
        "url": url,
        "kind": "article",
        "article_url": url,
        "part": 1,
        "content_type": CONTENT_TYPES.get(suffix),
        "body": body,
        "body_hash": body_hash if body is not None else None,
        "landing_file": archive,
        "status": status,
        "reason": reason,
    }


def _archives(path: Path) -> list[Path]:
    """The web archives at a path or in a folder; links are not followed."""
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [
        file
        for file in found
        if file.name.lower().endswith(WARC) and file.is_file() and not file.is_symlink()
    ]


def _name_in(path: Path, file: Path) -> str:
    return file.relative_to(path).as_posix() if path.is_dir() else file.name


def _entries(path: Path, summary: LoadSummary) -> Iterator[Entry]:
    """The documents at a path, in the order of their names."""
    if path.is_dir():
        yield from _in_folder(path, summary)
    elif path.suffix.lower() == ".zip":
        yield from _in_zip(path, summary)
    else:
        yield path.name, _bounded(path)


def _in_folder(folder: Path, summary: LoadSummary) -> Iterator[Entry]:
    home = folder.resolve()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or not path.resolve().is_relative_to(home):
            summary.problems.append(Problem(name, 0, "a link, left out"))
        elif path.is_file() and path.suffix.lower() == ".zip":
            for inside, body in _in_zip(path, summary):
                yield f"{name}/{inside}", body
        elif path.is_file() and _is_document(name, summary):
            yield name, _bounded(path)


def _bounded(path: Path) -> bytes | None:
    with path.open("rb") as file:
        body = file.read(MAX_BODY + 1)
    return body if len(body) <= MAX_BODY else None


def _in_zip(path: Path, summary: LoadSummary) -> Iterator[Entry]:
    """The documents of an archive; sizes that it states are not believed."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        summary.problems.append(Problem(path.name, 0, f"no zip archive: {error}"))
        return
    allowed = min(MAX_TOTAL, max(_FREE, MAX_RATIO * path.stat().st_size))
    with archive:
        entries = archive.infolist()
        if len(entries) > MAX_FILES:
            summary.problems.append(Problem(path.name, 0, f"more than {MAX_FILES} files, refused"))
            return
        for info in sorted(entries, key=_name):
            name = _name(info)
            fault = _fault(info, name)
            if fault is not None:
                summary.problems.append(Problem(f"{path.name}/{name}", 0, fault))
                continue
            if info.is_dir() or not _is_document(name, summary):
                continue
            try:
                with archive.open(info) as file:
                    body = file.read(MAX_BODY + 1)
            except Exception as error:  # zipfile raises what its decompressors raise
                what = f"damaged: {type(error).__name__}"
                summary.problems.append(Problem(f"{path.name}/{name}", 0, what))
                continue
            allowed -= len(body)
            if allowed < 0:
                what = "unpacks to far more than it is; the rest is refused"
                summary.problems.append(Problem(path.name, 0, what))
                return
            yield name, body if len(body) <= MAX_BODY else None


def _name(info: zipfile.ZipInfo) -> str:
    """The entry's name; Chinese Windows writes GBK without saying so."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return decode(info.filename.encode("cp437", "replace")).text
    except Undecodable:
        return info.filename


def _fault(info: zipfile.ZipInfo, name: str) -> str | None:
    parts = PurePosixPath(name.replace("\\", "/"))
    if parts.is_absolute() or ".." in parts.parts or name[1:2] == ":" or "\0" in name:
        return "a path out of the archive, refused"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "a link, refused"
    if info.flag_bits & 0x1:
        return "encrypted, left out"
    if parts.suffix.lower() == ".zip":
        return "an archive in an archive, refused"
    return None


def _is_document(name: str, summary: LoadSummary) -> bool:
    path = PurePosixPath(name)
    if path.name.startswith((".", "~$")) or "__MACOSX" in path.parts:
        return False
    if path.name.lower().endswith(WARC):
        return False
    if path.suffix.lower() in (*CONTENT_TYPES, *UNREAD):
        return True
    summary.problems.append(Problem(name, 0, "no document, left out"))
    return False
