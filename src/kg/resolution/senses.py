"""One name, one thing? Senses of a name by the classes that its uses vouch for. Second step of resolution.

Within a document a name has one sense unless its contexts name classes that exclude each other (one sense per
discourse: Gale, Church and Yarowsky 1992). Across documents, senses whose classes exclude each other are homonyms.

How documents use names: under which class each occurs where, gathered from records. First step of resolution.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from kg.model import Claim, EntityName, EventName, Text
from kg.namespaces import SKOS
from kg.text.names import clean_name, name_key

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


@lru_cache(maxsize=65536)
def _by_pattern(form: str, ontology: Ontology) -> Classes:
    """Classes whose name patterns find a name."""
    return tuple(cls.iri for cls in ontology.classes.values() if cls.matches(form))


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


# A single claim may have been read wrongly: from this many different properties on, what they expect is believed.
_FIRM_PROPERTIES = 2
# A context that few uses share with the rest has been read wrongly more often than it tells another thing.
_MINORITY = 0.2
_NO_VOTES: Counter[str] = Counter()


@dataclass(eq=False, slots=True)
class Sense:
    """A name in one document under one class context. ``votes`` weigh classes; ``firm``: classes to be believed."""

    document: str
    key: str
    forms: Counter[str]
    votes: Counter[str]
    firm: Classes
    expected: Classes = ()
    in_claims: bool = False
    individual: str = ""
    number: int = 0
    hints: frozenset[Classes] = field(default_factory=frozenset)
    defined: bool = False

    @property
    def at(self) -> tuple[str, str, int]:
        """What tells senses apart and puts them in order."""
        return self.key, self.document or "\uffff" + self.individual, self.number


def compatible(one: Iterable[str], other: Collection[str], ontology: Ontology) -> bool:
    """Whether one thing can be of all these classes."""
    return all(ontology.compatible(a, b) for a in one for b in other)


def winners(votes: Mapping[str, int], ontology: Ontology) -> Classes:
    """The classes that the votes speak for: the best, then others that go with it and aren't far behind.

    A vote for a class also speaks for the classes below it that have votes of their own.
    """
    if not votes:
        return ()
    scores = {c: sum(n for other, n in votes.items() if other in ontology.superclasses(c)) for c in votes}
    ranked = sorted(scores, key=lambda c: (-scores[c], -len(ontology.superclasses(c)), c))
    best = ranked[0]
    taken = [best]
    for cls in ranked[1:]:
        related = cls in ontology.superclasses(best) or best in ontology.superclasses(cls)
        enough = votes[cls] >= max(HINT, scores[best] / 4)
        if (related or enough) and compatible([cls], taken, ontology):
            taken.append(cls)
    return ontology.most_specific(taken)


def senses_of(group: Group, ontology: Ontology) -> list[Sense]:
    """The group's senses: one, or one for each of several classes that exclude each other.

    The form of a name that a pattern finds outweighs contexts that exclude it, unless patterns exclude each other.
    """
    forms = () if group.term else sorted(group.forms)
    by_form = ontology.most_specific(cls for form in forms for cls in _by_pattern(form, ontology))
    if not (by_form or group.hints or group.expected):  # most names: nothing says what they are
        return [_sense_of(group, _NO_VOTES, (), ())]
    if not all(compatible([cls], by_form, ontology) for cls in by_form):
        by_form = ()
    strong: Counter[str] = Counter(dict.fromkeys(by_form, PATTERN))
    for classes, n in group.hints.items():
        if compatible(classes, by_form, ontology):
            for cls in classes:
                strong[cls] += HINT * n
    parts = _partition(strong, ontology)
    if len(parts) < 2:
        return [_sense(group, Counter({c: strong[c] for part in parts for c in part}), ontology)]
    senses = []
    for number, part in enumerate(parts):
        sense = _sense(group, Counter({c: strong[c] for c in part}), ontology)
        sense.number = number
        sense.hints = frozenset(h for h in group.hints if compatible(h, part, ontology))
        senses.append(sense)
    return senses


def _partition(strong: Counter[str], ontology: Ontology) -> list[list[str]]:
    """Classes in groups that don't exclude each other within, the most voted first; without those hardly voted for."""
    parts: list[list[str]] = []
    for cls in sorted(strong, key=lambda c: (-strong[c], c)):
        for part in parts:
            if compatible([cls], part, ontology):
                part.append(cls)
                break
        else:
            parts.append([cls])
    weights = [sum(strong[cls] for cls in part) for part in parts]
    return [part for part, weight in zip(parts, weights, strict=True) if weight >= _MINORITY * weights[0]]


