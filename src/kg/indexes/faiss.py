"""Dense index: nearest texts by the cosine of their vectors, by FAISS's exhaustive search for inner products.

FAISS proposes, exact arithmetic decides. Components are rounded: to multiples of 2^-20 (about 1e-6), or to half
precision where an index is made of many vectors that need no more. So the products that make up a score are multiples
of 2^-44 and their sum is exact in a double, in whatever order it is taken. Hence equal vectors score equally wherever
they lie, ties are real ties, and an index merged of parts answers as one built whole does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import numpy.typing as npt

from kg.errors import BadInput, CorruptKnowledgeBase, NotFound
from kg.indexes.arrays import (
    REBUILD,
    Arrays,
    merged_order,
    pack_strings,
    read_arrays,
    rising,
    sorted_entries,
    to_bytes,
    unpack_strings,
)
from kg.protocols import Encoder, Hit

FILE = "dense.safetensors"
_GRID = 2.0**20
MARGIN = 1e-4  # more than FAISS's single-precision sums are off by, for vectors of any usual length

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class DenseIndex:
    """Entries sorted by id, and their vectors in that order as they are saved, in single or in half precision."""

    ids: tuple[str, ...]
    saved: npt.NDArray[np.float32] | npt.NDArray[np.float16]  # (entries, dimensions)
    encoder: Encoder

    @classmethod
    def build(cls, entries: Sequence[tuple[str, str]], encoder: Encoder) -> DenseIndex:
        """The index of (id, text) entries, in any order. Raises BadInput when an id comes twice."""
        ordered = sorted_entries(entries)
        return cls.of([id_ for id_, _ in ordered], encoder.encode([text for _, text in ordered]), encoder)

    @classmethod
    def of(
        cls, ids: Sequence[str], vectors: npt.NDArray[np.floating[Any]], encoder: Encoder, *, half: bool = False
    ) -> DenseIndex:
        """The index of identifiers, in any order, with their vectors. Raises BadInput when an id comes twice."""
        if vectors.ndim != 2 or len(vectors) != len(ids) or not np.isfinite(vectors).all():
            raise BadInput("the encoder's vectors can't be indexed", "choose another model under [build] model")
        ordered, (places,) = merged_order([ids])
        rounded = vectors.astype(np.float16) + np.float16(0) if half else on_grid(vectors)
        saved = np.empty_like(rounded)
        saved[places] = rounded
        return cls(ordered, saved, encoder)

    @classmethod
    def merge(cls, parts: Sequence[DenseIndex], none: DenseIndex) -> DenseIndex:
        """The index of all entries of several, equal to one built of them. Raises BadInput when an id comes twice.

        ``none`` has no entry: it says what an index of no parts is like.
        """
        ids, places = merged_order([part.ids for part in parts])
        saved = np.empty((len(ids), none.dimensions), dtype=none.saved.dtype)
        for part, place in zip(parts, places, strict=True):
            saved[place] = part.saved
        return cls(ids, saved, none.encoder)

    def __len__(self) -> int:
        """Number of entries."""
        return len(self.ids)

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self.saved.shape[1])

    @cached_property
    def vectors(self) -> Vectors:
        """All vectors, shape (entries, dimensions), in the order of ``ids``; read-only."""
        vectors = self.saved.astype(np.float32, copy=False).view()
        vectors.flags.writeable = False
        return vectors

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Row of each id in ``vectors``."""
        return {id_: row for row, id_ in enumerate(self.ids)}

    def vector(self, id_: str) -> Vectors:
        """The vector of an entry, shape (dimensions,). Raises NotFound."""
        if id_ not in self.rows:
            raise NotFound(f"no entry {id_} in the dense index")
        row: Vectors = self.vectors[self.rows[id_]]
        return row

    def search(self, query: str, limit: int) -> tuple[Hit, ...]:
        """At most ``limit`` entries by falling cosine with the query, ties by id."""
        if limit < 1 or not self.ids:
            return ()
        return self.search_vector(self.encoder.encode([query])[0], limit)

    def search_vector(self, vector: npt.NDArray[np.floating[Any]], limit: int) -> tuple[Hit, ...]:
        """As :meth:`search`, from a vector of shape (dimensions,); the score is the inner product with it."""
        rows, scores = self.nearest(vector, limit)
        return tuple(map(Hit, (self.ids[row] for row in rows.tolist()), scores.tolist()))

    def nearest(
        self, vector: npt.NDArray[np.floating[Any]], limit: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """As :meth:`search_vector`: the entries' rows and scores, each of shape (found,)."""
        if vector.shape != (self.dimensions,) or not np.isfinite(vector).all():
            raise BadInput(f"a query vector has to be {self.dimensions} finite numbers")
        if limit < 1 or not self.ids:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        query = on_grid(vector)
        slack = MARGIN * max(1.0, float(np.linalg.norm(query)))
        wanted = min(limit, len(self.ids))
        fetch = min(len(self.ids), wanted + 16)
        while True:
            proposed, rows = self._propose(query, fetch)
            found = np.sort(rows[0])  # ids are sorted: the order of rows is the order of ids
            scores = self.vectors[found].astype(np.float64) @ query.astype(np.float64)
            best = np.argsort(-scores, kind="stable")[:wanted]
            # Done when whatever FAISS left out is worse than the last kept, its error allowed for.
            if fetch == len(self.ids) or float(proposed[0, -1]) + slack < float(scores[best[-1]]):
                return found[best], scores[best]
            fetch = min(len(self.ids), fetch * 4)

    def cosines(self, vector: npt.NDArray[np.floating[Any]], rows: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Inner products of a vector with the entries in some rows, shape (rows,), exact as those of a search."""
        return self.vectors[rows].astype(np.float64) @ on_grid(vector).astype(np.float64)

    def _propose(self, query: Vectors, count: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        # FAISS shares out queries, not entries: for one query a second thread only waits (and was seen to take
        # ten times as long on a busy machine). The setting is the calling thread's own.
        threads = faiss.omp_get_max_threads()
        faiss.omp_set_num_threads(1)
        try:
            scores, rows = faiss.knn(query[None, :], self.vectors, count, metric=faiss.METRIC_INNER_PRODUCT)
        finally:
            faiss.omp_set_num_threads(threads)
        return scores, rows

    def arrays(self) -> Arrays:
        """Identifiers, vectors and the encoder's hash as arrays, the same for the same entries."""
        return {"ids": pack_strings(self.ids), "model": pack_strings((self.encoder.model_hash,)), "vectors": self.saved}

    @classmethod
    def of_arrays(cls, arrays: Arrays, encoder: Encoder) -> DenseIndex:
        """From :meth:`arrays`. Raises CorruptKnowledgeBase when they don't fit together or the encoder."""
        try:
            ids, (model,), vectors = unpack_strings(arrays["ids"]), unpack_strings(arrays["model"]), arrays["vectors"]
        except (ValueError, KeyError, TypeError) as error:
            raise CorruptKnowledgeBase(f"the dense index can't be read: {error}", REBUILD) from error
        if vectors.dtype not in (np.float32, np.float16) or vectors.ndim != 2 or len(vectors) != len(ids):
            raise CorruptKnowledgeBase("the dense index's vectors don't fit its entries", REBUILD)
        if not rising(ids):
            raise CorruptKnowledgeBase("the dense index's entries are not in order", REBUILD)
        if model != encoder.model_hash:
            raise CorruptKnowledgeBase("the dense index was made with another embedding model", REBUILD)
        return cls(ids, vectors, encoder)

    def save(self, folder: Path) -> None:
        """Writes :data:`FILE` into an existing folder, the same bytes for the same entries."""
        (folder / FILE).write_bytes(to_bytes(self.arrays()))

    @classmethod
    def load(cls, folder: Path, encoder: Encoder) -> DenseIndex:
        """The index saved in a folder. Raises CorruptKnowledgeBase when it is damaged or of another encoder."""
        return cls.of_arrays(read_arrays(folder / FILE), encoder)


def on_grid(vectors: npt.NDArray[np.floating[Any]]) -> Vectors:
    """Components rounded to multiples of 2^-20, which a float32 holds exactly up to 16; -0 becomes 0."""
    return np.asarray(np.round(vectors.astype(np.float64) * _GRID) / _GRID + 0.0, dtype=np.float32)
