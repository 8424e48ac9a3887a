"""The graph as files: sorted, so that the same graph gives the same bytes.

Turtle, N-Triples, JSON-LD and RDF/XML hold the default graph, TriG and N-Quads all graphs.

RDF/XML, flat and sorted (pyoxigraph's writer gives XML that does not parse for some types; rdflib's is slow).

Claims as CSV (RFC 4180, UTF-8): one row a claim, with its evidence, for spreadsheets and data frames.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import IO, TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

import pyoxigraph as ox

from kg.base.user_graphs import blanks_named
from kg.errors import Unsupported
from kg.namespaces import KG, RDF, RDFS, XSD, Namespaces

if TYPE_CHECKING:
    from kg.base.snapshot import Snapshot
    from kg.protocols import GraphStore

# XML 1.0: names without a colon (the part of a property's IRI after the namespace), and what no document may hold.
_START = r"A-Z_a-zÀ-ÖØ-öø-˿Ͱ-ͽͿ-῿\u200C\u200D⁰-↏Ⰰ-⿯、-\uD7FF豈-﷏ﷰ-\uFFFD\U00010000-\U000EFFFF"
_NAME = re.compile(rf"[{_START}][{_START}\-.0-9·\u0300-\u036F‿⁀]*\Z")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_HINT = "export it as Turtle or N-Triples"


def write_rdfxml(triples: Iterable[ox.Triple], stream: IO[bytes], prefixes: Mapping[str, str]) -> None:
    """Writes triples (sorted by subject) with the prefixes. Raises Unsupported for what XML can't hold."""
    named = {iri: name for name, iri in sorted(prefixes.items(), reverse=True)} | {RDF: "rdf"}
    spaces = "".join(f"\n    xmlns:{name}={_attribute(iri)}" for iri, name in sorted(named.items(), key=lambda n: n[1]))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<rdf:RDF{spaces}>"]
    for subject, about in groupby(triples, key=lambda t: t.subject):
        lines.append(f"  <rdf:Description {_node('about', subject)}>")
        lines += [f"    {_property(triple, named)}" for triple in about]
        lines.append("  </rdf:Description>")
    lines.append("</rdf:RDF>\n")
    stream.write("\n".join(lines).encode())


def _attribute(text: str) -> str:
    return quoteattr(_checked(text), {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})


def _checked(text: str) -> str:
    found = _NOT_XML.search(text)
    if found:
        raise Unsupported(f"RDF/XML can't hold the character U+{ord(found[0]):04X}, which a document has", _HINT)
    return text


def _node(role: str, term: object) -> str:
    if isinstance(term, ox.BlankNode):
        return f'rdf:nodeID="b{term.value}"'
    if isinstance(term, ox.NamedNode):
        return f"rdf:{role}={_attribute(term.value)}"
    raise Unsupported("RDF/XML can't hold statements about statements", _HINT)


def _property(triple: ox.Triple, named: Mapping[str, str]) -> str:
    iri = triple.predicate.value
    cut = next((at for at in range(len(iri)) if _NAME.match(iri, at)), None)
    if cut is None:
        raise Unsupported(f"RDF/XML can't hold the property {iri}: its name doesn't end in an XML name", _HINT)
    split = max(iri.rfind("/"), iri.rfind("#")) + 1
    if iri[:split] in named and _NAME.match(iri, split):
        tag, space = f"{named[iri[:split]]}:{iri[split:]}", ""
    else:
        tag, space = f"ns:{iri[cut:]}", f" xmlns:ns={_attribute(iri[:cut])}"
    value = triple.object
    if not isinstance(value, ox.Literal):
        return f"<{tag}{space} {_node('resource', value)}/>"
    if value.language:
        space += f" xml:lang={_attribute(value.language)}"
    elif value.datatype.value != XSD + "string":
        space += f" rdf:datatype={_attribute(value.datatype.value)}"
    return f"<{tag}{space}>{escape(_checked(value.value), {chr(13): '&#13;'})}</{tag}>"


