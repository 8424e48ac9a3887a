"""One extraction record per document: everything found in it, without looking at any other document.

A record is canonical JSON, so that its hash names its content; the graph is computed from the set of records.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from kg.errors import CorruptKnowledgeBase
from kg.model import Document, Extraction, Passage

FORMAT: Literal[1] = 1
"""Version of the record's format; other versions are refused and extracted anew."""


@dataclass(frozen=True, slots=True)
class RecordedDocument:
    """A document as a record keeps it: all but its blocks, which only the extractors need."""

    id: str
    name: str
    title: str
    media_type: str
    content_hash: str
    text: str
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """What one document holds: its stored text, passages in document order and findings in a fixed order."""

    document: RecordedDocument
    passages: tuple[Passage, ...]
    extraction: Extraction
    format: Literal[1] = FORMAT


def make(document: Document, document_id: str, passages: tuple[Passage, ...], extraction: Extraction) -> Record:
    """The record of a document; findings are put in document order, so that extractors may run in any."""
    recorded = RecordedDocument(
        document_id,
        document.name,
        document.title,
        document.media_type,
        document.content_hash,
        document.text,
        document.metadata,
    )
    return Record(recorded, tuple(sorted(passages, key=lambda p: (p.order, p.start))), _ordered(extraction))


def _ordered(extraction: Extraction) -> Extraction:
    return Extraction(
        tuple(sorted(extraction.mentions, key=lambda m: (m.start, m.end, m.surface, m.classes))),
        tuple(sorted(extraction.aliases, key=lambda a: (a.start, a.end, a.name, a.alias))),
        tuple(sorted(extraction.claims, key=lambda c: (c.quote_start, c.quote_end, c.evidence, c.id))),
        tuple(sorted(extraction.rejected, key=lambda r: (r.start, r.end, r.extractor, r.reason, r.text))),
    )


@cache
def _adapter() -> TypeAdapter[Record]:
    return TypeAdapter(Record)


def to_json(record: Record) -> bytes:
    """Canonical JSON: fields in their declared order, decimals as strings, UTF-8, one newline at the end.

    Claims that nobody is quoted for have no ``speaker``, those of running text no ``context``.
    """
    data = _adapter().dump_python(record, mode="json")
    for claim in data["extraction"]["claims"]:
        for name in ("speaker", "context"):
            if claim[name] is None:
                del claim[name]
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def from_json(data: bytes) -> Record:
    """The record that :func:`to_json` wrote. Raises CorruptKnowledgeBase."""
    try:
        raw: Any = json.loads(data.decode("utf-8", "surrogatepass"))
    except ValueError as error:
        raise CorruptKnowledgeBase("an extraction record is not JSON", _REBUILD) from error
    version = raw.get("format") if isinstance(raw, dict) else None
    if version != FORMAT:
        raise CorruptKnowledgeBase(
            f"an extraction record has format {version!r}, this version reads {FORMAT}", _REBUILD
        )
    try:
        return _adapter().validate_python(raw)
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise CorruptKnowledgeBase(f"an extraction record is damaged at {place}", _REBUILD) from error


_REBUILD = "build the documents again (kg build)"
