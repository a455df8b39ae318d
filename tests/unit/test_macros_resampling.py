"""Seeded draws, bootstrap intervals and Holm's correction; the same in both DuckDB versions."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from towbench.schemas.definitions import sql_files
from towbench.tests.macro_loader import load_pairs, macros, off

SHELL = Path(sys.executable).with_name("duckdb")
UNSHRUNK = settings(max_examples=6, deadline=None, phases=[Phase.explicit, Phase.generate])
PS = st.lists(st.one_of(st.none(), st.floats(0, 1), st.sampled_from([0.01, 0.04])), max_size=30)


@pytest.mark.slow
@given(st.lists(PS, min_size=4, max_size=10))
@UNSHRUNK
def test_holm(families: list[list[float | None]]) -> None:
    load_pairs([(p, [i * 1.0 for i in range(len(p))]) for p in families])
    rows = macros().execute(
        "WITH stepped AS (SELECT g, y, x AS p, holm_step_v1(x, g) AS step FROM d) "
        "SELECT g, p, holm_adjusted_v1(step, p, g) FROM stepped ORDER BY g, y"
    )
    got: list[list[tuple[float | None, float | None]]] = [[] for _ in families]
    for g, p, adjusted in rows.fetchall():
        got[g].append((p, adjusted))
    for family in got:
        known = [p for p, _ in family if p is not None]
        wanted = iter(multipletests(known, method="holm")[1] if known else [])
        for p, adjusted in family:
            assert off(adjusted, None if p is None else float(next(wanted))) < 1e-9


def test_draws_are_uniform_and_independent() -> None:
    """Every item equally often, and the spread of a resampled sum as drawn with replacement."""
    rows = macros().execute(
        "SELECT resample, draw, count(*) FROM (SELECT resample, seeded_draw_v1(7, resample, place, "
        "50) AS draw FROM range(4000) AS r (resample), range(50) AS p (place)) GROUP BY ALL"
    )
    times = np.zeros((4000, 51))
    for resample, draw, n in rows.fetchall():
        times[resample, draw] = n
    assert times[:, 0].sum() == 0
    assert stats.chisquare(times[:, 1:].sum(axis=0)).pvalue > 1e-3
    assert times[:, 1:].var() == pytest.approx(1 - 1 / 50, rel=0.02)
    assert abs(np.corrcoef(times[:-1, 1:].ravel(), times[1:, 1:].ravel())[0, 1]) < 0.01


def test_uniforms_are_uniform() -> None:
    rows = macros().execute(
        "SELECT seeded_uniform_v1(3, i, j) FROM range(200) AS a (i), range(200) AS b (j) ORDER BY i, j"
    )
    u = np.array(rows.fetchall()).ravel().reshape(200, 200)
    assert stats.kstest(u.ravel(), "uniform").pvalue > 1e-3
    for side in (u, u.T):
        assert abs(np.corrcoef(side[:-1].ravel(), side[1:].ravel())[0, 1]) < 0.02


def test_bootstrap_of_a_paired_difference_has_the_known_width() -> None:
    rng = np.random.default_rng(2)
    difference = rng.normal(0.3, 1, 200)
    macros().execute(
        "CREATE OR REPLACE TABLE item AS SELECT unnest(range(1, 201)) AS place, "
        "unnest(?::DOUBLE[]) AS difference",
        [difference.tolist()],
    )
    rows = macros().execute(
        "SELECT bootstrap_low_v1(mean), bootstrap_high_v1(mean), bootstrap_p_v1(mean) FROM ("
        "SELECT draw.resample, avg(item.difference) AS mean FROM ("
        "SELECT resample, seeded_draw_v1(1, resample, place, 200) AS place "
        "FROM range(4000) AS r (resample), range(200) AS p (place)) AS draw "
        "INNER JOIN item USING (place) GROUP BY draw.resample)"
    )
    ((low, high, p),) = rows.fetchall()
    half = 1.96 * difference.std() / np.sqrt(200)
    assert [low, high] == pytest.approx(
        [difference.mean() - half, difference.mean() + half], abs=0.15 * half
    )
    assert p == pytest.approx(float(stats.norm.sf(difference.mean() / (half / 1.96)) * 2), abs=0.01)


def test_bootstrap_summary_by_hand() -> None:
    load_pairs([([*map(float, range(-2, 99)), None, float("nan")], [0.0] * 103)])
    summary = "SELECT bootstrap_low_v1(x), bootstrap_high_v1(x), bootstrap_p_v1(x) FROM d"
    values = np.arange(-2, 99)
    assert macros().execute(summary).fetchall() == [
        (
            pytest.approx(np.quantile(values, 0.025)),
            pytest.approx(np.quantile(values, 0.975)),
            pytest.approx(2 * 4 / 102),
        )
    ]
    assert macros().execute(f"{summary} WHERE x > 1000 AND NOT isnan(x)").fetchall() == [
        (None, None, None)
    ]


PROBE = """
    WITH d AS (
        SELECT i % 3 AS g, seeded_uniform_v1(1, i, 0) AS x,
            round(seeded_uniform_v1(1, i, 0) + seeded_uniform_v1(1, i, 1), 1) AS y
        FROM range(90) AS t (i)
    ), ranked AS (
        SELECT g, x, y, average_rank_v1(x, g) AS rank_x, average_rank_v1(y, g) AS rank_y,
            discordant_before_v1(x, y, g) AS discordant, tie_count_v1(x, g) AS tie_x,
            tie_count_v1(y, g) AS tie_y, pair_tie_count_v1(x, y, g) AS tie_xy
        FROM d
    )
    SELECT g, pearson_r_v1(x, y), correlation_p_v1(spearman_rho_v1(rank_x, rank_y), 28),
        ols_slope_stderr_v1(x, y), kendall_tau_b_v1(discordant, tie_x, tie_y, tie_xy),
        kendall_p_v1(discordant, tie_x, tie_y, tie_xy), kendall_exact_p_v1(101, 30),
        cohen_kappa_v1(round(x * 3), round(y * 2)), cohen_kappa_linear_v1(round(x * 3), round(y)),
        cohen_kappa_quadratic_v1(x, y), fleiss_kappa_v1([round(x * 3), round(y * 2)]),
        krippendorff_ordinal_v1([x, y]), krippendorff_nominal_v1([round(x), round(y)]),
        krippendorff_interval_v1([x, y]), icc1_v1([x, y]), icc1k_v1([x, y]),
        sum(seeded_draw_v1(5, tie_y, g, 1000)), f_upper_p_v1(2.5, 3, 40), bootstrap_low_v1(x)
    FROM ranked GROUP BY g ORDER BY g
