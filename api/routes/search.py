"""``/search``: passages that speak about a text."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from ..dependencies import Knowledge
from ..schemas import MAX_QUESTION, Hit, Hits

router = APIRouter(tags=["documents"])


@router.get("/search", summary="Find passages")
def search(
    knowledge_base: Knowledge,
    q: Annotated[str, Query(min_length=1, max_length=MAX_QUESTION, description="What to look for.")],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> Hits:
    """Passages by meaning and by words, best first."""
    names = knowledge_base.snapshot.namespaces
    hits = []
    for found in knowledge_base.search(q, limit):
        passage = found.passage
        hits.append(
            Hit(
                passage=names.passage(passage.id),
                document=names.document(passage.document),
                title=found.title,
                heading=passage.headings,
                text=passage.text,
                start=passage.start,
                end=passage.end,
                score=found.score,
            )
        )
    return Hits(query=q, hits=hits)
