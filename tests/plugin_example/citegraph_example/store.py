"""A store that is one sorted N-Quads file, fit for version control; queries run on a copy in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pyoxigraph as ox

from kg.protocols import Pattern
from kg.stores.oxigraph import OxigraphStore

_FILE = "graph.nq"


class NQuadsStore:
    """A store in ``folder`` (made if need be), or in memory when there is none."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder, self._memory = folder, OxigraphStore()
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            if (folder / _FILE).is_file():
                self._memory.change((), ox.parse(path=folder / _FILE, format=ox.RdfFormat.N_QUADS))

    def query(
        self,
        sparql: str,
        substitutions: Mapping[str, ox.NamedNode | ox.Literal] | None = None,
        prefixes: Mapping[str, str] | None = None,
    ) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        """Results of a query. Raises BadQuery."""
        return self._memory.query(sparql, substitutions, prefixes)

    def change(self, remove: Iterable[ox.Quad], add: Iterable[ox.Quad]) -> None:
        """Removes and adds quads, then writes the file whole, beside the old one until it is done."""
        self._memory.change(remove, add)
        if self._folder is not None:
            self._write(self._folder)

    def quads(self, graph: ox.NamedNode | ox.DefaultGraph | None = None) -> Iterable[ox.Quad]:
        """All quads, or those of one graph."""
        return self._memory.quads(graph)

    def lookup(self, patterns: Iterable[Pattern]) -> Iterable[ox.Quad]:
        """Quads that fit any of the patterns (subject, predicate, graph)."""
        return self._memory.lookup(patterns)

    def close(self) -> None:
        """Lets go of the copy in memory."""
        self._memory.close()

    def checkpoint(self, folder: Path) -> None:
        """Writes a copy. ``folder`` must not exist."""
        folder.mkdir(parents=True)
        self._write(folder)

    def _write(self, folder: Path) -> None:
        lines = sorted(ox.serialize(self._memory.quads(), format=ox.RdfFormat.N_QUADS).splitlines(keepends=True))
        temporary = folder / f".{_FILE}.tmp"
        temporary.write_bytes(b"".join(lines))
        temporary.replace(folder / _FILE)
