"""Ctrl-C in a real process: calls in flight end, every reply is kept, the same command goes on."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from towbench.tests.project import Project
from towbench.tests.scripted_endpoint import KEY, Asked, chat, serving

pytestmark = pytest.mark.slow


def test_an_interrupted_run_keeps_every_reply_and_goes_on(scored: Project, tmp_path: Path) -> None:
    shutil.copytree(scored.folder / "data", tmp_path / "data")
    project = Project(tmp_path)

    def reply(asked: Asked, n: int) -> dict[str, Any]:
        # Few tokens for a long prompt would read as a silently cut one.
        usage = {"prompt_tokens": len(asked.prompt), "completion_tokens": 20}
        return chat('{"reason": "r", "score": 3}') | {"usage": usage}

    with serving(reply, latency=0.1) as endpoint:
        settings = {
            "JUDGES": "local/judge-1", "BASE_URL": endpoint.url, "API_KEY": KEY,
            "CONCURRENCY": "4", "LIMIT": "3",
        }  # fmt: skip
        process = project.start("score", **settings)
        while len(endpoint.asked) < 12:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, printed = process.communicate(timeout=60)
        assert process.returncode == 1
        assert "every reply is stored" in printed and "`towbench score`" in printed
        n_first = len(endpoint.asked)
        assert project.query_ledger(
            "SELECT status, count(*), count(DISTINCT call_key) FROM attempt "
            "WHERE http_status = 200"
            " AND call_key IN (SELECT call_key FROM request WHERE model = 'local/judge-1')"
            " GROUP BY status"
        ) == [("ok", n_first, n_first)]
        before = {asked.prompt for asked in endpoint.asked}

        project.run("score", code=0, **settings)
        assert not before & {asked.prompt for asked in endpoint.asked[n_first:]}
        assert len(endpoint.asked) > n_first
        assert project.query(
            "SELECT count(*) FILTER (WHERE score IS NULL), count(*) = count(DISTINCT call_key)"
            " FROM judge.leaf_score WHERE judge = 'local/judge-1'"
        ) == [(0, True)]


def test_a_second_ctrl_c_waits_for_nobody(scored: Project, tmp_path: Path) -> None:
    """The endpoint takes a minute an answer; what was sent is a row with an upper bound."""
    shutil.copytree(scored.folder / "data", tmp_path / "data")
    project = Project(tmp_path)
    with serving(lambda asked, n: chat("late"), latency=60) as endpoint:
        settings = {"JUDGES": "local/judge-1", "BASE_URL": endpoint.url, "API_KEY": KEY}
        process = project.start("score", CONCURRENCY="2", LIMIT="1", **settings)
        while len(endpoint.asked) < 1:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=2)
        process.send_signal(signal.SIGINT)
        _, printed = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "again does not wait" in printed and "goes on" in printed
    sent = project.query_ledger("SELECT count(*) FROM attempt WHERE status = 'sent'")
    assert sent[0] >= (1,)
