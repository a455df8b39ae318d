"""Runs the SQL of the package: opens a workspace, builds views, fills tables by steps, checks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from types import FrameType

import duckdb

from towbench.ingest.extract import EXTRACTOR_VERSION
from towbench.prompts.own import add_own_prompts
from towbench.prompts.rows import dimension_rows, prompt_rows
from towbench.schemas import snapshots
from towbench.schemas.asked import select
from towbench.schemas.database import open_database
from towbench.schemas.definitions import build_views, current_versions, read_header, sql_files
from towbench.schemas.errors import BudgetStopped, DataError, UsageError
from towbench.schemas.own_trees import load_own_trees
from towbench.schemas.reference import load_reference, replace_rows
from towbench.schemas.settings import Settings
from towbench.udfs.engine import Engine
from towbench.udfs.ledger import LedgerWriter
from towbench.udfs.plan import collect_cells, prepare_plan
from towbench.udfs.register import register
from towbench.udfs.reply import PARSER_VERSION
from towbench.udfs.sketch_text import SKETCH_VERSION

BATCH = 50_000
"""Requests a call step takes at a time (the LIMIT in `sql/requests.sql`)."""

Report = Callable[[str, int, Engine], None]
"""Draws progress: step name, requests in this batch, engine with its counters."""


class Interrupted(DataError):
    """The user pressed Ctrl-C; what was answered is stored."""


@dataclass(frozen=True)
class Workspace:
    """An open database with its ledger, scratch file, functions and run id."""

    con: duckdb.DuckDBPyConnection
    settings: Settings
    ledger: LedgerWriter
    engine: Engine
    run_id: uuid.UUID


@contextmanager
def open_workspace(settings: Settings, command: str) -> Iterator[Workspace]:
    """Open, migrate and build all that a command which changes rows needs; record the run."""
    con = open_database(settings.db, settings.ledger, threads=settings.threads)
    try:
        load_reference(con)
        add_own_prompts(con, load_own_trees(con, settings.trees))
        _load_prompts(con)
        build_views(con)
        con.execute((files("towbench") / "sql" / "pending.sql").read_text("utf-8"))
        run_id = _start_run(con, settings, command)
        ledger = LedgerWriter(con)
        engine = Engine(settings, ledger, run_id)
        register(con, engine)
        con.execute("DELETE FROM run.price")
        replace_rows(con, "run.price", engine.purse.prices.table())
        exit_code = 1
        try:
            with snapshots.changing_rows(con):
                yield Workspace(con, settings, ledger, engine, run_id)
            exit_code = 0
        except (UsageError, BudgetStopped) as error:
            exit_code = 2 if isinstance(error, UsageError) else 3
            raise
        finally:
            engine.close()
            ledger.close()
            con.execute(
                "UPDATE run.run SET ended_at = ?, exit_code = ? WHERE run_id = ?",
                [_now(), exit_code, run_id],
            )
    finally:
        con.close()


def run_steps(work: Workspace, command: str, report: Report) -> None:
    """Run the steps of a command in the order of their numbers; each resumes by itself.

    Raises:
        UsageError: a setting makes every call fail; said once, what was answered is stored.
        DataError: a step failed; its rows are untouched and the next run takes them up.
        BudgetStopped: the budget is used up; the rows it left are `skipped_budget`.
    """
    if command in ("score", "generate"):
        select(work.con, work.settings)
    work.engine.purse.check(work.settings.models(command))
    with _finish_calls_on_interrupt(work.engine, command):
        for step in sql_files("steps"):
            header = read_header(step.read_text("utf-8"))
            if command in header["Command"].split(", "):
                _run_step(work, step.name, step.read_text("utf-8"), "Calls" in header, report)
    if work.engine.budget_stopped:
        raise BudgetStopped(work.engine.budget_stopped)


def plan_steps(work: Workspace) -> None:
    """Fill `pending.plan` with what the steps would ask now and what it may cost; ask nothing."""
    select(work.con, work.settings)
    prepare_plan(work.con, work.settings)
    root = files("towbench") / "sql"
    find_stored = duckdb.extract_statements((root / "requests.sql").read_text("utf-8"))[0]
    for step in sql_files("steps"):
        text = step.read_text("utf-8")
        if "Calls" in read_header(text):
            work.con.execute(duckdb.extract_statements(text)[0])
            work.con.execute(find_stored)
            collect_cells(work.con)
    work.con.execute((root / "plan.sql").read_text("utf-8"))


def _run_step(work: Workspace, name: str, text: str, calls: bool, report: Report) -> None:
    """Run a step; one that calls models fills `pending.cell` first and ends if that is empty."""
    statements = duckdb.extract_statements(text)
    if calls:
        requests = (files("towbench") / "sql" / "requests.sql").read_text("utf-8")
        statements[1:1] = duckdb.extract_statements(requests)
    more = True
    while more:
        for statement in statements:
            # Replies are written by the ledger's own thread: the next statement must see them.
            work.ledger.flush()
            with _progress(work, name, report) if calls else nullcontext():
                try:
                    work.con.execute(statement)
                except duckdb.Error as error:
                    raise DataError(f"sql/steps/{name}: {error}") from error
            if calls and statement is statements[0] and not _count(work.con, "pending.cell"):
                return
        more = (
            calls and _count(work.con, "pending.open_request") == BATCH and not work.engine.stopped
        )
    if work.engine.stopped:
        raise UsageError(work.engine.stopped)
    if calls:
        _stop_if_most_failed(work)


def _stop_if_most_failed(work: Workspace) -> None:
    """Pay for no later stage while a model fails at most of what it is asked (cases D 21).

    Raises:
        DataError: stage, model and what became of the calls; running again goes on without them.
    """
    work.ledger.flush()
    found = work.con.execute((files("towbench") / "sql" / "failing.sql").read_text("utf-8"))
    if row := found.fetchone():
        stage, model, n_asked, n_failed, statuses = row
        raise DataError(
            f"stage {stage}, {model}: {n_failed:,} of {n_asked:,} calls came to no value "
            f"({statuses}). Every reply is stored; see `towbench status` and judge.reply, mend the "
            "model or its sampling, or run the same command again to go on without them"
        )


@contextmanager
def _progress(work: Workspace, name: str, report: Report) -> Iterator[None]:
    done = threading.Event()
    total = _count(work.con, "pending.open_request")

    def watch() -> None:
        while not done.wait(0.5):
            report(name, total, work.engine)

    thread = threading.Thread(target=watch, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextmanager
def _finish_calls_on_interrupt(engine: Engine, command: str) -> Iterator[None]:
    """Ctrl-C lets calls in flight end and be stored, then ends the run.

    A second ends the process, as no query ends while a function waits for an endpoint: a second
    later, when all that came back by then is stored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    interrupted = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, leave)
        interrupted.set()
        engine.stop()
        _say("waiting for the calls in flight; Ctrl-C again does not wait")

    def leave(number: int, frame: FrameType | None) -> None:
        _say(f"every reply so far is stored; `towbench {command}` with the same settings goes on")
        threading.Timer(1.0, os._exit, [1]).start()

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupted.is_set():
        done = engine.progress()
        raise Interrupted(
            f"interrupted after {done.ok} answers: every reply is stored; `towbench {command}` (or "
            f"`make {command}`) with the same settings goes on"
        )


