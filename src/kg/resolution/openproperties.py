"""Properties that documents word and no ontology declares; near-identical wordings are one property."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from kg.model import Claim, Quantity
from kg.namespaces import digest, slug
from kg.ontology import normalise_label
from kg.text import units

_PLACES = 6


@dataclass(frozen=True, slots=True)
class OpenProperty:
    """A property named by its most frequent wording. ``unit``: the one that most of its numbers are stated in."""

    slug: str
    label: str
    alt_labels: tuple[str, ...] = ()
    unit: str | None = None


def label_key(label: str) -> str:
    """Key under which wordings of one property meet."""
    return normalise_label(label) or shown(label).casefold()


def shown(label: str) -> str:
    """A wording on one line."""
    return " ".join(unicodedata.normalize("NFC", label).split()).strip(" :*_`") or label


@dataclass(frozen=True, slots=True)
class Wordings:
    """How often a property is worded how, and stated in which unit."""

    labels: Counter[str] = field(default_factory=Counter)
    units: Counter[str] = field(default_factory=Counter)


def worded(claims: Iterable[Claim]) -> Mapping[str, Wordings]:
    """Wordings of the claims' open properties by :func:`label_key`."""
    found: dict[str, Wordings] = defaultdict(Wordings)
    for claim in claims:
        if not claim.predicate.iri:
            counts = found[label_key(claim.predicate.label)]
            counts.labels[shown(claim.predicate.label)] += 1
            if isinstance(claim.object, Quantity) and claim.object.unit:
                counts.units[claim.object.unit] += 1
    return found


def open_properties(claims: Iterable[Claim]) -> Mapping[str, OpenProperty]:
    """Open properties of the claims by :func:`label_key`; independent of the claims' order.

    The label is the most frequent wording, then the longest, then the first in code-point order.
    """
    return named(worded(claims))


def named(wordings: Mapping[str, Wordings]) -> Mapping[str, OpenProperty]:
    """Open properties by their key."""
    labels = {key: preferred(counts.labels) for key, counts in wordings.items()}
    taken = Counter(slug(label) for label in labels.values())
    return {
        key: OpenProperty(
            _slug(key, label, taken),
            label,
            tuple(sorted(set(wordings[key].labels) - {label})),
            _unit(wordings[key].units) if wordings[key].units else None,
        )
        for key, label in sorted(labels.items())
    }


def preferred(counts: Counter[str]) -> str:
    """The label of what is worded in these ways."""
    return min(counts, key=lambda label: (-counts[label], -len(label), label))


def _slug(key: str, label: str, taken: Counter[str]) -> str:
    plain = slug(label)
    # A property's IRI has to end in an XML name, or RDF/XML can't hold it: a year's column is rel:_1931.
    named = plain if any(c.isalpha() for c in plain) else f"_{plain}"
    return named if taken[plain] == 1 else f"{named}--{digest('property', key)[:8]}"


def _unit(counts: Counter[str]) -> str:
    """The most frequent unit of the most frequent dimension, so that values that can be compared are in one unit.

    One that the others are written in with a few digits goes first: 1 cup is 48 teaspoons, 1 teaspoon .0208… cups.
    """
    dimensions: Counter[str] = Counter()
    for unit, n in counts.items():
        dimensions[_dimension(unit)] += n
    dimension = min(dimensions, key=lambda d: (-dimensions[d], d))
    found = sorted((u for u in counts if _dimension(u) == dimension), key=lambda u: (-counts[u], u))
    return next((u for u in found if all(_in_few_digits(other, u) for other in found)), found[0])


def _in_few_digits(unit: str, to: str) -> bool:
    return unit == to or (units.known(unit) and (one := units.convert(Decimal(1), unit, to)) == round(one, _PLACES))


def _dimension(unit: str) -> str:
    return units.dimension(unit) if units.known(unit) else unit
