"""The graph of a set of records, in a folder of its own that is never changed once named.

A generation is made beside the one in force: from a copy of it (a hard-linked checkpoint) to which only the
difference is applied, or whole. Both give the same content: the graph is a pure function of the records, the
ontology and the decisions, and that function is what is applied.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from kg.storage import flush

if TYPE_CHECKING:
    import pyoxigraph as ox


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


Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and of how many."""
