"""What reviewers decided, as a small Turtle file: names that are one or are not, claims accepted or rejected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

import pyoxigraph as ox

from kg.errors import BadInput, NotFound
from kg.namespaces import KG, RDF, digest


@dataclass(frozen=True, slots=True, order=True)
class Merge:
    """Two names are one thing."""

    name: str
    other_name: str


@dataclass(frozen=True, slots=True, order=True)
class Split:
    """Two names are two things; with documents (identifiers): as these documents use them, names may be equal."""

    name: str
    other_name: str
    document: str = ""
    other_document: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Accept:
    """A claim (by identifier) is asserted, whatever its standing or validation says; a denial stays a denial."""

    claim: str


@dataclass(frozen=True, slots=True, order=True)
class Reject:
    """A claim (by identifier) is not asserted."""

    claim: str


Decision = Merge | Split | Accept | Reject


def told(decision: Decision) -> str:
    """A decision in words.

    >>> told(Reject("a1b2")), told(Merge("Weir Water", "the Weir"))
    ('to reject claim a1b2', 'to merge “Weir Water” and “the Weir”')
    """
    verb = type(decision).__name__.lower()
    if isinstance(decision, Accept | Reject):
        return f"to {verb} claim {decision.claim}"
    return f"to {verb} “{decision.name}” and “{decision.other_name}”"


def without(held: Iterable[Decision], taken_back: Iterable[Decision]) -> set[Decision]:
    """Decisions but those taken back. Raises NotFound for one that isn't held."""
    kept, gone = set(held), set(taken_back)
    if missing := gone - kept:
        raise NotFound(f"no decision {min(map(told, missing))} is in force", "nothing was changed")
    return kept - gone


_TYPES: dict[str, type[Decision]] = {f"{KG}{kind.__name__}Decision": kind for kind in (Merge, Split, Accept, Reject)}
_PROPERTIES = {
    "name": KG + "decidedName",
    "other_name": KG + "decidedOtherName",
    "document": KG + "decidedDocument",
    "other_document": KG + "decidedOtherDocument",
    "claim": KG + "decidedClaim",
}
_HINT = "see kg:MergeDecision, kg:SplitDecision, kg:AcceptDecision and kg:RejectDecision"


def _type_of(decision: Decision) -> str:
    return f"{KG}{type(decision).__name__}Decision"


def to_turtle(decisions: Iterable[Decision]) -> bytes:
    """The decisions as Turtle, sorted; one node each, named after its content. Decisions given twice count once."""
    blocks = []
    for decision in decisions:
        kind = _type_of(decision)
        values = [(f.name, str(getattr(decision, f.name))) for f in fields(decision)]
        node = f"urn:citegraph:decision:{digest('decision', kind, *(v for _, v in values))}"
        lines = [f"<{node}> a kg:{kind.removeprefix(KG)}"]
        lines += [f"    kg:{_PROPERTIES[n].removeprefix(KG)} {ox.Literal(v)}" for n, v in values if v]
        blocks.append(" ;\n".join(lines) + " .\n")
    return (f"@prefix kg: <{KG}> .\n\n" + "\n".join(sorted(set(blocks)))).encode()


def from_turtle(data: bytes) -> tuple[Decision, ...]:
    """Decisions of a Turtle file, sorted. Raises BadInput for what isn't Turtle or not a whole decision."""
    try:
        triples = [quad.triple for quad in ox.parse(data, format=ox.RdfFormat.TURTLE)]
    except (SyntaxError, ValueError) as error:
        raise BadInput(f"the decisions don't parse: {error}", "they are a Turtle file") from error
    values: dict[str, dict[str, list[str]]] = {}
    for triple in triples:
        object_ = triple.object
        text = object_.value if isinstance(object_, ox.NamedNode | ox.Literal) else str(object_)
        values.setdefault(str(triple.subject), {}).setdefault(triple.predicate.value, []).append(text)
    found = {_decision(node, stated) for node, stated in values.items()}
    return tuple(sorted(found, key=lambda d: (_type_of(d), str(d))))


def _decision(node: str, stated: dict[str, list[str]]) -> Decision:
    kinds = [_TYPES[t] for t in stated.pop(RDF + "type", []) if t in _TYPES]
    if len(kinds) != 1:
        raise BadInput(f"the decision {node} has not exactly one type", _HINT)
    names = {f.name: _PROPERTIES[f.name] for f in fields(kinds[0])}
    unknown = set(stated) - set(names.values())
    if unknown or any(len(texts) != 1 for texts in stated.values()):
        raise BadInput(f"the decision {node} has a property too many", _HINT)
    try:
        return kinds[0](**{name: stated[iri][0] for name, iri in names.items() if iri in stated})
    except TypeError as error:
        raise BadInput(f"the decision {node} lacks a property", _HINT) from error
