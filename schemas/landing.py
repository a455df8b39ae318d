"""Header names of landing files, for writer and reader; the contract: `spiders/landing.py`."""

from hashlib import sha256
from typing import Literal

SOURCE = "X-Towbench-Source"
KIND = "X-Towbench-Kind"
ARTICLE_URL = "X-Towbench-Article-Url"
PART = "X-Towbench-Part"
BENCHMARK = "X-Towbench-Benchmark"
LICENCE = "X-Towbench-Licence"

Kind = Literal["list", "article", "other"]
Refusal = Literal["robots", "http_error", "too_large"]


def page_id(record_id: str) -> str:
    """Id of a landed page: sha256 (hex) of its `WARC-Record-ID` without the angle brackets."""
    return sha256(record_id.strip("<>").encode()).hexdigest()
