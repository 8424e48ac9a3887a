"""The graph of a set of documents, kept under a name of its own (:mod:`kg.graphs`).

A generation is made from the one in force, to which only the difference is applied, or whole. Both give the same
content: the graph is a pure function of the records, the ontology and the decisions (:mod:`kg.document_graph`), and its
state says of which documents the part in it may differ.

What a graph was made from, document by document, so that the next one is made from what differs.

A file of JSON lines, the same bytes for the same documents: a head, a line for each document, the things that
documents share. It is derived from the records; where it is missing or was made otherwise, the whole graph is made
anew.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from kg.contributions import Contribution, contribution, from_json, to_json
from kg.document_graph import Part, Plan, Shared, Thing, Told, Totals, added_up, shared_quads, term_quads, thing_quads
from kg.errors import CorruptKnowledgeBase
from kg.provenance import node

if TYPE_CHECKING:
    from kg.decisions import Decision
    from kg.graphs import Graphs
    from kg.namespaces import Namespaces
    from kg.ontology import Ontology
    from kg.protocols import GraphStore, Pattern
    from kg.records import Record
    from kg.storage import Folder

FOLDER, SUFFIX = "states", ".jsonl"


@dataclass(frozen=True, slots=True)
class Known:
    """A document in a graph: its record (SHA-256), the context that its part was made in, what it brought and told.

    ``line``: all that as the state's file has it, where it comes from one: what stays isn't written anew.
    """

    record: str
    context: str
    brought: Contribution
    told: Told
    line: bytes = field(default=b"", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class State:
    """A graph's documents by identifier, and what they share. ``made``: names the ontology, base and code."""

    made: str
    documents: Mapping[str, Known] = field(default_factory=dict)
    shared: Shared = field(default_factory=Shared)


def save(state: State, folder: Folder) -> str:
    """Writes the state; its name."""
    return folder.put(FOLDER, dump(state), SUFFIX)


def saved(folder: Folder, name: str, made: str) -> State | None:
    """The state of that name, if it is there, whole and made in that way."""
    try:
        data = folder.get(FOLDER, name, SUFFIX) if name else b""
    except CorruptKnowledgeBase:
        return None
    return load(data) if data and _head(data)["made"] == made else None


def _head(data: bytes) -> dict[str, Any]:
    head: dict[str, Any] = json.loads(data.partition(b"\n")[0])
    return head


def totals(folder: Folder, name: str) -> Totals | None:
    """How much the graph holds but for its triples, from the head alone; None where no state tells."""
    try:
        with (folder.path / FOLDER / (name + SUFFIX)).open("rb") as file:
            counted = _head(file.readline()).get("totals")
    except OSError:
        return None
    return Totals(*counted) if counted else None


def totals_of(state: State) -> Totals:
    """What the documents' claims come to, what their extractors found and didn't keep, and what they share."""
    documents = state.documents.values()
    rejected = (Totals(rejected=known.brought.rejected) for known in documents)
    held = {"documents": len(documents), **state.shared.held}
    return added_up([Totals(held), *(known.told.totals for known in documents), *rejected])


def dump(state: State) -> bytes:
    """JSON lines in a fixed order."""
    head = {"made": state.made, "documents": len(state.documents), "totals": totals_of(state).to_json()}
    shared = state.shared
    common = {
        "things": [_thing(thing) for _, thing in sorted(shared.things.items())],
        "properties": shared.properties,
        "extractors": shared.extractors,
        "held": shared.held,
    }
    documents = (known.line or _line(_known(known)) for _, known in sorted(state.documents.items()))
    return b"".join(line + b"\n" for line in (_line(head), *documents, _line(common)))


def _line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _known(known: Known) -> list[Any]:
    return [known.record, known.context, to_json(known.brought), _told(known.told)]


def load(data: bytes) -> State:
    """The state that :func:`dump` wrote."""
    lines = data.splitlines()
    head, shared = (_read(line) for line in (lines[0], lines[-1]))
    known = (
        Known(record, context, from_json(brought), _read_told(told), line)
        for line in lines[1:-1]
        for record, context, brought, told in (_read(line),)
    )
    things = (
        Thing(iri, label, tuple(alts), tuple(types), *unit) for iri, label, alts, types, *unit in shared["things"]
    )
    return State(
        head["made"],
        {one.brought.document: one for one in known},
        Shared({t.iri: t for t in things}, tuple(shared["properties"]), tuple(shared["extractors"]), shared["held"]),
    )


