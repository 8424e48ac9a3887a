"""Query and update evaluation, syntax and result formats. Every function gives "" or what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

import pyoxigraph as ox

from .manifests import Data, Suites, Test
from .results import FORMATS, same_datasets, same_tables, table_of, table_of_graph
from .server import Client, Reply

_NOTHING = "urn:citegraph:no-such-graph"
_RDF = {".ttl": ox.RdfFormat.TURTLE, ".nt": ox.RdfFormat.N_TRIPLES, ".rdf": ox.RdfFormat.RDF_XML}
_FROM = re.compile(r"\bFROM\b", re.IGNORECASE)
_ALL = "SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"
_JSON = FORMATS[".srj"][0]


def triples_of(suites: Suites, iri: str) -> set[ox.Triple]:
    """The triples of a data file."""
    found = ox.parse(suites.bytes_of(iri), _RDF[PurePosixPath(iri).suffix], base_iri=iri, rename_blank_nodes=True)
    return {quad.triple for quad in found}


def quads_of(suites: Suites, data: Data) -> set[ox.Quad]:
    """A dataset of files."""
    graphs = [(ox.DefaultGraph(), file) for file in data.default]
    graphs += [(ox.NamedNode(name), file) for name, file in data.named]  # type: ignore[misc]
    return {ox.Quad(t.subject, t.predicate, t.object, g) for g, file in graphs for t in triples_of(suites, file)}


def load(client: Client, quads: Iterable[ox.Quad]) -> None:
    """Makes the quads all that the server holds."""
    lines = []
    for quad in quads:
        triple = f"{quad.subject} {quad.predicate} {quad.object} ."
        default = isinstance(quad.graph_name, ox.DefaultGraph)
        lines.append(triple if default else f"GRAPH {quad.graph_name} {{ {triple} }}")
    reply = client.update("DROP ALL ; INSERT DATA {\n" + "\n".join(lines) + "\n}")
    assert reply.status == 204, reply.body.decode()


def load_all(client: Client, suites: Suites, tests: Iterable[Test]) -> None:
    """Loads every data file of query tests, each as the graph of its own IRI."""
    files = sorted({f for t in tests for f in (*t.data.default, *(f for _, f in t.data.named))})
    load(client, quads_of(suites, Data((), tuple((f, f) for f in files))))


def _with_base(text: str, iri: str) -> str:
    return f"BASE <{iri}>\n{text}"


def _says(reply: Reply) -> str:
    try:
        return f"{reply.status}: {json.loads(reply.body).get('detail', '')}"
    except ValueError:
        return str(reply.status)


def query(client: Client, suites: Suites, test: Test) -> str:
    """A query on graphs loaded before, its dataset given by the protocol's parameters or by its own FROM."""
    text = suites.text_of(test.query)
    graphs = {"default-graph-uri": test.data.default, "named-graph-uri": tuple(f for _, f in test.data.named)}
    if not any(graphs.values()):
        graphs = {"default-graph-uri": (_NOTHING,)}
    own = _FROM.search(text) is not None
    suffix = PurePosixPath(test.result).suffix
    accept = "text/turtle, application/sparql-results+json;q=0.9" if suffix == ".ttl" else FORMATS[suffix][0]
    if suffix == ".rdf":
        return "results in RDF/XML are not known"
    reply = client.query(_with_base(text, test.query), accept, None if own else graphs)
    if reply.status != 200:
        return _says(reply)
    if reply.media_type not in accept:
        return f"came as {reply.media_type}"
    return "" if _same(reply, suites.bytes_of(test.result), test.result) else "the result differs"


def _same(reply: Reply, expected: bytes, file: str) -> bool:
    suffix = PurePosixPath(file).suffix
    if suffix != ".ttl":
        wanted = table_of(expected, suffix)
        return same_tables(table_of(reply.body, suffix), wanted)
    table = table_of_graph(expected, file)
    if table is not None:
        return reply.media_type == _JSON and same_tables(table_of(reply.body, ".srj"), table)
    if reply.media_type != "text/turtle":
        return False
    return same_datasets(_parsed(reply.body, file), _parsed(expected, file))


def _parsed(data: bytes, base: str) -> Iterator[ox.Quad]:
    return ox.parse(data, ox.RdfFormat.TURTLE, base_iri=base)


def update(client: Client, suites: Suites, test: Test) -> str:
    """An update on a dataset, and the dataset that it leaves."""
    load(client, quads_of(suites, test.data))
    reply = client.update(_with_base(suites.text_of(test.query), test.query))
    if reply.status != 204:
        return _says(reply)
    return "" if same_datasets(held(client), quads_of(suites, test.after)) else "the dataset differs"


def held(client: Client) -> set[ox.Quad]:
    """All that the server holds."""
    rows = ox.parse_query_results(client.query(_ALL, _JSON).body, ox.QueryResultsFormat.JSON)
    assert isinstance(rows, ox.QuerySolutions)
    return {ox.Quad(row["s"], row["p"], row["o"], row["g"] or ox.DefaultGraph()) for row in rows}


def query_syntax(client: Client, suites: Suites, test: Test) -> str:
    """Whether a query is taken for what it is."""
    if test.query.endswith(".ru"):
        return update_syntax(client, suites, test)
    text = _with_base(suites.text_of(test.query), test.query)
    own = {} if _FROM.search(text) else {"default-graph-uri": (_NOTHING,)}
    reply = client.query(text, "text/turtle, application/sparql-results+json", own)
    expected = 200 if test.kind.startswith("Positive") else 400
    return "" if reply.status == expected else _says(reply)


def update_syntax(client: Client, suites: Suites, test: Test) -> str:
    """Whether an update is taken for what it is; one that the (empty) dataset doesn't allow is."""
    reply = client.update_form(_with_base(suites.text_of(test.query), test.query))
    expected = (204, 409) if test.kind.startswith("Positive") else (400,)
    return "" if reply.status in expected else _says(reply)
