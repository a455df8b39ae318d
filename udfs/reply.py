"""What a judge's reply says: reply text -> value, or why it has none. Pure and versioned.

The last well-formed verdict of the answer proper counts; two different ones conflict, unless the
earlier only echoes the reference's anchor. Nothing is clamped, rounded or defaulted.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from towbench.udfs.loose_json import Conflict, Cut, number, objects, without_surrogates
from towbench.udfs.thought import strip_thought

PARSER_VERSION = "reply_v1"

_OPENINGS = ("[[", "［［")
_MARKED = re.compile(r"(?:\[\[|［［)\s*([-+－＋]?[\d.．]+)\s*(?:\]\]|］］)")
_NUMERAL = re.compile(r"[-+]?\d+(?:\.\d+)?")
_NARROW = str.maketrans("０１２３４５６７８９．－＋", "0123456789.-+")
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request fixes about its reply: scale, the reference's anchor, names, its nonce."""

    lang: str
    low: float | None = None
    high: float | None = None
    anchor: float | None = None
    dimensions: tuple[str, ...] = ()
    nonce: str | None = None


class Fault(Exception):
    """Why a verdict has no value.

    Args:
        status: a reply status of SPEC 8.
        reason: a short code with the offending value, such as `score=98`.
    """

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(status, reason)
        self.status = status
        self.reason = reason


@dataclass(slots=True)
class Verdict:
    """An object of a reply with checked access to its fields."""

    fields: dict[str, object]
    repairs: list[str] = field(default_factory=list)

    def number(self, name: str, low: float, high: float, label: str | None = None) -> int | float:
        """The number under `name`, as given, within [low, high]; faults call it `label`."""
        label = label or name
        value = self._single(name)
        if isinstance(value, str) and _NUMERAL.fullmatch(value.strip().translate(_NARROW)):
            value = number(value.strip().translate(_NARROW).removeprefix("+"))
            self.repairs.append("quoted_number")
        if isinstance(value, bool):
            raise Fault("out_of_range", f"{label}={json.dumps(value)}")
        if not isinstance(value, int | float):
            raise Fault("unparsable", f"{label}={_short(value)}")
        if not (math.isfinite(value) and low <= value <= high):
            raise Fault("out_of_range", f"{label}={value}")
        return value

    def text(self, name: str) -> str:
        """The words under `name`, which must be there."""
        value = self._single(name)
        if not isinstance(value, str) or not value.strip():
            raise Fault("unparsable", f"{name}={_short(value)}")
        return value.strip()

    def named(self, name: str, value_key: str) -> list[tuple[str, Verdict]]:
        """Entries under `name`, given as `{name: value}` or as `[{"name": …, value_key: …}]`."""
        value = self._single(name)
        if isinstance(value, dict):
            return [(key, Verdict({value_key: one}, self.repairs)) for key, one in value.items()]
        if isinstance(value, list) and all(isinstance(entry, dict) for entry in value):
            entries = [Verdict(entry, self.repairs) for entry in value]
            return [(entry.text("name"), entry) for entry in entries]
        raise Fault("unparsable", f"{name}={_short(value)}")

    def exactly(self, name: str, value_key: str, asked: tuple[str, ...]) -> dict[str, Verdict]:
        """The entries under `name`, one for every asked name and no other, in asked order."""
        entries = self.named(name, value_key)
        names = [given for given, _ in entries]
        if missing := [one for one in asked if one not in names]:
            raise Fault("unparsable", f"missing={missing[0]}")
        if unknown := [one for one in names if one not in asked]:
            raise Fault("unparsable", f"unknown={_short(unknown[0])}")
        if len(set(names)) < len(names):
            raise Fault("unparsable", f"twice={max(names, key=names.count)}")
        found = dict(entries)
        return {one: found[one] for one in asked}

    def rationale(self) -> str | None:
        """The judge's words, if it gave any."""
        value = self.fields.get("reason")
        return value.strip() or None if isinstance(value, str) else None

    def check_nonce(self, nonce: str | None) -> None:
        """Refuse the reply to another request, or to a prompt whose end was cut off.

        A reply without a nonce is taken: weak models leave it out, `[[n]]` has no place for it.
        """
        given = self.fields.get("nonce")
        if nonce and isinstance(given, str) and given.strip().lower() != nonce:
            raise Fault("unparsable", f"nonce={_short(given)}")

    def _single(self, name: str) -> object:
        value = self.fields.get(name)
        if isinstance(value, Conflict):
            raise Fault("conflicting", f"{name}=" + "|".join(map(_short, value.values)))
        return value


