"""The graph of a set of documents, kept under a name of its own (:mod:`kg.base.graphs`).

A generation is made from the one in force, to which only the difference is applied, or whole. Both give the same
content: the graph is a pure function of the records, the ontology and the decisions
(:mod:`kg.graph.document_graph`), and its state (:mod:`kg.base.states`) says of which documents the part in it may
differ.

After a change of few documents only the names are joined anew that it may touch. Names fall into parts that nothing
ties to each other: a name's uses in all documents, with the names that an alias or a reviewer ties to it. Entities of a
part depend on that part alone, but for their IRIs, for which all labels count. So parts with a name of a changed
document are joined anew, entities of the others are taken as the state has them, and where an IRI moves or a document
is to be told anew, the parts that it needs are joined as well.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.base.states import Documents, Known, State, json_line
from kg.graph.document_graph import Part, Plan, Shared, shared_quads, term_quads, thing_quads
from kg.graph.provenance import node
from kg.namespaces import digest
from kg.resolution.contributions import Contribution, Sums, Ties, contribution, keys_of, part_of, separable, uses_of
from kg.resolution.openproperties import named
from kg.resolution.resolve import (
    Draft,
    Named,
    Names,
    drafted,
    identify,
    joined,
    meaning,
    named_entity,
    named_whole,
    with_iris,
)

if TYPE_CHECKING:
    from kg.base.graphs import Graphs
    from kg.decisions import Decision
    from kg.namespaces import Namespaces
    from kg.ontology import Ontology
    from kg.protocols import GraphStore, Pattern
    from kg.records import Record
    from kg.resolution.contributions import Link
    from kg.resolution.joining import Joining


class TooMuch(Exception):
    """The change touches so much that joining all is less work."""


class Rejoining:
    """Joins what a change touches. ``gone``: documents that aren't as they were; ``new``: what they bring now."""

    def __init__(
        self,
        before: State,
        gone: Collection[str],
        new: Mapping[str, Contribution],
        links: Iterable[Link],
        decisions: tuple[Decision, ...],
        share: float,
    ) -> None:
        """``share``: of all uses of names, how many may be joined anew before it is too much."""
        self._before, self._gone, self._new = before, gone, new
        self._decisions, self._ties = decisions, Ties(links, decisions)
        self._left = int(share * before.uses.count) + 1
        self._known: set[str] = set()
        self._drafts: list[tuple[Draft, Joining]] = []
        self._used: dict[str, set[str]] = defaultdict(set)  # by documents that stay: names that were joined anew
        self._in_new = {group.key for one in new.values() for group in one.groups if group.in_claims}

    def run(self, reworded: Iterable[str], ontology: Ontology, names: Namespaces) -> tuple[Names, set[str]]:
        """What names mean now, and the documents to be told anew. Raises TooMuch.

        ``reworded``: documents that stay, to be told anew whatever their names mean.
        """
        told = set(reworded)
        changed = [self._before.documents[id_].brought for id_ in self._gone] + [*self._new.values()]
        wanted = {key for one in changed for key in keys_of(one)}
        while True:
            wanted |= {key for id_ in told for key in self._keys(id_)}
            self._join(wanted, ontology)
            found, moved = self._named(ontology, names)
            told |= set(self._meaning_otherwise(found))
            wanted = moved | {key for id_ in told for key in self._keys(id_)}
            if wanted <= self._known:
                return found, told | self._new.keys()

    def _keys(self, document: str) -> Iterator[str]:
        return (group[0] for group in self._before.documents.raw(document)[2]["groups"])

    def _join(self, wanted: Iterable[str], ontology: Ontology) -> None:
        """Joins the parts of names that haven't been joined yet; those without a claim make no entity."""
        joining: set[str] = set()
        for key in wanted:
            if key not in self._known:
                part = self._ties.part(key)
                self._known |= part
                if self._claimed(part):
                    joining |= part
        if joining:
            made = joined(self._brought(joining), ontology, self._decisions)
            self._drafts += [(draft, made) for draft in drafted(made, ontology)]

    def _claimed(self, part: set[str]) -> bool:
        stays = (id_ not in self._gone for key in part for id_ in self._before.uses.claimed(key))
        return bool(part & self._in_new) or any(stays)

    def _brought(self, keys: set[str]) -> Iterator[Contribution]:
        """What documents bring of names."""
        uses, documents = self._before.uses, self._before.documents
        having: dict[str, set[str]] = defaultdict(set)
        for key in keys:
            for id_ in uses.of(key):
                if id_ not in self._gone:
                    having[id_].add(key)
        self._left -= sum(map(len, having.values()))
        if self._left < 0:
            raise TooMuch
        for id_, own in having.items():
            self._used[id_] |= own
            yield part_of(documents.raw(id_)[2], own)
        yield from (one.about(keys) for one in self._new.values())

    def _named(self, ontology: Ontology, names: Namespaces) -> tuple[Names, set[str]]:
        """Names with entities as they are now, and keys of entities that stay but under another IRI."""
        stay = [one for one in self._before.entities if one.key not in self._known]
        iris = identify([*(one.naming for one in stay), *(draft.naming for draft, _ in self._drafts)], names)
        moved = {one.key for one, iri in zip(stay, iris, strict=False) if one.iri != iri}
        made = iris[len(stay) :]
        anew = [named_entity(draft, iri) for (draft, _), iri in zip(self._drafts, made, strict=True)]
        entities: list[Named] = [*stay, *anew]
        return Names(with_iris(self._drafts, made, ontology, names), tuple(entities)), moved

    def _meaning_otherwise(self, found: Names) -> Iterator[str]:
        """Documents that stay in which a name of a claim means something else than it did."""
        for id_, keys in self._used.items():
            _, _, brought, _, meant = self._before.documents.raw(id_)
            claimed = (group[0] for group in brought["groups"] if len(group) > 2 and "in_claims" in group[2])
            for key, was in zip(claimed, meant, strict=True):
                if key in keys and meaning(found.resolution, id_, key) != was:
                    yield id_
                    break


Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and of how many."""
Quads = dict[ox.Quad, None]

# Applying a difference costs more per quad than loading in bulk; past this share of the documents, load.
_REBUILD_SHARE = 0.5
# A change of more than this share of the documents is planned from all of them, and so is one that joins more than
# that share of all uses of names anew.
FEW, TOUCHED = 0.1, 0.4
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
        self._decided = digest("decided", *sorted(map(str, content.decisions)))
        known = self._old.documents
        self._left = {id_ for id_ in known if content.records.get(id_) != known.stamp(id_)[0]}
        self._new = {
            id_: contribution(content.record(id_), content.ontology)
            for id_, record in sorted(content.records.items())
            if id_ not in known or id_ in self._left
        }
        self._few = self._with_few() or self._with_all()

    def _with_few(self) -> bool:
        """Plans the graph by what a change of few documents touches; whether it is one."""
        old, content = self._old, self._content
        few = max(len(self._left), len(self._new)) <= FEW * len(old.documents)
        if not (few and old.decided == self._decided and separable(content.ontology)):
            return False
        gone = {id_: old.documents[id_].brought for id_ in self._left}
        sums = old.sums.copy()
        for one in gone.values():
            sums.bring(one, -1)
        for one in self._new.values():
            sums.bring(one)
        before, now = named(old.sums.wordings), named(sums.wordings)
        otherwise = {
            key
            for key in before.keys() & now.keys()
            if (before[key].slug, before[key].unit) != (now[key].slug, now[key].unit)
        }
        try:
            rejoining = Rejoining(old, self._left, self._new, sums.links, content.decisions, TOUCHED)
            names, told = rejoining.run(self._wording(otherwise), content.ontology, content.namespaces)
        except TooMuch:
            return False
        brought = {id_: self._new[id_] if id_ in self._new else old.documents[id_].brought for id_ in sorted(told)}
        self._brought: Mapping[str, Contribution] = brought
        self._plan, self._sums = Plan(brought, names, now, content.decisions), sums
        self._uses = old.uses.changed(gone, self._new)
        self._entities = names.entities
        self._see(brought)
        return not self.mostly_new

    def _wording(self, keys: Collection[str]) -> list[str]:
        """Documents that stay and word one of these properties, and maybe others."""
        found, documents = [json_line(key) for key in sorted(keys)], self._old.documents
        stay = (id_ for id_ in documents if found and id_ not in self._left)
        return [id_ for id_ in stay if any(key in line for line in (documents.line(id_),) for key in found)]

    def _with_all(self) -> bool:
        """Plans the graph from what all documents bring."""
        content, old = self._content, self._old.documents
        brought = {id_: self._new[id_] if id_ in self._new else old[id_].brought for id_ in sorted(content.records)}
        self._brought = brought
        names = named_whole(brought.values(), content.ontology, content.decisions, content.namespaces)
        self._sums = Sums()
        for one in brought.values():
            self._sums.bring(one)
        self._plan = Plan(brought, names, named(self._sums.wordings), content.decisions)
        self._uses, self._entities = uses_of(brought.values()), names.entities
        self._see(brought)
        return False

    def _see(self, brought: Iterable[str]) -> None:
        """Finds which of the documents are to be told anew."""
        self._meant = {id_: self._plan.meant(id_) for id_ in brought}
        self._contexts = {id_: self._plan.context(id_, self._meant[id_]) for id_ in brought}
        before = {id_: self._old.documents.stamp(id_) for id_ in self._contexts if id_ in self._old.documents}
        now = ((id_, (self._content.records[id_], context)) for id_, context in self._contexts.items())
        self.changed = tuple(id_ for id_, stamp in now if before.get(id_) != stamp)
        """Documents whose part of the graph may differ from the one before."""

    @property
    def mostly_new(self) -> bool:
        """Whether loading everything is less work than changing what differs."""
        return len(self.changed) > _REBUILD_SHARE * len(self._old.documents)

    def write_whole(self, graphs: Graphs, name: str) -> State:
        """Makes the whole graph under a name, document by document; its state."""
        if self._few:
            self._few = self._with_all()
        known: dict[str, Known] = {}
        shared: list[Shared] = []

        def quads() -> Iterator[ox.Quad]:
            for id_ in self._brought:
                yield from self._part(id_, known).quads()
            for one in known.values():
                self._sums.tell(one.told)
            shared.append(self._plan.shared(self._sums))
            yield from shared_quads(shared[0], self._content.ontology, self._content.namespaces)
            yield from sorted(self._content.user, key=str)

        graphs.make(name, quads())
        return self._state(Documents(known), shared[0])

    def _state(self, documents: Documents, shared: Shared) -> State:
        return State(self._content.made, documents, shared, self._sums, self._uses, self._entities, self._decided)

    def _part(self, id_: str, known: dict[str, Known]) -> Part:
        """A document's part; what is known of it is added to ``known``."""
        part = self._plan.part(self._content.record(id_))
        context = self._contexts[id_]
        known[id_] = Known(self._content.records[id_], context, self._brought[id_], part.told, self._meant[id_])
        return part

    def _tell(self, anew: Mapping[str, Known], documents: Documents) -> None:
        """Counts what the documents tell, where all is planned each of them."""
        if not self._few:
            for one in documents.values():
                self._sums.tell(one.told)
            return
        for id_ in self._left | (anew.keys() & self._old.documents.keys()):
            self._sums.tell(self._old.documents[id_].told, -1)
        for one in anew.values():
            self._sums.tell(one.told)

    def write_changed(self, graphs: Graphs, name: str, previous: str, before: Content) -> State:
        """Makes the graph under a name, from the ``previous`` one, which holds what ``before`` gives."""
        known: dict[str, Known] = {}
        add: Quads = {}
        for id_ in self.changed:
            add.update(dict.fromkeys(self._part(id_, known).quads()))
        documents = self._old.documents.changed(self._left, known)
        self._tell(known, documents)
        shared = self._plan.shared(self._sums)
        with contextlib.closing(graphs.open(previous)) as store:
            gone = self._gone(store, before)
            shared_before = _Everybody(self._old.shared, self._content)
            shared_now = _Everybody(shared, self._content)
            add.update(dict.fromkeys(shared_now.unlike(self._old.shared)))
            if shared_now.terms != shared_before.terms:
                add.update(dict.fromkeys(shared_now.terms))
            gone.update(dict.fromkeys((*shared_before.unlike(shared), *shared_before.terms)))
            remove = {quad for quad in gone if quad not in add and not shared_now.holds(quad)}
            remove -= self._still_stated(store, remove)
        graphs.change(name, previous, remove | (before.user - self._content.user), {*add, *self._content.user})
        return self._state(documents, shared)

    def _gone(self, store: GraphStore, before: Content) -> Quads:
        """What the store holds of the parts of documents that changed or went, and the triples that they asserted."""
        subjects: list[Pattern] = []
        passages: list[Pattern] = []
        changed = set(self.changed)
        for id_ in self._old.documents:
            if id_ in changed or id_ not in self._content.records:
                record, names = before.record(id_), before.namespaces
                subjects += [(subject, None, _DEFAULT) for subject in dict.fromkeys(_owned(record, names))]
                passages += [(None, None, node(names.passage(passage.id))) for passage in record.passages]
        found: Quads = dict.fromkeys(store.lookup(subjects))
        for quad in store.lookup(passages):
            found[quad] = None
            found[ox.Quad(quad.subject, quad.predicate, quad.object)] = None
        return found

    def _still_stated(self, store: GraphStore, remove: set[ox.Quad]) -> set[ox.Quad]:
        """Those triples of the default graph that are asserted by a passage which stays as it is."""
        passages = self._content.namespaces.passage("")
        asserted = {quad for quad in remove if quad.graph_name == _DEFAULT}
        patterns: dict[Pattern, None] = {
            (quad.subject, quad.predicate, None): None for quad in asserted if isinstance(quad.subject, ox.NamedNode)
        }
        stated = {
            ox.Quad(other.subject, other.predicate, other.object)
            for other in store.lookup(patterns)
            if isinstance(other.graph_name, ox.NamedNode)
            and other.graph_name.value.startswith(passages)
            and other not in remove
        }
        return asserted & stated


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

    def unlike(self, others: Shared) -> Iterator[ox.Quad]:
        """Those of things that others don't have like that."""
        for iri, thing in self._shared.things.items():
            if others.things.get(iri) != thing:
                yield from thing_quads(thing, self._ontology)
