"""Endpoints that cannot work stop a run at once: one message that names the setting, exit code 2.

One that answers, but mostly with what is no verdict, ends its stage with exit code 1.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiohttp import web

from towbench.tests.project import Project
from towbench.tests.scripted_endpoint import KEY, Asked, Reply, chat, refuse, score, serving
from towbench.udfs.embedded.endpoint import Options, running

pytestmark = pytest.mark.slow

JUDGE = "local/rules-1"


@pytest.fixture
def project(scored: Project, tmp_path: Path) -> Project:
    shutil.copytree(scored.folder / "data", tmp_path / "data")
    return Project(tmp_path)


def stops(project: Project, *says: str, **settings: str) -> str:
    """Run `score` into a stop; what was printed."""
    chosen = {"JUDGES": JUDGE, "API_KEY": "any-word", "CONCURRENCY": "4"} | settings
    printed = project.run("score", code=2, **chosen)
    assert printed.count("error: ") == 1 and "Traceback" not in printed
    told = printed[printed.index("error: ") :]
    for words in says:
        assert words in " ".join(told.split()), told
    judged = f"SELECT count(score) FROM judge.leaf_score WHERE judge = '{chosen['JUDGES']}'"
    assert project.query(judged) == [(0,)]
    assert project.query("SELECT exit_code FROM run.run ORDER BY started_at DESC LIMIT 1") == [(2,)]
    return told


@contextmanager
def no_money() -> Iterator[str]:
    """An account whose quota is used up answers 429, as if it were busy."""

    def script(asked: Asked, n: int) -> Reply:
        error = {"message": "You exceeded your current quota.", "code": "insufficient_quota"}
        return web.json_response({"error": error}, status=429)

    with serving(script) as endpoint:
        yield endpoint.url
        assert len(endpoint.asked) <= 4


@pytest.mark.parametrize("key", ["", "  "])
def test_no_key(key: str, project: Project) -> None:
    stops(project, "TOWBENCH_LOCAL_API_KEY or TOWBENCH_API_KEY: not set", API_KEY=key,
          BASE_URL="http://127.0.0.1:9/v1")  # fmt: skip


def test_no_address(project: Project) -> None:
    stops(project, "TOWBENCH_LOCAL_BASE_URL or TOWBENCH_BASE_URL: not set")


def test_an_address_where_nobody_is(project: Project) -> None:
    stops(project, "TOWBENCH_LOCAL_BASE_URL or TOWBENCH_BASE_URL", "cannot be reached",
          BASE_URL="http://127.0.0.1:9/v1")  # fmt: skip


def test_an_address_of_something_else(project: Project) -> None:
    with running(Options()) as endpoint:
        stops(project, "TOWBENCH_LOCAL_BASE_URL or TOWBENCH_BASE_URL", "404",
              BASE_URL=endpoint.url.replace("/v1", "/api"))  # fmt: skip


def test_a_wrong_key(project: Project) -> None:
    with running(Options(key="another-word")) as endpoint:
        told = stops(project, "TOWBENCH_LOCAL_API_KEY or TOWBENCH_API_KEY", "refuses the key",
                     BASE_URL=endpoint.url)  # fmt: skip
    assert "any-word" not in told


def test_an_unknown_model(project: Project) -> None:
    with running(Options()) as endpoint:
        stops(project, "TOWBENCH_JUDGES", "local/nobody", JUDGES="local/nobody",
              BASE_URL=endpoint.url)  # fmt: skip
        assert 0 < len(endpoint.records) <= 4


def test_a_quota_that_is_used_up(project: Project) -> None:
    with no_money() as url:
        stops(project, "TOWBENCH_LOCAL_API_KEY", "quota", BASE_URL=url, API_KEY=KEY)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"API_KEY": ""}, "TOWBENCH_LOCAL_API_KEY or TOWBENCH_API_KEY: not set"),
        ({"BASE_URL": "http://127.0.0.1:9/v1"}, "TOWBENCH_LOCAL_BASE_URL or TOWBENCH_BASE_URL"),
    ],
)
def test_the_batch_transport_stops_as_well(
    settings: dict[str, str], says: str, project: Project
) -> None:
    given = {"BASE_URL": "http://127.0.0.1:9/v1", "TRANSPORT": "batch"}
    stops(project, says, **(given | settings))


def test_a_limit_that_is_no_number(project: Project) -> None:
    stops(project, "TOWBENCH_LOCAL_RPM must be a whole number, got 'many'", LOCAL_RPM="many",
          BASE_URL="http://127.0.0.1:9/v1")  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "status", "n_again"),
    [
        (lambda: chat("I cannot evaluate this.") | {"usage": None}, "unparsable", 0),
        (lambda: refuse(413, "too long"), "http_4xx", 7),
    ],
)
def test_a_judge_that_mostly_fails_ends_its_stage(
    reply: Callable[[], Reply], status: str, n_again: int, project: Project
) -> None:
    """cases D 21: a threshold on the share of failures; the next run goes on without them."""
    settings = {"JUDGES": JUDGE, "API_KEY": KEY, "LIMIT": "1", "SYSTEMS": "embedded/lead-half"}
    with serving(lambda asked, n: reply()) as endpoint:
        settings["BASE_URL"] = endpoint.url
        printed = " ".join(project.run("score", code=1, **settings).split())
        assert f"stage score, {JUDGE}: 7 of 7 calls came to no value ({status} 7)" in printed
        assert project.query(
            f"SELECT DISTINCT status FROM judge.leaf_score WHERE judge = '{JUDGE}'"
        ) == [(status,)]
        n_asked = len(endpoint.asked)
        assert JUDGE in project.run("score", code=0, **settings)
        assert len(endpoint.asked) == n_asked + n_again


def test_a_judge_that_fails_now_and_then_costs_its_rows_only(project: Project) -> None:
    """cases D 21: three of seven are no reason to stop."""
    good = score(4) | {"usage": None}
    settings = {"JUDGES": JUDGE, "API_KEY": KEY, "LIMIT": "1", "SYSTEMS": "embedded/lead-half"}
    with serving(lambda asked, n: refuse(413) if n < 3 else good) as endpoint:
        project.run("score", code=0, BASE_URL=endpoint.url, **settings)
    found = (
        "SELECT CAST(status AS VARCHAR) AS status, count(*) FROM judge.leaf_score "
        f"WHERE judge = '{JUDGE}' GROUP BY ALL ORDER BY ALL"
    )
    assert project.query(found) == [("http_4xx", 3), ("ok", 4)]
