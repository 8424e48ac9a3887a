"""Documents read on a Dask cluster: records and index segments are made where the workers are.

Each of the cluster's workers reads as this machine would, in confined processes with the same budgets
(:mod:`kg.workers.reading`), and must make records with the same stages and models. What it makes of a document depends
on nothing else, so a worker that goes costs only that the scheduler gives its documents to others.
"""

from __future__ import annotations

import contextlib
import socket
import tempfile
import threading
import weakref
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import CitegraphError, ClusterUnavailable, UnreadableDocument
from kg.indexes.embedding import OnnxEncoder
from kg.indexes.segments import build_indexes, to_bytes
from kg.records import from_json
from kg.workers import pipeline
from kg.workers.reading import Budget, Documents, Job, Made, Workers, here

if TYPE_CHECKING:
    from distributed import Client, Future

    from kg.base.snapshot import Snapshot
    from kg.settings import Settings

_SCHEME = "dask://"
_CONNECT_S = 20.0
_LOOK_S = 5.0  # how often it is looked whether there still are workers
_BUILDS = 4  # that a worker is ready for at once: ontologies, models and settings
_AHEAD = 4  # documents that wait at each thread of the cluster: enough to keep it busy

Files = tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """How documents are to be read, the same on every worker."""

    ontology: str
    made_with: str
    model: str
    model_hash: str
    budget: Budget
    max_bytes: int


# --- on a worker ---------------------------------------------------------------------------------


class _Here:
    """What a worker keeps from one document to the next, for as long as somebody reads with it."""

    def __init__(self, terms: Terms, files: Files, threads: int) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="kg-")
        paths = [Path(self._folder.name) / name for name, _ in files]
        for path, (_, data) in zip(paths, files, strict=True):
            path.write_bytes(data)
        self.documents = Documents(paths, terms.budget, terms.max_bytes, threads)
        weakref.finalize(self, self.documents.stop)
        self.encoder = OnnxEncoder(terms.model, workers=1)
        _same("models", self.encoder.model_hash, terms.model_hash)
        _same("stages", pipeline.made_with(terms.ontology), terms.made_with)


def _same(what: str, here: str, asked: str) -> None:
    if here != asked:
        raise ClusterUnavailable(
            f"the worker on {socket.gethostname()} has other {what} ({here}, not {asked})",
            "install the same versions of Citegraph, of plug-ins and of models on all machines",
        )


_here: dict[Terms, _Here] = {}
_lock = threading.Lock()


def _kept(terms: Terms, files: Files) -> _Here:
    from distributed import get_worker

    with _lock:
        if terms not in _here:
            _here[terms] = _Here(terms, files, get_worker().state.nthreads)
            if len(_here) > _BUILDS:
                del _here[next(iter(_here))]  # it ends when nobody reads with it any more
        return _here[terms]


def _given(files: Files) -> Files:
    return files


def _made(data: bytes, name: str, files: Files, terms: Terms) -> Made | CitegraphError:
    """A document's record and segment, or why there are none. Raises ClusterUnavailable on a worker that differs."""
    here = _kept(terms, files)
    try:
        record = here.documents.record(data, name)
    except CitegraphError as error:
        return error
    indexes = build_indexes(from_json(record).passages, here.encoder)
    return Made(record, to_bytes(indexes), terms.model_hash)


# --- where the build runs ------------------------------------------------------------------------


class Cluster:
    """Has documents read by the workers that a Dask scheduler knows."""

    def __init__(self, address: str, snapshot: Snapshot, budget: Budget, max_bytes: int) -> None:
        """``address``: ``dask://HOST:PORT`` of the scheduler, which is asked when there is something to read."""
        manifest = snapshot.manifest
        model = OnnxEncoder(manifest.model)
        made_with = pipeline.made_with(manifest.ontology_hash)
        self._terms = Terms(manifest.ontology_hash, made_with, manifest.model, model.model_hash, budget, max_bytes)
        self._files: Files = tuple((path.name, path.read_bytes()) for path in snapshot.ontology_files)
        self._address = address
        self._connected: Client | None = None

    def records(self, jobs: Sequence[Job]) -> Generator[Made | CitegraphError]:
        """Record and segment of each document, or why there are none, in their order. Raises ClusterUnavailable."""
        if not jobs:
            return
        files = self._client.submit(_given, self._files)  # by key: the scheduler has it made anew when it is lost
        rest = iter(jobs)
        waiting = deque((job, self._sent(job, files)) for job in islice(rest, _AHEAD * self._threads()))
        try:
            while waiting:
                found = self._result(*waiting[0])
                waiting.popleft()
                waiting.extend((job, self._sent(job, files)) for job in islice(rest, 1))
                yield found
        finally:
            for _, future in waiting:
                future.cancel()  # type: ignore[no-untyped-call]

    @property
    def _client(self) -> Client:
        if self._connected is None:
            self._connected = _connected(self._address)
        return self._connected

    def _threads(self) -> int:
        threads = sum(self._client.nthreads().values())  # type: ignore[no-untyped-call]
        if not threads:
            raise ClusterUnavailable(f"no worker has joined {self._address}", "start some: dask worker HOST:PORT")
        return threads

    def _sent(self, job: Job, files: Future[Files]) -> Future[Made | CitegraphError]:
        return self._client.submit(_made, job.load(), job.name, files, self._terms, pure=False)

    def _result(self, job: Job, future: Future[Made | CitegraphError]) -> Made | CitegraphError:
        from distributed import KilledWorker

        while True:
            try:
                found: Made | CitegraphError = future.result(timeout=_LOOK_S)
                return found
            except TimeoutError:
                self._threads()
            except KilledWorker:
                return UnreadableDocument(f"{job.name} ended the workers that read it", self._terms.budget.hint)
            except (OSError, CancelledError) as error:
                raise ClusterUnavailable(f"{self._address} is gone", "build again: what was read is kept") from error

    def close(self) -> None:
        """Lets go of the scheduler."""
        if self._connected is not None:
            self._connected.close()  # type: ignore[no-untyped-call]


def _connected(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError as error:
        raise CitegraphError("reading on a cluster needs Dask", "pip install 'citegraph[cluster]'") from error
    place = "tcp://" + address.removeprefix(_SCHEME)
    try:
        return Client(place, timeout=_CONNECT_S, set_as_default=False)  # type: ignore[no-untyped-call]
    except OSError as error:
        raise ClusterUnavailable(f"no scheduler answers at {address}: {error}", "start one: dask scheduler") from error


@contextlib.contextmanager
def of_build(snapshot: Snapshot, settings: Settings) -> Iterator[Workers]:
    """Reads the documents of a build, here or on the cluster that the settings name."""
    build = settings.build
    hint = "raise [build] document_timeout_s or document_memory_mb in kg.toml, or split the document"
    budget = Budget(build.document_timeout_s, build.document_memory_mb, hint, patience=4.0, grows=True)
    max_bytes = int(build.max_file_mb * 1_000_000)
    if isinstance(build.workers, str):
        with contextlib.closing(Cluster(build.workers, snapshot, budget, max_bytes)) as cluster:
            yield cluster
    else:
        with here(snapshot, budget, max_bytes, build.workers) as documents:
            yield documents
