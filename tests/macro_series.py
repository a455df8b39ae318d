"""Pairs of series for the tests of macros, and what is true of them, in whole numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from towbench.tests.macro_loader import Cell

SIZES = [0, 1, 2, 3, 3, 4, 4, 5, 5, 8, 13, 13, 50, 50, 51, 400]
KINDS = ["continuous", "ties", "binary", "constant x", "constant y", "perfect", "near", "near"]


@dataclass(frozen=True)
class Group:
    """How to make a pair of series: what it looks like, how far from zero, on which scale."""

    kind: str
    n: int
    seed: int
    offset: float
    scale: float
    noise: float
    share_missing: float

    def series(self) -> tuple[list[Cell], list[Cell]]:
        rng = np.random.default_rng(self.seed)
        x: NDArray[np.floating[Any]] = rng.normal(size=self.n)
        y: NDArray[np.floating[Any]] = rng.normal(size=self.n) + x * rng.normal()
        if self.kind == "ties":
            x, y = rng.integers(1, 11, self.n) * 1.0, rng.integers(1, 11, self.n) * 1.0
        elif self.kind == "binary":
            x, y = rng.integers(0, 2, self.n) * 1.0, rng.integers(0, 2, self.n) * 1.0
        elif self.kind == "perfect":
            y = x * (-2.5 if self.seed % 2 else 0.3)
        elif self.kind == "near":
            y = (-1) ** self.seed * x + self.noise * y
        x, y = (x + self.offset) * self.scale, (y - self.offset / 3) * self.scale
        if self.kind == "constant x":
            x = np.full(self.n, 0.1)
        elif self.kind == "constant y":
            y = np.full(self.n, 1e6 + 0.1)
        missing = rng.random((2, self.n)) < self.share_missing
        rest = [None, math.nan, math.inf]
        return (
            [rest[i % 3] if m else float(v) for i, (m, v) in enumerate(zip(missing[0], x, strict=True))],
            [rest[i % 3] if m else float(v) for i, (m, v) in enumerate(zip(missing[1], y, strict=True))],
        )  # fmt: skip


def groups(sizes: Sequence[int], few: int, many: int) -> st.SearchStrategy[list[Group]]:
    """Several groups for one query, of the given sizes."""
    return st.lists(
        st.builds(
            Group,
            kind=st.sampled_from(KINDS),
            n=st.sampled_from(sizes),
            seed=st.integers(0, 10**6),
            offset=st.sampled_from([0.0, 0.0, 3.0, 1e3, -1e6, 1e6]),
            scale=st.sampled_from([1.0, 1.0, 1e-9, 1e9, 1e-150, 1e150]),
            noise=st.sampled_from([0.5, 1e-3, 1e-5, 1e-7, 6e-8]),
            share_missing=st.sampled_from([0.0, 0.0, 0.1, 0.6]),
        ),
        min_size=few,
        max_size=many,
    )


def varies(x: Sequence[float], y: Sequence[float]) -> bool:
    """Whether a correlation of the complete pairs is defined."""
    return len(x) >= 3 and min(x) < max(x) and min(y) < max(y)


@dataclass(frozen=True)
class Truth:
    """Correlation and least squares of a pair, from exact sums; `gap` = 1 - |r|."""

    r: float
    gap: float
    slope: float
    intercept: float
    slope_stderr: float
    intercept_stderr: float


def truth(x: Sequence[float], y: Sequence[float]) -> Truth:
    """All of it in whole numbers, divided and rooted at 60 digits: doubles are binary fractions."""
    a, unit_a = _whole(x)
    b, unit_b = _whole(y)
    n, sum_a, sum_b = len(a), sum(a), sum(b)
    square_a = sum(v * v for v in a)
    saa = n * square_a - sum_a * sum_a
    sbb = n * sum(v * v for v in b) - sum_b * sum_b
    sab = n * sum(u * v for u, v in zip(a, b, strict=True)) - sum_a * sum_b
    with localcontext() as context:
        context.prec = 60
        left = Decimal(saa * sbb - sab * sab) / saa / (n * (n - 2))
        r = Decimal(sab) / (Decimal(saa).sqrt() * Decimal(sbb).sqrt()) if sbb else Decimal(0)
        return Truth(
            r=float(r),
            gap=float(1 - abs(r)),
            slope=float(Decimal(sab) / saa * unit_b / unit_a),
            intercept=float(Decimal(sum_b * saa - sab * sum_a) / (n * saa) * unit_b),
            slope_stderr=float((left * n / saa).sqrt() * unit_b / unit_a),
            intercept_stderr=float((left * square_a / saa).sqrt() * unit_b),
        )


def _whole(values: Sequence[float]) -> tuple[list[int], Decimal]:
    """Whole numbers and the power of two that they are to be multiplied by."""
    ratios = [value.as_integer_ratio() for value in values]
    common = max(below for _, below in ratios)
    with localcontext() as context:
        context.prec = 2000
        return [above * (common // below) for above, below in ratios], 1 / Decimal(common)
