"""Steps 21 and 22: copies from 0.7 on are found and only they, whatever else texts share."""

import random
from collections.abc import Iterator
from importlib.resources import files

import pytest

from towbench.schemas.settings import Settings
from towbench.sql.runner import Workspace, open_workspace
from towbench.tests.template import fresh_database

DRAW = random.Random(4)


def sentences(n: int) -> list[str]:
    return ["".join(chr(0x4E00 + DRAW.randrange(3000)) for _ in range(24)) + "。" for _ in range(n)]


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
    for table in ("document", "document_sketch"):
        work.con.execute(f"DELETE FROM corpus.{table}")


def found(
    work: Workspace, texts: dict[str, str], day: dict[str, int] | None = None
) -> dict[str, str]:
    """Names of copies and of what each is a copy of; a name starts with its source's letter."""
    for name, text in texts.items():
        work.con.execute(
            "INSERT INTO corpus.document BY NAME SELECT $id AS document_id, 'b' AS benchmark,"
            " left($id, 1) AS source, $id AS url, $text AS text, sha256($text) AS text_hash,"
            " 1 AS n_part, TIMESTAMP '2026-01-01' + INTERVAL 1 DAY * $day AS fetched_at,"
            " 'x' AS extractor_version, 'x' AS input_hash, 'ok' AS status, uuid() AS run_id",
            {"id": name, "text": text, "day": (day or {}).get(name, 0)},
        )
    for step in sorted((files("towbench") / "sql" / "steps").iterdir(), key=lambda step: step.name):
        if step.name[:2] in ("21", "22"):
            work.con.execute(step.read_text("utf-8"))
    return dict(
        work.con.execute(
            "SELECT document_id, duplicate_of FROM corpus.document WHERE status = 'near_duplicate'"
        ).fetchall()
    )


def test_what_shares_seven_tenths_is_a_copy_and_what_shares_half_is_not(work: Workspace) -> None:
    texts, copies = {}, {}
    for n in range(40):
        base = sentences(48)
        texts[f"a{n:02}"] = "".join(base)
        # Of 48 sentences 42 shared is a Jaccard similarity of .78, 32 shared of .5.
        texts[f"b{n:02}"] = "".join(base[:42] + sentences(6))
        texts[f"c{n:02}"] = "".join(base[:32] + sentences(16))
        copies[f"b{n:02}"] = f"a{n:02}"
    assert found(work, texts) == copies


def test_boilerplate_that_all_share_makes_no_copies(work: Workspace) -> None:
    notice = "".join(sentences(12))
    texts = {f"a{n:03}": notice + "".join(sentences(36)) for n in range(200)}
    texts["b"] = notice + texts["a007"][len(notice) :].replace("一", "二")
    assert found(work, texts) == {"b": "a007"}


def test_a_mass_of_copies_all_name_the_earliest(work: Workspace) -> None:
    base = sentences(48)
    texts = {f"a{n:02}": "".join(base[: 24 + n // 3] + base[25 + n // 3 :]) for n in range(60)}
    copies = found(work, texts, {name: 1 for name in texts if name != "a33"})
    assert copies == dict.fromkeys(texts.keys() - {"a33"}, "a33")


def test_a_refrain_makes_no_copy_of_another_song(work: Workspace) -> None:
    refrain = "船啊，船啊，风停了就回来吧，灯还亮着。"
    songs = {
        f"a{n}": "\n".join(line for verse in sentences(10) for line in (verse, refrain))
        for n in range(12)
    }
    assert found(work, songs) == {}
