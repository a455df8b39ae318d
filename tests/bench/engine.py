"""The call engine against a local endpoint: slots, rates, hits, memory, chaos.

The endpoint is `towbench fake-endpoint` on core 0, the client a process on core 1 that runs what the
steps run: `INSERT ... SELECT` over `score_leaf`, prompts rendered, replies checked, ledger on.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from towbench.tests.bench.figure import Figure
from towbench.tests.chaos.runs import run_chaos, run_kills
from towbench.tests.chaos.workload import Workload, command

CONCURRENCY = 64
N = 5_000
CANNED = json.dumps({"reason": "It holds together. " * 140, "score": 7})
"""A reply of about 3 kB."""

_BARE = """
import asyncio, json, sys, time
import httpx2, openai
url, n, width, prompt = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.stdin.read()
async def main():
    limits = httpx2.Limits(max_connections=width, max_keepalive_connections=width)
    api = openai.AsyncOpenAI(api_key="any-word", base_url=url, max_retries=0, timeout=None,
        http_client=openai.DefaultAioHttpClient(limits=limits, timeout=None))
    slots = asyncio.Semaphore(width)
    async def ask(i):
        body = {"model": "rules-1", "temperature": 0, "max_tokens": 2048,
                "messages": [{"role": "user", "content": f"{i} {prompt}"}]}
        async with slots:
            answer = await api.post("/chat/completions", cast_to=httpx2.Response, body=body)
        json.loads(json.loads(answer.content)["choices"][0]["message"]["content"])
    await ask(-1)
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(ask(i) for i in range(n)))
    print(time.perf_counter() - wall, time.process_time() - cpu)
    await api.close()
asyncio.run(main())
"""

_PEER = """
import sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.solver import generate
url, n, width, logs, prompt = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.stdin.read()
task = Task(dataset=[Sample(input=f"{i} {prompt}") for i in range(n)], solver=generate())
eval(task, model="openai-api/local/rules-1", model_base_url=url, model_args={"api_key": "any-word"},
     max_connections=width, max_samples=width, temperature=0, max_tokens=2048, log_dir=logs,
     display="none", log_level="error")
