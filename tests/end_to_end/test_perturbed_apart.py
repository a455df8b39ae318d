"""Perturbed texts are read in the views about them, and no other view is moved by them."""

from pathlib import Path
from typing import Any

import pytest

from towbench.schemas.database import open_database
from towbench.schemas.definitions import current_versions
from towbench.tests.small_benchmark import score, small_benchmark

pytestmark = pytest.mark.slow
ABOUT_THEM = {"robustness", "injection_deflection"}
# What these count is rows of every kind: cells to be judged, calls that were paid.
ABOUT_ALL = {"status", "cost"}
# Rests on the pairs that system_correlation reads, and takes as long as all the others.
SLOW = {"method_comparison"}


def snapshot(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every public view that is not about perturbed texts, without their rows."""
    rows = {}
    with open_database(folder / "t.duckdb", None, read_only=True) as con:
        for name in current_versions().keys() - ABOUT_THEM - ABOUT_ALL - SLOW:
            shape = con.execute(f"SELECT * FROM bench.{name} LIMIT 0").description or []
            own = "perturbation" in [column[0] for column in shape]
            kept = "WHERE perturbation IS NULL" if own else ""
            rows[name] = con.execute(f"SELECT * FROM bench.{name} {kept} ORDER BY ALL").fetchall()
    return rows


def test_no_other_view_is_moved_by_perturbed_texts(tmp_path: Path) -> None:
    folder = small_benchmark(tmp_path)
    with open_database(folder / "t.duckdb", None) as con:
        con.execute(
            "INSERT INTO judge.human_rating BY NAME SELECT benchmark, writing_id, annotator, "
            "'overall' AS criterion, 1 + length(judged_text) % 5 AS score, uuid() AS run_id "
            "FROM corpus.writing, (VALUES ('甲'), ('乙')) AS who (annotator)"
        )
    before = snapshot(score(folder))
    after = snapshot(score(folder, perturbations="drop,repeat,prompt_copy,attack:plea"))
    assert [name for name in before if after[name] != before[name]] == []
    assert sum(map(bool, before.values())) >= 20
    with open_database(folder / "t.duckdb", None, read_only=True) as con:
        for name in ABOUT_THEM:
            assert con.execute(f"SELECT count(*) > 0 FROM bench.{name}").fetchall() == [(True,)]
