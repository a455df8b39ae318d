"""Options of the fake endpoint and the record it keeps of every request."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import NormalDist
from typing import Any


@dataclass(frozen=True)
class Latency:
    """Lognormal latency with a heavy tail.

    Attributes:
        mean: milliseconds, of the lognormal part.
        sigma: of the logarithm; 0 is a constant.
        tail_share: share of calls that take `tail_factor` times as long.
    """

    mean: float = 0.0
    sigma: float = 0.0
    tail_share: float = 0.0
    tail_factor: float = 10.0

    @staticmethod
    def parse(text: str) -> Latency:
        """Read `lognormal:MEAN_MS,SIGMA[,TAIL_SHARE[,TAIL_FACTOR]]`."""
        kind, _, values = text.partition(":")
        try:
            numbers = [float(value) for value in values.split(",")]
            if kind != "lognormal" or not 1 <= len(numbers) <= 4 or min(numbers) < 0:
                raise ValueError
        except ValueError:
            form = "lognormal:MEAN_MS,SIGMA[,TAIL_SHARE[,TAIL_FACTOR]]"
            raise ValueError(f"latency is written {form}, got {text!r}") from None
        return Latency(*numbers)

    def seconds(self, draw: float, tail_draw: float) -> float:
        """The latency at two draws from [0, 1)."""
        if not self.mean:
            return 0.0
        normal = NormalDist().inv_cdf(min(max(draw, 1e-12), 1 - 1e-12))
        value = self.mean / 1000 * math.exp(self.sigma * normal - self.sigma**2 / 2)
        return value * (self.tail_factor if tail_draw < self.tail_share else 1.0)


@dataclass(frozen=True)
class Options:
    """How the endpoint behaves.

    Attributes:
        faults: rates by name, `http_429=0.05,stall=0.01`; `mixed=0.3` spreads over all.
        key: the only API key taken; None takes any.
        canned: every chat is answered with this text (no model is asked).
        pause: seconds that a 429 or 503 asks to wait, and that nobody can connect after `refuse`.
        batch_seconds: how long a batch takes.
        log: file that every request is written to, one JSON object a line.
    """

    host: str = "127.0.0.1"
    port: int = 0
    faults: str = ""
    seed: int = 0
    latency: str = "lognormal:0"
    key: str | None = None
    canned: str | None = None
    pause: float = 1.0
    batch_seconds: float = 1.0
    log: Path | None = None


@dataclass(slots=True)
class Record:
    """One request as the endpoint saw it; seconds since the epoch.

    Attributes:
        attempt: the client's Idempotency-Key.
        latency: seconds of pretended work.
        usage: tokens stated in the reply; None if it stated none or never left.
        spent: tokens that the work took, stated or not: what a provider may bill for a lost reply.
        sent: whether the whole reply was handed to the connection.
        parameters: what the request asked for beside its messages and the form of the reply.
    """

    at: float
    attempt: str | None
    call: str
    number: int
    model: str
    form: str
    fault: str
    status: int
    latency: float
    usage: tuple[int, int] | None
    spent: tuple[int, int] | None
    content: str | None
    sent: bool = False
    done: float = 0.0
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def line(self) -> str:
        return json.dumps({name: getattr(self, name) for name in self.__slots__})
