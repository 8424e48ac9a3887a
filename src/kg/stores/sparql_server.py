"""A store on a server that speaks the SPARQL 1.1 Protocol: Oxigraph's, Virtuoso, and others that keep to the standard.

The server's dataset belongs to one graph alone. What was changed last is told by a triple in
:data:`kg.stores.endpoint.STATE`, which readers look at after each query: a result counts only if the generation was
the same before and after, so that nobody sees a change half done, whether or not the engine has transactions.

What is done to the text of a SPARQL query before a server sees it: terms put in, prefixes declared, graphs hidden.

Strings, IRIs and comments are left alone; for the rest a few tokens of SPARQL 1.1 §19.8 are enough.
"""

from __future__ import annotations

import itertools
import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from kg.errors import BadQuery, QueryRefused, StoreMoved, Unsupported
from kg.stores.endpoint import (
    BLANK,
    DEFAULT,
    EXACT,
    MARKS,
    RESULTS,
    TRIPLES,
    Answer,
    Endpoint,
    Engine,
    Mark,
    Refused,
    canonical,
    canonical_quad,
    marked,
)
from kg.stores.guard import LEFT_ALONE, check_query
from kg.stores.oxigraph import copied, data_block, place

if TYPE_CHECKING:
    import rdflib

    from kg.protocols import Pattern
    from kg.settings import StoreSettings

TOKEN = re.compile(
    rf"(?P<left>{LEFT_ALONE}) | [?$](?P<name>\w+)"
    r" | (?P<word>[A-Za-z_][\w\-.]*:?[\w\-.]*|:[\w\-.]+) | (?P<mark>[{}()])",
    re.VERBOSE | re.DOTALL,
)
RESERVED = "citegraph_"
"""What names of variables begin with that are put into a query."""
_ENDS_PROJECTION = frozenset({"WHERE", "FROM"})
_ENDS_ORDER = frozenset({"LIMIT", "OFFSET", "HAVING", "VALUES", "ORDER"})


def declared(query: str, prefixes: Mapping[str, str], base: str | None = None) -> str:
    """The query with prefixes and base declared before it, on its first line: places in it keep their lines."""
    head = [f"BASE <{base}>"] if base else []
    head += [f"PREFIX {name}: <{iri}>" for name, iri in sorted(prefixes.items())]
    return " ".join([*head, query])


def bound(query: str, terms: Mapping[str, ox.NamedNode | ox.Literal]) -> str:
    """The query with variables (names without ``?``) replaced by terms; one that is selected is selected still."""
    if not terms:
        return query
    query = _EVERYTHING.sub(lambda found: f"{found[0][:-1]}{_variables(query)}", query, count=1)
    place = _Place()
    parts, at = [], 0
    for token in TOKEN.finditer(query):
        place.follow(token)
        name = token["name"]
        if name in terms:
            parts += [query[at : token.start()], place.written(name, str(terms[name]))]
            at = token.end()
    return "".join([*parts, query[at:]])


_EVERYTHING = re.compile(r"\bSELECT(\s+(DISTINCT|REDUCED))?\s*\*", re.IGNORECASE)


def _variables(query: str) -> str:
    names = dict.fromkeys(token["name"] for token in TOKEN.finditer(query) if token["name"])
    return "".join(f" ?{name}" for name in names)


class _Place:
    """Where in a query a token stands: among what is selected, in a list of ORDER BY or GROUP BY, or elsewhere."""

    def __init__(self) -> None:
        self._selecting = self._ordering = False
        self._depth = 0

    def follow(self, token: re.Match[str]) -> None:
        """Takes note of a token."""
        word, mark = (token["word"] or "").upper(), token["mark"]
        if mark in ("(", ")"):
            self._depth += 1 if mark == "(" else -1
        elif mark:
            self._selecting = self._ordering = False
            self._depth = 0
        elif word == "SELECT":
            self._selecting, self._ordering, self._depth = True, False, 0
        elif word == "BY":
            self._ordering, self._depth = True, 0
        elif word in _ENDS_PROJECTION:
            self._selecting = False
        elif word in _ENDS_ORDER:
            self._ordering = False

    def written(self, name: str, term: str) -> str:
        """A term as it takes the place of a variable here."""
        if self._depth == 0 and self._selecting:
            return f"({term} AS ?{name})"
        return f"({term})" if self._depth == 0 and self._ordering else term


