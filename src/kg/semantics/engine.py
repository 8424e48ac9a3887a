"""A question → the query over a graph that best explains it, its rows and what it says – or why there is none."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import pyoxigraph as ox

from kg.semantics.chart import Chart
from kg.semantics.denote import Denoter
from kg.semantics.graph import Graph, Ids
from kg.semantics.items import Item
from kg.semantics.joins import Joins
from kg.semantics.lexicon import Lexicon
from kg.semantics.linking import Linker
from kg.semantics.logic import (
    And,
    BestOfEach,
    Count,
    Each,
    Form,
    Join,
    Or,
    Overall,
    Rows,
    Set,
    Share,
    Things,
    Truth,
    parts,
)
from kg.semantics.measures import Measures
from kg.semantics.render import render
from kg.semantics.rules import Rules
from kg.semantics.schema import Schema
from kg.semantics.sparql import QueryBuilder
from kg.semantics.tables import Columns, Tables
from kg.semantics.weights import BELIEF, WEIGHTS
from kg.text.question_words import AUXILIARIES, OPENINGS
from kg.text.tokens import Token, tokens
from kg.text.tokens import words as words_of
from kg.text.wordnet import is_kind_of

if TYPE_CHECKING:
    from kg.protocols import Encoder

Term = ox.NamedNode | ox.BlankNode | ox.Literal | None
Row = tuple[Term, ...]
_MOST_WORDS = 60
_FIRM = 0.6  # fit of a relation's words from which it is more than a guess
_LEAST_BELIEF = 0.55  # a question is declined where less is to be believed: one in ten is answered wrongly then
# Features that speak against a reading where the words alone speak for it.
_DOUBTS = (
    "bridge", "bridge-2", "bridge-rank", "order", "direction", "empty", "focus", "measure-unsaid", "best-single",
    "vacuous", "echo", "head", "extraction", "high", "again", "same", "bare", "denied",
)  # fmt: skip
_SURE = 0.92  # of a request's words that are explained
_SHORT = 16  # words of a request up to which the chart is asked too
_ROWS = 0.8  # belief from which a reading with rows is preferred to a request's table
_SEEN = 20  # members of an answer that are looked at
# What nobody is and nowhere is; of words with such a sense and one as a person ("ward") nothing is concluded.
_NOT_WHO = ("artifact", "substance", "event")


class Queried(Protocol):
    """What answers SPARQL queries."""

    def query(self, query: str, /) -> Any:
        """The results, as pyoxigraph gives them."""
        ...


@dataclass(frozen=True, slots=True)
class Parse:
    """What came of a question. ``rows`` is None if it is declined, for ``reason``; ``near``: names like its words."""

    question: str
    rows: tuple[Row, ...] | None
    sparql: str | None
    explanation: str
    confidence: float
    reason: str | None = None
    missing: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    form: Form | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reading of the whole question: what it means, its score and its features."""

    form: Form
    score: float
    features: Mapping[str, float]
    item: Item


