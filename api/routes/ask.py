"""``/ask``: questions in English; the answer at once, or in steps as server-sent events."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Query
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.responses import Response

from kg.knowledge_base import KnowledgeBase

from ..asking import EVENTS as STEPS
from ..asking import steps
from ..dependencies import Knowledge
from ..events import MEDIA_TYPE as _EVENTS
from ..events import stream
from ..negotiation import require
from ..schemas import MAX_QUESTION, Answer, AskRequest

router = APIRouter(tags=["questions"])
_STREAM_DOCS: dict[int | str, dict[str, Any]] = {
    200: {"content": {_EVENTS: {}}, "description": f"Events as they happen: {STEPS}"}
}


def _answer(knowledge_base: KnowledgeBase, asked: AskRequest) -> Answer:
    history = [turn.model_dump() for turn in asked.history]
    return Answer.model_validate(knowledge_base.ask(asked.question, history, asked.limit))


def _stream(knowledge_base: KnowledgeBase, asked: AskRequest) -> Response:
    return stream(lambda tell: steps(knowledge_base, asked, tell))


@router.post("/ask", response_model=Answer, summary="Answer a question, with citations")
def ask(asked: AskRequest, knowledge_base: Knowledge, accept: Annotated[str | None, Header()] = None) -> Response:
    """The answer, the SPARQL that was run, and the passages that say so; or why there is no answer."""
    if require(accept, ["application/json", _EVENTS]) == _EVENTS:
        return _stream(knowledge_base, asked)
    return JSONResponse(_answer(knowledge_base, asked).model_dump(mode="json"))


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
