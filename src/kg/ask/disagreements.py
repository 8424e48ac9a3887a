"""Documents that give one property of one thing different values: each side shown with its citation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kg.ask.backing import told_by
from kg.ask.drafts import Asking, Draft, Rival
from kg.ask.facts import Fact
from kg.ask.graph import Graph
from kg.ask.judge import explained_confidence
from kg.ask.schema import is_date
from kg.ask.spans import dates, numbers

_MOST = 3
# A claim is set against a passage's answer only if its property is so surely what is asked.
_SURE = 0.85
_SINGLE = frozenset(("number", "date", "count", "value"))


def with_rivals(graph: Graph, asking: Asking, draft: Draft, proposals: Sequence[Draft]) -> Draft:
    """The draft with the other values that documents give, each with the unit that says so."""
    if draft.kind not in _SINGLE or len(draft.values) != 1 or draft.exact:
        return draft
    facts = draft.backing.facts if draft.backing else ()
    others = _others(graph, facts) if facts else _against(graph, draft, proposals)
    found = [(f, s) for f in others[:_MOST] if (s := graph.evidence(asking, f)) is not None]
    if not found:
        return draft
    evidence = (*draft.evidence, *(s for _, s in found))
    at = len(draft.evidence)
    rivals = tuple(
        Rival(graph.facts.label(f.predicate), graph.said(f), f.status, at + i) for i, (f, _) in enumerate(found)
    )
    told = "; ".join(f"{'elsewhere ' if i == 0 else ''}{r.label}" for i, r in enumerate(rivals))
    return replace(draft, evidence=evidence, rivals=rivals, text=f"{draft.text} – {told}")


def _others(graph: Graph, facts: Sequence[Fact]) -> list[Fact]:
    """One fact for each value that disagrees with that of a single fact."""
    if len(facts) != 1 or not _comparable(facts[0]):
        return []
    found = [facts[0]]
    for other in graph.facts.of_subject(facts[0].subject):
        if other.predicate == facts[0].predicate and not other.denied and _comparable(other):
            found += [] if any(_agree(other, known) for known in found) else [other]
    return found[1:]


def _against(graph: Graph, draft: Draft, proposals: Sequence[Draft]) -> list[Fact]:
    """The claim that answers the question otherwise than the passage does."""
    figures = {x for n in numbers(draft.values[0].label) for x in (n.low, n.high)}
    days = {d.earliest for d in dates(draft.values[0].label)}
    own = {f.claim for s in draft.evidence[:1] for f in told_by(graph, s)}
    for proposal in proposals:
        facts = proposal.backing.facts if proposal.backing else ()
        if proposal.kind != "value" or len(facts) != 1 or facts[0].claim in own:
            continue
        fact = facts[0]
        if explained_confidence(proposal.explained or 0.0) < _SURE or not fact.asserted:
            continue
        differs = fact.number is not None and figures and not figures & {fact.number, fact.lower, fact.upper}
        if differs or (is_date(fact) and days and not days & {d.earliest for d in dates(fact.stated)}):
            return [fact]
    return []


def _comparable(fact: Fact) -> bool:
    """Whether a value is a number or a date."""
    return fact.number is not None or is_date(fact)


def _agree(one: Fact, other: Fact) -> bool:
    """Whether two values of a property go together: overlapping bounds, or dates of which one holds the other."""
    if one.number is not None and other.number is not None:
        low, high = max(_low(one), _low(other)), min(_high(one), _high(other))
        return low <= high
    first, second = str(getattr(one.object, "value", "")), str(getattr(other.object, "value", ""))
    return first.startswith(second) or second.startswith(first)


def _low(fact: Fact) -> float:
    return fact.lower if fact.lower is not None else float("-inf")


def _high(fact: Fact) -> float:
    return fact.upper if fact.upper is not None else float("inf")
