"""What a plan says beforehand against what the endpoint counts afterwards, stage by stage."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from towbench.schemas.asked import ask_score, asking_for_plan
from towbench.schemas.settings import Settings
from towbench.sql.runner import open_workspace, plan_steps, run_steps
from towbench.tests.bench.engine import _clean
from towbench.tests.bench.figure import Figure
from towbench.udfs.embedded.endpoint import Endpoint, Options, running

MODELS = {"score": "local/rules-1-judge", "negotiate": "local/rules-1-negotiator"}
ENOUGH = 50
"""Replies of a stage from which on its plan is no guess (issue 3)."""


class Told(NamedTuple):
    """What a plan tells of one stage."""

    n_call: int
    prompt_tokens: int
    completion_tokens: int
    is_guess: bool


def plan() -> list[Figure]:
    """Judging and negotiating the sample corpus: the plan after 50 replies a stage, and before."""
    with tempfile.TemporaryDirectory() as name, running(Options(seed=1)) as endpoint:
        subprocess.run(
            [sys.executable, "-m", "towbench", "score"],
            cwd=name, check=True, env=_clean(), stdout=subprocess.DEVNULL,
        )  # fmt: skip
        settings = _settings(Path(name), endpoint)
        guesses = _told(settings)
        limit = 0
        while min(_replies(endpoint).values()) < ENOUGH:
            limit += 10
            _score(_settings(Path(name), endpoint, limit=limit))
        n_seen = len(endpoint.records)
        told = _told(settings)
        _score(settings)
        records = endpoint.records[n_seen:]
    figures = [
        Figure(
            "plans that say they guess before the first reply",
            sum(one.is_guess for one in guesses.values()) / len(guesses), "", 1, at_least=True,
        )
    ]  # fmt: skip
    for stage, model in MODELS.items():
        used = [one.usage for one in records if f"local/{one.model}" == model and one.usage]
        said = told[stage]
        if said.is_guess or not used:
            raise RuntimeError(f"{stage}: nothing to compare ({said}, {len(used)} replies)")
        figures.append(Figure(f"plan, {stage}: calls off", abs(said.n_call - len(used)), "", 0))
        for kind, tokens, at, limit_share in (
            ("input", said.prompt_tokens, 0, 0.03),
            ("output", said.completion_tokens, 1, 0.10),
        ):
            counted = sum(one[at] for one in used)
            share = abs(tokens / counted - 1)
            what = f"plan, {stage}, {len(used)} calls: {kind} tokens off ({tokens} for {counted})"
            figures.append(Figure(what, 100 * share, "%", 100 * limit_share))
    return figures


def _settings(folder: Path, endpoint: Endpoint, **given: Any) -> Settings:
    values: dict[str, Any] = {
        "db": folder / "data" / "towbench.duckdb", "ledger": folder / "data" / "ledger.duckdb",
        "base_url": endpoint.url, "api_key": "any-word", "judges": (MODELS["score"],),
        "negotiator": MODELS["negotiate"],
    }  # fmt: skip
    return Settings(_env_file=None, **(values | given))


def _told(settings: Settings) -> dict[str, Told]:
    with open_workspace(settings, "plan") as work:
        with asking_for_plan(work.con, settings):
            plan_steps(work)
        rows = work.con.execute(
            "SELECT stage, sum(n_call), sum(prompt_tokens), sum(completion_tokens), "
            "bool_or(is_guess) FROM pending.plan WHERE model LIKE 'local/%' GROUP BY stage"
        ).fetchall()
    return {stage: Told(*told) for stage, *told in rows}


def _score(settings: Settings) -> None:
    with open_workspace(settings, "score") as work:
        ask_score(work.con, settings)
        run_steps(work, "score", lambda *_: None)


def _replies(endpoint: Endpoint) -> Counter[str]:
    """Replies so far by stage."""
    stages = {model: stage for stage, model in MODELS.items()}
    found = Counter(dict.fromkeys(MODELS, 0))
    found.update(stages[f"local/{record.model}"] for record in endpoint.records if record.usage)
    return found
