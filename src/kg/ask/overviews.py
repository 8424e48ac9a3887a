"""Tell me about X: the claims about a thing that most documents attest, one a property, in one short text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from kg.ask.definitions import defined
from kg.ask.drafts import LONG_ROOM, Asking, Backing, Draft, Value
from kg.ask.facts import Fact
from kg.ask.graph import Graph, run
from kg.ask.schema import is_date

_ASKS = re.compile(
    r"^(?:please\s+)?(?:(?:can|could) you\s+)?(?:tell (?:me|us)(?: \w+)? about|describe|summari[sz]e|introduce|"
    r"(?:give|write)(?: me| us)? (?:an? )?(?:\w+ )?(?:overview|summary|description|profile) of|"
    r"what (?:do you|do we|is) know(?:n)?(?: \w+)? about|(?:an? )?(?:overview|summary|profile) of)\s+"
    r"(?P<x>.+?)[?.!\s]*$",
    re.IGNORECASE,
)
_MOST = 6
_DESCRIBES = "SELECT ?property ?value WHERE {{\n  {thing} ?property ?value .\n}}"


def overview(graph: Graph, asking: Asking) -> Draft | None:
    """What is best attested of the thing that the question wants described or defined, or None."""
    match = _ASKS.match(asking.question.text.strip())
    if not (subject := match["x"] if match else defined(asking.question)):
        return None
    wanted = re.sub(r"^(?:the|an?)\s+", "", subject, flags=re.IGNORECASE).casefold()
    for linked in graph.links(asking.question):
        for thing in linked.things:
            names = {n.casefold() for n in graph.facts.labels.get(thing, ())}
            if wanted in names and (draft := _told(graph, asking, thing)) is not None:
                return draft
    return None


def _values(graph: Graph, told: list[Fact]) -> str:
    """Of figures and dates the one stated most often, of things up to three."""
    said = Counter(graph.said(f) for f in told)
    single = any(f.number is not None or is_date(f) for f in told)
    return ", ".join(sorted(said, key=lambda x: (-said[x], x))[: 1 if single else 3])


def _told(graph: Graph, asking: Asking, thing: str) -> Draft | None:
    by_property: dict[str, list[Fact]] = defaultdict(list)
    for fact in graph.facts.of_subject(thing):
        cited = re.search(r"https?://|^source", f"{graph.facts.label(fact.predicate)} {graph.said(fact)}")
        if fact.asserted and not fact.denied and fact.object is not None and not cited:
            by_property[fact.predicate].append(fact)
    ranked = sorted(by_property.items(), key=lambda item: (-len({f.passage for f in item[1]}), item[0]))
    parts, facts, room = [], [], LONG_ROOM - len(graph.facts.label(thing)) - 2
    for predicate, told in ranked[:_MOST]:
        part = f"{graph.facts.label(predicate)} {_values(graph, told)}"
        if len(part) + 2 <= room:
            parts.append(part)
            facts.append(told[0])
            room -= len(part) + 2
    evidence = graph.cited(asking, facts)
    if not evidence:
        return None
    place = {s.key: i for i, s in enumerate(evidence)}
    values = []
    for part, fact in zip(parts, facts, strict=True):
        scored = graph.evidence(asking, fact)
        values.append(Value(part, (place[scored.key],) if scored is not None else (0,)))
    written = run(graph.store, graph.writer.declared(_DESCRIBES.format(thing=graph.term(thing))))
    text = f"{graph.facts.label(thing)}: {'; '.join(parts)}"
    return Draft("overview", text, tuple(values), evidence, 1.0, Backing(written, tuple(facts)), 1.0)
