"""What one document brings to the graph of all, and what documents say together.

A document brings uses of names, aliases, wordings of properties.

Everything that documents share – which names are one thing, what a property is called – is computed from contributions
alone, so that a change of one document needs no other document's record. What documents say together is counted so that
one document's part can be added and taken out again: the counts are the same whatever the order, and nothing is left of
what has been taken out.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from kg.decisions import Decision, Merge
from kg.resolution.joining import StatedAlias, inferred_aliases, person_classes, stated_aliases
from kg.resolution.openproperties import Wordings, worded
from kg.resolution.senses import Group, gather, senses_of
from kg.text.names import name_key

if TYPE_CHECKING:
    from kg.ontology import Ontology
    from kg.records import Record


@dataclass(frozen=True, slots=True)
class Contribution:
    """A document's part in what is decided by all documents together; a pure function of its record and the ontology.

    ``inferred``: shortenings of names that it uses without saying what they stand for. ``claims``: identifiers.
    ``rejected``: how much its extractors found and didn't keep, by reason.
    """

    document: str
    groups: tuple[Group, ...] = ()
    aliases: tuple[StatedAlias, ...] = ()
    inferred: tuple[StatedAlias, ...] = ()
    wordings: Mapping[str, Wordings] = field(default_factory=dict)
    claims: tuple[str, ...] = ()
    rejected: Mapping[str, int] = field(default_factory=dict)

    def about(self, keys: Collection[str]) -> Contribution:
        """The same with uses and aliases of some names only."""
        return replace(
            self,
            groups=tuple(group for group in self.groups if group.key in keys),
            aliases=tuple(alias for alias in self.aliases if alias.key in keys),
            inferred=tuple(alias for alias in self.inferred if alias.key in keys),
        )


def contribution(record: Record, ontology: Ontology) -> Contribution:
    """What a record brings."""
    groups, aliases, found = gather(record, ontology), stated_aliases(record), record.extraction
    senses = {place: senses_of(group, ontology) for place, group in groups.items()}
    return Contribution(
        record.document.id,
        tuple(groups.values()),
        tuple(aliases),
        tuple(sorted(inferred_aliases(senses, aliases))),
        worded(found.claims),
        tuple(sorted({claim.id for claim in found.claims})),
        Counter(rejected.reason for rejected in found.rejected),
    )


def keys_of(brought: Contribution) -> Iterator[str]:
    """Keys of all names that a document brings, those of its aliases too."""
    for group in brought.groups:
        yield group.key
    for link in links(brought):
        yield from link


def links(brought: Contribution) -> Iterator[tuple[str, str]]:
    """Keys of names and of aliases for them."""
    for alias in (*brought.aliases, *brought.inferred):
        yield alias.key, alias.alias_key


# --- JSON -----------------------------------------------------------------------------------------


def to_json(brought: Contribution) -> dict[str, Any]:
    """Lists and mappings in a fixed order; what is empty is left out of groups, of which there are many."""
    return {
        "document": brought.document,
        "groups": [_group(group) for group in brought.groups],
        "aliases": [_alias(alias) for alias in brought.aliases],
        "inferred": [_alias(alias) for alias in brought.inferred],
        "wordings": {
            key: [_sorted(wording.labels), _sorted(wording.units)] for key, wording in sorted(brought.wordings.items())
        },
        "claims": list(brought.claims),
        "rejected": _sorted(brought.rejected),
    }


def from_json(data: Mapping[str, Any]) -> Contribution:
    """The contribution that :func:`to_json` gave."""
    document = data["document"]
    return Contribution(
        document,
        tuple(_read_group(document, group) for group in data["groups"]),
        tuple(StatedAlias(document, *alias) for alias in data["aliases"]),
        tuple(StatedAlias(document, *alias) for alias in data["inferred"]),
        {key: Wordings(Counter(labels), Counter(units)) for key, (labels, units) in data["wordings"].items()},
        tuple(data["claims"]),
        data["rejected"],
    )


def part_of(data: Mapping[str, Any], keys: Collection[str]) -> Contribution:
    """Of a contribution as :func:`to_json` gives it what is about some names: their uses and aliases."""
    document = data["document"]
    return Contribution(
        document,
        tuple(_read_group(document, group) for group in data["groups"] if group[0] in keys),
        tuple(StatedAlias(document, *alias) for alias in data["aliases"] if alias[0] in keys),
        tuple(StatedAlias(document, *alias) for alias in data["inferred"] if alias[0] in keys),
    )


# What most groups that are read have; nobody adds to one of these.
_NO_HINTS: Counter[tuple[str, ...]] = Counter()
_NO_CLASSES: Counter[str] = Counter()
_NO_PROPERTIES: defaultdict[str, set[str]] = defaultdict(set)


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _alias(alias: StatedAlias) -> list[str | bool]:
    return [alias.key, alias.alias_key, alias.name, alias.alias, alias.proper, alias.why]


def _group(group: Group) -> list[Any]:
    rest: dict[str, Any] = {}
    if group.hints:
        rest["hints"] = [[list(classes), n] for classes, n in sorted(group.hints.items())]
    if group.expected:
        rest["expected"] = {c: [n, sorted(group.expecting[c])] for c, n in sorted(group.expected.items())}
    rest |= {name: True for name in ("in_claims", "term", "defined") if getattr(group, name)}
    return [group.key, _sorted(group.forms), *([rest] if rest else [])]


def _read_group(document: str, data: list[Any]) -> Group:
    key, forms, *more = data
    if not more:
        return Group(document, key, Counter(forms), _NO_HINTS, _NO_CLASSES, _NO_PROPERTIES)
    rest = more[0]
    expected = rest.get("expected", {})
    return Group(
        document,
        key,
        Counter(forms),
        Counter({tuple(classes): n for classes, n in rest.get("hints", ())}),
        Counter({c: n for c, (n, _) in expected.items()}),
        defaultdict(set, {c: set(properties) for c, (_, properties) in expected.items()}),
        in_claims="in_claims" in rest,
        term="term" in rest,
        defined="defined" in rest,
    )


Counts = Mapping[str, int]
EventUse = tuple[str, str, str]
"""IRI, label and class of an event as a document speaks of it."""
Link = tuple[str, str]
"""Keys of a name and of an alias for it."""


@dataclass(frozen=True, slots=True)
class Totals:
    """``held``: things by kind; ``claims``: by stated status; ``rejected``: what was found and not kept, by reason."""

    held: Counts = field(default_factory=dict)
    claims: Counts = field(default_factory=dict)
    rejected: Counts = field(default_factory=dict)

    def to_json(self) -> list[dict[str, int]]:
        """In a fixed order."""
        return [dict(sorted(counts.items())) for counts in (self.held, self.claims, self.rejected)]


def added_up(parts: Iterable[Totals]) -> Totals:
    """Those of several parts together."""
    held, claims, rejected = Counter[str](), Counter[str](), Counter[str]()
    for part in parts:
        held.update(part.held)
        claims.update(part.claims)
        rejected.update(part.rejected)
    return Totals(+held, +claims, +rejected)


@dataclass(frozen=True, slots=True)
class Told:
    """What a document's part of the graph gives to what documents share: each sorted. ``totals``: its own."""

    properties: tuple[str, ...] = ()
    extractors: tuple[str, ...] = ()
    events: tuple[EventUse, ...] = ()
    totals: Totals = field(default_factory=Totals)


