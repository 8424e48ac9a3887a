"""One document's way from bytes to its extraction record, without looking at any other document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kg import versions
from kg.namespaces import document_slug

if TYPE_CHECKING:
    from kg.ontology import Ontology
    from kg.protocols import Extractor
    from kg.records import Record


def make_record(
    data: bytes, name: str, ontology: Ontology, max_bytes: int, further: Sequence[Extractor] = ()
) -> Record:
    """The extraction record of a document; ``further``: extractors that read it last.

    Raises UnreadableDocument, and ModelUnavailable as :func:`made_with` does.
    """
    from kg.extract import extract
    from kg.readers import read
    from kg.records import make
    from kg.relations.prose import configured
    from kg.text.passages import split

    document = read(data, name, max_bytes=max_bytes)
    id_ = document_slug(name)
    passages = split(document, id_)
    return make(document, id_, passages, extract(document, id_, passages, ontology, further, configured()))


def made_with(ontology: str) -> str:
    """What a document's record depends on beside its bytes and name: stages, ontology (its hash), models, plug-ins.

    Raises ModelUnavailable for a relation model that the environment names and that isn't there.
    """
    from kg.relations.files import configuration

    relation_model = configuration()
    parts = [f"reading {versions.READING}", f"extraction {versions.EXTRACTION}"]
    parts += [f"ontology {ontology[:16] or 'none'}"]
    parts += [f"relations {relation_model[:16]}"] if relation_model else []
    return "; ".join([*parts, *versions.plug_ins()])
