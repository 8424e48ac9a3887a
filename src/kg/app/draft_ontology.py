"""Open properties as an ontology to edit: the labels that documents use, with the form and unit of their values.

What is written is a start, not a finished ontology: people rename, merge and describe, then build with the file, and
what was open becomes typed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.graph.literals import unit_node
from kg.model import Claim, EntityName, Quantity
from kg.namespaces import slug
from kg.resolution.openproperties import OpenProperty, label_key, open_properties

if TYPE_CHECKING:
    from kg.ontology import Ontology
    from kg.records import Record

NAMESPACE = "https://example.org/ontology#"
_MOST_EXAMPLES = 3
_LONGEST_EXAMPLE = 100
_ENOUGH = 0.6  # of the values, for a form to be the property's
_HEADER = f"""# A draft: open properties of the documents, the most frequent first. Edit it, then build with it:
#   kg build DOCUMENTS --ontology THIS_FILE
# Rename terms and give them definitions; drop those that say nothing; make two properties one by giving the labels of
# the second to the first as further skos:altLabel. Labels are how headers, keys and questions find a property.

@prefix : <{NAMESPACE}> .
@prefix kg: <https://w3id.org/citegraph/kg#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

<{NAMESPACE.rstrip("#")}> a owl:Ontology ; rdfs:label "Draft" .
"""
_DATES = "[ a rdfs:Datatype ; owl:unionOf ( xsd:gYear xsd:gYearMonth xsd:date ) ]"


def draft(records: Iterable[Record], ontology: Ontology) -> str:
    """The open properties of the records as Turtle; the same text for the same records, in any order."""
    claims = [claim for record in records for claim in record.extraction.claims if not claim.predicate.iri]
    stated: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.object is not None:
            stated[label_key(claim.predicate.label)].append(claim)
    properties = {key: found for key, found in open_properties(claims).items() if key in stated}
    ordered = sorted(properties, key=lambda key: (-len(stated[key]), properties[key].label, key))
    names = _names(properties)
    terms = (_term(names[key], properties[key], stated[key], ontology) for key in ordered)
    return "\n".join([_HEADER, *terms]) if ordered else f"{_HEADER}\n# The documents have no open properties.\n"


def _names(properties: Mapping[str, OpenProperty]) -> dict[str, str]:
    """Local names in camel case, numbered where two properties would share one."""
    taken: Counter[str] = Counter()
    found: dict[str, str] = {}
    for key in sorted(properties):
        first, *others = [w for w in slug(properties[key].label).replace(".", "-").split("-") if w] or ["property"]
        name = first + "".join(word.capitalize() for word in others)
        name = name if name[0].isalpha() and name.isascii() and name.isalnum() else f"property{len(found) + 1}"
        taken[name] += 1
        found[key] = name if taken[name] == 1 else f"{name}{taken[name]}"
    return found


def _term(name: str, found: OpenProperty, claims: Sequence[Claim], ontology: Ontology) -> str:
    """A property with what its claims tell of it, and some of them as comments."""
    kind, range_ = _form(claims)
    lines = [f":{name} a {kind} ;", f"    rdfs:label {_quoted(found.label)} ;"]
    if found.alt_labels:
        lines.append(f"    skos:altLabel {' , '.join(_quoted(label) for label in found.alt_labels)} ;")
    if domain := _classes((claim.subject for claim in claims), ontology):
        lines.append(f"    rdfs:domain <{domain}> ;")
    if kind == "owl:ObjectProperty" and (found_class := _classes((claim.object for claim in claims), ontology)):
        range_ = f"<{found_class}>"
    if range_:
        lines.append(f"    rdfs:range {range_} ;")
    if found.unit and range_ == "xsd:decimal":
        lines.append(f"    kg:canonicalUnit {unit_node(found.unit)} ;")
    lines[-1] = lines[-1][:-1] + "."
    return "\n".join([*(f"# {example}" for example in _examples(claims)), *lines]) + "\n"


def _quoted(text: str) -> str:
    return str(ox.Literal(text))


def _form(claims: Sequence[Claim]) -> tuple[str, str]:
    """Type and range of the property by the form that most of its values have; texts where none has a majority."""
    kinds = Counter(claim.object.kind for claim in claims if claim.object is not None)
    kind, count = min(kinds.items(), key=lambda item: (-item[1], item[0]))
    if count < _ENOUGH * kinds.total():
        kind = "text"
    if kind in ("entity", "event"):
        return "owl:ObjectProperty", ""
    if kind == "quantity":  # counts are whole numbers without a unit
        figures = [claim.object for claim in claims if isinstance(claim.object, Quantity)]
        whole = all(q.unit is None and q.value == q.value.to_integral_value() for q in figures)
        return "owl:DatatypeProperty", "xsd:integer" if whole else "xsd:decimal"
    ranges = {"date": _DATES, "flag": "xsd:boolean", "text": "xsd:string"}
    return "owl:DatatypeProperty", ranges[kind]


def _classes(names: Iterable[object], ontology: Ontology) -> str | None:
    """The class of the ontology that most of the names are known to be of, if all that are known are."""
    known = [{c for cls in n.classes for c in ontology.superclasses(cls)} for n in names if isinstance(n, EntityName)]
    known = [{c for c in classes if c in ontology.classes} for classes in known if classes]
    if not known:
        return None
    shared = set.intersection(*known)
    return next(iter(ontology.most_specific(shared)), None) if shared else None


def _examples(claims: Sequence[Claim]) -> Iterator[str]:
    shown: list[str] = []
    for claim in claims:
        subject = claim.subject.surface if claim.subject.kind == "entity" else claim.subject.label
        text = " ".join(f"{subject}: {claim.stated_value}".split())
        shown.append(text if len(text) <= _LONGEST_EXAMPLE else text[: _LONGEST_EXAMPLE - 1] + "…")
    unique = sorted(set(shown))
    yield from unique[:_MOST_EXAMPLES]
    if len(unique) > _MOST_EXAMPLES:
        yield f"… {len(unique)} in all"