@dataclass(slots=True)
class Event:
    """How many documents give an event which label, and which class."""

    labels: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Sums:
    """Counts over documents. ``properties``, ``extractors`` and ``links``: how many documents have each."""

    held: Counter[str] = field(default_factory=Counter)
    claims: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    properties: Counter[str] = field(default_factory=Counter)
    extractors: Counter[str] = field(default_factory=Counter)
    events: dict[str, Event] = field(default_factory=dict)
    wordings: dict[str, Wordings] = field(default_factory=dict)
    links: Counter[Link] = field(default_factory=Counter)

    def copy(self) -> Sums:
        """One that can be changed without this one; events and wordings are replaced, never changed."""
        return Sums(*(getattr(self, one.name).copy() for one in fields(self)))

    @property
    def totals(self) -> Totals:
        """How much the documents hold together."""
        return Totals(self.held, self.claims, self.rejected)

    def bring(self, brought: Contribution, sign: int = 1) -> None:
        """Adds what a document brings, or takes it out (-1)."""
        _count(self.rejected, brought.rejected, sign)
        _count(self.links, dict.fromkeys(links(brought), 1), sign)
        for key, wording in brought.wordings.items():
            known = self.wordings.get(key, Wordings())
            now = Wordings(_counted(known.labels, wording.labels, sign), _counted(known.units, wording.units, sign))
            _keep(self.wordings, key, now, bool(now.labels or now.units))

    def tell(self, told: Told, sign: int = 1) -> None:
        """Adds what a document's part of the graph tells, or takes it out (-1)."""
        _count(self.held, told.totals.held, sign)
        _count(self.claims, told.totals.claims, sign)
        _count(self.rejected, told.totals.rejected, sign)
        _count(self.properties, dict.fromkeys(told.properties, 1), sign)
        _count(self.extractors, dict.fromkeys(told.extractors, 1), sign)
        for iri in {iri for iri, _, _ in told.events}:
            known = self.events.get(iri, Event())
            labels = {label: 1 for one, label, _ in told.events if one == iri}
            classes = {cls: 1 for one, _, cls in told.events if one == iri}
            now = Event(_counted(known.labels, labels, sign), _counted(known.classes, classes, sign))
            _keep(self.events, iri, now, bool(now.labels))

    def to_json(self) -> dict[str, Any]:
        """In a fixed order."""
        return {
            "totals": self.totals.to_json(),
            "properties": _sorted(self.properties),
            "extractors": _sorted(self.extractors),
            "events": {iri: [_sorted(e.labels), _sorted(e.classes)] for iri, e in sorted(self.events.items())},
            "wordings": {key: [_sorted(w.labels), _sorted(w.units)] for key, w in sorted(self.wordings.items())},
            "links": [[*link, n] for link, n in sorted(self.links.items())],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Sums:
        """The sums that :meth:`to_json` gave."""
        held, claims, rejected = data["totals"]
        return cls(
            Counter(held),
            Counter(claims),
            Counter(rejected),
            Counter(data["properties"]),
            Counter(data["extractors"]),
            {iri: Event(Counter(labels), Counter(classes)) for iri, (labels, classes) in data["events"].items()},
            {key: Wordings(Counter(labels), Counter(units)) for key, (labels, units) in data["wordings"].items()},
            Counter({(key, alias): n for key, alias, n in data["links"]}),
        )


def _count(counts: Counter[Any], others: Mapping[Any, int], sign: int) -> None:
    for key, n in others.items():
        counts[key] += sign * n
        if not counts[key]:
            del counts[key]


def _counted(counts: Counter[str], others: Mapping[str, int], sign: int) -> Counter[str]:
    made = Counter(counts)
    _count(made, others, sign)
    return made


def _keep(held: dict[str, Any], key: str, value: object, wanted: bool) -> None:
    if wanted:
        held[key] = value
    else:
        held.pop(key, None)


Places = tuple[list[int], list[int]]
"""Numbers of documents, sorted: those with claims about a name, and those that use it without."""


@dataclass(frozen=True, slots=True)
class Uses:
    """Documents by the keys of names. ``documents``: identifiers, sorted; their places in that are their numbers."""

    documents: Sequence[str] = ()
    places: Mapping[str, Places] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many there are, each name of each document one."""
        return sum(len(claimed) + len(others) for claimed, others in self.places.values())

    def claimed(self, key: str) -> Iterator[str]:
        """Documents with claims about a name."""
        return (self.documents[number] for number in self.places.get(key, _NOWHERE)[0])

    def of(self, key: str) -> Iterator[str]:
        """Documents that use a name."""
        return (self.documents[number] for numbers in self.places.get(key, _NOWHERE) for number in numbers)

    def changed(self, gone: Mapping[str, Contribution], new: Mapping[str, Contribution]) -> Uses:
        """Those with documents taken out, then others added."""
        documents = sorted({*self.documents} - gone.keys() | new.keys())
        numbers = {id_: number for number, id_ in enumerate(documents)}
        places = dict(self.places)
        if documents != list(self.documents):
            then = [numbers.get(id_, -1) for id_ in self.documents]  # in order: sorted lists stay sorted
            places = {
                key: ([then[n] for n in claimed], [then[n] for n in others])
                for key, (claimed, others) in places.items()
            }
        out = {key for one in gone.values() for key in keys_of(one)}
        left = {numbers.get(id_, -1) for id_ in gone}
        for key in out | {key for one in new.values() for key in keys_of(one)}:
            claimed, others = places.get(key, _NOWHERE)
            places[key] = ([n for n in claimed if n not in left], [n for n in others if n not in left])
        for id_, one in new.items():
            claims = {group.key for group in one.groups if group.in_claims}
            for key in set(keys_of(one)):
                insort(places[key][key not in claims], numbers[id_])
        return Uses(documents, {key: both for key, both in places.items() if any(both)})


_NOWHERE: Places = ([], [])


def uses_of(brought: Iterable[Contribution]) -> Uses:
    """The uses of names in all documents, which come in the order of their identifiers."""
    documents: list[str] = []
    places: dict[str, Places] = {}
    for number, one in enumerate(brought):
        documents.append(one.document)
        claims = {group.key for group in one.groups if group.in_claims}
        for key in set(keys_of(one)):
            places.setdefault(key, ([], []))[key not in claims].append(number)
    return Uses(documents, places)


def separable(ontology: Ontology) -> bool:
    """Whether only aliases and reviewers tie names: parts of people's names, and what an ontology declares, do too."""
    return not ontology.individuals and not person_classes(ontology)


class Ties:
    """Keys of names that are tied to each other."""

    def __init__(self, links: Iterable[Link], decisions: Iterable[Decision]) -> None:
        """``links``: of aliases."""
        self._others: dict[str, set[str]] = defaultdict(set)
        merged = ((name_key(d.name), name_key(d.other_name)) for d in decisions if isinstance(d, Merge))
        for one, other in (*links, *merged):
            self._others[one].add(other)
            self._others[other].add(one)

    def part(self, key: str) -> set[str]:
        """The key with all that are tied to it, one by way of another."""
        found, rest = {key}, [key]
        while rest:
            more = self._others.get(rest.pop(), set()) - found
            found |= more
            rest += more
        return found

    def parts(self, keys: Iterable[str]) -> set[str]:
        """Keys with all that are tied to them."""
        found = set(keys)
        for key in found & self._others.keys():
            found |= self.part(key)
        return found
