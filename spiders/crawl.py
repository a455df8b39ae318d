"""Crawls sources into landing files, in a child process: Scrapy's reactor runs once per process.

`python -m towbench.spiders.crawl` is that child. It reads its task as one JSON line, prints one
JSON line a landed record, and ends at once when its standard input closes: a killed parent leaves
no crawler behind.
"""

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from sqlite3 import OperationalError

from scrapy.crawler import AsyncCrawlerProcess

from towbench.schemas.errors import DataError, UsageError
from towbench.spiders.polite import LOOPBACK_SETTINGS, SETTINGS, user_agent
from towbench.spiders.sources import SOURCES


class CrawlError(DataError):
    """The crawl broke off; what is landed stays valid and is not fetched again."""


@dataclass(frozen=True)
class CrawlSummary:
    """What one crawl landed: records by source and page status (`ok`, `http_error`, …)."""

    counts: Mapping[str, Counter[str]]


@dataclass(frozen=True)
class Task:
    """What the child is told; `sample` holds the loopback addresses of bundled sites by source."""

    sources: list[str]
    landing: str
    benchmark: str
    limit: int | None
    contact: str
    since: str | None
    revisit_days: float | None
    sample: dict[str, str] | None


def crawl(
    sources: Sequence[str],
    landing: Path,
    benchmark: str,
    limit: int | None,
    sample: Mapping[str, str] | None,
    contact: str = "",
    progress: Callable[[str, str], None] | None = None,
    since: date | None = None,
    revisit_days: float | None = None,
) -> CrawlSummary:
    """Fetches what is pending of `sources` for `benchmark`.

    Args:
        sources: Names in `SOURCES`.
        landing: Folder of the landing files; see `spiders/landing.py`.
        limit: Articles per source over all runs; None for all.
        sample: Base addresses of the sample server by source; None crawls the real sites.
        contact: URL or mail address of who runs the crawl, told to every real site.
        progress: Called with source and page status of every landed record.
        since: Articles whose address names an earlier day are left; those without a day are not.
        revisit_days: Pages fetched longer ago are fetched again, to see what changed or vanished.

    Raises:
        UsageError: Unknown source, source without a real site, or real crawl without contact.
        CrawlError: Another crawl holds a source, or the child process failed.
    """
    known = [source for source in SOURCES if sample is None or source in sample]
    if unknown := set(sources) - set(known):
        raise UsageError(
            f"TOWBENCH_SOURCES: unknown source {', '.join(sorted(unknown))}; "
            f"known: {', '.join(known)}"
        )
    if sample is None and not contact:
        raise UsageError(
            "TOWBENCH_CONTACT: a crawl of real sites needs a contact (URL or mail address)"
        )
    counts: dict[str, Counter[str]] = {source: Counter() for source in sources}
    task = Task(
        sources=[],
        landing=str(landing),
        benchmark=benchmark,
        limit=limit,
        contact=contact,
        since=since.isoformat() if since else None,
        revisit_days=revisit_days,
        sample=dict(sample) if sample else None,
    )
    pending = [source for source in sources if is_pending(source, task)]
    if pending:
        task = replace(task, sources=pending)
        run_child(task, counts, progress)
    return CrawlSummary(counts)


def is_pending(source: str, task: Task) -> bool:
    base = task.sample[source] if task.sample else None
    try:
        with SOURCES[source].frontier(
            Path(task.landing), task.benchmark, base, task.since, age(task)
        ) as frontier:
            return frontier.next(task.limit) is not None
    except OperationalError as error:
        raise CrawlError(f"{source}: is another crawl of it running? ({error})") from error


def age(task: Task) -> timedelta | None:
    return None if task.revisit_days is None else timedelta(days=task.revisit_days)


def run_child(
    task: Task, counts: Mapping[str, Counter[str]], progress: Callable[[str, str], None] | None
) -> None:
    command = [sys.executable, "-m", "towbench.spiders.crawl"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdin is not None and child.stdout is not None
        child.stdin.write(json.dumps(asdict(task)) + "\n")
        child.stdin.flush()
        for line in child.stdout:
            source, status = json.loads(line)
            counts[source][status] += 1
            if progress is not None:
                progress(source, status)
    if child.returncode != 0:
        raise CrawlError(
            f"the crawler process ended with code {child.returncode}; see its messages above"
        )


def main() -> None:
    task = Task(**json.loads(sys.stdin.readline()))
    threading.Thread(target=end_with_parent, daemon=True).start()
    settings = SETTINGS if task.sample is None else LOOPBACK_SETTINGS
    contact = task.contact or "loopback sample"
    process = AsyncCrawlerProcess(settings | {"USER_AGENT": user_agent(contact)})
    crawlers = [process.create_crawler(SOURCES[source]) for source in task.sources]
    for source, crawler in zip(task.sources, crawlers, strict=True):
        process.crawl(
            crawler,
            landing=Path(task.landing),
            benchmark=task.benchmark,
            limit=task.limit,
            base=task.sample[source] if task.sample else None,
            report=report,
            since=task.since,
            revisit=age(task),
        )
    process.start()
    # Scrapy only logs what ends a spider early (disk full, interrupted): say it by exit code.
    sys.exit(any(crawler.stats.get_value("finish_reason") != "finished" for crawler in crawlers))


def report(source: str, status: str) -> None:
    print(json.dumps([source, status]), flush=True)


def end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)  # returns when the pipe closes: nothing follows the task
    os._exit(1)


if __name__ == "__main__":
    main()
