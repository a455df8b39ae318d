"""Faults of the fake endpoint: what each does to a reply and what must become of it.

The table FAULTS is the yardstick of chaos runs: the attempt status and row status that every fault
must end in (SPEC 8), where `value` says that the right value must be read in spite of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from towbench.udfs.embedded.endpoint_prompts import Draft

NONE = "none"
VALUE = "value"
MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of misbehaviour and its right outcome.

    Attributes:
        says: what the endpoint does.
        attempt: status of the attempt.
        row: status of a row whose last attempt met this fault, or `value`.
        where: `http`, `connection`, `body`, `message`, `verdict` (leaf scores only), `time`, or
            `model` and `batch`, whose rates are shares of models and batches, not of requests.
        http: HTTP status of the reply, 0 if none arrives.
    """

    name: str
    says: str
    attempt: str
    row: str
    where: str
    http: int = 200

    @property
    def has_usage(self) -> bool:
        """Whether the reply arrives and says what it cost."""
        return self.http == 200 and self.name not in ("error_in_200", "reset", "stall")


_TABLE = (
    Fault("http_429", "429, Retry-After in seconds; all until then get one", "http_429",
          "http_429", "http", 429),
    Fault("http_429_ms", "the same with retry-after-ms", "http_429", "http_429", "http", 429),
    Fault("http_429_date", "the same with an HTTP date", "http_429", "http_429", "http", 429),
    Fault("http_500", "500", "http_5xx", "http_5xx", "http", 500),
    Fault("http_502", "502 with an HTML body", "http_5xx", "http_5xx", "http", 502),
    Fault("http_503", "503 with Retry-After", "http_5xx", "http_5xx", "http", 503),
    Fault("refuse", "drops the connection and refuses new ones for a while", "dropped", "dropped",
          "connection", 0),
    Fault("reset", "half a body, then the connection is reset", "dropped", "dropped",
          "connection", 0),
    Fault("stall", "no answer until the client gives up", "timeout", "timeout", "connection", 0),
    Fault("error_in_200", "200 with an error body", "error_in_200", "error_in_200", "body"),
    Fault("choices_null", "200 with choices: null", "error_in_200", "error_in_200", "body"),
    Fault("refusal", "content: null and a refusal", "refused", "refused", "message"),
    Fault("content_filter", "finish_reason content_filter", "filtered", "filtered", "message"),
    Fault("empty_length", "empty content, finish_reason length", "truncated", "truncated",
          "message"),
    Fault("empty", "empty content, finish_reason stop", "empty", "empty", "message"),
    Fault("prompt_cut", "prompt_tokens show that the prompt was cut", "prompt_cut", "prompt_cut",
          "message"),
    Fault("reasoning_content", "a thought in reasoning_content", "ok", VALUE, "message"),
    Fault("half_json", "the reply ends in the middle", "ok", "unparsable", "message"),
    Fault("fenced", "JSON in a code fence", "ok", VALUE, "message"),
    Fault("prose_wrapped", "JSON with words around it", "ok", VALUE, "message"),
    Fault("curly_quotes", "JSON with curly quotes", "ok", VALUE, "message"),
    Fault("wide_digits", "the score in full-width digits", "ok", VALUE, "verdict"),
    Fault("out_of_range", "a score above the scale", "ok", "out_of_range", "verdict"),
    Fault("boolean", "true for a score", "ok", "out_of_range", "verdict"),
    Fault("nan", "NaN for a score", "ok", "out_of_range", "verdict"),
    Fault("two_verdicts", "two different verdicts", "ok", "conflicting", "verdict"),
    Fault("anchor_echo", "the reference's anchor as a verdict before the verdict", "ok", VALUE,
          "verdict"),
    Fault("other_nonce", "the nonce of another prompt", "ok", "unparsable", "message"),
    Fault("think_pair", "a thought in a pair of tags", "ok", VALUE, "message"),
    Fault("think_close", "a thought with its closing tag only", "ok", VALUE, "message"),
    Fault("think_open", "a thought that is never closed", "truncated", "truncated", "message"),
    Fault("think_bracket", "a thought in [THINK] brackets", "ok", VALUE, "message"),
    Fault("lone_surrogate", "half a surrogate pair in the reply", "ok", VALUE, "message"),
    Fault("slow", "twenty times the latency, at least a second", "ok", VALUE, "time"),
    Fault("json_schema_refused", "share of models that answer 400 to json_schema", "http_4xx",
          VALUE, "model", 400),
    Fault("batch_expired", "share of batches that expire half done", "ok", VALUE, "batch"),
    Fault("batch_partial", "share of batches that miss lines without a word", "ok", VALUE,
          "batch"),
)  # fmt: skip
FAULTS: Mapping[str, Fault] = {fault.name: fault for fault in _TABLE}
NO_FAULT = Fault(NONE, "no fault", "ok", VALUE, "message")
REQUEST_FAULTS = tuple(fault for fault in _TABLE if fault.where not in ("model", "batch"))
_PER_REQUEST = [fault.name for fault in REQUEST_FAULTS]


