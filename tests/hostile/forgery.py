"""Requests that try to make the server call another, and a listener that counts who calls."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote, urlencode

Request = tuple[str, str, dict[str, str], bytes]
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


class Listener:
    """Accepts connections on this machine and counts them; answers each with a redirect to itself."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self._socket.getsockname()[1]}"
        self.url = f"http://{self.host}/"
        self.calls = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.calls += 1
            with connection:
                connection.recv(65536)
                head = f"HTTP/1.1 302 Found\r\nLocation: {self.url}again\r\nContent-Length: 0\r\n\r\n"
                connection.sendall(head.encode())

    def close(self) -> None:
        """Stops listening."""
        self._socket.close()


@contextmanager
def listening() -> Iterator[Listener]:
    """A listener."""
    listener = Listener()
    try:
        yield listener
    finally:
        listener.close()


def queries(url: str) -> list[str]:
    """Queries that call another server, in all the ways that the engine's grammar allows."""
    port = url.split(":")[2].rstrip("/")
    return [
        f"SELECT * {{ SERVICE <{url}> {{ ?s ?p ?o }} }}",
        f"SELECT * {{ SERVICE SILENT <{url}> {{ ?s ?p ?o }} }}",
        f"ASK {{ service<{url}>{{}} }}",
        f"PREFIX l: <{url}> ASK {{ SERVICEl:x{{ ?s ?p ?o }} }}",
        f"PREFIX l: <{url}> ASK {{ SERVICESILENTl:{{ ?s ?p ?o }} }}",
        f"BASE <{url}> ASK {{ SERVICE <sparql> {{ ?s ?p ?o }} }}",
        f"SELECT * {{ BIND(<{url}> AS ?x) SERVICE ?x {{ ?s ?p ?o }} }}",
        f"SELECT * {{ VALUES ?x {{ <{url}> }} SERVICE ?x {{ ?s ?p ?o }} }}",
        f"SELECT * {{ BIND(IRI(CONCAT('http://127.0.0.1:', '{port}', '/')) AS ?x) SERVICE ?x {{ ?s ?p ?o }} }}",
        f"SELECT * {{ {{ SELECT * {{ SERVICE <{url}> {{ ?s ?p ?o }} }} }} }}",
        f"SELECT * {{ ?s ?p ?o FILTER EXISTS {{ SERVICE <{url}> {{ ?s ?p ?o }} }} }}",
        f"SELECT * {{ OPTIONAL {{ SERVICE <{url}> {{ ?s ?p ?o }} }} }}",
        f"SELECT * {{ GRAPH ?g {{ SERVICE <{url}> {{ ?s ?p ?o }} }} }}",
        f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ SERVICE <{url}> {{ ?s ?p ?o }} }}",
        f"DESCRIBE ?s {{ SERVICE <{url}> {{ ?s ?p ?o }} }}",
        f"ASK {{ FILTER(1<'x>')SERVICE <{url}> {{ ?s ?p ?o }}#'\n }}",
        f"ASK {{ FILTER(1<2)SERVICE<{url}>#>\n{{ ?s ?p ?o }} }}",
        f"ASK {{ ?s ?p 1SERVICE <{url}> {{?s ?p ?o}} }}",
        f"ASK {{ \\u0053ERVICE <{url}> {{ ?s ?p ?o }} }}",
        f"SELECT * FROM <{url}> {{ ?s ?p ?o }}",
        f"SELECT * FROM NAMED <{url}> {{ GRAPH ?g {{ ?s ?p ?o }} }}",
        f"DESCRIBE <{url}>",
        f"SELECT * {{ GRAPH <{url}> {{ ?s ?p ?o }} }}",
        f"PREFIX l: <{url}> SELECT (l:function(1) AS ?x) {{}}",
    ]


