"""What both indexes ask of their entries."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kg.errors import BadInput


def sorted_entries(entries: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The (id, text) entries by id. Raises BadInput when an id comes twice."""
    ordered = sorted(entries)
    for (before, _), (after, _) in pairwise(ordered):
        if before == after:
            raise BadInput(f"two entries to index have the identifier {before}")
    return ordered
