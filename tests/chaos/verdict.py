"""Judges a chaos run: the ledger and the answers against the endpoint's own records."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from towbench.tests.chaos.workload import PRICE, Workload, call_key
from towbench.udfs.embedded.endpoint import Record
from towbench.udfs.embedded.endpoint_faults import FAULTS, NO_FAULT, VALUE

HITS = ("ok", "refused", "filtered", "prompt_cut")
_WITHOUT_VALUE_YET = ("http_429", "http_5xx", "dropped", "timeout", "error_in_200", "empty")


@dataclass(frozen=True, slots=True)
class Stored:
    """An attempt in the ledger.

    Attributes:
        usage: prompt and completion tokens of its outcome.
        cost: money of its outcome, in USD.
        most: the upper bounds that stand where usage or cost are not known.
    """

    attempt_id: str
    call_key: str
    status: str
    http_status: int | None
    usage: tuple[int | None, int | None]
    cost: float | None
    usage_unknown: bool
    most: tuple[int | None, int | None, float | None]


def read_attempts(ledger: Path) -> list[Stored]:
    """Attempts in the order they were sent."""
    with duckdb.connect(str(ledger), read_only=True) as con:
        rows = con.execute(
            """
            SELECT
                CAST(attempt.attempt_id AS VARCHAR), attempt.call_key, attempt.status,
                attempt.http_status, outcome.prompt_tokens, outcome.completion_tokens,
                outcome.cost, attempt.usage_unknown,
                attempt.prompt_tokens, attempt.completion_tokens, attempt.cost
            FROM attempt
            LEFT JOIN outcome USING (attempt_id)
            ORDER BY attempt.sent_at, attempt.number
            """
        ).fetchall()
    return [
        Stored(attempt, key, status, http, (prompt, completion), cost, is_unknown, tuple(most))
        for attempt, key, status, http, prompt, completion, cost, is_unknown, *most in rows
    ]


def read_answers(work: Workload) -> dict[str, tuple[Any, str]]:
    """Value and status by call key."""
    with duckdb.connect(str(Path(work.folder) / "pending.duckdb"), read_only=True) as con:
        rows = con.execute("SELECT call_key, value, status FROM answer").fetchall()
    return {
        key: (json.loads(value)["score"] if value else None, status) for key, value, status in rows
    }


def judge_money(records: Sequence[Record], attempts: Sequence[Stored]) -> list[str]:
    """What is wrong in the ledger's attempts, tokens and money, request by request."""
    wrong: list[str] = []
    seen = {record.attempt: record for record in records}
    if len(seen) != len(records):
        wrong.append(f"{len(records) - len(seen)} requests share an Idempotency-Key")
    stored = {one.attempt_id for one in attempts}
    wrong += [f"not in the ledger: {one.attempt}" for one in records if one.attempt not in stored]
    for one in attempts:
        record = seen.get(one.attempt_id)
        if one.status == "sent":
            # Killed before an outcome was stored: whatever it did, it did not cost more than this.
            if not _is_bounded(one, (record.spent if record else None) or (0, 0)):
                wrong.append(f"no upper bound: {one}")
        elif record is None:
            # A refused connection is free. One that breaks under a request says nothing of how far
            # it came: like a reply that never arrived.
            is_right = _is_known(one, (0, 0)) or _is_bounded(one, (0, 0))
            if one.status != "dropped" or not is_right:
                wrong.append(f"the endpoint never got {one}")
        else:
            wrong += _judge_attempt(one, record)
    return wrong


def _judge_attempt(one: Stored, record: Record) -> list[str]:
    """What is wrong in an attempt that the endpoint got."""
    wrong = []
    fault = FAULTS.get(record.fault, NO_FAULT)
    # A reply that took longer than the client waits never arrived.
    expected = "timeout" if record.fault == "slow" and not record.sent else fault.attempt
    if one.status != expected:
        wrong.append(f"{record.fault} is no {one.status}")
    if record.sent and record.usage:
        if not _is_known(one, record.usage):
            wrong.append(f"usage of {record.fault}: {one}, sent {record.usage}")
    elif record.sent and record.status != 200:
        if not _is_known(one, (0, 0)):
            wrong.append(f"{record.fault} costs nothing: {one}")
    elif not _is_bounded(one, record.spent or (0, 0)):
        wrong.append(f"usage of {record.fault} is not known: {one}, spent {record.spent}")
    return wrong


