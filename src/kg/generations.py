"""The graph of a set of documents, in a folder of its own that is never changed once named.

A generation is made beside the one in force: from a copy of it (a hard-linked checkpoint) to which only the difference
is applied, or whole. Both give the same content: the graph is a pure function of the records, the ontology and the
decisions (:mod:`kg.graph`), and its state (:mod:`kg.state`) says of which documents the part in it may differ.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.contributions import Contribution, contribution
from kg.graph import Part, Plan, Shared, Thing, shared_quads, term_quads, thing_quads
from kg.provenance import node
from kg.state import Known, State
from kg.storage import flush

if TYPE_CHECKING:
    from kg.decisions import Decision
    from kg.namespaces import Namespaces
    from kg.ontology import Ontology
    from kg.records import Record
    from kg.stores.oxigraph import OxigraphStore

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and of how many."""
Quads = dict[ox.Quad, None]

# Applying a difference costs more per quad than loading in bulk; past this share of the documents, load.
_REBUILD_SHARE = 0.5
# Quads that are added in one transaction; more are loaded in bulk.
_MANY = 50_000
_DEFAULT = ox.DefaultGraph()


@dataclass(frozen=True, slots=True)
class Content:
    """What a graph is made of. ``records``: SHA-256 of each document's record; ``record``: reads one.

    ``made`` names ontology, base and code; ``user``: what people wrote.
    """

    records: Mapping[str, str]
    record: Callable[[str], Record]
    ontology: Ontology
    decisions: tuple[Decision, ...]
    namespaces: Namespaces
    user: frozenset[ox.Quad]
    made: str


class Generation:
    """The graph of some content, to be written whole or from the graph before it."""

    def __init__(self, content: Content, old: State | None = None) -> None:
        """``old``: the state of the graph before it, made in the same way."""
        self._content = content
        self._old = old or State(content.made)
        self._brought = {id_: self._contribution(id_) for id_ in sorted(content.records)}
        self._plan = Plan(self._brought.values(), content.ontology, content.decisions, content.namespaces)
        contexts = {id_: self._plan.context(id_) for id_ in self._brought}
        self._contexts = contexts
        self.changed = tuple(id_ for id_ in contexts if self._before(id_) != (content.records[id_], contexts[id_]))
        """Documents whose part of the graph may differ from the one before."""

    def _contribution(self, id_: str) -> Contribution:
        known = self._old.documents.get(id_)
        if known is not None and known.record == self._content.records[id_]:
            return known.brought
        return contribution(self._content.record(id_), self._content.ontology)

    def _before(self, id_: str) -> tuple[str, str] | None:
        known = self._old.documents.get(id_)
        return (known.record, known.context) if known else None

    @property
    def mostly_new(self) -> bool:
        """Whether loading everything is less work than changing what differs."""
        return len(self.changed) > _REBUILD_SHARE * len(self._old.documents)

    def write_whole(self, folder: Path) -> State:
        """Makes ``folder`` a store of the whole graph, document by document; its state."""
        from kg.stores.oxigraph import OxigraphStore

        known: dict[str, Known] = {}
        temporary = _fresh(folder)
        temporary.mkdir(parents=True)
        with OxigraphStore(temporary) as store:
            store.load(chain.from_iterable(self._part(id_, known).quads() for id_ in self._brought))
            shared = self._plan.shared(one.told for one in known.values())
            store.load(shared_quads(shared, self._content.ontology, self._content.namespaces))
            store.change((), self._content.user)
        _finish(temporary, folder)
        return State(self._content.made, known, shared)

    def _part(self, id_: str, known: dict[str, Known]) -> Part:
        """A document's part; what is known of it is added to ``known``."""
        part = self._plan.part(self._content.record(id_))
        known[id_] = Known(self._content.records[id_], self._contexts[id_], self._brought[id_], part.told)
        return part

    def write_changed(self, folder: Path, previous: Path, before: Content) -> State:
        """Makes ``folder`` a store of the graph, from the ``previous`` store, which holds what ``before`` gives."""
        from kg.stores.oxigraph import OxigraphStore

        known = {id_: one for id_, one in self._old.documents.items() if id_ in self._brought}
        add: Quads = {}
        for id_ in self.changed:
            add.update(dict.fromkeys(self._part(id_, known).quads()))
        known = dict(sorted(known.items()))
        shared = self._plan.shared(one.told for one in known.values())
        with OxigraphStore.read_only(previous) as store:
            gone = self._gone(store, before)
            shared_before = _Everybody(self._old.shared, self._content)
            shared_now = _Everybody(shared, self._content)
            for thing in _differing(shared, self._old.shared):
                add.update(dict.fromkeys(thing_quads(thing, self._content.ontology)))
            if shared_now.terms != shared_before.terms:
                add.update(dict.fromkeys(shared_now.terms))
            gone.update(dict.fromkeys(shared_before.lost(shared)))
            remove = {quad for quad in gone if quad not in add and not shared_now.holds(quad)}
            remove -= {quad for quad in remove if self._still_stated(quad, store, remove)}
        change_graph(folder, previous, remove | (before.user - self._content.user), {*add, *self._content.user})
        return State(self._content.made, known, shared)

    def _gone(self, store: OxigraphStore, before: Content) -> Quads:
        """What the store holds of the parts of documents that changed or went, and the triples that they asserted."""
        found: Quads = {}
        changed = set(self.changed)
        for id_ in self._old.documents:
            if id_ in changed or id_ not in self._brought:
                record, names = before.record(id_), before.namespaces
                for subject in _owned(record, names):
                    found.update(dict.fromkeys(store.matching(subject, graph=_DEFAULT)))
                for passage in record.passages:
                    for quad in store.quads(node(names.passage(passage.id))):
                        found[quad] = None
                        found[ox.Quad(quad.subject, quad.predicate, quad.object)] = None
        return found

    def _still_stated(self, quad: ox.Quad, store: OxigraphStore, remove: set[ox.Quad]) -> bool:
        """Whether a triple of the default graph is asserted by a passage that stays as it is."""
        if quad.graph_name != _DEFAULT:
            return False
        passages = self._content.namespaces.passage("")
        return any(
            isinstance(other.graph_name, ox.NamedNode)
            and other.graph_name.value.startswith(passages)
            and other not in remove
            for other in store.matching(quad.subject, quad.predicate, quad.object)
        )