class Settled(NamedTuple):
    """A right answer: its value in the form that is stored, and the judge's words."""

    value: dict[str, object]
    rationale: str | None


class Form(Protocol):
    """What each call function says of its replies; the function modules are the instances."""

    NAME: str
    REPLY: str

    def is_verdict(self, verdict: Verdict, asked: Asked) -> bool:
        """Whether an object claims to be the answer at all."""

    def settle(self, verdict: Verdict, asked: Asked) -> Settled:
        """The value of a verdict; raises Fault where it breaks a rule of the stage."""


@dataclass(frozen=True, slots=True)
class Read:
    """What this parser version reads in a reply; value is None unless status is ok or repaired."""

    value: dict[str, object] | None
    status: str
    reason: str | None
    rationale: str | None


def read(text: str, form: Form, asked: Asked) -> Read:
    """Read the reply `text` to a request of `form`."""
    answer = strip_thought(without_surrogates(text), form.REPLY == "text")
    if answer is None:
        return Read(None, "unparsable", "thought_not_closed", None)
    if form.REPLY == "text":
        return _settle(Verdict({"text": answer}), form, asked)
    try:
        verdicts = [one for one in _verdicts(answer) if form.is_verdict(one, asked)]
    except Cut:
        return Read(None, "unparsable", "cut", None)
    if not verdicts:
        return Read(None, "unparsable", "no_verdict", answer or None)
    reads = [_settle(verdict, form, asked) for verdict in verdicts]
    last = reads[-1]
    if last.status == "unparsable":
        # What the judge said last is its verdict, even where it is none: no earlier one steps in.
        return last
    formed = [one for one in reads if one.status != "unparsable"]
    others = [one for one in formed[:-1] if _content(one) != _content(last)]
    if all(_echoes_anchor(one, asked) for one in others):
        return last
    shown = "|".join(dict.fromkeys(_content(one) for one in formed))
    return Read(None, "conflicting", shown, last.rationale)


def canonical(value: dict[str, object]) -> str:
    """A value as the JSON text that is stored."""
    return without_surrogates(_ENCODE(value))


def _settle(verdict: Verdict, form: Form, asked: Asked) -> Read:
    try:
        verdict.check_nonce(asked.nonce)
        value, rationale = form.settle(verdict, asked)
    except Fault as fault:
        reason = without_surrogates(fault.reason)
        return Read(None, fault.status, reason, verdict.rationale())
    if not verdict.repairs:
        return Read(value, "ok", None, rationale)
    return Read(value, "repaired", ",".join(dict.fromkeys(verdict.repairs)), rationale)


def _verdicts(answer: str) -> Iterator[Verdict]:
    """Objects and `[[n]]` marks in order; a mark inside an object is a quotation."""
    has_mark = any(opening in answer for opening in _OPENINGS)
    marks = list(_MARKED.finditer(answer)) if has_mark else []
    start = 0
    for found in objects(answer):
        yield from _marked(answer, [m for m in marks if start <= m.start() < found.start])
        yield Verdict(_clean(found.value), list(found.repairs))
        start = found.end
    yield from _marked(answer, [m for m in marks if m.start() >= start])


def _marked(answer: str, marks: list[re.Match[str]]) -> Iterator[Verdict]:
    for mark in marks:
        digits = mark[1].translate(_NARROW).removeprefix("+")
        if _NUMERAL.fullmatch(digits):
            words = f"{answer[: mark.start()].rstrip()} {answer[mark.end() :].lstrip()}".strip()
            yield Verdict({"score": number(digits), "reason": words})


def _content(one: Read) -> str:
    return canonical(one.value) if one.value is not None else str(one.reason)


def _echoes_anchor(one: Read, asked: Asked) -> bool:
    return (
        one.value is not None
        and asked.anchor is not None
        and one.value.get("score") == asked.anchor
    )


def _clean(value: dict[str, object]) -> dict[str, object]:
    """Escapes such as a lone \\ud83d decode to surrogates, which no database takes."""
    return {key: _clean_value(one) for key, one in value.items()}


def _clean_value(value: object) -> object:
    match value:
        case str():
            return without_surrogates(value)
        case Conflict():
            return value
        case dict():
            return _clean(value)
        case list():
            return [_clean_value(one) for one in value]
    return value


def _short(value: object) -> str:
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return shown if len(shown) <= 80 else shown[:79] + "…"
