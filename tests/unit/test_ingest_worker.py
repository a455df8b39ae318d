"""A page that hangs or kills its reader is a row; the other pages are read."""

import json
import os
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from towbench.ingest.worker import COMMAND, Page, Pool

# A worker that answers with its process id, hangs on b"hang" and dies on b"die".
SCRIPT = """
import json, os, signal, sys, time
from multiprocessing.connection import Connection
line = Connection(int(sys.argv[1]))
while True:
    line.recv_bytes()
    body = line.recv_bytes()
    if body == b"hang": time.sleep(60)
    if body == b"die": os.kill(os.getpid(), signal.SIGSEGV)
    line.send_bytes(json.dumps({"status": "ok", "text": body.decode(), "pid": os.getpid()}).encode())
"""


@pytest.fixture
def pool() -> Iterator[Pool]:
    pool = Pool((sys.executable, "-c", SCRIPT), seconds=0.5)
    yield pool
    pool.close()


def pages(*bodies: bytes) -> list[Page]:
    return [(body, None, "http://a.example/1") for body in bodies]


def test_hanging_and_dying_pages_cost_only_themselves(pool: Pool) -> None:
    rows = pool.read(pages(b"a", b"hang", b"b", b"die", b"c", b"", b"d"))
    assert [(row["status"], row.get("text") or row.get("reason")) for row in rows] == [
        ("ok", "a"),
        ("extract_timeout", "over_0.5_s"),
        ("ok", "b"),
        ("extract_failed", "worker_died: -11"),
        ("ok", "c"),
        ("extract_failed", "empty_body"),
        ("ok", "d"),
    ]


def test_many_threads_share_two_workers(pool: Pool) -> None:
    seen: list[set[int]] = []

    def ask() -> None:
        seen.append({row["pid"] for row in pool.read(pages(*[b"x"] * 20))})

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 5
    assert len(set.union(*seen)) <= 2


def test_close_ends_the_workers(pool: Pool) -> None:
    [row] = pool.read(pages(b"x"))
    pool.close()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.kill(row["pid"], 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    pytest.fail("the worker outlived its pool")


def test_the_real_worker_refuses_to_eat_the_memory() -> None:
    pool = Pool(COMMAND, size=1)
    try:
        bomb = b"<p>" + b"<i>" * 200_000
        plain = "<p>" + "河水在夜里涨了三寸，老人站在桥头看了很久。" * 20
        rows = pool.read([(bomb, None, "u"), (plain.encode(), "text/html", "http://a.example/1")])
        assert rows[1]["status"] == "ok"
        assert rows[0]["status"] in ("too_short", "extract_failed", "not_article")
        assert json.dumps(rows)
    finally:
        pool.close()
