"""Changes to a knowledge base: new records, then graph and indexes, then the manifest, switched last.

What a build has extracted so far, so that the next one takes up where a stopped one was.

A file of lines beside the records: it is no part of the knowledge base, and goes with the rubbish when a manifest is
put in force. A line that was cut short, or names a record that isn't there whole, counts for nothing.
"""

from __future__ import annotations

import contextlib
import gc
import json
import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from kg import versions
from kg.app import overview
from kg.base import states
from kg.base.generations import Generation, Progress
from kg.base.snapshot import Snapshot
from kg.decisions import Decision, to_turtle
from kg.errors import CitegraphError, CorruptKnowledgeBase, DocumentClash
from kg.indexes import segments
from kg.indexes.embedding import OnnxEncoder
from kg.llm import make_extractor
from kg.namespaces import digest, document_slug
from kg.ontology import load
from kg.records import to_json
from kg.reports import BuildReport, Failure
from kg.storage import DocumentEntry, Folder, Manifest, OntologyFile
from kg.workers.pipeline import made_with, make_record
from kg.workers.reading import Job, Made, Workers

if TYPE_CHECKING:
    from kg.llm.extraction import ModelFacts
    from kg.settings import Settings

_NAME = "taken.jsonl"


class Journal:
    """Records by the document's name, the SHA-256 of its bytes, and what it was made with."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._path = folder.path / "records" / _NAME

    @cached_property
    def _known(self) -> dict[tuple[str, ...], str]:
        found: dict[tuple[str, ...], str] = {}
        if self._path.is_file():
            for line in self._path.read_bytes().splitlines():
                try:
                    *made_from, record = json.loads(line)
                except (ValueError, TypeError):
                    continue
                found[tuple(made_from)] = record
        return found

    def record(self, name: str, source: str, made_with: str) -> str:
        """The record that a build stopped since has made; empty where there is none."""
        record = self._known.get((name, source, made_with), "")
        try:
            return record if record and self._folder.get("records", record, ".json") else ""
        except CorruptKnowledgeBase:
            return ""

    def add(self, name: str, source: str, made_with: str, record: str) -> None:
        """Notes a record that is on disk."""
        with self._path.open("ab") as file:  # a line begins with its break: what was cut short stays by itself
            file.write(b"\n" + json.dumps((name, source, made_with, record)).encode())


def no_progress(what: str, done: int, total: int) -> None:
    """Tells nobody."""


def with_ontology(folder: Folder, manifest: Manifest, files: Sequence[Path]) -> Manifest:
    """The manifest with these ontology files, copied in. Raises BadOntology before anything is written."""
    if not files:
        return manifest
    ontology = load(files)
    if ontology.hash == manifest.ontology_hash:
        return manifest
    copies = {OntologyFile(folder.put("ontology", f.read_bytes(), f.suffix), f.suffix) for f in files}
    return replace(manifest, ontology=tuple(sorted(copies, key=lambda o: o.sha256)), ontology_hash=ontology.hash)


_LOG = logging.getLogger(__name__)
_FAULT = "this is a fault in Citegraph: please report it with the document"


@dataclass(frozen=True, slots=True)
class Planned:
    """A document to be extracted from its stored bytes, unless ``unchanged``, or extracted before."""

    name: str
    source: str
    size: int
    unchanged: bool = False
    record: str = ""

    @property
    def open(self) -> bool:
        """Whether it is still to be read."""
        return not self.unchanged and not self.record


class Extraction:
    """Has documents read into records on disk and collects the entries of the manifest to come."""

    def __init__(self, snapshot: Snapshot, settings: Settings, reading: Workers, any_model: bool) -> None:
        """``any_model``: what a language model had its part in stays, and none is asked."""
        self._snapshot, self._reading, self._any_model = snapshot, reading, any_model
        self._folder = snapshot.folder
        self._journal = Journal(snapshot.folder)
        self._max_bytes = int(settings.build.max_file_mb * 1_000_000)
        self._model = model = None if any_model else make_extractor(settings.llm)
        self.documents = dict(snapshot.manifest.documents)
        self._names = {id_: entry.name for id_, entry in self.documents.items()}
        self._by_rules = made_with(snapshot.manifest.ontology_hash)
        self.made_with = f"{self._by_rules}+{model.key}" if model else self._by_rules
        self.added: list[str] = []
        self.changed: list[str] = []
        self.unchanged: list[str] = []
        self.failed: list[Failure] = []

    def planned(self, data: bytes, name: str) -> Planned:
        """Stores a document's bytes; unchanged where the record at hand was made from the same in the same way."""
        id_ = document_slug(name)
        known = self._names.setdefault(id_, name)
        if known != name:
            raise DocumentClash(f"{name} would be document {id_}, which {known} is", "rename one of the two")
        source, old = self._folder.put("sources", data), self.documents.get(id_)
        same = old is not None and old.source == source and self._current(old, self._any_model)
        record = "" if same else self._journal.record(name, source, self.made_with)
        return Planned(name, source, len(data), same, record)

    def planned_file(self, path: Path, name: str) -> Planned | Failure:
        """The same for a file; one that is too large, can't be opened or would be another document has failed."""
        try:
            size = path.stat().st_size
            if size > self._max_bytes:
                message = f"{name} has {size:,} bytes, the limit is {self._max_bytes:,}"
                return Failure(name, message, "raise [build] max_file_mb in kg.toml")
            data = path.read_bytes()
        except OSError as error:
            return Failure(name, f"{name} can't be opened: {error.strerror}", "see that it is there and may be read")
        try:
            return self.planned(data, name)
        except DocumentClash as error:
            return Failure(name, error.message, error.hint)

    def extract(self, documents: Sequence[Planned | Failure], progress: Progress) -> None:
        """Reads what is planned, side by side; records are taken in the documents' order.

        Progress is that of what is read now: what is there already would only make its rate too high.
        """
        unread = [d for d in documents if isinstance(d, Planned) and d.open]
        jobs = [Job(d.name, d.size, partial(self._folder.get, "sources", d.source)) for d in unread]
        with contextlib.closing(self._reading.records(jobs)) as records:
            done = 0
            for document in documents:
                if isinstance(document, Failure):
                    self.failed.append(document)
                elif document.unchanged:
                    self.unchanged.append(document.name)
                elif document.record:
                    self._enter(document, document.record, self.made_with)
                else:
                    progress(document.name, done, len(jobs))
                    self._take(document, next(records))
                    done += 1

    def _take(self, document: Planned, found: Made | CitegraphError) -> None:
        name = document.name
        if isinstance(found, CitegraphError):
            self.failed.append(Failure(name, found.message, found.hint))
            return
        try:
            record, made_with = (
                (found.record, self._by_rules) if self._model is None else self._asked(document, self._model)
            )
        except Exception as error:  # a fault of ours in one document must not cost the others
            _LOG.debug("asking a language model about %s failed", name, exc_info=True)
            message = f"{name} made the extraction fail ({type(error).__name__}: {error})"
            self.failed.append(Failure(name, message, _FAULT))
            return
        stored = self._folder.put("records", record, ".json")
        if found.segment and record == found.record:
            segments.store(self._folder, segments.key(stored, found.model_hash), found.segment)
        self._journal.add(name, document.source, made_with, stored)
        self._enter(document, stored, made_with)

    def _enter(self, document: Planned, record: str, made_with: str) -> None:
        id_ = document_slug(document.name)
        (self.changed if id_ in self.documents else self.added).append(document.name)
        self.documents[id_] = DocumentEntry(document.name, document.source, record, made_with)

    def _asked(self, document: Planned, model: ModelFacts) -> tuple[bytes, str]:
        """The record with what the model finds: it needs the network, so this process reads what a worker could."""
        data = self._folder.get("sources", document.source)
        record = make_record(data, document.name, self._snapshot.ontology, self._max_bytes, (model,))
        unread = document_slug(document.name) in model.unread
        return to_json(record), self._by_rules if unread else self.made_with  # the next build asks the model again

    def _current(self, entry: DocumentEntry, any_model: bool) -> bool:
        """Whether a record is what would be made now; with ``any_model`` whatever a language model had its part in."""
        made_with = entry.made_with.partition("+")[0] if any_model else entry.made_with
        return made_with == (self._by_rules if any_model else self.made_with)

    @property
    def about(self) -> frozenset[str]:
        """Identifiers of the documents that were given or read anew."""
        return frozenset(map(document_slug, (*self.added, *self.changed, *self.unchanged)))

    def close(self) -> tuple[tuple[str, ...], str]:
        """Lets go of the language model; warnings of what it hasn't read, and what asking it has cost."""
        if self._model is None:
            return (), ""
        self._model.close()
        return self._model.warnings(), self._model.spent()

    def refresh(self, progress: Progress) -> None:
        """Extracts anew every document whose record was made with another ontology, older code or another model.

        Without a model, what one has found in documents that this build isn't about stays.
        """
        unread = self._model.unread if self._model else {}
        stale = [e for i, e in self.documents.items() if i not in unread and not self._current(e, self._model is None)]
        sizes = [len(self._folder.get("sources", entry.source)) for entry in stale]
        self.extract([Planned(e.name, e.source, size) for e, size in zip(stale, sizes, strict=True)], progress)


