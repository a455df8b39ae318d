"""The work of a chaos run: n judge calls through INSERT ... SELECT over `score_leaf`, ledger on.

A process of its own, so that it can be killed: `python -m towbench.tests.chaos.workload JSON`. It
asks what the ledger does not hold yet, as the steps do, prints `calling` before the first call and
at the end how many seconds the statement took, by the clock and of the processor.
"""

from __future__ import annotations

import json
import sys
import time
import uuid
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from towbench.schemas.database import open_database
from towbench.schemas.prices import Price
from towbench.schemas.settings import Settings
from towbench.udfs import embedded
from towbench.udfs.engine import Engine
from towbench.udfs.ledger import LedgerWriter
from towbench.udfs.register import register

PROMPT = "logic_v1.en"
PRICE = Price("local/*", date(2020, 1, 1), input=3, output=15)
REFERENCE = "A reference text about the harbour, with a beginning and an end. " * 12
INSTRUCTION = "Write about a ferry."
SENTENCES = (
    "The ferry left at dawn and the old man counted the gulls above the water.",
    "Nobody on the quay had slept, because the wind had taken two roofs in the night.",
    "She kept the letter folded in her glove and did not open it until the lighthouse.",
    "First the ropes came off, then the gangway, and last of all the noise of the town.",
    "However hard he rowed, the island seemed to stay where it was.",
    "A boy sold oranges from a basket and shouted their price in three languages.",
    "The captain said nothing; he had crossed this strait four thousand times.",
)


@dataclass(frozen=True)
class Workload:
    """n calls to one endpoint from the files in a folder."""

    folder: str
    url: str
    n: int
    concurrency: int = 32
    timeout: float = 6.0
    n_model: int = 3
    threads: int = 2
    n_pad: int = 0
    """Sentences of one kind that make every text longer, for benches."""
    n_warm: int = 0
    """Calls made before the clock starts: the client library takes a second to load."""

    def text(self, i: int) -> str:
        """The ith text: sentences in an order of its own."""
        own = [SENTENCES[(i * k + i // 7 + k) % len(SENTENCES)] for k in range(1, 6)]
        return " ".join(own) + f" It was day {i}."

    def right_value(self, i: int) -> float:
        """The score that an undisturbed reply holds."""
        slots = {"instruction": INSTRUCTION, "reference": REFERENCE, "text": self.text(i)}
        return float(json.loads(embedded.answer("rules-1", "logic", "en", slots))["score"])

    def settings(self) -> Settings:
        prices = Path(self.folder) / "prices.csv"
        price = f"{PRICE.model},{PRICE.since},{PRICE.input},{PRICE.output}"
        prices.write_text(f"model,since,input,output\n{price}\n")
        values: dict[str, Any] = {
            "prices": prices,
            "base_url": self.url,
            "api_key": "any-word",
            "concurrency": self.concurrency,
            "request_timeout": self.timeout,
        }
        return Settings(_env_file=None, **values)

    @property
    def ledger(self) -> Path:
        return Path(self.folder) / "ledger.duckdb"


def call_key(i: int) -> str:
    """The key of the ith call: distinct where fence and nonce are taken from it."""
    return f"{(i + 1) * 0x9E3779B97F4A7C15 % 2**64:016x}" * 4


_FILL = """
CREATE OR REPLACE TABLE pending.request AS
SELECT
    work.call_key, work.model, ? AS prompt_id, CAST(0 AS INTEGER) AS repeat,
    '{"temperature": 0, "max_tokens": 2048}' AS sampling, 'reference_first' AS presentation,
    ? AS instruction, ? AS reference,
    work.text || repeat(' The sea was calm that day, and nothing moved on it.', ?) AS text,
    CAST(NULL AS VARCHAR) AS dimensions
FROM work
WHERE work.call_key NOT IN (SELECT hit.call_key FROM ledger.hit AS hit)
LIMIT ?
"""
_CALL = """
INSERT INTO pending.answer BY NAME
SELECT a.call_key, a.value, a.status, a.reason, a.rationale
FROM (
    SELECT score_leaf(
        call_key, model, prompt_id, repeat, sampling, presentation,
        instruction, reference, text, dimensions
    ) AS a
    FROM pending.request
)
"""


def run(work: Workload) -> None:
    """Ask what is not stored yet; the answers are in `pending.answer`."""
    import pyarrow as pa

    folder = Path(work.folder)
    con = open_database(folder / "main.duckdb", work.ledger, threads=work.threads)
    ledger = LedgerWriter(con)
    engine = Engine(work.settings(), ledger, uuid.uuid4())
    register(con, engine)
    rows = {
        "call_key": [call_key(i) for i in range(work.n)],
        "model": [f"local/rules-1-{i % work.n_model}" for i in range(work.n)],
        "text": [work.text(i) for i in range(work.n)],
    }
    con.register("work", pa.table(rows))
    texts = [PROMPT, INSTRUCTION, REFERENCE, work.n_pad]
    if work.n_warm:
        con.execute(_FILL, [*texts, work.n_warm])
        con.execute(_CALL)
        ledger.flush()
    con.execute(_FILL, [*texts, work.n])
    print("calling", flush=True)
    wall, cpu = time.perf_counter(), time.process_time()
    con.execute(_CALL)
    print(time.perf_counter() - wall, time.process_time() - cpu, flush=True)
    engine.close()
    ledger.close()
    con.close()
    if engine.stopped:
        raise SystemExit(engine.stopped)


def command(work: Workload) -> list[str]:
    """The command line that runs a workload."""
    return [sys.executable, "-m", "towbench.tests.chaos.workload", json.dumps(asdict(work))]


if __name__ == "__main__":
    run(Workload(**json.loads(sys.argv[1])))
