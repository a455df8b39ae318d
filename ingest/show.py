"""Rows to terminal tables: leaderboard, funnel and status, drawn from the bench views."""

from __future__ import annotations

import time
from itertools import groupby
from typing import Protocol

import duckdb
from rich.console import Console
from rich.table import Table

EMBEDDED_NOTE = (
    "Judge embedded/rules-1 is a set of text-statistics rules, not a language model: these scores "
    "show that the pipeline runs and are not for publication."
)


def show_leaderboards(con: duckdb.DuckDBPyConnection, console: Console) -> None:
    """Print the leaderboard of every benchmark, tree, judge and reference mode asked for."""
    rows = con.execute(
        """
        SELECT benchmark, tree, judge, reference_mode, rank, system, is_control, score,
            ci_low, ci_high, score_low, score_high, n_used, n_expected
        FROM bench.leaderboard
        WHERE scope = 'all'
        ORDER BY benchmark, tree, judge, reference_mode,
            is_control, rank NULLS LAST, score DESC NULLS LAST, system
        """
    ).fetchall()
    if not rows:
        console.print("No scores yet: run `make score`.")
    for (benchmark, tree, judge, mode), group in groupby(rows, key=lambda row: row[:4]):
        table = Table(
            title=f"{benchmark}: tree {tree}, judge {judge}, reference {mode}", title_justify="left"
        )
        for name in ("rank", "system", "score", "95 % interval", "bounds", "items"):
            table.add_column(name, justify="left" if name == "system" else "right", no_wrap=True)
        for row in group:
            table.add_row(*_leaderboard_cells(*row[4:]))
        console.print(table)
    if any(judge.startswith("embedded/") for _, _, judge, *_ in rows):
        console.print(EMBEDDED_NOTE, style="yellow")


def _leaderboard_cells(
    rank: int | None,
    system: str,
    is_control: bool,
    score: float | None,
    ci_low: float | None,
    ci_high: float | None,
    score_low: float | None,
    score_high: float | None,
    n_used: int,
    n_expected: int,
) -> list[str]:
    return [
        "control" if is_control else _number(rank, 0),
        system,
        _number(score, 3),
        f"{_number(ci_low, 3)} to {_number(ci_high, 3)}",
        f"{_number(score_low, 3)} to {_number(score_high, 3)}",
        f"{n_used} of {n_expected}",
    ]


def show_query(con: duckdb.DuckDBPyConnection, console: Console, title: str, query: str) -> None:
    """Print the rows of a query as a table."""
    cursor = con.execute(query)
    table = Table(title=title, title_justify="left")
    for column in cursor.description or []:
        table.add_column(column[0])
    for row in cursor.fetchall():
        table.add_row(*("" if value is None else str(value) for value in row))
    console.print(table)


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


class Counters(Protocol):
    """Requests settled, without a value, and money spent, since the run began."""

    @property
    def done(self) -> int: ...
    @property
    def failed(self) -> int: ...
    @property
    def cost(self) -> float: ...


class Meter:
    """One progress line a call step, drawn over and over; silent where there is no terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._step = ""
        self._started = 0.0
        self._before = 0

    def show(self, step: str, total: int, now: Counters) -> None:
        """Draw requests done of `total` in this batch, rate, time left, failures and cost."""
        if not self._console.is_terminal:
            return
        if step != self._step:
            self._step, self._started, self._before = step, time.monotonic(), now.done
        done = now.done - self._before
        rate = done / max(time.monotonic() - self._started, 0.001)
        left = f"{(total - done) / rate:,.0f} s left" if rate else "no rate yet"
        self._console.file.write(
            f"\r\x1b[K{step.removesuffix('.sql')}: {done:,} of {total:,}, {rate:,.0f}/s, {left}, "
            f"{now.failed:,} without a value, {now.cost:.2f} USD"
        )
        self._console.file.flush()

    def close(self) -> None:
        """End the line."""
        if self._step and self._console.is_terminal:
            self._console.file.write("\r\x1b[K")
