"""Figures year by year: "how much was donated in each year?", of things that have a date and an amount."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kg.ask import words as w
from kg.ask.drafts import Asking, Backing, Draft, Value, clip
from kg.ask.facts import Fact
from kg.ask.graph import Graph, Written
from kg.ask.question import Role
from kg.ask.retrieve import Scored, Term
from kg.ask.schema import is_date
from kg.ask.terms import bag

_YEARLY = re.compile(r"\b(?:each|every|per|by)\s+year\b|\byear\s+by\s+year\b|\b(?:annually|yearly)\b", re.IGNORECASE)
_SAID = w.words("each every per by year annually yearly list show give amount amounts sum sums how much what was were")
# Measures whose names say nothing of what they measure: the thing does.
_PLAIN = w.words("amount sum value total price cost")
_ROOM = 560


@dataclass(frozen=True, slots=True)
class Dated:
    """A figure of a thing, and the thing's date."""

    year: str
    figure: Fact
    date: Fact


def yearly(graph: Graph, asking: Asking) -> Draft | None:
    """The figures of each year, the earliest first; None unless there are such of several years."""
    text = asking.question.text
    asked = tuple(
        t for t in asking.found.terms if t.word.role not in (Role.LIGHT, Role.KIND) and t.word.token.lower not in _SAID
    )
    if not _YEARLY.search(text) or not asked or asking.question.opening in ("how many", "number of"):
        return None
    by_property = {p: _dated(graph, p, asked) for p in sorted(graph.facts.numeric) if _is_meant(graph, p, asked)}
    predicate, found = max(by_property.items(), key=lambda x: (len(x[1]), x[0]), default=("", []))
    evidence = graph.cited(asking, (d.figure for d in found))
    if len({d.year for d in found}) < 2 or not evidence:
        return None
    said: dict[str, list[str]] = {}
    for one in found:
        said.setdefault(one.year, []).append(graph.said(one.figure))
    rows = [f"{year}: {', '.join(dict.fromkeys(values))}" for year, values in sorted(said.items())]
    places = {row: _cited_at(graph, asking, evidence, [d for d in found if row.startswith(d.year)]) for row in rows}
    values = tuple(Value(row, places[row]) for row in rows)
    reading = f"“{graph.names(predicate)[0]}” of what has a date, by its year"
    backing = Backing(_query(graph, predicate, found), tuple(d.figure for d in found))
    return Draft(
        "list", clip("; ".join(rows), 0, _ROOM), values, evidence, 0.9, backing, 0.9, exact=True, reading=reading
    )


def _is_meant(graph: Graph, predicate: str, asked: Sequence[Term]) -> bool:
    """Whether a property may be the figure asked for: by its name, or one that only says how much."""
    names = [bag(name) for name in graph.names(predicate)]
    return any(words & _PLAIN for words in names) or any(t.found(words) >= 0.5 for t in asked for words in names)


def _dated(graph: Graph, predicate: str, asked: Sequence[Term]) -> list[Dated]:
    """Figures of a property whose things have a date and are what the question says; one of each value and year."""
    found: dict[tuple[str, float | None], Dated] = {}
    for figure in graph.facts.of_predicate(predicate):
        dates = [f for f in graph.facts.of_subject(figure.subject) if is_date(f) and f.asserted and not f.denied]
        told = figure.asserted and not figure.denied and figure.number is not None
        if told and dates and all(_says(graph, figure, t) for t in asked):
            year = str(getattr(dates[0].object, "value", ""))[:4]
            found.setdefault((year, figure.number), Dated(year, figure, dates[0]))
    return [found[key] for key in sorted(found, key=lambda k: (k[0], k[1] or 0.0))]


def _says(graph: Graph, figure: Fact, asked: Term) -> bool:
    """Whether what a figure is of has a word for its name, class, heading or property; a name for what it joins."""
    own = graph.facts.of_subject(figure.subject)
    classes = sorted(graph.facts.types.get(figure.subject, frozenset()))
    names = [n for iri in (figure.subject, *classes) for n in graph.facts.labels.get(iri, ())]
    if asked.word.role == Role.NAME:
        names += [graph.facts.label(f.object) for f in own if f.asserted and f.object is not None]
    else:
        passage = graph.view.passages.get(figure.passage)
        names += [*(passage.headings if passage is not None else ()), *graph.names(figure.predicate)]
    return asked.found(bag(" ; ".join(names))) >= 0.5


def _query(graph: Graph, predicate: str, found: Sequence[Dated]) -> Written:
    """The query that gives the figures of these things by year."""
    things = " ".join(sorted({graph.term(d.figure.subject) for d in found}))
    dates = "|".join(sorted({graph.term(d.date.predicate) for d in found}))
    lines = (
        f"VALUES ?thing {{ {things} }}",
        f"?thing {graph.term(predicate)} ?amount ; {dates} ?date .",
        "BIND(SUBSTR(STR(?date), 1, 4) AS ?year)",
    )
    return graph.run("SELECT DISTINCT ?year ?amount", (), "ORDER BY ?year ?amount", extra=lines)


def _cited_at(graph: Graph, asking: Asking, evidence: Sequence[Scored], found: Sequence[Dated]) -> tuple[int, ...]:
    """Positions of the units cited that state figures."""
    keys = {s.key for d in found if (s := graph.evidence(asking, d.figure)) is not None}
    return tuple(i for i, s in enumerate(evidence) if s.key in keys) or (0,)
