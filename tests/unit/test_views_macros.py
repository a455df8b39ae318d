"""The statistical and mapping macros against scipy and by hand."""

import duckdb
import pytest
from scipy.stats import t as student

from towbench.schemas.database import CATALOG
from towbench.schemas.definitions import build_macros


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute(f"ATTACH ':memory:' AS {CATALOG}")
    con.execute(f"USE {CATALOG}")
    build_macros(con)
    return con


def test_t_quantile_equals_scipy_for_every_size_of_sample(con: duckdb.DuckDBPyConnection) -> None:
    rows = con.execute(
        "SELECT df, t_quantile_975_v1(df) FROM (SELECT range AS df FROM range(1, 3000) "
        "UNION ALL VALUES (13020), (1000000), (100000000))"
    ).fetchall()
    worst = max(abs(value - float(student.ppf(0.975, df))) for df, value in rows)
    assert worst < 1e-9


def test_t_quantile_is_null_where_undefined(con: duckdb.DuckDBPyConnection) -> None:
    assert con.execute(
        "SELECT t_quantile_975_v1(0), t_quantile_975_v1(-1), t_quantile_975_v1(NULL)"
    ).fetchall() == [(None, None, None)]


@pytest.mark.parametrize("df", [1, 2, 3, 8, 31, 150])
@pytest.mark.parametrize("t", [0.0, 0.3, 1.96, 12.0])
def test_t_central_area_equals_scipy(con: duckdb.DuckDBPyConnection, df: int, t: float) -> None:
    rows = con.execute("SELECT t_central_area_v1(?::DOUBLE, ?)", [t, df]).fetchall()
    assert rows[0][0] == pytest.approx(1 - 2 * student.sf(t, df), abs=1e-13)


@pytest.mark.parametrize(
    ("score", "name", "args", "value"),
    [
        (4.0, "steps", [4, 0, 7, 5, 10, 10], 0.0),
        (4.5, "steps", [4, 0, 7, 5, 10, 10], 5.0),
        (10.0, "steps", [4, 0, 7, 5, 10, 10], 10.0),
        (10.5, "steps", [4, 0, 7, 5, 10, 10], None),
        (2.0, "affine", [5, -5], 5.0),
        (0.0, "clamp_affine", [1, 3, 5, -5], 0.0),
        (9.0, "clamp_affine", [1, 3, 5, -5], 10.0),
        (7.0, "identity", [], 7.0),
        (None, "clamp_affine", [1, 3, 5, -5], None),
        (None, "steps", [4, 0, 7, 5, 10, 10], None),
    ],
)
def test_map_score(
    con: duckdb.DuckDBPyConnection,
    score: float | None,
    name: str,
    args: list[float],
    value: float | None,
) -> None:
    rows = con.execute(
        "SELECT map_score_v1(?::DOUBLE, ?, ?::DOUBLE[])", [score, name, args]
    ).fetchall()
    assert rows == [(value,)]
