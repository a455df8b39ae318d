"""kill -9 at any moment, then the same command: it completes and repeats no stored call."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from towbench.tests.project import Project

pytestmark = pytest.mark.xdist_group("end_to_end")

N_KILL = 12


def stored_keys(project: Project) -> set[object]:
    """Keys with a stored reply; a ledger that does not exist yet holds none."""
    if not project.ledger.exists():
        return set()
    try:
        return {key for (key,) in project.query_ledger("SELECT call_key FROM hit")}
    except duckdb.CatalogException:
        return set()


def test_kill_at_random_moments(scored: Project, tmp_path: Path) -> None:
    project = Project(tmp_path)
    rng = random.Random(20261130)
    settled: list[tuple[datetime, set[object]]] = []
    kills = 0
    started = time.monotonic()
    project.run("--help")
    overhead = time.monotonic() - started
    while kills < N_KILL:
        process = project.start("score")
        # Ever later moments, so that every stage is hit, the first ones included.
        wait = overhead * rng.uniform(0.5, 2.0) + kills * rng.uniform(0.2, 1.2)
        try:
            process.communicate(timeout=wait)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            kills += 1
            settled.append((datetime.now(UTC).replace(tzinfo=None), stored_keys(project)))
            continue
        assert process.returncode == 0
        break
    assert kills >= 10, f"the run ended after {kills} kills: kill earlier"
    project.run("score")
    sent = project.query_ledger("SELECT call_key, sent_at FROM intent")
    for moment, keys in settled:
        again = {key for key, at in sent if key in keys and at > moment}  # type: ignore[operator]
        assert not again, f"{len(again)} stored calls were sent again after {moment}"
    for table in ("corpus.item", "corpus.writing", "judge.leaf_score", "judge.edge_weight"):
        count = f"SELECT count(*) FROM {table}"
        assert project.query(count) == scored.query(count), table
    leaderboard = "SELECT system, rank, n_used FROM bench.leaderboard ORDER BY ALL"
    assert project.query(leaderboard) == scored.query(leaderboard)
    assert "All checks hold." in project.run("check")
