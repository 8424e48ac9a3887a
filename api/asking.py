"""A question's answer told in steps, each when it is known."""

from __future__ import annotations

import copy
from typing import Any

from kg.ask.drafts import Asking
from kg.ask.engine import Decided
from kg.knowledge_base import KnowledgeBase

from .events import Tell
from .schemas import Answer, AskRequest

EVENTS = """\
asked {question}; found {passages: [{document, title, heading, quote}]}, the nearest passages; judged {status, reason},
whether there is an answer; then of the answer: sparql {sparql}, bindings (SPARQL results JSON), citation (one each),
answer {status, answer, reason}; done (the whole reply of POST /ask). A refusal is the event problem (RFC 9457).
"""
_NEAREST = 3


def steps(knowledge_base: KnowledgeBase, asked: AskRequest, tell: Tell) -> None:
    """Answers a question, telling each step as it is done."""
    tell("asked", {"question": asked.question})
    # A copy that looks on: what is found and judged on the way is told, and goes on as it was.
    asker: Any = copy.copy(knowledge_base.asker)
    find, judge = asker.asking, asker.decided

    def asking(question: str) -> Asking:
        found: Asking = find(question)
        tell("found", {"passages": _passages(knowledge_base, found)})
        return found

    def decided(found: Asking) -> Decided:
        reached: Decided = judge(found)
        draft, verdict = reached
        answered = draft is not None and verdict.reason is None
        tell("judged", {"status": "answered" if answered else "abstained", "reason": verdict.reason})
        return reached

    asker.asking, asker.decided = asking, decided
    history = [turn.model_dump() for turn in asked.history]
    _tell_answer(Answer.model_validate(asker.ask(asked.question, history, asked.limit)).model_dump(mode="json"), tell)


def _passages(knowledge_base: KnowledgeBase, found: Asking) -> list[dict[str, Any]]:
    passages = []
    for unit in found.found.units[:_NEAREST]:
        passage = unit.passage
        passages.append(
            {
                "document": knowledge_base.snapshot.namespaces.document(passage.document),
                "title": knowledge_base.snapshot.record(passage.document).document.title,
                "heading": list(passage.headings),
                "quote": unit.plain,
            }
        )
    return passages


def _tell_answer(reply: dict[str, Any], tell: Tell) -> None:
    if reply["sparql"] is not None:
        tell("sparql", {"sparql": reply["sparql"]})
        tell("bindings", reply["bindings"])
    for citation in reply["citations"]:
        tell("citation", citation)
    tell("answer", {"status": reply["status"], "answer": reply["answer"], "reason": reply["reason"]})
    tell("done", reply)
