"""All that asking needs of a knowledge base, in one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from kg.ask.unit_index import UnitFinder, UnitVectors, UnitWords
from kg.ask.word_counts import Lexicon
from kg.model import PAGE_STARTS, Passage, page_at
from kg.namespaces import Namespaces

if TYPE_CHECKING:
    from kg.base.snapshot import Snapshot
    from kg.indexes.faiss import DenseIndex
    from kg.indexes.lexical import LexicalIndex
    from kg.ontology import Ontology
    from kg.protocols import Encoder, GraphStore
    from kg.records import RecordedDocument


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document as citations show it. ``url``: where it was published, if known.

    ``page_starts``: see :data:`kg.model.PAGE_STARTS`.
    """

    title: str
    url: str | None = None
    page_starts: str = ""

    def page(self, offset: int) -> int | None:
        """The page, from 1, that an offset of its stored text is on; None if it has no pages."""
        return page_at([(PAGE_STARTS, self.page_starts)], offset)

    @classmethod
    def of(cls, document: RecordedDocument) -> DocumentInfo:
        """What a record says of it."""
        metadata = dict(document.metadata)
        return cls(document.title or document.name, metadata.get("url"), metadata.get(PAGE_STARTS, ""))


@dataclass(frozen=True)
class View:
    """A knowledge base to ask.

    ``passages`` by identifier; ``documents`` by identifier (the slug, as in ``Passage.document``). The indexes hold
    what :mod:`kg.indexes.texts` makes of them. Without ``encoder`` drafts are judged by words alone, without ``store``
    only passages answer.
    """

    passages: Mapping[str, Passage]
    documents: Mapping[str, DocumentInfo]
    passages_dense: DenseIndex
    passages_lexical: LexicalIndex
    units_dense: DenseIndex
    units_lexical: LexicalIndex
    encoder: Encoder | None = None
    store: GraphStore | None = None
    ontology: Ontology | None = None
    namespaces: Namespaces = field(default_factory=Namespaces)

    @cached_property
    def lexicon(self) -> Lexicon:
        """Word counts of all passages."""
        return Lexicon.build(self.passages[id_] for id_ in sorted(self.passages))

    @cached_property
    def unit_words(self) -> UnitWords:
        """Which words stand where in all passages."""
        return UnitWords.build(self.passages.values())

    @cached_property
    def finder(self) -> UnitFinder:
        """Finds the units that may account for a question."""
        dense, lexical = (self.units_dense, self.passages_dense), (self.units_lexical, self.passages_lexical)
        return UnitFinder(self.unit_words, dense, lexical)

    @cached_property
    def unit_vectors(self) -> UnitVectors:
        """Where the units' and passages' vectors are."""
        return UnitVectors.of(self.unit_words, self.units_dense, self.passages_dense)


def view(snapshot: Snapshot) -> View:
    """The view of one generation of a knowledge base."""
    indexes = snapshot.indexes
    documents = {id_: DocumentInfo.of(snapshot.record(id_).document) for id_ in snapshot.manifest.documents}
    found = indexes.passages, indexes.passages_lexical, indexes.units, indexes.units_lexical
    more = snapshot.encoder, snapshot.store, snapshot.ontology, snapshot.namespaces
    return View(snapshot.passages, documents, *found, *more)
