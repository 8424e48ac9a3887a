"""Names → entities: conservative, safe for homonyms, explainable, reversible.

A pure function of the records (in any order), the ontology and the reviewers' decisions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from kg.clusters import Join
from kg.joining import Joining, stated_aliases
from kg.model import EntityName, EventName
from kg.names import name_key, without_possessive
from kg.namespaces import SKOS, Namespaces, digest, slug
from kg.senses import Sense, compatible, winners
from kg.uses import Classes, gather
from kg.within import Place

if TYPE_CHECKING:
    from kg.decisions import Decision
    from kg.ontology import Ontology
    from kg.records import Record


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing that documents speak of. ``types``: the most specific classes; ``documents``: identifiers.

    ``spellings`` holds, for each key, the ways in which the documents write it; ``joins`` why several keys are one.
    """

    iri: str
    label: str
    alt_labels: tuple[str, ...]
    types: Classes
    documents: tuple[str, ...]
    declared: bool = False
    joins: tuple[Join, ...] = ()
    spellings: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Resolution:
    """Entities by IRI, and which entity every name in every document means."""

    entities: Mapping[str, Entity]
    namespaces: Namespaces
    ontology: Ontology = field(repr=False)
    _places: Mapping[Place, Sequence[tuple[Sense, str]]] = field(repr=False)

    def find(self, document: str, name: EntityName, expected: Classes = ()) -> str | None:
        """IRI of what a name means in a document (by its identifier), or None for a name that no claim uses.

        Of several senses the classes of the context tell, then those that the property expects.
        """
        places = self._places.get((document, name_key(name.surface)), ())
        if len(places) < 2:
            return places[0][1] if places else None
        for classes in (name.classes, expected):
            known = [c for c in classes if c in self.ontology.classes]
            fitting = [iri for sense, iri in places if known and compatible(known, sense.firm, self.ontology)]
            if len(fitting) == 1:
                return fitting[0]
        return places[0][1]

    def iri(self, document: str, name: EntityName, expected: Classes = ()) -> str:
        """The same for a name in a claim. Raises KeyError for a name that is in none."""
        found = self.find(document, name, expected)
        if found is None:
            raise KeyError(f"{name.surface!r} is in no claim of {document}")
        return found

    def event(self, document: str, event: EventName) -> str:
        """IRI of an event, from class, parts, year and ordinal; with fewer than two parts it is its document's own."""
        parts = sorted({(p.role, self.iri(document, p.entity, self._range(p.role))) for p in event.participants})
        flat = [text for part in parts for text in part]
        if len(parts) >= 2:
            return self.namespaces.event(digest("event", event.cls, *flat, "|", event.year, event.ordinal))
        own = (document, event.local, event.local or event.label, event.year, event.ordinal)
        return self.namespaces.event(digest("local event", event.cls, *flat, "|", *own))

    def _range(self, role: str) -> Classes:
        property_ = self.ontology.properties.get(role)
        return property_.ranges if property_ else ()

    def why(self, iri: str) -> tuple[str, ...]:
        """Sentences on why the names of an entity are taken for one."""
        entity = self.entities.get(iri)
        if entity is None:
            return ()
        quoted = [", ".join(f"“{form}”" for form in forms) for forms in entity.spellings if len(forms) > 1]
        spelt = [f"{names}: one name in different spellings" for names in quoted]
        several = [f"the same name in {', '.join(entity.documents)}"] if len(entity.documents) > 1 else []
        return (*spelt, *(str(join) for join in entity.joins), *several)

    @cached_property
    def redirects(self) -> Mapping[str, str]:
        """Slugs of other names, with the one entity that has the name; slugs of entities are not among them."""
        named: dict[str, set[str]] = defaultdict(set)
        for entity in self.entities.values():
            for name in (entity.label, *entity.alt_labels):
                named[slug(name)].add(entity.iri)
        return {
            name: next(iter(iris))
            for name, iris in sorted(named.items())
            if len(iris) == 1 and self.namespaces.entity(name) not in self.entities
        }


