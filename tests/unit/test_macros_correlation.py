"""Correlation and least squares in SQL against exact sums and scipy, many groups a query."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from scipy import special, stats

from towbench.tests.macro_loader import Cell, complete, load_pairs, macros, off
from towbench.tests.macro_series import SIZES, Group, groups, truth, varies

TOLERANCE = 1e-9
# A batch names the group that failed, which is small already: shrinking would only take minutes.
QUICK = settings(max_examples=2, deadline=None, phases=[Phase.explicit, Phase.generate])
LONG = settings(QUICK, max_examples=40)
RANKED = """
    WITH ranked AS (
        SELECT g, average_rank_v1(x, g) AS rank_x, average_rank_v1(y, g) AS rank_y,
            discordant_before_v1(x, y, g) AS discordant, tie_count_v1(x, g) AS tie_x,
            tie_count_v1(y, g) AS tie_y, pair_tie_count_v1(x, y, g) AS tie_xy
        FROM d WHERE is_pair_v1(x, y)
    )
"""
KENDALL = "(discordant, tie_x, tie_y, tie_xy)"


def check(batch: list[Group]) -> None:
    """All coefficients of a batch of groups."""
    data = [group.series() for group in batch]
    load_pairs(data)
    _check_pearson_and_line(batch, [complete(*pair) for pair in data])
    _check_ranks(batch, [complete(*pair) for pair in data])


@given(groups(SIZES, 40, 60))
@QUICK
def test_coefficients(batch: list[Group]) -> None:
    check(batch)


@pytest.mark.slow
@given(groups([*SIZES, 1302, 5000], 20, 30))
@LONG
def test_coefficients_of_many_and_long_series(batch: list[Group]) -> None:
    check(batch)


def _check_pearson_and_line(
    batch: list[Group], data: list[tuple[list[float], list[float]]]
) -> None:
    rows = macros().execute(
        "SELECT g, n, r, correlation_p_v1(r, n - 2), fit.slope, fit.intercept, fit.slope_stderr, "
        "fit.intercept_stderr, fit.r2 FROM (SELECT g, pair_count_v1(x, y) AS n, "
        "pearson_r_v1(x, y) AS r, ols_v1(x, y) AS fit FROM d GROUP BY g)"
    )
    for g, n, r, p, *line in rows.fetchall():
        x, y = data[g]
        assert n == len(x)
        if len(x) < 3 or min(x) == max(x):
            assert [r, p, *line] == [None] * 7, batch[g]
            continue
        if min(y) == max(y):
            assert [r, p, *line] == [
                None, None, 0.0, pytest.approx(y[0], rel=1e-12), 0.0, 0.0, None
            ], batch[g]  # fmt: skip
            continue
        exact = truth(x, y)
        assert off(r, exact.r) < TOLERANCE, batch[g]
        # One step of r away from +-1 moves p by 1e-8: both are taken at the same r.
        assert off(p, float(special.betainc(n / 2 - 1, 0.5, (1 - r) * (1 + r)))) < TOLERANCE
        # Within 1e-15 of +-1 a fit is perfect; r itself is known to some 1e-16.
        if exact.gap < 0.8e-15 or (exact.gap < 1.2e-15 and abs(r) == 1):
            assert [abs(r), p, *line[2:]] == [1.0, 0.0, 0.0, 0.0, 1.0], batch[g]
            wanted = [exact.slope, exact.intercept, 0.0, 0.0, 1.0]
        else:
            assert abs(r) < 1, batch[g]
            wanted = [
                exact.slope, exact.intercept, exact.slope_stderr, exact.intercept_stderr, exact.r**2
            ]  # fmt: skip
        for name, ours, theirs in zip(
            ["slope", "intercept", "slope_stderr", "intercept_stderr", "r2"],
            line,
            wanted,
            strict=True,
        ):
            assert off(ours, theirs) < TOLERANCE, (name, ours, theirs, batch[g])


def _check_ranks(batch: list[Group], data: list[tuple[list[float], list[float]]]) -> None:
    rows = macros().execute(
        f"{RANKED} SELECT g, n, rho, correlation_p_v1(rho, n - 2), a, b, c, p, z FROM (SELECT g, "
        f"count(*) AS n, spearman_rho_v1(rank_x, rank_y) AS rho, kendall_tau_a_v1{KENDALL} AS a, "
        f"kendall_tau_b_v1{KENDALL} AS b, kendall_tau_c_v1{KENDALL} AS c, "
        f"kendall_p_v1{KENDALL} AS p, kendall_z_v1{KENDALL} AS z FROM ranked GROUP BY g)"
    )
    for g, n, rho, rho_p, a, b, c, p, z in rows.fetchall():
        x, y = data[g]
        if not varies(x, y):
            assert [rho, rho_p, a, b, c, p, z] == [None] * 7, batch[g]
            continue
        spearman = stats.spearmanr(x, y)
        assert off(rho, spearman.statistic) < TOLERANCE, batch[g]
        assert abs(rho) > 1 - 1e-12 or off(rho_p, spearman.pvalue) < TOLERANCE, batch[g]
        untied = len(set(x)) == len(set(y)) == n
        method = "exact" if n <= 50 and untied else "asymptotic"
        tau = stats.kendalltau(x, y, method=method)
        assert off(b, tau.statistic) < TOLERANCE, batch[g]
        assert off(p, tau.pvalue) < TOLERANCE, batch[g]
        assert off(p if method == "asymptotic" else None, _normal_p(z, method)) < TOLERANCE
        tau_c = float(stats.kendalltau(x, y, variant="c").statistic)
        assert off(c, tau_c) < TOLERANCE, batch[g]
        distinct = min(len(set(x)), len(set(y)))
        balance = tau_c * n * n * (distinct - 1) / distinct / 2
        assert off(a, balance / (n * (n - 1) / 2)) < TOLERANCE, batch[g]
        if untied and batch[g].kind == "perfect":
            assert abs(rho) == abs(a) == abs(b) == abs(c) == 1.0
            assert rho_p == 0.0


def _normal_p(z: float, method: str) -> float | None:
    return 2 * float(stats.norm.sf(abs(z))) if method == "asymptotic" else None


def test_least_squares_equals_scipy() -> None:
    data = [Group(kind, 50, 3, 3.0, 1.0, 0.5, 0.1).series() for kind in ("continuous", "ties")]
    load_pairs(data)
    rows = macros().execute(
        "SELECT g, ols_slope_v1(x, y), ols_intercept_v1(x, y), ols_slope_stderr_v1(x, y), "
        "ols_intercept_stderr_v1(x, y), ols_r2_v1(x, y), "
        "correlation_p_v1(pearson_r_v1(x, y), pair_count_v1(x, y) - 2) FROM d GROUP BY g"
    )
    for g, *got in rows.fetchall():
        fit = stats.linregress(*complete(*data[g]))
        wanted = [
            fit.slope, fit.intercept, fit.stderr, fit.intercept_stderr, fit.rvalue**2, fit.pvalue
        ]  # fmt: skip
        assert got == pytest.approx(wanted, abs=TOLERANCE, rel=TOLERANCE)


def test_without_groups_and_without_rows() -> None:
    load_pairs([([1.0, 2.0, 4.0, None], [2.0, 1.0, 5.0, 3.0])])
    both = "pearson_r_v1(x, y), ols_slope_v1(x, y), pair_count_v1(x, y)"
    whole = macros().execute(f"SELECT {both} FROM d").fetchall()
    fit = stats.linregress([1, 2, 4], [2, 1, 5])
    assert whole == [(pytest.approx(fit.rvalue), pytest.approx(fit.slope), 3)]
    assert macros().execute(f"SELECT {both} FROM d WHERE false").fetchall() == [(None, None, 0)]


def test_equal_but_for_rounding_is_constant() -> None:
    """Where scipy warns of nearly constant input, nothing that is left means anything."""
    x, near = [1.0, 2.0, 3.0, 5.0], [6.0, 6.000000000000002, 5.999999999999999, 6.0]
    load_pairs([(x, near), (near, x), (x, [6.0, 6.0 + 1e-11, 6.0, 6.0])])
    with pytest.warns(stats.NearConstantInputWarning):
        stats.pearsonr(x, near)
    rows = macros().execute(
        "SELECT pearson_r_v1(x, y), ols_slope_v1(x, y), ols_slope_stderr_v1(x, y), "
        "list_correlations_v1(list(x), list(y)).pearson FROM d GROUP BY g ORDER BY g"
    )
    *constant, (r, *_) = rows.fetchall()
    assert constant == [(None, 0.0, 0.0, None), (None, None, None, None)]
    assert r == pytest.approx(stats.pearsonr(x, [6, 7, 6, 6]).statistic, abs=1e-4)


@pytest.mark.parametrize(
    ("x", "y", "rho", "a", "b", "c"),
    [
        ([1, 2, 2.5, 2], [1, 3, 2.5, 4], 0.3162, 1 / 6, 0.1826, 0.1875),
        ([1, 2, 2.5, 2, math.nan], [1, 3, 2.5, 4, 2], 0.3162, 1 / 6, 0.1826, 0.1875),
        (
            [5, 5, 5, 6, 7, 7, 8, 9],
            [4, 5, 5, 5, 7, 8, 8, 8],
            0.9034,
            0.6786,
            0.8269,
            0.7917,
        ),
    ],
)
def test_known_cases_of_ties(
    x: list[Cell], y: list[Cell], rho: float, a: float, b: float, c: float
) -> None:
    load_pairs([(x, y)])
    rows = macros().execute(
        f"{RANKED} SELECT spearman_rho_v1(rank_x, rank_y), kendall_tau_a_v1{KENDALL}, "
        f"kendall_tau_b_v1{KENDALL}, kendall_tau_c_v1{KENDALL} FROM ranked"
    )
    (got,) = rows.fetchall()
    known = complete(x, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert got[0] == pytest.approx(stats.spearmanr(*known).statistic, abs=1e-12)
    assert list(got) == pytest.approx([rho, a, b, c], abs=6e-5)


def test_partial_correlation_is_that_of_the_residuals() -> None:
    rng = np.random.default_rng(5)
    z = rng.normal(size=200)
    x, y = z + rng.normal(size=200), rng.normal(size=200) - z
    r_xy, r_xz, r_yz = (float(stats.pearsonr(*pair)[0]) for pair in ((x, y), (x, z), (y, z)))
    rest = [v - stats.linregress(z, v).slope * z for v in (x, y)]
    query = "SELECT partial_correlation_v1(?, ?, ?)"
    rows = macros().execute(query, [r_xy, r_xz, r_yz]).fetchall()
    assert off(rows[0][0], float(stats.pearsonr(*rest)[0])) < TOLERANCE
    z_near = -0.9999995344106567
    assert macros().execute(query, [1.0, z_near, z_near]).fetchall() == [(1.0,)]
    assert macros().execute(query, [1.0, 1.0, 1.0]).fetchall() == [(None,)]
    assert macros().execute(query, [0.5, None, 0.1]).fetchall() == [(None,)]
