"""Results of short queries, kept while the graph stays the same: pages ask the same few questions again and again."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, Protocol, TypeVar

# Functions that give something else each time; escapes could hide their names.
_CHANGING = re.compile(r"now|rand|uuid|bnode|\\u", re.IGNORECASE)


class _Sized(Protocol):
    @property
    def body(self) -> bytes: ...


T = TypeVar("T", bound=_Sized)


class Cache(Generic[T]):
    """Results by what was asked of which generation; the one that wasn't asked for longest goes first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held = 0
        self._generation: object = None
        self._results: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, generation: object, key: Hashable) -> T | None:
        """The result, if it is known of this generation."""
        with self._lock:
            found = self._results.get(key) if generation is self._generation else None
            if found is None:
                return None
            self._results.move_to_end(key)
            return found[0]

    def put(self, generation: object, key: Hashable, query: str, result: T) -> None:
        """Keeps a result, unless it is large or differs from time to time."""
        size = len(result.body) + len(query)
        if size > self._most // 16 or _CHANGING.search(query):
            return
        with self._lock:
            if generation is not self._generation:
                self._generation, self._held = generation, 0
                self._results.clear()
            self._held += size - self._results.pop(key, (None, 0))[1]
            self._results[key] = result, size
            while self._held > self._most:
                self._held -= self._results.popitem(last=False)[1][1]
