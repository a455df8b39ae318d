"""A folder in which tests run towbench commands as a user would."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import duckdb

from towbench.schemas.database import open_database


@dataclass(frozen=True)
class Project:
    """A folder that towbench commands run in."""

    folder: Path

    @property
    def db(self) -> Path:
        return self.folder / "data" / "towbench.duckdb"

    @property
    def ledger(self) -> Path:
        return self.folder / "data" / "ledger.duckdb"

    def start(self, *words: str, **settings: str) -> subprocess.Popen[str]:
        """Start `towbench <words>` in a process group of its own."""
        kept = {name: value for name, value in os.environ.items() if "TOWBENCH" not in name}
        return subprocess.Popen(
            [sys.executable, "-m", "towbench", *words],
            cwd=self.folder,
            env=kept | {f"TOWBENCH_{name}": value for name, value in settings.items()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *words: str, code: int = 0, **settings: str) -> str:
        """Run a command to its end; return what it printed, both streams."""
        process = self.start(*words, **settings)
        out, err = process.communicate(timeout=600)
        assert process.returncode == code, f"exit {process.returncode}\n{out}\n{err}"
        return out + err

    def query(self, sql: str) -> list[tuple[object, ...]]:
        with open_database(self.db, None, read_only=True) as con:
            return list(con.execute(sql).fetchall())

    def query_ledger(self, sql: str) -> list[tuple[object, ...]]:
        with duckdb.connect(str(self.ledger), read_only=True) as con:
            return list(con.execute(sql).fetchall())
