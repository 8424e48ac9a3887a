"""Claims as CSV (RFC 4180, UTF-8): one row a claim, with its evidence, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import IO, TYPE_CHECKING

import pyoxigraph as ox

from kg.namespaces import RDFS
from kg.provenance import ResolvedClaim, read_claims

if TYPE_CHECKING:
    from kg.snapshot import Snapshot

COLUMNS = (
    "subject", "property", "value", "stated", "unit", "lower", "upper", "earliest", "latest", "valid_from",
    "valid_until", "status", "polarity", "mood", "asserted", "confidence", "document", "heading", "quote", "start",
    "end", "subject_iri", "property_iri", "value_iri", "claim",
    "said_by", "said_by_iri",
)  # fmt: skip
"""``value`` is an entity's label or a literal in the property's unit; ``stated`` as the document writes it.

``start`` and ``end`` are the quote's place in the document's stored text, in code points.
``said_by`` is whom the document quotes or reports for the claim; empty for what it says itself.
"""


def export(snapshot: Snapshot, stream: IO[bytes]) -> None:
    """Writes every claim, ordered by document and place."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(_rows(snapshot))
    stream.write(text.getvalue().encode("utf-8"))


def _rows(snapshot: Snapshot) -> Iterator[tuple[str, ...]]:
    quads = list(snapshot.store.quads(ox.DefaultGraph()))
    labels = {
        str(q.subject).strip("<>"): q.object.value
        for q in sorted(quads, key=str, reverse=True)
        if q.predicate.value == RDFS + "label" and isinstance(q.object, ox.Literal)
    }
    headings = {id_: " > ".join(passage.headings) for id_, passage in snapshot.passages.items()}
    documents = {p.id: r.document.name for r in snapshot.records() for p in r.passages}
    claims = read_claims(quads, snapshot.namespaces)
    for claim in sorted(claims, key=lambda c: (documents[c.passage], c.quote_start, c.quote_end, c.id)):
        yield _row(claim, labels, documents[claim.passage], headings[claim.passage])


def _row(claim: ResolvedClaim, labels: Mapping[str, str], document: str, heading: str) -> tuple[str, ...]:
    object_ = claim.object
    iri = object_.value if isinstance(object_, ox.NamedNode) else ""
    value = labels.get(iri, iri) if iri else object_.value if object_ is not None else ""
    bounds = (claim.lower, claim.upper, claim.earliest, claim.latest, claim.valid_from, claim.valid_until)
    return (
        labels.get(claim.subject, claim.subject),
        labels.get(claim.predicate, claim.predicate),
        value,
        claim.stated_value,
        (claim.unit or "").rsplit("/", 1)[-1].rsplit("#", 1)[-1],
        *(bound.value if bound is not None else "" for bound in bounds),
        claim.hedge.status.value,
        claim.hedge.polarity.value,
        claim.hedge.mood.value,
        "true" if claim.asserted else "false",
        f"{claim.confidence:f}",
        document,
        heading,
        claim.quote,
        str(claim.quote_start),
        str(claim.quote_end),
        claim.subject,
        claim.predicate,
        iri,
        claim.id,
        labels.get(claim.speaker or "", claim.speaker or ""),
        claim.speaker or "",
    )
