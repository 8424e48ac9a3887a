"""The embedded store: Oxigraph through pyoxigraph, in memory or in a folder (RocksDB)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from kg.errors import BadQuery, CorruptKnowledgeBase, StoreLocked
from kg.stores.guard import LEFT_ALONE

if TYPE_CHECKING:
    import rdflib

    from kg.protocols import Pattern

Graph = ox.NamedNode | ox.DefaultGraph
# Quads that are sorted in memory at a time: a million of them, as Oxigraph would, take over a gigabyte.
_BATCH = 50_000
Results = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples


class OxigraphStore:
    """A store in ``folder`` (made if need be), or in memory when there is none.

    Raises StoreLocked (another process writes to it) and CorruptKnowledgeBase (it doesn't open).
    """

    def __init__(self, folder: Path | None = None, writable: bool = True) -> None:
        self._open: ox.Store | None = _opened(folder, writable)
        self._in_memory, self._writable = folder is None, writable

    @classmethod
    def read_only(cls, folder: Path) -> OxigraphStore:
        """An existing store that nobody writes to, opened beside other readers. Raises CorruptKnowledgeBase."""
        return cls(folder, writable=False)

    @property
    def _store(self) -> ox.Store:
        if self._open is None:
            raise ValueError("the store is closed")
        return self._open

    def close(self) -> None:
        """Lets go of the folder. Results that are still being read keep it open until they are dropped."""
        if self._open is not None and self._writable and not self._in_memory:
            # What is only in the log would be missing from checkpoints that a read-only store makes later.
            self._open.flush()
        self._open = None

    def rdf(self) -> rdflib.Dataset:
        """The store as an rdflib dataset, by oxrdflib; what may be written to it is what the store allows."""
        import oxrdflib
        import rdflib

        return rdflib.Dataset(store=oxrdflib.OxigraphStore(store=self._store))

    def __enter__(self) -> OxigraphStore:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._store)

    def __contains__(self, quad: ox.Quad) -> bool:
        return quad in self._store

    def query(
        self,
        sparql: str,
        substitutions: Mapping[str, ox.NamedNode | ox.Literal] | None = None,
        prefixes: Mapping[str, str] | None = None,
    ) -> Results:
        """Results of a SPARQL 1.1 query; ``substitutions`` binds variables (names without ``?``). Raises BadQuery.

        ``prefixes`` needn't be declared in the query.

        Don't hand strangers' queries to it: SERVICE is followed and nothing stops a long one.
        """
        bound = {ox.Variable(name): term for name, term in (substitutions or {}).items()}
        store = self._store
        while True:
            try:
                return store.query(sparql, substitutions=bound, prefixes=dict(prefixes or {}))  # type: ignore[arg-type]
            except SyntaxError as error:
                raise BadQuery(*place(error, sparql)) from error
            except (ValueError, RuntimeError) as error:  # a query that parses and means nothing (an unknown function)
                hidden = _HIDDEN.search(str(error))
                if not hidden or ox.Variable(hidden[1]) not in bound:
                    raise BadQuery(f"the query can't be run: {error}", "see the SPARQL 1.1 specification") from error
                sparql = _inserted(sparql, hidden[1], bound.pop(ox.Variable(hidden[1])))

    def change(self, remove: Iterable[ox.Quad], add: Iterable[ox.Quad]) -> None:
        """Removes quads, then adds quads, in one transaction. A quad in both is there afterwards.

        An empty store is loaded in bulk, which is faster and not atomic.
        """
        gone, new = set(remove), set(add)
        gone -= new
        if next(self.quads(), None) is None:  # the store's length would be counted
            self._store.bulk_extend(_sorted(new))
            return
        plain = [q for q in gone if not _has_blank(q)]
        for quad in gone.difference(plain):  # SPARQL can't name a blank node, so these go one by one
            self._store.remove(quad)
        if not plain:
            self._store.extend(_sorted(new))
            return
        named = [q for q in new if not _has_blank(q)]
        self._store.update(f"DELETE DATA {{{data_block(plain)}}} ;\nINSERT DATA {{{data_block(named)}}}")
        self._store.extend(new.difference(named))

    def load(self, quads: Iterable[ox.Quad]) -> None:
        """Adds many quads as they come, which is faster and not atomic; few of them are in memory at a time."""
        rest = iter(quads)
        while batch := list(islice(rest, _BATCH)):
            self._store.bulk_extend(batch)

    def evaluate(self, query: str, **parameters: Any) -> Results:
        """The same with all parameters of pyoxigraph's own ``query``, and its errors."""
        return self._store.query(query, **parameters)

    def lookup(self, patterns: Iterable[Pattern]) -> Iterator[ox.Quad]:
        """Quads that fit any of the patterns; one that fits two may come twice."""
        for subject, predicate, graph in patterns:
            yield from self._store.quads_for_pattern(subject, predicate, None, graph)

    def quads(self, graph: Graph | None = None) -> Iterator[ox.Quad]:
        """All quads, or those of one graph, in no particular order."""
        return self._store.quads_for_pattern(None, None, None, graph)

    def checkpoint(self, folder: Path) -> None:
        """Copies the store (files hard-linked where that works). ``folder`` must not exist. Raises FileExistsError."""
        if self._in_memory:
            copied(self.quads(), folder)
            return
        _check_new(folder)
        self._store.backup(str(folder))


def copied(quads: Iterable[ox.Quad], folder: Path) -> None:
    """Makes a store of quads in a folder. Raises FileExistsError where there is one."""
    _check_new(folder)
    with OxigraphStore(folder) as copy:
        copy.change((), quads)


def _check_new(folder: Path) -> None:
    if folder.exists():
        raise FileExistsError(f"{folder} is there already")
    folder.parent.mkdir(parents=True, exist_ok=True)


def _opened(folder: Path | None, writable: bool) -> ox.Store:
    if folder is None:
        return ox.Store()
    if not writable and not (folder / "CURRENT").is_file():
        raise CorruptKnowledgeBase(f"there is no graph store in {folder.name}", "build the documents again (kg build)")
    try:
        if not writable:
            return ox.Store.read_only(str(folder))
        folder.parent.mkdir(parents=True, exist_ok=True)
        return ox.Store(str(folder))
    except (OSError, RuntimeError) as error:
        if "lock" in str(error).lower():
            raise StoreLocked("another process is writing to the graph", "wait until it is done, or stop it") from error
        raise CorruptKnowledgeBase(
            f"the graph store in {folder.name} doesn't open", "build the documents again (kg build)"
        ) from error


def _sorted(quads: Iterable[ox.Quad]) -> list[ox.Quad]:
    # The order decides how the files are laid out: a fixed one makes runs alike.
    return sorted(quads, key=str)


def _has_blank(quad: ox.Quad) -> bool:
    return any(isinstance(term, ox.BlankNode) for term in (quad.subject, quad.object, quad.graph_name))


def data_block(quads: Iterable[ox.Quad]) -> str:
    """Quads as a block of SPARQL data, graph by graph; strings are escaped by pyoxigraph's own N-Triples writer."""
    parts = []
    ordered = sorted(quads, key=lambda quad: (str(quad.graph_name), str(quad)))
    for graph, alike in groupby(ordered, key=lambda quad: quad.graph_name):
        triples = "\n".join(f"{quad.triple} ." for quad in alike)
        parts.append(triples if isinstance(graph, ox.DefaultGraph) else f"GRAPH {graph} {{\n{triples}\n}}")
    return "\n".join(parts)


# Oxigraph binds only variables that a SELECT projects (SEP-0007); it names the first one that isn't.
_HIDDEN = re.compile(r"does not contains? variable \?(\w+) in its SELECT projection")
_TOKEN = re.compile(rf"{LEFT_ALONE} | [?$](?P<name>\w+)", re.VERBOSE | re.DOTALL)


def _inserted(sparql: str, name: str, term: ox.NamedNode | ox.Literal) -> str:
    """The query with a variable that it doesn't project replaced by a term, outside strings, IRIs and comments."""
    return _TOKEN.sub(lambda token: str(term) if token["name"] == name else token[0], sparql)


def place(error: SyntaxError, sparql: str) -> tuple[str, str]:
    """Sentence and hint: what is wrong, and the line where it shows."""
    reason = re.sub(r"^error at \d+:\d+: ", "", str(error.msg or error))
    found = re.match(r"error at (\d+):(\d+)", str(error.msg or error))
    line, column = (int(found[1]), int(found[2])) if found else (error.lineno or 1, error.offset or 1)
    lines = sparql.splitlines() or [""]
    shown = lines[min(line, len(lines)) - 1].strip()
    return f"the query doesn't parse at line {line}, column {column}: {reason}", f"look at: {shown[:120]}"
