"""Tables keep every number at any width; progress lines appear on a terminal only."""

import io
import re

import duckdb
import pytest
from rich.console import Console

from towbench.ingest.show import PageMeter, show_leaderboards, show_plan, show_query
from towbench.tests.cases_loader import CASES, load_case, open_tables


@pytest.mark.parametrize("width", [80, 100, 140])
def test_a_narrow_leaderboard_breaks_names_not_numbers(width: int) -> None:
    file = io.StringIO()
    con = open_tables()
    load_case(con, CASES / "leaderboard_v1" / "tie_and_control")
    con.execute("UPDATE corpus.writing SET system = repeat(system, 40)")
    show_leaderboards(con, Console(file=file, width=width), ["t"])
    printed = file.getvalue()
    scores = con.execute("SELECT score FROM bench.leaderboard WHERE scope = 'all'").fetchall()
    assert scores
    for (score,) in scores:
        assert f"{score:.3f}" in printed
    assert "…" not in printed


def test_a_missing_rank_is_explained() -> None:
    con = open_tables()
    load_case(con, CASES / "leaderboard_v1" / "tie_and_control")
    printed = []
    for _ in range(2):
        file = io.StringIO()
        show_leaderboards(con, Console(file=file, width=140), ["t"])
        printed.append("bench.coverage" in file.getvalue())
        con.execute("DELETE FROM judge.leaf_score WHERE writing_id LIKE 'A1%'")
    assert printed == [False, True]


def test_a_plan_shows_names_and_numbers_whole_on_a_narrow_terminal() -> None:
    con = duckdb.connect()
    con.execute(
        """
        ATTACH ':memory:' AS pending;
        CREATE TABLE pending.plan AS
        SELECT
            'sample' AS benchmark, 'score' AS stage, 'tty/rules-1' AS model, 5141 AS n_call,
            12 AS n_hit, 11845872 AS prompt_tokens, 1028200 AS completion_tokens,
            31.9173 AS cost, 12.5 AS minutes, true AS is_guess, 'write' AS waits_for
        """
    )
    file = io.StringIO()
    show_plan(con, Console(file=file, width=80), None)
    printed = file.getvalue()
    for wanted in ("sample,", "score", "rules-1", "5,141", "11,845,872", "1,028,200", "31.9173"):
        assert wanted in printed
    assert "fewer" in printed and "write" in printed


def test_a_query_prints_whole_values() -> None:
    con = duckdb.connect()
    file = io.StringIO()
    show_query(
        con,
        Console(file=file, width=40),
        "",
        "SELECT 'abcdefghij' || repeat('k', 90) AS a, repeat('z', 50) AS b",
    )
    printed = file.getvalue()
    assert printed.count("k") == 90 and printed.count("z") == 50


def test_pages_are_counted_on_a_terminal_only() -> None:
    for is_terminal in (True, False):
        file = io.StringIO()
        meter = PageMeter(Console(file=file, force_terminal=is_terminal))
        meter.show("one", "ok")
        meter.show("two", "http_error")
        meter.close()
        drawn = re.findall(r"(\d+) pages of (\d+) sources \((\d+) ok\)", file.getvalue())
        assert drawn == ([("1", "1", "1"), ("2", "2", "1")] if is_terminal else [])
