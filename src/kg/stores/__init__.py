"""Stores of quads behind one protocol, :class:`kg.protocols.GraphStore`; ``STORES`` lists them all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kg.protocols import GraphStore


def _oxigraph(folder: Path | None) -> GraphStore:
    from kg.stores.oxigraph import OxigraphStore

    return OxigraphStore(folder)


STORES: dict[str, Callable[[Path | None], GraphStore]] = {
    "oxigraph": _oxigraph,  # embedded: a folder, or memory when there is none
}
