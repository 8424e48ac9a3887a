"""Names → entities: conservative, safe for homonyms, explainable, reversible.

A pure function of the records (in any order), the ontology and the reviewers' decisions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.model import EntityName, EventName
from kg.namespaces import SKOS, Namespaces, digest, slug
from kg.resolution.contributions import Contribution, Ties, contribution, links, separable
from kg.resolution.joining import Join, Joining, Place, StatedAlias
from kg.resolution.senses import Classes, Group, Sense, compatible, winners
from kg.text.names import name_key, without_possessive

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
    _places: Mapping[Place, Sequence[tuple[Classes, str]]] = field(repr=False)

    def meanings(self, document: str, key: str) -> tuple[tuple[Classes, str, Classes], ...]:
        """What a name (by its key) means in a document: classes of the context, IRI, and types of what it means."""
        return tuple((firm, iri, self.entities[iri].types) for firm, iri in self._places.get((document, key), ()))

    def find(self, document: str, name: EntityName, expected: Classes = ()) -> str | None:
        """IRI of what a name means in a document (by its identifier), or None for a name that no claim uses.

        Of several senses the classes of the context tell, then those that the property expects.
        """
        places = self._places.get((document, name_key(name.surface)), ())
        if len(places) < 2:
            return places[0][1] if places else None
        for classes in (name.classes, expected):
            known = [c for c in classes if c in self.ontology.classes]
            fitting = [iri for firm, iri in places if known and compatible(known, firm, self.ontology)]
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


def resolve(
    records: Iterable[Record],
    ontology: Ontology,
    decisions: Iterable[Decision] = (),
    namespaces: Namespaces | None = None,
) -> Resolution:
    """Entities of the records' claims."""
    brought = (contribution(record, ontology) for record in records)
    return named_whole(brought, ontology, decisions, namespaces or Namespaces()).resolution


def joined(brought: Iterable[Contribution], ontology: Ontology, decisions: Iterable[Decision] = ()) -> Joining:
    """The senses of all names that documents use, joined."""
    groups: dict[Place, Group] = {}
    aliases: list[StatedAlias] = []
    inferred: list[StatedAlias] = []
    for one in brought:
        groups.update({(group.document, group.key): group for group in one.groups})
        aliases += one.aliases
        inferred += one.inferred
    return Joining(groups, aliases, inferred, ontology, decisions)


@dataclass(frozen=True, slots=True)
class Named:
    """An entity as the graph has it: the key of its first name, what its IRI depends on, and what is said of it."""

    key: str
    naming: Naming
    iri: str
    label: str
    alt_labels: tuple[str, ...]
    types: Classes


@dataclass(frozen=True, slots=True)
class Names:
    """All entities, and what names mean in the documents that were resolved."""

    resolution: Resolution
    entities: tuple[Named, ...]


def named_whole(
    brought: Iterable[Contribution], ontology: Ontology, decisions: Iterable[Decision], namespaces: Namespaces
) -> Names:
    """The names of all documents, from nothing."""
    brought, decisions = list(brought), tuple(decisions)
    joining = joined(_claimed(brought, decisions) if separable(ontology) else brought, ontology, decisions)
    drafts = [(draft, joining) for draft in drafted(joining, ontology)]
    iris = identify([draft.naming for draft, _ in drafts], namespaces)
    entities = (named_entity(draft, iri) for (draft, _), iri in zip(drafts, iris, strict=True))
    return Names(with_iris(drafts, iris, ontology, namespaces), tuple(entities))


def _claimed(brought: Sequence[Contribution], decisions: Iterable[Decision]) -> Iterator[Contribution]:
    """What the documents bring without the names that no claim is about, and that nothing ties to one that is."""
    ties = Ties((link for one in brought for link in links(one)), decisions)
    keys = ties.parts(group.key for one in brought for group in one.groups if group.in_claims)
    return (one.about(keys) for one in brought)


