"""A question in English → the answer with its citations, or an abstention with its reason."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kg.ask.booleans import BooleanQuestion
from kg.ask.candidate_features import features
from kg.ask.compose import abstained, answered, sourced
from kg.ask.computed import Tables
from kg.ask.described import Decided, followed
from kg.ask.drafts import Asking, Draft, normal
from kg.ask.followups import whole
from kg.ask.graph_leg import GraphLeg
from kg.ask.judge import Verdict, judge
from kg.ask.participants import another_did_it
from kg.ask.proposals import VIEWS, Candidate, Read, Source, everything
from kg.ask.question import Question, analyse
from kg.ask.question_types import QUESTION_TYPES
from kg.ask.retrieve import Retriever
from kg.ask.scopes import scoped
from kg.ask.sorts import of_sort
from kg.ask.spellings import Spellings
from kg.ask.support import supported
from kg.ask.view import View
from kg.model import Answer, Reason
from kg.reading.views import views

if TYPE_CHECKING:
    from kg.llm.asking import Helper
    from kg.reading import Reader, Trained

_NEAREST = 3
# A query that stands for so much of the question is believed rather than the best passage.
_SURE = 0.6
# A property that is asked for by its own name, and nothing else, is believed rather than some name in a passage.
_PLAIN = 0.97
# A passage that defines a thing is rather given than an overview of what is claimed of it.
_DEFINES = 0.65
# So many units are left aside for answers of the wrong sort.
_TRIES = 4


class Asker:
    """Answers questions over one view of a knowledge base. The same question gets the same answer."""

    def __init__(self, view: View, model: Helper | None = None, trained: Trained | None = None) -> None:
        """``model``: a language model that may help where the engine abstains, or phrase what it answers.

        ``trained``: reads answers out of passages, and chooses among all that may answer; without it rules do.
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
            self.graph.seeker.warm()

    def analyse(self, question: str) -> Question:
        """The question taken apart, with the documents' names recognised in it."""
        return analyse(question, self.view.lexicon.capitalised)

    def ask(self, question: str, history: Sequence[Any] = (), limit: int | None = None) -> Answer:
        """The answer. ``history``: earlier turns (``question``, ``answer``); ``limit``: citations at most."""
        asked = whole(question, history, self.view.lexicon.capitalised)
        answer = self._answer(asked.text, limit)
        if self.model is not None:
            answer = self.model.helped(self, asked.text, answer, limit)
        return replace(sourced(answer) if asked.source else answer, question=question)

    def _answer(self, question: str, limit: int | None) -> Answer:
        """The answer to a question that stands by itself."""
        started = time.perf_counter()
        asking = self.asking(question)
        found = time.perf_counter()
        asking, (draft, verdict, proposals) = self.decided(asking)
        if draft is None or verdict.reason is not None:
            reason = verdict.reason or Reason.NO_EVIDENCE
            nearest = asking.found.units[:_NEAREST]
            answer = abstained(self.view, question, reason, verdict.what, verdict.hint, nearest, verdict.confidence)
        else:
            if self.graph is not None:
                draft = self.graph.with_rivals(asking, self.graph.backed(asking, draft), proposals)
            known = self.graph.facts if self.graph is not None else None
            answer = answered(self.view, question, supported(draft), verdict.confidence, limit, known)
        done = time.perf_counter()
        timings = {"find": round((found - started) * 1000, 1), "read": round((done - found) * 1000, 1)}
        return replace(answer, timings_ms=timings)

    def decided(self, asking: Asking) -> tuple[Asking, Decided]:
        """The draft to be given, or why none is, and the question that it answers, which may be a part of the whole."""
        part, ruled = self.ruled(asking)
        if self.trained is None or ruled[1].reason in (Reason.AMBIGUOUS, Reason.UNKNOWN_ENTITY):
            return part, ruled
        read, candidates = self.candidates(asking, ruled, self.trained.reader)
        if not candidates:
            return part, ruled
        chances = [self.trained.judge.chance(row) for row in features(read, candidates)]
        best, chance = _chosen(candidates, chances)
        if chance < self.trained.judge.threshold:
            return asking, (None, _declined(asking, ruled[1], chance), ruled[2])
        return (part if best.draft is ruled[0] else asking), (best.draft, Verdict(round(chance, 3)), ruled[2])

    def ruled(self, asking: Asking) -> tuple[Asking, Decided]:
        """What rules for kinds of questions and the graph's queries decide, in several steps where it takes them."""
        decided = self.decide(asking)
        if asking.question.opening == "why":  # a value of something described is no reason
            return asking, decided
        asking, decided = followed(asking, decided, self.decide)
        return scoped(asking, decided, lambda part: followed(part, self.decide(part), self.decide))

    def candidates(self, asking: Asking, ruled: Decided, reader: Reader) -> tuple[Read, list[Candidate]]:
        """All that may answer: what rules and queries gave, and what is read in the views around the best units."""
        draft, verdict, proposals = ruled
        found = [Candidate(draft, Source.FINAL, verdict)] if draft is not None and draft.evidence else []
        first = self._fit_draft(asking)
        drafts = [(first, Source.RULE)] if first is not None else []
        if self.graph is not None:
            proposals = proposals or [p for p in self.graph.proposals(asking) if of_sort(self.graph.graph, asking, p)]
        drafts += [(proposal, Source.GRAPH) for proposal in proposals]
        found += [Candidate(d, source, judge(asking, d)) for d, source in drafts if d is not draft and d.evidence]
        best = [(unit.passage, unit.number) for unit in asking.found.units]
        titles = {id_: info.title[:80] for id_, info in self.view.documents.items()}
        seen = views(best, titles, VIEWS)
        read = Read.of(asking, seen, reader.read(asking.question.text, [v.text for v in seen]))
        # What somebody else is said to have done answers nothing, however surely it is read.
        found += self.tables.candidates(asking)
        kept = [c for c in everything(read, found) if c.verdict or not another_did_it(asking, c.draft)]
        return read.looked_at(kept, reader, titles), kept

    def decide(self, asking: Asking) -> Decided:
        """The better of the passages' and the graph's drafts, the verdict on it, and all of the graph's."""
        draft = self._fit_draft(asking)
        verdict = judge(asking, draft)
        if verdict.reason == Reason.UNKNOWN_ENTITY or self.graph is None:
            return draft, verdict, ()
        if which := self.graph.ambiguous(asking):
            return draft, Verdict(0.9, Reason.AMBIGUOUS, which), ()
        proposals = [p for p in self.graph.proposals(asking) if of_sort(self.graph.graph, asking, p)]
        proposals = _fitting(asking.question, proposals, draft)
        if not proposals and self.graph.says_less(asking, draft):
            return None, judge(asking, None), ()
        for proposal in proposals:
            other = judge(asking, proposal)
            if other.reason is not None or self.graph.counts_else(asking, draft, proposal):
                continue
            if draft is None or verdict.reason or _better(proposal, other, draft, verdict):
                draft, verdict = proposal, other
        return draft, verdict, proposals

    def asking(self, question: str) -> Asking:
        """The question with the units found for it."""
        analysed = self.analyse(self._spellings.mended(question))
        return Asking(analysed, self.retriever.find(analysed), self.retriever)

    def _fit_draft(self, asking: Asking) -> Draft | None:
        """The passages' draft, without units whose answer is not of the sort asked for; None if all are such."""
        draft = self.draft(asking)
        for _ in range(_TRIES):
            if draft is None or self.graph is None or of_sort(self.graph.graph, asking, draft):
                return draft
            first = draft.evidence[0].key
            asking = asking.of(tuple(u for u in asking.found.units if u.key != first))
            draft = self.draft(asking)
        return None

    def draft(self, asking: Asking) -> Draft | None:
        """The draft of the first question type that recognises the question and finds something."""
        for kind in QUESTION_TYPES:
            if kind.asks(asking.question) and (draft := kind.read(asking)) is not None:
                return draft
            if isinstance(kind, BooleanQuestion) and kind.asks(asking.question):
                return None  # no other kind of answer is one to "is it so?"
        return None


