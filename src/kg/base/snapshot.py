"""A reader's view of one generation of a knowledge base; everything is loaded when first asked for."""

from __future__ import annotations

import tempfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from kg.base.generations import Content, Generation
from kg.base.graphs import FolderGraphs, Graphs, at
from kg.base.user_graphs import parse
from kg.decisions import Decision, from_turtle
from kg.errors import CorruptKnowledgeBase, NotFound
from kg.indexes.embedding import OnnxEncoder
from kg.indexes.segments import Indexes, build_indexes, merge, read_segment
from kg.namespaces import Namespaces
from kg.ontology import Ontology, load
from kg.records import Record, from_json
from kg.storage import Folder, Manifest

if TYPE_CHECKING:
    import pyoxigraph as ox

    from kg.indexes.passage_search import PassageSearch
    from kg.model import Passage
    from kg.stores.oxigraph import OxigraphStore
    from kg.stores.sparql_server import SparqlStore


class Snapshot:
    """Records, graph and indexes named by one manifest. Never changes; a damaged part is rebuilt from the records."""

    def __init__(self, folder: Folder, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self.namespaces = Namespaces(manifest.base)
        self._records: dict[str, Record] = {}
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    def record(self, document_id: str) -> Record:
        """The extraction record of a document. Raises NotFound, CorruptKnowledgeBase."""
        if document_id not in self._records:
            self._records[document_id] = self.passing_record(document_id)
        return self._records[document_id]

    def passing_record(self, document_id: str) -> Record:
        """The same for who needs one document after another: it isn't kept in memory."""
        if document_id not in self.manifest.documents:
            raise NotFound(f"there is no document {document_id}", "kg documents or GET /documents lists them")
        entry = self.manifest.documents[document_id]
        return self._records.get(document_id) or from_json(self.folder.get("records", entry.record, ".json"))

    def records(self) -> list[Record]:
        """All records, ordered by document identifier."""
        return [self.record(id_) for id_ in self.manifest.documents]

    def source(self, document_id: str) -> bytes:
        """The document's bytes as they were read."""
        self.record(document_id)
        return self.folder.get("sources", self.manifest.documents[document_id].source)

    @cached_property
    def passages(self) -> dict[str, Passage]:
        """Every passage by its identifier."""
        return {p.id: p for record in self.records() for p in record.passages}

    @cached_property
    def ontology(self) -> Ontology:
        """The ontology that the graph was made with."""
        return load(self.ontology_files) if self.ontology_files else Ontology.empty()

    @property
    def ontology_files(self) -> tuple[Path, ...]:
        """The copies of its files, named by their hashes."""
        return tuple(self.folder.path / "ontology" / (file.sha256 + file.suffix) for file in self.manifest.ontology)

    @cached_property
    def graphs(self) -> Graphs:
        """Where the graph is kept."""
        return at(self.folder, self.manifest)

    def graph_intact(self) -> bool:
        """Whether the graph that the manifest names is where it is kept, and opens."""
        return bool(self.manifest.graph) and self.graphs.intact(self.manifest.graph)

    def rebuilt_graph(self) -> OxigraphStore:
        """A store of the graph that the records give, whatever the one at hand holds; gone when closed."""
        # A reader may lack the right to write into the knowledge base: rebuild beside it, for this process.
        self._scratch = self._scratch or tempfile.TemporaryDirectory(prefix="citegraph-")
        graphs = FolderGraphs(Path(self._scratch.name))
        if not graphs.path("graph").is_dir():
            if self.manifest.plain:
                graphs.make("graph", self.user_quads)
            else:
                Generation(self.content(self.manifest.ontology_hash)).write_whole(graphs, "graph")
        return graphs.open("graph")

    def content(self, made: str) -> Content:
        """What the graph is made of; ``made``: names the way in which it is made."""
        records = {id_: entry.record for id_, entry in self.manifest.documents.items()}
        user = frozenset(self.user_quads)
        return Content(records, self.passing_record, self.ontology, self.decisions, self.namespaces, user, made)

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """What reviewers decided: names merged or split, claims accepted or rejected."""
        name = self.manifest.decisions
        return from_turtle(self.folder.get("decisions", name, ".ttl")) if name else ()

    @cached_property
    def user_data(self) -> bytes:
        """What people wrote by SPARQL update, as canonical N-Quads. Raises CorruptKnowledgeBase."""
        return self.read_user_data()

    def read_user_data(self) -> bytes:
        """The same, read anew and not held."""
        return self.folder.get("user", self.manifest.user, ".nq") if self.manifest.user else b""

    @cached_property
    def user_quads(self) -> set[ox.Quad]:
        """The same as quads."""
        return parse(self.user_data)

    @cached_property
    def prefixes(self) -> dict[str, str]:
        """Prefixes that queries needn't declare: those of the ontology's files and of the knowledge base."""
        named = {prefix: iri for prefix, iri in self.ontology.prefixes.items() if prefix}
        return {**named, **self.namespaces.prefixes()}

    @property
    def writable_graphs(self) -> str:
        """Prefix of the graphs that people may write; empty: all."""
        return "" if self.manifest.plain else self.namespaces.user_graphs

    @cached_property
    def store(self) -> OxigraphStore | SparqlStore:
        """The graph, read-only. Raises StoreMoved, StoreUnavailable, StoreRefused where it is on a server."""
        try:
            return self.graphs.open(self.manifest.graph)
        except (OSError, CorruptKnowledgeBase):
            return self.rebuilt_graph()

    def rows(self, query: str, x: ox.NamedNode | None = None) -> list[list[str]]:
        """Values of a SELECT's solutions, "" where there is none; ``x`` is bound to ?x, the usual prefixes declared."""
        found = self.store.query(query, {"x": x} if x else None, self.namespaces.prefixes())
        return [[term.value if term else "" for term in row] for row in found]  # type: ignore[union-attr]

    @cached_property
    def encoder(self) -> OnnxEncoder:
        """The embedding model that the indexes were made with."""
        encoder = OnnxEncoder(self.manifest.model)
        if self.manifest.model_hash and encoder.model_hash != self.manifest.model_hash:
            raise CorruptKnowledgeBase(
                "the indexes were made with another embedding model",
                "name that model in kg.toml ([build] model), or build again with the one at hand",
            )
        return encoder

    @cached_property
    def indexes(self) -> Indexes:
        """The passage and unit indexes; a document's are rebuilt in memory where their file doesn't have its hash."""
        return merge(map(self._segment, self.manifest.documents), self.encoder)

    def _segment(self, document_id: str) -> Indexes:
        name = self.manifest.documents[document_id].segment
        try:
            return read_segment(self.folder, name, self.encoder)
        except CorruptKnowledgeBase:
            return build_indexes(self.record(document_id).passages, self.encoder)

    @cached_property
    def passage_search(self) -> PassageSearch:
        """Search over the passages."""
        from kg.indexes.passage_search import PassageSearch

        return PassageSearch(self.passages, self.indexes)

    def take_over(self, before: Snapshot) -> None:
        """Takes what an earlier snapshot has loaded and this one would load again: it never changes."""
        old = before.manifest.documents
        for id_, record in before._records.items():
            if self.manifest.documents.get(id_) == old[id_]:
                self._records[id_] = record
        loaded = before.__dict__
        if "encoder" in loaded and before.manifest.model_hash == self.manifest.model_hash:
            self.__dict__["encoder"] = loaded["encoder"]
        for name, unchanged in (
            ("indexes", old == self.manifest.documents),
            ("passages", old == self.manifest.documents),
            ("ontology", before.manifest.ontology == self.manifest.ontology),
        ):
            if unchanged and name in loaded:
                self.__dict__[name] = loaded[name]

    def close(self) -> None:
        """Lets go of the store and of scratch files."""
        if "store" in self.__dict__:
            self.store.close()
        if self._scratch is not None:
            self._scratch.cleanup()
