"""Resampling views and their macros against numpy and scipy on the same draws."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from towbench.tests.cases_loader import BASE, fill, open_tables, read_rows
from towbench.tests.macro_loader import macros, off

pytestmark = pytest.mark.slow

SYSTEMS, N_ITEM = "ABCDE", 12
TREE: list[dict[str, str | None]] = [
    {"node": "root", "parent": None, "leaf": None, "weight": None, "position": "0"},
    {"node": "logic", "parent": "root", "leaf": "logic", "weight": "0.7", "position": "1"},
    {"node": "emotion", "parent": "root", "leaf": "emotion", "weight": "0.6", "position": "2"},
    {"node": "plot", "parent": "root", "leaf": "plot", "weight": "-0.3", "position": "3"},
]  # fmt: skip
WEIGHTS = {"logic": 0.7, "emotion": 0.6, "plot": -0.3}


@pytest.fixture(scope="module")
def drawn() -> dict[tuple[str, int, str], float]:
    """(system, item, leaf) -> score; E answered every second item only."""
    rng = np.random.default_rng(6)
    return {
        (system, item, leaf): float(rng.integers(1, 11))
        for system in SYSTEMS for item in range(N_ITEM) for leaf in WEIGHTS
        if system != "E" or item % 2
    }  # fmt: skip


@pytest.fixture(scope="module")
def con(drawn: dict[tuple[str, int, str], float]) -> Iterator[duckdb.DuckDBPyConnection]:
    con = open_tables()
    for path in BASE.glob("*.csv"):
        fill(con, path.stem, read_rows(path))
    t = {"benchmark": "t"}
    for n in range(N_ITEM):
        item = {"item_id": f"i{n:02}"}
        fill(con, "corpus.item", [t | item | {
            "task": "guide", "genre": "fiction", "lang": "zh", "reference": "R",
            "instruction_hash": "i", "reference_hash": "r",
        }])  # fmt: skip
        scopes = ["all", "genre:poem"] if n < 7 else ["all"]
        fill(con, "corpus.item_scope", [t | item | {"scope": scope} for scope in scopes])
    for system, n in dict.fromkeys((system, n) for system, n, _ in drawn):
        name = f"{system}{n:02}"
        fill(con, "corpus.writing", [t | {
            "writing_id": name, "item_id": f"i{n:02}", "system": system, "text_hash": name,
        }])  # fmt: skip
        fill(con, "judge.human_rating", [t | {
            "writing_id": name, "annotator": "p", "criterion": "quality",
            "score": str((ord(system) * 7 + n * 3) % 5 + 1),
        }])  # fmt: skip
        fill(con, "judge.leaf_score", [t | {
            "writing_id": name, "leaf": leaf, "judge": "a/x", "repeat": "0",
            "reference_mode": "human", "presentation": "reference_first",
            "prompt_id": f"{leaf}_v1.zh", "input_hash": f"sha256(i|r|{name})",
            "parser_version": "p1", "score": str(drawn[system, n, leaf]), "status": "ok",
        } for leaf in WEIGHTS])  # fmt: skip
    fill(con, "judge.tree_node", [
        node | {"tree": "x_v1", "version": "1", "weight_rule": "fixed", "map": "identity"}
        for node in TREE
    ])  # fmt: skip
    fill(con, "run.asked", [
        t | {"kind": kind, "name": name, "repeats": "1"}
        for kind, name in [("tree", "x_v1"), ("judge", "a/x"), ("reference_mode", "human"),
                           ("presentation", "reference_first"), ("negotiator", "n/g")]
    ])  # fmt: skip
    yield con
    con.close()


def places(con: duckdb.DuckDBPyConnection, pool: str, scope: str) -> Any:
    """Drawn items by resample, each as often as it was drawn."""
    rows = con.execute(
        "SELECT counts FROM bench.item_draw_v1 WHERE pool = ? AND base_scope = ? ORDER BY resample",
        [pool, scope],
    ).fetchall()
    return np.array([np.repeat(np.arange(len(counts)), np.int64(counts)) for (counts,) in rows])


def root_scores(drawn: dict[tuple[str, int, str], float]) -> Any:
    """Tree score by system and item, NaN where the system has no writing."""
    return np.array([
        [sum(w * drawn.get((system, n, leaf), math.nan) for leaf, w in WEIGHTS.items())
         for n in range(N_ITEM)] for system in SYSTEMS
    ])  # fmt: skip


@pytest.mark.parametrize(("scope", "n_item"), [("all", 12), ("genre:poem", 7)])
def test_significance_equals_numpy_on_the_same_draws(
    con: duckdb.DuckDBPyConnection,
    drawn: dict[tuple[str, int, str], float],
    scope: str,
    n_item: int,
) -> None:
    rows = con.execute(
        "SELECT system_a, system_b, difference, ci_low, ci_high, p, p_holm, n "
        "FROM bench.significance_v1 WHERE scope = ? ORDER BY system_a, system_b",
        [scope],
    ).fetchall()
    assert [row[:2] for row in rows] == list(combinations(SYSTEMS, 2))
    scores, draws = root_scores(drawn)[:, :n_item], places(con, "accepted", scope)
    assert draws.shape == (1000, n_item)
    ps = []
    for a, b, difference, low, high, p, _, n in rows:
        each = scores[SYSTEMS.index(a)] - scores[SYSTEMS.index(b)]
        assert n == np.isfinite(each).sum()
        assert difference == pytest.approx(np.nanmean(each), abs=1e-9)
        with np.errstate(invalid="ignore"):
            kept = [one for one in each[draws] if np.isfinite(one).any()]
        redrawn = np.array([np.nanmean(one) for one in kept])
        assert (low, high) == pytest.approx(tuple(np.quantile(redrawn, [0.025, 0.975])), abs=1e-9)
        stderr = redrawn.std(ddof=1) * math.sqrt(n / (n - 1))
        assert p == pytest.approx(2 * stats.t.sf(abs(difference) / stderr, n - 1), abs=1e-9)
        ps.append(p)
    steps = sorted(ps)
    holm = {
        p: min(1.0, max(q * (len(ps) - i) for i, q in enumerate(steps) if q <= p)) for p in steps
    }
    assert [row[6] for row in rows] == pytest.approx([holm[p] for p in ps], abs=1e-9)


def test_intervals_of_system_correlations_equal_numpy(
    con: duckdb.DuckDBPyConnection, drawn: dict[tuple[str, int, str], float]
) -> None:
    method = "tree|x_v1|root|a/x|human"
    known = dict(con.execute(
        "SELECT coefficient, [ci_low, ci_high] FROM bench.system_interval_v1 "
        "WHERE method = ? AND scope = 'all'", [method],
    ).fetchall())  # fmt: skip
    xs = root_scores(drawn)
    ys = np.array([
        [(ord(system) * 7 + n * 3) % 5 + 1 if (system, n, "logic") in drawn else math.nan
         for n in range(N_ITEM)] for system in SYSTEMS
    ])  # fmt: skip
    found: dict[str, list[float]] = {"pearson": [], "spearman": [], "kendall": []}
    for draw in places(con, "rated", "all"):
        x = np.round(np.nanmean(xs[:, draw], axis=1), 12)
        y = np.round(np.nanmean(ys[:, draw], axis=1), 12)
        found["pearson"].append(stats.pearsonr(x, y).statistic)
        found["spearman"].append(stats.spearmanr(x, y).statistic)
        found["kendall"].append(stats.kendalltau(x, y).statistic)
    for name, values in found.items():
        wanted = list(np.quantile(values, [0.025, 0.975]))
        assert known[name] == pytest.approx(wanted, abs=1e-9), name


def test_drawn_weights_are_dirichlet_shares_with_their_signs(
    con: duckdb.DuckDBPyConnection,
) -> None:
    rows = con.execute(
        "SELECT trial, list(weight ORDER BY leaf_key) FROM bench.trial_weight_v1 "
        "WHERE kind = 'weights' AND item_key = 1 GROUP BY trial"
    ).fetchall()
    shares = np.array([weights for _, weights in rows])  # emotion, logic, plot
    assert len(shares) == 200
    assert shares.sum(axis=1) == pytest.approx(1)
    assert (shares[:, 2] < 0).all()
    assert (shares[:, :2] > 0).all()
    size = np.abs(shares) / np.abs(shares).sum(axis=1, keepdims=True)
    alpha = np.array([12, 14, 6])
    assert size.mean(axis=0) == pytest.approx(alpha / 32, abs=0.03)
    assert size.std(axis=0) == pytest.approx(stats.dirichlet(alpha).var() ** 0.5, rel=0.2)
    other = con.execute(
        "SELECT count(*) FROM bench.trial_weight_v1 AS a INNER JOIN bench.trial_weight_v1 AS b "
        "USING (leaf_key, kind, trial) WHERE a.item_key = 1 AND abs(a.weight - b.weight) > 1e-12"
    ).fetchall()
    assert other == [(0,)], "a trial is one scheme for all items"


def test_a_trial_is_the_leaderboard_with_its_weights(
    con: duckdb.DuckDBPyConnection, drawn: dict[tuple[str, int, str], float]
) -> None:
    weights: dict[tuple[str, int], dict[int, float]] = {}
    for kind, trial, leaf_key, weight in con.execute(
        "SELECT DISTINCT kind, trial, leaf_key, weight FROM bench.trial_weight_v1"
    ).fetchall():
        weights.setdefault((kind, trial), {})[leaf_key] = weight
    leaf_keys = dict(
        con.execute("SELECT node, node_key FROM bench.node_number_v1 WHERE NOT is_root").fetchall()
    )
    assert len(weights) == 203
    rows = con.execute(
        "SELECT system, kind, trial, score FROM bench.leaderboard_trial_v1 "
        "WHERE kind IN ('weights', 'leaf')"
    ).fetchall()
    assert len(rows) == 203 * len(SYSTEMS)
    for system, kind, trial, score in rows:
        own = weights[kind, trial]
        each = [
            sum(own.get(leaf_keys[leaf], 0) * drawn[system, n, leaf] for leaf in WEIGHTS)
            for n in range(N_ITEM) if (system, n, "logic") in drawn
        ]  # fmt: skip
        assert score == pytest.approx(np.mean(each), abs=1e-9)


@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6) | st.none()), min_size=0, max_size=12)
)
def test_coefficients_of_lists_equal_scipy(pairs: list[tuple[int, int | None]]) -> None:
    xs, ys = [float(x) for x, _ in pairs], [None if y is None else float(y) for _, y in pairs]
    [(known,)] = macros().execute(
        "SELECT list_correlations_v1(?::DOUBLE[], ?::DOUBLE[])", [xs, ys]
    ).fetchall()  # fmt: skip
    complete = [(x, y) for x, y in zip(xs, ys, strict=True) if y is not None]
    x, y = [x for x, _ in complete], [y for _, y in complete]
    if len(complete) < 3 or len(set(x)) == 1 or len(set(y)) == 1:
        assert set(known.values()) == {None}
        return
    assert off(known["pearson"], stats.pearsonr(x, y).statistic) < 1e-9
    assert off(known["spearman"], stats.spearmanr(x, y).statistic) < 1e-9
    assert off(known["kendall"], stats.kendalltau(x, y).statistic) < 1e-9


@pytest.mark.parametrize("alpha", [0.3, 1.0, 2.5, 14.0])
def test_gamma_deviates_are_gamma(alpha: float) -> None:
    rows = macros().execute(
        "SELECT seeded_gamma_v1(?, 3, i, 1) FROM range(20000) AS t (i)", [alpha]
    ).fetchall()  # fmt: skip
    assert stats.kstest([row[0] for row in rows], stats.gamma(alpha).cdf).pvalue > 0.001


def test_gamma_of_zero_is_zero() -> None:
    assert macros().execute("SELECT seeded_gamma_v1(0, 3, 1, 1)").fetchall() == [(0.0,)]


def test_intervals_of_pooled_correlations_are_close_to_resampled_ones(
    con: duckdb.DuckDBPyConnection, drawn: dict[tuple[str, int, str], float]
) -> None:
    known = dict(con.execute(
        "SELECT coefficient, stderr FROM bench.sample_interval_v1 "
        "WHERE method = 'tree|x_v1|root|a/x|human' AND scope = 'all'"
    ).fetchall())  # fmt: skip
    xs = root_scores(drawn)
    found: dict[str, list[float]] = {"pearson": [], "spearman": [], "kendall": []}
    for draw in np.random.default_rng(3).integers(0, N_ITEM, (2000, N_ITEM)):
        pairs = [
            (xs[k, n], (ord(system) * 7 + int(n) * 3) % 5 + 1)
            for n in draw for k, system in enumerate(SYSTEMS) if np.isfinite(xs[k, n])
        ]  # fmt: skip
        x, y = zip(*pairs, strict=True)
        found["pearson"].append(stats.pearsonr(x, y).statistic)
        found["spearman"].append(stats.spearmanr(x, y).statistic)
        found["kendall"].append(stats.kendalltau(x, y).statistic)
    for name, values in found.items():
        assert known[name] == pytest.approx(np.std(values), rel=0.15), name
