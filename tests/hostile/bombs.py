"""Queries that would take all time or memory, each in another way; and a server's resident memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PREFIX = "PREFIX x: <https://lamps.example/>\n"
_A, _B = "?a ?b ?c", "?d ?e ?f"
_CROSS = " . ".join(f"?s{i} ?p{i} ?o{i}" for i in range(6))
_TEXT = "CONCAT(" + ", ".join(f"STR(?o{i})" for i in range(6)) + ")"
_WIDE = "x" * 60_000

BOMBS = {
    "cross join": f"SELECT (COUNT(*) AS ?n) {{ {_CROSS} }}",
    "cross join of subqueries": "SELECT * { "
    + " ".join(f"{{ SELECT ?v{i} {{ ?v{i} ?w{i} ?u{i} }} }}" for i in range(6))
    + " }",
    "rows without end": f"SELECT * {{ {_CROSS} }}",
    "sort of a cross join": f"SELECT * {{ {_CROSS} }} ORDER BY DESC(CONCAT(STR(?o0), STR(?o1)))",
    "distinct of a cross join": f"SELECT DISTINCT * {{ {_CROSS} }}",
    "groups of a cross join": f"SELECT ?s0 ?s1 ?s2 (COUNT(*) AS ?n) {{ {_CROSS} }} GROUP BY ?s0 ?s1 ?s2",
    "filter on a cross join": f"SELECT * {{ {_CROSS} FILTER(?o0 + ?o1 + ?o2 = -1) }}",
    "triples of a cross join": f"CONSTRUCT {{ ?s0 ?p1 ?o2 }} WHERE {{ {_CROSS} }}",
    "union of many": "SELECT (COUNT(*) AS ?n) { " + " UNION ".join([f"{{ {_CROSS} }}"] * 50) + " }",
    "optionals of many": "SELECT * { " + " ".join(f"OPTIONAL {{ ?a{i} ?b{i} ?c{i} }}" for i in range(30)) + " }",
    "minus of a cross join": f"SELECT * {{ {_CROSS} MINUS {{ {_A} . {_B} FILTER(?c = ?f) }} }}",
    "path between any two": "SELECT (COUNT(*) AS ?n) { ?s (x:next|!x:next)* ?o . ?o (x:next|^x:next)* ?q }",
    "nested path": "SELECT (COUNT(*) AS ?n) { ?a "
    + "(" * 20
    + "x:next"
    + ")*" * 20
    + " ?b . ?b x:next* ?c . ?c x:next* ?d }",
    "negated path": "SELECT (COUNT(*) AS ?n) { ?a !(x:a|x:b|^x:c)* ?b . ?c !x:d* ?d . ?e !x:f* ?f }",
    "regular expression": f'SELECT (COUNT(*) AS ?n) {{ {_CROSS} FILTER(REGEX({_TEXT}, "^(.+)+(a|b|ab)*[^x]$")) }}',
    "regular expressions": f"SELECT (COUNT(*) AS ?n) {{ {_CROSS} FILTER(REGEX({_TEXT}, CONCAT('(', {_TEXT}, ')*'))) }}",
    "text that doubles": "SELECT (STRLEN(?v30) AS ?n) { BIND('x' AS ?v0) "
    + " ".join(f"BIND(CONCAT(?v{i}, ?v{i}, ?v{i}, ?v{i}) AS ?v{i + 1})" for i in range(30))
    + " }",
    "text of all rows": f"SELECT (GROUP_CONCAT(?t; SEPARATOR='{_WIDE}') AS ?n) {{ {_CROSS} BIND(STR(?s0) AS ?t) }}",
    "replacement that grows": "SELECT ?z { BIND('"
    + "x" * 1000
    + "' AS ?a) "
    + "BIND(REPLACE(?a, 'x', ?a) AS ?b) BIND(REPLACE(?b, 'x', ?a) AS ?c) BIND(REPLACE(?c, 'x', ?a) AS ?z) }",
    "values times values": "SELECT (COUNT(*) AS ?n) { "
    + " ".join(f"VALUES ?v{i} {{ {' '.join(str(n) for n in range(400))} }}" for i in range(6))
    + " }",
    "not exists of a cross join": f"SELECT * {{ {_CROSS} FILTER NOT EXISTS {{ ?o0 ?x ?y . ?y ?z ?o1 }} }}",
    "braces": "ASK " + "{" * 3000 + "}" * 3000,
    "parentheses": "ASK { FILTER(" + "(" * 3000 + "1" + ")" * 3000 + ") }",
    "operators": "ASK { FILTER(1" + " + 1" * 45_000 + ") }",
    "paths in a row": "ASK { ?s x:next" + "/x:next" * 20_000 + " ?o }",
    "a list of lists": "ASK { ?s ?p " + "(" * 5000 + ")" * 5000 + " }",
    "triples in a row": "ASK { " + "?s ?p ?o . " * 17_000 + "}",
    "unions in a row": "ASK { {}" + " UNION {}" * 19_000 + " }",
    "variables": "SELECT * { " + " ".join(f"?a{i} ?b{i} ?c{i} ." for i in range(5000)) + " }",
}


def data(size: int = 400) -> str:
    """Triples to multiply: a ring of lamps with heights."""
    lines = (f"<l{i}> x:next <l{(i + 1) % size}> ; x:height {i} ; x:name 'lamp {i}' ." for i in range(size))
    return "INSERT DATA {\n" + "\n".join(lines) + "\n}"


def _processes(root: int) -> Iterator[int]:
    """A process and all that descend from it."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    for pid in parents:
        above: int | None = pid
        while above is not None and above != root:
            above = parents.get(above)
        if above == root:
            yield pid


def resident(pid: int) -> int:
    """Bytes of memory that a process and all that it started hold (Linux)."""
    total = 0
    for process in _processes(pid):
        try:
            total += int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            continue  # it has just ended
    return total


_RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="urn:x">'
_CLIQUE = "\n".join(f"_:a{i} <urn:p> _:a{j} ." for i in range(14) for j in range(14) if i != j)
PAYLOADS = {
    "brackets": ("text/turtle", "<urn:a> <urn:b> " + "[" * 200_000),
    "nested blank nodes": ("text/turtle", "<urn:a> <urn:b> " + "[ <urn:p> " * 100_000 + "1" + " ]" * 100_000 + " ."),
    "nested lists": ("text/turtle", "<urn:a> <urn:b> " + "(" * 300_000 + ")" * 300_000 + " ."),
    "nested triples": (
        "text/turtle",
        "<urn:a> <urn:b> " + "<<( <urn:a> <urn:b> " * 20_000 + "1" + " )>>" * 20_000 + " .",
    ),
    "nested objects": ("application/ld+json", '{"urn:p":' * 100_000 + "1" + "}" * 100_000),
    "nested arrays": ("application/ld+json", "[" * 900_000 + "]" * 900_000),
    "nested elements": (
        "application/rdf+xml",
        _RDF + "<rdf:Description><x:p>" * 40_000 + "</x:p></rdf:Description>" * 40_000 + "</rdf:RDF>",
    ),
    "entities": (
        "application/rdf+xml",
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>' + _RDF + "</rdf:RDF>",
    ),
    "blank nodes that all look alike": ("application/n-triples", _CLIQUE),
}