class SemanticParser:
    """Answers questions over one graph; safe to use again and again, the same question gets the same answer."""

    def __init__(
        self,
        store: Queried,
        graph: Graph,
        lexicon: Lexicon,
        graphs: Sequence[str] = (),
    ) -> None:
        self._from = "".join(f" FROM {ox.NamedNode(iri)}" for iri in sorted(graphs))
        self.store, self.graph, self.lexicon = store, graph, lexicon
        self.denote = Denoter(graph)
        self.schema = Schema(graph, self.denote)
        self._linker = Linker(graph, lexicon, WEIGHTS)
        self._joins = Joins(graph, self.denote, self.schema, WEIGHTS)
        self._rules = Rules(self._joins, Measures(self._joins, self._linker))
        self._tables = Tables(self.schema, Columns(graph, self.schema, lexicon))
        self._parsed: dict[str, Parse] = {}

    @classmethod
    def over(cls, store: ox.Store, model: str = "", encoder: Encoder | None = None) -> SemanticParser:
        """A parser over a store's default graph. ``model``: the encoder's folder, empty for the packaged one."""
        if encoder is None:
            from kg.indexes.embedding import OnnxEncoder

            encoder = OnnxEncoder(model)
        graph = Graph(store.quads_for_pattern(None, None, None, ox.DefaultGraph()))
        lexicon = Lexicon(graph, encoder)
        lexicon.warm()
        return cls(store, graph, lexicon)

    # --- readings ----------------------------------------------------------------------------

    def candidates(self, question: str, limit: int = 40) -> list[Candidate]:
        """Readings of a question, the best first."""
        self.denote.clear()
        words = [t for t in tokens(question) if t.text not in ("please",)][:_MOST_WORDS]
        if not words:
            return []
        chart = Chart(words, self._linker, self._rules, WEIGHTS)
        asked = _asked(words)
        opening = _opens_with_what_is(words)
        found = [self._candidate(item, asked, opening) for item in chart.readings(3 * limit)]
        found.sort(key=lambda c: (-c.score, repr(c.form)))
        return found[:limit]

    def _head_leaf(self, item: Item) -> int:
        """Where the first thing or relation that the reading uses stands."""
        return min((leaf.start for leaf in item.leaves() if leaf.cat in ("S", "R")), default=item.head)

    def _candidate(self, item: Item, asked: str, opening: bool) -> Candidate:
        """A reading as what kind of question it answers."""
        form: Form = item.form  # type: ignore[assignment]
        local: list[tuple[str, float]] = []
        focused = any(leaf.focus for leaf in item.leaves())
        if item.cat == "S" and focused and not item.focus:
            local.append(("focus", 1.0))
        if item.cat == "S" and opening and self._head_leaf(item) < item.head:
            local.append(("head", 1.0))
        if item.cat == "S" and asked != "truth" and self._nameless(self.denote(item.set())):
            told = self._told_of(item.set(), asked)
            form = told or form
            local.append(("bridge" if told is not None else "focus", 1.0))
        elif item.cat == "S" and asked != "truth" and self._echoes(item.set()):
            local.append(("echo", 1.0))
        if asked and item.cat == "S" and unfit(self.graph, asked, self.denote(form)):  # type: ignore[arg-type]
            local += [("focus", 0.0 if asked == "count" else 1.0), ("skip-operator", 0.5)]
        if item.cat == "S" and asked == "truth":
            form = _truth(item, self.graph)
            if item.features().get("denied"):
                local.append(("denied", -1.0))
        item = replace(item, local=(*item.local, *local))
        return Candidate(form, item.score + self._joins.weighed(local), item.features(), item)

    def _nameless(self, members: Ids) -> bool:
        """Whether all are nodes that only tie other things together, which nobody asks for."""
        some = sorted(members)[:_SEEN]
        return bool(some) and all(isinstance(self.graph.terms[i], ox.BlankNode) for i in some)

    def _told_of(self, form: Set, asked: str) -> Set | None:
        """What is asked of such nodes, where there is but one that it may be: when it was, who did it."""
        kind = {"when": "date", "who": "thing", "where": "thing"}.get(asked)
        ways = [Join((p.id, True), form) for p in self.graph.properties.values() if p.kind == kind]
        fit = [way for way in ways if self.denote(way) and not unfit(self.graph, asked, self.denote(way))]
        return fit[0] if len(fit) == 1 else None

    def _echoes(self, form: Set) -> bool:
        """Whether a reading gives back what the question names."""
        if isinstance(form, Things) or (isinstance(form, Or) and self._echoes(form.left) and self._echoes(form.right)):
            return True
        if not isinstance(form, And):
            return False
        named = {i for part in parts(form) if isinstance(part, Things) for i in part.ids}
        return bool(named) and len(members := self.denote(form)) == 1 and members <= named

    # --- answers -----------------------------------------------------------------------------

    def parse(self, question: str) -> Parse:
        """The answer to a question, or why there is none."""
        if question not in self._parsed:
            if len(self._parsed) > 1000:
                self._parsed.clear()
            self._parsed[question] = self._parse(question)
        return self._parsed[question]

    def _parse(self, question: str) -> Parse:
        texts = [t.text for t in tokens(question)]
        request = self._tables.read(texts) if self.graph.classes else None
        if request is not None and request.explained < _SURE:
            request = None
        if request is not None and (request.sure or len(texts) > _SHORT):
            return self.answered(question, request.table, round(request.explained, 3))
        found = self.candidates(question)
        if request is not None and not (found and self._is_table(found[0])):
            return self.answered(question, request.table, round(request.explained, 3))
        if not found:
            return self._declined(question, 0.0, None)
        best = found[0]
        confidence = self.belief(best)
        if confidence < _LEAST_BELIEF or self._guesses(best):
            return self._declined(question, confidence, best)
        if self._guessed_empty(best) or self._presumed(best.form):
            said = f"the graph holds no {render(self.graph, best.form)}"
            return Parse(question, None, None, said, confidence, "no_evidence", form=best.form)
        return self.answered(question, best.form, confidence)

    def _is_table(self, best: Candidate) -> bool:
        """Whether a reading gives rows, or a number over groups, and is believed as a table would be."""
        return isinstance(best.form, Rows | Each | BestOfEach | Overall | Share) and self.belief(best) >= _ROWS

    def _guessed_empty(self, best: Candidate) -> bool:
        """Whether a reading finds nothing by a relation that no word names: that says more of it than of the graph."""
        form = best.form.of if isinstance(best.form, Count) else best.form
        guessed = best.features.get("bridge", 0.0) + best.features.get("bridge-2", 0.0) > 0
        return guessed and isinstance(form, Set) and not self.denote(form)

    def _presumed(self, form: Form) -> bool:
        """Whether a question takes for granted what the graph doesn't hold: "when was X closed" of what is open."""
        inner = form
        while isinstance(inner, Join) and inner.step[1]:
            inner = inner.of
        return form is not inner and isinstance(inner, Things) and not self.denote(form)  # type: ignore[arg-type]

    def answered(self, question: str, form: Form, confidence: float) -> Parse:
        """The rows of a form's query."""
        sparql = QueryBuilder(self.graph).query(form)
        if self._from:
            head = " WHERE {" if sparql.startswith("SELECT") else " {"
            sparql = sparql.replace(head, f"{self._from} WHERE {{", 1)
        return Parse(question, run(self.store, sparql), sparql, render(self.graph, form), confidence, form=form)

    def _guesses(self, candidate: Candidate) -> bool:
        """Whether a reading rests on relations that only the encoder finds near: several, or nothing but one."""
        guessed = candidate.features.get("guess", 0.0)
        leaves = (leaf for leaf in candidate.item.leaves() if leaf.cat == "R")
        return guessed > 1 or (guessed > 0 and not any(dict(r.local).get("match", 0.0) >= _FIRM for r in leaves))

    def belief(self, candidate: Candidate) -> float:
        """How probable it is that a reading, the best of its question, is the right one, as learned; from 0 to 1."""
        said = sum(BELIEF.get(name, 0.0) * value for name, value in {**self.evidence(candidate), "one": 1.0}.items())
        return round(1 / (1 + math.exp(-max(-30.0, min(30.0, said)))), 3)

    def evidence(self, candidate: Candidate) -> dict[str, float]:
        """What tells how far a reading is to be believed, each from 0 to about 1: shares of its words, not sums."""
        f, leaves = candidate.features, list(candidate.item.leaves())
        left_out = f.get("skip", 0.0) + f.get("skip-operator", 0.0)
        used = sum(leaf.end - leaf.start for leaf in leaves)
        fits = [leaf.fit for leaf in leaves if leaf.cat in "SRTXP"]
        words = max(1.0, used + left_out)
        found = {name: f[name] / words for name in _DOUBTS if f.get(name)}
        found["left-out"] = left_out / words
        found["left-out-any"] = float(left_out > 0)
        found["light"] = f.get("skip-light", 0.0) / words
        found["fit"] = f.get("match", 0.0) / words
        found["least-fit"] = min(fits, default=0.0)
        found["score"] = candidate.score / words
        found["short"] = 1 / words
        found["guessed"] = float(bool(f.get("guess")))
        found["single"] = float(isinstance(candidate.form, Join) and isinstance(candidate.form.of, Things))
        return found

    def _declined(self, question: str, confidence: float, best: Candidate | None) -> Parse:
        words = tokens(question)
        leaves = [] if best is None else [leaf for leaf in best.item.leaves() if ("guess", 1.0) not in leaf.local]
        used = {i for leaf in leaves for i in range(leaf.start, leaf.end)}
        texts = tuple(t.text for t in words)
        missing = tuple(
            t.original
            for i, t in enumerate(words)
            if i not in used and self._linker.skip_cost(texts, i) == ("skip", 1.0)
        )
        phrases = _runs(words, missing)
        near = tuple(dict.fromkeys(n for said in phrases for n in self.lexicon.near_names(said.casefold())))[:3]
        named = best is not None and any(isinstance(p, Things) for p in parts(best.form))
        reason = "unknown_relation" if named or (best and not near) else "unknown_entity"
        said = f"nothing in the graph was found for: {', '.join(missing)}" if missing else "no reading fits the graph"
        return Parse(question, None, None, said, confidence, reason, missing, near)


