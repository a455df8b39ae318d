"""Steps 10 to 22 on a real database: pieces, versions of a page, takedowns, copies."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from towbench.ingest.landing import insert_pages
from towbench.ingest.release import write_release
from towbench.ingest.withdraw import withdraw
from towbench.schemas.errors import DataError
from towbench.schemas.settings import Settings
from towbench.sql.runner import Workspace, open_workspace
from towbench.tests.template import fresh_database

NIGHT = [
    f"第{n}夜，河水涨了三寸，老人站在桥头看了很久，一句话也没有说，回屋去了。"
    for n in "一二三四五六七八"
]
DAY = [
    f"第{n}天，孩子们沿着铁路走到镇上，买了盐和灯油，天黑以前赶回家里吃饭。"
    for n in "一二三四五六七八"
]
SEASON = [
    f"第{n}季，工厂的汽笛比往常早响半个钟头，食堂门口排起了长长的队伍等饭。"
    for n in "一二三四五六七八"
]
START = datetime(2026, 1, 1)


def html(*blocks: str, title: str = "文章") -> bytes:
    inner = "".join(f"<p>{block}</p>" for block in blocks)
    return f"<html><title>{title}</title><body><div>{inner}</div></body></html>".encode()


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("w")
    fresh_database(folder / "t.duckdb")
    with open_workspace(
        Settings(db=folder / "t.duckdb", ledger=folder / "l.duckdb"), "corpus"
    ) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _empty(work: Workspace) -> None:
    for table in ("raw.page", "raw.withdrawal", "corpus.document", "corpus.document_sketch"):
        work.con.execute(f"DELETE FROM {table}")


def land(work: Workspace, url: str, body: bytes | None, day: int = 0, **columns: Any) -> None:
    row = {
        "page_id": str(uuid4()), "benchmark": "b", "source": "s", "url": url, "kind": "article",
        "article_url": url, "part": 1, "fetched_at": START + timedelta(days=day),
        "http_status": 200, "content_type": "text/html", "body": body, "body_hash": str(hash(body)),
        "licence": "CC0", "landing_file": "f", "status": "ok",
    }  # fmt: skip
    insert_pages(work.con, [row | columns], work.run_id)


def run(work: Workspace) -> None:
    for number in ("10", "15", "20", "21", "22"):
        for step in (files("towbench") / "sql" / "steps").iterdir():
            if step.name.startswith(f"{number}_"):
                work.con.execute(step.read_text("utf-8"))


def rows(work: Workspace, sql: str) -> list[tuple[Any, ...]]:
    return list(work.con.execute(sql).fetchall())


def test_a_collection_gives_a_document_a_text_and_the_funnel_adds_up(work: Workspace) -> None:
    land(
        work,
        "http://a.example/1",
        html("篇一", *NIGHT, "篇二", *DAY, "篇三", *SEASON, title="日记(3篇)"),
    )
    land(work, "http://a.example/2", html(*(line.replace("河", "海") for line in DAY[::-1])))
    run(work)
    assert rows(
        work, "SELECT url, piece, title, left(text, 3), script, n_part FROM corpus.document ORDER BY url"
    ) == [
        ("http://a.example/1", 1, "日记 篇一", "第一夜", "hans", 1),
        ("http://a.example/1#2", 2, "日记 篇二", "第一天", "hans", 1),
        ("http://a.example/1#3", 3, "日记 篇三", "第一季", "hans", 1),
        ("http://a.example/2", 1, "文章", "第八天", "hans", 1),
    ]  # fmt: skip
    assert len({row for row in rows(work, "SELECT document_id FROM corpus.document")}) == 4
    check = files("towbench") / "sql" / "checks" / "corpus_funnel_accounts_for_every_page.sql"
    assert rows(work, check.read_text("utf-8")) == []
    before = rows(work, "SELECT * FROM corpus.document ORDER BY ALL")
    run(work)
    assert rows(work, "SELECT * FROM corpus.document ORDER BY ALL") == before


def test_a_page_that_changed_is_read_as_it_is_now_without_old_pieces(work: Workspace) -> None:
    land(work, "http://a.example/1", html("篇一", *NIGHT, "篇二", *DAY, title="日记(2篇)"))
    run(work)
    land(work, "http://a.example/1", html(*SEASON), day=30)
    run(work)
    assert rows(
        work, "SELECT url, left(text, 3), changed_at, vanished_at FROM corpus.document"
    ) == [("http://a.example/1", "第一季", START + timedelta(days=30), None)]


def test_a_page_that_vanished_keeps_its_text_and_says_so(work: Workspace) -> None:
    land(work, "http://a.example/1", html(*NIGHT))
    land(
        work,
        "http://a.example/1",
        None,
        day=30,
        status="http_error",
        reason="http_404",
        http_status=404,
    )
    run(work)
    assert rows(
        work, "SELECT status, left(text, 3), changed_at, vanished_at FROM corpus.document"
    ) == [("ok", "第一夜", None, START + timedelta(days=30))]


def test_copies_point_to_the_earliest(work: Workspace) -> None:
    land(work, "http://a.example/new", html(*NIGHT), day=2)
    land(work, "http://a.example/old", html(*NIGHT), day=1)
    land(work, "http://a.example/near", html(*NIGHT, "另外说一句，后来再没有人见过他。"), day=3)
    land(work, "http://a.example/other", html(*DAY), day=0)
    run(work)
    assert rows(
        work,
        "SELECT document.url, document.status, earlier.url FROM corpus.document AS document"
        " LEFT JOIN corpus.document AS earlier ON earlier.document_id = document.duplicate_of ORDER BY 1",
    ) == [
        ("http://a.example/near", "near_duplicate", "http://a.example/old"),
        ("http://a.example/new", "duplicate", "http://a.example/old"),
        ("http://a.example/old", "ok", None),
        ("http://a.example/other", "ok", None),
    ]  # fmt: skip


@pytest.mark.slow
def test_a_withdrawn_text_falls_everywhere_and_stays_down(work: Workspace, tmp_path: Path) -> None:
    land(work, "http://a.example/1", html("篇一", *NIGHT, "篇二", *DAY, title="日记(2篇)"))
    land(work, "http://a.example/2", html(*SEASON))
    run(work)
    with pytest.raises(DataError, match="nowhere"):
        withdraw(work.con, ["nowhere", "http://a.example/1"], "asked", work.run_id)
    assert rows(work, "SELECT count(*) FROM raw.withdrawal") == [(0,)]
    withdraw(work.con, ["http://a.example/1", "http://a.example/later"], "asked", work.run_id)
    land(work, "http://a.example/later", html(*(line.replace("季", "周") for line in SEASON[::-1])))
    land(
        work,
        "http://a.example/1",
        html("篇一", *NIGHT, "篇二", *NIGHT[::-1], title="日记(2篇)"),
        day=9,
    )
    run(work)
    assert rows(work, "SELECT url, status FROM corpus.document ORDER BY url") == [
        ("http://a.example/1", "withdrawn"),
        ("http://a.example/1#2", "withdrawn"),
        ("http://a.example/2", "ok"),
        ("http://a.example/later", "withdrawn"),
    ]
    write_release(work.con, "v1", tmp_path, commit=None, package_version="0")
    assert rows(
        work, f"SELECT url, licence FROM read_parquet('{tmp_path}/v1/corpus.document.parquet')"
    ) == [("http://a.example/2", "CC0")]
