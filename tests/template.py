"""A database with every table, macro and view, built once a test process and copied from then on."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path

from towbench.schemas.database import open_database
from towbench.schemas.reference import load_reference
from towbench.sql.runner import build_views


@cache
def _built() -> Path:
    path = Path(tempfile.mkdtemp(prefix="towbench-")) / "template.duckdb"
    with open_database(path, None) as con:
        load_reference(con)
        build_views(con)
    return path


def fresh_database(path: Path) -> Path:
    """Put the built database at `path`; opening it there builds nothing again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(_built(), path)
    return path
