"""KnowledgeBase: documents in, graph and answers out. The only place where the parts are wired together."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import pyoxigraph as ox

from kg.app import overview
from kg.app.collect import documents_under
from kg.app.draft_ontology import draft
from kg.app.serialise import export, export_claims
from kg.app.writer import (
    Extraction,
    build_report,
    commit,
    commit_decisions,
    commit_user_graphs,
    no_progress,
    with_ontology,
)
from kg.base.generations import Progress
from kg.base.graphs import settled, writing
from kg.base.snapshot import Snapshot
from kg.base.user_graphs import DEFAULT, GraphName, graphs_of, replacing, writable
from kg.decisions import Decision, without
from kg.errors import BadInput, NotFound, QueryRefused, StoreMoved
from kg.namespaces import document_slug
from kg.reports import BuildReport, CheckReport, DocumentSummary, Explanation, SearchHit
from kg.results import Row, frame, rows
from kg.settings import Settings, load_settings
from kg.storage import Folder, Manifest, Pin
from kg.workers.cluster import of_build

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
    import rdflib

    from kg.ask.engine import Asker
    from kg.model import Answer
    from kg.workers.reading import Workers

_T = TypeVar("_T")
Reading = Callable[[Snapshot], AbstractContextManager["Workers"]]
"""Opens what reads documents of a knowledge base."""


class KnowledgeBase:
    """A knowledge base in a folder. Reads see one generation; ``refresh`` moves on to the newest.

    >>> from kg import KnowledgeBase
    >>> with KnowledgeBase.create("kb") as kb:                          # doctest: +SKIP
    ...     kb.add(["docs"])
    ...     print(kb.ask("Who built the lighthouse?").answer)
    """

    def __init__(self, folder: Folder, manifest: Manifest, settings: Settings, pin: Pin | None = None) -> None:
        self._folder = folder
        self._pin = pin
        self._settings = settings
        self._snapshot = Snapshot(folder, manifest)
        self._asker: Asker | None = None

    # --- opening -----------------------------------------------------------------------------

    @classmethod
    def open(cls, path: str | Path, settings: Settings | None = None) -> KnowledgeBase:
        """An existing knowledge base. Raises NotFound, CorruptKnowledgeBase."""
        settings = settings or load_settings()
        folder = settled(Folder(Path(path), settings.store))
        return cls(folder, folder.manifest(), settings)

    @classmethod
    def open_pinned(cls, path: str | Path, settings: Settings) -> KnowledgeBase:
        """The same; until it is closed or forgotten, no writer removes what its generation consists of."""
        folder = settled(Folder(Path(path), settings.store))
        manifest, pin = folder.pinned_manifest()
        return cls(folder, manifest, settings, pin)

    @classmethod
    def create(cls, path: str | Path, settings: Settings | None = None, *, plain: bool = False) -> KnowledgeBase:
        """The knowledge base at ``path``, made (empty) if there is none. Raises BadInput, StoreLocked, BadOntology.

        A ``plain`` one takes no documents: people write all its graphs, the default one too.
        """
        settings = settings or load_settings()
        folder = Folder(Path(path), settings.store)
        if not folder.exists():
            folder.refuse_others()
            with writing(folder):
                nothing = Manifest(base=settings.build.base, model=str(settings.build.model))
                commit(folder, nothing, replace(nothing, plain=plain).kept_at(settings.store.url), no_progress)
        return cls(folder, folder.manifest(), settings)

    @classmethod
    def build(
        cls,
        path: str | Path,
        documents: Iterable[str | Path],
        settings: Settings | None = None,
        *,
        prune: bool = False,
        progress: Progress = no_progress,
    ) -> BuildReport:
        """:meth:`create` and :meth:`add` in one; nothing is made when there are no documents. Raises as they do."""
        paths = [Path(p) for p in documents]
        documents_under(paths, prune)
        with cls.create(path, settings) as knowledge_base:
            return knowledge_base.add(paths, prune=prune, progress=progress)

    @classmethod
    def build_graph(cls, path: str | Path, files: Iterable[str | Path], settings: Settings | None = None) -> int:
        """Takes existing RDF (ontologies among it), to be asked and queried; how many triples.

        Without documents the knowledge base is a plain one and the files are its default graph. Beside documents they
        are a graph of people's own, ``graph/user/rdf``. Files given before are replaced. Raises BadInput, StoreLocked.
        """
        from kg.semantics.sources import quads

        settings = settings or load_settings()
        base = f"{settings.build.base}graph/rdf/"
        read = list(quads([Path(f) for f in files], DEFAULT, base))  # one that can't be read leaves all as it was
        with cls.create(path, settings, plain=True) as knowledge_base:
            names = knowledge_base.snapshot.namespaces
            graph = DEFAULT if knowledge_base.snapshot.manifest.plain else ox.NamedNode(f"{names.user_graphs}rdf")
            sizes: Counter[GraphName] = Counter()

            def taken(now: Snapshot) -> bytes:
                # Each quad is let go as it is taken: of a million no second copy is held.
                data = replacing(now.user_quads, graph, (read.pop() for _ in range(len(read))))
                sizes.update(graphs_of(data))
                return data

            knowledge_base.update_user_graphs(taken)
            return sizes[graph]

    def close(self) -> None:
        """Lets go of files."""
        self._snapshot.close()
        if self._pin is not None:
            self._pin.release()

    def __enter__(self) -> KnowledgeBase:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def refresh(self) -> bool:
        """Moves on to the newest generation on disk; whether there was a newer one."""
        manifest = self._folder.manifest()
        if manifest == self._snapshot.manifest:
            return False
        old, self._snapshot, self._asker = self._snapshot, Snapshot(self._folder, manifest), None
        old.close()
        return True

    def steadily(self, work: Callable[[], _T]) -> _T:
        """What ``work`` gives, all of it from one generation: done again where a server's graph moved on meanwhile.

        Raises StoreMoved where the server stays with another generation.
        """
        for wait_s in (0.1, 0.4, 1.5):
            try:
                return work()
            except StoreMoved:
                time.sleep(wait_s)
                old, self._asker = self._snapshot, None
                self._snapshot = Snapshot(self._folder, self._folder.manifest())
                self._snapshot.take_over(old)  # not closed: others may be reading from it
        return work()

    @property
    def snapshot(self) -> Snapshot:
        """The generation that reads see: records, graph, indexes."""
        return self._snapshot

    @property
    def path(self) -> Path:
        """The folder."""
        return self._folder.path

    @property
    def generation(self) -> str:
        """Changes whenever the content does."""
        return self._snapshot.manifest.graph

    # --- writing -----------------------------------------------------------------------------

    def add(self, paths: Iterable[str | Path], *, prune: bool = False, progress: Progress = no_progress) -> BuildReport:
        """Adds or updates the documents under the paths; with ``prune`` removes those that are not there.

        A document that can't be read, or would be one that is there, is reported and the others go on. Raises BadInput,
        StoreLocked.
        """
        collected = documents_under([Path(p) for p in paths], prune)
        with writing(self._folder), contextlib.ExitStack() as stack:
            extraction, manifest = self._extraction(stack)
            extraction.failed.extend(collected.clashing)
            extraction.extract([extraction.planned_file(f.path, f.name) for f in collected.files], progress)
            removed: list[str] = []
            if prune:
                names = {f.id for f in collected.files}
                removed = [extraction.documents.pop(id_).name for id_ in sorted(set(extraction.documents) - names)]
            return self._finish(extraction, manifest, removed, collected.skipped, progress)

    def put(self, data: bytes, name: str, *, progress: Progress = no_progress) -> BuildReport:
        """Adds or replaces one document from its bytes. ``name`` is a relative path that there is a reader for."""
        return self.change([(name, data)], progress=progress)

    def remove(self, documents: Iterable[str], *, progress: Progress = no_progress) -> BuildReport:
        """Removes documents by identifier or name; what only they stated goes with them. Raises NotFound."""
        return self.change((), documents, progress=progress)

    def change(
        self,
        files: Iterable[tuple[str, bytes]],
        remove: Iterable[str] = (),
        *,
        reading: Reading | None = None,
        progress: Progress = no_progress,
    ) -> BuildReport:
        """Adds or replaces documents (names and bytes) and removes others, all of it seen at once or not at all.

        ``reading`` opens what reads them instead of the processes of a build. Raises as :meth:`put`, :meth:`remove`.
        """
        files = list(files)
        with writing(self._folder), contextlib.ExitStack() as stack:
            extraction, manifest = self._extraction(stack, reading)
            removed = []
            for document in remove:
                id_ = document if document in extraction.documents else document_slug(document)
                if id_ not in extraction.documents:
                    raise NotFound(f"there is no document {document}", "kg documents or GET /documents lists them")
                removed.append(extraction.documents.pop(id_).name)
            extraction.extract([extraction.planned(data, name) for name, data in files], progress)
            return self._finish(extraction, manifest, removed, (), progress)

    def update_user_graphs(self, change: Callable[[Snapshot], bytes]) -> bool:
        """Gives people's own graphs new content; whether it differs from the old.

        ``change`` is called with the newest generation, while nobody else can write, and returns all of the new
        content as ``kg.base.user_graphs.canonical`` gives it (naming blank nodes can take long: that is the caller's to
        bound). Crash-safe and whole, like every change. Raises QueryRefused for other graphs, StoreLocked.
        """
        with writing(self._folder):
            self.refresh()
            prefix, data = self._snapshot.writable_graphs, change(self._snapshot)
            if not all(writable(graph, prefix) for graph in graphs_of(data)):
                raise QueryRefused("only your own graphs can be written", f"name one that begins with {prefix}")
            commit_user_graphs(self._folder, self._snapshot.manifest, data, self._settings.store.url)
            return self.refresh()

    def decide(self, *decisions: Decision) -> None:
        """Adds reviewers' decisions (:mod:`kg.decisions`); they hold from then on, through rebuilds."""
        self._decided(lambda held: {*held, *decisions})

    def undo(self, *decisions: Decision) -> None:
        """Takes decisions back. Raises NotFound for one that isn't in force."""
        self._decided(lambda held: without(held, decisions))

    def _decided(self, change: Callable[[Iterable[Decision]], set[Decision]]) -> None:
        with writing(self._folder):
            self.refresh()
            commit_decisions(self._folder, self._snapshot.manifest, change(self._snapshot.decisions))
        self.refresh()

    def _extraction(self, stack: contextlib.ExitStack, reading: Reading | None = None) -> tuple[Extraction, Manifest]:
        self.refresh()
        if self._snapshot.manifest.plain:
            raise BadInput("this dataset holds what people write, not documents", "build into another folder")
        manifest = with_ontology(self._folder, self._snapshot.manifest, self._settings.build.ontology)
        manifest = manifest.kept_at(self._settings.store.url)
        snapshot = Snapshot(self._folder, manifest)
        documents = stack.enter_context(reading(snapshot) if reading else of_build(snapshot, self._settings))
        return Extraction(snapshot, self._settings, documents, any_model=reading is not None), manifest

    def _finish(
        self,
        extraction: Extraction,
        manifest: Manifest,
        removed: Sequence[str],
        skipped: Sequence[str],
        progress: Progress,
    ) -> BuildReport:
        extraction.refresh(progress)
        then = manifest.with_documents(extraction.documents)
        commit(self._folder, self._snapshot.manifest, then, progress, extraction.about)
        self.refresh()
        return self.steadily(lambda: build_report(extraction, self._snapshot, removed, skipped))

    # --- reading -----------------------------------------------------------------------------

    def documents(self) -> list[DocumentSummary]:
        """Every document, by identifier."""
        return [overview.summary(self._snapshot, id_) for id_ in self._snapshot.manifest.documents]

    def document(self, id_: str) -> tuple[DocumentSummary, str]:
        """A document's summary and stored text, by identifier or name. Raises NotFound."""
        known = id_ if id_ in self._snapshot.manifest.documents else document_slug(id_)
        return overview.summary(self._snapshot, known), self._snapshot.record(known).document.text

    def stats(self) -> Mapping[str, int]:
        """Counts of what the graph holds."""
        return self.steadily(lambda: overview.stats(self._snapshot))

    def check(self) -> CheckReport:
        """Verifies files, offsets, graph and shapes, and lists what documents disagree on."""
        from kg.app.check import check

        return self.steadily(lambda: check(self._snapshot))

    def ask(self, question: str, history: Sequence[Any] = (), limit: int | None = None) -> Answer:
        """The answer to a question in English, or an abstention with its reason."""
        return self.steadily(lambda: self.asker.ask(question, history, limit))

    @property
    def asker(self) -> Asker:
        """What answers questions, for callers who want its steps."""
        if self._asker is None:
            from kg.ask.engine import Asker
            from kg.ask.view import view
            from kg.llm import make_helper
            from kg.reading import Trained

            helper = make_helper(self._settings.llm)
            trained = Trained.named(self._settings.ask.reader) if self._snapshot.manifest.documents else None
            if self._snapshot.manifest.user:
                from kg.app.graph_asker import GraphAsker

                self._asker = GraphAsker(view(self._snapshot), self._snapshot, helper, trained)
            else:
                self._asker = Asker(view(self._snapshot), helper, trained)
        return self._asker

    def query(self, sparql: str) -> Any:
        """Results of a SPARQL query (pyoxigraph's solutions, triples or boolean). Raises BadQuery.

        The prefixes of the knowledge base and of its ontology needn't be declared.
        """
        return self.steadily(lambda: self._snapshot.store.query(sparql, prefixes=self._snapshot.prefixes))

    def rows(self, sparql: str) -> list[Row]:
        """Results of a SPARQL query as Python's own values (see :func:`kg.results.rows`). Raises BadQuery."""
        return rows(self.query(sparql))

    def frame(self, sparql: str) -> pd.DataFrame:
        """The same as a pandas data frame, a column a variable. Raises BadQuery, CitegraphError without pandas."""
        result = self.query(sparql)
        columns = [variable.value for variable in getattr(result, "variables", ())]
        return frame(rows(result), columns or None)

    def rdf(self) -> rdflib.Dataset:
        """The graph and its named graphs as a read-only rdflib dataset. Raises Unsupported where it is on a server."""
        return self._snapshot.store.rdf()

    def search(self, text: str, limit: int = 10) -> list[SearchHit]:
        """The passages that speak most about a text."""
        held = self._snapshot
        found = ((held.passages[hit.id], hit.score) for hit in held.passage_search.search(text, limit))
        return [SearchHit(p, held.record(p.document).document.title, round(score, 6)) for p, score in found]

    def export(self, stream: IO[bytes], format: str = "turtle", provenance: str = "full") -> None:
        """Writes the graph, or its claims as "csv", the same bytes for the same documents. Raises Unsupported."""

        if format == "csv":
            self.steadily(lambda: export_claims(self._snapshot, stream))
        else:
            self.steadily(lambda: export(self._snapshot.store, stream, format, provenance, self._snapshot.namespaces))

    def draft_ontology(self) -> str:
        """The open properties of the documents as an ontology (Turtle) to edit and build with."""
        return draft(self._snapshot.records(), self._snapshot.ontology)

    def explain(self, name_or_iri: str) -> Explanation:
        """Where an entity or claim comes from. Raises NotFound."""
        return self.steadily(lambda: overview.explain(self._snapshot, name_or_iri))

    def network(self) -> nx.MultiDiGraph:
        """The asserted triples between entities as a networkx graph."""
        from kg.graph.network import graph

        names = self._snapshot.namespaces
        within = (names.entity(""), names.event(""))
        rows = self._snapshot.rows("SELECT ?s ?p ?o WHERE { ?s ?p ?o FILTER(ISIRI(?o)) }")
        return graph((s, p, o) for s, p, o in rows if s.startswith(within) and o.startswith(within))

    def checkpoint(self, folder: Path) -> None:
        """Copies the graph's store for another process. ``folder`` must not exist."""
        self._snapshot.store.checkpoint(folder)
