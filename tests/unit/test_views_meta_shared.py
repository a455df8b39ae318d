"""Every published correlation of HANNA and the length figures of HoWToBench, by the views."""

import csv
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import duckdb
import pytest

from towbench.ingest.detect import import_folder
from towbench.tests.cases_loader import open_tables

pytestmark = pytest.mark.shared

SHARED = Path(__file__).parents[2].resolve().parent / "shared"


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    con = open_tables()
    import_folder(con, SHARED / "hanna", None, uuid4())
    import_folder(con, SHARED / "howtobench", None, uuid4())
    yield con
    con.close()


def test_every_published_value_of_hanna_is_reproduced(con: duckdb.DuckDBPyConnection) -> None:
    found = {
        (method.split("|")[1], criterion, level, coefficient): abs(value)
        for method, criterion, level, coefficient, value in con.execute(
            "SELECT method, criterion, 'system', coefficient, value "
            "FROM bench.system_coefficient_v1 WHERE benchmark = 'hanna' AND scope = 'all' "
            "UNION ALL "
            "SELECT method, criterion, 'story', coefficient, value "
            "FROM bench.sample_correlation_v1 WHERE benchmark = 'hanna' AND scope = 'all' "
            "AND aggregation = 'per_item_mean'"
        ).fetchall()
        if method.startswith("metric|")
    }
    path = SHARED / "hanna" / "published_abs_correlations_long.csv"
    with path.open(encoding="utf-8") as file:
        published = {
            (row["metric"], row["criterion"], row["level"], row["coefficient"]): float(
                row["abs_value"]
            )
            for row in csv.DictReader(file)
        }
    assert len(published) == 120
    assert found.keys() == published.keys()
    assert found == pytest.approx(published, abs=1e-9, rel=0)


def test_unread_replies_of_hanna_have_no_score(con: duckdb.DuckDBPyConnection) -> None:
    assert con.execute(
        "SELECT CAST(status AS VARCHAR), count(*), min(score), max(score) FROM judge.leaf_score "
        "WHERE benchmark = 'hanna' GROUP BY ALL ORDER BY ALL"
    ).fetchall() == [
        ("ok", 10514, 1.0, 5.0), ("out_of_range", 25, None, None), ("unparsable", 21, None, None),
    ]  # fmt: skip


def test_lengths_of_howtobench(con: duckdb.DuckDBPyConnection) -> None:
    figures = {
        task: (round(r, 4), round(slope, 4), n)
        for task, r, slope, n in con.execute(
            "SELECT r.task, r.r, l.slope, r.n FROM bench.length_correlation_v1 AS r "
            "INNER JOIN bench.length_regression_v1 AS l USING (benchmark, task, method, pair) "
            "WHERE benchmark = 'howtobench' AND pair = 'input_output'"
        ).fetchall()
    }
    assert figures == {
        "completion": (0.2328, 0.0431, 1860), "guide": (0.3621, 1.6045, 2080),
        "open": (0.2582, 6.1125, 2440),
    }  # fmt: skip
