"""What routes get handed: the knowledge base as it is now, and the sandbox for queries."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from kg.knowledge_base import KnowledgeBase

from .live import Live
from .sandbox import Sandbox


def live(request: Request) -> Live:
    """The application's :class:`Live`."""
    found: Live = request.app.state.live
    return found


def knowledge_base(live: Annotated[Live, Depends(live)]) -> KnowledgeBase:
    """The newest generation."""
    return live.current()


def sandbox(live: Annotated[Live, Depends(live)]) -> Sandbox:
    """The query workers on the newest generation."""
    return live.sandbox()


Knowledge = Annotated[KnowledgeBase, Depends(knowledge_base)]
Queries = Annotated[Sandbox, Depends(sandbox)]
