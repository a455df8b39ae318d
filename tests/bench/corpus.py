"""The corpus stage against its limits: near-duplicates, extraction, crawl (issue 4)."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from towbench.schemas.settings import Settings
from towbench.tests.bench.figure import Figure

SHARED = Path(__file__).resolve().parents[3] / "shared"
N_DOCUMENT = 100_000
N_PAGE = 5_000


# --- near-duplicates: the real steps on made documents ---


def made_documents(n: int, boilerplate: int, seed: int = 4) -> tuple[list[str], list[int]]:
    """Texts of 1,200 characters, 5 % of them near copies; and of each the number of its original.

    Half of the copies have 10 % of their sentences replaced, half 2 % of their characters.
    """
    rng = np.random.default_rng(seed)
    han = np.array([chr(code) for code in range(0x4E00, 0x4E00 + 3000)])

    def sentences(k: int) -> list[str]:
        drawn = han[rng.integers(0, len(han), (k, 24))]
        return ["".join(row) + "。" for row in drawn]

    n_copy = n // 20
    n_base = n - n_copy
    notice = "".join(sentences(boilerplate // 25))
    base = [sentences(48) for _ in range(n_base)]
    copies = []
    originals = list(range(n_base))
    for number in range(n_copy):
        origin = int(rng.integers(0, n_base))
        lines = list(base[origin])
        if number % 2:
            for at, line in zip(rng.choice(48, 5, replace=False), sentences(5), strict=True):
                lines[at] = line
        else:
            text = list("".join(lines))
            for at in rng.choice(len(text), len(text) // 50, replace=False):
                text[at] = str(han[rng.integers(0, len(han))])
            lines = ["".join(text)]
        copies.append(lines)
        originals.append(origin)
    return [notice + "".join(lines) for lines in base + copies], originals


def load(folder: str, n: int, boilerplate: int) -> dict[str, float]:
    """Put the made documents into a database: that takes memory of its own."""
    import polars as pl

    from towbench.sql.runner import open_workspace

    texts, originals = made_documents(n, boilerplate)
    made = pl.DataFrame({"number": range(n), "text": texts, "original": originals})
    with open_workspace(settings_in(Path(folder)), "corpus") as work:
        work.con.register("made", made.to_arrow())
        work.con.execute(
            "INSERT INTO corpus.document BY NAME SELECT format('{:08d}', number) AS document_id,"
            " 'b' AS benchmark, 's' AS source, format('{:08d}', original) AS url, text,"
            " sha256(text) AS text_hash, 1 AS n_part, TIMESTAMP '2026-01-01' AS fetched_at,"
            " 'x' AS extractor_version, 'x' AS input_hash, 'ok' AS status, uuid() AS run_id FROM made"
        )
        work.con.unregister("made")
        work.con.execute("CHECKPOINT")
    return {}


def settings_in(folder: Path) -> Settings:
    return Settings(db=folder / "t.duckdb", ledger=folder / "l.duckdb")


def near_duplicates(n: int, boilerplate: int) -> dict[str, float]:
    """Seconds, peak GB, recall and precision of steps 12, 21 and 22 on `n` documents."""
    from towbench.schemas.definitions import sql_files
    from towbench.sql.runner import open_workspace

    with tempfile.TemporaryDirectory() as name:
        job("load", name, str(n), str(boilerplate))
        with open_workspace(settings_in(Path(name)), "corpus") as work:
            started = time.monotonic()
            for step in sql_files("steps"):
                if step.name[:2] in ("12", "21", "22"):
                    work.con.execute(step.read_text("utf-8"))
            seconds = time.monotonic() - started
            gb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
            rows = work.con.execute(
                "SELECT copy.url = earlier.url FROM corpus.document AS copy INNER JOIN corpus.document"
                " AS earlier ON earlier.document_id = copy.duplicate_of"
                " WHERE copy.status = 'near_duplicate'"
            ).fetchall()
            [(n_true,)] = work.con.execute(
                "SELECT count(*) - count(DISTINCT url) FROM corpus.document"
            ).fetchall()
    right = sum(is_copy for (is_copy,) in rows)
    return {
        "seconds": seconds,
        "gb": gb,
        "recall": right / n_true,
        "precision": right / max(len(rows), 1),
    }


# --- WARC to document ---


def real_pages() -> list[bytes]:
    """The real pages of ../shared/html, the harder half of what is seen in the wild."""
    return [
        path.read_bytes()
        for path in sorted((SHARED / "html").rglob("*.html"))
        if path.stat().st_size > 2_000
    ]


def write_warc(folder: Path, n: int) -> None:
    """Land `n` pages, the real ones over and over."""
    from scrapy.http import Response

    from towbench.spiders.landing import Landing, Link

    bodies = real_pages()
    with Landing(folder / "real", "real", "b", "test only") as landing:
        for number in range(n):
            url = f"http://real.example/a/{number}.html"
            body = bodies[number % len(bodies)]
            landing.response(
                Link(url, "article", url, 1),
                Response(url, body=body, headers={"Content-Type": "text/html"}),
            )


def warc_to_document(n: int) -> dict[str, float]:
    """Seconds of ours (landing files to rows of corpus.document) and of plain trafilatura."""
    import trafilatura
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    from towbench.ingest.landing import load_landing
    from towbench.sql.runner import open_workspace

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_warc(folder, n)
        with open_workspace(settings_in(folder), "corpus") as work:
            started = time.monotonic()
            load_landing(work.con, folder, "b", work.run_id)
            step = Path(__file__).parents[2] / "sql" / "steps" / "10_extract_documents.sql"
            work.con.execute(step.read_text("utf-8"))
            ours = time.monotonic() - started
            [(n_document,)] = work.con.execute("SELECT count(*) FROM corpus.document").fetchall()
        started = time.monotonic()
        for path in folder.glob("*/*.warc.gz"):
            for record in ArchiveIterator(
                path, record_types=WarcRecordType.response, parse_http=True, fsspec_args=False
            ):
                trafilatura.extract(record.reader.read())
        plain = time.monotonic() - started
    return {"ours": ours, "plain": plain, "ratio": plain / ours, "documents": n_document}


# --- crawl ---

PLAIN = """
import json, sys
from pathlib import Path
from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from towbench.spiders.polite import LOOPBACK_SETTINGS

