"""Named arrays in one file: safetensors, the same bytes for the same arrays, no pickle."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load, save

from kg.errors import CorruptKnowledgeBase
from kg.indexes.entries import strings

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


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Writes a file."""
    path.write_bytes(to_bytes(arrays))


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
    return strings(json.loads(array.tobytes().decode("utf-8", "surrogatepass")))
