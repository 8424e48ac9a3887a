"""What a graph was made from, document by document, so that the next one is made from what differs.

A file of JSON lines, the same bytes for the same documents: a head, a line for each document, the things that
documents share. It is derived from the records; where it is missing or was made otherwise, the whole graph is made
anew.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kg.errors import CorruptKnowledgeBase
from kg.graph.document_graph import Shared, Thing
from kg.resolution.contributions import Contribution, Sums, Told, Totals, Uses, added_up, from_json, to_json
from kg.resolution.resolve import Named, Naming

if TYPE_CHECKING:
    from kg.storage import Folder

FOLDER, SUFFIX = "states", ".jsonl"


@dataclass(frozen=True, slots=True)
class Known:
    """A document in a graph: its record (SHA-256), the context that its part was made in, what it brought and told.

    ``meant``: digests of what the names in its claims meant, in the order of their groups.
    """

    record: str
    context: str
    brought: Contribution
    told: Told
    meant: tuple[str, ...] = ()


class Documents(Mapping[str, Known]):
    """A graph's documents by identifier. Lines of a state's file are read when somebody asks for what they say."""

    def __init__(self, held: Mapping[str, bytes | Known]) -> None:
        """``held``: lines, or what they would say."""
        self._held = dict(sorted(held.items()))
        self._parsed: dict[str, list[Any]] = {}
        self._read: dict[str, Known] = {}

    @classmethod
    def of_lines(cls, lines: Iterable[bytes]) -> Documents:
        """Those of a state's file."""
        # A line begins ["RECORD","CONTEXT",{"document":"ID": finding that takes a tenth of reading it.
        return cls({line.split(b'"', 8)[7].decode("utf-8", "surrogatepass"): line for line in lines})

    def __getitem__(self, id_: str) -> Known:
        held = self._held[id_]
        if isinstance(held, Known):
            return held
        if id_ not in self._read:
            self._read[id_] = _read_known(self.raw(id_))
        return self._read[id_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, id_: object) -> bool:
        return id_ in self._held

    def stamp(self, id_: str) -> tuple[str, str]:
        """Record and context of a document that is there."""
        held = self._held[id_]
        if isinstance(held, Known):
            return held.record, held.context
        _, record, _, context, _ = held.split(b'"', 4)
        return record.decode(), context.decode()

    def raw(self, id_: str) -> list[Any]:
        """What the line of a document says, as JSON; nobody changes it."""
        if id_ not in self._parsed:
            held = self._held[id_]
            self._parsed[id_] = _known(held) if isinstance(held, Known) else _read(held)
        return self._parsed[id_]

    def line(self, id_: str) -> bytes:
        """The line of a document; one that stays isn't written anew."""
        held = self._held[id_]
        return json_line(_known(held)) if isinstance(held, Known) else held

    def changed(self, gone: Collection[str], new: Mapping[str, Known]) -> Documents:
        """Those without some, and with others."""
        return Documents({**{id_: held for id_, held in self._held.items() if id_ not in gone}, **new})


@dataclass(frozen=True, slots=True)
class State:
    """A graph's documents by identifier, and what they share. ``made``: names the ontology, base and code.

    ``decided``: names the decisions; ``sums``, ``uses`` and ``entities`` are what a change of few documents goes by.
    """

    made: str
    documents: Documents = field(default_factory=lambda: Documents({}))
    shared: Shared = field(default_factory=Shared)
    sums: Sums = field(default_factory=Sums)
    uses: Uses = field(default_factory=Uses)
    entities: tuple[Named, ...] = ()
    decided: str = ""


def save(state: State, folder: Folder) -> str:
    """Writes the state; its name."""
    return folder.put(FOLDER, dump(state), SUFFIX)


def saved(folder: Folder, name: str, made: str) -> State | None:
    """The state of that name, if it is there, whole and made in that way."""
    try:
        data = folder.get(FOLDER, name, SUFFIX) if name else b""
    except CorruptKnowledgeBase:
        return None
    return load(data) if data and _read(data.partition(b"\n")[0])["made"] == made else None


def totals(folder: Folder, name: str) -> Totals | None:
    """How much the graph holds but for its triples, from the head alone; None where no state tells."""
    try:
        with (folder.path / FOLDER / (name + SUFFIX)).open("rb") as file:
            counted = _read(file.readline()).get("totals")
    except OSError:
        return None
    return Totals(*counted) if counted else None


def totals_of(state: State) -> Totals:
    """What the documents' claims come to, what their extractors found and didn't keep, and what they share."""
    return added_up([Totals({"documents": len(state.documents), **state.shared.held}), state.sums.totals])


def dump(state: State) -> bytes:
    """JSON lines in a fixed order."""
    head = {
        "made": state.made,
        "decided": state.decided,
        "documents": len(state.documents),
        "totals": totals_of(state).to_json(),
    }
    common = {
        "things": [_thing(thing) for _, thing in sorted(state.shared.things.items())],
        "held": state.shared.held,
        "told": state.sums.to_json(),
        "uses": dict(sorted(state.uses.places.items())),
        "entities": [_entity(one) for one in sorted(state.entities, key=lambda one: one.iri)],
    }
    documents = (state.documents.line(id_) for id_ in state.documents)
    return b"".join(line + b"\n" for line in (json_line(head), *documents, json_line(common)))


def json_line(value: Any) -> bytes:
    """A value as a line of the file has it, so that a document's line can be searched for it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _known(known: Known) -> list[Any]:
    told = [known.told.properties, known.told.extractors, known.told.events, known.told.totals.to_json()]
    return [known.record, known.context, to_json(known.brought), told, list(known.meant)]


def load(data: bytes) -> State:
    """The state that :func:`dump` wrote."""
    lines = data.splitlines()
    head, shared = (_read(line) for line in (lines[0], lines[-1]))
    documents, sums = Documents.of_lines(lines[1:-1]), Sums.from_json(shared["told"])
    read = (Thing(iri, label, tuple(alts), tuple(types), *unit) for iri, label, alts, types, *unit in shared["things"])
    things = {thing.iri: thing for thing in read}
    return State(
        head["made"],
        documents,
        Shared(things, tuple(sorted(sums.properties)), tuple(sorted(sums.extractors)), shared["held"]),
        sums,
        Uses(tuple(documents), {key: (claimed, others) for key, (claimed, others) in shared["uses"].items()}),
        tuple(
            Named(key, Naming(*naming), iri, label, tuple(alts), tuple(types))
            for key, naming, iri, label, alts, types in shared["entities"]
        ),
        head["decided"],
    )


def _read(line: bytes) -> Any:
    return json.loads(line.decode("utf-8", "surrogatepass"))


def _read_known(data: list[Any]) -> Known:
    record, context, brought, (properties, extractors, events, totals), meant = data
    used = tuple((iri, label, cls) for iri, label, cls in events)
    told = Told(tuple(properties), tuple(extractors), used, Totals(*totals))
    return Known(record, context, from_json(brought), told, tuple(meant))


def _entity(one: Named) -> list[Any]:
    naming = [one.naming.plain, one.naming.classed, one.naming.individual, one.naming.labelled, one.naming.placed]
    return [one.key, naming, one.iri, one.label, one.alt_labels, one.types]


def _thing(thing: Thing) -> list[Any]:
    said = [thing.iri, thing.label, thing.alt_labels, thing.types]
    return [*said, thing.unit] if thing.unit else said
