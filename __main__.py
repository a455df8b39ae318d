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
from rich.markup import escape

from towbench.ingest.terminal import (
    BUDGET_STOPPED,
    DATA_PROBLEM,
    USAGE,
    err,
    out,
    read_settings,
)
from towbench.schemas.errors import BudgetStopped, DataError, UsageError
from towbench.schemas.settings import Settings
from towbench.udfs.ledger_commands import ledger

if TYPE_CHECKING:
    import duckdb

    from towbench.sql.runner import Workspace


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
app.add_typer(ledger, name="ledger")


@app.command()
def corpus() -> None:
    """Crawl the sources, extract, dedupe, label and filter; build items of what is kept.

    Without TOWBENCH_SOURCES the bundled sample sites are served on loopback and crawled.
    """
    from towbench.ingest.show import show_query

    settings = read_settings()
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

    settings = read_settings()
    if settings.benchmark in (None, SAMPLE) and not _has_items(settings):
        err.print("The database holds no item: building the sample corpus.")
        # LIMIT is how much of the corpus this run scores, not how much of it there is.
        _build_corpus(settings.model_copy(update={"sources": (), "limit": None}))
    with open_workspace(settings, "score") as work:
        for line in difference(work.con, settings, "score"):
            err.print(f"setting changed since the last run: {escape(line)}")
        benchmarks = ask_score(work.con, settings)
        _run(work, "score")
        show_leaderboards(work.con, out, benchmarks)


@app.command()
def generate() -> None:
    """Let TOWBENCH_WRITERS write a text for every item, of imported benchmarks too; resumes.

    TOWBENCH_SAMPLES asks for several a writer, TOWBENCH_WRITER_SAMPLING changes the sampling.
    """
    from towbench.ingest.show import show_query
    from towbench.schemas.asked import ask_generate, difference
    from towbench.sql.runner import open_workspace

    settings = read_settings()
    with open_workspace(settings, "generate") as work:
        for line in difference(work.con, settings, "generate"):
            err.print(f"setting changed since the last run: {escape(line)}")
        ask_generate(work.con, settings)
        _run(work, "generate")
        show_query(
            work.con,
            out,
            "Texts of these writers",
            """
            SELECT writing.benchmark, writing.system, writing.status, count(*) AS n
            FROM corpus.writing AS writing
            INNER JOIN run.asked AS asked
                ON
                    asked.benchmark = writing.benchmark
                    AND asked.kind = 'writer'
                    AND asked.name = writing.system
            WHERE writing.perturbation IS NULL
            GROUP BY ALL
            ORDER BY ALL
            """,
        )


@app.command("import")
def import_data(
    data: Annotated[
        Path,
        typer.Argument(
            help="folder of a released benchmark; or WARC, zip, folder of texts or WARC"
        ),
    ],
    licence: Annotated[str, typer.Option(help="licence of documents that state none")] = "",
) -> None:
    """Load a released benchmark in its own layout; loading it twice changes nothing.

    Lines that cannot go in are named with file and line, the others go in; exit 1 if any was left
    out.

    Web archives (.warc.gz; one or a folder) and documents (docx, html, txt; folder or zip) become a
    corpus: they are extracted, labelled and filtered like crawled pages.
    """
    from towbench.ingest.detect import LAYOUTS, import_folder
    from towbench.ingest.files import is_documents
    from towbench.sql.runner import open_workspace

    settings = read_settings()
    if is_documents(data) and not (
        data.is_dir() and any(layout.detect(data) for layout in LAYOUTS)
    ):
        _import_documents(settings, data, licence)
        return
    with open_workspace(settings, "import") as work:
        summary = import_folder(work.con, data, settings.benchmark, work.run_id)
    for problem in summary.problems:
        err.print(escape(str(problem)))
    out.print(escape(str(summary)))
    if not all(problem.is_note for problem in summary.problems):
        raise typer.Exit(DATA_PROBLEM)


@app.command()
def reparse() -> None:
    """Read stored replies again with the current parser; costs no call.

    `towbench score` and `corpus` do so too before they ask anything, and write the rows.
    """
    from towbench.sql.runner import open_workspace

    with open_workspace(read_settings(), "reparse") as work:
        _run(work, "reparse")
        n_read = work.con.execute("SELECT count(*) FROM pending.unread").fetchall()[0][0]
    out.print(f"{n_read} stored replies read again; the next `towbench score` uses what they say.")


@app.command()
def status() -> None:
    """Show what is done, pending, retryable and final, by stage and status."""
    from towbench.ingest.show import show_query

    with _reading(read_settings()) as con:
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

    with _reading(read_settings()) as con:
        failures = run_checks(con)
    for failure in failures:
        err.print(f"{failure.check}: {failure.n_row} rows. {escape(failure.says)}")
        for example in failure.examples:
            err.print(f"    {escape(example)}")
    if failures:
        raise typer.Exit(DATA_PROBLEM)
    out.print("All checks hold.")