def _read(line: bytes) -> Any:
    return json.loads(line.decode("utf-8", "surrogatepass"))


def _told(told: Told) -> list[Any]:
    return [told.properties, told.extractors, told.events, told.totals.to_json()]


def _read_told(data: list[Any]) -> Told:
    properties, extractors, events, totals = data
    used = tuple((iri, label, cls) for iri, label, cls in events)
    return Told(tuple(properties), tuple(extractors), used, Totals(*totals))


def _thing(thing: Thing) -> list[Any]:
    said = [thing.iri, thing.label, thing.alt_labels, thing.types]
    return [*said, thing.unit] if thing.unit else said


Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done and of how many."""
Quads = dict[ox.Quad, None]

# Applying a difference costs more per quad than loading in bulk; past this share of the documents, load.
_REBUILD_SHARE = 0.5
# Quads that are added in one transaction; more are loaded in bulk.
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

    def write_whole(self, graphs: Graphs, name: str) -> State:
        """Makes the whole graph under a name, document by document; its state."""
        known: dict[str, Known] = {}
        shared: list[Shared] = []

        def quads() -> Iterator[ox.Quad]:
            for id_ in self._brought:
                yield from self._part(id_, known).quads()
            shared.append(self._plan.shared(one.told for one in known.values()))
            yield from shared_quads(shared[0], self._content.ontology, self._content.namespaces)
            yield from sorted(self._content.user, key=str)

        graphs.make(name, quads())
        return State(self._content.made, known, shared[0])

    def _part(self, id_: str, known: dict[str, Known]) -> Part:
        """A document's part; what is known of it is added to ``known``."""
        part = self._plan.part(self._content.record(id_))
        known[id_] = Known(self._content.records[id_], self._contexts[id_], self._brought[id_], part.told)
        return part

    def write_changed(self, graphs: Graphs, name: str, previous: str, before: Content) -> State:
        """Makes the graph under a name, from the ``previous`` one, which holds what ``before`` gives."""
        known = {id_: one for id_, one in self._old.documents.items() if id_ in self._brought}
        add: Quads = {}
        for id_ in self.changed:
            add.update(dict.fromkeys(self._part(id_, known).quads()))
        known = dict(sorted(known.items()))
        shared = self._plan.shared(one.told for one in known.values())
        with contextlib.closing(graphs.open(previous)) as store:
            gone = self._gone(store, before)
            shared_before = _Everybody(self._old.shared, self._content)
            shared_now = _Everybody(shared, self._content)
            for thing in _differing(shared, self._old.shared):
                add.update(dict.fromkeys(thing_quads(thing, self._content.ontology)))
            if shared_now.terms != shared_before.terms:
                add.update(dict.fromkeys(shared_now.terms))
            gone.update(dict.fromkeys(shared_before.lost(shared)))
            remove = {quad for quad in gone if quad not in add and not shared_now.holds(quad)}
            remove -= self._still_stated(store, remove)
        graphs.change(name, previous, remove | (before.user - self._content.user), {*add, *self._content.user})
        return State(self._content.made, known, shared)

    def _gone(self, store: GraphStore, before: Content) -> Quads:
        """What the store holds of the parts of documents that changed or went, and the triples that they asserted."""
        subjects: list[Pattern] = []
        passages: list[Pattern] = []
        changed = set(self.changed)
        for id_ in self._old.documents:
            if id_ in changed or id_ not in self._brought:
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

    def lost(self, now: Shared) -> Iterator[ox.Quad]:
        """What may have gone with the next state."""
        for thing in _differing(self._shared, now):
            yield from thing_quads(thing, self._ontology)
        yield from self.terms


def _differing(some: Shared, others: Shared) -> Iterator[Thing]:
    """Things of the one that the other doesn't have like that."""
    return (thing for iri, thing in some.things.items() if others.things.get(iri) != thing)
