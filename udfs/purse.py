"""The money of a run: what an attempt may cost, what it did cost, and a cap that is never passed.

The most an attempt can cost is reserved before it is sent and given back when its cost is known, so
that what is spent and what is in flight together never exceed the budget.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from datetime import UTC, datetime

from towbench.schemas.errors import UsageError
from towbench.schemas.prices import Prices

_POLL_S = 0.05
_DUST = 1e-9


class Purse:
    """Prices and budget of a run; safe to use from any thread.

    Args:
        prices: what models cost.
        cap: the most that this run may spend, in USD; None for no cap.

    Attributes:
        prices: what models cost.
        spent: money spent by this run, an attempt of unknown usage counting its upper bound.
        reserved: the most that the attempts in flight can add.
        used_up: a message for the user once an attempt did not fit any more, else None.
    """

    def __init__(self, prices: Prices, cap: float | None) -> None:
        self.spent = 0.0
        self.reserved = 0.0
        self.used_up: str | None = None
        self.prices = prices
        self._cap = cap
        self._lock = threading.Lock()

    def check(self, models: Iterable[str]) -> None:
        """Refuse to start under a budget that cannot be kept.

        Raises:
            UsageError: there is a budget, and a model has no known price.
        """
        day = datetime.now(UTC).date()
        unknown = sorted({one for one in models if self.prices.find(one, day) is None})
        if self._cap is not None and unknown:
            raise UsageError(
                f"TOWBENCH_BUDGET: the price of {', '.join(unknown)} is not known, so no budget "
                "can be kept; add it to prices.csv (model,since,input,output; USD per 1M tokens)"
            )

    def bound(
        self,
        model: str,
        at: datetime,
        prompt_tokens: int | None,
        completion_tokens: int | None,
        is_batch: bool = False,
    ) -> float | None:
        """The most an attempt can cost; None when its price or the length of its reply is open."""
        return self.cost(model, at, prompt_tokens, completion_tokens, None, is_batch)

    def cost(
        self,
        model: str,
        at: datetime,
        prompt_tokens: int | None,
        completion_tokens: int | None,
        cached_tokens: int | None = None,
        is_batch: bool = False,
    ) -> float | None:
        """What an attempt cost at the price of the day it was sent; None when that is not known."""
        price = self.prices.find(model, at.date())
        if price is None:
            return None
        if price.input == price.output == 0:
            return 0.0
        if prompt_tokens is None or completion_tokens is None:
            return None
        return price.cost(prompt_tokens, completion_tokens, cached_tokens or 0, is_batch)

    async def reserve(self, bound: float | None) -> bool:
        """Wait until an attempt fits; False, for good, when it cannot fit any more."""
        while not self.try_reserve(bound):
            if self.used_up:
                return False
            await asyncio.sleep(_POLL_S)
        return True

    def try_reserve(self, bound: float | None) -> bool:
        """Reserve if it fits now; sets `used_up` when nothing in flight could make room for it."""
        with self._lock:
            if self.used_up:
                return False
            if self._cap is None:
                self.reserved += bound or 0.0
                return True
            if bound is not None and self.spent + self.reserved + bound <= self._cap + _DUST:
                self.reserved += bound
                return True
            if bound is None or self.spent + bound > self._cap + _DUST or self.reserved <= _DUST:
                self._close(bound)
            return False

    def adopt(self, bound: float | None) -> None:
        """Count an attempt that an earlier run reserved and sent, whatever the cap of this one."""
        with self._lock:
            self.reserved += bound or 0.0

    def settle(self, bound: float | None, cost: float | None) -> None:
        """Give a reservation back and count what was spent, once for every reservation."""
        with self._lock:
            self.reserved = max(0.0, self.reserved - (bound or 0.0))
            self.spent += cost if cost is not None else (bound or 0.0)

    def _close(self, bound: float | None) -> None:
        needs = "has no upper bound" if bound is None else f"can cost up to {bound:.4f} USD"
        self.used_up = (
            f"TOWBENCH_BUDGET: {self.spent:.4f} of {self._cap:.4f} USD are spent and the next call "
            f"{needs}. Every reply is stored; go on by running the same command with a new BUDGET "
            "(it holds for one run), or see what is left with `make plan`"
        )
