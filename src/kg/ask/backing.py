"""The query behind an answer of the passages, and the claims that give other values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pyoxigraph as ox

from kg.ask.drafts import Asking, Backing, Draft, Rival, is_within, normal
from kg.ask.facts import Fact
from kg.ask.graph import Graph
from kg.ask.linking import own_words, property_fit
from kg.ask.retrieve import Scored
from kg.text.spans import dates, numbers
from kg.text.terms import bag

# A query stands behind a passage's answer only if the question says this much of it (of thing and property, 1 each).
_ASKED = 0.7
# A thing with what it is tied to has to be said so clearly.
_SAID_WITH = 1.2
# So little of it where a claim states just the answer.
_HINTED = 0.2
# What extraction calls the properties that tell what a thing is, the most telling first.
TELLS_WHAT = ("definition", "description", "is")
# Rows that a query may give beside those of the answer.
_BESIDE = 2
_BACKED = frozenset(("number", "date", "entity", "list", "count", "value", "extreme", "conflicting"))


def backed(graph: Graph, asking: Asking, draft: Draft) -> Draft:
    """The draft with its query, unless that gives much else besides: such rows would single out nothing."""
    found = _backed(graph, asking, draft)
    if draft.backing is None and found.backing and len(found.backing.written.rows) > len(found.backing.facts) + _BESIDE:
        return draft
    return found


def _backed(graph: Graph, asking: Asking, draft: Draft) -> Draft:
    """The draft with the query whose rows hold its values, if its evidence's claims do and the question asks it."""
    if draft.backing is not None or not draft.evidence or draft.kind not in _BACKED:
        return draft
    told = [f for s in draft.evidence[:4] for f in told_by(graph, s)]
    labels = [v.label for v in draft.values if v.label]
    best: tuple[int, float, tuple[Fact, ...]] | None = None
    for subject, predicate in sorted({(f.subject, f.predicate) for f in told}):
        own = [f for f in told if f.predicate == predicate and f.subject == subject]
        facts = _matching(graph, draft, labels, own)
        asked = _asked(graph, asking, subject, predicate)
        if facts and asked >= _ASKED and (best is None or (len(facts), asked) > best[:2]):
            best = (len(facts), asked, facts)
    if best is not None:
        return replace(draft, backing=values(graph, best[2], counted=draft.kind == "count" and len(best[2]) > 1))
    found = _with_subjects(graph, asking, draft, told)
    return found if found.backing is not None else _stated(graph, asking, draft)


def _stated(graph: Graph, asking: Asking, draft: Draft) -> Draft:
    """The draft with the claims of its first unit that state just its value, in the words of the document."""
    if len(draft.values) != 1:
        return draft
    wanted = normal(draft.values[0].label)
    for fact in told_by(graph, draft.evidence[0]):
        stated = normal(fact.stated)
        same = stated == wanted or (len(stated) > 2 and wanted.startswith(stated) and is_within(stated, wanted))
        if same and _asked(graph, asking, fact.subject, fact.predicate) >= _HINTED:
            written = graph.claimed(fact.subject, fact.predicate, graph.view.namespaces.passage(fact.passage))
            return replace(draft, backing=Backing(written, (fact,)))
    return draft


def _matching(graph: Graph, draft: Draft, labels: Sequence[str], own: Sequence[Fact]) -> tuple[Fact, ...]:
    """The claims of one property that state the draft's values; of a counted list all that were counted."""
    if draft.kind == "count" and len(own) > 1 and labels == [str(len({f.stated for f in own}))]:
        return tuple(own)
    found = tuple(f for label in labels if (f := _fact_of(graph, label, own)) is not None)
    whole = draft.kind != "list" or len(found) == len(labels)  # no query gives a list of which it gives a part
    return found if found and whole else _holding(graph, labels, own)


def _holding(graph: Graph, labels: Sequence[str], own: Iterable[Fact]) -> tuple[Fact, ...]:
    """The claim whose value holds all of the draft's values and little else, as one does a list in a sentence."""
    wanted = [normal(label) for label in labels]
    words = sum(len(own_words(label)) for label in wanted)
    for fact in own:
        said = normal(graph.said(fact))
        if all(is_within(label, said) for label in wanted) and 2 * words >= len(own_words(said)) > 0:
            return (fact,)
    return ()


def _asked(graph: Graph, asking: Asking, thing: str, predicate: str) -> float:
    """How much of "what is this property of that thing" the question says, 0 to 2."""
    words = bag(asking.question.text)
    names = [bag(n) for n in graph.facts.labels.get(thing, ())]
    named = max((len(n & words) / len(n) for n in names if n), default=0.0)
    return named + max(property_fit(asking.found.terms, graph.names(predicate)))


