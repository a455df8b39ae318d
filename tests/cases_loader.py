"""Golden cases: a folder of small CSV tables in, the rows that a view must answer out.

`tests/cases/<view>_v<N>/<case>/` holds one `<schema>.<table>.csv` per input table with only the
columns that matter, and `expected.csv`, whose first line `# ...` says what the case proves. A table
it does not have comes from `tests/cases/base/` (prompts, dimensions, a parser); the reference tables
of the package are there too. An empty cell is NULL, `<empty>` an empty string, `sha256(...)` the
hash of what it holds. A column that may not be NULL and is not given gets a filler that no case may
depend on.
"""

import csv
import hashlib
import math
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import duckdb

from towbench.schemas.database import open_database
from towbench.tests.template import fresh_database

CASES = Path(__file__).parent / "cases"
BASE = CASES / "base"
TOLERANCE = 1e-9

Row = Mapping[str, str | None]
_HASH = re.compile(r"sha256\((.*)\)")
_FILLER = {"UUID": "00000000-0000-0000-0000-000000000000", "BOOLEAN": "false", "VARCHAR": ""}


def open_tables() -> duckdb.DuckDBPyConnection:
    """A database of its own with all tables, reference rows, macros and views."""
    folder = Path(tempfile.mkdtemp(prefix="towbench-"))
    return open_database(fresh_database(folder / "cases.duckdb"), None)


def load_case(con: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Fill the tables of a case, and those of the base that the case does not have."""
    tables = {
        path.stem: path for path in [*sorted(BASE.glob("*.csv")), *sorted(folder.glob("*.csv"))]
    }
    del tables["expected"]
    for table, path in tables.items():
        fill(con, table, read_rows(path))


def fill(con: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Row]) -> None:
    """Insert rows of text cells, with fillers for what may not be NULL."""
    schema, _, name = table.partition(".")
    columns = con.execute(
        "SELECT column_name, data_type, NOT is_nullable AND column_default IS NULL "
        "FROM duckdb_columns() WHERE schema_name = ? AND table_name = ?",
        [schema, name],
    ).fetchall()
    fillers = {column: _filler(kind) for column, kind, needed in columns if needed}
    for row in rows:
        cells = fillers | {column: _cell(value) for column, value in row.items()}
        marks = ", ".join("?" for _ in cells)
        con.execute(f"INSERT INTO {table} ({', '.join(cells)}) VALUES ({marks})", [*cells.values()])


def proof(folder: Path) -> str:
    """What a case proves: the first line of its `expected.csv`."""
    first = (folder / "expected.csv").read_text("utf-8").partition("\n")[0]
    return first.removeprefix("# ") if first.startswith("# ") else ""


def differences(con: duckdb.DuckDBPyConnection, view: str, folder: Path) -> list[str]:
    """Rows in which `bench.<view>` and `expected.csv` differ; numbers may differ by 1e-9."""
    header = _lines(folder / "expected.csv")[0].split(",")
    columns = ", ".join(header)
    con.execute(f"CREATE OR REPLACE TEMP TABLE answered AS SELECT {columns} FROM bench.{view}")
    con.execute("CREATE OR REPLACE TEMP TABLE wanted AS SELECT * FROM answered LIMIT 0")
    types = {name: kind for name, kind, *_ in con.execute("DESCRIBE answered").fetchall()}
    marks = ", ".join(f"CAST(? AS {types[name]})" for name in header)
    for row in read_rows(folder / "expected.csv"):
        con.execute(f"INSERT INTO wanted SELECT {marks}", [_cell(row[name]) for name in header])
    order = ", ".join(sorted(header, key=lambda name: types[name] == "DOUBLE"))
    expected = con.execute(f"SELECT * FROM wanted ORDER BY {order}").fetchall()
    answered = con.execute(f"SELECT * FROM answered ORDER BY {order}").fetchall()
    return _compare(expected, answered)


def read_rows(path: Path) -> list[Row]:
    """Rows of a CSV file without its comment lines; an empty cell is None."""
    return [
        {name: value or None for name, value in row.items()}
        for row in csv.DictReader(_lines(path), strict=True)
    ]


def _compare(
    expected: Sequence[tuple[object, ...]], answered: Sequence[tuple[object, ...]]
) -> list[str]:
    if len(expected) != len(answered):
        return [
            f"{len(expected)} rows expected, {len(answered)} answered",
            *(f"  expected {row}" for row in expected),
            *(f"  answered {row}" for row in answered),
        ]
    return [
        f"expected {want}, answered {got}"
        for want, got in zip(expected, answered, strict=True)
        if not all(_same(a, b) for a, b in zip(want, got, strict=True))
    ]


def _same(want: object, got: object) -> bool:
    if isinstance(want, float) and isinstance(got, float):
        return math.isclose(want, got, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return want == got


def _lines(path: Path) -> list[str]:
    return [
        line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")
    ]


def _cell(value: str | None) -> str | None:
    if value == "<empty>":
        return ""
    if value and (hashed := _HASH.fullmatch(value)):
        return hashlib.sha256(hashed[1].encode()).hexdigest()
    return value


def _filler(kind: str) -> str:
    if kind.startswith("ENUM"):
        return "ok"
    if kind.endswith("[]"):
        return "[]"
    return _FILLER.get(kind, "2026-01-01" if kind == "TIMESTAMP" else "0")
