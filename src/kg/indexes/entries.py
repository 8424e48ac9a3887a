"""What both indexes ask of their entries."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import cast

import numpy as np
import numpy.typing as npt

from kg.errors import BadInput


def sorted_entries(entries: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The (id, text) entries by id. Raises BadInput when an id comes twice."""
    ordered = sorted(entries)
    _check_once([id_ for id_, _ in ordered])
    return ordered


def merged_order(parts: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], list[npt.NDArray[np.int64]]]:
    """The identifiers of all parts, sorted, and the place among them of each part's. Raises BadInput for a double."""
    ids = list(chain.from_iterable(parts))
    order = np.array(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.int64)
    merged = tuple(ids[at] for at in order.tolist())
    _check_once(merged)
    places = np.empty(len(ids), dtype=np.int64)
    places[order] = np.arange(len(ids))
    ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
    return merged, [places[end - len(part) : end] for part, end in zip(parts, ends.tolist(), strict=True)]


def rising(values: Sequence[str]) -> bool:
    """Whether each is greater than the one before."""
    return all(map(operator.lt, values, values[1:]))


def _check_once(ordered: Sequence[str]) -> None:
    if not rising(ordered):
        twice = next(before for before, after in pairwise(ordered) if before == after)
        raise BadInput(f"two entries to index have the identifier {twice}")


def strings(values: Iterable[object]) -> tuple[str, ...]:
    """The values, which a damaged file may have made something else. Raises TypeError unless all are text."""
    found = tuple(values)
    if not set(map(type, found)) <= {str}:
        raise TypeError("text expected")
    return cast("tuple[str, ...]", found)
