"""Dense index in Milvus: a file (``milvus-lite``) or a cluster, by the same client.

Entries carry their document and the generations that they belong to: ``since`` the first, ``until`` the first that they
don't. A reader asks for one generation; what the next one adds it doesn't see, and what that removes it still sees.
Milvus proposes by an exhaustive search (FLAT), exact arithmetic decides, as in :mod:`kg.indexes.faiss`: the same
neighbours with the same scores.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kg.errors import BadInput, CitegraphError, CorruptKnowledgeBase, Unsupported
from kg.indexes.arrays import sorted_entries
from kg.indexes.faiss import MARGIN, DenseIndex, on_grid
from kg.namespaces import digest
from kg.protocols import Encoder, Hit

if TYPE_CHECKING:
    from pymilvus import MilvusClient

_FOREVER = 2**62
_MARK = "generation"
_BATCH = 1_000
_MOST = 16_384  # results that Milvus gives at most
_LONGEST = 512  # characters of an identifier

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Entry:
    """What is found: its identifier, the document that it belongs to, and its vector."""

    id: str
    document: str
    vector: Vectors


class MilvusIndex:
    """Entries in one collection, as one generation of them. Safe to use from several threads."""

    def __init__(self, client: MilvusClient, collection: str, encoder: Encoder, generation: int) -> None:
        self._client, self._collection, self.encoder = client, collection, encoder
        self.generation = generation
        """The number of the generation that searches see; 0 holds nothing."""

    @classmethod
    def open(
        cls, uri: str, collection: str, encoder: Encoder, *, token: str = "", timeout_s: float = 60
    ) -> MilvusIndex:
        """The newest generation of a collection, made if need be. ``uri``: a file, or an address of a cluster.

        Raises CitegraphError without pymilvus, CorruptKnowledgeBase for a collection made with another model.
        """
        try:
            from pymilvus import MilvusClient
        except ImportError as error:
            raise CitegraphError("an index in Milvus needs pymilvus", "pip install 'citegraph[milvus]'") from error
        client = MilvusClient(uri, token=token, timeout=timeout_s)
        if not client.has_collection(collection):
            _create(client, collection, len(encoder.encode([""])[0]))
        index = cls(client, collection, encoder, 0)
        index.generation = index._newest()
        return index

    @classmethod
    def build(cls, entries: Sequence[tuple[str, str]], encoder: Encoder, uri: str) -> MilvusIndex:
        """An index of (id, text) entries without documents. Raises BadInput when an id comes twice."""
        ordered = sorted_entries(entries)
        index = cls.open(uri, "entries", encoder)
        vectors = encoder.encode([text for _, text in ordered])
        index.publish(Entry(id_, "", vector) for (id_, _), vector in zip(ordered, vectors, strict=True))
        return index

    def close(self) -> None:
        """Closes the connection."""
        self._client.close()

    # --- writing ---------------------------------------------------------------------------------

    def publish(self, entries: Iterable[Entry]) -> int:
        """Makes these the entries of the next generation, its number; only what differs is sent.

        The mark that makes it the newest is set last: what a writer that died has left before that is put in order by
        the next. One writer at a time. Raises BadInput when an id comes twice.
        """
        newest = self._newest()
        following = newest + 1
        self._client.delete(self._collection, filter=f"since > {newest}")
        wanted = self._rows_of(entries, following)
        changed: list[dict[str, Any]] = []
        for row in self._stored(newest):
            until = _FOREVER if wanted.pop(row["key"], None) else following
            if row["until"] != until:
                changed.append({**row, "until": until})
        self._upsert(changed)
        self._upsert(list(wanted.values()))
        self._upsert([self._row(_MARK, "", _zero(self.encoder), following, 0, self.encoder.model_hash)])
        self.generation = following
        return following

    def prune(self) -> None:
        """Removes entries that only generations before the newest have: readers of those no longer find them."""
        self._client.delete(self._collection, filter=f'until <= {self._newest()} and key != "{_MARK}"')

    def _rows_of(self, entries: Iterable[Entry], since: int) -> dict[str, dict[str, Any]]:
        rows: dict[str, dict[str, Any]] = {}
        ids: set[str] = set()
        for entry in entries:
            if entry.id in ids:
                raise BadInput(f"two entries to index have the identifier {entry.id}")
            ids.add(entry.id)
            vector = on_grid(entry.vector)
            key = digest("entry", entry.id, entry.document, vector.tobytes().hex())
            rows[key] = self._row(key, entry.document, vector, since, _FOREVER, entry.id)
        return rows

    @staticmethod
    def _row(key: str, document: str, vector: Vectors, since: int, until: int, id_: str) -> dict[str, Any]:
        if max(len(id_.encode()), len(document.encode())) > _LONGEST:
            raise BadInput(f"the identifier {id_[:40]}… has more than {_LONGEST} bytes")
        return {"key": key, "id": id_, "document": document, "since": since, "until": until, "vector": vector.tolist()}

    def _upsert(self, rows: Sequence[dict[str, Any]]) -> None:
        for at in range(0, len(rows), _BATCH):
            self._client.upsert(self._collection, rows[at : at + _BATCH])

    # --- reading ---------------------------------------------------------------------------------

    def _newest(self) -> int:
        rows = self._client.query(self._collection, filter=f'key == "{_MARK}"', output_fields=["since", "id"])
        if rows and rows[0]["id"] != self.encoder.model_hash:
            raise CorruptKnowledgeBase(
                "the collection in Milvus was made with another embedding model", "name another collection"
            )
        return int(rows[0]["since"]) if rows else 0

    def _stored(self, generation: int) -> Iterator[dict[str, Any]]:
        rows = self._client.query_iterator(
            self._collection,
            filter=self._seen(generation),
            batch_size=_BATCH,
            output_fields=["key", "id", "document", "since", "until", "vector"],
        )
        while batch := rows.next():
            for row in batch:
                yield {**row, "vector": [float(x) for x in row["vector"]]}
        rows.close()

    @staticmethod
    def _seen(generation: int, documents: Collection[str] | None = None) -> str:
        seen = f"since <= {generation} and until > {generation}"
        return seen if documents is None else f"{seen} and document in {json.dumps(sorted(documents))}"

    def search(self, query: str, limit: int, documents: Collection[str] | None = None) -> tuple[Hit, ...]:
        """At most ``limit`` entries by falling cosine with the query, ties by id; of some ``documents`` only."""
        return self.search_vector(self.encoder.encode([query])[0], limit, documents)

    def search_vector(
        self, vector: npt.NDArray[np.floating[Any]], limit: int, documents: Collection[str] | None = None
    ) -> tuple[Hit, ...]:
        """As :meth:`search`, from a vector of shape (dimensions,). Raises Unsupported for more than 16,384."""
        if limit < 1:
            return ()
        if limit > _MOST:
            raise Unsupported(f"Milvus gives {_MOST:,} entries at most", "ask for fewer")
        query = on_grid(vector)
        slack = MARGIN * max(1.0, float(np.linalg.norm(query)))
        fetch = min(limit + 16, _MOST)
        while True:
            (found,) = self._client.search(
                self._collection,
                data=[query.tolist()],
                limit=fetch,
                filter=self._seen(self.generation, documents),
                output_fields=["id", "vector"],
            )
            hits = [_hit(each, query) for each in found]
            best = sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]
            # Done when whatever was left out is worse than the last kept, Milvus's error allowed for.
            if len(found) < fetch or fetch == _MOST or float(found[-1]["distance"]) + slack < best[-1].score:
                return tuple(best)
            fetch = min(fetch * 4, _MOST)

    def save(self, folder: Path) -> None:
        """Writes the generation as a :class:`kg.indexes.faiss.DenseIndex` does, the same bytes for the same entries."""
        rows = sorted(self._stored(self.generation), key=lambda row: row["id"])
        vectors = np.array([row["vector"] for row in rows], dtype=np.float32).reshape(-1, len(_zero(self.encoder)))
        DenseIndex.of([row["id"] for row in rows], vectors, self.encoder).save(folder)


def _zero(encoder: Encoder) -> Vectors:
    return np.zeros(len(encoder.encode([""])[0]), dtype=np.float32)


def _hit(found: Any, query: Vectors) -> Hit:
    vector = np.array(found["entity"]["vector"], dtype=np.float32).astype(np.float64)
    return Hit(found["entity"]["id"], float(vector @ query.astype(np.float64)))


def _create(client: MilvusClient, collection: str, dimensions: int) -> None:
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("key", DataType.VARCHAR, is_primary=True, max_length=64)
    for name in ("id", "document"):
        schema.add_field(name, DataType.VARCHAR, max_length=_LONGEST)
    for name in ("since", "until"):
        schema.add_field(name, DataType.INT64)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimensions)
    index = client.prepare_index_params()
    index.add_index("vector", index_type="FLAT", metric_type="IP")
    client.create_collection(collection, schema=schema, index_params=index, consistency_level="Strong")


def entries_of(index: DenseIndex, document_of: dict[str, str]) -> Iterator[Entry]:
    """The entries of a knowledge base's own index, to be published; ``document_of`` gives the document of each id."""
    for id_, vector in zip(index.ids, index.vectors, strict=True):
        yield Entry(id_, document_of[id_], vector)