def with_iris(
    drafts: Sequence[tuple[Draft, Joining]], iris: Sequence[str], ontology: Ontology, namespaces: Namespaces
) -> Resolution:
    """What the names mean of which these entities were drafted."""
    entities = {iri: _entity(draft, iri, joining) for (draft, joining), iri in zip(drafts, iris, strict=True)}
    by_sense = {id(m): iri for (draft, _), iri in zip(drafts, iris, strict=True) for m in draft.members}
    places: dict[Place, list[tuple[Classes, str]]] = {}
    for joining in {id(joining): joining for _, joining in drafts}.values():
        for place, senses in joining.senses.items():
            found = [(s.firm, by_sense[id(s)]) for s in senses if id(s) in by_sense]
            if found:
                places[place] = found
    return Resolution(dict(sorted(entities.items())), namespaces, ontology, places)


def named_entity(draft: Draft, iri: str) -> Named:
    """What is kept of an entity once it has an IRI."""
    return Named(draft.members[0].key, draft.naming, iri, draft.label, draft.alt_labels, draft.types)


def meaning(resolution: Resolution, document: str, key: str) -> str:
    """A digest of what a name means in a document: equal ones, the same meaning."""
    return digest("meaning", repr(resolution.meanings(document, key)))[:_MEANING_LENGTH]


_MEANING_LENGTH = 12

# --- label and identifier ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Naming:
    """What an entity's IRI depends on: ``plain`` is its label's slug, ``classed`` that with its class.

    ``individual``: its IRI where the ontology declares it; ``labelled`` and ``placed``: digests of label and of places.
    """

    plain: str
    classed: str
    individual: str
    labelled: str
    placed: str


@dataclass(frozen=True, slots=True)
class Draft:
    """An entity before it has an IRI."""

    members: tuple[Sense, ...]
    label: str
    alt_labels: tuple[str, ...]
    types: Classes
    naming: Naming


def drafted(joining: Joining, ontology: Ontology) -> list[Draft]:
    """The entities of claims, in the order of their first senses."""
    return [
        _draft(members, joining, ontology) for members in joining.clusters.all() if any(m.in_claims for m in members)
    ]


def _draft(members: Sequence[Sense], joining: Joining, ontology: Ontology) -> Draft:
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
    plain = slug(label)
    placed = digest("entity", label, *(part for m in members for part in (m.key, m.document)))[:8]
    naming = Naming(plain, _with_class(plain, types, ontology), individual, digest("entity", label)[:8], placed)
    return Draft(tuple(members), label, tuple(sorted(set(names) - {label})), types, naming)


def identify(namings: Sequence[Naming], namespaces: Namespaces) -> list[str]:
    """IRIs: the label's slug; where several have one, all get their class too, and a digest where that doesn't tell."""
    plain = [n.plain for n in namings]
    named = [n.plain if count == 1 else n.classed for n, count in zip(namings, _counts(plain), strict=True)]
    # What the ontology declares keeps its own IRI, so it takes no name from others.
    own = [n.individual or name for n, name in zip(namings, named, strict=True)]
    with_label = [f"{name}-{n.labelled}" for name, n in zip(named, namings, strict=True)]
    placed = [f"{name}-{n.placed}" for name, n in zip(named, namings, strict=True)]
    chosen = [
        name if n == 1 else longer if m == 1 else longest
        for name, n, longer, m, longest in zip(
            named, _counts(own), with_label, _counts(with_label), placed, strict=True
        )
    ]
    return [n.individual or namespaces.entity(name) for n, name in zip(namings, chosen, strict=True)]


def _counts(names: Sequence[str]) -> list[int]:
    counted = Counter(names)
    return [counted[name] for name in names]


def _with_class(base: str, types: Classes, ontology: Ontology) -> str:
    labels = [ontology.classes[c].label for c in types if c in ontology.classes]
    return f"{base}--{slug(labels[0]) if labels else 'thing'}"


def _entity(draft: Draft, iri: str, joining: Joining) -> Entity:
    by_key: dict[str, set[str]] = defaultdict(set)
    for member in draft.members:
        by_key[member.key].update(member.forms)
    return Entity(
        iri,
        draft.label,
        draft.alt_labels,
        draft.types,
        tuple(sorted({m.document for m in draft.members if m.document})),
        bool(draft.naming.individual),
        tuple(joining.clusters.joins(draft.members[0])),
        tuple(tuple(sorted(forms)) for _, forms in sorted(by_key.items())),
    )
