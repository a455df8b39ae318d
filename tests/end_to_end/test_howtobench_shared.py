"""The released half of HoWToBench through the commands of the README: import, score, import again."""

from __future__ import annotations

from pathlib import Path

import pytest

from towbench.tests.project import Project

pytestmark = pytest.mark.shared
DATA = Path(__file__).resolve().parents[3] / "shared" / "howtobench"


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The real half imported, twelve items of it scored with all four trees."""
    project = Project(tmp_path_factory.mktemp("howtobench"))
    printed = project.run("import", str(DATA))
    assert "638 items, 6380 writings" in printed and "0 problems" in printed
    project.run("score", LIMIT="12", TREES="tow,tow_five,tow_released,average")
    return project


def test_every_released_item_and_output_is_a_row(imported: Project) -> None:
    assert imported.query("SELECT count(*), count(DISTINCT item_id) FROM corpus.item") == [
        (638, 638)
    ]
    rows = imported.query(
        "SELECT CAST(status AS VARCHAR), count(*) FROM corpus.writing "
        "WHERE system <> 'reference' GROUP BY ALL"
    )
    counts = {str(status): int(str(n)) for status, n in rows}
    assert counts == {"ok": 6347, "damaged": 8, "no_text": 25}
    assert imported.query("SELECT DISTINCT status FROM raw.record") == [("ok",)]


def test_nothing_was_crawled_or_written(imported: Project) -> None:
    assert imported.query("SELECT count(*) FROM raw.page") == [(0,)]
    assert imported.query(
        "SELECT count(*) FROM corpus.writing WHERE starts_with(system, 'embedded/')"
    ) == [(0,)]


def test_four_trees_rank_the_ten_models(imported: Project) -> None:
    rows = imported.query(
        "SELECT tree, count(*) FILTER (WHERE NOT is_control), max(n_expected), max(n_used) "
        "FROM bench.leaderboard WHERE scope = 'all' GROUP BY ALL ORDER BY ALL"
    )
    assert [row[0] for row in rows] == ["average_v1", "tow_five_v1", "tow_released_v1", "tow_v1"]
    for _, systems, expected, used in rows:
        assert (systems, expected) == (10, 638)
        assert used == 12


def test_importing_again_changes_nothing(imported: Project) -> None:
    tables = ("raw.record", "corpus.item", "corpus.writing", "judge.leaf_score")
    sums = [f"SELECT count(*), bit_xor(hash(t)) FROM {name} AS t" for name in tables]
    before = [imported.query(query) for query in sums]
    assert "0 rows changed" in imported.run("import", str(DATA))
    assert [imported.query(query) for query in sums] == before


def test_all_checks_hold_on_real_data(imported: Project) -> None:
    assert "All checks hold." in imported.run("check")
