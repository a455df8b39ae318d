"""One measured line of `make bench`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured line: `value` must not pass `limit`, or must reach it (both in `unit`)."""

    name: str
    value: float
    unit: str
    limit: float
    at_least: bool = False

    @property
    def verdict(self) -> str:
        is_held = self.value >= self.limit if self.at_least else self.value <= self.limit
        return "ok" if is_held else "MISSED"

    @property
    def bound(self) -> str:
        """The limit as it is read: `<= 5.00 s`."""
        return f"{'>=' if self.at_least else '<='} {self.limit:.2f} {self.unit}".strip()