# A query may open with a comment, which would read as an option.
@app.command(context_settings={"ignore_unknown_options": True})
def sql(
    query: Annotated[str | None, typer.Argument(help="one query; without it a shell opens")] = None,
) -> None:
    """Ask SQL of the database, read-only."""
    from towbench.ingest.show import show_query

    settings = read_settings()
    with _reading(settings) as con:
        if query is not None:
            con.execute("SET enable_external_access = false")
            show_query(con, out, "", query)
            return
    # The shell that came with the package, not another version that may be on the PATH.
    shell = Path(sys.executable).with_name("duckdb")
    os.execv(shell, [str(shell), "-readonly", str(settings.db)])


@app.command()
def analyse() -> None:
    """Compute the heavy views (bootstraps) once; names read the result until inputs change."""
    _analyse(read_settings())


@app.command()
def release(tag: Annotated[str, typer.Argument(help="name of the release, e.g. v1")]) -> None:
    """Write every table and view as Parquet with a manifest to release/<tag>."""
    from towbench.ingest.release import write_release
    from towbench.sql.runner import git_commit

    settings = read_settings()
    _analyse(settings)
    with _reading(settings) as con:
        write_release(
            con, tag, settings.release, commit=git_commit(), package_version=version("towbench")
        )
    out.print(f"Wrote {settings.release / tag}")


@app.command()
def settings() -> None:
    """List every setting with its variable, its value now and its meaning (no secrets)."""
    current = read_settings()
    values = current.public() | {"api_key": "(set)" if current.api_key else None}
    for name, field in Settings.model_fields.items():
        value = values[name]
        shown = ",".join(value) if isinstance(value, list) else value
        out.print(f"TOWBENCH_{name.upper()} = {escape(str(shown))}  # {field.description}")


@app.command("fake-endpoint")
def fake_endpoint(
    port: Annotated[int, typer.Option(help="port; 0 takes a free one")] = 8000,
    host: Annotated[str, typer.Option(help="a loopback address")] = "127.0.0.1",
    faults: Annotated[
        str, typer.Option(help="rates by name: http_429=0.05,stall=0.01; mixed=0.3 spreads")
    ] = "",
    seed: Annotated[int, typer.Option(help="same seed, same faults")] = 0,
    latency: Annotated[
        str, typer.Option(help="lognormal:MEAN_MS,SIGMA[,TAIL_SHARE[,TAIL_FACTOR]]")
    ] = "lognormal:0",
    key: Annotated[str | None, typer.Option(help="the only API key taken; default: any")] = None,
    canned: Annotated[str | None, typer.Option(help="answer every chat with this text")] = None,
    pause: Annotated[float, typer.Option(help="seconds that a 429 or 503 asks to wait")] = 1.0,
    batch_seconds: Annotated[float, typer.Option(help="how long a batch takes")] = 1.0,
    log: Annotated[Path | None, typer.Option(help="write every request here as JSON")] = None,
    list_faults: Annotated[bool, typer.Option("--list-faults", help="name every fault")] = False,
) -> None:
    """Serve the offline models as an OpenAI-compatible endpoint on loopback; a test double.

    It misbehaves by seeded rates, and GET /counts says what it received and sent.
    """
    from towbench.udfs.embedded.endpoint import Endpoint, Options, serve
    from towbench.udfs.embedded.endpoint_faults import table_lines

    if list_faults:
        for line in table_lines():
            out.print(escape(line))
        return

    def ready(endpoint: Endpoint) -> None:
        out.print(f"TOWBENCH_BASE_URL={endpoint.url}")

    try:
        serve(
            Options(host, port, faults, seed, latency, key, canned, pause, batch_seconds, log),
            ready,
        )
    except (ValueError, OSError) as error:
        raise UsageError(f"fake-endpoint: {error}") from error


@app.command()
def plan() -> None:
    """Show what a run would ask now: calls, ledger hits, tokens, money, minutes. Asks nothing."""
    from towbench.ingest.show import show_plan
    from towbench.schemas.asked import asking_for_plan
    from towbench.sql.runner import open_workspace, plan_steps

    settings = read_settings()
    with open_workspace(settings, "plan") as work, asking_for_plan(work.con, settings):
        plan_steps(work)
        show_plan(work.con, out, settings.budget)


review = typer.Typer(
    help="Let people review items and pick the best of four texts; read their answers back.",
    no_args_is_help=True,
)
app.add_typer(review, name="review")

Kind = Annotated[str, typer.Option(help="items (accept, revise, reject) or picks (best of four)")]
RoundNumber = Annotated[int | None, typer.Option("--round", help="default: the last, or 1")]
Seed = Annotated[int | None, typer.Option(help="draws the order of letters; default: a secret one")]