"""


def test_the_shell_gives_the_same_numbers() -> None:
    texts = {file.name: file.read_text("utf-8") for file in sql_files("macros")}
    # a macro must exist before the one that calls it
    ordered: list[str] = []
    while len(ordered) < len(texts):
        for name, text in texts.items():
            calls = {f"{call}.sql" for call in re.findall(r"\b(\w+_v\d+)\(", text)} - {name}
            if name not in ordered and calls & texts.keys() <= set(ordered):
                ordered.append(name)
    done = subprocess.run(
        [SHELL, "-csv", "-noheader"],
        input="\n".join([*(texts[name] for name in ordered), f"{PROBE};"]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    answered = [[float(cell) for cell in line.split(",")] for line in done.stdout.splitlines()]
    for got, wanted in zip(answered, macros().execute(PROBE).fetchall(), strict=True):
        assert got == pytest.approx([float(value) for value in wanted], rel=1e-12, abs=1e-12)


def test_no_name_of_a_view_can_stand_for_a_lambda_parameter() -> None:
    """DuckDB reads `pair.x` in a lambda as the column of a table `pair` if the query has one."""
    macro = {file.name: file.read_text("utf-8") for file in sql_files("macros")}
    older = {"t_central_area_v1.sql", "t_quantile_975_v1.sql", "sketch_agreement_v1.sql"}
    for name in macro.keys() - older:
        for parameters in re.findall(r"lambda ([\w, ]+):", macro[name]):
            assert all(parameter.endswith("_") for parameter in parameters.split(", ")), name
