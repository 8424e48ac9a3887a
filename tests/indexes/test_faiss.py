"""What only the dense index does: vectors, exact ranking, half precision, refusal of damage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import BadInput, CorruptKnowledgeBase, NotFound
from kg.indexes.arrays import Arrays, pack_strings
from kg.indexes.embedding import OnnxEncoder
from kg.indexes.faiss import FILE, DenseIndex
from kg.protocols import Encoder

ENCODER = OnnxEncoder()
ENTRIES = [
    ("p1", "The lighthouse was lit in 1811."),
    ("p2", "The bakery sells rye bread."),
    ("p3", "A comet was seen from the reef."),
]


class Given:
    """Vectors by text, for arithmetic that no sentence gives on purpose."""

    model_hash = "given"

    def __init__(self, vectors: dict[str, list[float]], dimensions: int) -> None:
        self.vectors, self.dimensions = vectors, dimensions

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.array([self.vectors[text] for text in texts], dtype=np.float32).reshape(-1, self.dimensions)


def test_vectors_are_the_encoders_to_a_millionth() -> None:
    index = DenseIndex.build(ENTRIES, ENCODER)
    assert index.vectors.shape == (3, ENCODER.dimensions) and index.vectors.dtype == np.float32
    assert np.abs(index.vectors - ENCODER.encode([text for _, text in ENTRIES])).max() <= 2**-21
    assert np.array_equal(index.vector("p3"), index.vectors[index.rows["p3"]])
    with pytest.raises(NotFound, match="p9"):
        index.vector("p9")
    with pytest.raises(ValueError, match="read-only"):
        index.vectors[0, 0] = 1


def test_search_by_vector() -> None:
    index = DenseIndex.build(ENTRIES, ENCODER)
    hits = index.search_vector(index.vector("p2"), 3)
    assert hits[0].id == "p2" and hits[0].score == pytest.approx(1, abs=1e-5)
    for bad in (np.zeros(3, np.float32), np.full(index.dimensions, np.nan, np.float32)):
        with pytest.raises(BadInput, match="finite numbers"):
            index.search_vector(bad, 1)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 90), st.integers(1, 24), st.integers(1, 95), st.integers(0, 2**32 - 1), st.booleans())
def test_nearest_are_exactly_the_nearest(count: int, dimensions: int, limit: int, seed: int, coarse: bool) -> None:
    random = np.random.default_rng(seed)
    # Coarse vectors give many ties, fine ones scores nearer to each other than single precision tells apart.
    rows = (
        random.integers(-1, 2, (count, dimensions)) / 2 if coarse else 0.3 + random.normal(0, 1e-6, (count, dimensions))
    )
    vectors = {f"t{i}": [float(x) for x in row] for i, row in enumerate(rows)}
    index = DenseIndex.build([(f"i{i:02d}", f"t{i}") for i in range(count)], Given(vectors, dimensions))
    query = np.asarray(random.integers(-1, 2, dimensions) if coarse else random.normal(size=dimensions), np.float32)
    on_grid = np.round(query.astype(np.float64) * 2**20).astype(np.int64)
    exact = [
        sum(int(a) * int(b) for a, b in zip(row, on_grid, strict=True)) for row in np.int64(index.vectors * 2.0**20)
    ]
    expected = sorted(range(count), key=lambda i: (-exact[i], i))[:limit]
    assert [hit.id for hit in index.search_vector(query, limit)] == [f"i{i:02d}" for i in expected]
    assert [hit.score for hit in index.search_vector(query, limit)] == [exact[i] / 2**40 for i in expected]


def test_an_encoder_that_gives_nonsense_is_refused() -> None:
    class Short(Given):
        def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            return np.zeros((len(texts) + 1, 4), np.float32)

    nan = Given({"a": [float("nan")] * 4}, 4)
    for encoder in (nan, Short({}, 4)):
        with pytest.raises(BadInput, match="can't be indexed"):
            DenseIndex.build([("x", "a")], encoder)


def test_half_precision_ranks_exactly_and_survives_saving(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    vectors = random.normal(size=(70, 24))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    encoder = Given({}, 24)
    index = DenseIndex.of([f"i{n:02d}" for n in range(70)], vectors, encoder, half=True)
    assert np.array_equal(index.vectors, vectors.astype(np.float16).astype(np.float32))
    query = random.normal(size=24).astype(np.float32)
    exact = [
        sum(int(a) * int(b) for a, b in zip(row, np.round(query * 2.0**20).astype(np.int64), strict=True))
        for row in (index.vectors * 2.0**24).astype(np.int64)
    ]
    assert [h.score for h in index.search_vector(query, 70)] == sorted((e / 2**44 for e in exact), reverse=True)
    index.save(tmp_path)
    assert np.array_equal(DenseIndex.load(tmp_path, encoder).vectors, index.vectors)
    assert (tmp_path / FILE).stat().st_size < 70 * 24 * 2 + 1200


def refused(arrays: Arrays, encoder: Encoder = ENCODER) -> str:
    with pytest.raises(CorruptKnowledgeBase) as caught:
        DenseIndex.of_arrays(arrays, encoder)
    return caught.value.message


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    DenseIndex.build(ENTRIES, ENCODER).save(tmp_path)
    sound = (tmp_path / FILE).read_bytes()
    for damaged in (b"", sound[:-5], sound[:20], b"{}"):
        (tmp_path / FILE).write_bytes(damaged)
        with pytest.raises(CorruptKnowledgeBase):
            DenseIndex.load(tmp_path, ENCODER)
    (tmp_path / FILE).write_bytes(sound)
    assert len(DenseIndex.load(tmp_path, ENCODER)) == 3


def test_parts_that_do_not_fit_are_refused() -> None:
    sound = dict(DenseIndex.build(ENTRIES, ENCODER).arrays())
    assert "order" in refused({**sound, "ids": pack_strings(["p2", "p1", "p3"])})
    assert "don't fit" in refused({**sound, "ids": pack_strings(["p1", "p2"])})
    assert "don't fit" in refused({**sound, "vectors": sound["vectors"].astype(np.float64)})
    assert "text expected" in refused({**sound, "ids": np.frombuffer(b"[1,2,3]", np.uint8)})
    for name in sound:
        assert "can't be read" in refused({n: array for n, array in sound.items() if n != name})


def test_another_model_is_refused() -> None:
    index = DenseIndex.build(ENTRIES, ENCODER)
    assert "another embedding model" in refused(index.arrays(), Given({}, ENCODER.dimensions))
