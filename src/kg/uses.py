"""How documents use names: under which class each occurs where, gathered from records. First step of resolution."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.model import Claim, EntityName, EventName, Text
from kg.names import clean_name, name_key
from kg.namespaces import SKOS

if TYPE_CHECKING:
    from kg.ontology import Ontology
    from kg.records import Record

Classes = tuple[str, ...]
_DEFINITION = SKOS + "definition"
# Labels of rows and bullets that say what kind of thing their subject is.
_KIND_LABELS = frozenset(("type", "kind", "class", "category"))

HINT, EXPECTED, PATTERN, DECLARED = 2, 1, 4, 1000
"""Weights of votes for a class: by the name's context, by a property's domain or range, by form, by the ontology."""


@dataclass(slots=True)
class Group:
    """All uses of one name in one document.

    ``hints``: how often the context vouched for which classes; ``expected``: how often a property's domain or range
    asked for a class; ``expecting``: how many different properties did. ``term``: it names a class of the ontology, and
    so is none of its members; ``defined``: a document says what it means.
    """

    document: str
    key: str
    forms: Counter[str] = field(default_factory=Counter)
    hints: Counter[Classes] = field(default_factory=Counter)
    expected: Counter[str] = field(default_factory=Counter)
    expecting: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    in_claims: bool = False
    term: bool = False
    defined: bool = False

    def add(self, surface: str, classes: Classes = (), *, claimed: bool = False) -> None:
        """Counts a use."""
        self.forms[clean_name(surface)] += 1
        self.in_claims = self.in_claims or claimed
        if classes and not self.term:
            self.hints[tuple(sorted(classes))] += 1


@dataclass(frozen=True, slots=True)
class NameUse:
    """One name in a claim, with the classes that the claim's property expects there."""

    name: EntityName
    expected: Classes
    property: str


def names_in(claim: Claim, ontology: Ontology) -> Iterator[NameUse]:
    """Every entity's name in a claim: subject, object, parts of events, who says it."""
    property_ = ontology.properties.get(claim.predicate.iri)
    domains, ranges = (property_.domains, property_.ranges) if property_ else ((), ())
    sides: list[tuple[object, Classes]] = [(claim.subject, domains)]
    if property_ is None or property_.values != "literal":  # else a name is a string there
        sides.append((claim.object, ranges))
    for side, expected in sides:
        if isinstance(side, EntityName):
            yield NameUse(side, expected, claim.predicate.iri)
        elif isinstance(side, EventName):
            for part in side.participants:
                role = ontology.properties.get(part.role)
                yield NameUse(part.entity, role.ranges if role else (), part.role)
    if claim.speaker is not None:
        yield NameUse(claim.speaker, (), "")


def gather(record: Record, ontology: Ontology) -> dict[tuple[str, str], Group]:
    """A document's groups by (document, key), sorted."""
    groups: dict[tuple[str, str], Group] = {}
    document, found = record.document.id, record.extraction

    def group(surface: str) -> Group:
        at = (document, name_key(surface))
        if at not in groups:
            groups[at] = Group(*at, term=bool(ontology.by_label(surface, "class")))
        return groups[at]

    for mention in found.mentions:
        group(mention.surface).add(mention.surface, _known(mention.classes, ontology))
    for alias in found.aliases:
        group(alias.name).add(alias.name)
        group(alias.alias).add(alias.alias)
    for claim in found.claims:
        says_kind = claim.predicate.label.casefold() in _KIND_LABELS
        for use in names_in(claim, ontology):
            of_name = group(use.name.surface)
            classes = use.name.classes
            if says_kind:  # the value is a kind of thing itself, and the subject is one of them
                classes = _classes_named(claim.object, ontology) if use.name is claim.subject else ()
            of_name.add(use.name.surface, _known(classes, ontology), claimed=True)
            of_name.defined |= use.property == _DEFINITION and use.name is claim.subject
            if len(use.expected) == 1:
                of_name.expected[use.expected[0]] += 1
                of_name.expecting[use.expected[0]].add(use.property)
    return dict(sorted(groups.items()))


def _classes_named(value: object, ontology: Ontology) -> Classes:
    """Classes of the ontology that a value is called by."""
    text = value.surface if isinstance(value, EntityName) else value.value if isinstance(value, Text) else ""
    return tuple(candidate.iri for candidate in ontology.by_label(text, "class")) if text else ()


def _known(classes: Classes, ontology: Ontology) -> Classes:
    """Classes that the ontology declares; none if they exclude each other, for then the context left it open."""
    known = tuple(c for c in classes if c in ontology.classes)
    open_ = any(not ontology.compatible(a, b) for i, a in enumerate(known) for b in known[i + 1 :])
    return () if open_ else known


class NamePatterns:
    """The ontology's name patterns, each name looked at once."""

    def __init__(self, ontology: Ontology) -> None:
        """Remembers the classes that have patterns."""
        self._ontology = ontology
        self._classes = [cls for cls in ontology.classes.values() if cls.name_patterns]
        self._seen: dict[str, Classes] = {}

    def of(self, forms: Iterable[str]) -> Classes:
        """Classes whose patterns find one of the names, the most specific only."""
        if not self._classes:
            return ()
        return self._ontology.most_specific(iri for form in sorted(forms) for iri in self._matching(form))

    def _matching(self, form: str) -> Classes:
        if form not in self._seen:
            self._seen[form] = tuple(cls.iri for cls in self._classes if cls.matches(form))
        return self._seen[form]


def declared_names(ontology: Ontology) -> dict[str, list[tuple[str, bool]]]:
    """Individuals by the keys of their names: IRI, and whether the name is the preferred one; sorted."""
    found: dict[str, dict[str, bool]] = defaultdict(dict)
    for individual in ontology.individuals.values():
        for name in (individual.label, *individual.alt_labels):
            preferred = name == individual.label
            named = found[name_key(name)]
            named[individual.iri] = named.get(individual.iri, False) or preferred
    return {key: sorted(named.items()) for key, named in sorted(found.items())}


def declared_form(key: str, iri: str, ontology: Ontology) -> str:
    """The name under which the ontology declares an individual with a key."""
    individual = ontology.individuals[iri]
    return next(n for n in (individual.label, *individual.alt_labels) if name_key(n) == key)
