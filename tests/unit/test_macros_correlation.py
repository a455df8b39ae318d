"""Correlation and least squares in SQL against scipy, many groups a query."""

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import special, stats

from towbench.tests.macro_loader import Cell, complete, load_pairs, macros, off

Series = tuple[list[Cell], list[Cell]]
SIZES = [0, 1, 2, 3, 3, 4, 4, 5, 5, 8, 13, 13, 50, 50, 51, 400, 400, 5000]
KINDS = ["continuous", "ties", "binary", "constant x", "constant y", "perfect", "near"]
TOLERANCE = 1e-9
# A batch names the group that failed, which is small already: shrinking would only take minutes.
UNSHRUNK = settings(max_examples=8, deadline=None, phases=[Phase.explicit, Phase.generate])


@dataclass(frozen=True)
class Group:
    """How to make a pair of series: what it looks like, how far from zero, on which scale."""

    kind: str
    n: int
    seed: int
    offset: float
    scale: float
    noise: float
    share_missing: float

    def series(self) -> Series:
        rng = np.random.default_rng(self.seed)
        x: NDArray[np.floating[Any]] = rng.normal(size=self.n)
        y: NDArray[np.floating[Any]] = rng.normal(size=self.n) + x * rng.normal()
        if self.kind == "ties":
            x, y = rng.integers(1, 11, self.n) * 1.0, rng.integers(1, 11, self.n) * 1.0
        elif self.kind == "binary":
            x, y = rng.integers(0, 2, self.n) * 1.0, rng.integers(0, 2, self.n) * 1.0
        elif self.kind == "perfect":
            y = x * (-2.5 if self.seed % 2 else 0.3)
        elif self.kind == "near":
            y = x + self.noise * y
        x, y = (x + self.offset) * self.scale, (y - self.offset) * self.scale
        if self.kind == "constant x":
            x = np.full(self.n, 0.1)
        elif self.kind == "constant y":
            y = np.full(self.n, 1e6 + 0.1)
        missing = rng.random((2, self.n)) < self.share_missing
        rest = [None, math.nan, math.inf]
        return (
            [rest[i % 3] if m else float(v) for i, (m, v) in enumerate(zip(missing[0], x, strict=True))],
            [rest[i % 3] if m else float(v) for i, (m, v) in enumerate(zip(missing[1], y, strict=True))],
        )  # fmt: skip


GROUPS = st.lists(
    st.builds(
        Group,
        kind=st.sampled_from(KINDS),
        n=st.sampled_from(SIZES),
        seed=st.integers(0, 10**6),
        offset=st.sampled_from([0.0, 0.0, 3.0, 1e3, -1e6]),
        scale=st.sampled_from([1.0, 1.0, 1e-9, 1e9, 1e-100, 1e100]),
        noise=st.sampled_from([0.5, 1e-3, 1e-5, 1e-7, 3e-8]),
        share_missing=st.sampled_from([0.0, 0.0, 0.1, 0.6]),
    ),
    min_size=10,
    max_size=16,
)


def _varies(x: list[float], y: list[float]) -> bool:
    return len(x) >= 3 and min(x) < max(x) and min(y) < max(y)


def _exact_r(x: list[float], y: list[float]) -> float:
    """Pearson correlation with 64-bit mantissas, near +-1 by the distance of directions."""
    u, v = (np.array(s, np.longdouble) - np.mean(np.array(s, np.longdouble)) for s in (x, y))
    u, v = u / np.sqrt(u @ u), v / np.sqrt(v @ v)
    r = u @ v
    if abs(r) > 0.5:
        r = np.sign(r) * (1 - ((u - np.sign(r) * v) ** 2).sum() / 2)
    return float(r)


@given(GROUPS)
@UNSHRUNK
def test_pearson(groups: list[Group]) -> None:
    data = [group.series() for group in groups]
    load_pairs(data)
    rows = macros().execute(
        "SELECT g, n, r, correlation_p_v1(r, n - 2) FROM (SELECT g, pair_count_v1(x, y) AS n, "
        "pearson_r_v1(x, y) AS r FROM d GROUP BY g)"
    )
    for g, n, r, p in rows.fetchall():
        x, y = complete(*data[g])
        assert n == len(x)
        if not _varies(x, y):
            assert (r, p) == (None, None), groups[g]
            continue
        exact = _exact_r(x, y)
        assert off(r, exact) < TOLERANCE, groups[g]
        # One step of r away from +-1 moves p by 1e-8: both are taken at the same r.
        assert off(p, float(special.betainc(n / 2 - 1, 0.5, (1 - r) * (1 + r)))) < TOLERANCE
        if groups[g].kind == "perfect":
            assert (abs(r), p) == (1.0, 0.0), groups[g]
        elif abs(exact) < 0.999:
            known = stats.pearsonr(x, y)
            assert off(r, known.statistic) < TOLERANCE
            assert off(p, known.pvalue) < TOLERANCE


