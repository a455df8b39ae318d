"""Command line of towbench: each command is the `make` target of the same name."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.markup import escape

from towbench.schemas.errors import DataError, UsageError
from towbench.schemas.settings import Settings

if TYPE_CHECKING:
    import duckdb

    from towbench.sql.runner import Workspace

DATA_PROBLEM, USAGE = 1, 2
SAMPLE = "sample"

app = typer.Typer(
    help=(
        "Build, score and release writing benchmarks in DuckDB and SQL.\n\n"
        "Settings are environment variables TOWBENCH_* or lines of a .env file; "
        "`towbench settings` lists them.\n\n"
        "Exit codes: 0 ok, 1 a problem in the data, 2 usage, 3 stopped by the budget."
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
out = Console(soft_wrap=True, width=None if sys.stdout.isatty() else 140)
err = Console(stderr=True, soft_wrap=True)


@app.command()
def corpus() -> None:
    """Crawl the sources, extract, dedupe, label and filter; build items of what is kept.

    Without TOWBENCH_SOURCES the bundled sample sites are served on loopback and crawled.
    """
    from towbench.ingest.show import show_query

    settings = _settings()
    _build_corpus(settings)
    with _reading(settings) as con:
        show_query(
            con,
            out,
            "Corpus funnel",
            "SELECT benchmark, source, stage, reason, n FROM bench.corpus_funnel ORDER BY ALL",
        )


@app.command()
def score() -> None:
    """Negotiate weights, score every leaf and print the leaderboard of each benchmark.

    Builds the sample corpus first if the database holds no item.
    """
    from towbench.ingest.show import show_leaderboards
    from towbench.schemas.asked import ask_score, difference
    from towbench.sql.runner import open_workspace

    settings = _settings()
    if not _has_items(settings):
        err.print("The database holds no item: building the sample corpus.")
        _build_corpus(settings)
    with open_workspace(settings, "score") as work:
        for line in difference(work.con, settings, "score"):
            err.print(f"setting changed since the last run: {escape(line)}")
        ask_score(work.con, settings)
        _run(work, "score")
        show_leaderboards(work.con, out)


@app.command("import")
def import_data(
    data: Annotated[Path, typer.Argument(help="folder of a released benchmark")],
) -> None:
    """Load a released benchmark in its own layout; loading it twice changes nothing."""
    from towbench.ingest.detect import import_folder
    from towbench.sql.runner import open_workspace

    settings = _settings()
    with open_workspace(settings, "import") as work:
        summary = import_folder(work.con, data, settings.benchmark, work.run_id)
    for problem in summary.problems:
        err.print(escape(str(problem)))
    out.print(escape(str(summary)))


@app.command()
def status() -> None:
    """Show what is done, pending, retryable and final, by stage and status."""
    from towbench.ingest.show import show_query

    with _reading(_settings()) as con:
        show_query(
            con,
            out,
            "Status by stage",
            "SELECT benchmark, stage, status, handling, n FROM bench.status ORDER BY ALL",
        )


@app.command()
def check() -> None:
    """Run the data checks; exit 1 and name the offending rows if one fails."""
    from towbench.sql.runner import run_checks

    with _reading(_settings()) as con:
        failures = run_checks(con)
    for failure in failures:
        err.print(f"{failure.check}: {failure.n_row} rows. {escape(failure.says)}")
        for example in failure.examples:
            err.print(f"    {escape(example)}")
    if failures:
        raise typer.Exit(DATA_PROBLEM)
    out.print("All checks hold.")


@app.command()
def sql(
    query: Annotated[str | None, typer.Argument(help="one query; without it a shell opens")] = None,
) -> None:
    """Ask SQL of the database, read-only."""
    import shutil

    from towbench.ingest.show import show_query

    settings = _settings()
    if query is None and (shell := shutil.which("duckdb")):
        os.execv(shell, [shell, "-readonly", str(settings.db)])
    if query is None:
        raise UsageError("no duckdb shell on the PATH; `make setup` installs it, or give a query")
    with _reading(settings) as con:
        show_query(con, out, "", query)


@app.command()
def release(tag: Annotated[str, typer.Argument(help="name of the release, e.g. v1")]) -> None:
    """Write every table and view as Parquet with a manifest to release/<tag>."""
    from towbench.ingest.release import write_release
    from towbench.sql.runner import git_commit

    settings = _settings()
    with _reading(settings) as con:
        write_release(
            con, tag, settings.release, commit=git_commit(), package_version=version("towbench")
        )
    out.print(f"Wrote {settings.release / tag}")


@app.command()
def settings() -> None:
    """List every setting with its variable, its value now and its meaning (no secrets)."""
    current = _settings()
    for name, field in Settings.model_fields.items():
        value = "(set)" if name == "api_key" and current.api_key else getattr(current, name)
        shown = ",".join(value) if isinstance(value, tuple) else value
        out.print(f"TOWBENCH_{name.upper()} = {escape(str(shown))}  # {field.description}")


def _build_corpus(settings: Settings) -> None:
    from towbench.ingest.landing import load_landing
    from towbench.schemas.asked import ask_corpus
    from towbench.spiders.crawl import crawl
    from towbench.spiders.sites import sample_server
    from towbench.sql.runner import open_workspace

    benchmark = settings.benchmark or SAMPLE
    if settings.sources:
        crawl(settings.sources, settings.landing, benchmark, settings.limit, None, settings.contact)
    else:
        with sample_server() as bases:
            crawl(list(bases), settings.landing, benchmark, settings.limit, bases)
    with open_workspace(settings, "corpus") as work:
        loaded = load_landing(work.con, settings.landing, benchmark, work.run_id)
        for problem in loaded.problems:
            err.print(escape(str(problem)))
        ask_corpus(work.con, settings, benchmark)
        _run(work, "corpus")


def _run(work: Workspace, command: str) -> None:
    from towbench.ingest.show import Meter
    from towbench.sql.runner import run_steps

    meter = Meter(err)
    try:
        run_steps(
            work, command, lambda step, total, engine: meter.show(step, total, engine.progress())
        )
    finally:
        meter.close()


def _has_items(settings: Settings) -> bool:
    from towbench.schemas.database import open_database

    with open_database(settings.db, None) as con:
        return bool(con.execute("SELECT count(*) > 0 FROM corpus.item").fetchall()[0][0])


@contextmanager
def _reading(settings: Settings) -> Iterator[duckdb.DuckDBPyConnection]:
    from towbench.schemas.database import open_database

    with open_database(settings.db, None, read_only=True) as con:
        yield con


def _settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        faults = [
            f"TOWBENCH_{'_'.join(map(str, fault['loc'])).upper()}: {fault['msg']}"
            for fault in error.errors(include_input=False)
        ]
        raise UsageError("; ".join(faults)) from None


def main() -> None:
    """Run the command line; errors a user can mend are one message and an exit code."""
    try:
        app(standalone_mode=True)
    except DataError as error:
        err.print(f"error: {escape(str(error))}")
        sys.exit(DATA_PROBLEM)
    except UsageError as error:
        err.print(f"error: {escape(str(error))}")
        sys.exit(USAGE)


if __name__ == "__main__":
    main()
