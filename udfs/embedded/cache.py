"""A bounded, thread-safe memory keyed by the hash of long strings."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class DigestCache(Generic[T]):
    """Remembers `make(*texts)` for the latest `size` argument tuples.

    Keys are digests, so that the texts themselves can be freed. Two threads may compute one value
    twice; the values are equal, so no harm is done.
    """

    def __init__(self, make: Callable[..., T], size: int) -> None:
        self._make = make
        self._size = size
        self._kept: OrderedDict[bytes, T] = OrderedDict()
        self._lock = Lock()

    def __call__(self, *texts: str) -> T:
        digest = hashlib.blake2b(digest_size=16)
        for text in texts:
            raw = text.encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(8, "big"))
            digest.update(raw)
        key = digest.digest()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        value = self._make(*texts)
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return value
