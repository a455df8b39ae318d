"""30 % mixed faults, and kill -9 in the midst of them, over real HTTP (cases A to F).

The full size (5,000 calls, 200 kills) runs in `make bench`.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from towbench.tests.chaos.runs import run_chaos, run_kills

pytestmark = pytest.mark.slow


def test_every_call_ends_in_a_right_value_or_a_right_status(tmp_path: Path) -> None:
    outcome = run_chaos(tmp_path, 600, pause=0.2)
    assert outcome.wrong == []
    assert len(outcome.kinds) >= 25, outcome.kinds
    assert outcome.n_value > 400
    assert outcome.spent > 0 and outcome.n_unknown > 10


def test_kill_9_repeats_no_stored_call(tmp_path: Path) -> None:
    outcome = run_kills(tmp_path, n=400, n_kill=5, life=(60, 110))
    assert outcome.wrong == []
    assert outcome.n_kill == 5
    assert outcome.n_hit_at_last_kill > 30


def test_a_run_that_cannot_work_says_so(tmp_path: Path) -> None:
    """The workload itself must not swallow a stop."""
    from towbench.tests.chaos.workload import Workload, command

    work = Workload(str(tmp_path), "http://127.0.0.1:9/v1", 3)
    done = subprocess.run(command(work), capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "BASE_URL" in done.stderr