@given(GROUPS)
@UNSHRUNK
def test_least_squares(groups: list[Group]) -> None:
    data = [group.series() for group in groups]
    load_pairs(data)
    rows = macros().execute(
        "SELECT g, fit.n, fit.slope, fit.intercept, fit.slope_stderr, fit.intercept_stderr, fit.r2 "
        "FROM (SELECT g, ols_v1(x, y) AS fit FROM d GROUP BY g)"
    )
    for g, n, slope, intercept, slope_stderr, intercept_stderr, r2 in rows.fetchall():
        x, y = complete(*data[g])
        got = [slope, intercept, slope_stderr, intercept_stderr]
        if len(x) < 3 or min(x) == max(x):
            assert [*got, r2] == [None] * 5, groups[g]
            continue
        if min(y) == max(y):
            assert [*got, r2] == [0.0, pytest.approx(y[0], rel=1e-12), 0.0, 0.0, None]
            continue
        a, b = np.array(x, np.longdouble), np.array(y, np.longdouble)
        da, db = a - a.mean(), b - b.mean()
        true = da @ db / (da @ da)
        error = np.sqrt(((db - true * da) ** 2).sum() / (n - 2) / (da @ da))
        if abs(_exact_r(x, y)) > 1 - 1e-15:
            assert got[2:] == [0.0, 0.0] and r2 == 1.0, groups[g]
            error = np.longdouble(0)
        wanted = [
            true,
            b.mean() - true * a.mean(),
            error,
            error * np.sqrt(da @ da / n + a.mean() ** 2),
        ]
        # An intercept far from the data inherits the digits that the slope lost on the way.
        reach = max(1.0, float(abs(true * a.mean())), float(abs(b.mean())))
        for name, ours, theirs, size in zip(
            ["slope", "intercept", "slope_stderr", "intercept_stderr"],
            got,
            wanted,
            [1.0, reach, 1.0, 1.0],
            strict=True,
        ):
            assert off(ours / size, float(theirs / size)) < TOLERANCE, (name, groups[g])
        assert off(r2, _exact_r(x, y) ** 2) < TOLERANCE


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


RANKED = """
    WITH ranked AS (
        SELECT g, average_rank_v1(x, g) AS rank_x, average_rank_v1(y, g) AS rank_y,
            discordant_before_v1(x, y, g) AS discordant, tie_count_v1(x, g) AS tie_x,
            tie_count_v1(y, g) AS tie_y, pair_tie_count_v1(x, y, g) AS tie_xy
        FROM d WHERE is_pair_v1(x, y)
    )
"""
KENDALL = "(discordant, tie_x, tie_y, tie_xy)"


@given(GROUPS)
@UNSHRUNK
def test_spearman_and_kendall(groups: list[Group]) -> None:
    data = [group.series() for group in groups]
    load_pairs(data)
    rows = macros().execute(
        f"{RANKED} SELECT g, n, rho, correlation_p_v1(rho, n - 2), a, b, c, p, z FROM (SELECT g, "
        f"count(*) AS n, pearson_r_v1(rank_x, rank_y) AS rho, kendall_tau_a_v1{KENDALL} AS a, "
        f"kendall_tau_b_v1{KENDALL} AS b, kendall_tau_c_v1{KENDALL} AS c, "
        f"kendall_p_v1{KENDALL} AS p, kendall_z_v1{KENDALL} AS z FROM ranked GROUP BY g)"
    )
    for g, n, rho, rho_p, a, b, c, p, z in rows.fetchall():
        x, y = complete(*data[g])
        if not _varies(x, y):
            assert [rho, rho_p, a, b, c, p, z] == [None] * 7, groups[g]
            continue
        spearman = stats.spearmanr(x, y)
        assert off(rho, spearman.statistic) < TOLERANCE, groups[g]
        assert abs(rho) > 1 - 1e-12 or off(rho_p, spearman.pvalue) < TOLERANCE, groups[g]
        untied = len(set(x)) == len(set(y)) == n
        method = "exact" if n <= 50 and untied else "asymptotic"
        tau = stats.kendalltau(x, y, method=method)
        assert off(b, tau.statistic) < TOLERANCE, groups[g]
        assert off(p, tau.pvalue) < TOLERANCE, groups[g]
        assert off(p if method == "asymptotic" else None, _normal_p(z, method)) < TOLERANCE
        tau_c = float(stats.kendalltau(x, y, variant="c").statistic)
        assert off(c, tau_c) < TOLERANCE, groups[g]
        distinct = min(len(set(x)), len(set(y)))
        balance = tau_c * n * n * (distinct - 1) / distinct / 2
        assert off(a, balance / (n * (n - 1) / 2)) < TOLERANCE, groups[g]
        if untied and groups[g].kind == "perfect":
            assert abs(rho) == abs(a) == abs(b) == abs(c) == 1.0
            assert rho_p == 0.0


def _normal_p(z: float, method: str) -> float | None:
    return 2 * float(stats.norm.sf(abs(z))) if method == "asymptotic" else None


def test_without_groups_and_without_rows() -> None:
    load_pairs([([1.0, 2.0, 4.0, None], [2.0, 1.0, 5.0, 3.0])])
    both = "pearson_r_v1(x, y), ols_slope_v1(x, y), pair_count_v1(x, y)"
    whole = macros().execute(f"SELECT {both} FROM d").fetchall()
    fit = stats.linregress([1, 2, 4], [2, 1, 5])
    assert whole == [(pytest.approx(fit.rvalue), pytest.approx(fit.slope), 3)]
    assert macros().execute(f"SELECT {both} FROM d WHERE false").fetchall() == [(None, None, 0)]


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
        f"{RANKED} SELECT pearson_r_v1(rank_x, rank_y), kendall_tau_a_v1{KENDALL}, "
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
    assert macros().execute(query, [1.0, 1.0, 1.0]).fetchall() == [(None,)]
    assert macros().execute(query, [0.5, None, 0.1]).fetchall() == [(None,)]