def build_report(
    extraction: Extraction, snapshot: Snapshot, removed: Sequence[str], skipped: Sequence[str]
) -> BuildReport:
    """What a build did, and what the knowledge base holds after it."""
    return BuildReport(
        tuple(extraction.added),
        tuple(extraction.changed),
        tuple(extraction.unchanged),
        tuple(removed),
        tuple(extraction.failed),
        tuple(skipped),
        overview.claim_counts(snapshot),
        overview.rejection_counts(snapshot),
        overview.stats(snapshot),
        *extraction.close(),
    )


def commit(
    folder: Folder, old: Manifest, manifest: Manifest, progress: Progress, about: Collection[str] | None = None
) -> Manifest:
    """Makes the graph and the indexes of ``manifest``'s documents, then puts it in force. The caller holds the lock.

    ``about``: identifiers of the documents whose index files are looked through for damage; by default all.
    """
    encoder = OnnxEncoder(manifest.model)
    graph, previous = _graph_key(manifest), _previous(old)
    manifest = replace(manifest, model_hash=encoder.model_hash, graph=graph, previous=previous)
    snapshot, before = Snapshot(folder, manifest), Snapshot(folder, old)
    try:
        if manifest.graph != old.graph or manifest.store != old.store or not before.graph_intact():
            progress("graph", 0, 2)
            with _cycles_uncollected():
                manifest = replace(manifest, state=_make_graph(snapshot, before))
        progress("indexes", 1, 2)
        looked_through = manifest.documents if about is None else about
        manifest = _make_segments(snapshot, manifest, encoder, progress, looked_through)
        _put_in_force(snapshot, manifest)
    finally:
        snapshot.close()
        before.close()
    folder.clear_rubbish(manifest)
    progress("done", 2, 2)
    return manifest


