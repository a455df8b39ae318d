"""What a run asks for: models, trees and modes per benchmark; the items and systems it covers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from towbench.schemas.errors import DataError, UsageError
from towbench.schemas.metrics import asked_metrics
from towbench.schemas.own_trees import tree_name
from towbench.schemas.perturbations import CALLS
from towbench.schemas.settings import Sampling, Settings
from towbench.schemas.trees import load_leaves

# Published sampling (SPEC 4), which the settings of a role may override.
NEGOTIATOR_SAMPLING: Sampling = {"temperature": 0.0, "max_tokens": 2048}
ANNOTATOR_SAMPLING: Sampling = {"temperature": 0.0, "max_tokens": 4096}
WRITER_SAMPLING: Sampling = {"temperature": 0.7, "top_p": 0.8, "top_k": 20, "max_tokens": 16000}
JUDGE_MAX_TOKENS = 2048

Row = tuple[str, str, int, Sampling]
"""kind, name, repeats, sampling"""


def ask_corpus(con: duckdb.DuckDBPyConnection, settings: Settings, benchmark: str) -> None:
    """Record the models that label documents of a benchmark."""
    rows: list[Row] = [
        (
            "classifier",
            settings.classifier,
            1,
            _sampling(ANNOTATOR_SAMPLING, settings.classifier_sampling),
        ),
        ("filter", settings.filter, 1, _sampling(ANNOTATOR_SAMPLING, settings.filter_sampling)),
        (
            "constructor",
            settings.constructor,
            1,
            _sampling(ANNOTATOR_SAMPLING, settings.constructor_sampling),
        ),
    ]
    con.execute("DELETE FROM run.asked WHERE benchmark = ? AND kind = 'marker'", [benchmark])
    if settings.marker:
        sampling = _sampling(ANNOTATOR_SAMPLING, settings.marker_sampling)
        rows.append(("marker", settings.marker, 1, sampling))
    _replace(con, benchmark, rows)


def ask_score(con: duckdb.DuckDBPyConnection, settings: Settings) -> list[str]:
    """Record judges, trees and modes for every benchmark the run covers; return their names.

    Sample candidates are written only where the items were built here, never after an import.
    """
    found = _covered(con, settings)
    _check_names(con, settings)
    judge = _sampling(
        {"temperature": settings.judge_temperature, "max_tokens": JUDGE_MAX_TOKENS},
        settings.judge_sampling,
    )
    negotiator = _sampling(NEGOTIATOR_SAMPLING, settings.negotiator_sampling)
    writer = _sampling(WRITER_SAMPLING, settings.writer_sampling)
    perturber = _sampling(WRITER_SAMPLING, settings.perturber_sampling)
    trees = list(dict.fromkeys(_versioned_tree(con, tree) for tree in settings.trees))
    metrics = asked_metrics(settings.metrics, settings.embedder, settings.learned_metric)
    for name, built_here in found.items():
        rows: list[Row] = [("judge", model, settings.repeats, judge) for model in settings.judges]
        rows.append(("negotiator", settings.negotiator, settings.negotiator_repeats, negotiator))
        rows += [("tree", tree, 1, {}) for tree in trees]
        rows += [("reference_mode", mode, 1, {}) for mode in settings.references]
        rows += [("presentation", order, 1, {}) for order in settings.presentations]
        rows += [("metric", metric, 1, parameters) for metric, parameters in metrics]
        if settings.perturber:
            rows.append(("perturber", settings.perturber, 1, perturber))
        # What an earlier run wanted written or measured is not wanted again.
        con.execute(
            "DELETE FROM run.asked WHERE benchmark = ? AND kind IN ('writer', 'metric')", [name]
        )
        if built_here:
            rows += [("writer", model, settings.samples, writer) for model in settings.writers]
        _replace(con, name, rows)
    _check_prompts(con, trees, list(found))
    _seat_panel(con, settings.judges)
    return list(found)


def ask_generate(con: duckdb.DuckDBPyConnection, settings: Settings) -> list[str]:
    """Record the writers for every benchmark the run covers, imported or not; return the names."""
    if "writers" not in settings.model_fields_set:
        raise UsageError(
            "TOWBENCH_WRITERS: name the models that write: make generate WRITERS=<provider>/<model>"
        )
    found = _covered(con, settings)
    _check_names(con, settings)
    sampling = _sampling(WRITER_SAMPLING, settings.writer_sampling)
    rows = [("writer", model, settings.samples, sampling) for model in settings.writers]
    for name in found:
        _replace(con, name, rows)
    return list(found)


def _covered(con: duckdb.DuckDBPyConnection, settings: Settings) -> dict[str, bool]:
    """The benchmarks that a run covers, and whether their items were built here."""
    rows = con.execute(
        "SELECT benchmark, count(document_id) > 0 FROM corpus.item GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    found = {name: built for name, built in rows if settings.benchmark in (None, name)}
    if not found:
        wanted = settings.benchmark or "any benchmark"
        raise DataError(
            f"{settings.db}: holds no item of {wanted}; "
            "run `make corpus` or `make import DATA=<folder>` first"
        )
    return found


@contextmanager
def asking_for_plan(con: duckdb.DuckDBPyConnection, settings: Settings) -> Iterator[None]:
    """What `corpus` and `score`, and `generate` where WRITERS is set, would ask for; taken back."""
    tables = ("run.asked", "judge.panel")
    for table in tables:
        con.execute(f"CREATE OR REPLACE TEMP TABLE kept_{table[-5:]} AS SELECT * FROM {table}")
    try:
        crawled = con.execute(
            "SELECT benchmark FROM raw.page UNION SELECT benchmark FROM corpus.document ORDER BY 1"
        ).fetchall()
        for (benchmark,) in crawled:
            if settings.benchmark in (None, benchmark):
                ask_corpus(con, settings, benchmark)
        wanted = [settings.benchmark] * 2
        query = "SELECT 1 FROM corpus.item WHERE ? IS NULL OR benchmark = ? LIMIT 1"
        if con.execute(query, wanted).fetchall():
            ask_score(con, settings)
            if "writers" in settings.model_fields_set:
                ask_generate(con, settings)
        yield
    finally:
        con.begin()
        for table in tables:
            con.execute(f"DELETE FROM {table}")
            con.execute(f"INSERT INTO {table} SELECT * FROM kept_{table[-5:]}")
        con.commit()


def select(con: duckdb.DuckDBPyConnection, settings: Settings) -> None:
    """Fill the scratch tables of items, systems and perturbations that this run covers.

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
    con.execute("DELETE FROM pending.perturbation")
    for name in settings.perturbations:
        con.execute(
            "INSERT INTO pending.perturbation VALUES (?, ?, ?, ?)",
            [name, CALLS.get(name), settings.perturbation_seed, settings.perturbed],
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


def _check_names(con: duckdb.DuckDBPyConnection, settings: Settings) -> None:
    """Refuse items and systems that the database does not hold, and copies that nobody can make."""
    if (called := set(settings.perturbations) & CALLS.keys()) and not settings.perturber:
        raise UsageError(
            f"TOWBENCH_PERTURBATIONS: {', '.join(sorted(called))} wants a language model; name one "
            "with TOWBENCH_PERTURBER"
        )
    items = {name for (name,) in con.execute("SELECT item_id FROM corpus.item").fetchall()}
    rows = con.execute("SELECT DISTINCT system FROM corpus.writing").fetchall()
    systems = {name for (name,) in rows} | {"reference", *settings.writers}
    modes = [mode.removeprefix("system:") for mode in settings.references if ":" in mode]
    for setting, names, known in (
        ("ITEMS", settings.items, items),
        ("SYSTEMS", settings.systems, systems),
        ("REFERENCES", modes, systems),
    ):
        if missing := sorted(set(names) - known):
            raise UsageError(f"TOWBENCH_{setting}: not in the database: {', '.join(missing)}")


def _sampling(published: Sampling, own: Sampling) -> Sampling:
    """Published sampling with the user's on top; what is null there is not sent."""
    return {name: value for name, value in (published | own).items() if value is not None}


def _replace(con: duckdb.DuckDBPyConnection, benchmark: str, rows: list[Row]) -> None:
    con.begin()
    try:
        for kind in dict.fromkeys(row[0] for row in rows):
            con.execute("DELETE FROM run.asked WHERE benchmark = ? AND kind = ?", [benchmark, kind])
        for position, (kind, name, repeats, sampling) in enumerate(rows):
            con.execute(
                "INSERT INTO run.asked VALUES (?, ?, ?, ?, ?, ?)",
                [benchmark, kind, name, repeats, json.dumps(sampling, sort_keys=True), position],
            )
        con.commit()
    except duckdb.Error:
        con.rollback()
        raise


def _seat_panel(con: duckdb.DuckDBPyConnection, judges: tuple[str, ...]) -> None:
    """Several judges form a panel named by them; an embedded judge never shares one with an LLM."""
    members = sorted(judge for judge in judges if not judge.startswith("embedded/"))
    members = members or sorted(judges)
    if len(members) > 1:
        panel = "+".join(members)
        con.executemany(
            "INSERT OR IGNORE INTO judge.panel VALUES (?, ?)", [[panel, name] for name in members]
        )


def _check_prompts(con: duckdb.DuckDBPyConnection, trees: list[str], benchmarks: list[str]) -> None:
    """Refuse trees with a leaf that nobody could be asked about in the language of some items."""
    rows = con.execute(
        """
        SELECT DISTINCT node.tree, leaf.leaf, item.lang
        FROM judge.tree_node AS node
        INNER JOIN judge.leaf AS leaf ON leaf.leaf = node.leaf AND leaf.kind = 'model'
        CROSS JOIN (
            SELECT DISTINCT CASE WHEN lang = 'zh' THEN 'zh' ELSE 'en' END AS lang
            FROM corpus.item
            WHERE list_contains(?, benchmark)
        ) AS item
        WHERE
            list_contains(?, node.tree)
            AND NOT EXISTS (
                SELECT 1
                FROM judge.prompt AS prompt
                WHERE
                    prompt.lang = item.lang
                    AND (prompt.task = leaf.leaf OR starts_with(prompt.task, leaf.leaf || '_'))
            )
        ORDER BY ALL
        """,
        [benchmarks, trees],
    ).fetchall()
    if rows:
        tree, leaf, lang = rows[0]
        raise UsageError(
            f"TOWBENCH_TREES: {tree} has no prompt {leaf}_v1.{lang}.md, but items are in {lang}"
        )


def _versioned_tree(con: duckdb.DuckDBPyConnection, name: str) -> str:
    is_file = name != tree_name(name)
    name = tree_name(name)
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
    tree = str(rows[0][0])
    leaves = con.execute("SELECT leaf FROM judge.tree_node WHERE tree = ? ORDER BY leaf", [tree])
    own = [leaf for (leaf,) in leaves.fetchall() if leaf and leaf not in load_leaves()]
    if own and not is_file:
        raise UsageError(
            f"TOWBENCH_TREES: {tree} has a leaf of its own, {own[0]}, whose prompts lie beside its "
            f"file: name the file, <folder>/{tree}.yaml"
        )
    return tree
