"""Where the graphs of a knowledge base's generations are kept: folders of its own, or a server.

A folder holds each generation beside the others. A server holds one: what differs is sent when everything else of a
generation is on disk (:meth:`Graphs.publish`), and the manifest that goes with it lies ready under another name. So a
crash leaves a server that says itself which of the two manifests it belongs to (:func:`settle`).
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.errors import BadInput, CitegraphError, CorruptKnowledgeBase, StoreMoved
from kg.settings import StoreSettings
from kg.storage import flush
from kg.stores.endpoint import Mark, canonical_quad, shown
from kg.stores.oxigraph import OxigraphStore
from kg.stores.sparql_server import SparqlStore

if TYPE_CHECKING:
    from kg.storage import Folder, Manifest


_MANY = 50_000  # quads
_COUNT = "triples.txt"  # beside the store's own files, which have other names


class FolderGraphs:
    """Keeps graphs by the names of their generations, each an Oxigraph store in a folder that never changes."""

    announced = False
    """Whether a manifest has to lie ready before :meth:`publish`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, name: str) -> Path:
        """Folder of a graph's store."""
        return self._folder / name

    def intact(self, name: str) -> bool:
        """Whether the store is there and opens."""
        try:
            self.open(name).close()
        except (OSError, CorruptKnowledgeBase):
            return False
        return True

    def open(self, name: str) -> OxigraphStore:
        """The store, read-only. Raises CorruptKnowledgeBase."""
        if not name:
            raise CorruptKnowledgeBase("the knowledge base has no graph", "build the documents again (kg build)")
        return OxigraphStore.read_only(self.path(name))

    def make(self, name: str, quads: Iterable[ox.Quad]) -> None:
        """Makes a graph whole: loads quads in bulk, as they come."""
        temporary = _fresh(self.path(name))
        temporary.mkdir(parents=True)
        with OxigraphStore(temporary) as store:
            store.load(quads)
            (temporary / _COUNT).write_text(str(_triples(store)))
        _finish(temporary, self.path(name))

    def change(self, name: str, previous: str, remove: Iterable[ox.Quad], add: Iterable[ox.Quad]) -> None:
        """Makes a graph of what the ``previous`` one holds, with quads removed, then added.

        The previous store is copied, files hard-linked, and the copy changed.
        """
        temporary = _fresh(self.path(name))
        known, gone, new = self.triples(previous), set(remove), set(add)
        with self.open(previous) as store:
            store.checkpoint(temporary)
            before = _triples(store) if known is None else known
            lost = sum(_in_default(quad) and quad in store for quad in gone - new)
            won = sum(_in_default(quad) and quad not in store for quad in new)
        with OxigraphStore(temporary) as store:
            # A transaction holds quads several times over, and nobody sees this store before it is named.
            many = len(new) > _MANY
            store.change(gone, () if many else new)
            if many:
                store.load(new)
        (temporary / _COUNT).write_text(str(before - lost + won))
        _finish(temporary, self.path(name))

    def publish(self) -> None:
        """Nothing: a graph is read from as soon as a manifest names it."""

    def triples(self, name: str) -> int | None:
        """How many the default graph of a generation has, as it was counted when that was made."""
        try:
            return int((self.path(name) / _COUNT).read_text())
        except (OSError, ValueError):
            return None


def _triples(store: OxigraphStore) -> int:
    ((count,),) = store.query("SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }")  # type: ignore[misc]
    return int(count.value)


def _in_default(quad: ox.Quad) -> bool:
    return quad.graph_name == ox.DefaultGraph()


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