def _put_in_force(made: Snapshot, manifest: Manifest) -> None:
    """Switches to a manifest whose graph ``made`` has just been given, and that graph with it."""
    if made.graphs.announced:
        made.folder.announce(manifest)
    made.graphs.publish()
    made.folder.switch(manifest)


def commit_user_graphs(folder: Folder, old: Manifest, data: bytes, store: str = "") -> Manifest:
    """Makes canonical N-Quads the content of people's own graphs. The caller holds the lock.

    The documents' part of the graph is taken over as it is, unless newer code would make another.
    """
    manifest = replace(old, user=folder.put("user", data, ".nq") if data else "").kept_at(store)
    if manifest == old:
        return old
    before = Snapshot(folder, old)
    try:
        if _graph_key(old) != old.graph or manifest.store != old.store or not before.graph_intact():
            return commit(folder, old, manifest, no_progress)
        manifest = replace(manifest, graph=_graph_key(manifest), previous=_previous(old))
        after = Snapshot(folder, manifest)
        remove, add = before.user_quads - after.user_quads, after.user_quads - before.user_quads
        after.graphs.change(manifest.graph, old.graph, remove, add)
        _put_in_force(after, manifest)
    finally:
        before.close()
    folder.clear_rubbish(manifest)
    return manifest


def commit_decisions(folder: Folder, old: Manifest, decisions: Iterable[Decision]) -> Manifest:
    """Makes these the reviewers' decisions and the graph what follows from them. The caller holds the lock."""
    data = to_turtle(decisions)
    name = folder.put("decisions", data, ".ttl") if data != to_turtle(()) else ""
    return commit(folder, old, replace(old, decisions=name), no_progress, about=())


