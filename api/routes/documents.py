"""``/documents``: what the knowledge base was built from; ``/search``: passages of it that speak about a text."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Header, Query
from starlette.responses import RedirectResponse, Response

from kg.errors import CitegraphError, NotFound, UnreadableDocument
from kg.knowledge_base import KnowledgeBase
from kg.namespaces import document_slug

from ..live import Knowledge, Live, live
from ..schemas import MAX_QUESTION, Documents, DocumentStructure, DocumentText, Hit, Hits, as_json
from .page import shell, shell_or, wants_page

router = APIRouter(tags=["documents"])
# Whatever an original holds, a browser must not run it on this site.
_INERT = {"Content-Security-Policy": "sandbox; default-src 'none'", "Cache-Control": "no-cache"}


@router.get("/documents", response_model=Documents, summary="All documents")
def documents(knowledge_base: Knowledge, accept: Annotated[str | None, Header()] = None) -> Response:
    """Every document with its counts of passages and claims."""
    if wants_page(accept):
        return shell()
    return as_json(Documents(documents=knowledge_base.documents()), headers={"Vary": "Accept"})


@router.get("/documents/{id}", response_model=DocumentText, summary="A document and its text")
def document(id: str, knowledge_base: Knowledge, accept: Annotated[str | None, Header()] = None) -> Response:
    """One document with the text that offsets of evidence count in."""
    try:
        found, text = knowledge_base.document(id)
    except CitegraphError as error:
        return shell_or(error, accept)
    if wants_page(accept):
        return shell()
    return as_json(DocumentText(**asdict(found), text=text), headers={"Vary": "Accept"})


@router.get("/documents/{id}/structure", summary="A document as a tree of blocks")
def structure(id: str, at: Annotated[Live, Depends(live)], knowledge_base: Knowledge) -> DocumentStructure:
    """Headings, paragraphs, lists and tables with their offsets in the stored text; none where it can't be told."""
    known = _known(knowledge_base, id)
    try:
        parsed = at.structure(knowledge_base, known)
    except UnreadableDocument:
        return DocumentStructure(id=known, blocks=[])
    # Offsets of another version of the reader would point elsewhere.
    same = parsed["text"] == knowledge_base.snapshot.record(known).document.text
    blocks = parsed["blocks"] if same else ()
    return DocumentStructure.model_validate({"id": known, "blocks": blocks})


@router.get("/documents/{id}/original", response_class=Response, summary="The file that a document was read from")
def original(id: str, knowledge_base: Knowledge) -> Response:
    """The bytes as they were handed in, for download."""
    known = _known(knowledge_base, id)
    record = knowledge_base.snapshot.record(known).document
    name = quote(record.name.rpartition("/")[2], safe="")
    headers = {**_INERT, "Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(knowledge_base.snapshot.source(known), headers=headers, media_type="application/octet-stream")


@router.get("/documents/{name:path}", include_in_schema=False)
def named(name: str, knowledge_base: Knowledge, accept: Annotated[str | None, Header()] = None) -> Response:
    """A document by its path in the folder that it came from: leads to where it is."""
    id_ = document_slug(name)
    try:
        return RedirectResponse(f"/documents/{quote(_known(knowledge_base, id_), safe='')}", 308)
    except NotFound as error:
        return shell_or(error, accept)


def _known(knowledge_base: KnowledgeBase, id_: str) -> str:
    if id_ not in knowledge_base.snapshot.manifest.documents:
        raise NotFound(f"there is no document {id_}", "GET /documents lists them")
    return id_


@router.get("/search", summary="Find passages")
def search(
    knowledge_base: Knowledge,
    q: Annotated[str, Query(min_length=1, max_length=MAX_QUESTION, description="What to look for.")],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> Hits:
    """Passages by meaning and by words, best first."""
    names = knowledge_base.snapshot.namespaces
    hits = [
        Hit(
            passage=names.passage(found.passage.id),
            document=names.document(found.passage.document),
            title=found.title,
            heading=found.passage.headings,
            text=found.passage.text,
            start=found.passage.start,
            end=found.passage.end,
            score=found.score,
        )
        for found in knowledge_base.search(q, limit)
    ]
    return Hits(query=q, hits=hits)
