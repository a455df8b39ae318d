"""Writes landing files; this docstring is the contract that their readers rely on.

Files. `<landing>/<source>/<start time>.warc.gz`, one per run that fetched something, named
`YYYYMMDDTHHMMSSffffffZ`, so that sorted names are in time order. WARC 1.1, one gzip member a
record, flushed before the frontier learns of it. After a kill the last member may be cut: fastwarc
then yields a record with a short or empty block and no error. A reader takes a record only if
`verify_block_digest()` holds, and ignores record types other than the two below.

`response` (Content-Type `application/http; msgtype=response`): status line, headers and body of any
answer, 200 or not, redirects included (their target is a record of its own). The body is the bytes
that the server sent after Transfer-Encoding and Content-Encoding are undone, never re-encoded. The
two headers are dropped (a Content-Encoding that is left names one we cannot undo) and
Content-Length is the body's. Content-Type is what the server claimed, true or not.

`metadata` (Content-Type `application/json`): a URL without an answer: `{"url", "status",
"reason"}`. `status` is a page status of SPEC 8: `robots` (reason `disallowed`), `too_large`
(`over_size_cap`) or `http_error` (`offsite`, `private_address`, `robots_unreachable`, `timeout`,
`connection`, `unresolved`, or the name of an unforeseen error). robots.txt itself is no page and is
not landed.

Headers of both:
    WARC-Target-URI         the page's URL; for the bundled sample sites one below
                            `http://<source>.example`, whatever port served it
    WARC-Date               time of the answer, UTC
    WARC-Record-ID          `<urn:uuid:…>`, uuid5 over benchmark, URL, status and body: the same
                            page landed twice has the same id, so `schemas.landing.page_id` of it is
                            the key to deduplicate on
    X-Towbench-Source       name of the source
    X-Towbench-Kind         `list`, `article` or `other`: what the page class found; without a 200
                            answer, what was expected of the link
    X-Towbench-Article-Url  article only: URL of the article's first part, which all parts share
    X-Towbench-Part         article only: 1, 2, … in reading order
    X-Towbench-Benchmark    benchmark that the page was fetched for
    X-Towbench-Licence      licence of the page's text

A URL may have several records: the one after a kill repeats its id; a 429, 5xx or lost connection
is asked again by the next run. The latest record of a (benchmark, URL) is the one that counts.
"""

import gzip
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from http.client import responses as REASONS
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Self
from uuid import NAMESPACE_URL, uuid5

from fastwarc.warc import WarcRecord, WarcRecordType
from scrapy.http import Response

from towbench.schemas import landing as names

NOT_KEPT = {b"transfer-encoding", b"content-length"}
"""Headers that no longer fit the body; Scrapy drops Content-Encoding itself when it decodes."""


@dataclass(frozen=True)
class Link:
    """A URL and what is expected there: a list, or part 1, 2, … of the article at `article_url`."""

    url: str
    kind: names.Kind
    article_url: str | None = None
    part: int | None = None


class Landing:
    """The landing file of one run of one source, created with its first record."""

    def __init__(self, folder: Path, source: str, benchmark: str, licence: str) -> None:
        self.path = folder / f"{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}.warc.gz"
        self.headers = {names.SOURCE: source, names.BENCHMARK: benchmark, names.LICENCE: licence}
        self._file: BinaryIO | None = None

    def response(self, link: Link, response: Response) -> None:
        """Writes an answer; `link.kind` is what the page turned out to be."""
        lines = [f"HTTP/1.1 {response.status} {REASONS.get(response.status, '')}".encode()]
        lines += [
            name + b": " + value
            for name, values in response.headers.items()
            if name.lower() not in NOT_KEPT
            for value in values
        ]
        lines.append(b"Content-Length: %d" % len(response.body))
        block = b"\r\n".join([*lines, b"", response.body])
        content = b"%d\n" % response.status + response.body
        self._write(
            WarcRecordType.response, link, "application/http; msgtype=response", block, content
        )

    def refusal(self, link: Link, status: names.Refusal, reason: str) -> None:
        """Writes why there is no answer."""
        block = json.dumps({"url": link.url, "status": status, "reason": reason}).encode()
        self._write(WarcRecordType.metadata, link, "application/json", block, block)

    def _write(
        self, kind: WarcRecordType, link: Link, content_type: str, block: bytes, content: bytes
    ) -> None:
        key = "\n".join((self.headers[names.BENCHMARK], link.url, sha256(content).hexdigest()))
        record = WarcRecord()
        record.init_headers(kind, uuid5(NAMESPACE_URL, key).urn.removeprefix("urn:").encode())
        headers = {
            "WARC-Target-URI": link.url,
            "Content-Type": content_type,
            names.KIND: link.kind,
        } | self.headers
        if link.kind == "article":
            headers |= {names.ARTICLE_URL: str(link.article_url), names.PART: str(link.part)}
        for name, value in headers.items():
            record.headers[name] = value
        record.set_bytes_content(block)
        buffer = BytesIO()
        record.write(buffer, checksum_data=True)
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("xb")
        self._file.write(gzip.compress(buffer.getvalue(), 6))
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
