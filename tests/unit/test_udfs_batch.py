"""The batch transport against the fake endpoint: nothing paid twice, nothing lost (cases E 28)."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

from towbench.tests.scripted_endpoint import ESSAY, Desk
from towbench.udfs import batch_sheet
from towbench.udfs.client_batch import BatchApi, Unreachable
from towbench.udfs.embedded.endpoint import Endpoint, Options, running

N = 20
PRICES = "model,since,input,output,batch_factor\nlocal/*,2020-01-01,100,200,0.5\n"


class BatchDesk(Desk):
    """A desk whose pending requests are in the ledger too, as the steps leave them."""

    def __init__(self, folder: Path, url: str, **settings: Any) -> None:
        folder.mkdir(exist_ok=True)
        prices = folder / "prices.csv"
        prices.write_text(PRICES)
        chosen = {"transport": "batch", "batch_poll": 0.05, "prices": prices} | settings
        super().__init__(folder, url, **chosen)

    def fill(self, n: int = N) -> None:
        """Pending: n essays to be scored; those with a hit are not."""
        hits = {key for (key,) in self.rows("SELECT call_key FROM ledger.hit")}
        known = {key for (key,) in self.rows("SELECT call_key FROM ledger.request")}
        for i in range(n):
            key, text = hashlib.sha256(b"%d" % i).hexdigest(), f"{i} {ESSAY}"
            if key not in known:
                self._store(key, text)
            if key not in hits:
                self.add(key, model="local/rules-1", text=text)

    def _store(self, key: str, text: str) -> None:
        texts = ("Write about a ferry.", "A reference text. " * 20, text)
        hashes = [hashlib.sha256(one.encode()).hexdigest() for one in texts]
        for row in zip(hashes, texts, strict=True):
            self.con.execute("INSERT INTO ledger.text VALUES (?, ?)", row)
        self.con.execute(
            "INSERT INTO ledger.request VALUES (?, 't', 'score', 'local/rules-1', 'logic_v1.en', "
            "'p', 0, '{\"temperature\": 0, \"max_tokens\": 100}', 'reference_first', ?, ?, ?, NULL)",
            [key, *hashes],
        )

    def score(self) -> dict[str, str]:
        """Status by key of what is pending."""
        self.fill()
        rows = self.ask()
        self.ledger.flush()
        return {row[0]: row[2] for row in self.rows("SELECT * FROM pending.answer")} if rows else {}


def served(endpoint: Endpoint) -> list[tuple[int, int]]:
    return [one.spent for one in endpoint.records if one.spent]


def run(
    folder: Path, faults: str = "", **settings: Any
) -> tuple[BatchDesk, dict[str, str], Endpoint]:
    with running(Options(faults=faults, seed=2, batch_seconds=0.1)) as endpoint:
        desk = BatchDesk(folder, endpoint.url, **settings)
        answers = desk.score()
        desk.close()
        return desk, answers, endpoint


def ledger_rows(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(folder / "ledger.duckdb"), read_only=True) as con:
        return con.execute(sql).fetchall()


def test_one_batch_answers_all_at_batch_price(tmp_path: Path) -> None:
    _, answers, endpoint = run(tmp_path)
    assert len(answers) == N and set(answers.values()) == {"ok"}
    ((n, spent_in, spent_out, cost, are_batch),) = ledger_rows(
        tmp_path,
        "SELECT count(*), sum(prompt_tokens), sum(completion_tokens), sum(cost), bool_and(is_batch) "
        "FROM attempt WHERE status = 'ok' AND NOT usage_unknown",
    )
    tokens = served(endpoint)
    assert (n, spent_in, spent_out) == (N, sum(t[0] for t in tokens), sum(t[1] for t in tokens))
    assert cost == pytest.approx((spent_in * 100 + spent_out * 200) / 2e6) and are_batch
    assert ledger_rows(tmp_path, "SELECT event FROM batch_event ORDER BY noted_at") == [
        ("created",), ("read",),
    ]  # fmt: skip
    assert ledger_rows(tmp_path, "SELECT count(*) FROM open_batch") == [(0,)]


@pytest.mark.parametrize("faults", ["batch_expired=0.5", "batch_partial=0.7"])
def test_only_what_a_batch_left_open_is_submitted_again(tmp_path: Path, faults: str) -> None:
    with running(Options(faults=faults, seed=5, batch_seconds=0.05)) as endpoint:
        for _ in range(3):
            desk = BatchDesk(tmp_path, endpoint.url)
            desk.score()
            desk.close()
        asked = [one.call for one in endpoint.records if one.status == 200]
    assert len(asked) == len(set(asked))
    hits = ledger_rows(tmp_path, "SELECT count(*) FROM hit")
    assert hits == [(N,)]
    assert ledger_rows(tmp_path, "SELECT count(*) > 1 FROM batch") == [(True,)]


def test_batches_are_split_by_lines_and_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_sheet, "MOST_LINES", 8)
    _, answers, _ = run(tmp_path)
    assert len(answers) == N
    sizes = "SELECT count(*) FROM batch_line GROUP BY batch_id ORDER BY ALL"
    assert ledger_rows(tmp_path, sizes) == [(4,), (8,), (8,)]


def test_a_refused_schema_costs_one_batch(tmp_path: Path) -> None:
    _, answers, _ = run(tmp_path, "json_schema_refused=1")
    assert set(answers.values()) == {"ok"}
    assert ledger_rows(tmp_path, "SELECT DISTINCT form FROM batch ORDER BY ALL") == [
        ("json_object",), ("json_schema",),
    ]  # fmt: skip


def test_the_budget_holds_for_batches(tmp_path: Path) -> None:
    desk, answers, _ = run(tmp_path, budget=0.5)
    statuses = set(answers.values())
    assert statuses == {"ok", "skipped_budget"}
    ((spent,),) = ledger_rows(tmp_path, "SELECT sum(cost) FROM attempt")
    assert 0 < spent <= 0.5
    assert desk.client.budget_stopped and "BUDGET" in desk.client.budget_stopped


def test_ledger_and_endpoint_count_alike_under_faults(tmp_path: Path) -> None:
    """What was answered to the token and the cent, the rest as an upper bound."""
    _, answers, endpoint = run(tmp_path, "mixed=0.5,batch_partial=0.4,batch_expired=0.4")
    assert len(answers) == N
    counts = endpoint.counts
    known = "SELECT sum(prompt_tokens), sum(completion_tokens), sum(cost) FROM outcome {}"
    ((spent_in, spent_out, cost),) = ledger_rows(tmp_path, known.format("WHERE NOT usage_unknown"))
    assert (spent_in, spent_out) == (counts["prompt_tokens"], counts["completion_tokens"])
    assert cost == pytest.approx((spent_in * 100 + spent_out * 200) / 2e6, rel=1e-12)
    assert ledger_rows(tmp_path, known.format("WHERE usage_unknown"))[0][2] is None
    bounds = "SELECT count(*), count(cost), min(cost) > 0 FROM attempt WHERE usage_unknown"
    ((n, n_bound, is_positive),) = ledger_rows(tmp_path, bounds)
    assert n == n_bound > 0 and is_positive


def test_a_batch_that_was_created_unheard_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit = BatchApi.submit
    calls: list[str] = []

    def lossy(self: BatchApi, lines: bytes, path: str, batch_id: str) -> str:
        found = submit(self, lines, path, batch_id)
        calls.append(found)
        raise Unreachable("the answer got lost")

    monkeypatch.setattr(BatchApi, "submit", lossy)
    _, answers, endpoint = run(tmp_path)
    assert len(calls) == 1 and set(answers.values()) == {"ok"}
    assert len(served(endpoint)) == N


def test_a_wrong_key_stops_and_costs_nothing(tmp_path: Path) -> None:
    with running(Options(key="another", batch_seconds=0.1)) as endpoint:
        desk = BatchDesk(tmp_path, endpoint.url)
        answers = desk.score()
        desk.close()
    assert desk.client.stopped and "API_KEY" in desk.client.stopped
    assert set(answers.values()) == {"not_in_ledger"}
    assert ledger_rows(tmp_path, "SELECT sum(cost), count(*) FROM attempt") == [(0.0, N)]


def test_results_are_read_whatever_their_order_and_repeats() -> None:
    def line(key: str, code: int | None) -> dict[str, Any]:
        return {"custom_id": key, "response": code and {"status_code": code, "body": {}}}

    best = batch_sheet.best([line("a", 500), line("b", None), line("a", 200), line("a", 429)])
    assert best["a"]["response"]["status_code"] == 200 and best["b"]["response"] is None


WORKER = """
import sys
from pathlib import Path
from towbench.tests.unit.test_udfs_batch import BatchDesk
from towbench.udfs.batch_ledger import BatchLedger

note = BatchLedger.note

def noted(self, *row):
    note(self, *row)
    print(*row, flush=True)

BatchLedger.note = noted
BatchDesk(Path(sys.argv[1]), sys.argv[2]).score()
"""


@pytest.mark.slow
def test_a_killed_run_goes_on_with_the_same_batch(tmp_path: Path) -> None:
    with running(Options(batch_seconds=3.0)) as endpoint:
        worker = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(tmp_path), endpoint.url],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert worker.stdout and "created" in worker.stdout.readline()
        os.kill(worker.pid, signal.SIGKILL)
        worker.communicate()
        assert not served(endpoint)
        desk = BatchDesk(tmp_path, endpoint.url)
        answers = desk.score()
        desk.close()
        assert len(served(endpoint)) == N
    assert len(answers) == N and set(answers.values()) == {"ok"}
    assert ledger_rows(tmp_path, "SELECT count(*) FROM batch") == [(1,)]
    attempts = "SELECT count(*), count(DISTINCT call_key) FROM attempt"
    assert ledger_rows(tmp_path, attempts) == [(N, N)]
