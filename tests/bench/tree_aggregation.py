"""The aggregation core of node scores on 50 million leaf rows, against polars streaming.

The statement of `sql/views/scores/node_sum_v1.sql` runs as it is over tables of the names it reads;
polars does the same join and group-by. Both read the same Parquet files, in processes of their own.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import duckdb

from towbench.tests.bench.figure import Figure
from towbench.tests.macro_loader import macros

N_ITEM = 1_302
N_SYSTEM = 474
N_JUDGE = 9
MEMORY = "1500MB"
TABLES = {"leaf_point_v1": "points", "path_point_v1": "paths", "node_number_v1": "nodes"}
"""What the view reads, and the Parquet file that stands for it."""

# A tree of nine leaves: five of content, three of format, impression; nodes 10 content, 11 format,
# 12 root. One leaf in fifty has no value.
_POINTS = """
COPY (
    SELECT
        CAST(item.n * $n_system + system.n AS INTEGER) AS writing_key,
        CAST(item.n AS INTEGER) AS item_key,
        CAST(judge.n AS INTEGER) AS judging_key,
        CAST(0 AS INTEGER) AS run_key,
        CAST(leaf.n AS INTEGER) AS leaf_key,
        CASE
            WHEN seeded_draw_v1(1, item.n * $n_system + system.n, judge.n * 9 + leaf.n, 50) > 1
                THEN CAST(
                    seeded_draw_v1(2, item.n * $n_system + system.n, judge.n * 9 + leaf.n, 10)
                    AS DOUBLE
                )
        END AS value
    FROM range($n_item) AS item (n)
    CROSS JOIN range($n_system) AS system (n)
    CROSS JOIN range($n_judge) AS judge (n)
    CROSS JOIN range(1, 10) AS leaf (n)
) TO '{folder}/points.parquet' (FORMAT parquet, COMPRESSION zstd)
"""
_PATHS = """
COPY (
    SELECT
        CAST(item.n AS INTEGER) AS item_key,
        CAST(edge.node_key AS INTEGER) AS node_key,
        CAST(edge.leaf_key AS INTEGER) AS leaf_key,
        edge.node_key = 12 AS is_root,
        0.05 + seeded_uniform_v1(3, item.n, edge.node_key * 10 + edge.leaf_key) / 5 AS weight
    FROM range($n_item) AS item (n)
    CROSS JOIN (
        SELECT 10 AS node_key, leaf.n AS leaf_key FROM range(1, 6) AS leaf (n)
        UNION ALL
        SELECT 11, leaf.n FROM range(6, 9) AS leaf (n)
        UNION ALL
        SELECT 12, leaf.n FROM range(1, 10) AS leaf (n)
    ) AS edge
) TO '{folder}/paths.parquet' (FORMAT parquet, COMPRESSION zstd)
"""
_NODES = """
COPY (
    SELECT 'howtobench' AS benchmark, CAST(n AS INTEGER) AS node_key FROM range(1, 13) AS node (n)
) TO '{folder}/nodes.parquet' (FORMAT parquet)
"""
_SUMMARY = "SELECT count(benchmark), count(score), sum(score), sum(n_scored), sum(writing_key * score) FROM "


def tree_aggregation() -> list[Figure]:
    """Seconds of both, the shortest of two runs each in turn, and our peak memory."""
    with tempfile.TemporaryDirectory() as name:
        n_row = _job("make", name)[0]
        runs = [(_job("ours", name), _job("theirs", name)) for _ in range(2)]
    for ours, theirs in runs:
        for mine, other in zip(ours[2:], theirs[2:], strict=True):
            if abs(mine - other) > 1e-9 * abs(other):
                raise ValueError(f"polars sums to {other}, the view to {mine}")
    seconds = min(ours[0] for ours, _ in runs)
    polars = min(theirs[0] for _, theirs in runs)
    what = f"tree aggregation of {n_row / 1e6:.0f} million leaf rows"
    peak, other = max(ours[1] for ours, _ in runs), max(theirs[1] for _, theirs in runs)
    return [
        Figure(f"{what} ({seconds:.1f} s) over polars streaming ({polars:.1f} s)", seconds / polars, "x", 0.6),
        Figure(f"its peak memory (polars {other:.2f} GB)", peak, "GB", 2),
    ]  # fmt: skip


def make(folder: Path) -> list[float]:
    """Write the tables as Parquet; returns the number of leaf rows."""
    sizes = {"n_item": N_ITEM, "n_system": N_SYSTEM, "n_judge": N_JUDGE}
    con = macros()
    con.execute(_POINTS.format(folder=folder), sizes)
    con.execute(_PATHS.format(folder=folder), {"n_item": N_ITEM})
    con.execute(_NODES.format(folder=folder))
    [(n_row,)] = con.execute(f"SELECT count(*) FROM '{folder}/points.parquet'").fetchall()
    return [float(n_row)]


def ours(folder: Path) -> list[float]:
    """Seconds, peak GB and sums of the view."""
    text = (files("towbench") / "sql" / "views" / "scores" / "node_sum_v1.sql").read_text("utf-8")
    [query] = re.findall(r"CREATE OR REPLACE VIEW bench\.node_sum_v1 AS\n(.*?);", text, re.DOTALL)
    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": MEMORY, "threads": 2, "temp_directory": str(folder / "spill"),
    }  # fmt: skip
    with duckdb.connect(config=config) as con:
        con.execute("CREATE SCHEMA bench")
        for table, file in TABLES.items():
            con.execute(f"CREATE VIEW bench.{table} AS FROM '{folder}/{file}.parquet'")
        started = time.monotonic()
        [sums] = con.execute(f"{_SUMMARY} ({query})").fetchall()
        return [time.monotonic() - started, _peak(), *map(float, sums)]


def theirs(folder: Path) -> list[float]:
    """The same of polars' streaming engine over Parquet."""
    import polars as pl

    started = time.monotonic()
    weight, value = pl.col("weight"), pl.col("value")
    counts = pl.when(weight != 0)
    summed = (
        pl.scan_parquet(folder / "points.parquet")
        .join(pl.scan_parquet(folder / "paths.parquet"), on=["item_key", "leaf_key"])
        .group_by("writing_key", "judging_key", "run_key", "node_key", "is_root")
        .agg(
            counts.then(weight * value).otherwise(0.0).sum().alias("weighted_sum"),
            (weight.is_null() | ((weight != 0) & value.is_null())).sum().alias("n_missing"),
            value.count().alias("n_scored"),
            pl.len().alias("n_leaf"),
        )
        .join(pl.scan_parquet(folder / "nodes.parquet"), on="node_key")
        .with_columns(pl.when(pl.col("n_missing") == 0).then("weighted_sum").alias("score"))
    )
    score = pl.col("score")
    [sums] = (
        summed.select(
            pl.len(), score.count().alias("n"), score.sum(), pl.col("n_scored").sum(),
            (pl.col("writing_key") * score).sum().alias("check"),
        )
        .collect(engine="streaming")
        .rows()
    )  # fmt: skip
    return [time.monotonic() - started, _peak(), *map(float, sums)]


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


JOBS: dict[str, Callable[[Path], list[float]]] = {"make": make, "ours": ours, "theirs": theirs}


def _job(name: str, folder: str) -> list[float]:
    """Run a job in a process of its own, so that its memory is its own."""
    done = subprocess.run(
        [sys.executable, __file__, name, folder], stdout=subprocess.PIPE, text=True, check=True
    )
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    print(json.dumps(JOBS[sys.argv[1]](Path(sys.argv[2]))))
