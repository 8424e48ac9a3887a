"""One document's way from bytes to its extraction record, without looking at any other document."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kg.namespaces import document_slug

if TYPE_CHECKING:
    from kg.ontology import Ontology
    from kg.protocols import Extractor
    from kg.records import Record

# Code whose change can change a record or the graph: everything but what only reads them.
_NOT_IN_RECORDS = ("ask", "evaluate", "indexes")
_NOT_IN_RECORDS_FILES = ("cli.py", "knowledge_base.py", "demo.py", "sandbox.py", "network.py", "__init__.py")


@cache
def code_fingerprint() -> str:
    """SHA-256 over the modules and weights that make records and graphs, so that an upgrade extracts anew."""
    root = Path(__file__).parent
    sha = hashlib.sha256()
    for path in sorted((*root.rglob("*.py"), *root.rglob("*.npz"))):
        relative = path.relative_to(root)
        if relative.parts[0] not in _NOT_IN_RECORDS and path.name not in _NOT_IN_RECORDS_FILES:
            sha.update(relative.as_posix().encode() + b"\0" + path.read_bytes())
    return sha.hexdigest()


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
