"""``/v1/models`` and ``/v1/chat/completions``: what clients of OpenAI's API send and expect (Chat Completions).

The answer's text ends in numbered links to its citations. They also come as data: ``citations`` (addresses, as other
search services give them) and ``citegraph`` (the whole reply of ``POST /ask``).
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_jsonable_python
from starlette.responses import Response

from kg.app.console import place
from kg.errors import BadInput, CitegraphError
from kg.model import Answer, Citation
from kg.namespaces import digest

from ..events import MEDIA_TYPE
from ..live import Knowledge
from ..schemas import MAX_QUESTION

router = APIRouter(tags=["questions"])
MODEL = "citegraph"
_MODEL = {"id": MODEL, "object": "model", "created": 0, "owned_by": "citegraph"}
_LONGEST = 200_000
_PIECE = re.compile(r"\s*\S+")


class TextPart(BaseModel):
    """A part of a message that is text."""

    type: Literal["text"]
    text: str = Field(max_length=_LONGEST)


class Message(BaseModel):
    """A message of the conversation; what isn't text is refused."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Annotated[str, Field(max_length=_LONGEST)] | list[TextPart] | None = None

    @property
    def text(self) -> str:
        """The message's text."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content or ())


class ChatRequest(BaseModel):
    """A conversation whose last user message is the question. Settings of sampling are taken and change nothing."""

    model_config = ConfigDict(extra="allow")

    model: str = MODEL
    messages: list[Message] = Field(min_length=1, max_length=200)
    stream: bool = False


def conversation(request: ChatRequest) -> tuple[str, list[dict[str, str]]]:
    """The question, and the turns before it, oldest first. Raises BadInput."""
    spoken = [m for m in request.messages if m.role in ("user", "assistant") and m.text.strip()]
    if not spoken or spoken[-1].role != "user":
        raise BadInput("the last message has to be the user's question", 'send {"role": "user", "content": "…"} last')
    question = spoken[-1].text.strip()
    if len(question) > MAX_QUESTION:
        raise BadInput(f"the question is longer than {MAX_QUESTION} characters", "ask a shorter one")
    turns: list[dict[str, str]] = []
    for message in spoken[:-1]:
        if message.role == "user":
            turns.append({"question": message.text[:MAX_QUESTION], "answer": ""})
        elif turns:
            turns[-1]["answer"] = message.text[:20_000]
    return question, turns[-50:]


def text_of(answer: Answer, address: str) -> str:
    """The answer in Markdown with numbered links; ``address`` is where the server is reached, ending in a slash."""
    numbers = " ".join(f"[[{c.id}]]({_link(c, address)})" for c in answer.citations)
    head = answer.answer if answer.status == "answered" or not answer.citations else f"{answer.answer} Nearest:"
    listed = [
        f"{c.id}. “{_plain(c.quote)}” – [{_plain(place(c.title, (), c.page))}]({_link(c, address)})"
        for c in answer.citations
    ]
    return f"{head} {numbers}\n\n" + "\n".join(listed) if listed else head


def _plain(text: str) -> str:
    """On one line, with the marks that would be read as a link or an image taken as they are."""
    return re.sub(r"([\[\]<>])", r"\\\1", " ".join(text.split()))


def _link(citation: Citation, address: str) -> str:
    return f"{address}documents/{citation.document.rstrip('/').rsplit('/', 1)[-1]}"


def completion(answer: Answer, address: str) -> dict[str, Any]:
    """The whole reply."""
    message = {"role": "assistant", "content": text_of(answer, address), "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    return {**_envelope(answer, "chat.completion"), "choices": [choice], **_data(answer, address)}


def pieces(answer: Answer, address: str) -> Iterator[str]:
    """The reply as server-sent events: a word an event, the data with the last."""
    envelope = _envelope(answer, "chat.completion.chunk")

    def event(delta: dict[str, Any], reason: str | None = None, **more: Any) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return f"data: {json.dumps({**envelope, 'choices': [choice], **more}, ensure_ascii=False)}\n\n"

    yield event({"role": "assistant", "content": ""})
    for word in _words(text_of(answer, address)):
        yield event({"content": word})
    yield event({}, "stop", **_data(answer, address))
    yield "data: [DONE]\n\n"


def _words(text: str) -> Sequence[str]:
    found = _PIECE.findall(text)
    return [*found, text[sum(map(len, found)) :]] if sum(map(len, found)) < len(text) else found


def _envelope(answer: Answer, kind: str) -> dict[str, Any]:
    id_ = digest("chat", answer.question, answer.answer)
    return {"id": f"chatcmpl-{id_}", "object": kind, "created": int(time.time()), "model": MODEL}


def _data(answer: Answer, address: str) -> dict[str, Any]:
    return {
        "citations": [_link(citation, address) for citation in answer.citations],
        "citegraph": to_jsonable_python(answer),
    }


def refusal(error: CitegraphError) -> dict[str, Any]:
    """An error as OpenAI's clients read it."""
    message = f"{error.message}{f' ({error.hint})' if error.hint else ''}"
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": error.slug}}


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
        "content": {"application/json": {"schema": {"type": "object"}}, MEDIA_TYPE: {}},
        "description": "A chat completion, or its chunks as events.",
    },
}


@router.get("/v1/models", summary="Models, for chat clients")
def models() -> dict[str, Any]:
    """One model: this knowledge base."""
    return {"object": "list", "data": [_MODEL]}


@router.get("/v1/models/{id}", responses=_NONE, summary="A model, for chat clients")
def model(id: str) -> Response:
    """The model of that name."""
    return JSONResponse(_MODEL) if id == MODEL else _no_model(id)


@router.post("/v1/chat/completions", responses=_DOCS, summary="Answer a question, for chat clients")
def completions(asked: ChatRequest, request: Request, knowledge_base: Knowledge) -> Response:
    """The answer to the last user message, with its citations as numbered links and as data."""
    if asked.model != MODEL:
        return _no_model(asked.model)
    try:
        question, history = conversation(asked)
        answer = knowledge_base.ask(question, history)
    except CitegraphError as error:
        return JSONResponse(refusal(error), error.http_status)
    address = str(request.base_url)
    if asked.stream:
        return StreamingResponse(pieces(answer, address), media_type=MEDIA_TYPE, headers={"Cache-Control": "no-cache"})
    return JSONResponse(completion(answer, address))


def _no_model(name: str) -> Response:
    error = {"message": f"there is no model {name}", "type": "invalid_request_error", "param": "model"}
    return JSONResponse({"error": {**error, "code": "model_not_found"}}, 404)
