"""What a run asks for: models, trees and modes per benchmark; the items and systems it covers."""

from __future__ import annotations

import json

import duckdb

from towbench.schemas.errors import DataError, UsageError
from towbench.schemas.settings import Settings

# Published sampling (SPEC 4); the temperature of judges is a setting because repeats need one.
NEGOTIATOR_SAMPLING = {"temperature": 0.0, "max_tokens": 2048}
ANNOTATOR_SAMPLING = {"temperature": 0.0, "max_tokens": 4096}
WRITER_SAMPLING = {"temperature": 0.7, "top_p": 0.8, "top_k": 20, "max_tokens": 16000}
JUDGE_MAX_TOKENS = 2048

Row = tuple[str, str, int, dict[str, float]]
"""kind, name, repeats, sampling"""


def ask_corpus(con: duckdb.DuckDBPyConnection, settings: Settings, benchmark: str) -> None:
    """Record the models that label documents of a benchmark."""
    rows: list[Row] = [
        ("classifier", settings.classifier, 1, ANNOTATOR_SAMPLING),
        ("filter", settings.filter, 1, ANNOTATOR_SAMPLING),
        ("constructor", settings.constructor, 1, ANNOTATOR_SAMPLING),
    ]
    _replace(con, benchmark, rows)


def ask_score(con: duckdb.DuckDBPyConnection, settings: Settings) -> list[str]:
    """Record judges, trees and modes for every benchmark the run covers; return their names.

    Sample candidates are written only where the items were built here, never after an import.
    """
    found = con.execute(
        "SELECT benchmark, count(document_id) > 0 FROM corpus.item GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    names = [name for name, _ in found if settings.benchmark in (None, name)]
    if not names:
        wanted = settings.benchmark or "any benchmark"
        raise DataError(
            f"{settings.db}: holds no item of {wanted}; "
            "run `make corpus` or `make import DATA=<folder>` first"
        )
    judge = {"temperature": settings.judge_temperature, "max_tokens": JUDGE_MAX_TOKENS}
    trees = [_versioned_tree(con, tree) for tree in settings.trees]
    for name, built_here in found:
        if name not in names:
            continue
        rows: list[Row] = [("judge", model, settings.repeats, judge) for model in settings.judges]
        rows.append(
            ("negotiator", settings.negotiator, settings.negotiator_repeats, NEGOTIATOR_SAMPLING)
        )
        rows += [("tree", tree, 1, {}) for tree in trees]
        rows += [("reference_mode", mode, 1, {}) for mode in settings.references]
        rows += [("presentation", order, 1, {}) for order in settings.presentations]
        if built_here:
            rows += [
                ("writer", model, settings.samples, WRITER_SAMPLING) for model in settings.writers
            ]
        _replace(con, name, rows)
    _replace_panel(con, settings.judges)
    return names


def select(con: duckdb.DuckDBPyConnection, settings: Settings) -> None:
    """Fill the scratch tables of items and systems that this run covers.

    `LIMIT` takes the first n items of each benchmark by the hash of their id.
    """
    con.execute("DELETE FROM pending.selected_item")
    con.execute(
        """
        INSERT INTO pending.selected_item BY NAME
        SELECT item.benchmark, item.item_id
        FROM corpus.item AS item
        WHERE
            item.status = 'accepted'
            AND (? IS NULL OR item.benchmark = ?)
            AND (? = [] OR list_contains(?, item.item_id))
        QUALIFY
            row_number() OVER (
                PARTITION BY item.benchmark ORDER BY sha256(item.item_id), item.item_id
            ) <= coalesce(?, 1000000000)
        """,
        [settings.benchmark] * 2 + [list(settings.items)] * 2 + [settings.limit],
    )
    con.execute("DELETE FROM pending.selected_system")
    con.execute(
        """
        INSERT INTO pending.selected_system BY NAME
        SELECT DISTINCT known.system
        FROM (
            SELECT writing.system FROM corpus.writing AS writing
            UNION ALL SELECT asked.name FROM run.asked AS asked WHERE asked.kind = 'writer'
            UNION ALL SELECT 'reference'
        ) AS known
        WHERE ? = [] OR list_contains(?, known.system)
        """,
        [list(settings.systems)] * 2,
    )


def difference(con: duckdb.DuckDBPyConnection, settings: Settings, command: str) -> list[str]:
    """Settings that changed since the last run of this command, as `name: old -> new`."""
    rows = con.execute(
        "SELECT settings FROM run.run WHERE command = ? ORDER BY started_at DESC LIMIT 1", [command]
    ).fetchall()
    if not rows:
        return []
    old, new = json.loads(rows[0][0]), json.loads(settings.public_json())
    return [
        f"{name}: {json.dumps(old.get(name))} -> {json.dumps(new.get(name))}"
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
    ]


def _replace(con: duckdb.DuckDBPyConnection, benchmark: str, rows: list[Row]) -> None:
    con.begin()
    for kind in dict.fromkeys(row[0] for row in rows):
        con.execute("DELETE FROM run.asked WHERE benchmark = ? AND kind = ?", [benchmark, kind])
    for position, (kind, name, repeats, sampling) in enumerate(rows):
        con.execute(
            "INSERT INTO run.asked VALUES (?, ?, ?, ?, ?, ?)",
            [benchmark, kind, name, repeats, json.dumps(sampling, sort_keys=True), position],
        )
    con.commit()


def _replace_panel(con: duckdb.DuckDBPyConnection, judges: tuple[str, ...]) -> None:
    """Several judges form the panel `asked`; embedded judges never share one with an LLM."""
    con.execute("DELETE FROM judge.panel WHERE panel = 'asked'")
    members = [judge for judge in judges if not judge.startswith("embedded/")] or list(judges)
    if len(members) > 1:
        con.executemany("INSERT INTO judge.panel VALUES ('asked', ?)", [[name] for name in members])


def _versioned_tree(con: duckdb.DuckDBPyConnection, name: str) -> str:
    rows = con.execute(
        """
        SELECT tree FROM judge.current_tree WHERE name = ?
        UNION SELECT tree FROM judge.tree_node WHERE tree = ?
        """,
        [name, name],
    ).fetchall()
    if len(rows) != 1:
        known = con.execute("SELECT DISTINCT tree FROM judge.tree_node ORDER BY tree").fetchall()
        raise UsageError(
            f"TOWBENCH_TREES: no tree {name!r}; known: {', '.join(tree for (tree,) in known)}"
        )
    return str(rows[0][0])
