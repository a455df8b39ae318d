"""What a plan needs to know that is not in a table: prompt frames, providers, the day.

The plan itself is SQL (`sql/plan.sql`) over the cells that the steps would ask.
"""

from __future__ import annotations

from datetime import UTC, datetime

import duckdb

from towbench.prompts import Prompt, load_prompts, render, reply_form
from towbench.schemas.settings import Settings
from towbench.udfs.request import EMBEDDED

_SLOTS = ("instruction", "reference", "text", "dimensions")
_FENCE, _NONCE = "0" * 16, "0" * 8
_TABLES = """
CREATE OR REPLACE TABLE pending.plan_cell (
    call_key VARCHAR, benchmark VARCHAR, stage VARCHAR, model VARCHAR, prompt_id VARCHAR,
    instruction_hash VARCHAR, reference_hash VARCHAR, text_hash VARCHAR, dimensions_hash VARCHAR,
    is_open BOOLEAN
);
CREATE OR REPLACE TABLE pending.plan_write (benchmark VARCHAR, item_id VARCHAR);
CREATE OR REPLACE TABLE pending.plan_frame (
    prompt_id VARCHAR, n_byte BIGINT, n_instruction INTEGER, n_reference INTEGER, n_text INTEGER,
    n_dimensions INTEGER
);
CREATE OR REPLACE TABLE pending.plan_provider (
    provider VARCHAR, concurrency INTEGER, requests_per_minute INTEGER, tokens_per_minute INTEGER
);
CREATE OR REPLACE TABLE pending.plan_day (day DATE, is_batch BOOLEAN);
"""
_COLLECT = """
INSERT INTO pending.plan_cell
SELECT
    cell.call_key, cell.benchmark, cell.stage, any_value(cell.model), any_value(cell.prompt_id),
    any_value(cell.instruction_hash), any_value(cell.reference_hash), any_value(cell.text_hash),
    any_value(cell.dimensions_hash),
    (
        any_value(stored.call_key) IS NULL
        OR any_value(stored.status) IN (SELECT retry.status FROM pending.retry AS retry)
    )
    -- One call serves all benchmarks.
    AND row_number() OVER (PARTITION BY cell.call_key ORDER BY cell.benchmark) = 1
FROM pending.cell AS cell
LEFT JOIN pending.stored AS stored ON stored.call_key = cell.call_key
WHERE cell.call_key IS NOT NULL
GROUP BY cell.call_key, cell.benchmark, cell.stage
"""


def prepare_plan(con: duckdb.DuckDBPyConnection, settings: Settings) -> None:
    """Make the empty scratch tables of a plan and fill those that Python alone can fill."""
    con.execute(_TABLES)
    frames = [_frame(prompt) for prompt in load_prompts().values()]
    con.executemany("INSERT INTO pending.plan_frame VALUES (?, ?, ?, ?, ?, ?)", frames)
    rows = con.execute("SELECT DISTINCT split_part(name, '/', 1) FROM run.asked").fetchall()
    for (alias,) in rows:
        provider = settings.provider(f"{alias}/")
        limits = [provider.requests_per_minute, provider.tokens_per_minute]
        width = settings.threads if alias == EMBEDDED else provider.concurrency
        con.execute(
            "INSERT INTO pending.plan_provider VALUES (?, ?, ?, ?)", [alias, width, *limits]
        )
    day, is_batch = datetime.now(UTC).date(), settings.transport == "batch"
    con.execute("INSERT INTO pending.plan_day VALUES (?, ?)", [day, is_batch])


def collect_cells(con: duckdb.DuckDBPyConnection) -> None:
    """Note the cells of a step from `pending.cell`, and which of them are not `pending.stored`."""
    con.execute(_COLLECT)
    if con.execute("SELECT count(*) FROM pending.cell WHERE stage = 'write'").fetchall()[0][0]:
        con.execute("INSERT INTO pending.plan_write SELECT benchmark, item_id FROM pending.cell")


def _frame(prompt: Prompt) -> tuple[object, ...]:
    """Bytes of a prompt around its slots, reply form and all, and how often it shows each slot."""
    shown = render(prompt, dict.fromkeys(prompt.slots, ""), _FENCE) if prompt.slots else prompt.body
    if prompt.reply != "text":
        shown += "\n\n" + reply_form(prompt.reply, prompt.lang, True, _NONCE)
    counts = [prompt.body.count("{" + slot + "}") for slot in _SLOTS]
    return (prompt.prompt_id, len(shown.encode()), *counts)
