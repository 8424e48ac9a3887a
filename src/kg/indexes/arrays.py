"""What all indexes are kept as: entries sorted by id, and named arrays in one file of safetensors (no pickle)."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load, save

from kg.errors import BadInput, CorruptKnowledgeBase

Arrays = Mapping[str, npt.NDArray[Any]]
REBUILD = "run `kg build` again to make the index anew"


def to_bytes(arrays: Arrays) -> bytes:
    """The file's content."""
    return save({name: np.ascontiguousarray(array) for name, array in sorted(arrays.items())})


def of_bytes(data: bytes) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file's content. Raises CorruptKnowledgeBase."""
    try:
        return dict(load(data))
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise CorruptKnowledgeBase(f"an index can't be read: {error}", REBUILD) from error


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file. Raises CorruptKnowledgeBase where it is missing or damaged."""
    try:
        return of_bytes(path.read_bytes())
    except OSError as error:
        raise CorruptKnowledgeBase(f"an index can't be read: {error}", REBUILD) from error


def pack_strings(values: Iterable[str]) -> npt.NDArray[np.uint8]:
    """Texts as an array of bytes."""
    data = json.dumps(list(values), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return np.frombuffer(data, dtype=np.uint8)


def unpack_strings(array: npt.NDArray[Any]) -> tuple[str, ...]:
    """The texts of :func:`pack_strings`. Raises ValueError, TypeError."""
    found = tuple(json.loads(array.tobytes().decode("utf-8", "surrogatepass")))
    if not set(map(type, found)) <= {str}:  # a damaged file may have made it something else
        raise TypeError("text expected")
    return cast("tuple[str, ...]", found)


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
