"""cases E28: a batch survives kill -9 at every step from the first row to the last."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from towbench.tests.unit.test_udfs_batch import BatchDesk, N, ledger_rows, served
from towbench.udfs.embedded.endpoint import Options, running

WORKER = """
import os, signal, sys
from pathlib import Path
from towbench.tests.unit.test_udfs_batch import BatchDesk
from towbench.udfs.batch_ledger import BatchLedger
from towbench.udfs.client_batch import BatchApi
from towbench.udfs.ledger import LedgerWriter

folder, url, point = sys.argv[1:]

def die_after(owner, name, is_due=lambda *seen: True):
    whole = getattr(owner, name)
    def cut(self, *given, **named):
        found = whole(self, *given, **named)
        if is_due(found, *given):
            os.kill(os.getpid(), signal.SIGKILL)
        return found
    setattr(owner, name, cut)

def posted(path):
    return lambda found, method, asked, **sent: (method, asked) == ("POST", path)

def noted(event):
    return lambda found, batch_id, seen, remote_id: seen == event

POINTS = {
    "stored": (BatchLedger, "begin"),
    "uploaded": (BatchApi, "_call", posted("/files")),
    "created": (BatchApi, "_call", posted("/batches")),
    "noted": (BatchLedger, "note", noted("created")),
    "looked at": (BatchApi, "poll"),
    "done": (BatchApi, "poll", lambda state, remote_id: state.status == "completed"),
    "half read": (BatchApi, "read"),
    "read": (BatchLedger, "note", noted("read")),
}
desk = BatchDesk(Path(folder), url)
if point == "flushed":
    # The outcomes are stored, but not that the batch was read.
    BatchLedger.finish = lambda self, batch_id: self._ledger.flush() or os.kill(os.getpid(), 9)
else:
    die_after(*POINTS[point])
desk.score()
"""
BEFORE_IT_WAS_CREATED = ("stored", "uploaded")
AFTER_ALL_WAS_STORED = ("flushed", "read")
POINTS = (*BEFORE_IT_WAS_CREATED, "created", "noted", "looked at", "done", "half read",
          *AFTER_ALL_WAS_STORED)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
def test_nothing_is_paid_twice_wherever_a_run_is_killed(point: str, tmp_path: Path) -> None:
    with running(Options(batch_seconds=0.5)) as endpoint:
        words = [sys.executable, "-c", WORKER, str(tmp_path), endpoint.url, point]
        killed = subprocess.run(words, capture_output=True, timeout=120, check=False)
        assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
        desk = BatchDesk(tmp_path, endpoint.url)
        desk.fill()
        n_pending = len(desk.rows("SELECT 1 FROM pending.request"))
        assert n_pending == (0 if point in AFTER_ALL_WAS_STORED else N)
        if n_pending:
            desk.ask()
        desk.close()
        assert len(served(endpoint)) == N
    assert ledger_rows(tmp_path, "SELECT count(*) FROM hit") == [(N,)]
    n_lost = N if point in BEFORE_IT_WAS_CREATED else 0
    attempts = "SELECT status, count(*), sum(cost) FROM attempt WHERE status <> 'ok' GROUP BY ALL"
    assert ledger_rows(tmp_path, attempts) == ([("dropped", N, 0.0)] if n_lost else [])
    prompt, completion = (sum(spent[kind] for spent in served(endpoint)) for kind in (0, 1))
    ours = "SELECT sum(prompt_tokens), sum(completion_tokens) FROM outcome"
    assert ledger_rows(tmp_path, ours) == [(prompt, completion)]
