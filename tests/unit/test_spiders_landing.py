import gzip
import json
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from scrapy.http import Response

from towbench.schemas import landing as names
from towbench.spiders.landing import Landing, Link

ARTICLE = Link("http://x.example/a", "article", "http://x.example/a", 1)
GBK = "雨夜灯火".encode("gbk")


def records(folder: Path) -> list[WarcRecord]:
    """The complete records of all files, in order, as the contract tells readers to take them."""
    found = []
    for path in sorted(folder.glob("*.warc.gz")):
        for record in ArchiveIterator(str(path), parse_http=False):
            record.freeze()
            if record.verify_block_digest():
                found.append(record)
    return found


def answer(body: bytes = GBK, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response("http://127.0.0.1:1/a", status=status, headers=headers, body=body)


def test_response_record_keeps_bytes_and_claimed_charset(tmp_path: Path) -> None:
    claim = {"Content-Type": "text/html; charset=utf-8", "Transfer-Encoding": "chunked"}
    with Landing(tmp_path, "src", "bench", "CC0") as landing:
        landing.response(ARTICLE, answer(headers=claim))
    (record,) = records(tmp_path)
    record.parse_http()
    assert record.headers.get("WARC-Target-URI") == ARTICLE.url
    assert [record.headers.get(name) for name in (names.SOURCE, names.KIND, names.ARTICLE_URL)] == [
        "src",
        "article",
        ARTICLE.url,
    ]
    assert [record.headers.get(name) for name in (names.PART, names.BENCHMARK, names.LICENCE)] == [
        "1",
        "bench",
        "CC0",
    ]
    assert record.http_headers is not None
    assert record.http_headers.status_line == "HTTP/1.1 200 OK"
    assert record.http_headers.get("Content-Type") == claim["Content-Type"]
    assert record.http_headers.get("Content-Length") == str(len(GBK))
    assert record.http_headers.get("Transfer-Encoding") is None
    assert record.reader.read() == GBK


def test_refusal_record_is_json_metadata(tmp_path: Path) -> None:
    with Landing(tmp_path, "src", "bench", "CC0") as landing:
        landing.refusal(Link("http://x.example/l", "list"), "robots", "disallowed")
    (record,) = records(tmp_path)
    assert record.record_type == WarcRecordType.metadata
    assert record.headers.get(names.PART) is None
    assert json.loads(record.reader.read()) == {
        "url": "http://x.example/l",
        "status": "robots",
        "reason": "disallowed",
    }


def test_id_is_that_of_the_content(tmp_path: Path) -> None:
    for body, status in ((GBK, 200), (GBK, 200), (GBK, 404), (b"other", 200)):
        with Landing(tmp_path, "src", "bench", "CC0") as landing:
            landing.response(ARTICLE, answer(body, status))
    ids = [names.page_id(str(record.record_id)) for record in records(tmp_path)]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3
    assert all(len(each) == 64 for each in ids)


def test_each_record_is_a_gzip_member_on_disk_at_once(tmp_path: Path) -> None:
    with Landing(tmp_path, "src", "bench", "CC0") as landing:
        landing.response(ARTICLE, answer())
        first = landing.path.read_bytes()
        landing.response(ARTICLE, answer(b"second" * 100))
        both = landing.path.read_bytes()
    assert gzip.decompress(first).startswith(b"WARC/1.1\r\n")
    assert both.startswith(first)
    assert gzip.decompress(both[len(first) :]).startswith(b"WARC/1.1\r\n")


def test_a_cut_last_record_costs_only_itself(tmp_path: Path) -> None:
    with Landing(tmp_path, "src", "bench", "CC0") as landing:
        landing.response(ARTICLE, answer())
        whole = len(landing.path.read_bytes())
        landing.response(ARTICLE, answer(bytes(range(256)) * 40))
    data = landing.path.read_bytes()
    for end in range(whole, len(data) - 40, 97):
        landing.path.write_bytes(data[:end])
        assert len(records(tmp_path)) == 1, end


def test_no_file_without_a_record(tmp_path: Path) -> None:
    with Landing(tmp_path, "src", "bench", "CC0"):
        pass
    assert list(tmp_path.iterdir()) == []
