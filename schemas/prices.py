"""What models cost: the price table of the package, extended or corrected by the user's own."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path

from towbench.schemas.errors import UsageError

OWN_FILE = Path("prices.csv")
"""Read from the working folder, beside `.env`, when the setting PRICES names no other file."""

_PER = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens of a model from a day on.

    Attributes:
        model: `provider/model`; one that ends in `*` holds for every model that begins so.
        cached_input: price of prompt tokens read from the provider's cache; None = no discount.
        batch_factor: what a call in a batch costs of the live price; None = no discount.
    """

    model: str
    since: date
    input: float
    output: float
    cached_input: float | None = None
    batch_factor: float | None = None
    source: str | None = None

    def cost(self, prompt: int, completion: int, cached: int = 0, is_batch: bool = False) -> float:
        """USD for so many tokens; `cached` of the prompt's were read from the cache."""
        read = self.input if self.cached_input is None else self.cached_input
        fresh = max(prompt - cached, 0)
        live = (fresh * self.input + min(cached, prompt) * read + completion * self.output) / _PER
        return live * (self.batch_factor if is_batch and self.batch_factor is not None else 1.0)


class Prices:
    """Prices by model and day. Rows of the user take the place of ours of the same model."""

    def __init__(self, rows: Iterable[Price]) -> None:
        self.rows = tuple(rows)
        self._by_model: dict[str, list[Price]] = {}
        for row in sorted(self.rows, key=lambda row: row.since):
            self._by_model.setdefault(row.model, []).append(row)
        self._found: dict[str, list[Price]] = {}

    @classmethod
    def load(cls, own: Path | None) -> Prices:
        """The package's table and the user's file.

        Raises:
            UsageError: the file is missing though it was named, or a row of it cannot be a price.
        """
        shipped = (files("towbench") / "schemas" / "tables" / "prices.csv").read_text("utf-8")
        rows = parse_prices(shipped, "schemas/tables/prices.csv")
        path = own or (OWN_FILE if OWN_FILE.exists() else None)
        if path is None:
            return cls(rows)
        try:
            text = path.read_text("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"TOWBENCH_PRICES: {path} cannot be read: {error}") from None
        given = parse_prices(text, str(path))
        names = {row.model for row in given}
        return cls([row for row in rows if row.model not in names] + given)

    def find(self, model: str, day: date) -> Price | None:
        """The price of a model on a day: the model's own row before a prefix, the longest first."""
        rows = self._found.get(model)
        if rows is None:
            names = [name for name in self._by_model if _matches(name, model)]
            names.sort(key=lambda name: (not name.endswith("*"), len(name)), reverse=True)
            rows = self._found[model] = self._by_model[names[0]] if names else []
        return next((row for row in reversed(rows) if row.since <= day), None)

    def table(self) -> list[dict[str, object]]:
        """The rows as `run.price` holds them."""
        return [asdict(row) for row in self.rows]


def parse_prices(text: str, name: str) -> list[Price]:
    """Rows of a price file.

    Raises:
        UsageError: a column is missing, a value is no price or day, or a row comes twice.
    """
    found: dict[tuple[str, date], Price] = {}
    for line, row in enumerate(csv.DictReader(text.splitlines()), start=2):
        try:
            if None in row:
                raise ValueError("more values than columns; is a decimal point written as a comma?")
            price = Price(
                model=_model(row["model"]),
                since=date.fromisoformat((row["since"] or "").strip()),
                input=_number(row["input"]),
                output=_number(row["output"]),
                cached_input=_optional(row.get("cached_input")),
                batch_factor=_factor(row.get("batch_factor")),
                source=row.get("source") or None,
            )
        except KeyError as error:
            raise UsageError(
                f"{name}: no column {error}; needed: model,since,input,output"
            ) from None
        except (TypeError, ValueError) as error:
            raise UsageError(f"{name}, line {line}: {error}") from None
        if (price.model, price.since) in found:
            raise UsageError(f"{name}, line {line}: {price.model} from {price.since} comes twice")
        found[price.model, price.since] = price
    return list(found.values())


def _matches(name: str, model: str) -> bool:
    return model.startswith(name[:-1]) if name.endswith("*") else name == model


def _model(text: str | None) -> str:
    name = (text or "").strip()
    if "/" not in name:
        raise ValueError(f"a model is named provider/model, got {name!r}")
    return name


def _number(text: str | None) -> float:
    value = float((text or "").strip() or "nan")
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"a price is a number of 0 or more, got {text!r}")
    return value


def _optional(text: str | None) -> float | None:
    return _number(text) if (text or "").strip() else None


def _factor(text: str | None) -> float | None:
    value = _optional(text)
    if value is not None and value > 1:
        raise ValueError(f"a batch factor is a share of the live price, 0 to 1, got {text!r}")
    return value
