"""The mark by which a server says which generation of a graph it holds, and whether it is being changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from kg.stores.engines import OWN, STATE

_STORE, _IS = f"<{OWN}store>", f"<{OWN}is>"


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """The ``number``-th state of a server: a ``generation``, or on the way to that in ``writing``.

    Numbers rise with every change, so that a generation that comes again has another mark.
    """

    number: int
    generation: str
    writing: str = ""

    @staticmethod
    def query() -> str:
        """The query for the marks of a server."""
        return f"SELECT ?mark {{ GRAPH {STATE} {{ {_STORE} {_IS} ?mark }} }}"

    def is_at(self, generation: str) -> bool:
        """Whether that generation is there, whole."""
        return self.generation == generation and not self.writing

    def on_the_way(self, generation: str) -> Mark:
        """The mark of a change to that generation which is under way."""
        return Mark(self.number + 1, self.generation, generation)

    def there(self, generation: str) -> Mark:
        """The mark of that generation, arrived at."""
        return Mark(self.number + 1, generation)

    @property
    def _triple(self) -> str:
        text = f"{self.number} {self.generation or '-'} {self.writing}".strip()
        return f"GRAPH {STATE} {{ {_STORE} {_IS} {ox.Literal(text)} }}"

    def replacing(self, others: Iterable[Mark]) -> str:
        """The update that puts this mark in the place of others. In between both are there, never none."""
        gone = " ".join(mark._triple for mark in others if mark != self)
        return f"INSERT DATA {{ {self._triple} }}" + (f" ;\nDELETE DATA {{ {gone} }}" if gone else "")


def marked(rows: Iterable[list[Any]]) -> tuple[Mark, ...]:
    """Marks of the rows of :meth:`Mark.query`, in the order of their numbers."""
    found = []
    for (literal,) in rows:
        number, generation, *writing = literal.value.split(" ")
        found.append(Mark(int(number), generation.replace("-", "", 1) if generation == "-" else generation, *writing))
    return tuple(sorted(found))