def _truth(item: Item, graph: Graph) -> Truth:
    """Whether what the two halves of a reading say has something in common."""
    if isinstance(item.form, Join) and item.form.step[1] and (true := graph.truths(item.form.step[0])):
        return Truth(item.form, Things(true, "yes"))
    if len(item.kids) == 2 and all(kid.cat == "S" for kid in item.kids) and ("intersect", 1.0) in item.local:
        return Truth(item.kids[0].set(), item.kids[1].set())
    form = item.set()
    return Truth(form.left, form.right) if isinstance(form, And) else Truth(form, form)


def _runs(words: Sequence[Token], missing: Sequence[str]) -> list[str]:
    """Missing words that stand side by side, as one phrase, then alone."""
    runs: list[list[str]] = [[]]
    for token in words:
        if token.original in missing:
            runs[-1].append(token.original)
        elif runs[-1]:
            runs.append([])
    return [" ".join(run) for run in runs if len(run) > 1] + list(missing)


def _opens_with_what_is(words: Sequence[Token]) -> bool:
    """Whether what is asked for comes first: "what is the capital …", "name the rivers …"."""
    texts = [w.text for w in words]
    if "'s" in texts:
        return False
    be = texts[1:2] and texts[1] in ("is", "are", "was", "were")
    return bool(texts[0] in ("what", "who", "which") and be) or texts[0] in OPENINGS