"""


def engine() -> list[Figure]:
    """What issue 3 must reach, but for chaos."""
    return [*latencies(), *instant(), *ledger_hits(), *memory()]


def chaos() -> list[Figure]:
    """5,000 calls at 30 % mixed faults, and 200 kills over such a run."""
    with tempfile.TemporaryDirectory() as name:
        calm = run_chaos(Path(name), N)
    with tempfile.TemporaryDirectory() as name:
        killed = run_kills(Path(name), N, 200, life=(5, 45))
    for line in (calm.wrong + killed.wrong)[:10]:
        print(line)
    return [
        Figure(f"chaos, {N} calls, {calm.n_request} requests: wrong ends", len(calm.wrong), "", 0),
        Figure(
            f"kill -9, {killed.n_kill} times: calls repeated without need", len(killed.wrong), "", 0
        ),
        Figure("kill -9: kills", killed.n_kill, "", 200, at_least=True),
    ]


def latencies() -> list[Figure]:
    """Slot fill and wall time under lognormal latency, and the rate of inspect_ai at 200 ms."""
    figures = []
    own_rate = 0.0
    for mean in (200, 400):
        latency = f"lognormal:{mean},0.6,0.01"
        with _endpoint(latency) as (url, log):
            seconds = _ask(url, N).wall
            seen = _read(log)[1:]  # without the warm-up call
        busy = [one["latency"] for one in seen]
        bound = sum(busy) / CONCURRENCY + max(busy)
        if mean == 200:
            own_rate = _rate(seen)
        figures += [
            Figure(f"slot fill at {mean} ms, {N} calls", _fill(seen), "", 0.97, at_least=True),
            Figure(f"wall time at {mean} ms over its bound (sum / 64 + longest)", seconds / bound, "", 1.05),
            Figure(
                f"sum / 64 over wall at {mean} ms (no limit: the drain decides)",
                sum(busy) / CONCURRENCY / seconds, "", 0, at_least=True,
            ),
        ]  # fmt: skip
    peer = _peer_rate("lognormal:200,0.6,0.01", 2_000)
    figures.append(
        Figure(f"calls/s at 200 ms ({own_rate:.0f}) over inspect_ai's ({peer:.0f})", own_rate / peer, "x", 3, at_least=True)
    )  # fmt: skip
    return figures


def instant() -> list[Figure]:
    """Rate against an endpoint that answers at once, beside a bare loop with the same client.

    The processor's share is told as well: it hardly depends on what else the machine does.
    """
    own, bare = [], []
    for _ in range(5):
        with _endpoint("lognormal:0") as (url, _log):
            bare.append(_bare(url, N))
            own.append(_ask(url, N))
    seconds, loop_seconds = min(own).wall, min(bare).wall
    cpu, loop_cpu = min(one.cpu for one in own), min(one.cpu for one in bare)
    # One after the other each time: the clock of a shared machine changes within minutes.
    share = median(loop.wall / one.wall for loop, one in zip(bare, own, strict=True))
    return [
        Figure("calls/s, instant endpoint on the other core", N / seconds, "/s", 700, at_least=True),
        Figure(
            f"of a bare asyncio loop, median of 5 (best {N / loop_seconds:.0f}/s); processor "
            f"{1000 * cpu / N:.2f} ms a call, bare {1000 * loop_cpu / N:.2f}",
            share, "", 0.85, at_least=True,
        ),
    ]  # fmt: skip


def memory(seconds: float = 45.0) -> list[Figure]:
    """Peak memory with 100,000 prompts of 6 kB pending, after the first `seconds` of calls."""
    with _endpoint("lognormal:0") as (url, log), tempfile.TemporaryDirectory() as name:
        work = Workload(name, url, 100_000, CONCURRENCY, n_pad=20)
        process = _start(work)
        assert process.stdout and process.stdout.readline() == "calling\n"
        until = time.monotonic() + seconds
        peak = 0.0
        while process.poll() is None and time.monotonic() < until:
            status = Path(f"/proc/{process.pid}/status").read_text()
            peak = int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 2**20
            time.sleep(0.2)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        n_called = len(_read(log))
    return [
        Figure(
            f"memory, 100,000 pending prompts of 6 kB (after {n_called} calls)",
            peak,
            "GiB",
            1.5 / 1.073741824,
        )
    ]


def ledger_hits() -> list[Figure]:
    """From pending rows to written scores, all of them hits: step 70 over repeats of the sample."""
    code = "from towbench.tests.bench.engine import time_hits; time_hits()"
    with tempfile.TemporaryDirectory() as name:
        towbench = [sys.executable, "-m", "towbench"]
        subprocess.run(
            [*towbench, "score"], cwd=name, check=True, env=_clean(), stdout=subprocess.DEVNULL
        )
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=name, check=True, capture_output=True, text=True,
            env=_clean() | {"TOWBENCH_REPEATS": "20"},
        )  # fmt: skip
    n, seconds = done.stdout.split()[-2:]
    rate = int(n) / float(seconds)
    return [Figure(f"ledger hits to written scores ({n})", rate, "/s", 30_000, at_least=True)]


def time_hits() -> None:
    """In a folder with a scored sample: store a reply for every cell, then time the step."""
    from towbench.schemas.asked import ask_score, select
    from towbench.schemas.definitions import sql_files
    from towbench.schemas.settings import Settings
    from towbench.sql.runner import _run_step, open_workspace

    [step] = [file for file in sql_files("steps") if "score_leaves" in file.name]
    text = step.read_text("utf-8")
    with open_workspace(Settings(), "score") as work:
        ask_score(work.con, work.settings)
        select(work.con, work.settings)
        work.con.execute(text[: text.index(";")])
        work.con.execute("SET VARIABLE reply = ?", [CANNED])
        for statement in _STORE_HITS:
            work.con.execute(statement)
        before = work.con.execute("SELECT count(*) FROM judge.leaf_score").fetchall()[0][0]
        started = time.perf_counter()
        _run_step(work, step.name, text, True, lambda *_: None)
        seconds = time.perf_counter() - started
        after = work.con.execute("SELECT count(*) FROM judge.leaf_score").fetchall()[0][0]
    print(after - before, seconds)


_STORE_HITS = (
    """
    CREATE TEMP TABLE hit_key AS
    SELECT cell.call_key, uuid() AS attempt_id
    FROM (SELECT DISTINCT call_key FROM pending.cell WHERE call_key IS NOT NULL) AS cell
    WHERE cell.call_key NOT IN (SELECT hit.call_key FROM ledger.hit AS hit)
    """,
    """
    INSERT INTO ledger.intent BY NAME
    SELECT
        attempt_id, call_key, uuid() AS run_id, 1 AS number,
        CAST('2026-11-30 12:00:00' AS TIMESTAMP) AS sent_at
    FROM hit_key
    """,
    """
    INSERT INTO ledger.outcome BY NAME
    SELECT
        attempt_id, call_key, 'ok' AS status, 200 AS http_status, 1000 AS prompt_tokens,
        700 AS completion_tokens, false AS usage_unknown, getvariable('reply') AS body,
        CAST('2026-11-30 12:00:01' AS TIMESTAMP) AS received_at
    FROM hit_key
    """,
    """
    INSERT INTO ledger.reply BY NAME
    SELECT
        hit_key.call_key, hit_key.attempt_id, parser.parser_version, '{"score": 7}' AS value,
        'ok' AS status, 'It holds together.' AS rationale, getvariable('reply') AS text
    FROM hit_key, judge.parser AS parser
    WHERE parser.is_current
    """,
)


@contextmanager
def _endpoint(latency: str) -> Iterator[tuple[str, Path]]:
    """A canned endpoint on core 0; its URL and its log."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "log.jsonl"
        words = ["fake-endpoint", "--port", str(port), "--latency", latency, "--canned", CANNED]
        process = subprocess.Popen(
            [sys.executable, "-m", "towbench", *words, "--log", str(log)],
            preexec_fn=lambda: os.sched_setaffinity(0, {0}),
            stdout=subprocess.DEVNULL,
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}/counts")
            yield f"http://127.0.0.1:{port}/v1", log
        finally:
            process.terminate()
            process.wait()


