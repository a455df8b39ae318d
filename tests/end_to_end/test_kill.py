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

pytestmark = pytest.mark.slow

N_KILL = 12
COMMANDS = ("corpus", "score")


def stored_keys(project: Project) -> set[object]:
    """Keys with a stored reply; a ledger that does not exist yet holds none."""
    if not project.ledger.exists():
        return set()
    try:
        return {key for (key,) in project.query_ledger("SELECT call_key FROM hit")}
    except duckdb.CatalogException:
        return set()


def test_kill_at_random_moments(tmp_path: Path) -> None:
    """Ten kills and more, spread over crawl, corpus and score, against a run that was left alone."""
    limit = "6"
    calm, project = Project(tmp_path / "calm"), Project(tmp_path / "killed")
    calm.folder.mkdir()
    project.folder.mkdir()
    started = time.monotonic()
    for command in COMMANDS:
        calm.run(command, LIMIT=limit)
    whole = time.monotonic() - started

    rng = random.Random(20261130)
    settled: list[tuple[datetime, set[object]]] = []
    done = 0
    while len(settled) < N_KILL and done < len(COMMANDS):
        process = project.start(COMMANDS[done], LIMIT=limit)
        try:
            # What is stored is not done again, so every run gets further in the same time.
            process.communicate(timeout=whole * rng.uniform(0.05, 0.3))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            settled.append((datetime.now(UTC).replace(tzinfo=None), stored_keys(project)))
            continue
        assert process.returncode == 0
        done += 1
    assert len(settled) >= 10, f"done after {len(settled)} kills: kill earlier"
    for command in COMMANDS:
        project.run(command, LIMIT=limit)

    sent = project.query_ledger("SELECT call_key, sent_at FROM intent")
    for moment, keys in settled:
        again = {key for key, at in sent if key in keys and at > moment}  # type: ignore[operator]
        assert not again, f"{len(again)} stored calls were sent again after {moment}"
    for table in ("raw.page", "corpus.item", "corpus.writing", "judge.leaf_score"):
        count = f"SELECT count(*) FROM {table}"
        assert project.query(count) == calm.query(count), table
    leaderboard = "SELECT system, rank, n_used FROM bench.leaderboard ORDER BY ALL"
    assert project.query(leaderboard) == calm.query(leaderboard)
    assert "All checks hold." in project.run("check")
