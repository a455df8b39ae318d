"""Judges a chaos run: the ledger and the answers against the endpoint's own records."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from towbench.tests.chaos.workload import Workload, call_key
from towbench.udfs.embedded.endpoint import Record
from towbench.udfs.embedded.endpoint_faults import FAULTS, NO_FAULT, VALUE

HITS = ("ok", "refused", "filtered", "prompt_cut")
_WITHOUT_VALUE_YET = ("http_429", "http_5xx", "dropped", "timeout", "error_in_200", "empty")


@dataclass(frozen=True, slots=True)
class Stored:
    """An attempt in the ledger."""

    attempt_id: str
    call_key: str
    status: str
    prompt_tokens: int | None
    completion_tokens: int | None
    usage_unknown: bool
    prompt_bound: int | None
    completion_bound: int | None


def read_attempts(ledger: Path) -> list[Stored]:
    """Attempts in the order they were sent."""
    with duckdb.connect(str(ledger), read_only=True) as con:
        rows = con.execute(
            """
            SELECT
                CAST(attempt.attempt_id AS VARCHAR), attempt.call_key, attempt.status,
                outcome.prompt_tokens, outcome.completion_tokens, attempt.usage_unknown,
                attempt.prompt_tokens, attempt.completion_tokens
            FROM attempt
            LEFT JOIN outcome USING (attempt_id)
            ORDER BY attempt.sent_at, attempt.number
            """
        ).fetchall()
    return [Stored(*row) for row in rows]


def read_answers(work: Workload) -> dict[str, tuple[Any, str]]:
    """Value and status by call key."""
    with duckdb.connect(str(Path(work.folder) / "pending.duckdb"), read_only=True) as con:
        rows = con.execute("SELECT call_key, value, status FROM answer").fetchall()
    return {
        key: (json.loads(value)["score"] if value else None, status) for key, value, status in rows
    }


def judge_money(records: Sequence[Record], attempts: Sequence[Stored]) -> list[str]:
    """What is wrong in the ledger's attempts and tokens; for a run that was not killed."""
    wrong: list[str] = []
    seen = {record.attempt: record for record in records}
    if len(seen) != len(records):
        wrong.append(f"{len(records) - len(seen)} requests share an Idempotency-Key")
    stored = {one.attempt_id for one in attempts}
    wrong += [f"not in the ledger: {one.attempt}" for one in records if one.attempt not in stored]
    for one in attempts:
        record = seen.get(one.attempt_id)
        if record is None:
            # Refused connections never reach the endpoint; nothing else may be free.
            if one.status != "dropped" or one.usage_unknown or one.prompt_tokens != 0:
                wrong.append(f"the endpoint never got {one}")
            continue
        fault = FAULTS.get(record.fault, NO_FAULT)
        if one.status != fault.attempt:
            wrong.append(f"{record.fault} is no {one.status}")
        if record.sent and record.usage:
            if (one.prompt_tokens, one.completion_tokens) != record.usage or one.usage_unknown:
                wrong.append(f"tokens of {record.fault}: {one}, sent {record.usage}")
        elif record.sent and record.status != 200:
            if (one.prompt_tokens, one.completion_tokens) != (0, 0) or one.usage_unknown:
                wrong.append(f"{record.fault} costs nothing: {one}")
        elif not one.usage_unknown:
            wrong.append(f"usage of {record.fault} is not known: {one}")
        elif not _is_bounded(one, record):
            wrong.append(f"no upper bound: {one}, spent {record.spent}")
    return wrong


def _is_bounded(one: Stored, record: Record) -> bool:
    if one.prompt_bound is None or one.completion_bound is None:
        return False
    prompt, completion = record.spent or (0, 0)
    return one.prompt_bound >= prompt and one.completion_bound >= completion


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
            # What was answered under a second before the kill that followed may be lost.
            moment = next((moment for moment, _ in kills if moment > before.done), record.at)
            if moment < record.at and before.done < moment - 1:
                wrong.append(f"answered {moment - before.done:.2f} s before a kill: {key}")
        if record.sent and _is_hit(record):
            answered[key] = record
        else:
            answered.pop(key, None)
    return wrong


def _is_hit(record: Record) -> bool:
    return FAULTS.get(record.fault, NO_FAULT).attempt in HITS
