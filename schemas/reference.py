"""Reference tables that ship as files: genres, labels, statuses, leaves and trees."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.resources import as_file, files

import duckdb

from towbench.schemas.trees import load_leaves, load_trees

CSV_TABLES = {
    "corpus.genre": "genre.csv",
    "corpus.genre_label": "genre_label.csv",
    "run.status": "status.csv",
}


def load_reference(con: duckdb.DuckDBPyConnection) -> None:
    """Bring the reference tables to what this version of the package ships."""
    for table, name in CSV_TABLES.items():
        with as_file(files("towbench") / "schemas" / "tables" / name) as path:
            con.execute(
                f"INSERT OR REPLACE INTO {table} BY NAME "
                "SELECT * FROM read_csv(?, header = true, all_varchar = true)",
                [str(path)],
            )
    replace_rows(con, "judge.leaf", [asdict(row) for row in load_leaves().values()])
    nodes = [asdict(row) for tree in load_trees().values() for row in tree.nodes]
    replace_rows(con, "judge.tree_node", nodes)


def replace_rows(
    con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, object]]
) -> None:
    """Insert rows by name; a row with a known primary key takes the place of the old one."""
    if not rows:
        return
    kinds = {name: kind for name, kind, *_ in con.execute(f"DESCRIBE {table}").fetchall()}
    form = {name: "VARCHAR" if kinds[name].startswith("ENUM") else kinds[name] for name in rows[0]}
    shape = json.dumps([form]).replace("'", "''")
    # As JSON, not Arrow: that loads pandas where it is installed, a second for a few rows.
    con.execute(
        f"INSERT OR REPLACE INTO {table} BY NAME SELECT replaced.* "
        f"FROM (SELECT unnest(from_json(CAST(? AS JSON), '{shape}')) AS replaced)",
        [json.dumps([dict(row) for row in rows], default=str)],
    )
