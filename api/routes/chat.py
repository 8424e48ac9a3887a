"""``/v1/models`` and ``/v1/chat/completions``: what clients of OpenAI's API send and expect."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.responses import Response

from kg.errors import CitegraphError

from .. import chat
from ..dependencies import Knowledge
from ..events import MEDIA_TYPE as _EVENTS

router = APIRouter(tags=["questions"])
_ERROR: dict[str, Any] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["message", "type", "param", "code"],
            "properties": {
                "message": {"type": "string"},
                "type": {"type": "string"},
                "param": {"type": ["string", "null"]},
                "code": {"type": "string"},
            },
        }
    },
}


def _refused(description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": _ERROR}}}


_NONE: dict[int | str, dict[str, Any]] = {404: _refused("There is no such model.")}
_DOCS: dict[int | str, dict[str, Any]] = {
    **_NONE,
    400: _refused("The conversation can't be answered."),
    200: {
        "content": {"application/json": {"schema": {"type": "object"}}, _EVENTS: {}},
        "description": "A chat completion, or its chunks as events.",
    },
}


@router.get("/v1/models", summary="Models, for chat clients")
def models() -> dict[str, Any]:
    """One model: this knowledge base."""
    return chat.models()


@router.get("/v1/models/{id}", responses=_NONE, summary="A model, for chat clients")
def model(id: str) -> Response:
    """The model of that name."""
    return JSONResponse(chat.model()) if id == chat.MODEL else _no_model(id)


@router.post("/v1/chat/completions", responses=_DOCS, summary="Answer a question, for chat clients")
def completions(asked: chat.ChatRequest, request: Request, knowledge_base: Knowledge) -> Response:
    """The answer to the last user message, with its citations as numbered links and as data."""
    if asked.model != chat.MODEL:
        return _no_model(asked.model)
    try:
        question, history = chat.conversation(asked)
        answer = knowledge_base.ask(question, history)
    except CitegraphError as error:
        return JSONResponse(chat.refusal(error), error.http_status)
    address = str(request.base_url)
    if asked.stream:
        return StreamingResponse(
            chat.pieces(answer, address), media_type=_EVENTS, headers={"Cache-Control": "no-cache"}
        )
    return JSONResponse(chat.completion(answer, address))


def _no_model(name: str) -> Response:
    error = {"message": f"there is no model {name}", "type": "invalid_request_error", "param": "model"}
    return JSONResponse({"error": {**error, "code": "model_not_found"}}, 404)
