"""Questions on a knowledge base that holds RDF of people's own, and perhaps documents beside it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from kg.ask.engine import Asker, Helper
from kg.base.user_graphs import graphs_of
from kg.model import Answer
from kg.semantics.answers import GraphAnswers
from kg.semantics.engine import SemanticParser
from kg.semantics.followups import Followups
from kg.semantics.graph import Graph
from kg.semantics.lexicon import Lexicon

if TYPE_CHECKING:
    from kg.ask.view import View
    from kg.base.snapshot import Snapshot
    from kg.reading import Trained

_SURER = 0.8  # a reading of people's graphs that is preferred to an answer from documents


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
            snapshot, data = self._snapshot, self._snapshot.read_user_data()
            names = {name.value for name in graphs_of(data) if isinstance(name, ox.NamedNode)}
            plain = snapshot.manifest.plain
            # One quad after the other: of a million no set is held beside what questions need.
            quads = ox.parse(data, ox.RdfFormat.N_QUADS)
            graph = Graph(q for q in quads if not plain or isinstance(q.graph_name, ox.DefaultGraph))
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
        answer = GraphAnswers(self.parser).composed(parse, limit)
        return replace(answer, timings_ms={"parse": round((time.perf_counter() - started) * 1000, 1)})
