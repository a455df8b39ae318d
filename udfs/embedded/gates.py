"""Faults that cut a score: named factors between a floor and 1."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Gate(NamedTuple):
    """A factor that falls linearly from 1 at `good` to `floor` at `bad`; `stat` may be absent."""

    name: str
    stat: str
    good: float
    bad: float
    floor: float

    def factor(self, stats: Mapping[str, float]) -> float:
        """The factor for these statistics; 1 if the statistic is absent."""
        if self.stat not in stats:
            return 1.0
        fault = (stats[self.stat] - self.good) / (self.bad - self.good)
        return 1.0 - (1.0 - self.floor) * min(max(fault, 0.0), 1.0)


# `good` lies at about the 1 % (or 99 %) quantile of real outputs, so that sound texts pass whole.
GATES: Final = (
    Gate("repetition", "repeat_long", 0.02, 0.5, 0.35),
    Gate("repeated paragraphs", "twice", 0.02, 0.5, 0.6),
    Gate("other language", "foreign", 0.06, 0.3, 0.3),
    Gate("talk to the user", "chatter", 0.0, 1.0, 0.8),
    Gate("cut off", "ends_whole", 1.0, 0.0, 0.88),
    Gate("short of the reference", "length_ratio", 0.95, 0.1, 0.55),
    Gate("off topic", "relevance", 0.10, 0.0, 0.5),
    Gate("word order", "word_order", 0.08, -0.1, 0.3),
    Gate("no function words", "function", 0.06, 0.0, 0.3),
    Gate("instruction copied", "copied", 0.15, 0.8, 0.12),
    Gate("parts out of order", "order_breaks", 0.05, 0.6, 0.7),
    Gate("opening points back", "points_back", 0.0, 1.0, 0.95),
)


def gate_factors(stats: Mapping[str, float]) -> dict[str, float]:
    """Factors below 1 by gate name."""
    factors = {gate.name: gate.factor(stats) for gate in GATES}
    return {name: factor for name, factor in factors.items() if factor < 1.0}
