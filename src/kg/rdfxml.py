"""RDF/XML, flat and sorted (pyoxigraph's writer gives XML that does not parse for some types; rdflib's is slow)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import IO
from xml.sax.saxutils import escape, quoteattr

import pyoxigraph as ox

from kg.errors import Unsupported
from kg.namespaces import RDF, XSD

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