def _wait_for(url: str) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(url)


def _start(work: Workload) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(work),
        stdout=subprocess.PIPE,
        text=True,
        env=_clean(),
        start_new_session=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {1}),
    )


class Took(NamedTuple):
    """Seconds by the clock and of the processor."""

    wall: float
    cpu: float


def _ask(url: str, n: int) -> Took:
    """What the statement takes, the client library being loaded."""
    with tempfile.TemporaryDirectory() as name:
        work = Workload(name, url, n + 1, CONCURRENCY, timeout=120, n_model=1, n_pad=20, n_warm=1)
        process = _start(work)
        out, _ = process.communicate()
        assert process.returncode == 0, out
        return _took(out)


def _bare(url: str, n: int) -> Took:
    return _took(_run_script([sys.executable, "-c", _BARE, url, str(n), str(CONCURRENCY)]))


def _took(printed: str) -> Took:
    wall, cpu = printed.split()[-2:]
    return Took(float(wall), float(cpu))


def _peer_rate(latency: str, n: int) -> float:
    """Calls/s of inspect_ai, installed into an environment of its own."""
    with tempfile.TemporaryDirectory() as name:
        python = Path(os.environ.get("BENCH_PEER_PYTHON", Path(name) / "peer" / "bin" / "python"))
        if not python.exists():
            venv.create(Path(name) / "peer", with_pip=True)
            pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
            subprocess.run([*pip, "inspect_ai", "openai"], check=True)
        with _endpoint(latency) as (url, log):
            _run_script([str(python), "-c", _PEER, url, str(n), str(CONCURRENCY), name])
            seen = _read(log)
    assert len(seen) >= n, f"inspect_ai made {len(seen)} calls of {n}"
    return _rate(seen)


def _run_script(words: Sequence[str]) -> str:
    """Run on core 1 with a prompt of 6 kB on standard input."""
    prompt = "The sea was calm that day, and nothing moved on it. " * 115
    return subprocess.run(
        words,
        input=prompt,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env=_clean(),
        preexec_fn=lambda: os.sched_setaffinity(0, {1}),
    ).stdout


def _read(log: Path) -> list[dict[str, float]]:
    seen = [json.loads(line) for line in log.read_text().splitlines()]
    return sorted(seen, key=lambda one: float(one["at"]))


def _rate(seen: list[dict[str, float]]) -> float:
    """Calls/s from the first request to the last reply, start-up not counted."""
    return len(seen) / (max(one["done"] for one in seen) - min(one["at"] for one in seen))


def _fill(seen: list[dict[str, float]]) -> float:
    """Share of the slots in the endpoint's hands, from arrival to reply, until the last is sent.

    What a request spends on its way, in the client or between the two, counts as idle.
    """
    first, last = min(one["at"] for one in seen), max(one["at"] for one in seen)
    busy = sum(min(one["done"], last) - one["at"] for one in seen)
    return busy / (CONCURRENCY * (last - first))


def _clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if "TOWBENCH" not in name}
