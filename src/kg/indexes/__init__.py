"""Passage and name indexes: dense (:mod:`kg.indexes.faiss`) and lexical (:mod:`kg.indexes.lexical`).

Other packages add indexes by the entry point group ``kg.indexes`` (a callable that takes entries); they can't replace
those of ``INDEXES``. A knowledge base itself always searches by the two listed here, whose scores its judgement of
evidence was fitted to. Other indexes are for programs that search its passages in their own way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from kg.errors import NotFound

if TYPE_CHECKING:
    from kg.protocols import TextIndex

GROUP = "kg.indexes"
Entries = Sequence[tuple[str, str]]
"""Identifiers and texts, in any order."""


def _faiss(entries: Entries) -> TextIndex:
    from kg.indexes.embedding import OnnxEncoder
    from kg.indexes.faiss import DenseIndex

    return DenseIndex.build(entries, OnnxEncoder(""))


def _lexical(entries: Entries) -> TextIndex:
    from kg.indexes.lexical import LexicalIndex

    return LexicalIndex.build(entries)


def _milvus(entries: Entries) -> TextIndex:
    import tempfile

    from kg.indexes.embedding import OnnxEncoder
    from kg.indexes.milvus import MilvusIndex

    return MilvusIndex.build(entries, OnnxEncoder(""), f"{tempfile.mkdtemp(prefix='citegraph-')}/milvus.db")


INDEXES: dict[str, Callable[[Entries], TextIndex]] = {
    "faiss": _faiss,  # by meaning: cosine of embeddings
    "lexical": _lexical,  # by words: BM25
    "milvus": _milvus,  # by meaning, in a file of Milvus (kg.indexes.milvus for clusters); needs citegraph[milvus]
}


def names() -> tuple[str, ...]:
    """Names of all indexes, sorted, those of other packages among them."""
    return tuple(sorted({*INDEXES, *entry_points(group=GROUP).names}))


def make(name: str, entries: Entries) -> TextIndex:
    """The index of that name over the entries. Raises NotFound with the names that are known."""
    if name in INDEXES:
        return INDEXES[name](entries)
    for point in sorted(entry_points(group=GROUP, name=name), key=lambda p: p.value):
        made: TextIndex = point.load()(entries)
        return made
    raise NotFound(f"there is no index {name}", f"known indexes: {', '.join(names())}")
