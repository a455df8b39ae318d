"""Which importer reads a folder: a table of layouts, asked in order."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

import duckdb

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
)


def import_folder(
    con: duckdb.DuckDBPyConnection, folder: Path, benchmark: str | None, run_id: UUID
) -> ImportSummary:
    """Import `folder` with the first layout that it has.

    Raises:
        DataError: there is no such folder, or nothing in it is known.
    """
    expected = "; ".join(f"{layout.name}: {layout.shape}" for layout in LAYOUTS)
    if not folder.is_dir():
        found = "a file" if folder.exists() else "nothing"
        raise DataError(f"{folder}: {found} where a folder was expected ({expected})")
    for layout in LAYOUTS:
        if layout.detect(folder):
            return layout.read(con, folder, benchmark or layout.name, run_id)
    names = sorted(path.name for path in folder.iterdir())
    shown = ", ".join(names[:8]) + (" …" if len(names) > 8 else "")
    raise DataError(f"{folder}: no known layout, it holds {shown or 'no file'} ({expected})")
