"""A proposed query run where it can be killed, and its rows led back to the claims that state them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from kg.ask.drafts import LONG_ROOM, Asking, Backing, Draft, Value, sentence
from kg.ask.facts import Fact, Term
from kg.ask.graph import Graph, Written
from kg.ask.retrieve import Scored
from kg.errors import CitegraphError
from kg.llm.queries import NAMING, TYPE, Proposal, Refused

MOST_SOLUTIONS, _MOST_ROWS, _SHOWN = 500, 100, 20
_TIMEOUT_S, _MEMORY_MB, _MOST_BYTES = 5.0, 500, 4_000_000
Solution = Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class _Row:
    """A row with its label and the claims of the triples that it rests on; ``fact``: the one that states its value."""

    label: str
    facts: tuple[Fact, ...]
    fact: Fact | None
    iri: str | None = None


def run(graph: Graph, queries: Sequence[str]) -> list[bytes]:
    """Results of queries as SPARQL's JSON, in a process that is killed at its deadline. Raises Refused."""
    from kg.api.asked import Limits
    from kg.api.sandbox import Sandbox

    sandbox = Sandbox(Limits(_TIMEOUT_S, 1, 10_000, _MOST_BYTES, _MEMORY_MB))
    try:
        sandbox.use(graph.store.checkpoint, {})
        return [sandbox.run(query, "JSON", None).body for query in queries]
    except CitegraphError as error:
        raise Refused(error.message) from error
    finally:
        sandbox.close()


def draft(graph: Graph, asking: Asking, proposal: Proposal) -> Draft:
    """The answer that a query gives, if every row of it has claims with evidence. Raises Refused."""
    _check_names(graph, asking, proposal)
    given, found = run(graph, (proposal.text, proposal.solutions))
    solutions = _solutions(found)
    if len(solutions) > MOST_SOLUTIONS:
        raise Refused(f"more than {MOST_SOLUTIONS} things would have to be cited")
    if proposal.ask:
        rows = [_row(graph, proposal, "Yes", solutions[:1], {})] if json.loads(given).get("boolean") else []
    else:
        rows = [
            _row(graph, proposal, "", [s for s in solutions if _agree(row, s, proposal.keys)], row)
            for row in _solutions(given)
        ]
    if not rows or len(rows) > _MOST_ROWS:
        raise Refused(f"the query gives {len(rows)} rows")
    return _drafted(graph, asking, Written(proposal.text, json.loads(given)), rows, proposal.aggregated or proposal.ask)


def _check_names(graph: Graph, asking: Asking, proposal: Proposal) -> None:
    """Refuses a query that leaves out a name of the question: it would answer another."""
    names = [name for iri in proposal.iris for name in (*graph.names(iri), *graph.facts.labels.get(iri, ()))]
    if not graph.explained(asking, (*names, *proposal.texts)):
        raise Refused("the query doesn't use every name of the question")


def _solutions(body: bytes) -> list[dict[str, Term]]:
    results = ox.parse_query_results(body, format=ox.QueryResultsFormat.JSON)
    if not isinstance(results, ox.QuerySolutions):
        return []
    names = [v.value for v in results.variables]
    return [{n: row[n] for n in names if row[n] is not None} for row in results]


def _agree(row: Solution, solution: Solution, keys: Iterable[str]) -> bool:
    return all(row.get(key) == solution.get(key) for key in keys)


def _row(graph: Graph, proposal: Proposal, label: str, solutions: Sequence[Solution], row: Solution) -> _Row:
    """A row led back to claims. Raises Refused where one of its triples has none."""
    facts: list[Fact] = []
    valued: Fact | None = None
    for solution in solutions:
        for subject, predicate, object_ in proposal.triples:
            if str(predicate) == TYPE or str(predicate) in NAMING:
                continue
            fact = _stated(graph, _bound(subject, solution), str(predicate), _bound(object_, solution))
            facts.append(fact)
            if type(object_).__name__ == "Variable" and str(object_) in row and not proposal.aggregated:
                valued = valued or fact
    if not facts:
        raise Refused("a row of the query rests on no claim")
    told = label or " – ".join(_said(graph, term, valued) for term in row.values())
    only = next(iter(row.values())) if len(row) == 1 else None
    iri = only.value if isinstance(only, ox.NamedNode) else None
    return _Row(told, tuple(dict.fromkeys(facts)), valued if only is not None else None, iri)


def _said(graph: Graph, term: Term, fact: Fact | None) -> str:
    """A value as the document says it, a thing by its name, a number that was computed to six digits."""
    if fact is not None and fact.object == term:
        return graph.said(fact)
    if isinstance(term, ox.Literal):
        try:
            return f"{float(term.value):,.6g}" if "." in term.value or "E" in term.value else f"{int(term.value):,}"
        except ValueError:
            return term.value
    return graph.facts.label(term)


def _bound(term: Any, solution: Solution) -> Term:
    kind = type(term).__name__
    if kind == "Variable":
        return solution[str(term)]
    if kind == "URIRef":
        return ox.NamedNode(str(term))
    if term.language:
        return ox.Literal(str(term), language=term.language)
    return ox.Literal(str(term), datatype=ox.NamedNode(str(term.datatype)) if term.datatype else None)


def _stated(graph: Graph, subject: Term, predicate: str, object_: Term) -> Fact:
    """The claim that asserts a triple. Raises Refused."""
    for fact in graph.facts.of_subject(subject.value):
        if fact.predicate == predicate and fact.object == object_ and fact.asserted and not fact.denied:
            return fact
    raise Refused("a row of the query rests on a triple that no claim states")


def _drafted(graph: Graph, asking: Asking, written: Written, rows: Sequence[_Row], computed: bool) -> Draft:
    places: dict[tuple[str, int], int] = {}
    units: list[Scored] = []
    values = []
    for row in rows:
        own = []
        for fact in row.facts:
            unit = graph.evidence(asking, fact)
            if unit is not None and unit.key not in places:
                places[unit.key] = len(units)
                units.append(unit)
            if unit is not None:
                own.append(places[unit.key])
        if not own:
            raise Refused("a row of the query has no passage")
        values.append(Value(row.label, tuple(dict.fromkeys(own)), row.iri))
    stated = tuple(row.fact for row in rows if row.fact is not None)
    each = len(stated) == len(rows) and not computed
    facts = stated if each else tuple(dict.fromkeys(f for row in rows for f in row.facts))
    more = f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    told = ", ".join(dict.fromkeys(row.label for row in rows[:_SHOWN])) + more
    text = sentence(told, units[0].plain, LONG_ROOM)
    return Draft("value", text, tuple(values), tuple(units), 0.0, Backing(written, facts), exact=not each)
