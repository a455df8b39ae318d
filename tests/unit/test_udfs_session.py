"""What the transports of a run share."""

from threading import Thread
from typing import cast

from towbench.prompts import load_prompts
from towbench.udfs.ledger import LedgerWriter
from towbench.udfs.request import Answer
from towbench.udfs.session import Session


def session() -> Session:
    return Session(load_prompts(), cast(LedgerWriter, None), "run")


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


def test_every_language_has_a_prompt_to_ask_again() -> None:
    assert {session().ask_again_prompt(lang).slots for lang in ("zh", "en")} == {("fault",)}