def _with_subjects(graph: Graph, asking: Asking, draft: Draft, told: Sequence[Fact]) -> Draft:
    """The draft with the query whose rows are the things of which a claim says what the question says."""
    wanted = normal(draft.values[0].label) if draft.values else ""
    for fact in told:
        if not wanted or normal(graph.facts.label(fact.subject)) != wanted or not fact.asserted:
            continue
        if isinstance(fact.object, ox.NamedNode):
            value, says = fact.value, _asked(graph, asking, fact.value, fact.predicate) >= _SAID_WITH
        else:
            value, says = str(fact.object), fact.object is not None and _says(asking, fact.stated)
        if says:
            return replace(draft, backing=things_with(graph, fact.predicate, value, (fact,)))
    return draft


def _says(asking: Asking, stated: str) -> bool:
    """Whether the question has most of a literal's words."""
    words = bag(stated)
    said = sum(max((t.found(frozenset([w])) for t in asking.found.terms), default=0.0) for w in words)
    return bool(words) and said >= 0.6 * min(len(words), 5)


def told_by(graph: Graph, scored: Scored) -> list[Fact]:
    """Claims that a unit's text carries."""
    unit = scored.unit
    return [f for f in graph.facts.in_passage(scored.passage.id) if f.start < unit.end and unit.start < f.end]


def _fact_of(graph: Graph, label: str, facts: Iterable[Fact]) -> Fact | None:
    """The claim whose value a label names: by its text, its thing's name, its date or its number."""
    wanted = normal(label)
    figures = {n.low for n in numbers(label)}
    days = {d.earliest for d in dates(label)}
    for fact in facts:
        names = {normal(fact.stated), normal(graph.facts.label(fact.object)) if fact.object is not None else ""} - {""}
        if wanted in names or (fact.number is not None and {fact.number, fact.lower} & figures):
            return fact
        if days & {d.earliest for d in dates(fact.stated)} and len(fact.stated) < 40:
            return fact
        if any(len(n) > 4 and 2 * len(n) > len(wanted) and is_within(n, wanted) for n in names):
            return fact
    return None


def values(graph: Graph, facts: tuple[Fact, ...], counted: bool = False) -> Backing:
    """The query for a thing's property: of the direct triples, or of the claims where not all are asserted."""
    thing, predicate = facts[0].subject, facts[0].predicate
    if not all(f.asserted and f.object is not None for f in facts):
        return Backing(graph.claimed(thing, predicate), facts)
    select = "SELECT (COUNT(DISTINCT ?value) AS ?count)" if counted else "SELECT ?value"
    return Backing(graph.run(select, [(thing, predicate, "?value")]), facts)


def things_with(graph: Graph, predicate: str, value: str, facts: tuple[Fact, ...]) -> Backing:
    """The query for the things of which a property has a value: an IRI, or a literal as in SPARQL."""
    return Backing(graph.run("SELECT ?subject", [("?subject", predicate, value)]), facts)


_RIVALS = 3
_SINGLE = frozenset(("number", "date", "count", "value"))


def with_rivals(graph: Graph, asking: Asking, draft: Draft) -> Draft:
    """The draft with the other values that documents give, each with the unit that says so."""
    if draft.kind not in _SINGLE or len(draft.values) != 1 or draft.exact:
        return draft
    others = _others(graph, draft.backing.facts if draft.backing else ())
    own = {scored.key for scored in draft.evidence}  # one line that gives several values doesn't contradict itself
    told = [(f, s) for f in others if (s := graph.evidence(asking, f)) is not None and s.key not in own]
    found = told[:_RIVALS]
    if not found:
        return draft
    evidence = (*draft.evidence, *(s for _, s in found))
    at = len(draft.evidence)
    rivals = tuple(
        Rival(graph.facts.label(f.predicate), graph.said(f), f.status, at + i) for i, (f, _) in enumerate(found)
    )
    elsewhere = "; ".join(f"{'elsewhere ' if i == 0 else ''}{r.label}" for i, r in enumerate(rivals))
    return replace(draft, evidence=evidence, rivals=rivals, text=f"{draft.text} – {elsewhere}")


def _others(graph: Graph, facts: Sequence[Fact]) -> list[Fact]:
    """One fact for each value that disagrees with that of a single fact."""
    if len(facts) != 1 or not facts[0].is_ordered:
        return []
    found = [facts[0]]
    for other in graph.facts.of_subject(facts[0].subject):
        if other.predicate == facts[0].predicate and not other.denied and other.is_ordered:
            found += [] if any(_agree(other, known) for known in found) else [other]
    return found[1:]


def _agree(one: Fact, other: Fact) -> bool:
    """Whether two values of a property go together: overlapping bounds, or dates of which one holds the other."""
    if one.number is not None and other.number is not None:
        low = max(-math.inf if f.lower is None else f.lower for f in (one, other))
        return low <= min(math.inf if f.upper is None else f.upper for f in (one, other))
    return one.value.startswith(other.value) or other.value.startswith(one.value)
