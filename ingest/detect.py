"""Which importer reads a folder: a table of layouts, asked in order."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

import duckdb

from towbench.ingest.hanna import import_hanna, is_hanna
from towbench.ingest.howtobench import ImportSummary, import_howtobench, is_howtobench
from towbench.schemas.errors import DataError

Importer = Callable[[duckdb.DuckDBPyConnection, Path, str, UUID], ImportSummary]


class Layout(NamedTuple):
    """A known form of data; `name` is also the benchmark it is loaded as by default."""

    name: str
    shape: str
    detect: Callable[[Path], bool]
    read: Importer


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
)


def import_folder(
    con: duckdb.DuckDBPyConnection, folder: Path, benchmark: str | None, run_id: UUID
) -> ImportSummary:
    """Import `folder` with the first layout that it has.

    Raises:
        DataError: there is no such folder, nothing in it is known, or the benchmark was built here.
    """
    expected = "; ".join(f"{layout.name}: {layout.shape}" for layout in LAYOUTS)
    if not folder.is_dir():
        found = "a file" if folder.exists() else "nothing"
        raise DataError(f"{folder}: {found} where a folder was expected ({expected})")
    for layout in LAYOUTS:
        if layout.detect(folder):
            name = benchmark or layout.name
            _check_not_built_here(con, name)
            return layout.read(con, folder, name, run_id)
    names = sorted(path.name for path in folder.iterdir())
    shown = ", ".join(names[:8]) + (" …" if len(names) > 8 else "")
    raise DataError(f"{folder}: no known layout, it holds {shown or 'no file'} ({expected})")


def _check_not_built_here(con: duckdb.DuckDBPyConnection, benchmark: str) -> None:
    """A benchmark is either built from documents here or imported, never a mixture."""
    query = "SELECT count(document_id) FROM corpus.item WHERE benchmark = ?"
    if con.execute(query, [benchmark]).fetchall() != [(0,)]:
        raise DataError(
            f"benchmark {benchmark} holds items built here; choose another name for the import "
            "with TOWBENCH_BENCHMARK"
        )