class Profile:
    """Which fault befalls whom: rates a kind, drawn by hashes of a seed.

    Args:
        rates: probability by name of a fault; `mixed` is spread over all faults of requests.
        seed: the same seed, call and attempt meet the same fault.
    """

    def __init__(self, rates: Mapping[str, float], seed: int = 0) -> None:
        shared = rates.get(MIXED, 0.0) / len(_PER_REQUEST)
        given = {name: rate for name, rate in rates.items() if name != MIXED}
        if unknown := given.keys() - FAULTS.keys():
            known = ", ".join([MIXED, *FAULTS])
            raise ValueError(f"unknown fault {', '.join(sorted(unknown))}; known: {known}")
        spread = {name: shared for name in _PER_REQUEST} if shared else {}
        self._rates = spread | {name: spread.get(name, 0.0) + rate for name, rate in given.items()}
        requests = [self._rates.get(name, 0.0) for name in _PER_REQUEST]
        if min(self._rates.values(), default=0.0) < 0 or sum(requests) > 1 + 1e-9:
            raise ValueError("fault rates are probabilities that add up to at most 1")
        self._seed = seed

    def draw(self, *what: object) -> float:
        """A number in [0, 1), the same for the same seed and arguments."""
        text = "\0".join(map(str, (self._seed, *what)))
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest()) / 2**56

    def fault(self, call: str, number: int) -> Fault:
        """The fault of a call's nth request."""
        left = self.draw("fault", call, number)
        for name in _PER_REQUEST:
            left -= self._rates.get(name, 0.0)
            if left < 0:
                return FAULTS[name]
        return NO_FAULT

    def befalls(self, name: str, whom: str) -> bool:
        """Whether a fault of a share of models or batches befalls this one."""
        return self.draw(name, whom) < self._rates.get(name, 0.0)


def parse_rates(text: str) -> dict[str, float]:
    """`http_429=0.05,stall=0.01` as a mapping."""
    rates: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, rate = part.partition("=")
        try:
            rates[name.strip()] = float(rate)
        except ValueError:
            raise ValueError(f"a fault is written name=rate, got {part!r}") from None
    return rates


def fitting(fault: Fault, reply: Draft) -> Fault:
    """The fault, or none if it makes no sense for this reply (a verdict's fault in an essay)."""
    is_marked = reply.score is not None and not reply.is_json
    if fault.where in ("http", "connection", "body", "time") or fault is NO_FAULT:
        return fault
    if reply.refusal or reply.shown is None or reply.shown.prompt.reply == "text":
        return NO_FAULT
    if fault.where == "verdict" and reply.score is None:
        return NO_FAULT
    if is_marked and fault.name in ("fenced", "curly_quotes", "boolean", "nan", "lone_surrogate"):
        return NO_FAULT
    if fault.name == "anchor_echo" and reply.shown.prompt.anchor is None:
        return NO_FAULT
    if fault.name == "other_nonce" and reply.nonce is None:
        return NO_FAULT
    return fault


def spoil(reply: Draft, name: str) -> Draft:
    """The reply as it looks under a fault of messages or verdicts; others leave it alone."""
    if change := _TEXTS.get(name):
        return replace(reply, text=change(reply))
    return reply


