"""Bought documents: docx, html and text in folders and archives, whatever tricks they play."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import pytest

from towbench.ingest import files
from towbench.ingest.document import read_page
from towbench.ingest.files import is_documents, load_documents, source_of
from towbench.ingest.landing import LoadSummary
from towbench.ingest.office import DOCX
from towbench.schemas.database import open_database
from towbench.schemas.errors import DataError

SENTENCE = "经县政府同意，现将本年度农村道路养护工作的有关事项通知如下，请认真贯彻执行。"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx(*paragraphs: str, body: str | None = None) -> bytes:
    inner = body or "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "word/document.xml", f"<w:document {W}><w:body>{inner}</w:body></w:document>"
        )
    return buffer.getvalue()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_database(tmp_path_factory.mktemp("db") / "t.duckdb", None) as connection:
        yield connection


@pytest.fixture
def con(database: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    database.execute("DELETE FROM raw.page")
    return database


def load(con: duckdb.DuckDBPyConnection, path: Path) -> LoadSummary:
    return load_documents(con, path, "b", "", uuid4())


def rows(con: duckdb.DuckDBPyConnection, columns: str) -> list[tuple[Any, ...]]:
    return con.execute(f"SELECT {columns} FROM raw.page ORDER BY url").fetchall()


def zipped(path: Path, entries: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in entries.items():
            archive.writestr(name, body)
    return path


def test_a_folder_of_documents(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    folder = tmp_path / "gongwen"
    (folder / "通知").mkdir(parents=True)
    (folder / "通知" / "a#1.docx").write_bytes(docx(SENTENCE))
    (folder / "b.txt").write_bytes(SENTENCE.encode("gb18030"))
    (folder / "c.html").write_bytes(b"<p>c")
    (folder / "d.doc").write_bytes(b"\xd0\xcf\x11\xe0")
    (folder / "e.jpg").write_bytes(b"\xff")
    (folder / ".DS_Store").write_bytes(b"x")
    (folder / "f.txt").symlink_to("/etc/passwd")
    zipped(folder / "g.zip", {"h.txt": b"h"})
    summary = load(con, folder)
    assert [str(problem) for problem in summary.problems] == [
        "e.jpg: no document, left out",
        "f.txt: a link, left out",
    ]
    assert rows(con, "source, url, content_type, status, reason, licence") == [
        ("gongwen", "file:gongwen/b.txt", "text/plain", "ok", None, files.LICENCE),
        ("gongwen", "file:gongwen/c.html", "text/html", "ok", None, files.LICENCE),
        ("gongwen", "file:gongwen/d.doc", None, "not_article", "unread_form_doc", files.LICENCE),
        ("gongwen", "file:gongwen/g.zip/h.txt", "text/plain", "ok", None, files.LICENCE),
        ("gongwen", "file:gongwen/通知/a%231.docx", DOCX, "ok", None, files.LICENCE),
    ]
    assert load(con, folder).n_page == 0


def test_an_archive_with_tricks(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "x.zip",
        {
            "../../out.txt": b"x", "/abs.txt": b"x", "C:\\w.txt": b"x", "inner.zip": b"PK",
            "good.txt": b"good",
        },
    )  # fmt: skip
    with zipfile.ZipFile(path, "a") as archive:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    summary = load(con, path)
    assert rows(con, "url") == [("file:x/good.txt",)]
    assert sorted(problem.what for problem in summary.problems) == [
        "a link, refused",
        *["a path out of the archive, refused"] * 3,
        "an archive in an archive, refused",
    ]


def test_a_bomb_is_refused(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_FREE", 100_000)
    monkeypatch.setattr(files, "MAX_BODY", 50_000)
    monkeypatch.setattr(files, "MAX_RATIO", 2)
    bomb = zipped(tmp_path / "bomb.zip", {f"{n}.txt": bytes(1_000_000) for n in range(9)})
    summary = load(con, bomb)
    assert set(rows(con, "status, reason, body IS NULL")) == {("too_large", "over_size_cap", True)}
    assert len(rows(con, "1")) < 9
    [problem] = summary.problems
    assert "the rest is refused" in problem.what


def test_names_in_gbk_are_read(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = zipped(tmp_path / "n.zip", {"AAAA.txt": b"x"})
    path.write_bytes(path.read_bytes().replace(b"AAAA", "通知".encode("gb18030")))
    load(con, path)
    assert rows(con, "url") == [("file:n/通知.txt",)]


@pytest.mark.parametrize("body", [b"", b"PK\x03\x04 no", b"<html>"])
def test_what_is_no_archive_is_a_problem(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, body: bytes
) -> None:
    (tmp_path / "x.zip").write_bytes(body)
    summary = load(con, tmp_path / "x.zip")
    assert summary.n_page == 0
    assert "no zip archive" in str(summary.problems)


def test_what_is_imported_as_documents(tmp_path: Path) -> None:
    for name in ("a.warc.gz", "a.warc", "a.zip", "a.docx", "a.TXT"):
        assert is_documents(tmp_path / name)
        assert source_of(tmp_path / name) == "a"
    assert not is_documents(tmp_path)
    (tmp_path / "x.docx").write_bytes(b"")
    assert is_documents(tmp_path)
    with pytest.raises(DataError, match="nothing there"):
        load_documents(duckdb.connect(), tmp_path / "absent.zip", "b", "", uuid4())


def test_a_docx_keeps_its_lines() -> None:
    body = (
        "<w:p><w:r><w:t>桥头</w:t></w:r></w:p>"
        f"<w:p><w:r><w:t>　　{SENTENCE * 3}</w:t></w:r><w:del><w:r><w:t>删</w:t></w:r></w:del></w:p>"
        "<w:p/><w:p><w:r><w:t>甲，</w:t><w:br/><w:t>乙。</w:t></w:r></w:p>"
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>左</w:t></w:r></w:p></w:tc>"
        f"<w:tc><w:p><w:r><w:t>右</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p><w:r><w:t>{SENTENCE * 3}</w:t></w:r></w:p>"
    )
    row = read_page(docx(body=body), DOCX, "file:x/a.docx")
    assert (row["title"], row["status"], row["lang"]) == ("桥头", "ok", "zh")
    for part in (f"　　{SENTENCE * 3}", "甲，\n", "乙。", "左 右"):
        assert part in row["text"]
    assert "删" not in row["text"]


@pytest.mark.parametrize("codec", ["gb18030", "utf-8-sig", "utf-16", "big5"])
def test_a_text_file_of_any_chinese_encoding(codec: str) -> None:
    text = "桥头\r\n作者：林一\r\n" + "\r\n".join(
        ["　　河水在夜里高了三寸，老人站在桥上看了很久。" * 4] * 3
    )
    if codec == "big5":
        text = text.translate(str.maketrans("桥头里", "橋頭裡"))
    row = read_page(text.encode(codec), "text/plain", "file:x/a.txt")
    assert (row["title"], row["author"], row["status"]) == (text[:2], "林一", "ok")
    assert row["text"].count("\n\n　　河水") == 2


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"PK\x03\x04", "no docx"),
        (docx(body="<w:p/>")[:-30], "no docx"),
        (b"", "no docx"),
    ],
)
def test_a_broken_docx_is_a_status(body: bytes, reason: str) -> None:
    row = read_page(body, DOCX, "file:x/a.docx")
    assert (row["status"], row["reason"][: len(reason)]) == ("extract_failed", reason)


def test_entities_of_a_docx_are_not_resolved(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(
            "word/document.xml",
            f'<!DOCTYPE d [<!ENTITY x SYSTEM "{tmp_path}/secret">]><w:document {W}><w:body>'
            "<w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:body></w:document>",
        )
    assert "secret" not in str(read_page(buffer.getvalue(), DOCX, "u"))
