"""When a request may be sent."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from towbench.schemas.settings import Provider
from towbench.udfs.gate import Gate, Slots, backoff, retry_after


def provider(rpm: int | None = None, tpm: int | None = None) -> Provider:
    return Provider(
        alias="a",
        base_url=None,
        api_key=None,
        concurrency=2,
        requests_per_minute=rpm,
        tokens_per_minute=tpm,
    )


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "1500ms"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_a_wait_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_wait_may_be_a_date() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    found = retry_after({"retry-after": date})
    assert found is not None and 87 < found <= 90


def test_backing_off_doubles_with_jitter_and_ends_somewhere() -> None:
    for failures, middle in ((1, 0.5), (2, 1.0), (4, 4.0), (50, 30.0)):
        drawn = [backoff(failures) for _ in range(200)]
        assert middle * 0.5 <= min(drawn) < max(drawn) <= middle * 1.5
        assert max(drawn) - min(drawn) > middle * 0.5


async def turns(gate: Gate, n: int, tokens: int = 1) -> list[float]:
    started = time.monotonic()
    times: list[float] = []

    async def one() -> None:
        assert await gate.turn(tokens)
        times.append(time.monotonic() - started)

    await asyncio.gather(*(one() for _ in range(n)))
    return times


def test_a_pause_holds_everyone_and_none_comes_early() -> None:
    async def scene() -> list[float]:
        gate = Gate(provider(), lambda: False)
        gate.pause(0.4)
        gate.pause(0.1)
        return await turns(gate, 20)

    times = asyncio.run(scene())
    assert min(times) >= 0.4 and len(set(times)) > 1


def test_rates_a_minute_space_the_turns() -> None:
    by_requests = asyncio.run(turns(Gate(provider(rpm=1200), lambda: False), 9))
    assert max(by_requests) >= 0.4 - 0.01
    by_tokens = asyncio.run(turns(Gate(provider(tpm=60_000), lambda: False), 5, tokens=100))
    assert max(by_tokens) >= 0.4 - 0.01


def test_a_stop_ends_a_pause() -> None:
    async def scene() -> tuple[bool, float]:
        stopped = False
        gate = Gate(provider(), lambda: stopped)
        gate.pause(60)
        started = time.monotonic()
        turn = asyncio.create_task(gate.turn(1))
        await asyncio.sleep(0.05)
        stopped = True
        return await turn, time.monotonic() - started

    may_send, seconds = asyncio.run(scene())
    assert not may_send and seconds < 2


def test_slots_narrow_once_for_all_that_were_in_flight_and_widen_again() -> None:
    async def scene() -> list[int]:
        slots = Slots(64)
        now = asyncio.get_running_loop().time()
        sizes = [slots.size]
        for _ in range(50):
            slots.refused(now)
        sizes.append(slots.size)
        await asyncio.sleep(0.01)
        slots.refused(asyncio.get_running_loop().time())
        sizes.append(slots.size)
        for _ in range(1000):
            slots.accepted()
        return [*sizes, slots.size]

    assert asyncio.run(scene()) == [64, 44, 31, 64]


def test_no_more_are_in_flight_than_there_are_slots_and_one_always_is() -> None:
    async def scene() -> tuple[int, int]:
        slots = Slots(3)
        busy = peak = done = 0

        async def one() -> None:
            nonlocal busy, peak, done
            async with slots:
                busy += 1
                peak = max(peak, busy)
                await asyncio.sleep(0)
                busy -= 1
                done += 1

        for _ in range(20):
            slots.refused(asyncio.get_running_loop().time())
        await asyncio.gather(*(one() for _ in range(20)))
        return peak, done

    assert asyncio.run(scene()) == (1, 20)
