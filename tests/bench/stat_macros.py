"""Grouped and single correlation in SQL against pandas and scipy: same data, same run."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from scipy import stats

from towbench.tests.bench.figure import Figure
from towbench.tests.macro_loader import macros

RANKED = """
    WITH ranked AS (
        SELECT g, discordant_before_v1(x, y, g) AS discordant, tie_count_v1(x, g) AS tie_x,
            tie_count_v1(y, g) AS tie_y, pair_tie_count_v1(x, y, g) AS tie_xy
        FROM bench_pair WHERE is_pair_v1(x, y)
    )
    SELECT g, kendall_tau_b_v1(discordant, tie_x, tie_y, tie_xy),
        kendall_p_v1(discordant, tie_x, tie_y, tie_xy)
    FROM ranked GROUP BY g ORDER BY g
"""
COEFFICIENT = "SELECT g, r, correlation_p_v1(r, n - 2) FROM (SELECT g, count(*) AS n,"
QUERIES = {
    "Pearson": f"{COEFFICIENT} pearson_r_v1(x, y) AS r FROM bench_pair GROUP BY g) ORDER BY g",
    "Spearman": f"{COEFFICIENT} spearman_rho_v1(x, y) AS r FROM (SELECT g, average_rank_v1(x, g) "
    "AS x, average_rank_v1(y, g) AS y FROM bench_pair WHERE is_pair_v1(x, y)) GROUP BY g) "
    "ORDER BY g",
    "Kendall": RANKED,
}
THEIRS = {"Pearson": stats.pearsonr, "Spearman": stats.spearmanr, "Kendall": stats.kendalltau}
LIMITS = {"Pearson": 1.0, "Spearman": 1.0, "Kendall": 1.3}


def statistics() -> list[Figure]:
    """1e6 pairs in 1,000 groups and, for Kendall, in one: seconds over those of scipy."""
    figures = []
    for n_group in (1000, 1):
        frame = _pairs(n_group)
        for name in QUERIES if n_group > 1 else ["Kendall"]:
            ours, scipy, rows, known = _in_turns(
                partial(_in_sql, QUERIES[name]), partial(_in_scipy, THEIRS[name], frame)
            )
            worst = max(abs(row[1] - k[0]) for row, k in zip(rows, known, strict=True))
            if worst > 1e-9:
                raise ValueError(f"{name} in {n_group} groups is {worst} off scipy")
            what = "1e6 rows in 1,000 groups" if n_group > 1 else "one series of 1e6"
            limit = LIMITS[name] if n_group > 1 else 8.0
            figures.append(Figure(f"{name}, {what}, over scipy", ours / scipy, "x", limit))
    return figures


def _pairs(n_group: int) -> Any:
    """Table bench_pair(g, x, y) of 1e6 continuous pairs, and the same as a pandas frame."""
    macros().execute(
        "CREATE OR REPLACE TABLE bench_pair AS SELECT CAST(i % ? AS INTEGER) AS g, "
        "seeded_uniform_v1(1, i, 1) AS x, seeded_uniform_v1(1, i, 1) + seeded_uniform_v1(1, i, 2) "
        "AS y FROM range(1000000) AS t (i)",
        [n_group],
    )
    return macros().execute("SELECT * FROM bench_pair").df()


def _in_sql(query: str) -> list[Any]:
    return macros().execute(query).fetchall()


def _in_scipy(coefficient: Callable[..., Any], frame: Any) -> list[Any]:
    return [coefficient(part.x, part.y) for _, part in frame.groupby("g")]


def _in_turns(
    ours: Callable[[], list[Any]], theirs: Callable[[], list[Any]]
) -> tuple[float, float, list[Any], list[Any]]:
    """Shortest of five runs of each in seconds, taken in turns, and what they gave."""
    seconds: tuple[list[float], list[float]] = ([], [])
    results: list[list[Any]] = [[], []]
    for _ in range(5):
        for side, run in enumerate((ours, theirs)):
            started = time.monotonic()
            results[side] = run()
            seconds[side].append(time.monotonic() - started)
    return min(seconds[0]), min(seconds[1]), results[0], results[1]
