"""Frozen versions: whatever can move a number is named `_vN` and never changes after a release tag.

`make freeze` records the hashes before the first and every later tag; the test of this name then
holds every recorded file to its hash. Comment-only edits of SQL do not count (DESIGN 5).
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import sqlglot
import yaml

ROOT = Path(__file__).resolve().parents[1]
FROZEN = ROOT / "tests" / "frozen.json"
# Data files that hold every version of a thing: each entry is frozen by itself, others may come.
COLLECTIONS = ("schemas/*.yaml", "schemas/trees/leaves.yaml")
VERSIONED = re.compile(r"_v\d+(\.(zh|en))?\.(sql|md|json|yaml)$")
FOLDERS = ("sql/views", "sql/macros", "prompts", "schemas/replies", "schemas/trees")


def versioned_files() -> dict[str, str]:
    """Path of every versioned file -> hash of what can move a number in it.

    An entry of a collection is named `path#entry`.
    """
    files = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    hashes = {
        str(path.relative_to(ROOT)): content_hash(path)
        for path in files
        if VERSIONED.search(path.name)
    }
    for path in sorted(path for pattern in COLLECTIONS for path in ROOT.glob(pattern)):
        for entry, value in yaml.safe_load(path.read_text("utf-8")).items():
            said = json.dumps(value, sort_keys=True, ensure_ascii=False)
            name = f"{path.relative_to(ROOT)}#{entry}"
            hashes[name] = hashlib.sha256(said.encode()).hexdigest()
    return hashes


def content_hash(path: Path) -> str:
    """sha256 of a file; of SQL without its comments and layout."""
    text = path.read_text("utf-8")
    if path.suffix == ".sql" and "lambda" not in text:
        statements = sqlglot.parse(text, read="duckdb")
        text = ";".join(part.sql("duckdb", comments=False) for part in statements if part)
    return hashlib.sha256(text.encode()).hexdigest()


def recorded() -> dict[str, str]:
    """What the last release tag froze."""
    return dict(json.loads(FROZEN.read_text("utf-8")))


def broken(frozen: dict[str, str], now: dict[str, str]) -> list[str]:
    """Frozen files and entries that changed or are gone."""
    return sorted(name for name, known in frozen.items() if now.get(name) != known)


if __name__ == "__main__":
    now = versioned_files()
    if faults := broken(recorded(), now):
        raise SystemExit(f"frozen files changed, make a new version instead: {', '.join(faults)}")
    FROZEN.write_text(json.dumps(now, indent=1, sort_keys=True) + "\n", "utf-8")
