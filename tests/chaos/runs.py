"""Chaos runs of any size: the small ones are tests, the full ones benches."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from towbench.tests.chaos.verdict import (
    judge_answers,
    judge_kills,
    judge_money,
    judge_totals,
    read_answers,
    read_attempts,
)
from towbench.tests.chaos.workload import Workload, command
from towbench.udfs.embedded.endpoint import Endpoint, Options, running
from towbench.udfs.embedded.endpoint_faults import REQUEST_FAULTS

# 30 % in all; what makes every call wait (a 429, a 503) is rarer than what spoils one.
_WAITS = ("http_429", "http_429_ms", "http_429_date", "http_503")
_SPOILS = [fault.name for fault in REQUEST_FAULTS if fault.name not in _WAITS]
FAULTS = ",".join(
    [
        "json_schema_refused=0.4",
        *(f"{name}=0.004" for name in _WAITS),
        *(f"{name}={(0.3 - 0.004 * len(_WAITS)) / len(_SPOILS)}" for name in _SPOILS),
    ]
)
SEED = 20261130


@dataclass
class Outcome:
    """What a run showed; `wrong` is empty when everything held, `spent` is in USD."""

    wrong: list[str] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    spent: float = 0.0
    n_unknown: int = 0
    n_value: int = 0
    n_request: int = 0
    n_kill: int = 0
    n_repeated: int = 0
    n_hit_at_last_kill: int = 0


def run_chaos(folder: Path, n: int, pause: float = 1.0, concurrency: int = 64) -> Outcome:
    """n calls at 30 % mixed faults, judged by the fault table and the endpoint's records."""
    options = Options(faults=FAULTS, seed=SEED, latency="lognormal:20,0.6", pause=pause)
    with running(options) as endpoint:
        work = Workload(str(folder), endpoint.url, n, concurrency)
        subprocess.run(command(work), check=True, timeout=1800, env=_clean())
        records = list(endpoint.records)
        with urllib.request.urlopen(endpoint.url.replace("/v1", "/counts"), timeout=10) as answer:
            counts = json.load(answer)
    attempts, answers = read_attempts(work.ledger), read_answers(work)
    wrong = judge_money(records, attempts) + judge_totals(counts, attempts)
    wrong += judge_answers(work, records, attempts, answers)
    return Outcome(
        wrong=wrong,
        spent=math.fsum(one.cost or 0.0 for one in attempts),
        n_unknown=sum(one.usage_unknown for one in attempts),
        kinds={record.fault for record in records},
        n_value=sum(value is not None for value, _ in answers.values()),
        n_request=len(records),
    )


def run_kills(folder: Path, n: int, n_kill: int, life: tuple[int, int]) -> Outcome:
    """n calls at 30 % mixed faults in a process that is killed again and again.

    Args:
        life: fewest and most requests from one kill to the next.
    """
    options = Options(faults=FAULTS, seed=SEED, latency="lognormal:200,0.6", pause=0.1)
    rng = random.Random(SEED)
    kills: list[tuple[float, set[str]]] = []
    with running(options) as endpoint:
        work = Workload(str(folder), endpoint.url, n, concurrency=16)
        while len(kills) < n_kill and _killed(work, endpoint, rng.randint(*life)):
            kills.append((time.time(), _hits(work)))
        subprocess.run(command(work), check=True, timeout=1800, env=_clean())
        records = sorted(endpoint.records, key=lambda record: record.at)
    attempts = read_attempts(work.ledger)
    keys = {one.attempt_id: one.call_key for one in attempts}
    wrong = judge_kills(records, kills, keys) + judge_money(records, attempts)
    if len({one.call_key for one in attempts if one.status != "sent"}) != n:
        wrong.append("some calls have no end")
    return Outcome(
        wrong=wrong,
        n_request=len(records),
        n_kill=len(kills),
        n_hit_at_last_kill=len(kills[-1][1]) if kills else 0,
        n_repeated=sum(one.status == "sent" for one in attempts),
    )


def _killed(work: Workload, endpoint: Endpoint, n_request: int) -> bool:
    """Run the workload for so many requests, then kill it; False if it was done before."""
    due = len(endpoint.records) + n_request
    process = subprocess.Popen(
        command(work), stdout=subprocess.DEVNULL, start_new_session=True, env=_clean()
    )
    while process.poll() is None:
        if len(endpoint.records) >= due:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return True
        time.sleep(0.002)
    assert process.returncode == 0
    return False


def _hits(work: Workload) -> set[str]:
    with duckdb.connect(str(work.ledger), read_only=True) as con:
        return {key for (key,) in con.execute("SELECT call_key FROM hit").fetchall()}


def _clean() -> dict[str, str]:
    """The environment without settings of the caller."""
    return {name: value for name, value in os.environ.items() if "TOWBENCH" not in name}