def updates(url: str) -> list[str]:
    """Updates that fetch from another server."""
    return [
        f"LOAD <{url}>",
        f"LOAD SILENT <{url}x.ttl> INTO GRAPH <urn:x>",
        f"loadsilent<{url}x.rdf>",
        f"PREFIX l: <{url}> LOADl:x.nt",
        f"CREATE SILENT GRAPH <urn:x>;LOAD<{url}>INTO GRAPH<urn:x>",
        f"DELETE {{}} WHERE {{ FILTER(1<'x>')}};LOAD <{url}> #'",
        f"INSERT {{ ?s ?p ?o }} WHERE {{ SERVICE <{url}> {{ ?s ?p ?o }} }}",
        f"DELETE {{ ?s ?p ?o }} USING <{url}> WHERE {{ ?s ?p ?o }}",
        f"WITH <{url}> DELETE {{ ?s ?p ?o }} WHERE {{ SERVICE SILENT <{url}> {{ ?s ?p ?o }} }}",
        f"COPY SILENT <{url}> TO <urn:x>",
    ]


def payloads(url: str) -> list[tuple[str, str]]:
    """Media types and payloads that name something elsewhere to be read with them."""

    def ld(context: object) -> str:
        return json.dumps({"@context": context, "@id": "urn:x", "name": "x"})

    def dtd(declaration: str, body: str = "") -> str:
        return f'<?xml version="1.0"?>{declaration}<rdf:RDF xmlns:rdf="{_RDF}">{body}</rdf:RDF>'

    return [
        ("application/ld+json", ld(url)),
        ("application/ld+json", ld([url + "a", {"name": "urn:name"}])),
        ("application/ld+json", ld({"@import": url})),
        ("application/ld+json", ld({"name": {"@id": "urn:name", "@context": url}})),
        ("application/ld+json", ld({"@vocab": url})),
        ("application/rdf+xml", dtd(f'<!DOCTYPE r SYSTEM "{url}r.dtd">')),
        ("application/rdf+xml", dtd(f'<!DOCTYPE r PUBLIC "-//x" "{url}r.dtd">')),
        ("application/rdf+xml", dtd(f'<!DOCTYPE r [<!ENTITY x SYSTEM "{url}x">]>', "&x;")),
        ("application/rdf+xml", dtd(f'<!DOCTYPE r [<!ENTITY % x SYSTEM "{url}x"> %x;]>')),
        ("application/rdf+xml", dtd(f'<?xml-stylesheet href="{url}x.xsl"?>')),
        ("application/rdf+xml", dtd("", f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{url}"/>')),
        ("text/turtle", f"@base <{url}> . @prefix owl: <http://www.w3.org/2002/07/owl#> . <> owl:imports <x> ."),
    ]


def requests(url: str) -> Iterator[Request]:
    """Every form as an HTTP request."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    away = {
        "Host": url.split("/")[2],
        "X-Forwarded-Host": url.split("/")[2],
        "Forwarded": f"host={url}",
        "Referer": url,
    }
    for i, query in enumerate(queries(url)):
        if i % 2:
            yield "GET", "/sparql?" + urlencode({"query": query}), {}, b""
        else:
            yield "POST", "/sparql", {"Content-Type": "application/sparql-query"}, query.encode()
    for update in updates(url):
        yield "POST", "/sparql", form, urlencode({"update": update}).encode()
    for name in ("default-graph-uri", "named-graph-uri"):
        yield "GET", "/sparql?" + urlencode({"query": "SELECT * { ?s ?p ?o }", name: url}), {}, b""
    for name in ("using-graph-uri", "using-named-graph-uri"):
        update = urlencode({"update": "DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", name: url})
        yield "POST", "/sparql", form, update.encode()
    for media_type, payload in payloads(url):
        yield "PUT", "/graphs?graph=urn:x", {"Content-Type": media_type}, payload.encode()
    for method in ("GET", "PUT", "DELETE"):
        yield method, "/graphs?" + urlencode({"graph": url}), {"Content-Type": "text/turtle"}, b""
    yield "POST", "/ask", {"Content-Type": "application/json"}, json.dumps({"question": f"What is at {url}?"}).encode()
    for path in ("/entities/", "/documents/", "/search?q=", "/export?format="):
        yield "GET", path + quote(url, safe=""), {}, b""
    for path in ("/sparql", "/.well-known/void", "/graphs?default"):
        yield "GET", path, away, b""
    yield "GET", url + "sparql?query=ASK%7B%7D", {}, b""
