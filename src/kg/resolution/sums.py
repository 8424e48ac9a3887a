"""What documents say together, counted so that one document's part can be added and taken out again.

A build of one document more then counts that document alone. The counts are the same whatever the order, and nothing
is left of what has been taken out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kg.resolution.contributions import links
from kg.resolution.openproperties import Wordings

if TYPE_CHECKING:
    from kg.resolution.contributions import Contribution

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
        return replace(
            self,
            held=self.held.copy(),
            claims=self.claims.copy(),
            rejected=self.rejected.copy(),
            properties=self.properties.copy(),
            extractors=self.extractors.copy(),
            events=self.events.copy(),
            wordings=self.wordings.copy(),
            links=self.links.copy(),
        )

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


def from_json(data: Mapping[str, Any]) -> Sums:
    """The sums that :meth:`Sums.to_json` gave."""
    held, claims, rejected = data["totals"]
    return Sums(
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


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))
