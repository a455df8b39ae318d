"""Writes `docs/views.md` from the headers of the views: `python tests/docs_views.py`."""

from __future__ import annotations

import re
from pathlib import Path

from towbench.schemas.definitions import current_versions, read_header, sql_files

PAGE = Path(__file__).resolve().parents[1] / "docs" / "views.md"
_SOURCE = re.compile(r"\((?:HoWToBench|WritingBench|SPEC)[^()]*\)")


def page() -> str:
    """The page as the headers have it now: what each view answers, and all its versions."""
    current = set(current_versions().values())
    lines = [
        "# The views",
        "",
        "Written by `python tests/docs_views.py` from the headers in `sql/views/`. A name in bold is",
        "what the bare `bench.<name>` reads (`sql/current.sql`); the others are versions and parts.",
        "",
        "| view | one row per | answers | formula | source |",
        "|---|---|---|---|---|",
    ]
    for file in sql_files("views"):
        name = file.name.removesuffix(".sql")
        header = read_header(file.read_text("utf-8"))
        sources = "; ".join(found.strip("()") for found in _SOURCE.findall(header["Formula"]))
        cells = [
            f"**{name}**" if name in current else name, header["Grain"], header["Answers"],
            _SOURCE.sub("", header["Formula"]).replace(" .", "."), sources or "-",
        ]  # fmt: skip
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), "utf-8")
