"""Pages made to keep a reader busy: what is done with them grows as they do, not as its square."""

import time

import pytest

from towbench.ingest.decode import decode
from towbench.ingest.extract import extract

TEXT = "<p>" + "江上灯起，客未成眠，他把缆绳一圈一圈盘好。" * 6 + "</p>"
HOSTILE = {
    "escaped quotes outside of strings": "<script>" + '\\"' * 50_000 + "</script>",
    "escaped backquotes in a string that never ends": "<script>`" + r"\`" * 50_000 + "</script>",
    "headings over other texts": f"{TEXT}{'<p>相关阅读</p>' * 5_000}{TEXT * 40}",
    "headings over comments": f"{'<p>网友评论</p>' * 5_000}{TEXT * 400}",
    "veils in veils": f"{TEXT * 10}{'<div hidden>字。字。字。' * 5_000}{TEXT * 20}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_take_seconds_not_minutes(name: str) -> None:
    before = time.process_time()
    extract(f"<html><body>{HOSTILE[name]}</body></html>", "http://site.example/a/1.html")
    assert time.process_time() - before < 5


def test_tags_that_declare_nothing_and_never_end_are_read_once() -> None:
    before = time.process_time()
    decode(b"<meta " * 50_000)
    assert time.process_time() - before < 5
