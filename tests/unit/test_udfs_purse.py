"""A budget is a hard cap, whatever is in flight (issue 3: money)."""

from __future__ import annotations

import asyncio
import random
from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from towbench.schemas.errors import UsageError
from towbench.schemas.prices import Price, Prices
from towbench.udfs.purse import Purse

NOON = datetime(2026, 5, 1, 12)
PRICES = Prices([
    Price("a/x", date(2026, 1, 1), 10, 20, 1, 0.5),
    Price("free/*", date(2020, 1, 1), 0, 0),
])  # fmt: skip


def test_a_cost_is_known_or_none() -> None:
    purse = Purse(PRICES, None)
    assert purse.cost("a/x", NOON, 1000, 100) == pytest.approx(0.012)
    assert purse.cost("a/x", NOON, 1000, 0, 500, True) == pytest.approx(0.00275)
    assert purse.cost("a/x", datetime(2025, 1, 1), 1000, 100) is None
    assert purse.cost("a/x", NOON, None, 100) is None
    assert purse.cost("b/y", NOON, 1000, 100) is None
    assert purse.cost("free/y", NOON, None, None) == 0


def test_a_budget_over_an_unknown_price_does_not_start() -> None:
    with pytest.raises(UsageError, match=r"BUDGET: the price of b/y is not known"):
        Purse(PRICES, 5).check(["a/x", "b/y"])
    Purse(PRICES, 5).check(["a/x", "free/y"])
    Purse(PRICES, None).check(["b/y"])


def test_without_a_cap_everything_fits_and_is_counted() -> None:
    purse = Purse(PRICES, None)
    assert purse.try_reserve(None) and purse.try_reserve(1e9)
    purse.settle(None, None)
    purse.settle(1e9, 2.5)
    assert (purse.spent, purse.reserved, purse.used_up) == (2.5, 0, None)


def test_what_has_no_upper_bound_is_not_sent_under_a_cap() -> None:
    purse = Purse(PRICES, 5)
    assert not purse.try_reserve(None)
    assert purse.used_up and "no upper bound" in purse.used_up


@settings(max_examples=25, deadline=None)
@given(
    st.floats(0.1, 10),
    st.lists(st.tuples(st.floats(0, 3), st.floats(0, 1) | st.none()), max_size=40),
    st.integers(0, 10**6),
)
def test_reservations_never_exceed_the_cap(
    cap: float, calls: list[tuple[float, float | None]], seed: int
) -> None:
    purse, most = Purse(PRICES, cap), 0.0
    draw = random.Random(seed)

    async def call(bound: float, share: float | None) -> None:
        nonlocal most
        if await purse.reserve(bound):
            most = max(most, purse.spent + purse.reserved)
            for _ in range(draw.randrange(4)):
                await asyncio.sleep(0)
            purse.settle(bound, None if share is None else share * bound)

    async def run() -> None:
        await asyncio.gather(*(call(*one) for one in calls))

    asyncio.run(run())
    assert most <= cap + 1e-6
    assert purse.spent <= cap + 1e-6
    assert purse.reserved == pytest.approx(0, abs=1e-6)


def test_a_call_waits_for_money_in_flight_before_it_gives_up() -> None:
    purse = Purse(PRICES, 1.0)

    async def run() -> tuple[bool, bool]:
        assert await purse.reserve(0.9)
        second = asyncio.create_task(purse.reserve(0.9))
        await asyncio.sleep(0.1)
        assert not second.done()
        purse.settle(0.9, 0.05)
        fits = await second
        purse.settle(0.9, 0.8)
        return fits, await purse.reserve(0.9)

    assert asyncio.run(run()) == (True, False)
    assert purse.used_up and "0.8500 of 1.0000 USD" in purse.used_up
    assert not purse.try_reserve(0.0)


def test_what_an_earlier_run_sent_counts_but_is_not_refused() -> None:
    purse = Purse(PRICES, 1.0)
    purse.adopt(3.0)
    purse.settle(3.0, 2.0)
    assert purse.spent == 2.0 and not purse.try_reserve(0.1)