def resolve(
    records: Iterable[Record],
    ontology: Ontology,
    decisions: Iterable[Decision] = (),
    namespaces: Namespaces | None = None,
) -> Resolution:
    """Entities of the records' claims."""
    records = list(records)
    namespaces = namespaces or Namespaces()
    joining = Joining(gather(records, ontology), stated_aliases(records), ontology, decisions)
    drafts = [
        _draft(members, joining, ontology) for members in joining.clusters.all() if any(m.in_claims for m in members)
    ]
    iris = _identify(drafts, ontology, namespaces)
    entities = {iri: _entity(draft, iri, joining) for draft, iri in zip(drafts, iris, strict=True)}
    by_root = {id(joining.clusters.root(draft.members[0])): iri for draft, iri in zip(drafts, iris, strict=True)}
    places: dict[Place, list[tuple[Sense, str]]] = {}
    for place, senses in joining.senses.items():
        roots = [(s, id(joining.clusters.root(s))) for s in senses]
        found = [(sense, by_root[root]) for sense, root in roots if root in by_root]
        if found:
            places[place] = found
    return Resolution(dict(sorted(entities.items())), namespaces, ontology, places)


# --- label and identifier ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Draft:
    """An entity before it has an IRI."""

    members: tuple[Sense, ...]
    label: str
    alt_labels: tuple[str, ...]
    types: Classes
    individual: str


def _draft(members: Sequence[Sense], joining: Joining, ontology: Ontology) -> _Draft:
    proper = [m for m in members if m.document and (m.document, m.key) not in joining.local]
    forms: dict[str, set[str]] = defaultdict(set)
    for member in proper or members:
        for form in member.forms:
            forms[form].add(member.document)
    names = {
        f: documents
        for f, documents in forms.items()
        if without_possessive(f) in (f, "") or without_possessive(f) not in forms
    }
    label = min(names, key=lambda f: (-len(names[f]), -len(f), f))
    votes: Counter[str] = Counter()
    for member in members:
        votes.update(member.votes)
    individual = max((m.individual for m in members), default="")
    if individual:
        declared = ontology.individuals[individual]
        names |= {name: set() for name in (declared.label, *declared.alt_labels)}
        label = declared.label
    # What a document defines, and nothing says to be a thing of some class, is a term.
    types = winners(votes, ontology) or ((SKOS + "Concept",) if any(m.defined for m in members) else ())
    return _Draft(tuple(members), label, tuple(sorted(set(names) - {label})), types, individual)


def _identify(drafts: Sequence[_Draft], ontology: Ontology, namespaces: Namespaces) -> list[str]:
    """IRIs: the label's slug; where several have one, all get their class too, and a digest where that doesn't tell."""
    plain = [slug(draft.label) for draft in drafts]
    classed = [_with_class(base, d, ontology) for base, d in zip(plain, drafts, strict=True)]
    named = [base if n == 1 else full for base, full, n in zip(plain, classed, _counts(plain), strict=True)]
    # What the ontology declares keeps its own IRI, so it takes no name from others.
    own = [d.individual or name for d, name in zip(drafts, named, strict=True)]
    labelled = [digest("entity", d.label)[:8] for d in drafts]
    with_label = [f"{name}-{part}" for name, part in zip(named, labelled, strict=True)]
    placed = [f"{name}-{_places_digest(d)}" for name, d in zip(named, drafts, strict=True)]
    chosen = [
        name if n == 1 else longer if m == 1 else longest
        for name, n, longer, m, longest in zip(
            named, _counts(own), with_label, _counts(with_label), placed, strict=True
        )
    ]
    return [d.individual or namespaces.entity(name) for d, name in zip(drafts, chosen, strict=True)]


def _counts(names: Sequence[str]) -> list[int]:
    counted = Counter(names)
    return [counted[name] for name in names]


def _with_class(base: str, draft: _Draft, ontology: Ontology) -> str:
    labels = [ontology.classes[c].label for c in draft.types if c in ontology.classes]
    return f"{base}--{slug(labels[0]) if labels else 'thing'}"


def _places_digest(draft: _Draft) -> str:
    return digest("entity", draft.label, *(part for m in draft.members for part in (m.key, m.document)))[:8]


def _entity(draft: _Draft, iri: str, joining: Joining) -> Entity:
    by_key: dict[str, set[str]] = defaultdict(set)
    for member in draft.members:
        by_key[member.key].update(member.forms)
    return Entity(
        iri,
        draft.label,
        draft.alt_labels,
        draft.types,
        tuple(sorted({m.document for m in draft.members if m.document})),
        bool(draft.individual),
        tuple(joining.clusters.joins(draft.members[0])),
        tuple(tuple(sorted(forms)) for _, forms in sorted(by_key.items())),
    )
