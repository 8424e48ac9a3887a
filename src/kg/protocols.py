"""Extension points: what a reader, extractor, store or index has to offer (one to four methods each)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyoxigraph as ox

    from kg.extract.source import Source
    from kg.model import Alias, Claim, Document, Rejected


class Reader(Protocol):
    """Turns the bytes of one format into text and a tree of blocks with exact offsets."""

    suffixes: tuple[str, ...]
    media_type: str

    def read(self, data: bytes, name: str) -> Document:
        """The document. Raises UnreadableDocument; empty text is unreadable."""
        ...


class Extractor(Protocol):
    """Finds claims of one shape in one document, without looking at any other."""

    name: str

    def extract(self, source: Source) -> Iterable[Claim | Alias | Rejected]:
        """Claims, names that the document equates, and what was found but not kept, in document order."""
        ...


Pattern: TypeAlias = "tuple[ox.NamedNode | None, ox.NamedNode | None, ox.NamedNode | ox.DefaultGraph | None]"
"""Subject, predicate and graph of quads that are looked for; None stands for any. A predicate needs a subject."""


class GraphStore(Protocol):
    """Quads that can be queried by SPARQL 1.1."""

    def query(
        self,
        sparql: str,
        substitutions: Mapping[str, ox.NamedNode | ox.Literal] | None = None,
        prefixes: Mapping[str, str] | None = None,
    ) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        """Results of a query whose variables are bound to the given terms, with prefixes declared. Raises BadQuery."""
        ...

    def change(self, remove: Iterable[ox.Quad], add: Iterable[ox.Quad]) -> None:
        """Removes and adds quads in one transaction."""
        ...

    def quads(self, graph: ox.NamedNode | ox.DefaultGraph | None = None) -> Iterable[ox.Quad]:
        """All quads, or those of one graph."""
        ...

    def lookup(self, patterns: Iterable[Pattern]) -> Iterable[ox.Quad]:
        """Quads that fit any of the patterns; one that fits two may come twice."""
        ...

    def checkpoint(self, folder: Path) -> None:
        """Writes a copy that another process can open read-only. ``folder`` must not exist."""
        ...

    def close(self) -> None:
        """Lets go of files or connections."""
        ...


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry found by an index, with its score (higher is nearer)."""

    id: str
    score: float


class TextIndex(Protocol):
    """Finds entries by text. Built whole from entries sorted by id; equal scores are ordered by id."""

    def search(self, query: str, limit: int) -> Sequence[Hit]:
        """At most ``limit`` entries, best first."""
        ...

    def save(self, folder: Path) -> None:
        """Writes the index's files (no pickle) into an existing folder, the same bytes for the same entries."""
        ...


class Encoder(Protocol):
    """Turns texts into unit vectors."""

    model_hash: str

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Array of shape (len(texts), dimensions), rows of length 1; a row doesn't depend on its company."""
        ...
