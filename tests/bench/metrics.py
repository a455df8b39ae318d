"""BLEU and ROUGE of the real pairs: the SQL function in one process and in two, and the whole step."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from duckdb.func import ARROW, SPECIAL

from towbench.tests.bench.figure import Figure
from towbench.udfs import measure_overlap

SHARED = Path(__file__).resolve().parents[3] / "shared" / "howtobench"
_MODULE = "towbench.tests.bench.metrics"
_LIMITS = {1: 15.0, 2: 10.0}


def metrics() -> list[Figure]:
    """What issue 5 must reach, with the seconds of the processor beside those of the clock."""
    figures = []
    with tempfile.TemporaryDirectory() as name:
        n_pair = len(_pairs())
        for n_process, limit in _LIMITS.items():
            seconds, cpu = _time_function(Path(name), n_process)
            what = f"BLEU and ROUGE of {n_pair} real pairs, {n_process} process"
            figures.append(
                Figure(
                    f"{what}{'es' * (n_process > 1)} (processor {cpu:.1f} s)", seconds, "s", limit
                )
            )
        seconds, cpu, n_value = _time_step(Path(name))
    what = f"the same as a step, from pending to {n_value} written values (processor {cpu:.1f} s)"
    return [*figures, Figure(what, seconds, "s", _LIMITS[1])]


def _pairs() -> list[dict[str, str]]:
    """Every released output with its reference, those of an item one after the other."""
    rows = []
    for task in ("completion", "guide", "open"):
        lines = (SHARED / task / "aligned.jsonl").read_text("utf-8").splitlines()
        items = {row["infer_id"]: row["reference"] for row in map(json.loads, lines)}
        for path in sorted((SHARED / task / "inferences").glob("*.jsonl")):
            for line in path.read_text("utf-8").splitlines():
                row = json.loads(line)
                rows.append({"text": row["output"], "reference": items[row["infer_id"]]})
    return sorted(rows, key=lambda row: row["reference"])


def _time_function(folder: Path, n_process: int) -> tuple[float, float]:
    """Seconds from the start signal until the last process is done, and those of all processors."""
    pairs = _pairs()
    size = -(-len(pairs) // n_process)
    processes = []
    for n in range(n_process):
        part = folder / f"{n}_of_{n_process}.parquet"
        pq.write_table(pa.Table.from_pylist(pairs[n * size : (n + 1) * size]), part)
        code = f"from {_MODULE} import measure_part; measure_part({str(part)!r})"
        processes.append(_start(code, folder))
    for process in processes:
        _expect(process, "ready")
    started = time.perf_counter()
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    cpu = sum(float(_expect(process, "done")) for process in processes)
    seconds = time.perf_counter() - started
    for process in processes:
        process.communicate()
    return seconds, cpu


def measure_part(path: str) -> None:
    """In a process of its own: every score of the pairs in a Parquet file, at a signal."""
    con = duckdb.connect()
    con.execute("SET enable_progress_bar = false")
    con.create_function(
        measure_overlap.NAME, measure_overlap.run, list(measure_overlap.PARAMETERS),
        measure_overlap.RETURNS, type=ARROW, null_handling=SPECIAL, side_effects=True,
    )  # fmt: skip
    print("ready", flush=True)
    sys.stdin.readline()
    before = time.process_time()
    con.execute(
        "CREATE TABLE found AS SELECT measure_overlap('zh', text, reference) AS found "
        "FROM read_parquet(?)",
        [path],
    )
    print("done", time.process_time() - before, flush=True)


def _time_step(folder: Path) -> tuple[float, float, int]:
    """Seconds of step 72 on the imported half, of clock and processor, and how many values."""
    towbench = [sys.executable, "-m", "towbench", "import", str(SHARED)]
    subprocess.run(towbench, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    process = _start(f"from {_MODULE} import run_step; run_step()", folder)
    seconds, cpu, n_value = _expect(process, "done").split()
    process.communicate()
    return float(seconds), float(cpu), int(n_value)


def run_step() -> None:
    """In a folder with an import and nothing scored: step 72, timed."""
    from towbench.schemas.asked import ask_score, select
    from towbench.schemas.definitions import sql_files
    from towbench.schemas.settings import Settings
    from towbench.sql.runner import open_workspace

    steps = {step.name: step.read_text("utf-8") for step in sql_files("steps")}
    with open_workspace(Settings(), "score") as work:
        ask_score(work.con, work.settings)
        select(work.con, work.settings)
        started, before = time.perf_counter(), time.process_time()
        work.con.execute(steps["72_measure_overlap.sql"])
        seconds, cpu = time.perf_counter() - started, time.process_time() - before
        [(n_value,)] = work.con.execute("SELECT count(score) FROM judge.metric_score").fetchall()
    print("done", seconds, cpu, n_value, flush=True)


def _start(code: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code], cwd=folder, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip


def _expect(process: subprocess.Popen[str], word: str) -> str:
    """What stands behind `word` in the next line of a process."""
    assert process.stdout
    line = process.stdout.readline()
    assert line.startswith(word), f"{word} expected, got {line!r}"
    return line.removeprefix(word).strip()
