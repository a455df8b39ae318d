"""A database with every table, macro and view, built once for these sources and copied from then on."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from towbench.schemas.database import open_database
from towbench.schemas.definitions import build_views
from towbench.schemas.reference import load_reference

_ROOT = Path(__file__).resolve().parents[1]


@cache
def _built() -> Path:
    """The file that every test process shares: binding all views takes many seconds."""
    sources = sorted(
        path
        for folder in ("sql", "schemas")
        for path in (_ROOT / folder).rglob("*")
        if path.suffix in {".sql", ".py", ".yaml", ".csv"}
    )
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    shared = Path(tempfile.gettempdir()) / f"towbench-template-{os.getuid()}-{digest}.duckdb"
    if not shared.exists():
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "template.duckdb"
            with open_database(path, None) as con:
                load_reference(con)
                build_views(con)
            # Moved in one step: another process sees all of it or nothing.
            moved = shutil.copy(path, shared.with_suffix(f".{os.getpid()}"))
            os.replace(moved, shared)
    return shared


def fresh_database(path: Path) -> Path:
    """Put the built database at `path`; opening it there builds nothing again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(_built(), path)
    return path
