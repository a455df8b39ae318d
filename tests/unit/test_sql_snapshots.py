"""Snapshots: bare names read them while the inputs are what they were, and only then."""

from collections.abc import Iterator

import duckdb
import pytest

from towbench.schemas import snapshots
from towbench.schemas.errors import DataError
from towbench.schemas.snapshots import (
    build_snapshots,
    changing_rows,
    faults,
    fresh_snapshots,
    heavy_views,
)
from towbench.tests.cases_loader import CASES, fill, load_case, open_tables

VIEW = "significance_v1"
CASE = CASES / "significance_v1" / "constant_equal_and_single"
MORE: dict[str, str | None] = {
    "benchmark": "t", "item_id": "i9", "task": "open", "genre": "poem", "lang": "zh",
}  # fmt: skip


@pytest.fixture
def con(monkeypatch: pytest.MonkeyPatch) -> Iterator[duckdb.DuckDBPyConnection]:
    """A scored case with one heavy view, its snapshot built."""
    monkeypatch.setattr(snapshots, "heavy_views", lambda: (VIEW,))
    with open_tables() as con:
        load_case(con, CASE)
        assert [built.is_new for built in build_snapshots(con)] == [True]
        yield con


def reads_snapshot(con: duckdb.DuckDBPyConnection) -> bool:
    rows = con.execute(
        "SELECT sql FROM duckdb_views() WHERE view_name = 'significance' AND schema_name = 'bench'"
    ).fetchall()
    return f"snapshot.{VIEW}" in rows[0][0].replace('"', "")


def test_the_bare_name_reads_what_was_kept(con: duckdb.DuckDBPyConnection) -> None:
    assert reads_snapshot(con)
    con.execute(f"UPDATE snapshot.{VIEW} SET difference = 77")
    assert con.execute("SELECT DISTINCT difference FROM bench.significance").fetchall() == [(77,)]


def test_building_again_keeps_what_is_fresh(con: duckdb.DuckDBPyConnection) -> None:
    assert [built.is_new for built in build_snapshots(con)] == [False]
    fill(con, "corpus.item", [MORE])
    assert [built.is_new for built in build_snapshots(con)] == [True]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE judge.leaf_score SET score = 3 WHERE writing_id = 'A1' AND leaf = 'logic'",
        "DELETE FROM corpus.item_scope WHERE scope = 'genre:poem'",
        "UPDATE corpus.writing SET status = 'withdrawn' WHERE writing_id = 'B1'",
        "UPDATE run.asked SET repeats = 2 WHERE kind = 'judge'",
        "UPDATE judge.tree_node SET weight = 0.5 WHERE node = 'logic'",
        "UPDATE run.view_version SET version = 'another' WHERE name = '*'",
    ],
)
def test_a_change_of_any_input_makes_it_stale(con: duckdb.DuckDBPyConnection, change: str) -> None:
    assert fresh_snapshots(con) == [VIEW]
    con.execute(change)
    assert fresh_snapshots(con) == []


def test_what_the_view_does_not_read_leaves_it_fresh(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("INSERT INTO judge.panel VALUES ('later', 'c/z')")
    con.execute("DELETE FROM judge.panel WHERE panel = 'later'")
    fill(con, "judge.call", [{"call_key": "k", "benchmark": "t"}])
    assert fresh_snapshots(con) == [VIEW]


def test_a_command_reads_the_view_and_returns_to_the_snapshot(
    con: duckdb.DuckDBPyConnection,
) -> None:
    with changing_rows(con):
        assert not reads_snapshot(con)
    assert reads_snapshot(con)
    with changing_rows(con):
        fill(con, "corpus.item", [MORE])
    assert not reads_snapshot(con)


def test_a_command_that_is_cut_off_leaves_the_view(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(KeyboardInterrupt), changing_rows(con):
        raise KeyboardInterrupt
    assert not reads_snapshot(con)


def test_a_snapshot_that_is_not_what_the_view_answers_is_found(
    con: duckdb.DuckDBPyConnection,
) -> None:
    [query] = faults(con, fresh_snapshots(con)).values()
    assert con.execute(query).fetchall() == []
    con.execute(f"UPDATE snapshot.{VIEW} SET p = p + 1e-8 WHERE system_b = 'C'")
    assert len(con.execute(query).fetchall()) == 2
    con.execute(f"DELETE FROM snapshot.{VIEW}")
    assert len(con.execute(query).fetchall()) == 12


def test_a_name_that_reads_a_stale_snapshot_is_found(con: duckdb.DuckDBPyConnection) -> None:
    fill(con, "corpus.item", [MORE])
    [(says, query)] = faults(con, fresh_snapshots(con)).items()
    assert "bench.significance" in says
    assert "make analyse" in says
    assert con.execute(query).fetchall() != []


def test_a_view_that_fails_keeps_the_old_snapshot(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    con.execute("CREATE OR REPLACE VIEW bench.significance_v1 AS SELECT CAST('x' AS INT) AS n")
    con.execute("UPDATE run.view_version SET version = 'another' WHERE name = '*'")
    with pytest.raises(DataError, match=r"bench\.significance_v1 cannot be computed"):
        list(build_snapshots(con))
    assert con.execute(f"SELECT count(*) FROM snapshot.{VIEW}").fetchall() == [(12,)]


def test_heavy_views_are_declared_in_their_headers() -> None:
    declared = heavy_views()
    assert VIEW in declared
    assert "leaf_value_v1" not in declared


def test_no_check_takes_longer_than_told(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("UPDATE snapshot.state SET seconds = 1000")
    assert faults(con, fresh_snapshots(con)) == {}


def test_a_heavy_view_under_another_is_read_from_its_snapshot(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "heavy_views", lambda: (VIEW, "node_score_v1"))
    names = [built.view for built in build_snapshots(con)]
    assert names == ["node_score_v1", VIEW]
    con.execute("UPDATE snapshot.node_score_v1 SET score = 1")
    con.execute(f"DELETE FROM snapshot.state WHERE view = '{VIEW}'")
    assert [built.is_new for built in build_snapshots(con)] == [False, True]
    assert con.execute("SELECT DISTINCT difference FROM bench.significance").fetchall() == [(0,)]
    rows = con.execute("SELECT count(DISTINCT score) FROM bench.node_score_v1").fetchall()
    assert rows[0][0] > 1, "the view itself is what it was"
