"""Requests and tokens a minute are kept per provider, over real HTTP."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from towbench.tests.scripted_endpoint import Desk, FakeEndpoint, score, serving
from towbench.udfs.response import token_estimate


def gaps(endpoint: FakeEndpoint) -> list[float]:
    """Seconds between requests."""
    times = sorted(asked.at for asked in endpoint.asked)
    return [later - earlier for earlier, later in pairwise(times)]


def test_each_provider_has_its_own_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda asked, n: score(7)) as slow, serving(lambda asked, n: score(7)) as free:
        monkeypatch.setenv("TOWBENCH_SLOW_BASE_URL", slow.url)
        monkeypatch.setenv("TOWBENCH_SLOW_RPM", "600")
        desk = Desk(tmp_path, free.url)
        for i in range(12):
            desk.add(f"{i:064}", model="slow/judge-1" if i % 2 else "free/judge-1")
        assert {status for _, status, _ in desk.ask()} == {"ok"}
        desk.close()
        assert len(slow.asked) == len(free.asked) == 6
        assert sum(gaps(slow)) >= 0.45
        assert sum(gaps(free)) < sum(gaps(slow))


def test_tokens_a_minute_space_the_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the limit a request is sent when the tokens of the one before it have been let through."""
    with serving(lambda asked, n: score(7)) as endpoint:
        desk = Desk(tmp_path / "free", endpoint.url)
        desk.ask()
        desk.close()
        tokens = token_estimate(endpoint.asked[0].prompt)
        endpoint.asked.clear()
        monkeypatch.setenv("TOWBENCH_LOCAL_TPM", str(tokens * 600))
        desk = Desk(tmp_path / "slow", endpoint.url)
        desk.ask(6)
        desk.close()
        assert len(endpoint.asked) == 6
        assert sum(gaps(endpoint)) >= 5 * 0.1 - 0.05
