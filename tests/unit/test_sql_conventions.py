"""The conventions of DESIGN 5: names, versions, headers, portability, and views that answer."""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from towbench.schemas.definitions import current_versions, read_header, sql_files
from towbench.tests.cases_loader import open_tables

HEADER = ["Grain", "Answers", "Formula", "Missing", "Replaces", "Known issue"]
# Everything that could answer differently on the same tables.
UNSTEADY = {
    "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "NOW", "TODAY", "GET_CURRENT_TIMESTAMP",
    "RAND", "RANDOM", "UUID", "GEN_RANDOM_UUID", "UUIDV4", "UUIDV7", "HASH", "GETVARIABLE",
}  # fmt: skip


def _texts(*folder: str) -> dict[str, str]:
    return {file.name.removesuffix(".sql"): file.read_text("utf-8") for file in sql_files(*folder)}


VIEWS = _texts("views")
MACROS = _texts("macros")
STEPS = _texts("steps")
SQL = Path(__file__).parents[2] / "sql"
# All but the bare names, which are whatever their version is.
WRITTEN = sorted({*SQL.rglob("*.sql")} - {SQL / "current.sql"})
CURRENT = current_versions()


def _statements(text: str) -> list[exp.Expr]:
    return [statement for statement in sqlglot.parse(text, dialect="duckdb") if statement]


def _created(text: str) -> list[str]:
    return [
        statement.this.sql("duckdb").split("(")[0]
        for statement in _statements(text)
        if isinstance(statement, exp.Create)
    ]


def faults_of_view(name: str, text: str) -> list[str]:
    """What a versioned view may not do: unsteady or foreign functions, bare names, `SELECT *`."""
    faults = []
    (query,) = [s for s in _statements(text) if isinstance(s, exp.Create)]
    own = {cte.alias for cte in query.find_all(exp.CTE)}
    for table in query.find_all(exp.Table):
        if table is query.this:
            continue
        if not table.db and table.name not in own:
            faults.append(f"{table.name} has no schema")
        if table.db == "bench" and not re.search(r"_v[1-9]\d*$", table.name):
            faults.append(f"bench.{table.name} is a bare name")
        if table.db in ("ledger", "pending", "information_schema"):
            faults.append(f"{table.db}.{table.name} is not in the database file")
    for star in query.find_all(exp.Star):
        if not isinstance(star.parent, exp.Count):
            faults.append("SELECT *")
    for function in query.find_all(exp.Func):
        called = function.name if isinstance(function, exp.Anonymous) else function.sql_name()
        if called.upper() in UNSTEADY:
            faults.append(f"{called} is not steady")
        elif isinstance(function, exp.Anonymous) and called not in MACROS:
            faults.append(f"{called} is neither SQL nor a macro")
    return faults


@pytest.mark.parametrize("name", VIEWS)
def test_view_creates_what_its_file_is_named(name: str) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*_v[1-9]\d*", name)
    assert _created(VIEWS[name]) == [f"bench.{name}"]
    assert f"COMMENT ON VIEW bench.{name} IS" in VIEWS[name]
    assert VIEWS[name].count("\n") < 400


@pytest.mark.parametrize("name", VIEWS)
def test_view_has_the_six_header_lines(name: str) -> None:
    header = read_header(VIEWS[name])
    assert [key for key in header if key != "Snapshot"] == HEADER
    assert header.get("Snapshot", "yes") == "yes"
    assert all(header.values())
    assert header["Answers"].endswith("?")
    version = int(name.rpartition("_v")[2])
    assert (header["Replaces"] == "none") == (version == 1)


@pytest.mark.parametrize("name", MACROS)
def test_macro_creates_what_its_file_is_named(name: str) -> None:
    created = re.findall(r"CREATE OR REPLACE MACRO (\w+)\(", MACROS[name])
    assert created == [name]
    assert re.fullmatch(r"[a-z][a-z0-9_]*_v[1-9]\d*", name)


@pytest.mark.parametrize("names", [list(VIEWS), list(MACROS)], ids=["views", "macros"])
def test_versions_have_no_gap(names: list[str]) -> None:
    parts = sorted((name.rpartition("_v")[0], int(name.rpartition("_v")[2])) for name in names)
    for base, group in groupby(parts, key=lambda part: part[0]):
        versions = [version for _, version in group]
        assert versions == list(range(1, len(versions) + 1)), base


