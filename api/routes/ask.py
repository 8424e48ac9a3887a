"""``/ask``: questions in English; the answer at once, or in steps as server-sent events."""

from __future__ import annotations

import copy
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query
from fastapi.responses import StreamingResponse
from pydantic_core import to_jsonable_python
from starlette.responses import Response

from kg.ask.drafts import Asking
from kg.ask.engine import Asker, Decided
from kg.knowledge_base import KnowledgeBase
from kg.model import Answer

from ..events import MEDIA_TYPE, Tell, stream
from ..live import Knowledge
from ..protocol import require
from ..schemas import MAX_QUESTION, AskRequest, as_json

_STEPS = """\
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
    _tell_answer(to_jsonable_python(_answer(asker, asked)), tell)


def _passages(knowledge_base: KnowledgeBase, found: Asking) -> list[dict[str, Any]]:
    snapshot = knowledge_base.snapshot
    return [
        {
            "document": snapshot.namespaces.document(unit.passage.document),
            "title": snapshot.record(unit.passage.document).document.title,
            "heading": list(unit.passage.headings),
            "quote": unit.plain,
        }
        for unit in found.found.units[:_NEAREST]
    ]


def _tell_answer(reply: dict[str, Any], tell: Tell) -> None:
    if reply["sparql"] is not None:
        tell("sparql", {"sparql": reply["sparql"]})
        tell("bindings", reply["bindings"])
    for citation in reply["citations"]:
        tell("citation", citation)
    tell("answer", {"status": reply["status"], "answer": reply["answer"], "reason": reply["reason"]})
    tell("done", reply)


router = APIRouter(tags=["questions"])
_STREAM_DOCS: dict[int | str, dict[str, Any]] = {
    200: {"content": {MEDIA_TYPE: {}}, "description": f"Events as they happen: {_STEPS}"}
}


def _answer(asker: KnowledgeBase | Asker, asked: AskRequest) -> Answer:
    return asker.ask(asked.question, [turn.model_dump() for turn in asked.history], asked.limit)


def _stream(knowledge_base: KnowledgeBase, asked: AskRequest) -> Response:
    return stream(lambda tell: steps(knowledge_base, asked, tell))


@router.post("/ask", response_model=Answer, summary="Answer a question, with citations")
def ask(asked: AskRequest, knowledge_base: Knowledge, accept: Annotated[str | None, Header()] = None) -> Response:
    """The answer, the SPARQL that was run, and the passages that say so; or why there is no answer."""
    if require(accept, ["application/json", MEDIA_TYPE]) == MEDIA_TYPE:
        return _stream(knowledge_base, asked)
    return as_json(_answer(knowledge_base, asked))


@router.get("/ask/stream", response_class=StreamingResponse, responses=_STREAM_DOCS, summary="Answer in steps")
def ask_stream(
    knowledge_base: Knowledge,
    question: Annotated[str, Query(min_length=1, max_length=MAX_QUESTION)],
    limit: Annotated[int | None, Query(ge=1, le=100)] = None,
) -> Response:
    """The same as server-sent events, for a browser's ``EventSource``."""
    return _stream(knowledge_base, AskRequest(question=question, limit=limit))


@router.post("/ask/stream", response_class=StreamingResponse, responses=_STREAM_DOCS, summary="Answer in steps")
def ask_stream_by_post(asked: AskRequest, knowledge_base: Knowledge) -> Response:
    """The same with the conversation so far."""
    return _stream(knowledge_base, asked)
