"""Opens review rounds: which items a round shows, what hides behind the letters of its picks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import duckdb

from towbench.ingest.review import LETTERS, SHOWN, Task
from towbench.schemas.errors import DataError, UsageError

N_SYSTEM: Final = 3


@dataclass(frozen=True)
class Round:
    """An open round: its number, its systems (picks only) and items left out, each with why."""

    number: int
    systems: tuple[str, ...]
    left_out: tuple[str, ...]


def one_benchmark(con: duckdb.DuckDBPyConnection, wanted: str | None) -> str:
    """The benchmark that is reviewed: the one wanted, or the only one that has items.

    Raises:
        UsageError: it has no items, or several have.
    """
    found = con.execute("SELECT DISTINCT benchmark FROM corpus.item ORDER BY ALL").fetchall()
    names = [name for (name,) in found if wanted in (None, name)]
    if len(names) != 1:
        raise UsageError(
            f"name the benchmark with TOWBENCH_BENCHMARK; the database has items of "
            f"{', '.join(name for (name,) in found) or 'none'}"
        )
    return str(names[0])


def open_round(
    con: duckdb.DuckDBPyConnection,
    benchmark: str,
    kind: str,
    number: int | None,
    seed: int,
    run_id: UUID,
    *,
    systems: Sequence[str] = (),
    items: Sequence[str] = (),
    limit: int | None = None,
) -> Round:
    """Fill the tables of a round, unless they hold it; a round once opened never changes.

    `number` defaults to the last round of this kind, or 1. The order of the letters comes from
    `seed`, which only `corpus.review_round` keeps.

    Raises:
        UsageError: the systems of a pick are not three, or the round cannot be opened.
        DataError: there is nothing to review.
    """
    [(last,)] = con.execute(
        "SELECT max(round) FROM corpus.review_round WHERE benchmark = ? AND kind = ?",
        [benchmark, kind],
    ).fetchall()
    number = number or last or 1
    if number < 1:
        raise UsageError("a round is a whole number from 1")
    known = con.execute(
        "SELECT 1 FROM corpus.review_round WHERE benchmark = ? AND kind = ? AND round = ?",
        [benchmark, kind, number],
    ).fetchall()
    if known:
        return Round(number, _systems_of(con, benchmark, number) if kind == "picks" else (), ())
    chosen = _choose_systems(con, benchmark, systems) if kind == "picks" else ()
    con.begin()
    try:
        con.execute(
            "INSERT INTO corpus.review_round VALUES (?, ?, ?, ?, ?)",
            [benchmark, number, kind, seed, run_id],
        )
        if kind == "picks":
            con.execute(
                _CANDIDATES,
                {"benchmark": benchmark, "round": number, "systems": list(chosen), "seed": seed},
            )
        con.execute(
            _TASKS,
            {
                "benchmark": benchmark, "round": number, "kind": kind, "run_id": run_id,
                "items": list(items), "limit": limit or 1_000_000_000, "seed": seed,
            },
        )  # fmt: skip
        con.execute(_DROP_CANDIDATES, [benchmark, number])
        left_out = [
            f"{item_id}: not all of {', '.join(chosen)} have a text"
            for (item_id,) in (
                con.execute(_LEFT_OUT, [benchmark, list(items), list(items), number]).fetchall()
                if kind == "picks" and limit is None
                else []
            )
        ]
        [(n_task,)] = con.execute(
            "SELECT count(*) FROM corpus.review_task "
            "WHERE benchmark = ? AND round = ? AND kind = ?",
            [benchmark, number, kind],
        ).fetchall()
        if not n_task:
            raise DataError(f"{benchmark}: no item to review in {kind}")
        con.commit()
    except BaseException:
        con.rollback()
        raise
    return Round(number, chosen, tuple(left_out))


def read_tasks(
    con: duckdb.DuckDBPyConnection,
    benchmark: str,
    kind: str,
    number: int,
    *,
    only_open: bool = False,
) -> list[Task]:
    """The shown columns of a round's tasks; `only_open` leaves open splits."""
    rows = con.execute(
        _SHOWN, {"benchmark": benchmark, "kind": kind, "round": number, "open": only_open}
    ).fetchall()
    names = (
        "benchmark", "round", "item_id", "task", "genre", "lang", "marks", "instruction",
        "grounding", "reference", *LETTERS,
    )  # fmt: skip
    return [
        {
            name: "" if value is None else str(value)
            for name, value in zip(names, row, strict=True)
            if name in SHOWN[kind]
        }
        for row in rows
    ]


