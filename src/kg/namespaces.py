"""Prefixes and deterministic identifiers (IRIs from content, never from time, host or order).

One :class:`Namespaces` holds the base IRI of a knowledge base; every identifier is made here.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

KG = "https://w3id.org/citegraph/kg#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
PROV = "http://www.w3.org/ns/prov#"
DCTERMS = "http://purl.org/dc/terms/"
SCHEMA = "https://schema.org/"
QUDT = "http://qudt.org/schema/qudt/"
UNIT = "http://qudt.org/vocab/unit/"
OA = "http://www.w3.org/ns/oa#"
SH = "http://www.w3.org/ns/shacl#"

DEFAULT_BASE = "https://w3id.org/citegraph/id/"
DIGEST_LENGTH = 20

_NOT_SLUG = re.compile(r"[^\w]+|_+")
_NOT_FILE_SLUG = re.compile(r"[^\w.]+|_+")


def digest(*parts: str) -> str:
    """First 20 hex digits of the SHA-256 of the parts, each preceded by its length so that none run together."""
    sha = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        sha.update(str(len(data)).encode() + b":" + data)
    return sha.hexdigest()[:DIGEST_LENGTH]


def slug(text: str) -> str:
    """Lower-case words joined by hyphens; letters of any script are kept. Never empty.

    >>> slug("GPT-3.5 (2022)")
    'gpt-3-5-2022'
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _NOT_SLUG.sub("-", plain).strip("-") or digest(text)


def document_slug(name: str) -> str:
    """Identifier of a document from its relative path.

    >>> document_slug("Reports/GPT 3.md")
    'reports-gpt-3.md'
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    return _NOT_FILE_SLUG.sub("-", plain).strip("-.") or digest(name)


def passage_id(document: str, text: str, before: int) -> str:
    """Identifier of a passage: its document's identifier, its text and how many passages with that text precede it."""
    return digest("passage", document, text, str(before))


def claim_id(
    passage: str,
    evidence: Iterable[tuple[str, int, int]],
    surfaces: Iterable[str],
    predicate: str,
    polarity: str,
    passage_start: int,
) -> str:
    """Identifier of a claim: passage, role spans relative to it, surface forms, predicate as extracted, polarity.

    The predicate is the ontology's IRI or the open label; identifiers of resolved entities never enter.
    """
    spans = [f"{role}:{start - passage_start}:{end - passage_start}" for role, start, end in sorted(evidence)]
    return digest("claim", passage, *spans, "|", *surfaces, "|", predicate, polarity)


@dataclass(frozen=True, slots=True)
class Namespaces:
    """IRIs under one base."""

    base: str = DEFAULT_BASE

    def entity(self, slug_: str) -> str:
        """IRI of an entity or event by its slug."""
        return f"{self.base}entity/{slug_}"

    def document(self, id_: str) -> str:
        """IRI of a document by its slug."""
        return f"{self.base}document/{id_}"

    def passage(self, id_: str) -> str:
        """IRI of a passage, also the name of its graph."""
        return f"{self.base}passage/{id_}"

    def claim(self, id_: str) -> str:
        """IRI of a claim."""
        return f"{self.base}claim/{id_}"

    def evidence(self, document: str, start: int, end: int, role: str) -> str:
        """IRI of a stretch of evidence in a role."""
        return f"{self.base}evidence/{digest('evidence', document, str(start), str(end), role)}"

    def event(self, id_: str) -> str:
        """IRI of an event or observation node."""
        return f"{self.base}event/{id_}"

    def relation(self, slug_: str) -> str:
        """IRI of an open property."""
        return f"{self.base}property/{slug_}"

    def extractor(self, name: str) -> str:
        """IRI of an extractor."""
        return f"{self.base}extractor/{slug(name)}"

    @property
    def ontology_graph(self) -> str:
        """Name of the graph that holds the ontology whole."""
        return f"{self.base}graph/ontology"

    @property
    def user_graphs(self) -> str:
        """Prefix of the graphs that people write by SPARQL update; they survive rebuilds."""
        return f"{self.base}graph/user/"

    def prefixes(self) -> dict[str, str]:
        """Prefixes offered in queries and used in Turtle, by name."""
        return {
            "kg": KG,
            "ent": f"{self.base}entity/",
            "doc": f"{self.base}document/",
            "passage": f"{self.base}passage/",
            "claim": f"{self.base}claim/",
            "evidence": f"{self.base}evidence/",
            "event": f"{self.base}event/",
            "rel": f"{self.base}property/",
            "rdf": RDF,
            "rdfs": RDFS,
            "owl": OWL,
            "xsd": XSD,
            "skos": SKOS,
            "prov": PROV,
            "dcterms": DCTERMS,
            "schema": SCHEMA,
            "qudt": QUDT,
            "unit": UNIT,
            "oa": OA,
        }
