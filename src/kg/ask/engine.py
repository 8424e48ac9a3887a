"""A question in English → the answer with its citations, or an abstention with its reason."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

from kg.ask.backing import backed, with_rivals
from kg.ask.candidates import VIEWS, Candidate, Read, Source, everything, overlooks
from kg.ask.comparisons import compared_by_reading
from kg.ask.compose import abstained, answered, sourced, supported
from kg.ask.compound import answered_in_parts
from kg.ask.computed import Tables, listings
from kg.ask.drafts import Asking, Draft, Verdict, judge
from kg.ask.figures import in_other_unit, of_other_year, with_figures_held, with_unit
from kg.ask.graph_leg import GraphLeg, ambiguous
from kg.ask.question import Question, analyse, whole
from kg.ask.question_kinds import shape_of_question
from kg.ask.retrieve import Retriever
from kg.ask.steps import stepped
from kg.ask.verification import chances
from kg.ask.view import View
from kg.model import Answer, Reason
from kg.reading import views
from kg.text.asking_clause import by_itself
from kg.text.terms import Spellings

if TYPE_CHECKING:
    from kg.reading import Reader, Trained

Decided = tuple[Draft | None, Verdict]

# Passages that are shown where nothing is answered; views read for each of two steps, or of two things compared.
_NEAREST, _STEP_VIEWS = 3, 3


class Helper(Protocol):
    """What may help where the engine abstains, and phrase what it answers: a language model (:mod:`kg.llm.asking`)."""

    def helped(self, asker: Asker, question: str, answer: Answer, limit: int | None) -> Answer:
        """The answer, or a better one; ``question`` stands by itself."""
        ...


class Asker:
    """Answers questions over one view of a knowledge base. The same question gets the same answer."""

    def __init__(self, view: View, model: Helper | None = None, trained: Trained | None = None) -> None:
        """``model``: a language model that may help where the engine abstains, or phrase what it answers.

        ``trained``: reads answers out of passages, and chooses among all that may answer; without it queries answer.
        """
        self.view = view
        self.trained = trained
        self.model = model
        self.retriever = Retriever(view)
        self.graph = GraphLeg(view) if view.store is not None else None

    @cached_property
    def _spellings(self) -> Spellings:
        return Spellings.of(self.view.lexicon.frequency)

    @cached_property
    def tables(self) -> Tables:
        """The documents' tables and lists, from which answers are computed."""
        return Tables(self.view)

    def warm(self) -> None:
        """Makes ready what first questions would wait for; answers stay the same."""
        self.retriever.warm()
        if self.graph is not None:
            self.graph.warm()

    def analyse(self, question: str) -> Question:
        """The question taken apart, with the documents' names recognised in it."""
        return analyse(question, self.view.lexicon.capitalised)

    def ask(self, question: str, history: Sequence[Any] = (), limit: int | None = None) -> Answer:
        """The answer. ``history``: earlier turns (``question``, ``answer``); ``limit``: citations at most."""
        asked = whole(question, history, self.view.lexicon.capitalised)
        answer = answered_in_parts(asked.text, self._answer, limit) or self._answer(asked.text, limit)
        if self.model is not None:
            answer = self.model.helped(self, asked.text, answer, limit)
        return replace(sourced(answer) if asked.source else answer, question=question)

    def _answer(self, question: str, limit: int | None = None) -> Answer:
        """The answer to a question that stands by itself."""
        started = time.perf_counter()
        asking = self.asking(question)
        found = time.perf_counter()
        draft, verdict = self.decided(asking)
        if draft is None or verdict.reason is not None:
            reason = verdict.reason or Reason.NO_EVIDENCE
            nearest = asking.found.units[:_NEAREST]
            answer = abstained(self.view, question, reason, verdict.what, verdict.hint, nearest, verdict.confidence)
        else:
            if self.graph is not None:
                draft = with_rivals(self.graph.graph, asking, backed(self.graph.graph, asking, draft))
            known = self.graph.facts if self.graph is not None else None
            draft = with_unit(asking.question, supported(draft))
            answer = answered(self.view, question, draft, verdict.confidence, limit, known)
        done = time.perf_counter()
        timings = {"find": round((found - started) * 1000, 1), "read": round((done - found) * 1000, 1)}
        return replace(answer, timings_ms=timings)

    def decided(self, asking: Asking) -> Decided:
        """The draft to be given, or why none is."""
        if (refused := self.refused(asking)) is not None:
            return None, refused
        given = self.given(asking)
        sure = _computed_of_all(given)
        if self.trained is None or len(sure) == 1:
            return _surest(asking, sure or given)
        read, candidates = self.candidates(asking, given, self.trained.reader)
        if not candidates:
            return None, judge(asking, None)
        found = chances(read, candidates, self.titles, self.trained)
        found = with_figures_held(asking.question.text, candidates, found)
        if sure:
            at = max((n for n, c in enumerate(candidates) if c in sure), key=lambda n: (found[n], -n))
            return candidates[at].draft, candidates[at].verdict or judge(asking, candidates[at].draft)
        best, chance = _chosen(candidates, found)
        least = self.trained.judge_of(bool(self.view.ontology)).threshold
        if chance < least or _undecided(candidates, found, best, chance):
            return None, replace(judge(asking, None), confidence=round(1 - chance, 3))
        return best.draft, Verdict(round(chance, 3))

    def refused(self, asking: Asking) -> Verdict | None:
        """Why a question can't be answered whatever is found: what it names is in no document, or may be several."""
        verdict = judge(asking, None)
        if verdict.reason == Reason.UNKNOWN_ENTITY or asking.found.strange:
            return verdict
        which = ambiguous(self.graph.graph, asking) if self.graph is not None else ""
        return Verdict(0.9, Reason.AMBIGUOUS, which) if which else None

    def given(self, asking: Asking) -> list[Candidate]:
        """What queries of the graph give, with how well each stands for the question's words."""
        if self.graph is None:
            return []
        asking = self.graph.asked(asking)
        told = self.graph.described(asking)
        drafts = [(told, Source.DESCRIBED)] if told is not None else []
        drafts += [(draft, Source.GRAPH) for draft in self.graph.proposals(asking)]
        once: dict[tuple[Source, str, tuple[object, ...]], Draft] = {}
        for draft, source in drafts:
            once.setdefault((source, draft.text, tuple(s.key for s in draft.evidence)), draft)
        found = [Candidate(d, source, judge(asking, d)) for (source, *_), d in once.items() if d.evidence]
        if any(c.draft.members > 1 for c in found) and shape_of_question(asking.question.text)["most"]:
            likeliest = self.tables.candidates(asking)[:1]
            found = [c for c in found if not any(overlooks(c, other) for other in likeliest)]
        return found

    def candidates(self, asking: Asking, given: Sequence[Candidate], reader: Reader) -> tuple[Read, list[Candidate]]:
        """All that may answer: what queries gave, and what is read in the views around the best units."""
        read = self.read(asking, reader, VIEWS)
        look = partial(self.read, reader=reader, most=_STEP_VIEWS)
        found = [*given, *stepped(asking, look), *compared_by_reading(asking, look)]
        found += self.tables.candidates(asking)
        found = everything(read, found) + listings(read, self.tables.collection)
        # What is in another unit than is asked for, or of another year, is beside the question.
        found = [c for c in found if c.draft.evidence and not in_other_unit(asking.question, c.draft)]
        return read, [c for c in found if not of_other_year(asking.question.text, c.draft.evidence[0])]

    def read(self, asking: Asking, reader: Reader, most: int) -> Read:
        """What is read for a question in at most ``most`` views around the best units."""
        best = [(unit.passage, unit.number) for unit in asking.found.units]
        seen = views(best, self.titles, most)
        readings = reader.read(by_itself(asking.question.text), [v.text for v in seen])
        return Read.of(asking, seen, readings, reader.ranker)

    @cached_property
    def titles(self) -> dict[str, str]:
        """The documents' titles by their identifiers."""
        return {id_: info.title[:80] for id_, info in self.view.documents.items()}

    def asking(self, question: str) -> Asking:
        """The question with the units found for it."""
        analysed = self.analyse(self._spellings.mended(question))
        return Asking(analysed, self.retriever.find(analysed), self.retriever)