def open_splits(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Items that wait for a reviewer who settles a split, each as one line."""
    rows = con.execute(
        """
        SELECT benchmark, kind, round, item_id FROM bench.review_outcome_v1
        WHERE is_split AND place IS NULL ORDER BY ALL
        """
    ).fetchall()
    return [f"{name}, {kind}, round {number}: {item_id}" for name, kind, number, item_id in rows]


def _choose_systems(
    con: duckdb.DuckDBPyConnection, benchmark: str, wanted: Sequence[str]
) -> tuple[str, ...]:
    known = [
        system
        for (system,) in con.execute(
            """
            SELECT system FROM corpus.writing
            WHERE benchmark = ? AND system <> 'reference' AND status = 'ok' AND perturbation IS NULL
            GROUP BY system ORDER BY count(DISTINCT item_id) DESC, system
            """,
            [benchmark],
        ).fetchall()
    ]
    chosen = tuple(wanted) or tuple(known[:N_SYSTEM])
    if len(set(chosen)) != N_SYSTEM or not set(chosen) <= set(known):
        raise UsageError(
            f"a pick shows the reference and {N_SYSTEM} systems: name them with TOWBENCH_SYSTEMS; "
            f"{benchmark} has texts of {', '.join(known) or 'none'}"
        )
    return chosen


def _systems_of(con: duckdb.DuckDBPyConnection, benchmark: str, number: int) -> tuple[str, ...]:
    rows = con.execute(
        """
        SELECT DISTINCT source FROM corpus.review_candidate
        WHERE benchmark = ? AND round = ? AND source <> 'reference' ORDER BY ALL
        """,
        [benchmark, number],
    ).fetchall()
    return tuple(source for (source,) in rows)


# The letter order: nobody without the seed can tell it, and the same seed draws it again.
_CANDIDATES: Final = """
INSERT INTO corpus.review_candidate BY NAME
WITH text AS (
    SELECT item_id, 'reference' AS source, reference AS text
    FROM corpus.item
    WHERE benchmark = $benchmark AND status <> 'withdrawn' AND trim(reference) <> ''
    UNION ALL
    SELECT writing.item_id, writing.system, arg_min(writing.judged_text, writing.sample)
    FROM corpus.writing
    INNER JOIN corpus.item
        ON item.benchmark = writing.benchmark AND item.item_id = writing.item_id
    WHERE
        writing.benchmark = $benchmark
        AND list_contains($systems, writing.system)
        AND writing.status = 'ok'
        AND writing.perturbation IS NULL
        AND item.status <> 'withdrawn'
    GROUP BY writing.item_id, writing.system
),

whole AS (
    SELECT item_id FROM text GROUP BY item_id HAVING count(*) = 4
),

drawn AS (
    SELECT
        text.item_id, text.source, text.text,
        row_number() OVER (
            PARTITION BY text.item_id
            ORDER BY sha256(concat_ws('|', $seed, $round, text.item_id, text.source))
        ) AS place
    FROM text
    INNER JOIN whole ON whole.item_id = text.item_id
)

SELECT
    $benchmark AS benchmark, $round AS round, item_id, substr('ABCD', place, 1) AS letter,
    source, text
FROM drawn
"""

_TASKS: Final = """
INSERT INTO corpus.review_task BY NAME
WITH marked AS (
    SELECT
        target_id AS item_id,
        string_agg(
            concat(field, ' ', start_at, '-', end_at, ' ', kind, ': ', excerpt), chr(10)
            ORDER BY field, start_at, kind
        ) AS marks
    FROM bench.mark_v1
    WHERE benchmark = $benchmark AND target = 'item'
    GROUP BY target_id
)

SELECT
    item.benchmark, $round AS round, $kind AS kind, item.item_id,
    CAST(row_number() OVER (ORDER BY sha256(concat($seed, '|', item.item_id))) AS INTEGER)
        AS position,
    item.task, item.genre, item.lang, coalesce(marked.marks, '') AS marks, item.instruction,
    item.grounding, CASE WHEN $kind = 'items' THEN item.reference END AS reference,
    item.record_id, $run_id AS run_id
FROM corpus.item
LEFT JOIN marked ON marked.item_id = item.item_id
WHERE
    item.benchmark = $benchmark
    AND (
        list_contains($items, item.item_id) AND item.status <> 'withdrawn'
        OR $items = [] AND item.status = 'accepted'
    )
    AND (
        $kind = 'items'
        OR EXISTS (
            SELECT 1 FROM corpus.review_candidate AS candidate
            WHERE
                candidate.benchmark = item.benchmark
                AND candidate.round = $round
                AND candidate.item_id = item.item_id
        )
    )
QUALIFY row_number() OVER (ORDER BY sha256(item.item_id), item.item_id) <= $limit
"""

_DROP_CANDIDATES: Final = """
DELETE FROM corpus.review_candidate
WHERE benchmark = ? AND round = ? AND NOT EXISTS (
    SELECT 1 FROM corpus.review_task AS task
    WHERE
        task.benchmark = review_candidate.benchmark
        AND task.round = review_candidate.round
        AND task.kind = 'picks'
        AND task.item_id = review_candidate.item_id
)
"""

_LEFT_OUT: Final = """
SELECT item.item_id FROM corpus.item
WHERE
    item.benchmark = ? AND item.status = 'accepted' AND (? = [] OR list_contains(?, item.item_id))
    AND NOT EXISTS (
        SELECT 1 FROM corpus.review_task AS task
        WHERE
            task.benchmark = item.benchmark
            AND task.round = ?
            AND task.kind = 'picks'
            AND task.item_id = item.item_id
    )
ORDER BY item.item_id
"""

_SHOWN: Final = """
SELECT
    task.benchmark, task.round, task.item_id, task.task, task.genre, task.lang, task.marks,
    task.instruction, task.grounding, task.reference,
    max(CASE WHEN candidate.letter = 'A' THEN candidate.text END),
    max(CASE WHEN candidate.letter = 'B' THEN candidate.text END),
    max(CASE WHEN candidate.letter = 'C' THEN candidate.text END),
    max(CASE WHEN candidate.letter = 'D' THEN candidate.text END)
FROM corpus.review_task AS task
LEFT JOIN corpus.review_candidate AS candidate
    ON
        task.kind = 'picks'
        AND candidate.benchmark = task.benchmark
        AND candidate.round = task.round
        AND candidate.item_id = task.item_id
LEFT JOIN bench.review_outcome_v1 AS outcome
    ON
        outcome.benchmark = task.benchmark
        AND outcome.round = task.round
        AND outcome.kind = task.kind
        AND outcome.item_id = task.item_id
WHERE
    task.benchmark = $benchmark AND task.kind = $kind AND task.round = $round
    AND (NOT $open OR coalesce(outcome.is_split AND outcome.place IS NULL, false))
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, task.position
ORDER BY task.position
"""
