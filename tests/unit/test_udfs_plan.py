"""A plan says beforehand what the endpoint counts afterwards (issue 3: money)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from towbench.schemas.asked import ask_score, asking_for_plan
from towbench.schemas.errors import BudgetStopped, UsageError
from towbench.schemas.settings import Settings
from towbench.sql.runner import Workspace, open_workspace, plan_steps, run_steps
from towbench.tests.cases_loader import fill
from towbench.tests.template import fresh_database
from towbench.udfs.embedded.endpoint import Options, running

PRICES = "model,since,input,output\nlocal/*,2020-01-01,10,20\n"
SENTENCE = "The ferry left at dawn and old Marten counted {n} gulls above the grey water. "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "prices.csv").write_text(PRICES)
    fresh_database(tmp_path / "a.duckdb")
    with open_workspace(chosen(tmp_path, "http://127.0.0.1:9/v1"), "test") as work:
        for n in range(24):
            words = "".join(SENTENCE.format(n=n * 31 + k) for k in range(4 + n % 5))
            item = {"benchmark": "t", "item_id": f"i{n}", "task": "open", "genre": "fiction",
                    "lang": "en", "instruction": f"Write about ferry {n}.", "status": "accepted",
                    "reference": words, "instruction_hash": f"sha256(Write about ferry {n}.)",
                    "reference_hash": f"sha256({words})"}  # fmt: skip
            fill(work.con, "corpus.item", [item])
    return tmp_path


def chosen(folder: Path, url: str, **given: Any) -> Settings:
    values: dict[str, Any] = {
        "db": folder / "a.duckdb", "ledger": folder / "l.duckdb", "prices": folder / "prices.csv",
        "base_url": url, "api_key": "any-key-at-all", "judges": ("local/rules-1",),
    }  # fmt: skip
    return Settings(**(values | given))


def score(settings: Settings) -> None:
    with open_workspace(settings, "score") as work:
        ask_score(work.con, settings)
        run_steps(work, "score", lambda *_: None)


def planned(work: Workspace, settings: Settings) -> dict[str, Any]:
    with asking_for_plan(work.con, settings):
        plan_steps(work)
    query = work.con.execute(
        "SELECT sum(n_call) AS n, sum(n_hit) AS hits, sum(prompt_tokens) AS tokens_in, "
        "sum(completion_tokens) AS tokens_out, sum(cost) AS cost, bool_or(is_guess) AS is_guess, "
        "max(minutes) AS minutes FROM pending.plan WHERE model = 'local/rules-1'"
    )
    names = [column[0] for column in query.description or []]
    return dict(zip(names, query.fetchall()[0], strict=True))


@pytest.mark.slow
def test_the_plan_is_what_the_endpoint_counts(folder: Path) -> None:
    with running(Options(seed=1)) as endpoint:
        settings = chosen(folder, endpoint.url)
        with open_workspace(settings, "plan") as work:
            first = planned(work, settings)
            assert work.con.execute("SELECT count(*) FROM run.asked").fetchall() == [(0,)]
        assert first["is_guess"] and first["minutes"] is None and not endpoint.records
        score(chosen(folder, endpoint.url, limit=12))
        before = len(endpoint.records)
        assert before >= 50
        with open_workspace(settings, "plan") as work:
            plan = planned(work, settings)
        score(settings)
        asked = [one.usage for one in endpoint.records[before:] if one.usage]
    assert first["n"] == len(endpoint.records)
    assert plan["n"] == len(asked) and not plan["is_guess"] and plan["minutes"] > 0
    tokens_in, tokens_out = sum(one[0] for one in asked), sum(one[1] for one in asked)
    assert plan["tokens_in"] == pytest.approx(tokens_in, rel=0.03)
    assert plan["tokens_out"] == pytest.approx(tokens_out, rel=0.10)
    assert plan["cost"] == pytest.approx((tokens_in * 10 + tokens_out * 20) / 1e6, rel=0.1)
    with open_workspace(settings, "plan") as work:
        assert planned(work, settings)["n"] is None


@pytest.mark.slow
def test_a_budget_stops_a_run_and_a_larger_one_goes_on(folder: Path) -> None:
    with running(Options(seed=1)) as endpoint:
        with pytest.raises(BudgetStopped, match=r"BUDGET: 0\.\d+ of 0\.2000 USD"):
            score(chosen(folder, endpoint.url, budget=0.2, limit=12))
        paid = {one.call for one in endpoint.records}
        with open_workspace(chosen(folder, endpoint.url), "test") as work:
            ((cost, failed),) = work.con.execute(
                "SELECT sum(cost), sum(n_failed) FROM bench.cost WHERE model = 'local/rules-1'"
            ).fetchall()
            # Requests that were not sent when the budget ended are attempts without an answer.
            assert 0.05 < cost <= 0.2 and failed <= 16
            statuses = work.con.execute("SELECT DISTINCT status FROM judge.leaf_score").fetchall()
            assert ("skipped_budget",) in statuses
        score(chosen(folder, endpoint.url, budget=50, limit=12))
        assert len(endpoint.records) == len({one.call for one in endpoint.records}) > len(paid)
        with pytest.raises(UsageError, match="price of other/x is not known"):
            score(chosen(folder, endpoint.url, budget=50, judges=("other/x",)))
