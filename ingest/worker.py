"""Extraction in worker processes: a page that hangs or kills its reader costs only itself.

`python -m towbench.ingest.worker FD` is a worker: over the socket FD it receives a page as two
frames (JSON of content type and URL, then the bytes), answers with one (JSON), and ends when the
socket closes, so a killed parent leaves no worker behind. Frames are bytes; nothing is unpickled.
"""

import atexit
import json
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from socket import socketpair
from typing import Any, Final

Page = tuple[bytes | None, str | None, str | None]
"""Body, Content-Type header and URL of a page."""
Row = dict[str, Any]

SIZE: Final = 2
SECONDS: Final = 20.0
MEMORY: Final = 3 * 2**30
"""Address space of a worker; beyond it the page fails, not the machine."""
COMMAND: Final = (sys.executable, "-m", "towbench.ingest.worker")


class Worker:
    """One worker process, started with the first page and again after each loss."""

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self.command = command
        self.seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._line: Connection | None = None

    def read(self, page: Page) -> Row:
        """What the page holds, or the status of a page that hung or killed the worker."""
        body, content_type, url = page
        if not body:
            return {"status": "extract_failed", "reason": "empty_body"}
        try:
            line = self._line or self._start()
            line.send_bytes(json.dumps([content_type, url]).encode())
            line.send_bytes(body)
            if not line.poll(self.seconds):
                self.close()
                return {"status": "extract_timeout", "reason": f"over_{self.seconds:g}_s"}
            row: Row = json.loads(line.recv_bytes())
        except (EOFError, OSError):
            return {"status": "extract_failed", "reason": f"worker_died: {self.close()}"}
        return row

    def _start(self) -> Connection:
        ours, theirs = socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [*self.command, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
        self._line = Connection(ours.detach())
        return self._line

    def close(self) -> int | None:
        """Ends the process; returns its exit code (negative: the signal that ended it)."""
        if self._line is not None:
            self._line.close()
        code = None
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                code = self._process.wait(0.2)
            self._process.kill()
            self._process.wait()
        self._line = self._process = None
        return code


class Pool:
    """`size` workers for any number of calling threads."""

    def __init__(
        self, command: Sequence[str] = COMMAND, size: int = SIZE, seconds: float = SECONDS
    ) -> None:
        self._threads = ThreadPoolExecutor(size, "extract")
        self._own = threading.local()
        self._workers: list[Worker] = []
        self._command, self._seconds = command, seconds

    def read(self, pages: Sequence[Page]) -> list[Row]:
        """One row a page, in their order."""
        return list(self._threads.map(self._read, pages))

    def _read(self, page: Page) -> Row:
        if not hasattr(self._own, "worker"):
            self._own.worker = Worker(self._command, self._seconds)
            self._workers.append(self._own.worker)
        worker: Worker = self._own.worker
        return worker.read(page)

    def close(self) -> None:
        self._threads.shutdown()
        for worker in self._workers:
            worker.close()


_shared: Pool | None = None
_lock: Final = threading.Lock()


def shared_pool() -> Pool:
    """The pool of this process."""
    global _shared
    with _lock:
        if _shared is None:
            _shared = Pool()
            atexit.register(_shared.close)
        return _shared


def main(fd: int) -> None:
    from towbench.ingest.document import read_page

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when a run ends
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    line = Connection(fd)
    with suppress(EOFError, OSError):
        while True:
            content_type, url = json.loads(line.recv_bytes())
            row = read_page(line.recv_bytes(), content_type, url)
            line.send_bytes(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"))


if __name__ == "__main__":
    main(int(sys.argv[1]))
