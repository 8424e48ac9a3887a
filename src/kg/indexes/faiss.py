"""Dense index: nearest texts by the cosine of their vectors, in FAISS's exhaustive inner-product index.

FAISS proposes, exact arithmetic decides. Components are rounded to multiples of 2^-20 (about 1e-6), so the products
that make up a score are multiples of 2^-40 and their sum is exact in a double, in whatever order it is taken. Hence
equal texts score equally wherever they lie, ties are real ties, and an updated index answers as a rebuilt one does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import numpy.typing as npt

from kg.errors import BadInput, CorruptKnowledgeBase, NotFound
from kg.indexes.entries import sorted_entries, strings
from kg.namespaces import digest
from kg.protocols import Encoder, Hit

VECTORS_FILE, ENTRIES_FILE = "dense.faiss", "dense.json"
FILES = (VECTORS_FILE, ENTRIES_FILE)
_GRID = 2.0**20
_MARGIN = 1e-4  # more than FAISS's single-precision sums are off by, for vectors of any usual length
_REBUILD = "run `kg build` again to make the index anew"

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class DenseIndex:
    """Entries sorted by id. ``digests`` stand for the entries' texts, so that an update sees what changed."""

    ids: tuple[str, ...]
    digests: tuple[str, ...]
    model_hash: str
    encoder: Encoder
    flat: Any  # faiss.IndexFlatIP

    @classmethod
    def build(cls, entries: Sequence[tuple[str, str]], encoder: Encoder) -> DenseIndex:
        """The index of (id, text) entries, in any order. Raises BadInput when an id comes twice."""
        return cls._from(entries, encoder, {})

    def update(self, entries: Sequence[tuple[str, str]]) -> DenseIndex:
        """The index of ``entries``, embedding only those that this one doesn't hold; equal to :meth:`build`."""
        at = {(id_, digest_): row for row, (id_, digest_) in enumerate(zip(self.ids, self.digests, strict=True))}
        return self._from(entries, self.encoder, {key: self.vectors[row] for key, row in at.items()})

    @classmethod
    def _from(
        cls, entries: Sequence[tuple[str, str]], encoder: Encoder, known: Mapping[tuple[str, str], Vectors]
    ) -> DenseIndex:
        ordered = sorted_entries(entries)
        keys = [(id_, digest("text", text)) for id_, text in ordered]
        missing = [row for row, key in enumerate(keys) if key not in known]
        fresh = encoder.encode([ordered[row][1] for row in missing])
        if fresh.ndim != 2 or len(fresh) != len(missing) or not np.isfinite(fresh).all():
            raise BadInput("the encoder's vectors can't be indexed", "choose another model under [build] model")
        vectors = np.zeros((len(ordered), fresh.shape[1]), dtype=np.float32)
        vectors[missing] = _grid(fresh)
        for row, key in enumerate(keys):
            if key in known:
                vectors[row] = known[key]
        flat = faiss.IndexFlatIP(fresh.shape[1])
        if len(vectors):
            flat.add(vectors)
        return cls(tuple(id_ for id_, _ in keys), tuple(d for _, d in keys), encoder.model_hash, encoder, flat)

    def __len__(self) -> int:
        """Number of entries."""
        return len(self.ids)

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self.flat.d)

    @cached_property
    def vectors(self) -> Vectors:
        """All vectors, shape (entries, dimensions), in the order of ``ids``; a view of FAISS's memory, read-only."""
        if not self.ids:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        memory = faiss.rev_swig_ptr(self.flat.get_xb(), len(self.ids) * self.dimensions)
        view: Vectors = memory.reshape(len(self.ids), self.dimensions)
        view.flags.writeable = False
        return view

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
        return tuple(Hit(self.ids[row], score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True))

    def nearest(
        self, vector: npt.NDArray[np.floating[Any]], limit: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """As :meth:`search_vector`: the entries' rows and scores, each of shape (found,)."""
        if vector.shape != (self.dimensions,) or not np.isfinite(vector).all():
            raise BadInput(f"a query vector has to be {self.dimensions} finite numbers")
        if limit < 1 or not self.ids:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        query = _grid(vector)
        slack = _MARGIN * max(1.0, float(np.linalg.norm(query)))
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
        return self.vectors[rows].astype(np.float64) @ _grid(vector).astype(np.float64)

    def _propose(self, query: Vectors, count: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        # FAISS shares out queries, not entries: for one query a second thread only waits (and was seen to take
        # ten times as long on a busy machine). The setting is the calling thread's own.
        threads = faiss.omp_get_max_threads()
        faiss.omp_set_num_threads(1)
        try:
            scores, rows = self.flat.search(query[None, :], count)
        finally:
            faiss.omp_set_num_threads(threads)
        return scores, rows

    def save(self, folder: Path) -> None:
        """Writes :data:`FILES` into an existing folder, the same bytes for the same entries."""
        faiss.write_index(self.flat, str(folder / VECTORS_FILE))
        entries = [list(pair) for pair in zip(self.ids, self.digests, strict=True)]
        content = {"model": self.model_hash, "dimensions": self.dimensions, "entries": entries}
        (folder / ENTRIES_FILE).write_text(json.dumps(content, indent=0) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path, encoder: Encoder) -> DenseIndex:
        """The index saved in a folder. Raises CorruptKnowledgeBase when its files don't fit together or the encoder."""
        try:
            content = json.loads((folder / ENTRIES_FILE).read_text(encoding="utf-8"))
            ids, digests = strings(e[0] for e in content["entries"]), strings(e[1] for e in content["entries"])
            model, dimensions = content["model"], content["dimensions"]
            flat = faiss.read_index(str(folder / VECTORS_FILE))
        except (OSError, ValueError, KeyError, IndexError, TypeError, RuntimeError) as error:
            raise CorruptKnowledgeBase(f"the dense index can't be read: {error}", _REBUILD) from error
        if not isinstance(flat, faiss.IndexFlatIP) or flat.ntotal != len(ids) or flat.d != dimensions:
            raise CorruptKnowledgeBase("the dense index's vectors don't fit its entries", _REBUILD)
        if list(ids) != sorted(set(ids)):
            raise CorruptKnowledgeBase("the dense index's entries are not in order", _REBUILD)
        if model != encoder.model_hash:
            raise CorruptKnowledgeBase("the dense index was made with another embedding model", _REBUILD)
        return cls(ids, digests, model, encoder, flat)


def _grid(vectors: npt.NDArray[np.floating[Any]]) -> Vectors:
    """Components rounded to multiples of 2^-20, which a float32 holds exactly up to 16; -0 becomes 0."""
    return np.asarray(np.round(vectors.astype(np.float64) * _GRID) / _GRID + 0.0, dtype=np.float32)
