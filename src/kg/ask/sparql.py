"""SPARQL shown with an answer: built from terms of the graph, never from a question's text, and run as it is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from kg.protocols import GraphStore

_LITERAL = re.compile(r'("(?:[^"\\]|\\.)*")')
_IRI = re.compile(r"<([a-z][a-z0-9+.-]*:[^<>\s]*)>")
_LOCAL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Written:
    """A query and what it gave: SPARQL's JSON results."""

    sparql: str
    bindings: dict[str, Any]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of a SELECT query."""
        return list(self.bindings.get("results", {}).get("bindings", []))


class Writer:
    """Writes queries with the prefixes of a knowledge base, declaring those that are used."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        # The longest namespace first, so that ``ent:`` wins over its base.
        self._prefixes = sorted(prefixes.items(), key=lambda p: (-len(p[1]), p[0]))

    def term(self, iri: str) -> str:
        """An IRI as a prefixed name where that is safe, else in angle brackets. Raises ValueError if it isn't one."""
        for prefix, namespace in self._prefixes:
            if iri.startswith(namespace) and _LOCAL.fullmatch(iri[len(namespace) :]):
                return f"{prefix}:{iri[len(namespace) :]}"
        return str(ox.NamedNode(iri))

    def query(self, body: str, iris: Sequence[str]) -> str:
        """A query from ``body``, in which ``{0}``, ``{1}`` … stand for IRIs; its prefixes are declared."""
        return self.declared(body.format(*(self.term(iri) for iri in iris)))

    def abbreviated(self, text: str) -> str:
        """A query whose IRIs are written in full, with the prefixes that it can have."""
        pieces = _LITERAL.split(text)
        pieces[::2] = [_IRI.sub(lambda match: self.term(match[1]), piece) for piece in pieces[::2]]
        return self.declared("".join(pieces))

    def declared(self, text: str) -> str:
        """A query with the prefixes that it uses declared."""
        used = [p for p, _ in self._prefixes if re.search(rf"(?<![\w:<]){re.escape(p)}:", text)]
        namespaces = dict(self._prefixes)
        heads = [f"PREFIX {p}: <{namespaces[p]}>" for p in sorted(used)]
        return "\n".join((*heads, text))


def run(store: GraphStore, sparql: str) -> Written:
    """Runs a SELECT or ASK query."""
    results = store.query(sparql)
    assert not isinstance(results, ox.QueryTriples)
    raw = results.serialize(format=ox.QueryResultsFormat.JSON)
    assert raw is not None
    return Written(sparql, json.loads(raw))


VALUES = "SELECT ?value WHERE {{\n  {0} {1} ?value .\n}}"
SUBJECTS = "SELECT ?subject WHERE {{\n  ?subject {0} {1} .\n}}"
COUNT = "SELECT (COUNT(DISTINCT ?value) AS ?count) WHERE {{\n  {0} {1} ?value .\n}}"
CLAIMED = (
    "SELECT ?value ?status WHERE {{\n  ?claim rdf:subject {0} ; rdf:predicate {1} ;\n"
    "    kg:statedValue ?value ; kg:status ?status .\n}}"
)
STATED = (
    "SELECT ?value ?status WHERE {{\n  ?claim rdf:subject {0} ; rdf:predicate {1} ;\n"
    "    prov:wasDerivedFrom {2} ; kg:statedValue ?value ; kg:status ?status .\n}}"
)
