"""Rows to terminal tables: leaderboard, funnel and status, drawn from the bench views."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Protocol

import duckdb
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from towbench.schemas.errors import UsageError

EMBEDDED_NOTE = (
    "Judge embedded/rules-1 is a set of text-statistics rules, not a language model: these scores "
    "show that the pipeline runs and are not for publication."
)


def show_leaderboards(
    con: duckdb.DuckDBPyConnection, console: Console, benchmarks: Sequence[str]
) -> None:
    """Print the leaderboard of each benchmark for every tree, judge and mode asked for."""
    rows = con.execute(
        """
        SELECT benchmark, tree, judge, reference_mode, rank, system, is_control, score,
            ci_low, ci_high, score_low, score_high, n_used, n_expected
        FROM bench.leaderboard
        WHERE scope = 'all' AND list_contains(?, benchmark)
        ORDER BY benchmark, tree, judge, reference_mode,
            is_control, rank NULLS LAST, score DESC NULLS LAST, system
        """,
        [list(benchmarks)],
    ).fetchall()
    if not rows:
        console.print("No scores yet: run `make score`.")
    for (benchmark, tree, judge, mode), group in groupby(rows, key=lambda row: row[:4]):
        table = Table(
            title=f"{benchmark}: tree {tree}, judge {judge}, reference {mode}", title_justify="left"
        )
        # A narrow terminal breaks the names, never the numbers.
        for name in ("rank", "system", "score", "95 % interval", "bounds", "items"):
            is_name = name == "system"
            table.add_column(
                name, justify="left" if is_name else "right", no_wrap=not is_name, overflow="fold"
            )
        for row in group:
            table.add_row(*_leaderboard_cells(*row[4:]))
        console.print(table)
    unranked = any(
        rank is None and not is_control for rank, _, is_control in (r[4:7] for r in rows)
    )
    if unranked:
        console.print(
            "No rank (-) is given while more than 5 % of a system's items have no score: "
            "`make status` counts what is missing, bench.coverage says why."
        )
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
    """Print the rows of a query as a table.

    Raises:
        UsageError: DuckDB does not take the query; the message is its own.
    """
    try:
        cursor = con.execute(query)
    except duckdb.Error as error:
        raise UsageError(str(error)) from None
    if cursor is None or cursor.description is None:
        raise UsageError("an empty query")
    table = Table(title=title, title_justify="left")
    for column in cursor.description:
        table.add_column(column[0], overflow="fold")
    for row in cursor.fetchall():
        table.add_row(*("" if value is None else escape(str(value)) for value in row))
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


class _Line:
    """A line of a terminal, drawn over and over; silent where there is no terminal."""

    def __init__(self, console: Console) -> None:
        self.is_shown = console.is_terminal
        self._file = console.file
        self._is_drawn = False

    def draw(self, text: str) -> None:
        if self.is_shown:
            self._is_drawn = True
            self._file.write(f"\r\x1b[K{text}")
            self._file.flush()

    def close(self) -> None:
        if self._is_drawn:
            self._file.write("\r\x1b[K")


class Meter:
    """The progress line of a call step."""

    def __init__(self, console: Console) -> None:
        self._line = _Line(console)
        self._step = ""
        self._started = 0.0
        self._before = 0
        self._cost_before = 0.0

    def show(self, step: str, total: int, now: Counters) -> None:
        """Draw requests done of `total` in this batch, rate, time left, failures and money."""
        if not self._line.is_shown:
            return
        if step != self._step:
            self._step, self._started = step, time.monotonic()
            self._before, self._cost_before = now.done, now.cost
        done = now.done - self._before
        rate = done / max(time.monotonic() - self._started, 0.001)
        left = f"{_duration((total - done) / rate)} left" if rate else "no rate yet"
        money = f"{now.cost:.2f} USD spent"
        if done and now.cost > self._cost_before:
            projected = now.cost + (now.cost - self._cost_before) / done * (total - done)
            money += f", {projected:.2f} projected"
        self._line.draw(
            f"{step.removesuffix('.sql')}: {done:,} of {total:,}, {rate:,.0f}/s, {left}, "
            f"{now.failed:,} without a value, {money}"
        )

    def close(self) -> None:
        """End the line."""
        self._line.close()


class PageMeter:
    """The progress line of a crawl."""

    def __init__(self, console: Console) -> None:
        self._line = _Line(console)
        self._started = time.monotonic()
        self._sources: Counter[str] = Counter()
        self._n_ok = 0

    def show(self, source: str, status: str) -> None:
        """Count one landed record of a source by its page status; draw the sum and the rate."""
        self._sources[source] += 1
        self._n_ok += status == "ok"
        n_page = self._sources.total()
        rate = 60 * n_page / max(time.monotonic() - self._started, 0.001)
        self._line.draw(
            f"crawl: {n_page:,} pages of {len(self._sources)} sources "
            f"({self._n_ok:,} ok), {rate:,.0f}/min, last from {source}"
        )

    def close(self) -> None:
        """End the line."""
        self._line.close()


def _duration(seconds: float) -> str:
    """Seconds as a person says them: 40 s, 12 min, 3.5 h."""
    if seconds < 100:
        return f"{seconds:,.0f} s"
    return f"{seconds / 60:,.0f} min" if seconds < 6000 else f"{seconds / 3600:,.1f} h"


def show_plan(con: duckdb.DuckDBPyConnection, console: Console, budget: float | None) -> None:
    """Print `pending.plan`: what a run would ask, and what it may cost."""
    rows = con.execute(
        """
        SELECT benchmark, stage, model, n_call, n_hit, prompt_tokens, completion_tokens, cost,
            minutes, is_guess, waits_for
        FROM pending.plan
        ORDER BY benchmark,
            list_position(
                [
                    'genre', 'quality', 'construct', 'marks', 'write', 'perturb', 'negotiate',
                    'score'
                ],
                stage
            ),
            model, waits_for NULLS FIRST
        """
    ).fetchall()
    if not rows:
        console.print("Nothing to ask for the pages, items and texts that are known by now.")
        return
    table = Table(title="What a run would ask now", title_justify="left")
    # Who is asked stands in one column that may fold: 80 columns hold it and every number whole.
    table.add_column("benchmark, stage\nmodel", overflow="fold")
    for name in ("calls", "ledger\nhits", "tokens\nin", "tokens\nout", "USD", "minutes"):
        table.add_column(name, justify="right", no_wrap=True)
    for benchmark, stage, model, calls, hits, *tokens, cost, minutes, is_guess, waits in rows:
        lines = [f"{benchmark}, {stage}", model]
        lines += ["a guess: fewer than 50 replies so far"] if is_guess else []
        lines += [f"waits for {waits}"] if waits else []
        money = "unknown" if cost is None else f"{cost:,.4f}"
        counts = [f"{n:,}" for n in (calls, hits, *tokens)]
        table.add_row(escape("\n".join(lines)), *counts, money, _number(minutes, 1))
    console.print(table)
    costs = [row[7] for row in rows]
    total = sum(cost for cost in costs if cost is not None)
    unknown = sum(row[3] for row in rows if row[7] is None)
    console.print(f"In all {sum(row[3] for row in rows):,} calls, {total:,.4f} USD", end="")
    console.print(f", and {unknown:,} calls whose price is unknown (prices.csv)" if unknown else "")
    if budget is not None and total > budget:
        console.print(f"More than the budget of {budget:,.2f} USD.", style="yellow")
