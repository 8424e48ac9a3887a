"""Questions on a knowledge base that holds RDF of people's own: the answer cites the triples it rests on."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from kg.ask.engine import Asker
from kg.model import Answer, AnswerItem, Citation, Reason
from kg.semantics.engine import Parse, Row, SemanticParser, Term
from kg.semantics.evidence import Evidence, Ids
from kg.semantics.followups import Followups
from kg.semantics.graph import Graph
from kg.semantics.lexicon import Lexicon

if TYPE_CHECKING:
    from kg.ask.view import View
    from kg.llm.asking import Helper
    from kg.reading import Trained
    from kg.snapshot import Snapshot

_CITED, _SHOWN = 10, 20
_SURER = 0.9  # a reading of people's graphs that is preferred to an answer from documents


def holds_graphs(snapshot: Snapshot) -> bool:
    """Whether people keep RDF of their own in a knowledge base."""
    return bool(snapshot.manifest.user)


class GraphAsker(Asker):
    """Asks people's graphs, and the documents if there are any."""

    def __init__(
        self, view: View, snapshot: Snapshot, model: Helper | None = None, trained: Trained | None = None
    ) -> None:
        """``model``, ``trained``: a language model that helps, and models that read, what is asked of documents."""
        super().__init__(view, model, trained)
        self._snapshot = snapshot
        self._parser: SemanticParser | None = None

    @property
    def parser(self) -> SemanticParser:
        """The parser over people's graphs, made when first asked for."""
        if self._parser is None:
            snapshot, quads = self._snapshot, self._snapshot.user_quads
            names = {q.graph_name.value for q in quads if isinstance(q.graph_name, ox.NamedNode)}
            plain = snapshot.manifest.plain
            asked = [q for q in quads if not plain or isinstance(q.graph_name, ox.DefaultGraph)]
            graph = Graph(asked)
            lexicon = Lexicon(graph, snapshot.encoder)
            lexicon.warm()
            self._parser = SemanticParser(snapshot.store, graph, lexicon, graphs=() if plain else sorted(names))
        return self._parser

    def ask(self, question: str, history: Sequence[Any] = (), limit: int | None = None) -> Answer:
        """The answer from people's graphs; from the documents where those give one and the graphs are less sure."""
        started = time.perf_counter()
        parse = Followups(self.parser).parse(question, history)
        if self._snapshot.manifest.documents and (parse.rows is None or parse.confidence < _SURER):
            answer = super().ask(question, history, limit)
            if answer.status == "answered" or parse.rows is None:
                return answer
        answer = self._composed(parse, limit)
        return replace(answer, timings_ms={"parse": round((time.perf_counter() - started) * 1000, 1)})

    def _composed(self, parse: Parse, limit: int | None) -> Answer:
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
    return f"{number:,.0f}" if number == int(number) else f"{number:,.6g}"
