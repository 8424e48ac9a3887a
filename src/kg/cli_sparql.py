"""``kg sparql``: results in the format asked for, as a table where none was."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from kg.errors import Unsupported
from kg.guard import check_query
from kg.queries import query_prefixes, run_query

if TYPE_CHECKING:
    from kg.knowledge_base import KnowledgeBase

ROWS = {"json": "JSON", "xml": "XML", "csv": "CSV", "tsv": "TSV"}
GRAPHS = {
    "turtle": "TURTLE",
    "ttl": "TURTLE",
    "nt": "N_TRIPLES",
    "rdfxml": "RDF_XML",
    "jsonld": "JSON_LD",
    "trig": "TRIG",
    "nq": "N_QUADS",
    "n3": "N3",
}


def print_result(knowledge_base: KnowledgeBase, query: str, format: str | None) -> None:
    """Runs the query and prints its result. Raises Unsupported for a format that can't hold it."""
    from kg.console import say

    if format in (None, "table"):
        form = check_query(query)
        as_graph = form is not None and form.gives_graph and format is None
        body, graph = run_query(knowledge_base, query, "JSON", "TURTLE" if as_graph else None)
        if graph:
            _write(body)
        else:
            _table(json.loads(body), query_prefixes(knowledge_base))
        return
    if format not in ROWS and format not in GRAPHS:
        raise Unsupported(f"there is no format {format}", "choose one of table, " + ", ".join([*ROWS, *GRAPHS]))
    body, _ = run_query(knowledge_base, query, ROWS.get(format), GRAPHS.get(format))
    _write(body)
    if format == "json":
        say()


def _write(body: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(body)
    sys.stdout.buffer.flush()


def _table(result: dict[str, Any], prefixes: dict[str, str]) -> None:
    from kg.console import counted, say, table

    if "boolean" in result:
        say("yes" if result["boolean"] else "no")
        return
    heads = result["head"]["vars"]
    rows = [[_cell(row.get(head), prefixes) for head in heads] for row in result["results"]["bindings"]]
    if heads:
        table(heads, rows)
    say(counted(len(rows), "row"))


def _cell(term: dict[str, Any] | None, prefixes: dict[str, str]) -> str:
    if term is None:
        return ""
    if term["type"] == "triple":
        return " ".join(_cell(term["value"][part], prefixes) for part in ("subject", "predicate", "object"))
    value = str(term["value"])
    if term["type"] != "uri":
        return value
    fitting = [(len(iri), prefix, iri) for prefix, iri in prefixes.items() if value.startswith(iri)]
    _, prefix, iri = max(fitting, default=(0, "", ""))
    return f"{prefix}:{value[len(iri) :]}" if iri else value
