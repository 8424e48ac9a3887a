"""Milvus finds what FAISS finds, in one generation and among some documents only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from kg.errors import BadInput, CorruptKnowledgeBase, Unsupported
from kg.indexes.faiss import FILE, DenseIndex

pytest.importorskip("pymilvus", reason="pymilvus isn't installed: pip install 'citegraph[engines]'")
pytest.importorskip("milvus_lite", reason="milvus-lite isn't installed: pip install 'citegraph[engines]'")

from kg.indexes.milvus import Entry, MilvusIndex, entries_of

DIMENSIONS = 24


class Hashed:
    """Vectors that follow from the text alone."""

    model_hash = "hashed"

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = [np.random.default_rng(list(text.encode()) or [0]).normal(size=DIMENSIONS) for text in texts]
        found = np.array(rows, dtype=np.float64).reshape(-1, DIMENSIONS)
        return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


ENCODER = Hashed()
TEXTS = [(f"p{n:03d}", f"text {n % 90}") for n in range(120)]  # thirty come twice: ties
QUERIES = ["text 7", "lighthouse", "", "text 89"]


def document(id_: str) -> str:
    return f"doc-{int(id_[1:]) % 4}"


@pytest.fixture
def index(tmp_path: Path) -> Iterator[MilvusIndex]:
    made = MilvusIndex.open(str(tmp_path / "milvus.db"), "passages", ENCODER)
    yield made
    made.close()


def entries(texts: Sequence[tuple[str, str]]) -> list[Entry]:
    vectors = ENCODER.encode([text for _, text in texts])
    return [Entry(id_, document(id_), vector) for (id_, _), vector in zip(texts, vectors, strict=True)]


def test_the_same_neighbours_with_the_same_scores(index: MilvusIndex, tmp_path: Path) -> None:
    faiss = DenseIndex.build(TEXTS, ENCODER)
    index.publish(entries_of(faiss, {id_: document(id_) for id_, _ in TEXTS}))
    for query in QUERIES:
        for limit in (1, 3, 10, 200):
            assert index.search(query, limit) == faiss.search(query, limit)
    assert index.search("text 7", 0) == () == index.search("text 7", -1)
    for name, each in (("milvus", index), ("faiss", faiss)):
        (tmp_path / name).mkdir()
        each.save(tmp_path / name)
    assert (tmp_path / "milvus" / FILE).read_bytes() == (tmp_path / "faiss" / FILE).read_bytes()


def test_only_some_documents_are_searched(index: MilvusIndex) -> None:
    index.publish(entries(TEXTS))
    for documents in ({"doc-1"}, {"doc-0", "doc-3"}, {'no "such" document'}, set[str]()):
        some = DenseIndex.build([(i, t) for i, t in TEXTS if document(i) in documents], ENCODER)
        for query in QUERIES:
            assert index.search(query, 5, documents) == some.search(query, 5)


def test_a_reader_stays_with_its_generation(index: MilvusIndex, tmp_path: Path) -> None:
    first, second = TEXTS[:80], [*TEXTS[20:70], ("p010", "another text"), *TEXTS[80:]]
    assert index.publish(entries(first)) == 1
    reader = MilvusIndex(index._client, "passages", ENCODER, 1)
    assert index.publish(entries(second)) == 2
    for each, texts in ((reader, first), (index, second)):
        faiss = DenseIndex.build(texts, ENCODER)
        assert [each.search(q, 9) for q in QUERIES] == [faiss.search(q, 9) for q in QUERIES]
    index.prune()
    assert index.search("text 7", 9) == DenseIndex.build(second, ENCODER).search("text 7", 9)
    assert {hit.id for hit in reader.search("text 7", 200)} == {i for i, t in first if (i, t) in second}


def test_only_what_differs_is_sent(index: MilvusIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    index.publish(entries(TEXTS[:50]))
    sent: list[str] = []
    upsert = MilvusIndex._upsert

    def counted(self: MilvusIndex, rows: Sequence[dict[str, str]]) -> None:
        sent.extend(row["id"] for row in rows)
        upsert(self, rows)

    monkeypatch.setattr(MilvusIndex, "_upsert", counted)
    index.publish(entries(TEXTS[1:51]))
    assert sorted(sent) == ["hashed", "p000", "p050"]


def test_what_a_writer_that_died_left_is_put_in_order(index: MilvusIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    index.publish(entries(TEXTS[:30]))
    upsert, left = MilvusIndex._upsert, iter([True, True, False])

    def dying(self: MilvusIndex, rows: Sequence[dict[str, str]]) -> None:
        if not next(left):
            raise RuntimeError("the power is gone")
        upsert(self, rows)

    monkeypatch.setattr(MilvusIndex, "_upsert", dying)
    with pytest.raises(RuntimeError):
        index.publish(entries(TEXTS[10:60]))
    monkeypatch.undo()
    before = DenseIndex.build(TEXTS[:30], ENCODER)
    assert [index.search(q, 40) for q in QUERIES] == [before.search(q, 40) for q in QUERIES]
    index.publish(entries(TEXTS[5:40]))
    after = DenseIndex.build(TEXTS[5:40], ENCODER)
    assert [index.search(q, 40) for q in QUERIES] == [after.search(q, 40) for q in QUERIES]


def test_what_is_refused(index: MilvusIndex) -> None:
    with pytest.raises(BadInput, match="p003"):
        index.publish(entries([TEXTS[3], TEXTS[3]]))
    with pytest.raises(BadInput, match="more than 512"):
        index.publish([Entry("p" * 600, "", np.zeros(DIMENSIONS, np.float32))])
    with pytest.raises(Unsupported, match="16,384"):
        index.search("text", 20_000)
    index.publish(entries(TEXTS[:3]))
    other = MilvusIndex(index._client, "passages", Hashed(), 1)
    other.encoder.model_hash = "other"  # type: ignore[misc]
    with pytest.raises(CorruptKnowledgeBase, match="another embedding model"):
        other.publish(entries(TEXTS[:3]))