_THOUGHT = 'Perhaps [[3]] or {"score": 2}, the middle drags. No, better than that.'


def _half(reply: Draft) -> str:
    if reply.is_json:
        return reply.text[: max(len(reply.text) // 2, 2)].rstrip("}")
    return reply.reason


def _curly(reply: Draft) -> str:
    """Structural quotes only: those inside strings are escaped and stay."""
    pieces: list[str] = []
    is_open = False
    for position, mark in enumerate(reply.text):
        if mark == '"' and reply.text[position - 1] != "\\":
            is_open = not is_open
            mark = "“" if is_open else "”"
        pieces.append(mark)
    return "".join(pieces)


def _wide(reply: Draft) -> str:
    digits = str(reply.score).translate(str.maketrans("0123456789.", "０１２３４５６７８９．"))
    return _with_score(reply, digits)


def _with_score(reply: Draft, written: str) -> str:
    """The same verdict with another score, written as given."""
    if not reply.is_json:
        return f"{reply.reason}\n\n[[{written}]]"
    reason = json.dumps(reply.reason, ensure_ascii=False)
    return f'{{"reason": {reason}, "score": {written}}}'


def _high(reply: Draft) -> float:
    assert reply.shown is not None and reply.shown.prompt.range is not None
    return reply.shown.prompt.range[1]


def _low(reply: Draft) -> float:
    assert reply.shown is not None and reply.shown.prompt.range is not None
    return reply.shown.prompt.range[0]


def _too_high(reply: Draft) -> str:
    return _with_score(reply, str(_high(reply) + 88))


def _two(reply: Draft) -> str:
    """Another verdict first, which is not the anchor: that would be a mere echo."""
    assert reply.shown is not None
    taken = (reply.score, reply.shown.prompt.anchor)
    other = next(n for n in (_low(reply), _high(reply), _low(reply) + 1) if n not in taken)
    return f"{_with_score(reply, str(other))}\n\n{reply.text}"


def _echo(reply: Draft) -> str:
    assert reply.shown is not None
    return f"The reference counts as [[{reply.shown.prompt.anchor}]].\n\n{reply.text}"


def _other_nonce(reply: Draft) -> str:
    return json.dumps(json.loads(reply.text) | {"nonce": "another1"}, ensure_ascii=False)


def _surrogate(reply: Draft) -> str:
    """A surrogate inside the first string value; JSON encoders write it as an escape."""
    value = json.loads(reply.text)
    for key, one in value.items():
        if key == "reason" and isinstance(one, str):
            value[key] = one + " \ud83d"
    return json.dumps(value)


_TEXTS: Mapping[str, Callable[[Draft], str]] = {
    "half_json": _half,
    "fenced": lambda reply: f"```json\n{reply.text}\n```",
    "prose_wrapped": lambda reply: f"Here is my verdict.\n\n{reply.text}\n\nI hope this helps.",
    "curly_quotes": _curly,
    "wide_digits": _wide,
    "out_of_range": _too_high,
    "boolean": lambda reply: _with_score(reply, "true"),
    "nan": lambda reply: _with_score(reply, "NaN"),
    "two_verdicts": _two,
    "anchor_echo": _echo,
    "other_nonce": _other_nonce,
    "think_pair": lambda reply: f"<think>{_THOUGHT}</think>\n\n{reply.text}",
    "think_close": lambda reply: f"{_THOUGHT}</think>\n\n{reply.text}",
    "think_open": lambda reply: f"<think>{_THOUGHT}",
    "think_bracket": lambda reply: f"[THINK]{_THOUGHT}[/THINK]{reply.text}",
    "lone_surrogate": _surrogate,
    "refusal": lambda reply: "",
    "content_filter": lambda reply: "",
    "empty_length": lambda reply: "",
    "empty": lambda reply: "",
}


def table_lines(faults: Iterable[Fault] = _TABLE) -> list[str]:
    """The fault table for `--help` and the documentation: name, what happens, right outcome."""
    return [f"{fault.name}: {fault.says} -> {fault.row}" for fault in faults]
