"""Malformed and hostile requests, made by chance from a seed: the same seed gives the same requests."""

from __future__ import annotations

import random
from collections.abc import Callable
from urllib.parse import quote, urlencode

from .forgery import Request

SEEDS = [
    "SELECT ?s (COUNT(DISTINCT ?o) AS ?n) WHERE { ?s ?p ?o . FILTER(?o > 3 && REGEX(STR(?s), 'l[0-9]+')) } GROUP BY ?s",
    "PREFIX x: <https://lamps.example/> ASK { ?s x:next/x:next* ?o . OPTIONAL { ?o x:height ?h } }",
    "CONSTRUCT { ?s ?p [ <urn:a> ?o ] } WHERE { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } } LIMIT 5",
    "DESCRIBE <urn:x> ?s { ?s ?p 'it''s' , \"two\"@en-GB , '3'^^<http://www.w3.org/2001/XMLSchema#integer> } OFFSET 2",
    "SELECT * FROM <urn:g> FROM NAMED <urn:h> { VALUES (?a ?b) { (1 UNDEF) (-2e3 true) } BIND(IF(?a, ?b, 1/0) AS ?c) }",
    "SELECT * { ?s ^<urn:p>|!(<urn:q>|^a)+ ?o MINUS { ?s a ?t } FILTER NOT EXISTS { ?o ?x '''long\n''' } } ORDER BY ?s",
    "INSERT DATA { GRAPH <urn:g> { <urn:s> <urn:p> 'x' } } ; DELETE WHERE { ?s ?p ?o } ; CLEAR SILENT NAMED",
    "WITH <urn:g> DELETE { ?s ?p ?o } INSERT { ?s ?p 1 } USING NAMED <urn:h> WHERE { ?s ?p ?o } ; COPY DEFAULT TO <a:>",
]
_WORDS = """
SELECT ASK CONSTRUCT DESCRIBE WHERE { } ( ) [ ] . ; , * + ? ^ | / ! = < > <= >= && || - ?a $b <urn:x> <> a _:b :c
x:y 's' "t" '''u''' 1 2.5 1e9 -0 true @en ^^ FILTER OPTIONAL UNION MINUS GRAPH BIND AS VALUES UNDEF EXISTS NOT IN
GROUP BY HAVING ORDER LIMIT OFFSET DISTINCT REDUCED FROM NAMED PREFIX BASE COUNT SUM GROUP_CONCAT SEPARATOR STR LANG
IRI BNODE CONCAT SUBSTR REPLACE REGEX COALESCE IF INSERT DELETE DATA LOAD CLEAR DROP CREATE ADD MOVE COPY TO SILENT
INTO WITH USING SERVICE # \\u0041 \\ % << >> <<( )>> {| |} ~ VERSION LATERAL
"""
TOKENS = _WORDS.split()
ODD = [
    "\0",
    "\x1b",
    "\r\n",
    "\u2028",
    "\ufeff",
    "\U0010ffff",
    "é",
    "א",
    "'" * 7,
    '"' * 5,
    "\\",
    "%s%n",
    "9" * 400,
    "1e999999",
]
_ACCEPTS = [
    "*/*", "", "text/html", "application/sparql-results+json", "text/csv;q=2;q=x", "a/b,,;q", "*/*;q=0", "text/turtle",
    "application/n-quads", "," * 500, "application/ld+json;profile=\"x", "image/*, */*;q=0.001", "TEXT/CSV", "é/é",
]  # fmt: skip
_TYPES = [
    "application/sparql-query",
    "application/sparql-update",
    "application/x-www-form-urlencoded",
    "text/turtle",
    "",
    "application/rdf+xml",
    "application/ld+json",
    "application/n-triples",
    "multipart/form-data; boundary=x",
    "text/plain",
    "application/json",
    "multipart/form-data",
    'text/turtle; charset="utf-8',
    "application/sparql-query; charset=utf-7",
    ";",
]
_PLACES = [
    "/sparql",
    "/graphs",
    "/graphs/a/b",
    "/graphs?default",
    "/graphs?graph=urn:x",
    "/export",
    "/search",
    "/ask",
    "/x",
]
_NAMES = [
    "query",
    "update",
    "default-graph-uri",
    "named-graph-uri",
    "using-graph-uri",
    "graph",
    "default",
    "format",
    "q",
    "é",
]
_METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS", "QUERY"]
_PAYLOADS = [
    b"<urn:s> <urn:p> 'x' .",
    b"@prefix : <urn:> . :a :b [ :c ( 1 2 ) ] .",
    b'{"@id": "urn:x", "urn:p": [1, {"@value": "x"}]}',
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="urn:x"/></rdf:RDF>',
    b"--x\r\nContent-Type: text/turtle\r\n\r\n<urn:s> <urn:p> 1 .\r\n--x--\r\n",
    b'{"question": "Who?", "limit": 3}',
]