def hiding(query: str, condition: str, *, all_variable: bool = False) -> str:
    """The query with a condition on every variable graph: in ``condition`` that variable is called ``?graph``.

    The filter stands after the group of ``GRAPH ?g { … }``: within it the variable isn't bound (SPARQL 1.1 §18.6).
    With ``all_variable`` graphs that are named become variables (:data:`RESERVED`) that equal the name.
    """
    parts, at = [], 0
    for start, end, text in sorted(_graph_changes(query, condition, all_variable)):
        parts += [query[at:start], text]
        at = end
    return "".join([*parts, query[at:]])


def _graph_changes(query: str, condition: str, all_variable: bool) -> Iterator[tuple[int, int, str]]:
    """What takes the place of which stretch of a query, for :func:`hiding`."""
    opened: list[str | None] = []  # conditions of the groups; None: of EXISTS
    known: set[str] = set()
    expected, pending, count, word = False, "", 0, ""
    for token in TOKEN.finditer(query):
        left, before = token["left"] or "", word
        if left.startswith("#"):
            continue
        word = (token["word"] or "").upper()
        if token["mark"] == "{":
            opened.append(None if before == "EXISTS" else pending)
        elif token["mark"] == "}" and opened and (closed := opened.pop()):
            yield token.end(), token.end(), f" FILTER({closed}) "
        pending = ""
        # What EXISTS asks of a variable from without holds already (and Virtuoso errs where it is said twice).
        if expected and token["name"] and not (None in opened and token["name"] in known):
            pending = condition.replace("?graph", "?" + token["name"])
            known.add(token["name"])
        elif expected and all_variable and (left.startswith("<") or word):
            pending = f"?{RESERVED}{count} = {token[0]}"
            yield token.start(), token.end(), f"?{RESERVED}{count}"
            count += 1
        expected = word == "GRAPH"


