"""How much a graph holds, counted as it is made: a change adds up documents instead of looking through the graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kg.provenance import ResolvedClaim

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Totals:
    """``held``: things by kind; ``claims``: by stated status; ``rejected``: what was found and not kept, by reason."""

    held: Counts = field(default_factory=dict)
    claims: Counts = field(default_factory=dict)
    rejected: Counts = field(default_factory=dict)

    def to_json(self) -> list[dict[str, int]]:
        """In a fixed order."""
        return [dict(sorted(counts.items())) for counts in (self.held, self.claims, self.rejected)]


def of_part(passages: int, claims: Iterable[ResolvedClaim], open_properties: frozenset[str]) -> Totals:
    """Those of a document's part. ``open_properties``: IRIs of properties that no ontology declares."""
    held, by_status, rejected = Counter(passages=passages), Counter[str](), Counter[str]()
    for claim in claims:
        held["claims"] += 1
        by_status[claim.hedge.status.value] += 1
        rejected.update(claim.rejections)
        if claim.rejections:
            held["rejected claims"] += 1
        if claim.asserted:
            held["asserted claims"] += 1
            if claim.predicate not in open_properties:
                held["asserted claims on typed properties"] += 1
    return Totals(held, by_status, rejected)


def added_up(parts: Iterable[Totals]) -> Totals:
    """Those of several parts together."""
    held, claims, rejected = Counter[str](), Counter[str](), Counter[str]()
    for part in parts:
        held.update(part.held)
        claims.update(part.claims)
        rejected.update(part.rejected)
    return Totals(+held, +claims, +rejected)
