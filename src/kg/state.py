"""What a graph was made from, document by document, so that the next one is made from what differs.

A file of JSON lines, the same bytes for the same documents: a head, a line for each document, the things that documents
share. It is derived from the records; where it is missing or was made otherwise, the whole graph is made anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kg.contributions import Contribution, from_json, to_json
from kg.errors import CorruptKnowledgeBase
from kg.graph import Shared, Thing, Told
from kg.totals import Totals, added_up

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
    documents = (
        [known.record, known.context, to_json(known.brought), _told(known.told)]
        for _, known in sorted(state.documents.items())
    )
    shared = state.shared
    common = {
        "things": [_thing(thing) for _, thing in sorted(shared.things.items())],
        "properties": shared.properties,
        "extractors": shared.extractors,
        "held": shared.held,
    }
    lines = [head, *documents, common]
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
        Shared({t.iri: t for t in things}, tuple(shared["properties"]), tuple(shared["extractors"]), shared["held"]),
    )


def _told(told: Told) -> list[Any]:
    return [told.properties, told.extractors, told.events, told.totals.to_json()]


def _read_told(data: list[Any]) -> Told:
    properties, extractors, events, totals = data
    used = tuple((iri, label, cls) for iri, label, cls in events)
    return Told(tuple(properties), tuple(extractors), used, Totals(*totals))


def _thing(thing: Thing) -> list[Any]:
    said = [thing.iri, thing.label, thing.alt_labels, thing.types]
    return [*said, thing.unit] if thing.unit else said