def _is_known(one: Stored, usage: tuple[int, int]) -> bool:
    return not one.usage_unknown and one.usage == usage and one.cost == PRICE.cost(*usage)


def _is_bounded(one: Stored, spent: tuple[int, int]) -> bool:
    """Whether the attempt says that it does not know its usage, and what it is at most."""
    prompt, completion, cost = one.most
    if not one.usage_unknown or prompt is None or completion is None or cost is None:
        return False
    is_enough = prompt >= spent[0] and completion >= spent[1]
    return is_enough and one.cost is None and cost == PRICE.cost(prompt, completion)


def judge_totals(counts: Mapping[str, int], attempts: Sequence[Stored]) -> list[str]:
    """Where the ledger's sums are not what the endpoint says it counted (`GET /counts`)."""
    reached = [one for one in attempts if one.usage_unknown or one.http_status]
    answered = [one for one in reached if one.http_status and not one.usage_unknown]
    tokens = tuple(sum(one.usage[kind] or 0 for one in answered) for kind in (0, 1))
    said = (counts["prompt_tokens"], counts["completion_tokens"])
    wrong = []
    if not len(answered) <= counts["requests"] <= len(reached):
        span = f"{len(answered)} to {len(reached)}"
        wrong.append(f"requests: ledger {span}, endpoint {counts['requests']}")
    if tokens != said:
        wrong.append(f"tokens in all: ledger {tokens}, endpoint {said}")
    money = math.fsum(one.cost or 0.0 for one in attempts)
    if not math.isclose(money, PRICE.cost(*said), rel_tol=1e-12):
        wrong.append(f"money in all: ledger {money} USD, endpoint {PRICE.cost(*said)} USD")
    return wrong


def judge_answers(
    work: Workload,
    records: Sequence[Record],
    attempts: Sequence[Stored],
    answers: dict[str, tuple[Any, str]],
) -> list[str]:
    """What is wrong in the answers: right value or right status, by each call's last attempt."""
    wrong: list[str] = []
    seen = {record.attempt: record for record in records}
    by_key: dict[str, list[Stored]] = defaultdict(list)
    for one in attempts:
        by_key[one.call_key].append(one)
    if len(answers) != work.n:
        wrong.append(f"{len(answers)} answers to {work.n} calls")
    for i in range(work.n):
        key = call_key(i)
        value, status = answers.get(key, (None, "none"))
        tries = by_key[key]
        record = seen.get(tries[-1].attempt_id) if tries else None
        expected = FAULTS.get(record.fault, NO_FAULT).row if record else "dropped"
        if expected == VALUE:
            if status not in ("ok", "repaired") or value != work.right_value(i):
                wrong.append(f"{status} {value} for {work.right_value(i)} ({record})")
        elif (value, status) != (None, expected):
            wrong.append(f"{status} {value} for {expected} ({record})")
        elif expected in _WITHOUT_VALUE_YET and len(tries) < 2:
            wrong.append(f"{expected} was not tried again")
    return wrong


def judge_kills(
    records: Sequence[Record], kills: Sequence[tuple[float, set[str]]], keys: dict[str, str]
) -> list[str]:
    """Calls that were sent again although they need not have been.

    Args:
        records: in the order of their time.
        kills: when, and the keys that the ledger held as hits just after.
        keys: call key by attempt id.
    """
    wrong: list[str] = []
    answered: dict[str, Record] = {}
    for record in records:
        key = keys.get(record.attempt or "")
        if key is None:
            continue
        if any(moment < record.at and key in hits for moment, hits in kills):
            wrong.append(f"a stored hit was asked again: {key}")
        if before := answered.get(key):
            # What was in flight at a kill, or answered under a second before it, may be lost: a
            # reply can still leave for a client that is dead.
            moment = next((moment for moment, _ in kills if moment > before.at), record.at)
            if moment < record.at and before.done < moment - 1:
                wrong.append(f"answered {moment - before.done:.2f} s before a kill: {key}")
        if record.sent and _is_hit(record):
            answered[key] = record
        else:
            answered.pop(key, None)
    return wrong


def _is_hit(record: Record) -> bool:
    return FAULTS.get(record.fault, NO_FAULT).attempt in HITS
