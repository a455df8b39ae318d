"""What the tests of macros share: a connection that knows them, and how close is equal."""

import math
from collections.abc import Sequence
from functools import cache

import duckdb

from towbench.schemas.database import CATALOG
from towbench.schemas.definitions import build_macros

Cell = float | int | None


@cache
def macros() -> duckdb.DuckDBPyConnection:
    """One in-memory database with every macro for all tests of a process."""
    con = duckdb.connect()
    con.execute("SET threads = 2")
    con.execute(f"ATTACH ':memory:' AS {CATALOG}")
    con.execute(f"USE {CATALOG}")
    build_macros(con)
    return con


def load_pairs(groups: Sequence[tuple[Sequence[Cell], Sequence[Cell]]]) -> None:
    """Table d(g, x, y): group g holds the g-th pair of series; rows of the groups interleave."""
    con = macros()
    con.execute("CREATE OR REPLACE TABLE d (g BIGINT, x DOUBLE, y DOUBLE)")
    con.execute(
        "INSERT INTO d SELECT g, x, y FROM (SELECT unnest(?::BIGINT[]) AS g, "
        "unnest(?::BIGINT[]) AS place, unnest(?::DOUBLE[]) AS x, unnest(?::DOUBLE[]) AS y) "
        "ORDER BY place, g",
        [
            [g for g, (x, _) in enumerate(groups) for _ in x],
            [place for x, _ in groups for place in range(len(x))],
            [value for x, _ in groups for value in x],
            [value for _, y in groups for value in y],
        ],
    )


def complete(x: Sequence[Cell], y: Sequence[Cell]) -> tuple[list[float], list[float]]:
    """The pairs that are there and finite on both sides."""
    pairs = [
        (float(a), float(b))
        for a, b in zip(x, y, strict=True)
        if a is not None and b is not None and math.isfinite(a) and math.isfinite(b)
    ]
    return [a for a, _ in pairs], [b for _, b in pairs]


def off(ours: Cell, theirs: Cell) -> float:
    """Distance of two results: absolute, relative above 1; infinite if one alone is NULL or NaN."""
    if ours is None or theirs is None:
        return 0.0 if ours is None and theirs is None else math.inf
    distance = abs(ours - theirs) / max(1.0, abs(theirs))
    return distance if distance == distance else math.inf
