"""``/documents``: what the knowledge base was built from."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter

from ..dependencies import Knowledge
from ..schemas import Document, Documents, DocumentText

router = APIRouter(tags=["documents"])


@router.get("/documents", summary="All documents")
def documents(knowledge_base: Knowledge) -> Documents:
    """Every document with its counts of passages and claims."""
    return Documents(documents=[Document.model_validate(found) for found in knowledge_base.documents()])


@router.get("/documents/{id}", summary="A document and its text")
def document(id: str, knowledge_base: Knowledge) -> DocumentText:
    """One document with the text that offsets of evidence count in."""
    found, text = knowledge_base.document(id)
    return DocumentText(**asdict(found), text=text)
