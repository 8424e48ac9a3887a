"""Graph and indexes of a set of records, each in a folder of its own that is never changed once named.

A generation is made beside the one in force: from a copy of it (a hard-linked checkpoint) to which only the
difference is applied, or whole. Both give the same content: the graph is a pure function of the records, the
ontology and the decisions, and that function is what is applied.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kg.storage import file_sha256, flush

if TYPE_CHECKING:
    import pyoxigraph as ox

    from kg.indexes.embedding import OnnxEncoder
    from kg.indexes.faiss import DenseIndex
    from kg.indexes.lexical import LexicalIndex

Entries = Sequence[tuple[str, str]]
# Applying a difference costs more per quad than loading in bulk; past this share of the store, load.
_REBUILD_SHARE = 0.5


def _fresh(folder: Path) -> Path:
    temporary = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
    if temporary.exists():
        shutil.rmtree(temporary)
    return temporary


def _finish(temporary: Path, folder: Path) -> None:
    for path in (*temporary.rglob("*"), temporary):
        flush(path)
    if folder.exists():
        shutil.rmtree(folder)
    temporary.rename(folder)


def write_graph(folder: Path, quads: set[ox.Quad], previous: Path | None) -> None:
    """Makes ``folder`` a store of ``quads``, from the ``previous`` store where little is different."""
    from kg.stores.oxigraph import OxigraphStore

    if previous is not None and previous.is_dir():
        with OxigraphStore.read_only(previous) as store:
            old = set(store.quads())
        remove, add = old - quads, quads - old
        if len(remove) + len(add) <= _REBUILD_SHARE * len(old):
            change_graph(folder, previous, remove, add)
            return
    temporary = _fresh(folder)
    temporary.mkdir(parents=True)
    with OxigraphStore(temporary) as store:
        store.change((), quads)
    _finish(temporary, folder)


def change_graph(folder: Path, previous: Path, remove: set[ox.Quad], add: set[ox.Quad]) -> None:
    """Makes ``folder`` a store of what the ``previous`` one holds, with quads removed and added."""
    from kg.stores.oxigraph import OxigraphStore

    temporary = _fresh(folder)
    with OxigraphStore.read_only(previous) as store:
        store.checkpoint(temporary)
    with OxigraphStore(temporary) as store:
        store.change(remove, add)
    _finish(temporary, folder)


@dataclass(frozen=True, slots=True)
class Indexes:
    """Dense and lexical indexes over passages and over units of quotation."""

    passages: DenseIndex
    passages_lexical: LexicalIndex
    units: DenseIndex
    units_lexical: LexicalIndex


def build_indexes(passages: Entries, units: Entries, encoder: OnnxEncoder, old: Indexes | None) -> Indexes:
    """Indexes of the entries; vectors of entries that ``old`` holds unchanged are taken over."""
    from kg.indexes.faiss import DenseIndex
    from kg.indexes.lexical import LexicalIndex

    def dense(entries: Entries, before: DenseIndex | None) -> DenseIndex:
        return before.update(entries) if before is not None else DenseIndex.build(entries, encoder)

    return Indexes(
        dense(passages, old.passages if old else None),
        LexicalIndex.build(passages),
        dense(units, old.units if old else None),
        LexicalIndex.build(units),
    )


def save_indexes(folder: Path, indexes: Indexes) -> dict[str, str]:
    """Writes the indexes and gives the SHA-256 of every file by its path within ``folder``."""
    temporary = _fresh(folder)
    for name in Indexes.__dataclass_fields__:
        part = temporary / name
        part.mkdir(parents=True)
        getattr(indexes, name).save(part)
    files = {p.relative_to(temporary).as_posix(): file_sha256(p) for p in sorted(temporary.rglob("*")) if p.is_file()}
    _finish(temporary, folder)
    return files


def load_indexes(folder: Path, encoder: OnnxEncoder) -> Indexes:
    """Indexes as saved. Raises CorruptKnowledgeBase where they don't fit together."""
    from kg.indexes.faiss import DenseIndex
    from kg.indexes.lexical import LexicalIndex

    return Indexes(
        DenseIndex.load(folder / "passages", encoder),
        LexicalIndex.load(folder / "passages_lexical"),
        DenseIndex.load(folder / "units", encoder),
        LexicalIndex.load(folder / "units_lexical"),
    )


def altered_files(folder: Path, files: Iterable[tuple[str, str]]) -> list[str]:
    """Index files that are missing or whose SHA-256 isn't the manifest's."""
    return [name for name, sha in files if not (folder / name).is_file() or file_sha256(folder / name) != sha]


Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and of how many."""
