"""Measure against the limits of the project and write `tests/bench/results.md`.

Every figure is taken in this run: durations by the clock, memory as the largest resident size that
the kernel saw of the command's processes. `python tests/bench/run.py [name ...]` runs some.
"""

from __future__ import annotations

import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from towbench.tests.bench import (
    corpus,
    engine,
    full_size,
    judge,
    metrics,
    stat_macros,
    tree_aggregation,
)
from towbench.tests.bench import plan as plan_bench
from towbench.tests.bench.figure import Figure

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
RESULTS = ROOT / "tests" / "bench" / "results.md"


def command(folder: Path, *words: str, env: dict[str, str] | None = None) -> tuple[float, float]:
    """Run a command; return seconds and the peak resident GiB of its process tree."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    started = time.monotonic()
    subprocess.run(
        words, cwd=folder, env=os.environ | (env or {}), check=True, stdin=subprocess.DEVNULL
    )
    seconds = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return seconds, max(before, after) / 2**20


@contextmanager
def clone() -> Iterator[Path]:
    """A clone of the checkout as committed, with an environment still to be made."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "towbench"
        subprocess.run(["git", "clone", "-q", ROOT, folder], check=True)
        yield folder


def fresh_clone() -> list[Figure]:
    """From a fresh clone with nothing installed to the printed leaderboard, and to passed tests."""
    with clone() as folder:
        score, _ = command(folder, "make", "score")
    with clone() as folder:
        test, _ = command(folder, "make", "test")
    return [
        Figure("fresh clone to leaderboard (`make score`), with installation", score, "s", 360),
        Figure("fresh clone to passed tests (`make test`), with installation", test, "s", 360),
    ]


def real_half() -> list[Figure]:
    """Import and scoring of the shared half of HoWToBench with the embedded judge."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        towbench = [sys.executable, "-m", "towbench"]
        load, load_memory = command(folder, *towbench, "import", str(SHARED / "howtobench"))
        score, score_memory = command(folder, *towbench, "score")
        again, _ = command(folder, *towbench, "score")
    return [
        Figure("import of the real half (638 items, 6,380 writings)", load, "s", 240),
        Figure("import and scoring of the real half, tree tow", load + score, "s", 240),
        Figure(
            "peak memory of import and scoring",
            max(load_memory, score_memory),
            "GiB",
            3 / 1.073741824,
        ),
        Figure("`towbench score` again, nothing pending", again, "s", 5),
    ]


BENCHES: dict[str, Callable[[], list[Figure]]] = {
    "real_half": real_half,
    "corpus": corpus.corpus,
    "engine": engine.engine,
    "plan": plan_bench.plan,
    "metrics": metrics.metrics,
    "judge": judge.judge,
    "statistics": stat_macros.statistics,
    "views": full_size.full_size,
    "tree_aggregation": tree_aggregation.tree_aggregation,
    "chaos": engine.chaos,
    "fresh_clone": fresh_clone,
}


def write(figures: list[Figure]) -> None:
    """Write the table of all figures of this run."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    lines = [
        "# Measured",
        "",
        f"`make bench` at commit {commit}, {os.cpu_count()} cores, Python {platform.python_version()}.",
        "",
        "| what | measured | limit | |",
        "|---|---:|---:|---|",
    ]
    lines += [
        f"| {figure.name} | {figure.value:.2f} {figure.unit} | {figure.bound} | {figure.verdict} |"
        for figure in figures
    ]
    RESULTS.write_text("\n".join(lines) + "\n")


def main(names: list[str]) -> int:
    """Run the named benches (default: all); exit 1 if a limit is missed."""
    figures = [figure for name in names or BENCHES for figure in BENCHES[name]()]
    for figure in figures:
        print(f"{figure.name}: {figure.value:.2f} {figure.unit} ({figure.bound}) {figure.verdict}")
    if not names:
        write(figures)
    return int(any(figure.verdict != "ok" for figure in figures))


if __name__ == "__main__":
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    sys.exit(main(sys.argv[1:]))
