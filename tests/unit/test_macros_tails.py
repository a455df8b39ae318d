"""Tail probabilities in SQL against scipy and closed forms, over grids in one query each."""

import math
from collections.abc import Sequence
from itertools import product

import pytest
from scipy import special, stats

from towbench.tests.macro_loader import macros, off

T = [0, 1e-8, 1e-3, 0.1, 0.5, 1, 1.5, 2, 3, 5, 8, 12, 30, 300, -2]
DF = [1, 2, 3, 4, 5, 8, 10, 20, 50, 100, 300, 1302, 5000, 1e5, 1e6, 1e8]
F = [0, 0.01, 0.3, 0.8, 1, 1.001, 1.05, 1.3, 2, 5, 20, 300]
DF1 = [1, 2, 3, 5, 8, 9, 30, 200, 1000, 5000, 1e6]
DF2 = [1, 2, 3, 8, 30, 200, 1302, 5000, 1e6]


def _over(expression: str, grid: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Rows (argument, ..., result) of an expression of v[1], v[2], ... over a grid."""
    arguments = ", ".join(f"v[{i + 1}]" for i in range(len(grid[0])))
    return (
        macros()
        .execute(
            f"SELECT {arguments}, {expression} FROM (SELECT unnest(?::DOUBLE[][]) AS v)",
            [[list(point) for point in grid]],
        )
        .fetchall()
    )


def _student(t: float, df: float) -> float:
    # scipy loses digits near the centre: two closed forms there
    if df == 1:
        return 1 - 2 * math.atan(abs(t)) / math.pi
    if df == 2:
        return 1 - abs(t) / math.sqrt(2 + t * t)
    return 2 * float(stats.t.sf(abs(t), df))


def test_student() -> None:
    rows = _over("t_two_sided_p_v1(v[1], v[2])", list(product(T, DF)))
    assert max(off(p, _student(t, df)) for t, df, p in rows) < 1e-9


def test_correlation_p_up_to_perfect() -> None:
    near = [1 - 10.0**-k for k in range(1, 16)]
    grid = list(product([0.0, 1e-9, 0.3, *near, *(-r for r in near)], DF[:13]))
    rows = _over("correlation_p_v1(v[1], v[2])", grid)
    wanted = [
        float(
            special.betaincc(0.5, df / 2, r * r)
            if abs(r) < 0.5
            else special.betainc(df / 2, 0.5, (1 - abs(r)) * (1 + abs(r)))
        )
        for r, df in grid
    ]
    assert max(off(row[-1], p) for row, p in zip(rows, wanted, strict=True)) < 1e-9
    assert _over("correlation_p_v1(v[1], v[2])", [(1.0, 1.0), (-1.0, 5.0), (0.0, 5.0)]) == [
        (1.0, 1.0, 0.0), (-1.0, 5.0, 0.0), (0.0, 5.0, 1.0)
    ]  # fmt: skip


def test_fisher() -> None:
    rows = _over("f_upper_p_v1(v[1], v[2], v[3])", list(product(F, DF1, DF2)))
    assert max(off(p, float(stats.f.sf(f, a, b))) for f, a, b, p in rows) < 1e-9


def test_normal_with_relative_digits_of_small_tails() -> None:
    rows = _over("normal_two_sided_p_v1(v[1])", [(z / 16,) for z in range(-590, 591)])
    for z, p in rows:
        assert p == pytest.approx(float(special.erfc(abs(z) / math.sqrt(2))), rel=1e-10)


@pytest.mark.parametrize(
    "expression",
    [
        "t_two_sided_p_v1(NULL, 3)", "t_two_sided_p_v1(1, 0)", "t_two_sided_p_v1('nan'::DOUBLE, 3)",
        "f_upper_p_v1(-1, 2, 3)", "f_upper_p_v1(1, 0, 3)", "f_upper_p_v1(NULL, 2, 3)",
        "correlation_p_v1(NULL, 3)", "correlation_p_v1(0.5, 0)", "correlation_p_v1(1.5, 3)",
        "correlation_p_v1('nan'::DOUBLE, 3)", "normal_two_sided_p_v1(NULL)",
        "normal_two_sided_p_v1('nan'::DOUBLE)", "incomplete_beta_v1(0.5, 0.5, 0, 1)",
        "incomplete_beta_v1(-0.5, 1.5, 1, 1)",
    ],
)  # fmt: skip
def test_null_where_undefined(expression: str) -> None:
    assert macros().execute(f"SELECT {expression}").fetchall() == [(None,)]


def test_infinite_statistics_have_no_tail() -> None:
    inf = "'inf'::DOUBLE"
    query = f"SELECT t_two_sided_p_v1({inf}, 3), f_upper_p_v1({inf}, 2, 3), normal_two_sided_p_v1({inf})"
    assert macros().execute(query).fetchall() == [(0.0, 0.0, 0.0)]


def test_exact_kendall_counts_the_orders() -> None:
    """Against the number of permutations by inversions, exact in whole numbers (Knuth 5.1.1)."""
    counts = [1]
    for n in range(2, 51):
        wider = [0] * (n * (n - 1) // 2 + 1)
        for inversions, ways in enumerate(counts):
            for more in range(n):
                wider[inversions + more] += ways
        counts = wider
        if n < 3 or 8 < n < 49:
            continue
        pairs = len(counts) - 1
        grid = [(float(pairs - 2 * d), float(n)) for d in range(0, pairs + 1, 1 + pairs // 40)]
        for s, _, p in _over("kendall_exact_p_v1(v[1], v[2])", grid):
            rarer = sum(w for d, w in enumerate(counts) if abs(pairs - 2 * d) >= abs(s))
            assert p == pytest.approx(rarer / math.factorial(n), abs=1e-13)
