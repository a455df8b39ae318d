"""Agreement in SQL against scikit-learn, statsmodels, krippendorff and the formulas."""

import warnings
from typing import Literal

import krippendorff
import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from towbench.tests.macro_loader import Cell, complete, load_pairs, macros, off

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
TOLERANCE = 1e-9
# Many groups a query: the time goes into planning it.
UNSHRUNK = settings(max_examples=3, deadline=None, phases=[Phase.explicit, Phase.generate])
SCALE = [1, 2, 3, 4, 5]
RATING = st.one_of(st.none(), st.sampled_from(SCALE), st.sampled_from([2, 4]))
TWO = st.lists(st.tuples(RATING, RATING), max_size=60)
MANY = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(RATING, min_size=n, max_size=n), max_size=40)
)


def load_units(groups: list[list[list[Cell]]]) -> None:
    """Table u(g, ratings): one row a unit."""
    con = macros()
    con.execute("CREATE OR REPLACE TABLE u (g BIGINT, ratings DOUBLE[])")
    rows = [(g, ratings) for g, units in enumerate(groups) for ratings in units]
    con.execute(
        "INSERT INTO u SELECT unnest(?::BIGINT[]), unnest(?::DOUBLE[][])",
        [[g for g, _ in rows], [ratings for _, ratings in rows]],
    )


@given(st.lists(TWO, min_size=20, max_size=30))
@UNSHRUNK
def test_cohen(groups: list[list[tuple[Cell, Cell]]]) -> None:
    load_pairs([([a for a, _ in group], [b for _, b in group]) for group in groups])
    rows = macros().execute(
        "SELECT g, cohen_kappa_v1(x, y), cohen_kappa_linear_v1(x, y), "
        "cohen_kappa_quadratic_v1(x, y) FROM d GROUP BY g"
    )
    for g, *got in rows.fetchall():
        a, b = complete([a for a, _ in groups[g]], [b for _, b in groups[g]])
        if not a or (set(a) == set(b) and len(set(a)) == 1):
            assert got == [None] * 3
            continue
        for ours, weights in zip(got, [None, "linear", "quadratic"], strict=True):
            # all five labels: scikit-learn weighs by place among the labels it is given
            theirs = cohen_kappa_score(a, b, labels=SCALE, weights=weights)
            assert off(ours, float(theirs)) < TOLERANCE, (weights, a, b)


@given(st.lists(MANY, min_size=20, max_size=30))
@UNSHRUNK
def test_several_raters(groups: list[list[list[Cell]]]) -> None:
    load_units(groups)
    rows = macros().execute(
        "SELECT g, fleiss_kappa_v1(ratings), icc1_v1(ratings), icc1k_v1(ratings), "
        "krippendorff_nominal_v1(ratings), krippendorff_ordinal_v1(ratings), "
        "krippendorff_interval_v1(ratings) FROM u GROUP BY g"
    )
    for g, fleiss, icc1, icc1k, *alphas in rows.fetchall():
        units = [[float(v) for v in unit if v is not None] for unit in groups[g]]
        even = len({len(unit) for unit in units}) == 1 and len(units[0]) >= 2
        assert off(fleiss, _fleiss(units) if even else None) < TOLERANCE, units
        assert off(icc1, _icc(units, 1) if even else None) < TOLERANCE, units
        assert off(icc1k, _icc(units, len(units[0])) if even else None) < TOLERANCE, units
        for ours, level in zip(alphas, LEVELS, strict=True):
            assert off(ours, _alpha(units, level)) < TOLERANCE, (level, units)


def _fleiss(units: list[list[float]]) -> float | None:
    table = np.array([[unit.count(v) for v in SCALE] for unit in units])
    if (table.sum(axis=0) > 0).sum() < 2:
        return None
    return float(fleiss_kappa(table))


def _icc(units: list[list[float]], size: int) -> float | None:
    """Shrout and Fleiss (1979): from the mean squares between and within units."""
    data = np.array(units)
    n, k = data.shape
    if n < 2:
        return None
    between = k * ((data.mean(axis=1) - data.mean()) ** 2).sum() / (n - 1)
    within = ((data - data.mean(axis=1, keepdims=True)) ** 2).sum() / (n * (k - 1))
    below = between + (k - 1) * within if size == 1 else between
    return float((between - within) / below) if below > 1e-12 else None


def _alpha(units: list[list[float]], level: Level) -> float | None:
    pairable = [unit for unit in units if len(unit) >= 2]
    if len({value for unit in pairable for value in unit}) < 2:
        return None
    width = max(len(unit) for unit in pairable)
    data = np.array([unit + [np.nan] * (width - len(unit)) for unit in pairable]).T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(krippendorff.alpha(data, level_of_measurement=level))