class ServerGraphs:
    """The same for one graph on a SPARQL server, which is read from once it is published."""

    announced = True

    def __init__(self, url: str, settings: StoreSettings, ours: Iterable[str] = ()) -> None:
        """``ours``: names of graphs of this knowledge base, which may be there and make room for another."""
        self._url, self._settings, self._ours = url, settings, frozenset(ours)
        self._staged: _Staged | None = None

    def open(self, name: str) -> SparqlStore:
        """The graph, to read. Raises StoreMoved, StoreUnavailable, StoreRefused."""
        return SparqlStore.at(self._url, self._settings, name)

    def _server(self) -> SparqlStore:
        return SparqlStore.at(self._url, self._settings)

    def triples(self, name: str) -> int | None:
        """Not known: the server counts."""
        return None

    def intact(self, name: str) -> bool:
        """Whether the server holds that generation and nobody is changing it. Raises as :meth:`open`."""
        with contextlib.closing(self._server()) as store:
            return bool(name) and _is_at(store.marks(), name)

    def make(self, name: str, quads: Iterable[ox.Quad]) -> None:
        """Takes note of a whole graph; only what the server doesn't hold of it will be sent.

        Raises BadInput where the server holds something that isn't this knowledge base's.
        """
        with contextlib.closing(self._server()) as store:
            marks = store.marks()
            foreign = not marks and next(store.quads(), None) is not None
            if foreign or any(mark.generation not in {"", *self._ours} for mark in marks):
                raise BadInput(
                    f"the store at {shown(self._url)} holds data that isn't this knowledge base's",
                    "name an empty dataset, or empty that one, if nobody needs it (DROP ALL)",
                )
            if not marks:
                self._staged = _Staged(name, None, remove=(), add=_Spooled(quads))
                return
            wanted, there = set(map(canonical_quad, quads)), set(store.quads())
            self._staged = _Staged(name, None, remove=there - wanted, add=wanted - there)

    def change(self, name: str, previous: str, remove: Iterable[ox.Quad], add: Iterable[ox.Quad]) -> None:
        """Takes note of the difference."""
        self._staged = _Staged(name, previous, remove, add)

    def publish(self) -> None:
        """Sends what was taken note of. Raises StoreMoved, StoreUnavailable, StoreRefused."""
        if self._staged is None:
            return
        staged, self._staged = self._staged, None
        with contextlib.closing(self._server()) as store:
            marks = store.marks()
            if staged.previous is not None and not _is_at(marks, staged.previous):
                raise StoreMoved(
                    "somebody else has changed the graph on the server",
                    "run kg build again: it puts the server in order",
                )
            switch(store, marks, staged.name, staged.remove, staged.add)


Graphs = FolderGraphs | ServerGraphs


def _is_at(marks: tuple[Mark, ...], generation: str) -> bool:
    """Whether a server is at that generation, and nobody is changing it."""
    return len(marks) == 1 and marks[0].is_at(generation)


@dataclass(frozen=True)
class _Staged:
    """A change that is still to be sent. ``previous``: what it starts from, None where that doesn't matter."""

    name: str
    previous: str | None
    remove: Iterable[ox.Quad]
    add: Iterable[ox.Quad]


class _Spooled:
    """Quads in a scratch file, so that a large graph needn't be in memory."""

    def __init__(self, quads: Iterable[ox.Quad]) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        ox.serialize(quads, self._file, ox.RdfFormat.N_QUADS)

    def __iter__(self) -> Iterator[ox.Quad]:
        self._file.seek(0)
        yield from ox.parse(self._file, ox.RdfFormat.N_QUADS)


def switch(
    store: SparqlStore, marks: tuple[Mark, ...], name: str, remove: Iterable[ox.Quad], add: Iterable[ox.Quad]
) -> None:
    """Changes a server's graph into that of the generation ``name``; ``marks``: what it says of its state now.

    A change that fits one request of an engine with transactions goes with the new mark. Any other one is marked as
    under way first: nobody reads meanwhile, and what is left of it should it be cut off is known for what it is.
    """
    now = marks[-1] if marks else Mark(0, "")
    updates = store.updates(remove, add)
    first = list(itertools.islice(updates, 2))
    if len(first) < 2 and store.engine.atomic:
        store.send(" ;\n".join([*first, now.there(name).replacing(marks)]))
        return
    under_way = now.on_the_way(name)
    store.send(under_way.replacing(marks))
    for update in itertools.chain(first, updates):
        store.send(update)  # sets of quads are removed, then added: what may have been done is done again
    store.send(under_way.there(name).replacing([under_way]))


def at(folder: Folder, manifest: Manifest) -> Graphs:
    """Where the graph of a manifest is kept."""
    if manifest.store:
        return ServerGraphs(manifest.store, folder.store or StoreSettings(), {manifest.graph, *manifest.previous})
    return FolderGraphs(folder.path / "graphs")


def settle(folder: Folder) -> None:
    """Finishes or undoes a switch that was cut off. The caller holds the writer's lock.

    Raises StoreUnavailable, StoreRefused where that can't be known now.
    """
    pending = folder.pending()
    if pending is None:
        return
    if at(folder, pending).intact(pending.graph):
        folder.switch(pending)
    else:
        folder.withdraw()


@contextlib.contextmanager
def writing(folder: Folder) -> Iterator[None]:
    """Holds the writer's lock on a folder that is settled. Raises StoreLocked, and as :func:`settle`."""
    with folder.writing():
        settle(folder)
        yield


def settled(folder: Folder) -> Folder:
    """The folder, settled if that can be done now: a writer may be at work, or the server away."""
    if folder.exists() and folder.pending() is not None:
        with contextlib.suppress(CitegraphError, OSError), writing(folder):
            pass
    return folder