@review.command("export")
def review_export(
    kind: Kind = "items",
    form: Annotated[
        str, typer.Option("--format", help="xlsx, csv, labelstudio or argilla")
    ] = "xlsx",
    to: Annotated[Path | None, typer.Option("--out", help="file to write")] = None,
    seed: Seed = None,
    number: RoundNumber = None,
    splits: Annotated[bool, typer.Option(help="only what a third reviewer must settle")] = False,
) -> None:
    """Write a review sheet; a new number of round opens a new round of what items say now."""
    from towbench.ingest import review_json, review_sheet
    from towbench.ingest.review import FORMATS

    if form not in FORMATS:
        raise UsageError(f"--format {form!r} is none of {', '.join(FORMATS)}")
    with _reviewing(kind, number, seed, splits) as (_, benchmark, opened, tasks):
        ending = {"xlsx": "xlsx", "csv": "csv"}.get(form, f"{form}.json")
        path = to or Path(f"review_{benchmark}_{kind}_{opened}.{ending}")
        path.parent.mkdir(parents=True, exist_ok=True)
        module = review_sheet if form in ("xlsx", "csv") else review_json
        written = module.save(path, form, kind, tasks)
    names = ", ".join(map(str, written))
    out.print(escape(f"{benchmark}: {len(tasks)} tasks of {kind}, round {opened}: {names}"))


@review.command("import")
def review_import(
    files: Annotated[list[Path], typer.Argument(help="answered sheets, in any of the forms")],
) -> None:
    """Read answered sheets; good rows go in, the others are named with file and row."""
    from datetime import UTC, datetime

    from towbench.ingest.review_import import import_files
    from towbench.ingest.review_task import open_splits
    from towbench.sql.runner import open_workspace

    with open_workspace(read_settings(), "review") as work:
        now = datetime.now(UTC).replace(tzinfo=None)
        summary = import_files(work.con, files, work.run_id, now)
        _run(work, "review")
        waiting = open_splits(work.con)
    for problem in summary.problems:
        err.print(escape(str(problem)))
    for split in waiting:
        out.print(escape(f"waits for a third reviewer: {split}"))
    out.print(escape(str(summary)))
    if summary.problems:
        raise typer.Exit(DATA_PROBLEM)


@review.command("undo")
def review_undo(
    number: Annotated[int, typer.Option("--round", help="the round to take back")],
    kind: Kind = "items",
) -> None:
    """Take back a round (TOWBENCH_ITEMS: only these items); its answers stay stored."""
    from towbench.ingest.review_import import undo
    from towbench.ingest.review_task import one_benchmark
    from towbench.sql.runner import open_workspace

    settings, kind = read_settings(), _review_kind(kind)
    with open_workspace(settings, "review") as work:
        benchmark = one_benchmark(work.con, settings.benchmark)
        n_undone = undo(work.con, benchmark, number, kind, settings.items)
        _run(work, "review")
    out.print(f"{n_undone} reviews taken back")


@review.command("serve")
def review_serve(
    kind: Kind = "items",
    seed: Seed = None,
    number: RoundNumber = None,
    splits: Annotated[bool, typer.Option(help="only what a third reviewer must settle")] = False,
    port: Annotated[int, typer.Option(help="0 takes any free one")] = 8642,
) -> None:
    """Serve a web form on 127.0.0.1 for reviewers with only a browser; Ctrl-C ends it."""
    from datetime import UTC, datetime

    from towbench.ingest.review import Entry
    from towbench.ingest.review_import import import_entries
    from towbench.ingest.review_serve import ReviewServer

    with _reviewing(kind, number, seed, splits) as (work, benchmark, opened, tasks):

        def submit(entry: Entry) -> str:
            now = datetime.now(UTC).replace(tzinfo=None)
            summary = import_entries(work.con, [entry], work.run_id, now)
            if summary.n_empty:
                return "nothing is filled in"
            return "; ".join(problem.what for problem in summary.problems)

        with ReviewServer(kind, tasks, submit, port) as server:
            out.print(f"{benchmark}, {kind}, round {opened}: {len(tasks)} tasks at {server.url}")
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                err.print(f"{server.n_saved} answers saved")
        _run(work, "review")