def _say(line: str) -> None:
    """Write to the terminal from a signal handler, which may have interrupted a print."""
    os.write(2, f"\n{line}\n".encode())


# --- checks ---


@dataclass(frozen=True)
class Failure:
    """A check that returned rows: how many, the first three, and what the check says of them."""

    check: str
    says: str
    n_row: int
    examples: list[str]


def run_checks(con: duckdb.DuckDBPyConnection) -> list[Failure]:
    """Run every check; an empty list means that the data hold together.

    The grain of a heavy view is checked once `towbench analyse` has kept what it answers.
    """
    failures: list[Failure] = []
    for file in sql_files("checks"):
        text = file.read_text("utf-8")
        says = next(line[3:] for line in text.splitlines() if line.startswith("-- "))
        failures += _run(con, file.name.removesuffix(".sql"), says, text.rstrip().rstrip(";"))
    fresh = snapshots.fresh_snapshots(con)
    for file in sql_files("views"):
        grain = read_header(file.read_text("utf-8"))["Grain"]
        name = file.name.removesuffix(".sql")
        if name in snapshots.heavy_views() and name not in fresh:
            continue
        relation = f"snapshot.{name}" if name in fresh else f"bench.{name}"
        query = f"SELECT {grain} FROM {relation} GROUP BY {grain} HAVING count(*) > 1"
        failures += _run(
            con, f"grain_of_{name}", f"bench.{name} has rows that share {grain}", query
        )
    for says, query in snapshots.faults(con, fresh).items():
        failures += _run(con, "snapshots_answer_what_their_views_do", says, query)
    return failures


def _run(con: duckdb.DuckDBPyConnection, check: str, says: str, query: str) -> list[Failure]:
    cursor = con.execute(f"FROM ({query}) LIMIT 1000")
    names = [column[0] for column in cursor.description or []]
    rows = cursor.fetchall()
    if not rows:
        return []
    examples = [
        ", ".join(f"{name}={value}" for name, value in zip(names, row, strict=True))
        for row in rows[:3]
    ]
    return [Failure(check, says, len(rows), examples)]


# --- what a run records ---


def _load_prompts(con: duckdb.DuckDBPyConnection) -> None:
    """Bring `judge.prompt`, `judge.dimension` and `judge.parser` to what the package ships."""
    replace_rows(con, "judge.prompt", prompt_rows())
    replace_rows(con, "judge.dimension", dimension_rows())
    con.execute("UPDATE judge.parser SET is_current = false")
    replace_rows(con, "judge.parser", [{"parser_version": PARSER_VERSION, "is_current": True}])


def _start_run(con: duckdb.DuckDBPyConnection, settings: Settings, command: str) -> uuid.UUID:
    run_id = uuid.UUID(str(con.execute("SELECT uuidv7()").fetchall()[0][0]))
    con.execute(
        "INSERT INTO run.run VALUES (?, ?, ?, ?, NULL, NULL, ?, ?, ?, ?, ?)",
        [
            run_id,
            command,
            settings.benchmark,
            _now(),
            git_commit(),
            version("towbench"),
            duckdb.__version__,
            settings.public_json(),
            json.dumps(current_versions(), sort_keys=True),
        ],
    )
    con.execute(
        "INSERT INTO pending.run VALUES (?, ?, ?)", [run_id, EXTRACTOR_VERSION, SKETCH_VERSION]
    )
    for status in settings.retry:
        con.execute("INSERT INTO pending.retry VALUES (?)", [status])
    return run_id


def git_commit() -> str | None:
    """The commit of the checkout this package runs from, if it runs from one."""
    root = Path(str(files("towbench")))
    if not (root / ".git").exists():
        return None
    done = subprocess.run(
        ["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or None


def _count(con: duckdb.DuckDBPyConnection, table: str) -> int:
    return int(con.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0])


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
