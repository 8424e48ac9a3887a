"""The indexes of passages and of units of quotation: a segment a document, put together when they are opened.

A segment is a pure function of a document's record, the embedding model and this code, in one file. So a change costs
what the changed documents cost, and the segments are those that a build from nothing makes. A file's name begins with
a hash of what the segment is made of, so that a build takes up what a stopped one has made and another version never
takes it for its own, and ends with the hash of its content.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kg import versions
from kg.errors import CorruptKnowledgeBase
from kg.indexes import arrays
from kg.indexes.texts import head_length, passage_entries, unit_entries, unit_spans
from kg.namespaces import digest
from kg.storage import Folder, file_sha256, sha256, write_atomically

if TYPE_CHECKING:
    from kg.indexes.embedding import OnnxEncoder
    from kg.indexes.faiss import DenseIndex
    from kg.indexes.lexical import LexicalIndex
    from kg.model import Passage

FOLDER, SUFFIX = "indexes", ".safetensors"
_AHEAD = 64  # passages that wait to be embedded, at least: enough to keep all threads busy

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Indexes:
    """Dense and lexical indexes over passages and over units of quotation."""

    passages: DenseIndex
    passages_lexical: LexicalIndex
    units: DenseIndex
    units_lexical: LexicalIndex


def build_indexes(passages: Iterable[Passage], encoder: OnnxEncoder) -> Indexes:
    """The indexes of passages."""
    ((_, indexes),) = build_each([("", tuple(passages))], encoder)
    return indexes


def build_each(
    documents: Iterable[tuple[str, Sequence[Passage]]], encoder: OnnxEncoder
) -> Iterator[tuple[str, Indexes]]:
    """The indexes of each of many documents' passages, in order; the documents are taken as they are needed."""
    waiting: deque[tuple[str, Sequence[Passage], list[Future[tuple[Vectors, Vectors]]]]] = deque()
    pool = ThreadPoolExecutor(encoder.workers)
    try:
        for name, passages in documents:
            waiting.append((name, passages, [pool.submit(_embedded, p, encoder) for p in passages]))
            while sum(len(found) for _, _, found in waiting) > _AHEAD + len(waiting[0][2]):
                name, passages, found = waiting.popleft()
                yield name, _indexes(passages, [f.result() for f in found], encoder)
        for name, passages, found in waiting:
            yield name, _indexes(passages, [f.result() for f in found], encoder)
    finally:  # nobody waits for what a stopped build would have embedded
        pool.shutdown(cancel_futures=True)


def _embedded(passage: Passage, encoder: OnnxEncoder) -> tuple[Vectors, Vectors]:
    """The vectors of a passage's entry, and of its units' entries."""
    ((_, text),) = passage_entries(passage)
    if encoder.pools:
        vector, units = encoder.encode_parts(text, unit_spans(passage), head_length(passage))
        return vector[None], units
    return encoder.encode([text]), np.concatenate(
        [np.zeros((0, encoder.dimensions), np.float32), *(encoder.encode([t]) for _, t in unit_entries(passage))]
    )


def _indexes(passages: Sequence[Passage], vectors: Sequence[tuple[Vectors, Vectors]], encoder: OnnxEncoder) -> Indexes:
    from kg.indexes.faiss import DenseIndex
    from kg.indexes.lexical import LexicalIndex

    entries = [entry for passage in passages for entry in passage_entries(passage)]
    units = [entry for passage in passages for entry in unit_entries(passage)]
    none = np.zeros((0, encoder.dimensions), np.float32)
    of_passages, of_units = (np.concatenate([none, *(both[at] for both in vectors)]) for at in (0, 1))
    return Indexes(
        DenseIndex.of([id_ for id_, _ in entries], of_passages, encoder),
        LexicalIndex.build(entries),
        DenseIndex.of([id_ for id_, _ in units], of_units, encoder, half=True),
        LexicalIndex.build(units),
    )


def to_bytes(indexes: Indexes) -> bytes:
    """A segment's file, the same bytes for the same entries."""
    return arrays.to_bytes(
        {f"{part}.{name}": array for part in _PARTS for name, array in getattr(indexes, part).arrays().items()}
    )


def of_bytes(data: bytes, encoder: OnnxEncoder) -> Indexes:
    """The indexes in a segment's file. Raises CorruptKnowledgeBase where they don't fit together or the encoder."""
    from kg.indexes.faiss import DenseIndex
    from kg.indexes.lexical import LexicalIndex

    parts: dict[str, dict[str, npt.NDArray[Any]]] = {part: {} for part in _PARTS}
    for key, array in arrays.of_bytes(data).items():
        part, _, name = key.partition(".")
        parts.setdefault(part, {})[name] = array
    return Indexes(
        DenseIndex.of_arrays(parts["passages"], encoder),
        LexicalIndex.of_arrays(parts["passages_lexical"]),
        DenseIndex.of_arrays(parts["units"], encoder),
        LexicalIndex.of_arrays(parts["units_lexical"]),
    )


def key(record: str, model_hash: str) -> str:
    """What the name of the segment of a record (by its hash) begins with."""
    return digest("segment", record, model_hash, versions.INDEX)


def made(folder: Folder) -> dict[str, str]:
    """Names of the segments that are there, by their keys."""
    names = (name.removesuffix(SUFFIX) for name in sorted(os.listdir(folder.path / FOLDER)) if name.endswith(SUFFIX))
    return {name.partition("-")[0]: name for name in names if "-" in name and not name.startswith(".")}


def intact(folder: Folder, name: str) -> bool:
    """Whether a segment is there and unaltered."""
    path = folder.path / FOLDER / (name + SUFFIX)
    return bool(name) and path.is_file() and file_sha256(path) == content_hash(name)


def content_hash(name: str) -> str:
    """The SHA-256 that the file of a segment of that name has."""
    return name.partition("-")[2]


def store(folder: Folder, key_: str, data: bytes) -> str:
    """Stores a segment's file; its name."""
    name = f"{key_}-{sha256(data)}"
    if not intact(folder, name):
        write_atomically(folder.path / FOLDER / (name + SUFFIX), data)
    return name


def read_segment(folder: Folder, name: str, encoder: OnnxEncoder) -> Indexes:
    """The segment of that name. Raises CorruptKnowledgeBase where it is gone or altered or of another model."""
    path = folder.path / FOLDER / (name + SUFFIX)
    data = path.read_bytes() if name and path.is_file() else b""
    if sha256(data) != content_hash(name):
        raise CorruptKnowledgeBase(f"{path} is missing or altered", "run: kg build on the documents again")
    return of_bytes(data, encoder)


_PARTS = tuple(Indexes.__dataclass_fields__)


def merge(segments: Iterable[Indexes], encoder: OnnxEncoder) -> Indexes:
    """The indexes of all documents."""
    from kg.indexes.faiss import DenseIndex
    from kg.indexes.lexical import LexicalIndex

    parts, none = list(segments), _indexes((), (), encoder)
    return Indexes(
        DenseIndex.merge([s.passages for s in parts], none.passages),
        LexicalIndex.merge([s.passages_lexical for s in parts]),
        DenseIndex.merge([s.units for s in parts], none.units),
        LexicalIndex.merge([s.units_lexical for s in parts]),
    )
