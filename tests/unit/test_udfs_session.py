"""What the transports of a run share."""

from threading import Thread
from typing import cast

from towbench.prompts import load_prompts
from towbench.schemas.prices import Prices
from towbench.udfs import score_leaf
from towbench.udfs.ledger import LedgerWriter
from towbench.udfs.purse import Purse
from towbench.udfs.request import Answer, Request
from towbench.udfs.session import Session


def session() -> Session:
    return Session(load_prompts(), cast(LedgerWriter, None), "run", Purse(Prices([]), None))


def test_the_first_reason_to_stop_is_the_one_that_is_told() -> None:
    one = session()
    assert not one.is_stopping
    one.stop_if(None)
    assert not one.is_stopping
    one.stop_if("first")
    one.stop("second")
    assert one.is_stopping and one.stopped == "first"


def test_a_stop_by_the_user_is_no_fault() -> None:
    one = session()
    one.stop()
    assert one.is_stopping and one.stopped is None


def test_counters_add_up_over_threads() -> None:
    one = session()

    def count() -> None:
        for i in range(500):
            one.count_in_flight(1)
            status = ("ok", "repaired", "refused", "timeout")[i % 4]
            one.count(Answer("k", None, status, None, None), 0.25)
            one.count_in_flight(-1)

    threads = [Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    now = one.progress
    assert (now.done, now.ok, now.failed, now.in_flight, now.cost) == (2000, 1000, 1000, 0, 500.0)


def test_a_stop_needs_no_lock() -> None:
    """A signal handler runs on a thread that may be counting at that moment."""
    one = session()
    with one._lock:
        one.stop("now")
    assert one.is_stopping and one.stopped == "now"


def test_a_request_that_is_not_sent_says_why() -> None:
    request = Request(
        score_leaf, "k", "local/m", "logic_v1.en", 0, "{}", "single", None, None, None, None
    )
    one = session()
    assert one.unasked(request)[2:4] == ("not_in_ledger", "stopped")
    one.purse.used_up = "all of it"
    assert one.unasked(request).status == "skipped_budget"
