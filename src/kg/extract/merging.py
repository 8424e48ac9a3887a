"""One claim for what two extractors found alike, and everything in document order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kg.extract.build import surface, weightier
from kg.extract.classify import classes_of_mention
from kg.extract.source import Source
from kg.model import Alias, Claim, Evidence, Mention, Passage, Rejected, Role
from kg.text.stretch import Stretch


def quotable(source: Source, claims: Iterable[Claim], rejected: set[Rejected]) -> list[Claim]:
    """The claims whose quotation and evidence are the document's own text, the quotation within the claim's passage.

    This holds whoever made the claim; another's is added to ``rejected`` with the reason.
    """
    passages = {passage.id: passage for passage in source.passages}
    kept: list[Claim] = []
    for claim in claims:
        problem = next(unquotable(claim, passages.get(claim.passage), source.document.text), None)
        if problem is None:
            kept.append(claim)
        else:
            place = claim.evidence[0].start if claim.evidence else claim.quote_start
            start = min(max(place, 0), len(source.document.text))
            at = source.passage_at(start)
            rejected.add(Rejected(at.id, claim.extractors[0], problem, claim.stated_value, start, start))
    return kept


def unquotable(claim: Claim, passage: Passage | None, text: str) -> Iterator[str]:
    """Why a claim can't be shown in its document: each offset that doesn't give the text that it claims."""
    if passage is None:
        yield f"claim {claim.id} names a passage that isn't there"
        return
    if not passage.start <= claim.quote_start < claim.quote_end <= passage.end:
        yield f"the quotation of claim {claim.id} lies outside its passage"
    for evidence in claim.evidence:
        if text[evidence.start : evidence.end] != evidence.exact:
            yield f"evidence of claim {claim.id} isn't the text at {evidence.start}:{evidence.end}"


def merged(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Claims without repetitions, by place. Two are the same when subject, predicate, value and its place agree.

    The surest one's evidence stays; the extractors of both are named, and the standing that says less holds.
    """
    best: dict[tuple[str, ...], Claim] = {}
    for claim in sorted(claims, key=lambda c: (-c.confidence, *_order(c))):
        key = _key(claim)
        kept = best.get(key)
        if kept is None:
            best[key] = claim
        else:
            names = tuple(sorted({*kept.extractors, *claim.extractors}))
            best[key] = replace(kept, extractors=names, hedge=weightier(kept.hedge, claim.hedge))
    by_id: dict[str, Claim] = {}
    for claim in sorted(best.values(), key=lambda c: (-c.confidence, *_order(c))):
        by_id.setdefault(claim.id, claim)
    return tuple(sorted(by_id.values(), key=_order))


def with_further(claims: Iterable[Claim], further: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims with others that may add to them and change nothing of them but to be named as extractors too."""
    kept = {_key(claim): claim for claim in claims}
    taken = {claim.id for claim in kept.values()}
    for claim in sorted(further, key=_order):
        known = kept.get(_key(claim))
        if known is not None:
            names = tuple(sorted({*known.extractors, *claim.extractors}))
            kept[_key(claim)] = replace(known, extractors=names)
        elif claim.id not in taken:
            taken.add(claim.id)
            kept[_key(claim)] = claim
    return tuple(kept.values())


def by_place(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Claims in document order."""
    return tuple(sorted(claims, key=_order))


def unrepeated(claims: Iterable[Claim], further: Iterable[Claim]) -> Iterator[Claim]:
    """Further claims but what is said of a thing where a claim already gives that as its definition."""
    defined = [(_value(c).start, _value(c).end) for c in claims if "definitions" in c.extractors]
    for claim in further:
        at = _value(claim)
        described = claim.predicate.label in ("description", "is")
        if not (described and any(start < at.end and at.start < end for start, end in defined)):
            yield claim


def _value(claim: Claim) -> Evidence:
    return next((e for e in claim.evidence if e.role is Role.VALUE), claim.evidence[0])


def _key(claim: Claim) -> tuple[str, ...]:
    value = _value(claim)
    predicate = claim.predicate.iri or claim.predicate.label.casefold()
    object_ = (
        repr(replace(claim.object, classes=()))
        if claim.object and claim.object.kind == "entity"
        else repr(claim.object)
    )
    return claim.passage, surface(claim.subject).casefold(), predicate, str(value.start), object_


def _order(claim: Claim) -> tuple[int, int, str, str]:
    value = _value(claim)
    return value.start, value.end, claim.predicate.iri or claim.predicate.label, claim.id


def in_order(found: Alias | Rejected) -> tuple[int, int, str, str]:
    """Place, then wording."""
    if isinstance(found, Alias):
        return found.start, found.end, found.name, found.alias
    return found.start, found.end, found.extractor, found.reason


def mentions_of(source: Source, claims: Iterable[Claim]) -> tuple[Mention, ...]:
    """Names of entities in running text, tables and headings, with the classes that the context vouches for."""
    found: set[Mention] = set()
    for inline in source.leaves():
        whole = Stretch.whole(inline)
        for entity in source.names_in(whole):
            at = whole.part(entity.start, entity.end)
            start, end = at.span
            classes = classes_of_mention(source, entity.value, at.text)
            found.add(Mention(source.passage_at(start).id, entity.value.surface, start, end, classes))
    return tuple(sorted(found, key=lambda m: (m.start, m.end, m.surface)))
