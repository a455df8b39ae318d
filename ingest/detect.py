"""Which importer reads a folder: a table of layouts, asked in order."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, Protocol
from uuid import UUID

import duckdb

from towbench.ingest.hanna import import_hanna, is_hanna
from towbench.ingest.howtobench import import_howtobench, is_howtobench
from towbench.ingest.human_ratings import import_ratings, is_ratings, unreadable_sheets
from towbench.ingest.metrics_file import SHAPE, import_metrics, is_metrics
from towbench.ingest.outputs import import_outputs, is_outputs
from towbench.ingest.problem import Problem
from towbench.schemas.errors import DataError


class Summary(Protocol):
    """What an import tells the user: its problems, and as a string what it did."""

    problems: list[Problem]


Importer = Callable[[duckdb.DuckDBPyConnection, Path, str, UUID], Summary]


class Layout(NamedTuple):
    """A known form of data; `name` is also the benchmark it is loaded as by default.

    One without `brings_items` is about the items of a benchmark that is there.
    """

    name: str
    shape: str
    detect: Callable[[Path], bool]
    read: Importer
    brings_items: bool = True


LAYOUTS: Final = (
    Layout(
        "howtobench",
        "<task>/aligned.jsonl with <task>/inferences/<model>.jsonl, or <task>/data.jsonl",
        is_howtobench,
        import_howtobench,
    ),
    Layout(
        "hanna",
        "human_ratings_long.csv with auto_metrics_long.csv and llm_judge_scores_long.csv",
        is_hanna,
        import_hanna,
    ),
    Layout(
        "ratings",
        "csv or xlsx with annotator, score and writing_id or item_id and system",
        is_ratings,
        import_ratings,
        brings_items=False,
    ),
    Layout(
        "outputs",
        "jsonl or csv with item_id, system, text and maybe sample",
        is_outputs,
        import_outputs,
        brings_items=False,
    ),
    Layout("metrics", SHAPE, is_metrics, import_metrics, brings_items=False),
)


def import_folder(
    con: duckdb.DuckDBPyConnection, folder: Path, benchmark: str | None, run_id: UUID
) -> Summary:
    """Import `folder` with the first layout that it has.

    Raises:
        DataError: there is no such folder, nothing in it is known, or the benchmark was built here;
            for data about items: the benchmark is not there, or none of several is named.
    """
    if is_metrics(folder) and folder.is_file():
        return import_metrics(con, folder, _present(con, benchmark), run_id)
    expected = "; ".join(f"{layout.name}: {layout.shape}" for layout in LAYOUTS)
    if not folder.is_dir():
        found = "a file" if folder.exists() else "nothing"
        raise DataError(f"{folder}: {found} where a folder was expected ({expected})")
    for layout in LAYOUTS:
        if layout.detect(folder):
            if layout.brings_items:
                name = benchmark or layout.name
                _check_not_built_here(con, name)
            else:
                name = _present(con, benchmark)
            return layout.read(con, folder, name, run_id)
    names = sorted(path.name for path in folder.iterdir())
    shown = ", ".join(names[:8]) + (" …" if len(names) > 8 else "")
    faults = "".join(f"; {fault}" for fault in unreadable_sheets(folder))
    raise DataError(
        f"{folder}: no known layout, it holds {shown or 'no file'} ({expected}){faults}"
    )


def _check_not_built_here(con: duckdb.DuckDBPyConnection, benchmark: str) -> None:
    """A benchmark is either built from documents here or imported, never a mixture."""
    query = "SELECT count(document_id) FROM corpus.item WHERE benchmark = ?"
    if con.execute(query, [benchmark]).fetchall() != [(0,)]:
        raise DataError(
            f"benchmark {benchmark} holds items built here; choose another name for the import "
            "with TOWBENCH_BENCHMARK"
        )


def _present(con: duckdb.DuckDBPyConnection, benchmark: str | None) -> str:
    """The benchmark that data about items belong to."""
    found = con.execute("SELECT DISTINCT benchmark FROM corpus.item ORDER BY ALL").fetchall()
    names = [name for (name,) in found]
    chosen = [name for name in names if benchmark in (None, name)]
    if len(chosen) != 1:
        raise DataError(
            f"{benchmark or 'no benchmark named'}: the database has items of "
            f"{', '.join(names) or 'none'}; name one with TOWBENCH_BENCHMARK"
        )
    return str(chosen[0])
