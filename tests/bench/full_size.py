"""Every public view on a database of the published size, and the snapshots that carry the heavy ones.

1,302 items x 10 systems and the reference, three trees, three judges and their panel, five repeats;
scores, weights, replies and ratings are drawn by seed in SQL through the real tables, so that the
views see current rows. Making it is not counted.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from towbench.tests.bench.figure import Figure

SYSTEMS = [f"lab/model-{number}" for number in range(10)]
JUDGES = ("judge/large", "judge/medium", "judge/small")
N_ITEM = 1_302
N_RATED = 221

_ITEMS = """
INSERT INTO corpus.item BY NAME
SELECT
    'howtobench' AS benchmark,
    concat('item_', n) AS item_id,
    CASE WHEN n < 379 THEN 'completion' WHEN n < 840 THEN 'guide' ELSE 'open' END AS task,
    genre.genre,
    CASE WHEN n % 9 = 0 THEN 'en' ELSE 'zh' END AS lang,
    repeat(concat('写一篇关于第', n, '件事的文章。'), 8) AS instruction,
    CASE WHEN n < 840 THEN repeat(concat('背景', n, '，'), 60) ELSE '' END AS grounding,
    repeat(concat('参考', n * 7, '的正文。'), 120) AS reference,
    sha256(judged_instruction_v1(instruction, grounding)) AS instruction_hash,
    sha256(reference) AS reference_hash,
    getvariable('run_id') AS run_id
FROM range($n_item) AS number (n)
INNER JOIN (
    SELECT genre, row_number() OVER (ORDER BY genre) - 1 AS place, count(*) OVER () AS n_genre
    FROM corpus.genre
) AS genre ON genre.place = n % genre.n_genre
"""
_WRITINGS = """
INSERT INTO corpus.writing BY NAME
SELECT
    item.benchmark,
    concat(item.item_id, ':', system.name) AS writing_id,
    item.item_id,
    system.name AS system,
    CASE WHEN hash(writing_id) % 250 = 0 THEN '' ELSE
        repeat(concat(item.item_id, system.name, '写出的一句话。'), 30 + CAST(hash(writing_id) % 60 AS BIGINT))
    END AS text,
    text AS judged_text,
    CASE WHEN text = '' THEN 'no_text' ELSE 'ok' END AS status,
    sha256(text) AS text_hash,
    getvariable('run_id') AS run_id
FROM corpus.item AS item CROSS JOIN unnest($systems) AS system (name)
"""
# A judge sees quality of the system, of the text and of the leaf, and rounds; 1 reply in 200 fails.
_SCORES = """
INSERT INTO judge.leaf_score BY NAME
WITH drawn AS (
    SELECT
        cell.*,
        leaf.low,
        leaf.high,
        hash(hash(7, cell.writing_id, cell.leaf, cell.judge, cell.repeat)) % 200 = 0 AS is_failed,
        (leaf.high - leaf.low) * (
            0.45 + (hash(cell.system) % 100) / 400.0 - 0.12
            + seeded_uniform_v1(1, hash(cell.writing_id) >> 2, 0) * 0.2
            + seeded_uniform_v1(2, hash(cell.writing_id, cell.leaf) >> 2, 0) * 0.2
            + seeded_uniform_v1(3, hash(cell.writing_id, cell.leaf, cell.judge) >> 2, cell.repeat)
            * 0.15
        ) AS spread
    FROM bench.leaf_cell_v1 AS cell
    INNER JOIN judge.leaf AS leaf ON leaf.leaf = cell.leaf
)
SELECT
    benchmark, writing_id, leaf, judge, repeat, reference_mode, presentation, prompt_id, input_hash,
    parser_version,
    CASE WHEN blocked IS NULL AND NOT is_failed
        THEN least(greatest(round(low + spread), low), high) END AS score,
    CASE WHEN blocked IS NOT NULL THEN blocked WHEN is_failed THEN 'unparsable' ELSE 'ok' END
        AS status,
    CASE WHEN score IS NOT NULL THEN concat('It holds together, ', writing_id, ' ', leaf) END
        AS rationale,
    CASE WHEN judge <> 'rule' AND blocked IS NULL
        THEN sha256(concat_ws('|', writing_id, leaf, judge, repeat)) END AS call_key,
    getvariable('run_id') AS run_id