def _chosen(candidates: Sequence[Candidate], chances: Sequence[float]) -> tuple[Candidate, float]:
    """The likeliest candidate and its probability, the first of equals.

    What the rules and queries settled on is told in their words where it is the same answer: they explain more.
    """
    at = max(range(len(candidates)), key=lambda n: (round(chances[n], 6), -n))
    best, chance = candidates[at], chances[at]
    for one in candidates:
        if one.source == Source.FINAL and one.label == best.label != "":
            return one, chance
    return best, chance


def _declined(asking: Asking, verdict: Verdict, chance: float) -> Verdict:
    """Why nothing is given: what the rules miss, where they miss something."""
    confidence = round(1 - chance, 3)
    if verdict.reason is not None:
        return replace(verdict, confidence=confidence)
    return replace(judge(asking, None), confidence=confidence)


def _fitting(question: Question, proposals: Sequence[Draft], draft: Draft | None) -> list[Draft]:
    """Proposals that may answer the question; of counts and lists those first that the passages bear out.

    Nothing but a yes or no, or what is computed, answers "is it so?".
    """
    if BooleanQuestion().asks(question):
        proposals = [p for p in proposals if p.kind == "boolean" or p.exact]
    if draft is None or draft.kind not in ("count", "list"):
        return list(proposals)
    said = {normal(v.label) for v in draft.values}
    return sorted(proposals, key=lambda p: p.kind == draft.kind and {normal(v.label) for v in p.values} != said)


def _better(proposal: Draft, other: Verdict, draft: Draft, verdict: Verdict) -> bool:
    """Whether a proposal of the graph is to be preferred.

    An overview is, unless a passage defines the thing. What is computed over the whole graph is, unless more was
    compared in one place; else what is surer, or of the same kind and fits better.
    """
    if proposal.kind == "overview":
        return draft.kind != "definition" or draft.fit < _DEFINES
    if proposal.exact and other.confidence >= _SURE:
        more = (proposal.explained or 0.0) > (draft.explained or 0.0) if draft.exact else True
        ranked = proposal.kind == draft.kind == "extreme"
        return more and (not ranked or proposal.members >= draft.members)
    if draft.exact:
        return False
    if draft.kind == "list" and len(draft.values) > 1 and proposal.kind == "value" and len(proposal.values) == 1:
        # Several things were asked for, and several are named together.
        return proposal.fit >= _PLAIN and other.confidence > verdict.confidence
    if draft.kind == "count" and proposal.kind == "value" and proposal.backing and proposal.fit >= _SURE:
        # A number that is stated is believed rather than things counted in a passage.
        return proposal.backing.facts[0].number is not None
    if proposal.kind == "value" and proposal.fit >= _PLAIN and draft.kind in ("entity", "number", "date"):
        # Of one row the cell under the name asked for; a figure elsewhere may be another source's.
        same = draft.kind == "entity" or proposal.evidence[0].key == draft.evidence[0].key
        own = draft.evidence[0].own
        said = proposal.evidence[0].own >= own or own < _PLAIN
        return same or ((proposal.explained or 0.0) >= _PLAIN and said)
    same = proposal.kind == draft.kind and proposal.fit > draft.fit + 0.1
    return same or other.confidence > verdict.confidence