def _surest(asking: Asking, given: Sequence[Candidate]) -> tuple[Draft | None, Verdict]:
    """Without trained models: the query that stands for most of the question, the first of equals; else why none."""
    kept = [(c.draft, c.verdict) for c in given if c.verdict is not None and c.verdict.reason is None]
    if kept:
        return max(kept, key=lambda one: one[1].confidence)
    return None, next((c.verdict for c in given if c.verdict is not None), None) or judge(asking, None)


def _computed_of_all(given: Sequence[Candidate]) -> list[Candidate]:
    """What queries compute over all that the graph holds, where that is surely what is asked.

    Such an answer is never weighed against a neighbouring figure that was read, only several against one another: its
    query stands for the question's words, none is left to narrow what is counted.
    """
    exact = (c for c in given if c.source == Source.GRAPH and c.draft.exact)
    return [c for c in exact if c.verdict is not None and c.verdict.reason is None]


# By so much a yes has to be likelier than a no, and the other way round (benchmarks/reading.md).
LEAD = 0.3
OTHER = {"Yes": "No", "No": "Yes"}


def _undecided(candidates: Sequence[Candidate], chances: Sequence[float], best: Candidate, chance: float) -> bool:
    """Whether the best is a yes or no that is hardly likelier than the other: who would say either knows neither."""
    if best.draft.kind != "boolean":
        return False
    other = OTHER.get(best.draft.values[0].label)
    told = zip(candidates, chances, strict=True)
    against = [sure for one, sure in told if one.draft.kind == "boolean" and one.draft.values[0].label == other]
    return chance - max(against, default=0.0) < LEAD


def _chosen(candidates: Sequence[Candidate], chances: Sequence[float]) -> tuple[Candidate, float]:
    """The likeliest candidate and its probability, the first of equals.

    What a query gave is told with that query where it is the same answer: it explains more.
    """
    at = max(range(len(candidates)), key=lambda n: (round(chances[n], 6), -n))
    best, chance = candidates[at], chances[at]
    for one in candidates:
        if one.verdict is not None and (one.draft.text == best.draft.text or one.label == best.label != ""):
            return one, chance
    return best, chance