def _previous(old: Manifest) -> tuple[str, ...]:
    return tuple(sorted({old.graph, old.user, old.decisions} - {""}))


def documents_key(manifest: Manifest) -> str:
    """Names the graph without what people wrote: the same as long as documents and ontology are."""
    return _graph_key(replace(manifest, user=""))


def _graph_key(manifest: Manifest) -> str:
    own = [f"user {manifest.user}"] if manifest.user else []
    own += [f"decisions {manifest.decisions}"] if manifest.decisions else []
    kind = "plain" if manifest.plain else "graph"
    records = [f"{id_} {entry.record}" for id_, entry in sorted(manifest.documents.items())]
    return digest(kind, manifest.base, manifest.ontology_hash, versions.RESOLUTION, *records, *own)


def _make_graph(snapshot: Snapshot, before: Snapshot) -> str:
    """Makes the graph of the snapshot's manifest, from the one before where most of it stays; the name of its state."""
    graphs, manifest = snapshot.graphs, snapshot.manifest
    if manifest.plain:
        graphs.make(manifest.graph, sorted(snapshot.user_quads, key=str))
        return ""
    made = digest("state 3", manifest.base, manifest.ontology_hash, versions.RESOLUTION)
    intact = manifest.store == before.manifest.store and before.graph_intact()
    old = states.saved(snapshot.folder, before.manifest.state, made) if intact else None
    generation = Generation(snapshot.content(made), old)
    if old is None or generation.mostly_new:
        return states.save(generation.write_whole(graphs, manifest.graph), snapshot.folder)
    changed = generation.write_changed(graphs, manifest.graph, before.manifest.graph, before.content(made))
    return states.save(changed, snapshot.folder)


@contextlib.contextmanager
def _cycles_uncollected() -> Iterator[None]:
    """Holds off the search for reference cycles: a graph is made of many small values without any, and half the time
    that its names take went into looking through them."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _make_segments(
    snapshot: Snapshot, manifest: Manifest, encoder: OnnxEncoder, progress: Progress, looked_through: Collection[str]
) -> Manifest:
    """The manifest with a segment for each document; those that are there and made in the same way are kept.

    Of documents that nobody asked about it isn't read whether theirs is damaged: whoever opens it does.
    """
    folder = snapshot.folder
    keys = {id_: segments.key(entry.record, encoder.model_hash) for id_, entry in manifest.documents.items()}
    made = segments.made(folder)
    names = {
        id_: made[key]
        for id_, key in keys.items()
        if key in made and (id_ not in looked_through or segments.intact(folder, made[key]))
    }
    missing = [id_ for id_ in manifest.documents if id_ not in names]
    passages = ((id_, snapshot.passing_record(id_).passages) for id_ in missing)
    for done, (id_, indexes) in enumerate(segments.build_each(passages, encoder)):
        progress(f"index of {manifest.documents[id_].name}", done, len(missing))
        names[id_] = segments.store(folder, keys[id_], segments.to_bytes(indexes))
    return manifest.with_documents(
        {i: e if e.segment == names[i] else replace(e, segment=names[i]) for i, e in manifest.documents.items()}
    )
