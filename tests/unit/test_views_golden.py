"""Every version of every view answers its golden cases; a view without one fails."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from towbench.schemas.definitions import sql_files
from towbench.tests.cases_loader import CASES, differences, load_case, open_tables, proof

VIEWS = [file.name.removesuffix(".sql") for file in sql_files("views")]
FOLDERS = [path for path in sorted(CASES.glob("*/*")) if path.is_dir()]


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    con = open_tables()
    yield con
    con.close()


@pytest.fixture
def con(tables: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    tables.begin()
    yield tables
    tables.rollback()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_view_answers_as_expected(con: duckdb.DuckDBPyConnection, folder: Path) -> None:
    load_case(con, folder)
    assert differences(con, folder.parent.name, folder) == [], proof(folder)


@pytest.mark.parametrize("view", VIEWS)
def test_view_has_a_case(view: str) -> None:
    assert any(folder.parent.name == view for folder in FOLDERS)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_case_belongs_to_a_view_and_says_what_it_proves(folder: Path) -> None:
    assert folder.parent.name in VIEWS
    assert len(proof(folder)) > 20


def test_a_wrong_value_is_found(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    case = CASES / "node_score_v1" / "negative_weight"
    for path in case.glob("*.csv"):
        text = path.read_text("utf-8")
        if path.name == "expected.csv":
            assert "6.4" in text
            text = text.replace("6.4", "6.400001")
        (tmp_path / path.name).write_text(text, "utf-8")
    load_case(con, tmp_path)
    (difference,) = differences(con, "node_score_v1", tmp_path)
    assert "6.400001" in difference


def test_a_row_too_few_is_found(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    case = CASES / "node_score_v1" / "negative_weight"
    for path in case.glob("*.csv"):
        lines = path.read_text("utf-8").splitlines()
        (tmp_path / path.name).write_text(
            "\n".join(lines[:-1] if path.stem == "expected" else lines)
        )
    load_case(con, tmp_path)
    assert differences(con, "node_score_v1", tmp_path)[0] == "3 rows expected, 4 answered"
