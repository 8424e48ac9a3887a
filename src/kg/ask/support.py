"""Which of a draft's units support its answer: only those are cited."""

from __future__ import annotations

from dataclasses import replace

from kg.ask.drafts import Draft, Value, normal
from kg.ask.retrieve import Scored
from kg.ask.spans import dates, numbers

# Kinds whose answer rests on all its units together.
_TOGETHER = frozenset(("comparison", "difference", "duration", "conflicting", "order", "extreme"))


def supported(draft: Draft) -> Draft:
    """The draft with the units that its values stand in, each value with its own; the first unit always stays."""
    if draft.kind in _TOGETHER or draft.exact or len(draft.evidence) < 2:
        return draft
    if draft.kind == "boolean":
        return replace(draft, evidence=(draft.evidence[0], *(s for s in draft.evidence[1:] if _speaks(s))))
    values = [replace(v, evidence=_places(draft, v)) for v in draft.values]
    kept = sorted({0, *(i for v in values for i in v.evidence), *(r.evidence for r in draft.rivals)})
    place = {old: new for new, old in enumerate(kept)}
    return replace(
        draft,
        values=tuple(replace(v, evidence=tuple(place[i] for i in v.evidence)) for v in values),
        evidence=tuple(draft.evidence[i] for i in kept),
        rivals=tuple(replace(r, evidence=place[r.evidence]) for r in draft.rivals),
    )


def _places(draft: Draft, value: Value) -> tuple[int, ...]:
    """Units that say a value of what the question names; those given where it stands in none."""
    if draft.backing is not None or len(value.evidence) > 1:
        given = [i for i in value.evidence if i < len(draft.evidence)]
        found = [i for i, s in enumerate(draft.evidence) if _says(s, value.label)]
        return tuple(sorted({*given, *found} if len(value.evidence) > 1 else found or given))
    found = [i for i, s in enumerate(draft.evidence) if _says(s, value.label) and (i == 0 or s.names >= 0.5)]
    return tuple(found) or value.evidence


def _speaks(scored: Scored) -> bool:
    """Whether a unit speaks of the same thing and of much else of the question."""
    return scored.names >= 0.5 and scored.own >= 0.4


def _says(scored: Scored, label: str) -> bool:
    """Whether a unit says a value: in the same words, as the same date or as the same number."""
    plain = scored.plain
    if normal(label) and normal(label) in normal(plain):
        return True
    days = {d.earliest for d in dates(label)}
    figures = {(n.low, n.measure) for n in numbers(label)}
    return bool(days & {d.earliest for d in dates(plain)} or figures & {(n.low, n.measure) for n in numbers(plain)})