folder, bases = Path(sys.argv[1]), json.loads(sys.stdin.readline())

class Plain(Spider):
    name = "plain"
    pause = 0.0

    async def start(self):
        for url in self.urls:
            yield Request(url)

    def parse(self, response):
        (folder / f"{self.source}{response.url.rsplit(':', 1)[1].replace('/', '_')}").write_bytes(
            response.body
        )

process = AsyncCrawlerProcess(LOOPBACK_SETTINGS)
for source, (base, paths) in bases.items():
    urls = [base + path for path in paths]
    process.crawl(Plain, source=source, base=base, urls=urls)
process.start()
"""
"""Only fetches and saves, under the same settings; it is told every address."""


def enlarged_sites(n: int) -> dict[str, Any]:
    """The sample sites with their texts repeated until there are about `n` pages."""
    from dataclasses import replace

    from towbench.spiders.sites.render import sample_sites
    from towbench.spiders.sites.texts import sample_texts

    texts = sample_texts()
    pages = sum(map(len, sample_sites(texts).values()))
    more = [
        replace(text, name=f"{text.name}_{number}", title=f"{text.title}{number}")
        for number in range(round(n / pages))
        for text in texts
    ]
    return dict(sample_sites(more))


def crawl_speed(n: int) -> dict[str, float]:
    """Pages a second of ours and of a plain Scrapy run over the same pages, server included."""
    from towbench.spiders.crawl import crawl
    from towbench.spiders.sites.server import serve

    sites = enlarged_sites(n)
    with tempfile.TemporaryDirectory() as name, serve(sites) as bases:
        started = time.monotonic()
        summary = crawl(list(sites), Path(name) / "landing", "b", None, bases)
        ours = summary_total(summary.counts) / (time.monotonic() - started)
        plain_folder = Path(name) / "plain"
        plain_folder.mkdir()
        task = {source: (bases[source], list(site)) for source, site in sites.items()}
        started = time.monotonic()
        subprocess.run(
            [sys.executable, "-c", PLAIN, str(plain_folder)],
            input=json.dumps(task) + "\n",
            text=True,
            check=True,
        )
        plain = len(list(plain_folder.iterdir())) / (time.monotonic() - started)
    return {"ours": ours, "plain": plain, "ratio": ours / plain}


def summary_total(counts: Any) -> int:
    return sum(counter.total() for counter in counts.values())


JOBS: dict[str, Callable[..., dict[str, float]]] = {
    "load": lambda folder, n, boilerplate: load(folder, int(n), int(boilerplate)),
    "near": lambda n=N_DOCUMENT, boilerplate=0: near_duplicates(int(n), int(boilerplate)),
    "warc": lambda n=N_PAGE: warc_to_document(int(n)),
    "crawl": lambda n=N_PAGE: crawl_speed(int(n)),
}


def corpus() -> list[Figure]:
    """The figures of issue 4."""
    plain, shared = job("near"), job("near", str(N_DOCUMENT), "300")
    warc, crawled = job("warc"), job("crawl")
    made = "100,000 documents of 1,200 characters"
    return [
        Figure(f"near-duplicates of {made}", plain["seconds"], "s", 60),
        Figure("their peak memory", plain["gb"], "GB", 1),
        Figure("their recall", plain["recall"], "", 0.98, at_least=True),
        Figure("their precision", plain["precision"], "", 0.98, at_least=True),
        Figure("the same with 300 shared characters", shared["seconds"], "s", 60),
        Figure("their peak memory", shared["gb"], "GB", 1),
        Figure("their recall", shared["recall"], "", 0.98, at_least=True),
        Figure("their precision", shared["precision"], "", 0.98, at_least=True),
        Figure("WARC to document / plain trafilatura", warc["ratio"], "x", 1.7, at_least=True),
        Figure("crawl / plain Scrapy that saves bodies", crawled["ratio"], "x", 0.9, at_least=True),
    ]


def job(*words: str) -> dict[str, float]:
    """Run a job in a process of its own, so that its memory is its own."""
    done = subprocess.run(
        [sys.executable, __file__, *words], capture_output=True, text=True, check=True,
        env=os.environ,
    )  # fmt: skip
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    print(json.dumps(JOBS[sys.argv[1]](*sys.argv[2:])))
