"""What a composed reading gives, said as the documents say it, with the claims that it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pyoxigraph as ox

from kg.ask.facts import Fact
from kg.ask.graph import Graph
from kg.ask.pairs import amount
from kg.ask.retrieve import Scored
from kg.ask.spans import cells
from kg.semantics.engine import Row, SemanticParser, Term
from kg.semantics.evidence import Evidence
from kg.semantics.logic import Aggregate, Best, Count, Each, Form, Path, Rows, Set

_MOST = 200


def behind(graph: Graph, parser: SemanticParser, form: Form) -> tuple[Fact, ...]:
    """The claims of the triples that a form goes through, one of each."""
    terms = parser.graph.terms
    found = (
        next(_stating(graph, terms[s], terms[p], terms[o]), None)
        for s, p, o in Evidence(parser.graph, parser.denote).triples(form, _MOST)
    )
    return tuple(fact for fact in found if fact is not None)


def of_things(graph: Graph, rows: Iterable[Row]) -> tuple[Fact, ...]:
    """One claim of each thing of an answer that rests on no claim of its own, but on what things are not."""
    things = (row[0].value for row in rows if isinstance(row[0], ox.NamedNode))
    return tuple(f for thing in things for f in graph.facts.of_subject(thing)[:1])


def agrees(parser: SemanticParser, form: Form, rows: Iterable[Row]) -> bool:
    """Whether a query over the whole graph gives what its form stands for in the excerpt that it was read over."""
    terms, denote = parser.graph.terms, parser.denote
    if isinstance(form, Count):
        return [row[0].value for row in rows if row[0] is not None] == [str(len(denote(form.of)))]
    if isinstance(form, Each) and form.function == "COUNT":
        counts = {terms[i]: str(n) for i, n in denote.counts(form.of, form.path, form.within).items()}
        return {row[0]: row[1].value for row in rows if row[1] is not None and row[1].value != "0"} == {
            term: n for term, n in counts.items() if n != "0"
        }
    if isinstance(form, Each | Rows):
        return {row[0] for row in rows} <= {terms[i] for i in denote(form.of)}
    if isinstance(form, Set):
        return {row[0] for row in rows} == {terms[i] for i in denote(form)}
    return True


def said(graph: Graph, parser: SemanticParser, form: Form, rows: Iterable[Row], facts: Sequence[Fact]) -> list[str]:
    """The rows in words; "Name: value" where there are values of several things. No counts of none."""
    if isinstance(form, Each | Rows):
        return _by_thing(graph, parser, form, rows)
    if isinstance(form, Aggregate):
        unit = next((f.unit for f in facts if f.number is not None), None)
        return [amount(float(row[0].value), unit) for row in rows if isinstance(row[0], ox.Literal)]
    return [_name(graph, row[0], facts) + _measure(graph, parser, form, row[0]) for row in rows if row[0] is not None]


def articled(row: str, name: str, evidence: Sequence[Scored]) -> str:
    """A row with the article that its thing's name has where a table gives it."""
    whole = f"The {name}"
    return f"The {row}" if any(cell.text == whole for s in evidence for _, cell in cells(s.plain)) else row


def _by_thing(graph: Graph, parser: SemanticParser, form: Each | Rows, rows: Iterable[Row]) -> list[str]:
    paths = form.paths if isinstance(form, Rows) else (() if form.function else form.path,)
    values: dict[str, list[str]] = {}
    for row in rows:
        cells = [_value(graph, parser, row[0], p, v) for v, p in zip(row[1:], paths, strict=True)]
        if any(cells) and cells != ["0"]:
            values.setdefault(_name(graph, row[0], ()), []).append(", ".join(c or "–" for c in cells))
    return [f"{name}: {' / '.join(dict.fromkeys(found))}" for name, found in values.items()]


def _value(graph: Graph, parser: SemanticParser, of: Term, path: Path, value: Term) -> str:
    """A value as a document states it; "" if there is none."""
    if value is None:
        return ""
    if len(path) == 1 and path[0][1]:
        for fact in _stating(graph, of, parser.graph.terms[path[0][0]], value):
            return graph.said(fact)
    return _name(graph, value, ())


def _measure(graph: Graph, parser: SemanticParser, form: Form, thing: Term) -> str:
    """The value that a thing is ranked by."""
    if not isinstance(form, Best) or not isinstance(thing, ox.NamedNode):
        return ""
    predicate = parser.graph.properties[form.path[-1][0]].iri
    own = (f for f in graph.facts.of_subject(thing.value) if f.predicate == predicate and f.asserted and not f.denied)
    return next((f" ({graph.said(f)})" for f in own), "")


def _stating(graph: Graph, subject: Term, predicate: Term, object_: Term) -> Iterator[Fact]:
    """The claims that are taken as fact and state a triple."""
    if not isinstance(subject, ox.NamedNode) or not isinstance(predicate, ox.NamedNode):
        return iter(())
    own = graph.facts.of_subject(subject.value)
    return (f for f in own if f.predicate == predicate.value and f.object == object_ and f.asserted and not f.denied)


def _name(graph: Graph, term: Term, facts: Sequence[Fact]) -> str:
    """A thing by its name, a literal as a claim states it or, computed, in figures."""
    if isinstance(term, ox.NamedNode):
        return graph.facts.label(term)
    if not isinstance(term, ox.Literal):
        return ""
    told = next((graph.said(f) for f in facts if f.object == term), None)
    if told is not None:
        return told
    try:
        return amount(float(term.value), None)
    except ValueError:
        return term.value
