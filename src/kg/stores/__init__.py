"""Stores of quads behind one protocol, :class:`kg.protocols.GraphStore`; ``STORES`` lists those that come with this.

Other packages add stores by the entry point group ``kg.stores`` (a callable that takes a place: a folder, an address,
or None for memory); they can't replace those listed here. A knowledge base keeps its graph in its own folder
(``oxigraph``) or on a server (``sparql``), as :mod:`kg.base.graphs` says: its crash safety leans on what these two
promise. Other stores are for programs that put the graph somewhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import BadInput, NotFound

if TYPE_CHECKING:
    from kg.protocols import GraphStore

GROUP = "kg.stores"


Place = str | Path | None
"""A folder, an address, or None for memory."""


def _oxigraph(place: Place) -> GraphStore:
    from kg.stores.oxigraph import OxigraphStore

    return OxigraphStore(None if place is None else Path(place))


def _sparql(place: Place) -> GraphStore:
    from kg.settings import load_settings
    from kg.stores.sparql_server import SparqlStore

    if not str(place).startswith(("http://", "https://")):
        raise BadInput(f"{place} is no address of a SPARQL server", "give its address for queries: http://…")
    return SparqlStore.at(str(place), load_settings().store)


STORES: dict[str, Callable[[Place], GraphStore]] = {
    "oxigraph": _oxigraph,  # embedded: a folder, or memory when there is none
    "sparql": _sparql,  # a SPARQL 1.1 server: its address for queries; credentials as [store] says
}


def names() -> tuple[str, ...]:
    """Names of all stores, sorted, those of other packages among them."""
    return tuple(sorted({*STORES, *entry_points(group=GROUP).names}))


def make(name: str, place: Place = None) -> GraphStore:
    """The store of that name at a place. Raises NotFound with the names that are known."""
    if name in STORES:
        return STORES[name](place)
    for point in sorted(entry_points(group=GROUP, name=name), key=lambda p: p.value):
        made: GraphStore = point.load()(place)
        return made
    raise NotFound(f"there is no store {name}", f"known stores: {', '.join(names())}")
