"""The query behind an answer of the passages: the claims of the quoted units that state its values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pyoxigraph as ox

from kg.ask import sparql
from kg.ask.drafts import Asking, Backing, Draft, normal
from kg.ask.facts import Fact
from kg.ask.graph import Graph
from kg.ask.link import property_fit
from kg.ask.retrieve import Scored
from kg.ask.schema import is_date
from kg.ask.spans import dates, numbers
from kg.ask.terms import bag

# A query stands behind a passage's answer only if the question says this much of it (of thing and property, 1 each).
_ASKED = 0.7
# So much of it where the query gives all that a unit quoted says, and so little where a claim states just the answer.
_NAMED, _HINTED = 1.7, 0.2
# Rows that a query may give beside those of the answer.
_BESIDE = 2
_BACKED = frozenset(("number", "date", "entity", "list", "count", "value", "extreme", "conflicting", "definition"))


def backed(graph: Graph, asking: Asking, draft: Draft) -> Draft:
    """The draft with its query, unless that gives much else besides: such rows would single out nothing."""
    found = _backed(graph, asking, draft)
    if draft.backing is None and found.backing and len(found.backing.written.rows) > len(found.backing.facts) + _BESIDE:
        return draft
    return found


def _backed(graph: Graph, asking: Asking, draft: Draft) -> Draft:
    """The draft with the query whose rows hold its values, if its evidence's claims do and the question asks it."""
    if draft.backing is not None or not draft.evidence:
        return draft
    if draft.kind == "duration":
        return _between(graph, draft)
    if draft.kind not in _BACKED:
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
    if not labels:
        return _whole(graph, asking, draft, told)
    found = _with_subjects(graph, asking, draft, told)
    return found if found.backing is not None else _stated(graph, asking, draft)


def _whole(graph: Graph, asking: Asking, draft: Draft, told: Sequence[Fact]) -> Draft:
    """For an answer that quotes whole units: the property of theirs that the question names with its thing."""
    ranked = sorted({(-_asked(graph, asking, f.subject, f.predicate), f.subject, f.predicate) for f in told})
    if not ranked or -ranked[0][0] < _NAMED:
        return draft
    own = tuple(f for f in told if (f.subject, f.predicate) == ranked[0][1:])
    return replace(draft, backing=values(graph, own))


def _stated(graph: Graph, asking: Asking, draft: Draft) -> Draft:
    """The draft with the claims of its first unit that state just its value, in the words of the document."""
    wanted = normal(draft.values[0].label)
    for fact in told_by(graph, draft.evidence[0]):
        same = normal(fact.stated) == wanted or (len(fact.stated) > 2 and wanted.startswith(normal(fact.stated)))
        if same and _asked(graph, asking, fact.subject, fact.predicate) >= _HINTED:
            iris = (fact.subject, fact.predicate, graph.view.namespaces.passage(fact.passage))
            return replace(
                draft, backing=Backing(sparql.run(graph.store, graph.writer.query(sparql.STATED, iris)), (fact,))
            )
    return draft


def _between(graph: Graph, draft: Draft) -> Draft:
    """The draft of a duration with the query for the two dates, where claims state both."""
    found = []
    for scored in draft.evidence[:2]:
        dated = [f for f in told_by(graph, scored) if is_date(f) and f.asserted]
        days = {d.earliest for d in dates(draft.text)}
        found += [f for f in dated if days & {d.earliest for d in dates(f.stated)}][:1]
    if len({f.claim for f in found}) < 2:
        return draft
    patterns = [(f.subject, f.predicate, v) for f, v in zip(found, ("?one", "?two"), strict=True)]
    written = graph.run("SELECT ?one ?two (?two - ?one AS ?between)", patterns)
    return replace(draft, backing=Backing(written, tuple(found)))


def _matching(graph: Graph, draft: Draft, labels: Sequence[str], own: Sequence[Fact]) -> tuple[Fact, ...]:
    """The claims of one property that state the draft's values; of a counted list all that were counted."""
    if draft.kind == "count" and len(own) > 1 and labels == [str(len({f.stated for f in own}))]:
        return tuple(own)
    return tuple(f for label in labels if (f := _fact_of(graph, label, own)) is not None)


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
        if isinstance(fact.object, ox.NamedNode) and _asked(graph, asking, fact.object.value, fact.predicate) >= 1.2:
            text = graph.writer.query(sparql.SUBJECTS, (fact.predicate, fact.object.value))
            return replace(draft, backing=Backing(sparql.run(graph.store, text), (fact,)))
        if isinstance(fact.object, ox.Literal) and _says(asking, fact.stated):
            return replace(draft, backing=claimed(graph, fact, subjects=True))
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
        if any(len(n) > 4 and 2 * len(n) > len(wanted) and _is_within(n, wanted) for n in names):
            return fact
    return None


def _is_within(name: str, text: str) -> bool:
    """Whether a text has a name as whole words."""
    return name in text and re.search(rf"\b{re.escape(name)}\b", text) is not None


def values(graph: Graph, facts: tuple[Fact, ...], counted: bool = False) -> Backing:
    """The query for a thing's property: of the direct triples, or of the claims where not all are asserted."""
    first = facts[0]
    asserted = all(f.asserted and f.object is not None for f in facts)
    body = sparql.CLAIMED if not asserted else sparql.COUNT if counted else sparql.VALUES
    text = graph.writer.query(body, (first.subject, first.predicate))
    return Backing(sparql.run(graph.store, text), facts)


def claimed(graph: Graph, fact: Fact, subjects: bool = False) -> Backing:
    """The query for the things of which a property states a literal, or for the claim itself."""
    if subjects and isinstance(fact.object, ox.Literal):
        text = graph.writer.declared(
            f"SELECT ?subject WHERE {{\n  ?subject {graph.term(fact.predicate)} {fact.object} .\n}}"
        )
        return Backing(sparql.run(graph.store, text), (fact,))
    return values(graph, (fact,))
