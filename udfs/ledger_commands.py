"""`towbench ledger …`: commands that look after the file of paid replies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from towbench.ingest.terminal import DATA_PROBLEM, err, out, read_settings

ledger = typer.Typer(help="Look after the file of paid replies.", no_args_is_help=True)


@ledger.command()
def merge(other: Annotated[Path, typer.Argument(help="another ledger file")]) -> None:
    """Add the paid replies of another ledger; twice changes nothing. Conflicts are named."""
    from towbench.udfs.ledger_care import merge_ledger

    merged = merge_ledger(read_settings().ledger, other)
    for conflict in merged.conflicts:
        err.print(escape(conflict))
    out.print(escape(str(merged)))


@ledger.command()
def backup(to: Annotated[Path, typer.Argument(help="file to write")]) -> None:
    """Write a consistent copy of the ledger."""
    from towbench.udfs.ledger_care import backup_ledger

    out.print(escape(backup_ledger(read_settings().ledger, to)))


@ledger.command()
def compact() -> None:
    """Rewrite the ledger without the space that nothing uses; every row is kept."""
    from towbench.udfs.ledger_care import compact_ledger

    out.print(escape(compact_ledger(read_settings().ledger)))


@ledger.command("check")
def check_ledger_file() -> None:
    """Verify hashes, keys and links of the ledger; exit 1 and name the rows if one is wrong."""
    from towbench.udfs.ledger_care import check_ledger

    faults = check_ledger(read_settings().ledger)
    for fault in faults:
        err.print(escape(fault))
    if faults:
        raise typer.Exit(DATA_PROBLEM)
    out.print("The ledger holds together.")