COLUMNS = (
    "subject", "property", "value", "stated", "unit", "lower", "upper", "earliest", "latest", "valid_from",
    "valid_until", "status", "polarity", "mood", "asserted", "confidence", "document", "heading", "quote", "start",
    "end", "subject_iri", "property_iri", "value_iri", "claim",
    "said_by", "said_by_iri",
)  # fmt: skip
"""``value`` is an entity's label or a literal in the property's unit; ``stated`` as the document writes it.

``start`` and ``end`` are the quote's place in the document's stored text, in code points.
``said_by`` is whom the document quotes or reports for the claim; empty for what it says itself.
"""


def export_claims(snapshot: Snapshot, stream: IO[bytes]) -> None:
    """Writes every claim, ordered by document and place."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(_claim_rows(snapshot))
    stream.write(text.getvalue().encode("utf-8"))


_CLAIMS = """SELECT ?claim ?passage ?start ?end ?s ?p ?o ?isIri ?stated ?unit ?lower ?upper ?earliest ?latest ?since
    ?until ?status ?polarity ?mood ?asserted ?confidence ?quote ?speaker WHERE {
  ?claim a kg:Claim ; prov:wasDerivedFrom ?passage ; kg:quoteStart ?start ; kg:quoteEnd ?end ; rdf:subject ?s ;
    rdf:predicate ?p ; kg:statedValue ?stated ; kg:status ?status ; kg:polarity ?polarity ; kg:mood ?mood ;
    kg:asserted ?asserted ; kg:confidence ?confidence ; kg:quote ?quote
  OPTIONAL { ?claim rdf:object ?o BIND(ISIRI(?o) AS ?isIri) } OPTIONAL { ?claim qudt:unit ?unit }
  OPTIONAL { ?claim kg:lowerValue ?lower } OPTIONAL { ?claim kg:upperValue ?upper }
  OPTIONAL { ?claim kg:earliest ?earliest } OPTIONAL { ?claim kg:latest ?latest }
  OPTIONAL { ?claim kg:validFrom ?since } OPTIONAL { ?claim kg:validUntil ?until }
  OPTIONAL { ?claim prov:wasAttributedTo ?speaker } }"""


def _claim_rows(snapshot: Snapshot) -> Iterator[tuple[str, ...]]:
    names = snapshot.namespaces
    labels = {
        str(q.subject).strip("<>"): q.object.value
        for q in sorted(snapshot.store.quads(ox.DefaultGraph()), key=str, reverse=True)
        if q.predicate.value == RDFS + "label" and isinstance(q.object, ox.Literal)
    }
    documents = {names.passage(p.id): r.document.name for r in snapshot.records() for p in r.passages}
    rows = sorted(snapshot.rows(_CLAIMS), key=lambda row: (documents[row[1]], int(row[2]), int(row[3]), row[0]))
    for claim, passage, start, end, subject, property_, value, is_iri, stated, unit, *more in rows:
        *bounds, status, polarity, mood, asserted, confidence, quote, speaker = more
        iri = value if is_iri == "true" else ""
        yield (
            labels.get(subject, subject),
            labels.get(property_, property_),
            labels.get(iri, iri) if iri else value,
            stated,
            unit.rsplit("/", 1)[-1].rsplit("#", 1)[-1],
            *bounds,
            *(term.removeprefix(KG) for term in (status, polarity, mood)),
            asserted,
            confidence,
            documents[passage],
            " > ".join(snapshot.passages[passage.removeprefix(names.passage(""))].headings),
            quote,
            start,
            end,
            subject,
            property_,
            iri,
            claim.removeprefix(names.claim("")),
            labels.get(speaker, speaker),
            speaker,
        )


FORMATS: Mapping[str, ox.RdfFormat] = {
    "turtle": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "nt": ox.RdfFormat.N_TRIPLES,
    "nq": ox.RdfFormat.N_QUADS,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
}
"""Formats by the names that the command line and the server take."""

PROVENANCE = ("full", "none")
_ALL_GRAPHS = frozenset({"trig", "nq"})
_NAMED = re.compile(r"c14n\d+")
_VANN = "http://purl.org/vocab/vann/preferredNamespace"


def export(
    store: GraphStore,
    stream: IO[bytes],
    format: str = "turtle",
    provenance: str = "full",
    namespaces: Namespaces | None = None,
) -> None:
    """Writes the graph. ``provenance`` "none" leaves out documents, passages, claims and evidence. Raises Unsupported.

    Prefixes are those of the knowledge base and those that ontologies declare for themselves.
    """
    if format not in FORMATS:
        raise Unsupported(f"there is no format {format!r}", f"one of {', '.join(FORMATS)}")
    if provenance not in PROVENANCE:
        raise Unsupported(f"there is no provenance {provenance!r}", "full or none")
    names = namespaces or Namespaces()
    quads: Iterable[ox.Quad] = store.quads() if format in _ALL_GRAPHS else store.quads(ox.DefaultGraph())
    if provenance == "none":  # what tells of the world, not of where it stands written
        kinds = ("document", "passage", "claim", "evidence", "extractor")
        parts = tuple(f"{names.base}{kind}/" for kind in kinds)
        quads = (q for q in quads if not (_iri(q.subject).startswith(parts) or _iri(q.graph_name).startswith(parts)))
    write(quads, stream, format, {**declared_prefixes(store, names), **names.prefixes()})


def _iri(term: object) -> str:
    return term.value if isinstance(term, ox.NamedNode) else ""


def declared_prefixes(store: GraphStore, names: Namespaces) -> dict[str, str]:
    """Prefixes that ontologies state for their own namespaces (vann), by name."""
    found: dict[str, dict[str, str]] = {}
    for quad in store.quads(ox.NamedNode(names.ontology_graph)):
        if quad.predicate.value.startswith(_VANN) and isinstance(quad.object, ox.Literal):
            found.setdefault(str(quad.subject), {})[quad.predicate.value.removeprefix(_VANN)] = quad.object.value
    stated = [(d["Prefix"], d["Uri"]) for _, d in sorted(found.items()) if {"Prefix", "Uri"} <= set(d)]
    return {prefix: iri for prefix, iri in reversed(stated) if prefix.replace("-", "").isalnum()}


def write(quads: Iterable[ox.Quad], stream: IO[bytes], format: str, prefixes: Mapping[str, str]) -> None:
    """Writes quads in a format, sorted. Graph names are left out where the format has none."""
    canonical = _canonical(quads)
    if format in ("nt", "nq"):
        lines = (f"{quad if format == 'nq' else quad.triple} .\n" for quad in canonical)
        stream.write("".join(sorted(lines)).encode())
        return
    ordered = sorted(canonical, key=_key)
    if format == "rdfxml":
        write_rdfxml([quad.triple for quad in ordered], stream, _used(ordered, prefixes))
        return
    rows = ordered if format == "trig" else [quad.triple for quad in ordered]
    ox.serialize(rows, stream, FORMATS[format], prefixes=_used(ordered, prefixes))


def _canonical(quads: Iterable[ox.Quad]) -> list[ox.Quad]:
    """The quads; blank nodes, which only people's own graphs have, named by RDFC-1.0."""
    found = list(quads)
    terms = (term for q in found for term in (q.subject, q.object, q.graph_name))
    # Those of a knowledge base got such names when they were written; naming them again could take long.
    if any(isinstance(term, ox.BlankNode) and not _NAMED.fullmatch(term.value) for term in terms):
        return list(blanks_named(found))
    return found


def _key(quad: ox.Quad) -> tuple[str, str, bool, str, str]:
    """Default graph first, types before other properties, then by code points."""
    predicate = quad.predicate.value
    return _iri(quad.graph_name), str(quad.subject), not predicate.endswith("#type"), predicate, str(quad.object)


def _used(quads: Iterable[ox.Quad], prefixes: Mapping[str, str]) -> dict[str, str]:
    """Those prefixes that stand for something in the quads, by name."""
    iris: set[str] = set()
    for quad in quads:
        for term in (quad.subject, quad.predicate, quad.object, quad.graph_name):
            if isinstance(term, ox.NamedNode):
                iris.add(term.value)
            elif isinstance(term, ox.Literal):
                iris.add(term.datatype.value)
    spaces = {iri[: max(iri.rfind("/"), iri.rfind("#")) + 1] for iri in iris}
    return {name: iri for name, iri in sorted(prefixes.items()) if iri in spaces}
