"""Landing files become pages: once each, whatever a kill or a foreign file left behind."""

import gzip
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import pytest
from fastwarc.warc import WarcRecord, WarcRecordType
from scrapy.http import Response

from towbench.ingest import landing as reader
from towbench.ingest.files import is_documents, load_documents
from towbench.ingest.landing import Given, LoadSummary, load_landing, load_warcs
from towbench.schemas.database import open_database
from towbench.schemas.errors import DataError
from towbench.spiders.landing import Landing, Link

CC = Given("cc", "")
URL = "http://site.example/a/{}.html"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    path = tmp_path_factory.mktemp("db") / "t.duckdb"
    with open_database(path, None) as connection:
        yield connection


@pytest.fixture
def con(database: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    database.execute("DELETE FROM raw.page")
    database.execute("DELETE FROM raw.landing_file")
    return database


@pytest.fixture
def landing(tmp_path: Path) -> Path:
    (tmp_path / "landing").mkdir()
    return tmp_path / "landing"


def open_landing(folder: Path, benchmark: str = "sample") -> Landing:
    return Landing(folder / "site", "site", benchmark, "CC0")


def article(n: int, part: int = 1) -> Link:
    return Link(URL.format(n), "article", URL.format(1), part)


def page(n: int, status: int = 200, body: bytes = b"<p>\xd3\xea\xd2\xb9</p>") -> Response:
    headers = {"Content-Type": "text/html; charset=gbk"}
    return Response(URL.format(n), status=status, body=body, headers=headers)


def land(folder: Path, n_page: int) -> Path:
    with open_landing(folder) as file:
        for n in range(1, n_page + 1):
            file.response(article(n, n), page(n))
    return file.path


def load(con: duckdb.DuckDBPyConnection, folder: Path) -> LoadSummary:
    return load_landing(con, folder, "sample", uuid4())


def rows(con: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return con.execute(sql).fetchall()


def test_an_article_keeps_its_bytes_and_headers(
    con: duckdb.DuckDBPyConnection, landing: Path
) -> None:
    path = land(landing, 2)
    summary = load(con, landing)
    assert summary == LoadSummary(n_record=2, n_page=2)
    assert str(summary) == "2 landed records, 2 new pages, 0 cut off, 0 problems"
    assert rows(
        con,
        "SELECT benchmark, source, url, kind, article_url, part, http_status, content_type, body, "
        "licence, landing_file, status, reason, body_hash = sha256(body), length(page_id), "
        "fetched_at > '2026-01-01' "
        "FROM raw.page WHERE part = 2",
    ) == [
        ("sample", "site", URL.format(2), "article", URL.format(1), 2, 200,
         "text/html; charset=gbk", b"<p>\xd3\xea\xd2\xb9</p>", "CC0", f"site/{path.name}",
         "ok", None, True, 64, True)
    ]  # fmt: skip


def test_what_is_no_article_is_a_row_with_its_reason(
    con: duckdb.DuckDBPyConnection, landing: Path
) -> None:
    with open_landing(landing) as file:
        file.response(Link(URL.format(1), "list"), page(1))
        file.response(Link(URL.format(2), "other"), page(2))
        file.response(article(3), page(3, status=404))
        file.response(article(4), page(4, status=301))
        file.refusal(article(5), "robots", "disallowed")
        file.refusal(article(6), "too_large", "over_size_cap")
        file.refusal(article(7), "http_error", "timeout")
    load(con, landing)
    assert rows(
        con, "SELECT status, reason, http_status, body IS NULL FROM raw.page ORDER BY url"
    ) == [
        ("not_article", "list", 200, False),
        ("not_article", "other", 200, False),
        ("http_error", "http_404", 404, False),
        ("http_error", "http_301", 301, False),
        ("robots", "disallowed", None, True),
        ("too_large", "over_size_cap", None, True),
        ("http_error", "timeout", None, True),
    ]


def test_loading_again_and_landing_again_add_nothing(
    con: duckdb.DuckDBPyConnection, landing: Path
) -> None:
    land(landing, 3)
    load(con, landing)
    before = rows(con, "SELECT * FROM raw.page ORDER BY ALL")
    assert load(con, landing) == LoadSummary()
    land(landing, 3)
    assert load(con, landing) == LoadSummary(n_record=3)
    assert rows(con, "SELECT * FROM raw.page ORDER BY ALL") == before


def test_batches_hold_every_page(
    con: duckdb.DuckDBPyConnection, landing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "BATCH_BYTES", 30)
    land(landing, 7)
    assert load(con, landing).n_page == 7
    assert rows(con, "SELECT count(*) FROM raw.page") == [(7,)]


def test_other_benchmarks_are_left_alone(con: duckdb.DuckDBPyConnection, landing: Path) -> None:
    with open_landing(landing, "mine") as file:
        file.response(article(1), page(1))
    assert load(con, landing).n_page == 0
    assert load_landing(con, landing, "mine", uuid4()).n_page == 1


@pytest.mark.parametrize("cut", [5, 60, 250, 350])
def test_a_record_cut_by_a_kill_is_skipped(
    con: duckdb.DuckDBPyConnection, landing: Path, cut: int
) -> None:
    path = land(landing, 3)
    path.write_bytes(path.read_bytes()[:-cut])
    summary = load(con, landing)
    assert summary.problems == []
    # A few missing bytes of the gzip trailer cost nothing; more cost the last record.
    assert rows(con, "SELECT part FROM raw.page ORDER BY ALL")[:2] == [(1,), (2,)]
    assert summary.n_page == (3 if cut == 5 else 2)


def test_damage_in_the_middle_is_reported_and_other_files_are_read(
    con: duckdb.DuckDBPyConnection, landing: Path
) -> None:
    broken, whole = land(landing, 3), land(landing / "other", 2)
    body = bytearray(broken.read_bytes())
    at = body.index(b"\x1f\x8b", 10) + 40
    body[at : at + 4] = b"\xff\xff\xff\xff"
    broken.write_bytes(bytes(body))
    whole.rename(landing / "site" / "z.warc.gz")
    summary = load(con, landing)
    [problem] = summary.problems
    assert problem.file == f"site/{broken.name}"
    assert "damaged" in problem.what
    assert rows(con, "SELECT count(*) FROM raw.page WHERE landing_file = 'site/z.warc.gz'") == [
        (1,)
    ]


@pytest.mark.parametrize(
    "body",
    [b"<html>hello</html>", gzip.compress(b"hello " * 50, mtime=0), b"PK\x03\x04" + bytes(90)],
)
def test_a_foreign_file_is_a_problem_and_the_rest_goes_on(
    con: duckdb.DuckDBPyConnection, landing: Path, body: bytes
) -> None:
    land(landing, 2)
    (landing / "site" / "a.warc.gz").write_bytes(body)
    summary = load(con, landing)
    assert summary.n_page == 2
    [problem] = summary.problems
    assert str(problem).startswith("site/a.warc.gz: no WARC file: ")


def foreign_record(kind: WarcRecordType, block: bytes, **headers: str) -> bytes:
    record = WarcRecord()
    record.init_headers(kind)
    record.headers["WARC-Target-URI"] = "http://elsewhere.example/"
    for name, value in headers.items():
        record.headers[name.replace("_", "-")] = value
    record.set_bytes_content(block)
    buffer = BytesIO()
    record.write(buffer, checksum_data=True)
    return gzip.compress(buffer.getvalue())


OURS = {"X_Towbench_Source": "s", "X_Towbench_Kind": "article", "X_Towbench_Benchmark": "sample"}


@pytest.mark.parametrize(
    ("record", "what"),
    [
        (foreign_record(WarcRecordType.response, b"HTTP/1.1 200 OK\r\n\r\n<p>"),
         "not landed by towbench: no X-Towbench-Source"),
        (foreign_record(WarcRecordType.metadata, b"[]", **OURS), "not the JSON of a refusal"),
        (foreign_record(WarcRecordType.metadata, b'{"status": "ok", "reason": ""}', **OURS),
         "status 'ok' is none of robots"),
        (foreign_record(WarcRecordType.response, b"HTTP/1.1 200 OK\r\n\r\n", **OURS,
                        X_Towbench_Part="two"),
         "part 'two' is no number"),
    ],
)  # fmt: skip
def test_a_record_that_is_not_ours_is_a_problem(
    con: duckdb.DuckDBPyConnection, landing: Path, record: bytes, what: str
) -> None:
    path = land(landing, 1)
    path.write_bytes(record + path.read_bytes())
    summary = load(con, landing)
    assert summary.n_page == 1
    [problem] = summary.problems
    assert (problem.line, problem.what[: len(what)]) == (1, what)


def test_pages_after_damage_are_not_lost(con: duckdb.DuckDBPyConnection, landing: Path) -> None:
    path = land(landing, 6)
    members = path.read_bytes().split(b"\x1f\x8b\x08")[1:]
    for n in (1, 3):  # the second and the fourth
        members[n] = members[n][:60] + b"\xff" * 40 + members[n][100:]
    path.write_bytes(b"".join(b"\x1f\x8b\x08" + member for member in members))
    summary = load(con, landing)
    assert rows(con, "SELECT part FROM raw.page ORDER BY ALL") == [(1,), (3,), (5,), (6,)]
    assert summary.problems and all("damaged" in problem.what for problem in summary.problems)


def test_a_file_that_has_grown_is_read_again(con: duckdb.DuckDBPyConnection, landing: Path) -> None:
    path = land(landing, 3)
    whole = path.read_bytes()
    path.write_bytes(whole[:-250])
    assert load(con, landing).n_page == 2
    path.write_bytes(whole)
    assert load(con, landing).n_page == 1
    assert rows(con, "SELECT n_record FROM raw.landing_file") == [(3,)]


def common_crawl(digest: bool = True, gzipped: bool = False) -> bytes:
    """Two answers, a request and a 404 as a web archive has them: none of our headers."""
    records = []
    for kind, url, status, text in (
        (WarcRecordType.warcinfo, "", "", b"software: x"),
        (WarcRecordType.request, "http://a.example/1", "", b"GET / HTTP/1.1\r\n\r\n"),
        (WarcRecordType.response, "http://a.example/1", "200 OK", b"<p>one"),
        (WarcRecordType.response, "http://a.example/2", "404 Not Found", b"<p>gone"),
        (WarcRecordType.response, "http://a.example/3", "200 OK", b"<p>three"),
    ):
        record = WarcRecord()
        record.init_headers(kind)
        if url:
            record.headers["WARC-Target-URI"] = url
            record.headers["Content-Type"] = "application/http; msgtype=response"
        body, coded = text, b""
        if gzipped:
            body, coded = gzip.compress(text), b"Content-Encoding: gzip\r\n"
        head = b"HTTP/1.1 %s\r\nContent-Type: text/html\r\n%s\r\n" % (status.encode(), coded)
        record.set_bytes_content(head + body if status else text)
        buffer = BytesIO()
        record.write(buffer, checksum_data=digest)
        records.append(gzip.compress(buffer.getvalue()))
    return b"".join(records)


@pytest.mark.parametrize("digest", [True, False])
@pytest.mark.parametrize("gzipped", [True, False])
def test_any_web_archive_can_be_imported(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, digest: bool, gzipped: bool
) -> None:
    path = tmp_path / "CC-MAIN-1.warc.gz"
    path.write_bytes(common_crawl(digest, gzipped))
    summary = load_warcs(con, {path: path.name}, "mine", CC, uuid4())
    assert (summary.n_page, summary.problems) == (3, [])
    assert rows(
        con,
        "SELECT source, url, article_url = url, kind, part, body, status, reason, licence"
        " FROM raw.page ORDER BY url",
    ) == [
        ("cc", "http://a.example/1", True, "article", 1, b"<p>one", "ok", None,
         "not stated in the archive"),
        ("cc", "http://a.example/2", True, "article", 1, b"<p>gone", "http_error", "http_404",
         "not stated in the archive"),
        ("cc", "http://a.example/3", True, "article", 1, b"<p>three", "ok", None,
         "not stated in the archive"),
    ]  # fmt: skip
    assert load_warcs(con, {path: path.name}, "mine", CC, uuid4()).n_page == 0
    assert load_warcs(con, {path: path.name}, "other", CC, uuid4()).n_page == 3


def test_a_licence_is_given_to_records_that_state_none(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    path = tmp_path / "cc.warc.gz"
    path.write_bytes(common_crawl())
    load_warcs(con, {path: path.name}, "mine", Given("cc", "by agreement"), uuid4())
    assert rows(con, "SELECT DISTINCT licence FROM raw.page") == [("by agreement",)]


def test_a_landing_file_can_be_imported_into_another_benchmark(
    con: duckdb.DuckDBPyConnection, landing: Path
) -> None:
    path = land(landing, 2)
    assert load(con, landing).n_page == 2
    given = Given("cc", "by agreement")
    assert load_warcs(con, {path: path.name}, "other", given, uuid4()).n_page == 2
    assert rows(con, "SELECT DISTINCT benchmark, source, licence FROM raw.page ORDER BY ALL") == [
        ("other", "site", "CC0"),
        ("sample", "site", "CC0"),
    ]


def test_a_cut_archive_without_digests_loses_only_its_last_record(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    path = tmp_path / "cut.warc.gz"
    path.write_bytes(common_crawl(digest=False)[:-25])
    assert load_warcs(con, {path: path.name}, "mine", CC, uuid4()).n_page == 2


def test_an_uncompressed_archive_is_read(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = tmp_path / "plain.warc"
    path.write_bytes(gzip.decompress(common_crawl()))
    assert load_warcs(con, {path: path.name}, "mine", CC, uuid4()).n_page == 3


def test_a_folder_may_hold_archives_beside_documents(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    (folder / "old").mkdir(parents=True)
    (folder / "a.warc.gz").write_bytes(common_crawl())
    (folder / "old" / "b.warc").write_bytes(gzip.decompress(common_crawl()))
    (folder / "note.txt").write_text("The ferry left at dawn.")
    assert is_documents(folder)
    for n_new in (7, 0):
        summary = load_documents(con, folder, "mine", "", uuid4())
        assert (summary.n_page, summary.problems) == (n_new, [])
    files = rows(con, "SELECT file, n_record FROM raw.landing_file ORDER BY file")
    assert files == [("a.warc.gz", 3), ("old/b.warc", 3)]


def test_no_landing_folder_is_said(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no landing folder"):
        load(con, tmp_path / "absent")
