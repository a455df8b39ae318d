"""Every view answers in the DuckDB shell of PyPI, on a file that the Python package wrote."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from towbench.schemas.database import open_database
from towbench.schemas.definitions import current_versions, sql_files
from towbench.tests.cases_loader import CASES, load_case
from towbench.tests.template import fresh_database

SHELL = Path(sys.executable).with_name("duckdb")
SCORES = "SELECT system, score, ci_low, score_high FROM bench.leaderboard ORDER BY system;"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("shell") / "towbench.duckdb"
    con = open_database(fresh_database(file), None)
    load_case(con, CASES / "leaderboard_v1" / "tie_and_control")
    con.close()
    return file


@pytest.mark.slow
def test_every_view_answers_in_the_shell(file: Path) -> None:
    views = [path.name.removesuffix(".sql") for path in sql_files("views")] + [*current_versions()]
    answered = _shell(file, "".join(f"SELECT '{v}', count(*) FROM bench.{v};" for v in views))
    assert [view for view, _ in answered] == views


def test_scores_are_the_same_in_the_shell(file: Path) -> None:
    con = open_database(file, None, read_only=True)
    wanted = con.execute(SCORES).fetchall()
    con.close()
    answered = _shell(file, SCORES)
    assert (
        [row[0] for row in answered] == [row[0] for row in wanted] == ["A", "B", "C", "reference"]
    )
    for row, want in zip(answered, wanted, strict=True):
        assert [float(cell) for cell in row[1:]] == pytest.approx(want[1:], abs=1e-9)


def _shell(file: Path, sql: str) -> list[list[str]]:
    done = subprocess.run(
        [SHELL, "-readonly", "-csv", "-noheader", file],
        input=sql,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return list(csv.reader(done.stdout.splitlines()))