def _sense(group: Group, strong: Counter[str], ontology: Ontology) -> Sense:
    firm = winners(strong, ontology)
    fitting = {c: n for c, n in group.expected.items() if compatible([c], firm, ontology)}
    votes = Counter(strong)
    for cls, n in fitting.items():
        votes[cls] += EXPECTED * n
    expected = winners({c: n for c, n in votes.items() if c in fitting}, ontology)
    asked = {p for c in expected for p in group.expecting.get(c, ())}
    if not firm and len(asked) >= _FIRM_PROPERTIES:
        firm = expected
    return _sense_of(group, votes, firm, expected)


def _sense_of(group: Group, votes: Counter[str], firm: Classes, expected: Classes) -> Sense:
    sense = Sense(group.document, group.key, group.forms, votes, firm, expected, group.in_claims)
    sense.defined = group.defined
    return sense


def declared_sense(key: str, label: str, individual: str, types: Classes) -> Sense:
    """The sense that the ontology gives a name."""
    return Sense("", key, Counter({label: 1}), Counter(dict.fromkeys(types, DECLARED)), types, individual=individual)


# --- senses of one name in several documents -----------------------------------------------------


def homonyms(senses: Sequence[Sense], ontology: Ontology) -> list[list[Sense]]:
    """The senses of one name (one key) in lists of those that are one thing. Independent of their order.

    Senses with classes to be believed come first; what no class tells apart goes with the only thing there is, and
    with none when there are several.
    """
    ordered = sorted(senses, key=lambda s: s.at)
    believed = {id(s): s.firm for s in ordered}
    if not any(believed.values()):
        believed = {id(s): s.expected for s in ordered}
    classed = [s for s in ordered if believed[id(s)] or s.individual]
    rest = [s for s in ordered if not (believed[id(s)] or s.individual)]
    lists = _apart(classed, believed, ontology)
    if not lists:
        return [rest]
    if len(lists) == 1:
        return [lists[0] + rest]
    unplaced: list[Sense] = []
    for sense in rest:
        fitting = [found for found in lists if sense.expected and _fits(sense.expected, found, believed, ontology)]
        (fitting[0] if len(fitting) == 1 else unplaced).append(sense)
    return [*lists, *([unplaced] if unplaced else [])]


def _fits(classes: Classes, members: Iterable[Sense], believed: Mapping[int, Classes], ontology: Ontology) -> bool:
    return all(compatible(classes, believed[id(m)], ontology) for m in members if id(m) in believed)


def _apart(classed: Sequence[Sense], believed: Mapping[int, Classes], ontology: Ontology) -> list[list[Sense]]:
    """Groups by class context: first those contexts that exclude another, then the ones that fit exactly one group."""
    contexts: dict[tuple[Classes, str], list[Sense]] = defaultdict(list)
    for sense in classed:
        contexts[believed[id(sense)], sense.individual].append(sense)

    def exclude(one: tuple[Classes, str], other: tuple[Classes, str]) -> bool:
        two_known = bool(one[1] and other[1] and one[1] != other[1])
        return two_known or not compatible(one[0], other[0], ontology)

    ranked = sorted(contexts, key=lambda c: (not c[1], -len(contexts[c]), c))
    contested = [c for c in ranked if any(exclude(c, other) for other in ranked)]
    seeds: list[list[tuple[Classes, str]]] = []
    for context in contested:
        if all(exclude(context, seed[0]) for seed in seeds):
            seeds.append([context])
    if not seeds:
        return [list(classed)] if classed else []
    placed = {context for seed in seeds for context in seed}
    for context in ranked:
        if context not in placed:
            fitting = [seed for seed in seeds if not any(exclude(context, member) for member in seed)]
            if len(fitting) == 1:
                fitting[0].append(context)
            else:
                seeds.append([context])
    return [[s for context in seed for s in contexts[context]] for seed in seeds]
