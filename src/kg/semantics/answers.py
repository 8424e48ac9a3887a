"""Answers to questions on RDF of people's own: what was understood, the rows, the query and the triples behind it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from itertools import islice

import pyoxigraph as ox

from kg.model import Answer, AnswerItem, Citation, Reason
from kg.namespaces import RDF
from kg.semantics import logic
from kg.semantics.denote import Denoter
from kg.semantics.engine import Parse, Row, SemanticParser, Term
from kg.semantics.graph import Graph

Ids = tuple[int, int, int]
_CITED, _SHOWN = 10, 20
_EACH = 3  # things cited for what is counted, totalled or compared


class GraphAnswers:
    """Turns what a parser says into answers that cite the triples they rest on."""

    def __init__(self, parser: SemanticParser) -> None:
        self.parser = parser

    def composed(self, parse: Parse, limit: int | None = None) -> Answer:
        """The answer, with so many triples cited at most."""
        if parse.rows is None:
            near = f" Did you mean {', '.join(parse.near)}?" if parse.near else ""
            text = f"I can't answer that from the graph: {parse.explanation}.{near}"
            reason = Reason(parse.reason or Reason.UNKNOWN_RELATION)
            return Answer(parse.question, "abstained", text, reason=reason, confidence=1 - parse.confidence)
        citations = self._citations(parse, _CITED if limit is None else limit)
        items = tuple(self._item(row, parse.confidence, citations) for row in parse.rows)
        return Answer(
            parse.question,
            "answered",
            self._text(parse),
            items,
            parse.sparql,
            self._bindings(parse.sparql or ""),
            citations,
            confidence=parse.confidence,
            explanation=f"Read as: {parse.explanation}.",
        )

    def _text(self, parse: Parse) -> str:
        assert parse.rows is not None
        said = f"Read as: {parse.explanation}."
        rows = [" – ".join(self._label(term) for term in row) for row in parse.rows]
        if rows in (["true"], ["false"]):
            return f"{'Yes' if rows == ['true'] else 'No'}. {said}"
        if not rows:
            return f"None: the graph holds none. {said}"
        more = f" and {len(rows) - _SHOWN:,} more" if len(rows) > _SHOWN else ""
        return f"{', '.join(rows[:_SHOWN])}{more}. {said}"

    def _label(self, term: Term) -> str:
        if term is None:
            return "–"
        id_ = self.parser.graph.ids.get(term)
        if id_ is not None:
            return self.parser.graph.name(id_)
        return _plain(term)

    def _item(self, row: Row, confidence: float, citations: Sequence[Citation]) -> AnswerItem:
        term = row[0] if len(row) == 1 else None
        label = " – ".join(self._label(t) for t in row)
        iri = term.value if isinstance(term, ox.NamedNode) else None
        texts = [str(t) for t in row if t is not None]
        cited = tuple(c.id for c in citations if any(text in c.text for text in texts))
        datatype = term.datatype.value if isinstance(term, ox.Literal) else None
        value = term.value if term is not None else label
        return AnswerItem(label, value, iri, datatype, confidence=confidence, citations=cited)

    def _bindings(self, sparql: str) -> dict[str, object]:
        raw: bytes = self.parser.store.query(sparql).serialize(format=ox.QueryResultsFormat.JSON)
        found: dict[str, object] = json.loads(raw)
        return found

    def _citations(self, parse: Parse, limit: int) -> tuple[Citation, ...]:
        """The triples behind an answer, as N-Triples lines of the graph that holds them."""
        if parse.form is None:
            return ()
        triples = Evidence(self.parser.graph, self.parser.denote).triples(parse.form, limit)
        return tuple(self._citation(number, triple) for number, triple in enumerate(triples, 1))

    def _citation(self, number: int, ids: Ids) -> Citation:
        graph = self.parser.graph
        subject, predicate, object_ = (graph.terms[i] for i in ids)
        text = f"{subject} {predicate} {object_} ."
        heading = tuple(graph.name(i) for i in ids)
        about = subject.value
        return Citation(number, about, "graph", heading, about, text, text, 0, len(text), 0)


def _plain(term: ox.NamedNode | ox.BlankNode | ox.Literal) -> str:
    """A computed value: whole numbers without a point, others with six digits, the whole part in full.

    >>> [_plain(ox.Literal(x)) for x in (24977186.4, 66.66666666, 0.000123456789)]
    ['24,977,186.4', '66.6667', '0.000123457']
    """
    if not isinstance(term, ox.Literal):
        return term.value
    try:
        number = float(term.value)
    except ValueError:
        return term.value
    if not math.isfinite(number):
        return term.value
    digits = max(6, len(str(int(abs(number)))) + 1)
    return f"{number:,.0f}" if number == int(number) else f"{number:,.{digits}g}"


class Evidence:
    """Finds triples (numbers of terms) of one graph."""

    def __init__(self, graph: Graph, denote: Denoter) -> None:
        self._graph, self._denote = graph, denote

    def triples(self, form: logic.Form, limit: int) -> list[Ids]:
        """Triples behind an answer, those of its first values first."""
        return list(islice(dict.fromkeys(self._form(form)), limit))

    def _form(self, form: logic.Form) -> Iterator[Ids]:  # noqa: C901 - one case a form
        match form:
            case logic.Count(of):
                for id_ in sorted(self._denote(of)):
                    yield from self._of(of, id_)
            case logic.Overall(_, each):
                yield from self._form(each)
            case logic.Share(one, other) | logic.More(one, _, other):
                for part in (one, other):
                    for id_ in sorted(self._denote(part)):
                        yield from self._of(part, id_)
            case logic.BestOfEach():
                for _, id_ in sorted(self._denote.best_of_each(form)):
                    yield from self._path(id_, (*logic.back(form.path), *form.measure)[-1:])
                    yield from self._path(id_, logic.back(form.path))
            case logic.Aggregate(_, of, path) | logic.Each(of, path):
                for id_ in sorted(self._denote(of)):
                    yield from self._path(id_, path)
            case logic.Rows(of, paths):
                for id_ in sorted(self._denote(of)):
                    for path in paths:
                        yield from self._path(id_, path)
            case logic.Truth(left, right):
                for id_ in sorted(self._denote(left) & self._denote(right))[:_EACH]:
                    yield from self._of(right, id_)
                    yield from self._of(left, id_)
            case logic.Difference(left, right):
                yield from self._form(left)
                yield from self._form(right)
            case logic.Table():
                return
            case _:
                for id_ in sorted(self._denote(form)):
                    yield from self._of(form, id_)

    def _of(self, form: logic.Set, id_: int) -> Iterator[Ids]:  # noqa: C901 - one case a form
        """Triples because of which a thing is in a set."""
        match form:
            case logic.Join(step, of):
                there = self._graph.follow((id_,), (step[0], not step[1])) & self._denote(of)
                for other in sorted(there)[:1]:
                    yield from self._triple((other, step[0], id_) if step[1] else (id_, step[0], other))
                    yield from self._of(of, other)
            case logic.And(left, right) | logic.Or(left, right):
                parts = [p for p in (right, left) if not isinstance(p, logic.Kind)]
                for part in parts or (left,):
                    if id_ in self._denote(part):
                        yield from self._of(part, id_)
            case logic.Minus(left):
                yield from self._of(left, id_)
            case logic.Compare(of, logic.Number(path, within)) | logic.Best(of, logic.Number(path, within)):
                reached = self._denote(within or logic.along(path, logic.Users(path[0])))
                for other in sorted(self._graph.follow((id_,), path[0]) & reached)[:_EACH]:
                    yield from self._triple((id_, path[0][0], other) if path[0][1] else (other, path[0][0], id_))
                yield from self._of(of, id_)
            case logic.Compare(of, tuple(path)) | logic.Best(of, tuple(path)) | logic.Contains(of, path):
                yield from self._path(id_, path or self._named(id_))
                yield from self._of(of, id_)
            case logic.Kind(cls):
                type_ = self._graph.iri(f"{RDF}type")
                if type_ is not None and cls in self._graph.out.get(type_, {}).get(id_, ()):
                    yield (id_, type_, cls)

    def _triple(self, triple: Ids) -> Iterator[Ids]:
        """A triple, or those that one is derived from."""
        subject, property_, _ = triple
        derived = self._graph.derived.get(property_)
        if derived is None:
            yield triple
            return
        for part in derived.parts:
            for end in self._graph.out[part].get(subject, ())[:1]:
                yield subject, part, end
                subject = end if derived.how == "path" else subject

    def _named(self, id_: int) -> logic.Path:
        """The step to a thing's name."""
        return tuple((p, True) for p, _ in self._graph.called(id_)[:1])

    def _path(self, id_: int, path: logic.Path) -> Iterator[Ids]:
        here = id_
        for step in path:
            there = sorted(self._graph.follow((here,), step))[:1]
            if not there:
                return
            yield from self._triple((here, step[0], there[0]) if step[1] else (there[0], step[0], here))
            here = there[0]
