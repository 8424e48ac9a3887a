"""One suite over every index: what a text index has to do, whatever it ranks by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import BadInput, CorruptKnowledgeBase
from kg.indexes.embedding import OnnxEncoder
from kg.indexes.faiss import DenseIndex
from kg.indexes.lexical import LexicalIndex
from tests.indexes.test_lexical import brute_force


class Remembering:
    """The real encoder; a text's vector doesn't depend on its company, so it is made once."""

    def __init__(self) -> None:
        self.real = OnnxEncoder()
        self.model_hash = self.real.model_hash
        self.known: dict[str, npt.NDArray[np.float32]] = {}

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        new = sorted(set(texts) - self.known.keys())
        self.known.update(zip(new, self.real.encode(new), strict=True))
        return np.array([self.known[text] for text in texts], dtype=np.float32).reshape(-1, self.real.dimensions)


ENCODER = Remembering()
Entries = list[tuple[str, str]]
Index = DenseIndex | LexicalIndex


@dataclass(frozen=True)
class Kind:
    """An index under test and its ranking by brute force (every entry that may be found, with its score)."""

    name: str
    build: Callable[[Sequence[tuple[str, str]]], Index]
    load: Callable[[Path], Index]
    merge: Callable[[Sequence[Any]], Index]
    scores: Callable[[Entries, str], dict[str, float]]


def cosines(entries: Entries, query: str) -> dict[str, float]:
    vectors = ENCODER.encode([text for _, text in entries]).astype(np.float64)
    scores = vectors @ ENCODER.encode([query])[0].astype(np.float64)
    return {id_: float(score) for (id_, _), score in zip(entries, scores, strict=True)}


KINDS = [
    Kind(
        "dense",
        lambda e: DenseIndex.build(e, ENCODER),
        lambda f: DenseIndex.load(f, ENCODER),
        lambda parts: DenseIndex.merge(parts, DenseIndex.build([], ENCODER)),
        cosines,
    ),
    Kind("lexical", LexicalIndex.build, LexicalIndex.load, LexicalIndex.merge, brute_force),
]
TEXTS = [
    "The lighthouse on the reef was lit in 1811.",
    "Its lamp burned colza oil.",
    "The bakery opens at five and sells rye bread.",
    "Rye flour costs more than wheat flour.",
    "A comet with two tails was seen over the reef.",
    "The telescope's mirror measures 5.1 m.",
    "",
    "The of and.",
]
QUERIES = ["When was the lighthouse lit?", "rye bread", "comet tails", "5.1 m mirror", "reef", "zeppelin", ""]

kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
entry_sets = st.dictionaries(
    st.text("abcdef-:/", min_size=1, max_size=4), st.sampled_from(TEXTS), max_size=9
).map(lambda d: list(d.items()))  # fmt: skip


def entries() -> Entries:
    return [(f"e{i}", text) for i, text in enumerate(TEXTS)]


def answers(index: Index) -> list[object]:
    return [index.search(query, limit) for query in QUERIES for limit in (1, 3, 100)]


def files(index: Index, folder: Path) -> dict[str, bytes]:
    folder.mkdir(parents=True)
    index.save(folder)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@kinds
def test_ranking_is_brute_forces(kind: Kind) -> None:
    index = kind.build(entries())
    for query in QUERIES:
        expected = kind.scores(entries(), query)
        hits = index.search(query, len(TEXTS))
        assert {hit.id for hit in hits} == expected.keys() or query == ""
        for hit in hits:
            assert hit.score == pytest.approx(expected[hit.id], abs=3e-5)
        assert list(hits) == sorted(hits, key=lambda hit: (-hit.score, hit.id))
        for limit in (1, 2, 5):
            assert index.search(query, limit) == hits[:limit]


@kinds
def test_limits(kind: Kind) -> None:
    index = kind.build(entries())
    assert index.search("reef", 0) == () == index.search("reef", -1)
    assert len(index.search("reef", 1)) == 1


@kinds
def test_equal_texts_tie_and_are_ordered_by_id(kind: Kind) -> None:
    # More copies than FAISS takes in one block, so that some are in a remainder that it sums differently.
    same = [(f"s{i:03d}", TEXTS[0]) for i in range(67)]
    index = kind.build([*reversed(same), ("t", TEXTS[2])])
    for limit in (1, 5, 66, 67):
        hits = index.search("lighthouse on a reef", limit)
        assert [hit.id for hit in hits] == [id_ for id_, _ in same][:limit]
        assert len({hit.score for hit in hits}) == 1


@kinds
def test_empty_and_single(kind: Kind, tmp_path: Path) -> None:
    empty = kind.build([])
    assert len(empty) == 0 and empty.search("reef", 3) == ()
    empty.save(tmp_path)
    assert kind.load(tmp_path).search("reef", 3) == ()
    single = kind.build([("only", TEXTS[0])])
    assert [hit.id for hit in single.search("the reef's lighthouse", 3)] == ["only"]
    assert kind.merge([empty, single, empty]).search("reef", 3) == single.search("reef", 3)
    assert kind.merge([]).search("reef", 3) == ()


@kinds
def test_an_identifier_comes_once(kind: Kind) -> None:
    with pytest.raises(BadInput, match="twin"):
        kind.build([("twin", TEXTS[0]), ("a", TEXTS[1]), ("twin", TEXTS[2])])
    with pytest.raises(BadInput, match="twin"):
        kind.merge([kind.build([("twin", TEXTS[0])]), kind.build([("a", TEXTS[1]), ("twin", TEXTS[2])])])


@kinds
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_order_of_entries_changes_nothing(
    kind: Kind, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = data.draw(entry_sets)
    shuffled = data.draw(st.permutations(found))
    one, other = kind.build(found), kind.build(shuffled)
    folder = tmp_path_factory.mktemp("saved")
    assert answers(one) == answers(other)
    assert files(one, folder / "one") == files(other, folder / "other")


@kinds
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_merged_is_built_whole(kind: Kind, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("saved")
    found = data.draw(entry_sets)
    parts = data.draw(st.lists(st.integers(0, 2), min_size=len(found), max_size=len(found)))
    split = [[entry for entry, at in zip(found, parts, strict=True) if at == part] for part in range(3)]
    merged, whole = kind.merge([kind.build(part) for part in split]), kind.build(found)
    assert answers(merged) == answers(whole)
    assert files(merged, folder / "merged") == files(whole, folder / "whole")


@kinds
@settings(max_examples=25, deadline=None)
@given(found=entry_sets)
def test_saved_is_loaded(kind: Kind, found: Entries, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("saved")
    index = kind.build(found)
    saved = files(index, folder / "first")
    loaded = kind.load(folder / "first")
    assert answers(loaded) == answers(index)
    assert files(loaded, folder / "second") == saved


@kinds
def test_nothing_saved_is_refused(kind: Kind, tmp_path: Path) -> None:
    with pytest.raises(CorruptKnowledgeBase):
        kind.load(tmp_path)


@kinds
def test_no_pickle_and_no_path_is_saved(kind: Kind, tmp_path: Path) -> None:
    for content in files(kind.build(entries()), tmp_path / "saved").values():
        assert not content.startswith(b"\x80")
        assert str(tmp_path).encode() not in content