FROM drawn
"""
_WEIGHTS = """
INSERT INTO judge.edge_weight BY NAME
WITH drawn AS (
    SELECT
        cell.*,
        0.2 + seeded_uniform_v1(4, hash(cell.item_id, cell.tree) >> 2, hash(cell.node, cell.repeat) >> 2)
            AS part
    FROM bench.edge_cell_v1 AS cell
)
SELECT
    benchmark, item_id, tree, node, negotiator, repeat, prompt_id, input_hash, parser_version,
    round(part / sum(part) OVER (PARTITION BY benchmark, item_id, tree, parent, repeat), 4)
        AS weight,
    'ok' AS status,
    sha256(concat_ws('|', item_id, tree, repeat)) AS call_key,
    getvariable('run_id') AS run_id
FROM drawn
"""
_CALLS = (
    """
    INSERT INTO judge.call BY NAME
    SELECT
        call_key, any_value(benchmark) AS benchmark, stage, any_value(model) AS model,
        any_value(prompt_id) AS prompt_id, any_value(repeat) AS repeat, 'ok' AS status,
        1 AS n_attempt, 3000 AS prompt_tokens, 200 AS completion_tokens, 0.01 AS cost,
        0 AS n_usage_unknown, 900.0 AS latency_ms, any_value(model) AS served_model,
        TIMESTAMP '2026-11-30 12:00:00' AS first_sent_at
    FROM (
        SELECT call_key, benchmark, 'score' AS stage, judge AS model, prompt_id, repeat
        FROM judge.leaf_score
        UNION ALL
        SELECT call_key, benchmark, 'negotiate', negotiator, prompt_id, repeat
        FROM judge.edge_weight
    )
    WHERE call_key IS NOT NULL
    GROUP BY call_key, stage
    """,
    """
    INSERT INTO judge.attempt BY NAME
    SELECT
        uuid() AS attempt_id, call_key, benchmark, stage, model, getvariable('run_id') AS run_id,
        1 AS number, status, prompt_tokens, completion_tokens, 0 AS cached_tokens, cost,
        false AS usage_unknown, false AS is_batch, latency_ms, first_sent_at AS sent_at
    FROM judge.call
    """,
    """
    INSERT INTO judge.reply BY NAME
    SELECT
        call_key, parser.parser_version, '{"score": 7}' AS value, 'ok' AS status,
        'It holds together.' AS rationale,
        concat('{"reason": "It holds together, ', left(call_key, 40), '", "score": 7}') AS text
    FROM judge.call, judge.parser AS parser
    WHERE parser.is_current
    """,
)
_PEOPLE = (
    """
    INSERT INTO judge.human_rating BY NAME
    SELECT
        writing.benchmark, writing.writing_id, annotator.name AS annotator, 'overall' AS criterion,
        least(greatest(round(
            1.5 + (hash(writing.system) % 100) / 60.0
            + seeded_uniform_v1(5, hash(writing.writing_id) >> 2, 0)
            + seeded_uniform_v1(6, hash(writing.writing_id, annotator.name) >> 2, 0)
        ), 1), 5) AS score,
        getvariable('run_id') AS run_id
    FROM corpus.writing AS writing
    CROSS JOIN unnest(['one', 'two']) AS annotator (name)
    WHERE
        CAST(replace(writing.item_id, 'item_', '') AS INTEGER) % 5 = 0
        AND CAST(replace(writing.item_id, 'item_', '') AS INTEGER) < 5 * $n_rated
        AND writing.system NOT IN ('reference', 'lab/model-0')
    """,
    """
    INSERT INTO judge.metric_score BY NAME
    SELECT
        writing.benchmark, writing.writing_id, metric.name AS metric, 'human' AS reference_mode,
        seeded_uniform_v1(8, hash(writing.writing_id, metric.name) >> 2, 0) AS score,
        getvariable('run_id') AS run_id
    FROM corpus.writing AS writing
    CROSS JOIN unnest([
        'bleu_1', 'bleu_2', 'bleu_3', 'bleu_4', 'bleu_released', 'rouge_1', 'rouge_2', 'rouge_l',
        'embedding'
    ]) AS metric (name)
    WHERE writing.status = 'ok'
    """,
)


def full_size() -> list[Figure]:
    """Seconds and memory for reading every public view, and for building what is read so."""
    with tempfile.TemporaryDirectory() as name:
        _job("make", name)
        built = _job("build", name)
        read = _job("read", name)
    slow = sorted(read["views"].items(), key=lambda one: -one[1])[:5]
    told = ", ".join(f"{view} {seconds:.1f}" for view, seconds in slow)
    size = f"{read['n_score']:,} leaf scores"
    return [
        Figure(f"all {len(read['views'])} views, {size}, fresh snapshots (slowest: {told})", sum(read["views"].values()), "s", 60),
        Figure("peak memory of reading them", read["gib"], "GiB", 4),
        Figure(f"building {len(built['views'])} snapshots (no limit)", sum(built["views"].values()), "s", float("inf")),
        Figure("peak memory of building them", built["gib"], "GiB", 4),
    ]  # fmt: skip


def make(folder: Path) -> dict[str, Any]:
    """Fill a database in `folder`; returns its number of leaf scores."""
    from towbench.schemas.asked import ask_score, select
    from towbench.schemas.settings import Settings
    from towbench.sql.runner import open_workspace

    settings = Settings(
        db=folder / "t.duckdb", ledger=folder / "l.duckdb", judges=JUDGES, repeats=5,
        trees=("tow", "tow_five", "average"), negotiator="judge/large", judge_temperature=0.7,
    )  # fmt: skip
    with open_workspace(settings, "score") as work:
        con = work.con
        con.execute("SET VARIABLE run_id = ?", [work.run_id])
        con.execute(_ITEMS, {"n_item": N_ITEM})
        con.execute(_WRITINGS, {"systems": SYSTEMS})
        ask_score(con, settings)
        select(con, settings)
        for step in ("51_fill_item_scopes", "52_add_controls"):
            con.execute((files("towbench") / "sql" / "steps" / f"{step}.sql").read_text("utf-8"))
        for statement in (_SCORES, _WEIGHTS, *_CALLS):
            con.execute(statement)
        con.execute(_PEOPLE[0], {"n_rated": N_RATED})
        con.execute(_PEOPLE[1])
        [(n_score,)] = con.execute("SELECT count(*) FROM judge.leaf_score").fetchall()
        con.execute("CHECKPOINT")
    return {"n_score": n_score}


def build(folder: Path) -> dict[str, Any]:
    """Build the snapshots of `folder`; seconds by view, peak GiB."""
    from towbench.schemas.database import open_database
    from towbench.schemas.snapshots import build_snapshots

    views = {}
    with open_database(folder / "t.duckdb", None) as con:
        for snapshot in build_snapshots(con):
            views[snapshot.view] = snapshot.seconds
            print(
                f"    {snapshot.view}: {snapshot.n_row:,} rows, {snapshot.seconds:.1f} s",
                file=sys.stderr,
            )
    return {"views": views, "gib": _peak()}


def read(folder: Path, *names: str) -> dict[str, Any]:
    """Ask every public view (or those named) for all its rows and columns; seconds, peak GiB."""
    from towbench.schemas.database import open_database
    from towbench.schemas.definitions import current_versions

    views = {}
    with open_database(folder / "t.duckdb", None, read_only=True) as con:
        [(n_score,)] = con.execute("SELECT count(*) FROM judge.leaf_score").fetchall()
        for view in names or current_versions():
            started = time.monotonic()
            rows = con.execute(
                f"SELECT count(*), sum(hash(*COLUMNS(*)) % 1000) FROM bench.{view}"
            ).fetchall()
            views[view] = time.monotonic() - started
            print(f"    {view}: {rows[0][0]:,} rows, {views[view]:.1f} s", file=sys.stderr)
    return {"views": views, "n_score": n_score, "gib": _peak()}


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


JOBS: dict[str, Callable[..., dict[str, Any]]] = {"make": make, "build": build, "read": read}


def _job(name: str, folder: str) -> dict[str, Any]:
    """Run a job in a process of its own, so that its memory is its own."""
    done = subprocess.run(
        [sys.executable, __file__, name, folder], stdout=subprocess.PIPE, text=True, check=True,
        env=os.environ,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    print(json.dumps(JOBS[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])))