def _asked(words: Sequence[Token]) -> str:
    """What kind of answer is asked for: "truth", "count", "when", "who", "where" or "" (things or values)."""
    texts = [w.text for w in words]
    if texts[0] in AUXILIARIES and not {"which", "what", "who", "how", "where", "or"} & {*texts}:
        return "truth"
    if texts[0] in ("when", "who", "where"):
        return texts[0]
    if texts[:2] == ["by", "how"]:
        return "difference"
    return "count" if texts[:2] == ["how", "many"] else ""


def unfit(graph: Graph, asked: str, members: Ids) -> bool:
    """Whether all members are of a kind that the question doesn't ask for."""
    some = sorted(members)[:_SEEN]
    if not some:
        return asked == "difference"
    valued = [graph.value(i) is not None for i in some]
    if asked == "when":
        return not all(graph.is_date(i) for i in some)
    if asked == "count":
        return not all(valued) or any(graph.is_date(i) for i in some)
    if asked == "difference":
        return True
    if asked in ("who", "where"):
        return all(valued) or (asked == "who" and all(_is_thing(graph, i) for i in some))
    return False


def _is_thing(graph: Graph, id_: int) -> bool:
    """Whether a thing's smallest class is a kind of object, not of people."""
    for kind in graph.kinds.get(id_, ())[:1]:
        last = [words_of(name)[-1] for name in graph.names_of(kind) if words_of(name)]
        return any(is_kind_of(w, a) for w in last for a in _NOT_WHO) and not any(is_kind_of(w, "person") for w in last)
    return False


def run(store: Queried, sparql: str) -> tuple[Row, ...]:
    """The rows of a query in a settled order; of ASK one row with a truth."""
    results: Any = store.query(sparql)
    if isinstance(results, ox.QueryBoolean):
        return ((ox.Literal(bool(results)),),)
    width = len(results.variables)
    rows = [tuple(row[i] for i in range(width)) for row in results]
    return tuple(rows) if "ORDER BY" in sparql.rsplit("}", 1)[-1] else tuple(sorted(rows, key=str))