def _owned(record: Record, names: Namespaces) -> Iterator[ox.NamedNode]:
    """The nodes that no other document's part speaks of."""
    yield node(names.document(record.document.id))
    for passage in record.passages:
        yield node(names.passage(passage.id))
    for claim in record.extraction.claims:
        yield node(names.claim(claim.id))
        for e in claim.evidence:
            yield node(names.evidence(record.document.id, e.start, e.end, e.role.value))


class _Everybody:
    """Quads of what documents share, looked up by what they are about."""

    def __init__(self, shared: Shared, content: Content) -> None:
        self._shared, self._ontology = shared, content.ontology
        self.terms = term_quads(shared, content.ontology, content.namespaces)

    def holds(self, quad: ox.Quad) -> bool:
        thing = self._shared.things.get(getattr(quad.subject, "value", ""))
        return quad in self.terms or (thing is not None and quad in set(thing_quads(thing, self._ontology)))

    def lost(self, now: Shared) -> Iterator[ox.Quad]:
        """What may have gone with the next state."""
        for thing in _differing(self._shared, now):
            yield from thing_quads(thing, self._ontology)
        yield from self.terms


def _differing(some: Shared, others: Shared) -> Iterator[Thing]:
    """Things of the one that the other doesn't have like that."""
    return (thing for iri, thing in some.things.items() if others.things.get(iri) != thing)


# --- on disk --------------------------------------------------------------------------------------


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


def write_graph(folder: Path, quads: Iterable[ox.Quad]) -> None:
    """Makes ``folder`` a store of ``quads``."""
    from kg.stores.oxigraph import OxigraphStore

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
        many = (
            len(add) > _MANY
        )  # a transaction holds them several times over, and nobody sees this store before it is named
        store.change(remove, () if many else add)
        if many:
            store.load(add)
    _finish(temporary, folder)
