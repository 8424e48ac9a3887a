"""One document's way from bytes to its extraction record, without looking at any other document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kg.namespaces import document_slug

if TYPE_CHECKING:
    from kg.ontology import Ontology
    from kg.protocols import Extractor
    from kg.records import Record


def make_record(
    data: bytes, name: str, ontology: Ontology, max_bytes: int, further: Sequence[Extractor] = ()
) -> Record:
    """The extraction record of a document; ``further``: extractors that read it last. Raises UnreadableDocument."""
    from kg.extract import extract
    from kg.passages import split
    from kg.readers import read
    from kg.records import make

    document = read(data, name, max_bytes=max_bytes)
    id_ = document_slug(name)
    passages = split(document, id_)
    return make(document, id_, passages, extract(document, id_, passages, ontology, further))