def values(variables: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A VALUES block that binds variables to rows of terms."""
    body = " ".join(f"({' '.join(map(str, row))})" for row in rows)
    return f"VALUES ({' '.join('?' + v for v in variables)}) {{ {body} }}"


Graph = ox.NamedNode | ox.DefaultGraph
Results = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples
_PAUSE_S, _PATIENCE_S = 0.05, 10.0
_LOOKED_UP = 200  # patterns a query


class SparqlStore:
    """The graph on a server. With ``generation``, only that generation of it. Raises StoreMoved where it is another.

    Every method raises StoreUnavailable and StoreRefused.
    """

    def __init__(self, endpoint: Endpoint, generation: str | None = None, patience_s: float = 10) -> None:
        """``patience_s``: how long to wait for a change that is under way."""
        self._endpoint = endpoint
        self._patience_s = patience_s
        self.engine: Engine = endpoint.engine
        """What kind of server it is."""
        self._seen = None if generation is None else self._wait_for(generation)

    @classmethod
    def at(cls, url: str, settings: StoreSettings, generation: str | None = None) -> SparqlStore:
        """The store whose address for queries is ``url``."""
        return cls(Endpoint(url, settings), generation, min(settings.timeout_s, _PATIENCE_S))

    def close(self) -> None:
        """Closes the connections."""
        self._endpoint.close()

    # --- generations -----------------------------------------------------------------------------

    def marks(self) -> tuple[Mark, ...]:
        """What the server says of its state: one mark, two in the middle of a switch, none before the first."""
        return marked(self._rows(MARKS))

    def _wait_for(self, generation: str) -> Mark:
        until = time.monotonic() + self._patience_s
        while True:
            found = self.marks()
            if len(found) == 1 and found[0].is_at(generation):
                return found[0]
            settled = not found or (len(found) == 1 and not found[0].writing)
            if settled or time.monotonic() > until:
                raise _moved(found)
            time.sleep(_PAUSE_S)

    def _check(self) -> None:
        """Raises StoreMoved if the generation isn't the one that was there at first, or not any longer."""
        if self._seen is not None and (found := self.marks()) != (self._seen,):
            raise _moved(found)

    # --- reading ---------------------------------------------------------------------------------

    def query(
        self,
        sparql: str,
        substitutions: Mapping[str, ox.NamedNode | ox.Literal] | None = None,
        prefixes: Mapping[str, str] | None = None,
    ) -> Results:
        """Results of a SPARQL 1.1 query; ``substitutions`` binds variables (names without ``?``). Raises BadQuery.

        ``prefixes`` needn't be declared in the query. SERVICE is refused.
        """
        text = bound(sparql, substitutions or {})
        try:
            try:
                return self.evaluate(text, prefixes=prefixes or {})
            except (QueryRefused, ValueError):
                _parse(sparql, prefixes or {})
                raise
        except SyntaxError as error:
            raise BadQuery(*place(error, sparql)) from error
        except (ValueError, RuntimeError) as error:
            raise BadQuery(f"the query can't be run: {error}", "see the SPARQL 1.1 specification") from error

    def evaluate(
        self,
        query: str,
        *,
        base_iri: str | None = None,
        prefixes: Mapping[str, str] | None = None,
        default_graph: Sequence[ox.NamedNode] = (),
        named_graphs: Sequence[ox.NamedNode] = (),
    ) -> Results:
        """The same with a base and the protocol's dataset.

        Raises QueryRefused (SERVICE, updates) and, with what the server says of a query that it refuses, ValueError.
        """
        form = check_query(query)
        if form is None:
            raise ValueError("it is neither SELECT, ASK, CONSTRUCT nor DESCRIBE")
        dataset = self._dataset(default_graph, named_graphs)
        text = hiding(query, self.engine.hides, all_variable=not self.engine.own_default)
        text = declared(text, prefixes or {}, base_iri)
        try:
            answer = self._endpoint.query(text, dataset, TRIPLES if form.gives_graph else RESULTS)
        except Refused as error:
            raise ValueError(str(error)) from None
        self._check()
        return _triples(answer) if form.gives_graph else _results(_understood(answer.body, self.engine))

    def _dataset(
        self, default: Sequence[ox.NamedNode] = (), named: Sequence[ox.NamedNode] = ()
    ) -> list[tuple[str, str]]:
        if default or named:
            found = [("default-graph-uri", node.value) for node in default]
            return found + [("named-graph-uri", node.value) for node in named]
        place = self.engine.graph(DEFAULT)
        return [("default-graph-uri", place.value)] if place else []

    def _rows(self, query: str) -> Iterator[list[Any]]:
        """Rows of a query of ours, whatever the generation."""
        answer = self._endpoint.query(query, ())
        for row in ox.parse_query_results(answer.body, ox.QueryResultsFormat.JSON):  # type: ignore[union-attr]
            yield list(row)

    def __len__(self) -> int:
        return sum(1 for _ in self.quads())

    def quads(self, graph: Graph | None = None) -> Iterator[ox.Quad]:
        """All quads, or those of one graph, in no particular order."""
        graphs: list[Graph] = [DEFAULT, *self.graphs()] if graph is None else [graph]
        return self.lookup([(None, None, each) for each in graphs])

    def graphs(self) -> list[ox.NamedNode]:
        """Names of the named graphs that hold something."""
        listed = f"SELECT DISTINCT ?graph {{ GRAPH ?graph {{ ?s ?p ?o }} FILTER({self.engine.hides}) }}"
        return sorted({row[0] for row in self._rows(listed)}, key=str)

    def lookup(self, patterns: Iterable[Pattern]) -> Iterator[ox.Quad]:
        """Quads that fit any of the patterns; one that fits two may come twice."""

        def shape(pattern: Pattern) -> tuple[bool, ...]:
            return tuple(part is not None for part in pattern)

        for given, alike in itertools.groupby(sorted(patterns, key=lambda p: (shape(p), str(p[2]))), shape):
            rest = iter(alike)
            # A graph may be large, and is asked for alone.
            size = _LOOKED_UP if given[0] else 1
            while some := list(itertools.islice(rest, size)):
                yield from self._looked_up(given, some)

    def _looked_up(self, given: tuple[bool, ...], patterns: Sequence[Pattern]) -> Iterator[ox.Quad]:
        found: set[ox.Quad] = set()
        for graph, alike in itertools.groupby(patterns, key=lambda p: p[2]):
            some = list(alike)
            for query in _lookups(self.engine, given, some, graph):
                for s, p, o, g in self._rows(query):
                    kept = self.engine.read(ox.Quad(s, p, o, g if g is not None else self._place(graph)))
                    found |= {kept} if kept is not None else set()
            if not self.engine.exact:
                found |= set(self._exactly(given, some, graph))
        self._check()
        yield from found

    def _place(self, graph: Graph | None) -> ox.NamedNode | ox.DefaultGraph:
        return self.engine.graph(graph if graph is not None else DEFAULT) or DEFAULT

    def _exactly(self, given: tuple[bool, ...], patterns: Sequence[Pattern], graph: Graph | None) -> Iterator[ox.Quad]:
        """The quads that fit and are kept as text."""
        place = "?g" if graph is None else str(self._place(graph))
        rows = values(("s",), {(str(s),) for s, _, _ in patterns}) if given[0] else ""
        predicates = {p for _, p, _ in patterns} if given[1] else None
        for (line,) in self._rows(f"SELECT ?line {{ GRAPH {EXACT} {{ ?s {place} ?line }} {rows} }}"):
            (quad,) = ox.parse(line.value.encode(), ox.RdfFormat.N_QUADS)
            if predicates is None or quad.predicate in predicates:
                yield quad

    def checkpoint(self, folder: Path) -> None:
        """Copies the graph into an Oxigraph store. ``folder`` must not exist. Raises FileExistsError."""
        copied(self.quads(), folder)

    def rdf(self) -> rdflib.Dataset:
        """Not offered: raises Unsupported."""
        raise Unsupported("the graph is on a server, which rdflib can ask itself", "or export it: kg export")

    # --- writing ---------------------------------------------------------------------------------

    def change(self, remove: Iterable[ox.Quad], add: Iterable[ox.Quad]) -> None:
        """Removes quads, then adds quads. A quad in both is there afterwards.

        As large as one request takes, it is done whole or not at all where the engine has transactions.
        """
        gone = {canonical_quad(quad) for quad in remove}
        new = {canonical_quad(quad) for quad in add}
        for update in self.updates(gone - new, new):
            self._endpoint.update(update)

    def updates(self, remove: Iterable[ox.Quad], add: Iterable[ox.Quad]) -> Iterator[str]:
        """Updates to be sent one after the other, each of what a request may carry."""
        batches = itertools.chain(
            (("DELETE", part) for batch in self._batches(remove) for part in self._deleted(batch)),
            (("INSERT", batch) for batch in self._batches(add)),
        )
        together: list[str] = []
        size = 0
        for verb, batch in batches:
            if together and size + len(batch) > self.engine.batch:
                yield " ;\n".join(together)
                together, size = [], 0
            together.append(f"{verb} DATA {{\n{data_block(batch)}\n}}")
            size += len(batch)
        if together:
            yield " ;\n".join(together)

    def send(self, update: str) -> None:
        """Runs an update that may be run twice."""
        self._endpoint.update(update)

    def _deleted(self, batch: list[ox.Quad]) -> Iterator[list[ox.Quad]]:
        """What each operation that deletes some of a batch is to name."""
        if together := [quad for quad in batch if not self.engine.deleted_alone(quad)]:
            yield together
        yield from ([quad] for quad in batch if self.engine.deleted_alone(quad))

    def _batches(self, quads: Iterable[ox.Quad]) -> Iterator[list[ox.Quad]]:
        rest = self.engine.all_sent(quads)
        while batch := list(itertools.islice(rest, self.engine.batch)):
            yield batch


def _moved(found: Sequence[Mark]) -> StoreMoved:
    if not found:
        return StoreMoved("the server has lost the graph", "run kg build again: it sends the whole graph")
    if len(found) != 1 or found[0].writing:
        return StoreMoved(
            "the graph on the server is being changed", "if no build is running, one was cut off: run kg build again"
        )
    return StoreMoved(
        "the graph on the server is of another generation than the knowledge base",
        "try again; if that stays, run kg build: it puts the server in order",
    )


def _lookups(
    engine: Engine, given: tuple[bool, ...], patterns: Sequence[Pattern], graph: Graph | None
) -> Iterator[str]:
    """Queries for ?s ?p ?o ?g of what fits patterns of one shape in one graph, or in any for None."""
    there = [at for at in (0, 1) if given[at]]
    block = values(["sp"[at] for at in there], [[pattern[at] for at in there] for pattern in patterns]) if there else ""
    if graph is None:
        hides = engine.hides.replace("?graph", "?g")
        yield f"SELECT ?s ?p ?o ?g {{ {block} GRAPH ?g {{ ?s ?p ?o }} FILTER({hides}) }}"
        yield from _lookups(engine, given, patterns, DEFAULT)
    elif (place := engine.graph(graph)) is not None:
        yield f"SELECT ?s ?p ?o ?g {{ GRAPH {place} {{ ?s ?p ?o }} {block} }}"
    else:
        yield f"SELECT ?s ?p ?o ?g {{ {block} ?s ?p ?o }}"


# What could take long, or reach out, although the graph is empty.
_WORK = re.compile(r"SERVICE|\b(VALUES|BIND|AS)\b", re.IGNORECASE)


def _parse(query: str, prefixes: Mapping[str, str]) -> None:
    """Raises SyntaxError with the place where a query doesn't parse, which servers tell in their own ways or not."""
    if not _WORK.search(query):
        ox.Store().query(query, prefixes=dict(prefixes))


def _understood(body: bytes, engine: Engine) -> bytes:
    """Results with the blank nodes that IRIs stand for, and with literals as the embedded store writes them."""
    if engine.exact and BLANK.encode() not in body:
        return body
    found = json.loads(body)
    if "vars" in found["head"]:
        found["head"]["vars"] = [name for name in found["head"]["vars"] if not name.startswith(RESERVED)]
    for row in found.get("results", {}).get("bindings", ()):
        for name in [name for name in row if name.startswith(RESERVED)]:
            del row[name]
        for term in row.values():
            if term["type"] == "uri" and term["value"].startswith(BLANK):
                term.update(type="bnode", value=term["value"].removeprefix(BLANK))
            elif "datatype" in term and not engine.exact:
                literal = ox.Literal(term["value"], datatype=ox.NamedNode(term["datatype"]))
                term["value"] = canonical(literal).value  # type: ignore[union-attr]
    return json.dumps(found).encode()


def _results(body: bytes) -> Results:
    try:
        found: Results = ox.parse_query_results(body, ox.QueryResultsFormat.JSON)
    except (SyntaxError, ValueError) as error:
        raise RuntimeError(f"the server's results can't be read: {error}") from None
    return found


def _triples(answer: Answer) -> Results:
    """The triples as results of a query, which only a store can make."""
    store = ox.Store()
    store.extend(ox.parse(answer.body, ox.RdfFormat.N_TRIPLES))
    return store.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")
