"""Imports of whole benchmarks in tests."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import duckdb

from towbench.ingest.detect import import_folder
from towbench.ingest.howtobench import ImportSummary


def import_items(
    con: duckdb.DuckDBPyConnection, folder: Path, benchmark: str | None, run_id: UUID
) -> ImportSummary:
    """Import a folder whose layout brings items and writings."""
    summary = import_folder(con, folder, benchmark, run_id)
    assert isinstance(summary, ImportSummary)
    return summary
