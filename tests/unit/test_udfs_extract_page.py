"""The SQL function: one struct a row, whatever the bytes are."""

from typing import Any

import duckdb
import pyarrow as pa
import pytest
from duckdb.func import ARROW, SPECIAL

from towbench.udfs import extract_page

LINES = [
    f"<p>第{n}天，河水涨了三寸，老人站在桥头看了很久，一句话也没有说。</p>"
    for n in "一二三四五六七八"
]
PAGE = "<html><head><title>桥头_某某网</title></head><body><h1>桥头</h1>" + "".join(LINES)


def call(
    body: bytes | None, content_type: str | None = None, url: str = "http://a.example/b.html"
) -> dict[str, Any]:
    columns = [pa.chunked_array([pa.array([value])]) for value in (body, content_type, url)]
    row: dict[str, Any] = extract_page.run(*columns).to_pylist()[0]
    return row


@pytest.mark.parametrize(
    ("codec", "header", "encoding"),
    [
        ("gb18030", "text/html; charset=utf-8", "gb18030"),
        ("utf-8", "text/html; charset=gb2312", "utf-8"),
    ],
)  # fmt: skip
def test_a_page_with_a_lying_charset_is_read(codec: str, header: str, encoding: str) -> None:
    row = call(PAGE.encode(codec), header)
    assert (row["title"], row["encoding"], row["lang"], row["status"]) == (
        "桥头",
        encoding,
        "zh",
        "ok",
    )
    assert row["text"].startswith("第一天，河水涨了三寸")
    assert row["text"].count("\n\n") == 7


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (None, "extract_failed", "empty_body"),
        (b"", "extract_failed", "empty_body"),
        (b"<!-- nothing -->", "extract_failed", "no page: Document is empty"),
        (bytes(range(256)) * 20, "undecodable", "no text in utf-8, gb18030, big5, windows-1252"),
        ("<p>太短。</p>".encode(), "too_short", "2_letters"),
    ],
)  # fmt: skip
def test_a_bad_page_is_a_status(body: bytes | None, status: str, reason: str) -> None:
    row = call(body)
    assert (row["status"], row["reason"]) == (status, reason)


def test_it_runs_in_duckdb() -> None:
    con = duckdb.connect()
    con.create_function(
        extract_page.NAME, extract_page.run, list(extract_page.PARAMETERS), extract_page.RETURNS,
        type=ARROW, null_handling=SPECIAL, side_effects=True,
    )  # fmt: skip
    con.execute(
        "CREATE TABLE page AS SELECT $1::BLOB AS body UNION ALL SELECT NULL", [PAGE.encode()]
    )
    rows = con.execute(
        "SELECT r.title, r.status"
        " FROM (SELECT extract_page(body, NULL, 'http://a.example/b') AS r FROM page) ORDER BY ALL"
    ).fetchall()
    assert rows == [("桥头", "ok"), (None, "extract_failed")]