@pytest.mark.parametrize("name", VIEWS)
def test_view_is_steady_and_versioned(name: str) -> None:
    assert faults_of_view(name, VIEWS[name]) == []


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("SELECT a.x FROM bench.leaderboard AS a", "bench.leaderboard is a bare name"),
        ("SELECT a.x FROM item AS a", "item has no schema"),
        ("SELECT a.x FROM ledger.text AS a", "ledger.text is not in the database file"),
        ("SELECT * FROM corpus.item", "SELECT *"),
        ("SELECT a.* FROM corpus.item AS a", "SELECT *"),
        ("SELECT now() AS x FROM corpus.item AS a", "now is not steady"),
        ("SELECT random() AS x FROM corpus.item AS a", "RAND is not steady"),
        (
            "SELECT score_leaf(a.x) AS x FROM corpus.item AS a",
            "score_leaf is neither SQL nor a macro",
        ),
    ],
)
def test_the_rules_for_views_find(query: str, fault: str) -> None:
    assert fault in faults_of_view("x_v1", f"CREATE OR REPLACE VIEW bench.x_v1 AS {query};")


def test_current_maps_each_name_once_to_a_version_that_exists() -> None:
    (file,) = [file for file in sql_files() if file.name == "current.sql"]
    names = re.findall(r"CREATE OR REPLACE VIEW (bench\.\w+)", file.read_text("utf-8"))
    assert len(names) == len(set(names)) == len(CURRENT)
    for bare, version in CURRENT.items():
        assert version in VIEWS
        assert version.rpartition("_v")[0] == bare


def test_every_public_view_of_the_issue_is_current() -> None:
    assert {
        "node_score", "tree_score", "score_bounds", "leaderboard", "leaderboard_wide", "judgement",
        "lineage", "coverage", "dataset_statistics", "corpus_funnel", "cost", "status",
        "filter_distribution", "review_agreement", "weight_distribution", "system_correlation",
        "sample_correlation", "node_ablation", "length_correlation", "length_regression",
        "robustness", "negotiation_inconsistency", "evaluator_agreement", "reference_effect",
        "annotator_agreement", "rank_stability", "significance", "anchor_normalised", "judge_noise",
        "judge_drift", "missingness", "injection_deflection", "method_score", "self_preference",
        "leaderboard_length_controlled", "method_comparison", "method_cost",
    } <= CURRENT.keys()  # fmt: skip


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: str(path.name))
def test_columns_are_named(path: Path) -> None:
    lines = [line.partition("--")[0] for line in path.read_text("utf-8").splitlines()]
    assert not re.search(r"SELECT\s+(?:\w+\.)?\*", "\n".join(lines))


@pytest.mark.parametrize("name", VIEWS | STEPS)
def test_statement_transpiles_to_spark(name: str) -> None:
    for statement in _statements((VIEWS | STEPS)[name]):
        assert not isinstance(statement, exp.Command), statement.sql("duckdb")[:100]
        spark = statement.sql("spark", unsupported_level=sqlglot.ErrorLevel.RAISE)
        (again,) = sqlglot.parse(spark, dialect="spark")
        assert again is not None
        assert not isinstance(again, exp.Command), spark[:100]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    con = open_tables()
    yield con
    con.close()


@pytest.mark.parametrize("name", [*VIEWS, *CURRENT])
def test_view_answers_and_names_its_benchmark_first(
    con: duckdb.DuckDBPyConnection, name: str
) -> None:
    query = con.execute(f"SELECT * FROM bench.{name} LIMIT 0")
    columns = [column[0] for column in query.description or []]
    assert columns[0] == "benchmark"
    grain = read_header(VIEWS[CURRENT.get(name, name)])["Grain"].split(", ")
    assert grain[0] == "benchmark"
    assert set(grain) <= set(columns)


def test_no_number_of_a_view_is_wider_than_spark_has(con: duckdb.DuckDBPyConnection) -> None:
    wide = con.execute(
        "SELECT table_name, column_name FROM duckdb_columns() "
        "WHERE schema_name = 'bench' AND data_type LIKE '%HUGEINT%'"
    ).fetchall()
    assert wide == []
