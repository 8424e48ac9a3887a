"""What both indexes ask of their entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import cast

from kg.errors import BadInput


def sorted_entries(entries: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The (id, text) entries by id. Raises BadInput when an id comes twice."""
    ordered = sorted(entries)
    for (before, _), (after, _) in pairwise(ordered):
        if before == after:
            raise BadInput(f"two entries to index have the identifier {before}")
    return ordered


def strings(values: Iterable[object]) -> tuple[str, ...]:
    """The values, which a damaged file may have made something else. Raises TypeError unless all are text."""
    found = tuple(values)
    if not all(isinstance(value, str) for value in found):
        raise TypeError("text expected")
    return cast("tuple[str, ...]", found)
