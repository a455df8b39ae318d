"""The printed tables and the released half of HoWToBench through dataset_statistics and filter."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from uuid import UUID

import duckdb
import pytest

from towbench.ingest.howtobench import import_howtobench
from towbench.tests.cases_loader import BASE, fill, open_tables, read_rows

SHARED = Path(__file__).resolve().parents[3] / "shared" / "howtobench"
# HoWToBench Table 13: documents with scores 1 to 5.
TABLE_13 = {
    "chinawriter": (0, 12, 1137, 4468, 19),
    "zjxc": (0, 3, 272, 722, 86),
    "gongwen": (2, 15, 8705, 6957, 204),
}
CREATIVE = {"议论文", "散文", "文章", "纪实", "小说", "诗歌"}


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    con = open_tables()
    yield con
    con.close()


def test_table_13_comes_back_from_its_documents(con: duckdb.DuckDBPyConnection) -> None:
    for path in BASE.glob("*.csv"):
        fill(con, path.stem, read_rows(path))
    fill(con, "run.asked", [{"benchmark": "t", "kind": "filter", "name": "f/f"}])
    for source, counts in TABLE_13.items():
        for score, n in enumerate(counts, 1):
            con.execute(
                """
                INSERT INTO corpus.document BY NAME
                SELECT
                    concat($source, $score, '-', n) AS document_id, 't' AS benchmark,
                    $source AS source, '' AS url, 'zh' AS lang, 'h' AS text_hash, 1 AS n_part,
                    TIMESTAMP '2026-01-01' AS fetched_at, 'x' AS extractor_version,
                    'h' AS input_hash, 'ok' AS status, uuidv7() AS run_id
                FROM range($n) AS document (n)
                """,
                {"source": source, "score": score, "n": n},
            )
    con.execute(
        """
        INSERT INTO corpus.annotation BY NAME
        SELECT
            document_id, 'quality' AS stage, 'overall' AS key,
            substr(document_id, length(source) + 1, 1) AS value, 'f/f' AS model,
            'quality_fiction_v1.zh' AS prompt_id, 'h' AS input_hash, 'p1' AS parser_version,
            'ok' AS status, uuidv7() AS run_id
        FROM corpus.document
        """
    )
    rows = con.execute(
        "SELECT source, score, n, share FROM bench.filter_distribution ORDER BY ALL"
    ).fetchall()
    assert [(source, score, n) for source, score, n, _ in rows] == [
        (source, score, n)
        for source, counts in sorted(TABLE_13.items())
        for score, n in enumerate(counts, 1)
        if n
    ]
    assert sum(share for *_, share in rows) == pytest.approx(len(TABLE_13))


@pytest.mark.shared
def test_the_released_half_has_the_lengths_that_its_files_have(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    wanted: dict[tuple[str, str], list[tuple[int, int | None, int | None]]] = {}
    for task in ("completion", "guide", "open"):
        (tmp_path / task).mkdir()
        shutil.copy(SHARED / task / "aligned.jsonl", tmp_path / task)
        for line in (SHARED / task / "aligned.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            kind = "creative" if row["sub_task"] in CREATIVE else "functional"
            lengths = (
                len(row["basic_instruction"]),
                len(row.get("information") or "") or None,
                len(row["reference"]) or None,
            )
            for name in (task, "all"):
                wanted.setdefault((kind, name), []).append(lengths)
    import_howtobench(con, tmp_path, "howtobench", UUID(int=1))
    rows = con.execute(
        "SELECT kind, task, n, instruction_length, grounding_length, reference_length "
        "FROM bench.dataset_statistics WHERE benchmark = 'howtobench' ORDER BY ALL"
    ).fetchall()
    assert sum(row[2] for row in rows if row[1] == "all") == 638
    assert {(row[0], row[1]) for row in rows} == set(wanted)
    for kind, task, n, *means in rows:
        texts = wanted[kind, task]
        assert n == len(texts)
        for mean, values in zip(means, zip(*texts, strict=True), strict=True):
            there = [value for value in values if value is not None]
            assert mean == (pytest.approx(fmean(there)) if there else None)
    # Table 2: completion items are creative, open ones have no grounding, and gaps are shorter
    # than whole texts.
    found = {(row[0], row[1]): row[3:] for row in rows}
    assert ("functional", "completion") not in found
    assert found["creative", "open"][1] is None
    assert found["creative", "completion"][2] < found["creative", "guide"][2]
