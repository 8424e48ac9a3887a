"""A question in English → the answer with its citations, or an abstention with its reason."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kg.ask.compose import abstained, answered
from kg.ask.drafts import Asking, Draft
from kg.ask.judge import judge
from kg.ask.question import Question, analyse
from kg.ask.question_types import QUESTION_TYPES
from kg.ask.retrieve import Retriever
from kg.ask.view import View
from kg.model import Answer

_NEAREST = 3


class Asker:
    """Answers questions over one view of a knowledge base. The same question gets the same answer."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.retriever = Retriever(view)

    def analyse(self, question: str) -> Question:
        """The question taken apart, with the documents' names recognised in it."""
        return analyse(question, self.view.lexicon.capitalised)

    def ask(self, question: str, history: Sequence[Any] = (), limit: int | None = None) -> Answer:
        """The answer. ``limit``: citations at most."""
        started = time.perf_counter()
        asking = self.asking(question)
        found = time.perf_counter()
        draft = self.draft(asking)
        verdict = judge(asking, draft)
        if draft is None or verdict.reason is not None:
            assert verdict.reason is not None
            nearest = asking.found.units[:_NEAREST]
            answer = abstained(
                self.view, question, verdict.reason, verdict.what, verdict.hint, nearest, verdict.confidence
            )
        else:
            answer = answered(self.view, question, draft, verdict.confidence, limit)
        done = time.perf_counter()
        timings = {"find": round((found - started) * 1000, 1), "read": round((done - found) * 1000, 1)}
        return replace(answer, timings_ms=timings)

    def asking(self, question: str) -> Asking:
        """The question with the units found for it."""
        analysed = self.analyse(question)
        return Asking(analysed, self.retriever.find(analysed), self.retriever)

    def draft(self, asking: Asking) -> Draft | None:
        """The draft of the first question type that recognises the question and finds something."""
        for kind in QUESTION_TYPES:
            if kind.asks(asking.question) and (draft := kind.read(asking)) is not None:
                return draft
        return None
