"""Step 12: what a source puts on its pages leaves its texts, what texts have in common stays."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from towbench.schemas.settings import Settings
from towbench.sql.runner import Workspace, open_workspace
from towbench.tests.template import fresh_database

NOTICE = "本文由清风范文网的用户上传，未经许可不得转载，违者必究。"
ASIDE = "想看更多同类文章，请记住本站的网址，每天都有更新。"
FRUIT = "桃李杏梅柿枣梨橘柚橙蕉荔枇杷葡萄樱栗榛椰"


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
    for table in ("document", "shared_line", "dropped_line"):
        work.con.execute(f"DELETE FROM corpus.{table}")


def own(n: int) -> list[str]:
    """Six paragraphs that no other document has."""
    return [
        f"{FRUIT[n]}树下的第{place}天，河水又涨了{n + place}寸，老人站在桥头看了很久，没有说话。"
        for place in range(1, 7)
    ]


def add(work: Workspace, name: str, lines: list[str], source: str = "s") -> None:
    work.con.execute(
        "INSERT INTO corpus.document BY NAME SELECT $id AS document_id, 'b' AS benchmark,"
        " $source AS source, $id AS url, $text AS text, sha256($text) AS text_hash, 1 AS n_part,"
        " TIMESTAMP '2026-01-01' AS fetched_at, 'x' AS extractor_version, 'x' AS input_hash,"
        " 'ok' AS status, uuid() AS run_id",
        {"id": name, "source": source, "text": "\n\n".join(lines)},
    )


def run(work: Workspace) -> None:
    step = files("towbench") / "sql" / "steps" / "12_drop_shared_lines.sql"
    work.con.execute(step.read_text("utf-8"))


def query(work: Workspace, sql: str) -> list[tuple[Any, ...]]:
    return list(work.con.execute(sql).fetchall())


def text(work: Workspace, name: str) -> str:
    [(found,)] = query(work, f"SELECT text FROM corpus.document WHERE document_id = '{name}'")
    return str(found)


def test_a_line_of_many_documents_leaves_them_all_and_is_recorded(work: Workspace) -> None:
    for n in range(8):
        lines = own(n)
        add(work, f"d{n}", [*lines[:3], ASIDE, *lines[3:], NOTICE])
    add(work, "elsewhere", [*own(9), NOTICE], source="other")
    run(work)
    assert text(work, "d3") == "\n\n".join(own(3))
    assert text(work, "elsewhere").endswith(NOTICE)
    assert query(
        work, "SELECT source, line, n_document, n_known FROM corpus.shared_line ORDER BY line"
    ) == [("s", line, 8, 8) for line in sorted([ASIDE, NOTICE])]
    assert query(
        work, "SELECT place, line FROM corpus.dropped_line WHERE document_id = 'd3' ORDER BY place"
    ) == [(7, ASIDE), (15, NOTICE)]
    assert query(
        work,
        "SELECT count(*) FROM corpus.document WHERE n_dropped = 2 AND text_hash = sha256(text)",
    ) == [(8,)]


def test_what_was_learnt_holds_for_documents_that_come_later(work: Workspace) -> None:
    for n in range(6):
        add(work, f"d{n}", [*own(n), NOTICE])
    run(work)
    before = query(work, "SELECT * FROM corpus.document ORDER BY ALL")
    run(work)
    assert query(work, "SELECT * FROM corpus.document ORDER BY ALL") == before
    add(work, "later", [NOTICE, *own(7)])
    run(work)
    assert text(work, "later") == "\n\n".join(own(7))


def test_headings_formulas_and_salutations_stay(work: Workspace) -> None:
    common = ["尊敬的各位领导、各位来宾、各位同事、各位朋友：", "一、提高认识，加强领导，把责任落到实处。",
              "（二）完善制度，规范程序，强化监督和检查。", "谢谢大家！", "中华人民共和国某某省人民政府办公厅"]  # fmt: skip
    for n in range(8):
        add(work, f"d{n}", [common[0], *own(n), *common[1:]])
    run(work)
    assert query(work, "SELECT count(*) FROM corpus.shared_line") == [(0,)]
    assert text(work, "d2") == "\n\n".join([common[0], *own(2), *common[1:]])


def test_a_refrain_is_one_documents_own(work: Workspace) -> None:
    refrain = "船啊，船啊，风停了就回来吧，灯还亮着。"
    for n in range(8):
        lines = own(n)
        song = [part for line in lines for part in (line, refrain)] if n == 0 else lines
        add(work, f"d{n}", song)
    run(work)
    assert text(work, "d0").count(refrain) == 6


def test_copies_of_one_text_are_no_boilerplate(work: Workspace) -> None:
    for n in range(6):
        lines = own(0)
        lines[n] = own(n + 1)[0]
        add(work, f"copy{n}", lines)
    for n in range(8):
        add(work, f"d{n}", own(n + 8))
    run(work)
    assert query(work, "SELECT sum(n_dropped) FROM corpus.document") == [(0,)]


def test_a_page_with_little_else_is_too_short_then(work: Workspace) -> None:
    for n in range(8):
        add(work, f"d{n}", [*own(n), NOTICE])
    add(work, "stub", [own(9)[0], NOTICE])
    run(work)
    assert query(work, "SELECT status, reason FROM corpus.document WHERE document_id = 'stub'") == [
        ("too_short", "26_letters_without_shared_lines")
    ]


def test_four_documents_are_too_few_to_learn_from(work: Workspace) -> None:
    for n in range(4):
        add(work, f"d{n}", [*own(n), NOTICE])
    run(work)
    assert text(work, "d0").endswith(NOTICE)