def _mutated(text: str, chance: random.Random) -> str:
    for _ in range(chance.choice([0, 1, 1, 2, 3, 6])):
        at, end = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        end = min(end, at + 30)
        cut = text[at:end]
        piece = chance.choice(
            ["", cut * 2, chance.choice(TOKENS), chance.choice(ODD), f" {chance.choice(TOKENS)} ", cut[::-1]]
        )
        text = text[:at] + piece + text[end:]
    return text


def _soup(chance: random.Random) -> str:
    return " ".join(chance.choice(TOKENS) for _ in range(chance.randint(1, 40)))


def _nested(chance: random.Random) -> str:
    opening, closing = chance.choice(
        ["{}", "()", "[]", ["!", ""], ["-", ""], ["{ ?s ?p ?o OPTIONAL {", "}}"], ["NOT EXISTS {", "}"]]
    )
    depth = chance.choice([10, 127, 128, 129, 1000, 5000])
    return f"ASK {{ FILTER( {opening * depth} ?a {closing * depth} ) }}"


def _long(chance: random.Random) -> str:
    piece = chance.choice(
        ["?s ?p ?o . ", "<urn:x>/", " + 1", " UNION {}", "'x', ", "UNDEF ", "a:", "<", "'", "\\", "?a<", "(?a "]
    )
    return chance.choice(SEEDS)[: chance.randint(5, 60)] + piece * chance.randint(100, 3000)


def _query(chance: random.Random) -> str:
    make: Callable[[random.Random], str] = chance.choice([_soup, _nested, _long, *[_mutate_seed] * 5])
    return make(chance)


def _mutate_seed(chance: random.Random) -> str:
    return _mutated(chance.choice(SEEDS), chance)


def _bytes(text: str, chance: random.Random) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    if chance.random() < 0.1:
        at = chance.randint(0, len(data))
        data = data[:at] + chance.randbytes(chance.randint(1, 20)) + data[at:]
    return data if chance.random() < 0.97 else text.encode("utf-16")


def request(seed: int) -> Request:
    """The request of a seed."""
    chance = random.Random(seed)
    accept = {"Accept": "*/*" if chance.random() < 0.6 else chance.choice(_ACCEPTS).encode().decode("latin-1")}
    kind = chance.random()
    query = _query(chance)
    if kind < 0.35:
        return "GET", "/sparql?query=" + quote(_bytes(query, chance)[:6000]), accept, b""
    if kind < 0.6:
        return "POST", "/sparql", {"Content-Type": "application/sparql-query", **accept}, _bytes(query, chance)
    if kind < 0.75:
        body = {chance.choice(_NAMES[:3]): query, chance.choice(_NAMES): chance.choice(["urn:x", "x", query[:50]])}
        form = urlencode(body, errors="replace").encode()
        return "POST", "/sparql", {"Content-Type": "application/x-www-form-urlencoded", **accept}, form
    if kind < 0.85:
        payload = bytearray(chance.choice(_PAYLOADS) * chance.choice([1, 1, 3]))
        for _ in range(chance.randint(0, 5)):
            payload[chance.randrange(len(payload))] = chance.randrange(256)
        media_type = {"Content-Type": chance.choice(_TYPES)}
        return chance.choice(["PUT", "POST"]), "/graphs?graph=urn:x", {**media_type, **accept}, bytes(payload)
    place, parameters = (
        chance.choice(_PLACES),
        [(chance.choice(_NAMES), _soup(chance)[:80]) for _ in range(chance.randint(0, 4))],
    )
    path = place + ("&" if "?" in place else "?") + urlencode(parameters)
    method = chance.choice(_METHODS)
    body_ = _bytes(query, chance) if method in ("POST", "PUT", "PATCH", "QUERY") else b""
    return method, path, {"Content-Type": chance.choice(_TYPES), **accept}, body_
