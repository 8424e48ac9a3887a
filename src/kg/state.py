"""What a graph was made from, document by document, so that the next one is made from what differs.

A file of JSON lines, the same bytes for the same documents: a head, a line for each document, the things that documents
share. It is derived from the records; where it is missing or was made otherwise, the whole graph is made anew.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING, Any

from kg.contributions import Contribution, from_json, to_json
from kg.errors import CorruptKnowledgeBase
from kg.graph import Shared, Thing, Told

if TYPE_CHECKING:
    from kg.storage import Folder

FOLDER, SUFFIX = "states", ".jsonl"


@dataclass(frozen=True, slots=True)
class Known:
    """A document in a graph: its record (SHA-256), the context that its part was made in, what it brought and told."""

    record: str
    context: str
    brought: Contribution
    told: Told


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
        state = load(folder.get(FOLDER, name, SUFFIX)) if name else None
    except CorruptKnowledgeBase:
        return None
    return state if state is not None and state.made == made else None


def rejected(folder: Folder, name: str) -> Counter[str]:
    """How much the documents' extractors found and didn't keep, by reason: from the head alone."""
    try:
        with (folder.path / FOLDER / (name + SUFFIX)).open("rb") as file:
            return Counter(json.loads(file.readline())["rejected"])
    except OSError as error:
        raise CorruptKnowledgeBase("the graph's state is missing", "run: kg build on the documents again") from error


def dump(state: State) -> bytes:
    """JSON lines in a fixed order."""
    counted: Counter[str] = Counter()
    for known in state.documents.values():
        counted.update(known.brought.rejected)
    head = {"made": state.made, "documents": len(state.documents), "rejected": dict(sorted(counted.items()))}
    documents = (
        [known.record, known.context, to_json(known.brought), _told(known.told)]
        for _, known in sorted(state.documents.items())
    )
    shared = state.shared
    things = [_thing(thing) for _, thing in sorted(shared.things.items())]
    lines = [head, *documents, {"things": things, "properties": shared.properties, "extractors": shared.extractors}]
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    return b"".join(encode(line).encode("utf-8", "surrogatepass") + b"\n" for line in lines)


def load(data: bytes) -> State:
    """The state that :func:`dump` wrote."""
    head, *documents, shared = (json.loads(line.decode("utf-8", "surrogatepass")) for line in data.splitlines())
    known = (Known(r, context, from_json(brought), _read_told(told)) for r, context, brought, told in documents)
    things = (
        Thing(iri, label, tuple(alts), tuple(types), *unit) for iri, label, alts, types, *unit in shared["things"]
    )
    return State(
        head["made"],
        {one.brought.document: one for one in known},
        Shared({t.iri: t for t in things}, tuple(shared["properties"]), tuple(shared["extractors"])),
    )


def _told(told: Told) -> list[Any]:
    return list(astuple(told))


def _read_told(data: list[Any]) -> Told:
    properties, extractors, events = data
    return Told(tuple(properties), tuple(extractors), tuple((iri, label, cls) for iri, label, cls in events))


def _thing(thing: Thing) -> list[Any]:
    said = [thing.iri, thing.label, thing.alt_labels, thing.types]
    return [*said, thing.unit] if thing.unit else said
