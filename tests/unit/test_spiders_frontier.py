import sqlite3
from pathlib import Path

import pytest

from towbench.spiders.frontier import Frontier
from towbench.spiders.landing import Link

START = Link("http://x.example/", "list")


def article(name: str, part: int = 1) -> Link:
    return Link(f"http://x.example/{name}/{part}", "article", f"http://x.example/{name}/1", part)


def test_articles_of_a_list_come_before_the_next_list_and_parts_before_all(tmp_path: Path) -> None:
    with Frontier(tmp_path, "b", [START]) as frontier:
        assert frontier.next(None) == START
        more = Link("http://x.example/2", "list")
        frontier.settle(START, [article("a"), article("c"), more, article("a")])
        assert frontier.next(None) == article("a")
        frontier.settle(article("a"), [article("a", 2)])
        order = []
        while link := frontier.next(None):
            order.append(link)
            frontier.settle(link)
        assert order == [article("a", 2), article("c"), more]


def test_limit_counts_articles_over_all_runs_and_still_finishes_begun_ones(tmp_path: Path) -> None:
    with Frontier(tmp_path, "b", [START]) as frontier:
        frontier.settle(START, [article("a"), article("c"), article("d")])
        frontier.settle(article("a"), [article("a", 2)])
    with Frontier(tmp_path, "b", [START]) as frontier:
        assert frontier.next(1) == article("a", 2)
        frontier.settle(article("a", 2))
        assert frontier.next(1) is None
        assert frontier.next(2) == article("c")


def test_an_article_that_moved_counts_once(tmp_path: Path) -> None:
    with Frontier(tmp_path, "b", [START]) as frontier:
        moved = Link("http://x.example/moved", "article", article("a").url, 1)
        frontier.settle(START, [article("a"), article("c")])
        frontier.settle(article("a"), [moved])
        frontier.settle(moved)
        assert frontier.next(2) == article("c")


def test_links_without_a_lasting_answer_are_asked_again_by_the_next_run_only(
    tmp_path: Path,
) -> None:
    with Frontier(tmp_path, "b", [START]) as frontier:
        frontier.settle(START, again=True)
        assert frontier.next(None) is None
    with Frontier(tmp_path, "b", [START]) as frontier:
        assert frontier.next(None) == START


def test_benchmarks_do_not_share_progress(tmp_path: Path) -> None:
    with Frontier(tmp_path, "b", [START]) as frontier:
        frontier.settle(START)
    with Frontier(tmp_path, "other", [START]) as frontier:
        assert frontier.next(None) == START


def test_a_source_is_held_by_one_crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **kw: real(*args, **{**kw, "timeout": 0}))
    with (
        Frontier(tmp_path, "b", [START]),
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        Frontier(tmp_path, "b", [START])