@contextmanager
def _reviewing(
    kind: str, number: int | None, seed: int | None, splits: bool
) -> Iterator[tuple[Workspace, str, int, list[dict[str, str]]]]:
    """The open workspace, the benchmark, the round and its tasks; opens the round if it is new."""
    import secrets

    from towbench.ingest.review_task import one_benchmark, open_round, read_tasks
    from towbench.sql.runner import open_workspace

    settings = read_settings()
    _review_kind(kind)
    with open_workspace(settings, "review") as work:
        benchmark = one_benchmark(work.con, settings.benchmark)
        _run(work, "review")
        opened = open_round(
            work.con, benchmark, kind, number,
            secrets.randbits(62) if seed is None else seed, work.run_id,
            systems=settings.systems, items=settings.items, limit=settings.limit,
        )  # fmt: skip
        for line in opened.left_out:
            err.print(escape(f"left out: {line}"))
        if opened.systems:
            err.print(escape(f"picks show the reference and {', '.join(opened.systems)}"))
        tasks = read_tasks(work.con, benchmark, kind, opened.number, only_open=splits)
        yield work, benchmark, opened.number, tasks


def _review_kind(kind: str) -> str:
    from towbench.ingest.review import KINDS

    if kind not in KINDS:
        raise UsageError(f"--kind {kind!r} is none of {', '.join(KINDS)}")
    return kind


@app.command("new-source")
def new_source(name: Annotated[str, typer.Argument(help="name of the source")]) -> None:
    """Write the skeleton of a source: spider, fixture pages and a test that passes."""
    from importlib.resources import files

    from towbench.spiders.new_source import new_source as write

    for path in write(name, Path(str(files("towbench")))):
        out.print(escape(str(path)))


@app.command()
def withdraw(
    targets: Annotated[list[str], typer.Argument(help="URLs, document ids or item ids")],
    reason: Annotated[str, typer.Option(help="who asked, and why")] = "takedown request",
) -> None:
    """Take texts down: their documents, items and writings stay as rows but are shown nowhere."""
    from towbench.ingest.withdraw import withdraw as note
    from towbench.sql.runner import open_workspace

    with open_workspace(read_settings(), "withdraw") as work:
        note(work.con, targets, reason, work.run_id)
        _run(work, "withdraw")
        [(n_document, n_item)] = work.con.execute(
            "SELECT (SELECT count(*) FROM corpus.document WHERE status = 'withdrawn'),"
            " (SELECT count(*) FROM corpus.item WHERE status = 'withdrawn')"
        ).fetchall()
    out.print(f"Withdrawn in all: {n_document} documents, {n_item} items.")


def _import_documents(settings: Settings, data: Path, licence: str) -> None:
    from towbench.ingest.files import load_documents, source_of
    from towbench.schemas.asked import ask_corpus
    from towbench.sql.runner import open_workspace

    benchmark = settings.benchmark or source_of(data)
    with open_workspace(settings, "import") as work:
        loaded = load_documents(work.con, data, benchmark, licence, work.run_id)
        for problem in loaded.problems:
            err.print(escape(str(problem)))
        ask_corpus(work.con, settings, benchmark)
        _run(work, "corpus")
    out.print(escape(str(loaded)))


def _build_corpus(settings: Settings) -> None:
    from towbench.ingest.landing import load_landing
    from towbench.ingest.show import PageMeter
    from towbench.schemas.asked import ask_corpus
    from towbench.spiders.crawl import crawl
    from towbench.spiders.sites import sample_server
    from towbench.sql.runner import open_workspace

    benchmark = settings.benchmark or SAMPLE
    meter = PageMeter(err)
    try:
        if settings.sources:
            crawl(
                settings.sources,
                settings.landing,
                benchmark,
                settings.limit,
                None,
                settings.contact,
                progress=meter.show,
                since=settings.since,
                revisit_days=settings.revisit_days,
            )
        else:
            with sample_server() as bases:
                crawl(
                    list(bases),
                    settings.landing,
                    benchmark,
                    settings.limit,
                    bases,
                    progress=meter.show,
                )
    finally:
        meter.close()
    with open_workspace(settings, "corpus") as work:
        loaded = load_landing(work.con, settings.landing, benchmark, work.run_id)
        for problem in loaded.problems:
            err.print(escape(str(problem)))
        ask_corpus(work.con, settings, benchmark)
        _run(work, "corpus")


def _analyse(settings: Settings) -> None:
    from towbench.schemas.database import open_database
    from towbench.schemas.definitions import build_views
    from towbench.schemas.snapshots import build_snapshots

    with _reading(settings):
        pass  # there is a database, and it is ours
    with open_database(settings.db, None, threads=settings.threads) as con:
        build_views(con)
        for built in build_snapshots(con):
            how = f"{built.seconds:.1f} s" if built.is_new else "fresh"
            err.print(f"{built.view}: {built.n_row:,} rows, {how}")


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
    except OSError as error:
        err.print(f"error: {escape(str(error))}")
        sys.exit(DATA_PROBLEM)
    except BudgetStopped as error:
        err.print(f"stopped: {escape(str(error))}")
        sys.exit(BUDGET_STOPPED)


if __name__ == "__main__":
    main()