@pytest.mark.slow
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_five_thousand_units(offset: float) -> None:
    rng = np.random.default_rng(9)
    truth = rng.integers(1, 6, (5000, 1))
    data = np.clip(truth + rng.integers(-1, 2, (5000, 3)), 1, 5) + offset
    full: list[list[Cell]] = data.tolist()
    gaps: list[list[Cell]] = [
        [None if missing else v for v, missing in zip(unit, row, strict=True)]
        for unit, row in zip(full, rng.random((5000, 3)) < 0.1, strict=True)
    ]
    load_units([full, gaps])
    rows = macros().execute(
        "SELECT g, fleiss_kappa_v1(ratings), icc1_v1(ratings), icc1k_v1(ratings), "
        "krippendorff_nominal_v1(ratings), krippendorff_ordinal_v1(ratings), "
        "krippendorff_interval_v1(ratings) FROM u GROUP BY g ORDER BY g"
    )
    (_, fleiss, icc1, icc1k, *alphas), (_, *none, nominal, ordinal, interval) = rows.fetchall()
    units = data.tolist()
    assert off(fleiss, _fleiss((data - offset).tolist())) < TOLERANCE
    assert off(icc1, _icc(units, 1)) < TOLERANCE
    assert off(icc1k, _icc(units, 3)) < TOLERANCE
    assert none == [None] * 3
    there = [[float(v) for v in unit if v is not None] for unit in gaps]
    for ours, known in ((alphas, units), ([nominal, ordinal, interval], there)):
        for alpha, level in zip(ours, LEVELS, strict=True):
            assert off(alpha, _alpha(known, level)) < TOLERANCE, level
    load_pairs([(data[:, 0].tolist(), data[:, 1].tolist())])
    kappas = "cohen_kappa_v1(x, y), cohen_kappa_linear_v1(x, y), cohen_kappa_quadratic_v1(x, y)"
    (got,) = macros().execute(f"SELECT {kappas} FROM d").fetchall()
    for ours, weights in zip(got, [None, "linear", "quadratic"], strict=True):
        theirs = cohen_kappa_score(data[:, 0].astype(int), data[:, 1].astype(int), weights=weights)
        assert off(ours, float(theirs)) < TOLERANCE, weights


def test_perfect_agreement_is_exactly_one() -> None:
    load_units([[[1, 1], [3, 3], [5, 5]]])
    load_pairs([([1, 3, 5], [1, 3, 5])])
    kappas = "cohen_kappa_v1(x, y), cohen_kappa_linear_v1(x, y), cohen_kappa_quadratic_v1(x, y)"
    assert macros().execute(f"SELECT {kappas} FROM d").fetchall() == [(1.0, 1.0, 1.0)]
    assert macros().execute(
        "SELECT fleiss_kappa_v1(ratings), icc1_v1(ratings), icc1k_v1(ratings), "
        "krippendorff_nominal_v1(ratings), krippendorff_ordinal_v1(ratings), "
        "krippendorff_interval_v1(ratings) FROM u"
    ).fetchall() == [(1.0,) * 6]


@pytest.mark.parametrize("unit", [1e-156, 1e150, 2e156])
def test_kappa_does_not_hang_on_the_unit(unit: float) -> None:
    a, b = [1, 3, 2, 5, 4, 4], [2, 3, 2, 4, 5, 1]
    load_pairs([([v * unit for v in a], [v * unit for v in b])])
    kappas = "cohen_kappa_v1(x, y), cohen_kappa_linear_v1(x, y), cohen_kappa_quadratic_v1(x, y)"
    (got,) = macros().execute(f"SELECT {kappas} FROM d").fetchall()
    for ours, weights in zip(got, [None, "linear", "quadratic"], strict=True):
        assert off(ours, float(cohen_kappa_score(a, b, weights=weights))) < TOLERANCE


@pytest.mark.parametrize("where", ["false", "true"])
def test_nothing_or_one_value_is_null(where: str) -> None:
    load_units([[[2, 2], [2, 2]]])
    load_pairs([([2, 2, None], [2, 2, 3])])
    assert macros().execute(
        "SELECT cohen_kappa_v1(x, y), cohen_kappa_linear_v1(x, y), cohen_kappa_quadratic_v1(x, y) "
        f"FROM d WHERE {where}"
    ).fetchall() == [(None,) * 3]
    assert macros().execute(
        "SELECT fleiss_kappa_v1(ratings), icc1_v1(ratings), icc1k_v1(ratings), "
        "krippendorff_nominal_v1(ratings), krippendorff_ordinal_v1(ratings), "
        f"krippendorff_interval_v1(ratings) FROM u WHERE {where}"
    ).fetchall() == [(None,) * 6]
