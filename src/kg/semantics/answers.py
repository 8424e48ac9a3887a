"""Answers to questions on RDF of people's own: what was understood, the rows, the query and the triples behind it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import pyoxigraph as ox

from kg.model import Answer, AnswerItem, Citation, Reason
from kg.semantics.engine import Parse, Row, SemanticParser, Term
from kg.semantics.evidence import Evidence, Ids

_CITED, _SHOWN = 10, 20


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
    """A computed value: whole numbers without a point, others with six digits."""
    if not isinstance(term, ox.Literal):
        return term.value
    try:
        number = float(term.value)
    except ValueError:
        return term.value
    if not math.isfinite(number):
        return term.value
    return f"{number:,.0f}" if number == int(number) else f"{number:,.6g}"
