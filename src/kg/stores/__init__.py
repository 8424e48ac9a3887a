"""Stores of quads behind one protocol, :class:`kg.protocols.GraphStore`; ``STORES`` lists those that come with this.

Other packages add stores by the entry point group ``kg.stores`` (a callable that takes a folder, or None for memory);
they can't replace those listed here. A knowledge base itself is always kept in Oxigraph: its crash safety leans on
that store's checkpoints. Other stores are for programs that put the graph somewhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import NotFound

if TYPE_CHECKING:
    from kg.protocols import GraphStore

GROUP = "kg.stores"


def _oxigraph(folder: Path | None) -> GraphStore:
    from kg.stores.oxigraph import OxigraphStore

    return OxigraphStore(folder)


STORES: dict[str, Callable[[Path | None], GraphStore]] = {
    "oxigraph": _oxigraph,  # embedded: a folder, or memory when there is none
}


def names() -> tuple[str, ...]:
    """Names of all stores, sorted, those of other packages among them."""
    return tuple(sorted({*STORES, *entry_points(group=GROUP).names}))


def make(name: str, folder: Path | None = None) -> GraphStore:
    """The store of that name in a folder, or in memory. Raises NotFound with the names that are known."""
    if name in STORES:
        return STORES[name](folder)
    for point in sorted(entry_points(group=GROUP, name=name), key=lambda p: p.value):
        made: GraphStore = point.load()(folder)
        return made
    raise NotFound(f"there is no store {name}", f"known stores: {', '.join(names())}")
