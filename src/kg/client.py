"""A client of a Citegraph server, of the same shape as :class:`kg.KnowledgeBase`.

    from kg import Client
    with Client("http://127.0.0.1:8000") as kb:
        print(kb.ask("Who built the lighthouse?").answer)

Needs httpx: ``pip install 'citegraph[client]'``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote

import pyoxigraph as ox
from pydantic import TypeAdapter

from kg import results
from kg.errors import BadInput, CitegraphError, NotFound
from kg.model import Answer
from kg.reports import DocumentSummary
from kg.results import Row

if TYPE_CHECKING:
    import httpx
    import pandas as pd

_TIMEOUT_S = 60.0
_RESULTS = "application/sparql-results+json"
_TRIPLES = "application/n-triples"


class Client:
    """A knowledge base behind HTTP. ``key``: a read, write or admin key where the server wants one."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        key: str | None = None,
        *,
        timeout: float = _TIMEOUT_S,
        http: httpx.Client | None = None,
    ) -> None:
        """``timeout`` in seconds; ``http`` replaces the client that would be made. Raises CitegraphError."""
        if http is None:
            try:
                import httpx
            except ImportError as error:
                raise CitegraphError("the client needs httpx", "pip install 'citegraph[client]'") from error
            http = httpx.Client(base_url=url, timeout=timeout, follow_redirects=False)
        self._http = http
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    # --- asking ------------------------------------------------------------------------------

    def ask(self, question: str, history: Sequence[Mapping[str, str]] = (), limit: int | None = None) -> Answer:
        """The answer to a question in English, or an abstention with its reason."""
        body = {"question": question, "history": list(history), "limit": limit}
        return TypeAdapter(Answer).validate_json(self._send("POST", "/ask", json=body).content)

    def query(self, sparql: str) -> list[Row]:
        """A query's results as rows (see :func:`kg.results.rows`). Raises CitegraphError with the server's reason."""
        response = self._send("POST", "/sparql", data={"query": sparql}, accept=f"{_RESULTS}, {_TRIPLES};q=0.9")
        if response.headers["content-type"].startswith(_TRIPLES):
            return results.triple_rows(ox.parse(response.content, format=ox.RdfFormat.N_TRIPLES))
        return results.rows(ox.parse_query_results(response.content, format=ox.QueryResultsFormat.JSON))

    def frame(self, sparql: str) -> pd.DataFrame:
        """A query's results as a pandas data frame."""
        return results.frame(self.query(sparql))

    def search(self, text: str, limit: int = 10) -> list[Row]:
        """The passages that speak most about a text: "passage", "document", "title", "heading", "text", "score"…"""
        hits: list[Row] = self._send("GET", "/search", params={"q": text, "limit": limit}).json()["hits"]
        return hits

    # --- documents ---------------------------------------------------------------------------

    def documents(self) -> list[DocumentSummary]:
        """Every document, by identifier."""
        found = self._send("GET", "/documents").json()["documents"]
        return TypeAdapter(list[DocumentSummary]).validate_python(found)

    def put(self, data: bytes, name: str) -> Row:
        """Adds or replaces one document from its bytes; the report of what was found. Needs a write key."""
        return self._change("PUT", name, content=data)

    def add(self, paths: Iterable[str | Path]) -> list[Row]:
        """Adds or updates files by their names, one after the other; their reports. Needs a write key."""
        files = [Path(path) for path in paths]
        if missing := [str(f) for f in files if not f.is_file()]:
            raise BadInput(f"no such file: {', '.join(missing)}", "name files; folders are added by `kg build`")
        return [self.put(file.read_bytes(), file.name) for file in files]

    def remove(self, documents: Iterable[str]) -> list[Row]:
        """Removes documents by identifier or name; what only they stated goes with them. Needs a write key."""
        return [self._change("DELETE", name) for name in documents]

    def _change(self, method: str, name: str, **arguments: Any) -> Row:
        report: Row = self._send(method, f"/documents/{quote(name)}", **arguments).json()
        return report

    # --- graph -------------------------------------------------------------------------------

    def export(self, stream: IO[bytes], format: str = "turtle", provenance: str = "full") -> None:
        """Writes the graph as RDF to a binary stream."""
        stream.write(self._send("GET", "/export", params={"format": format, "provenance": provenance}).content)

    def _send(self, method: str, path: str, accept: str = "application/json", **arguments: Any) -> httpx.Response:
        headers = {**self._headers, "Accept": accept if path != "/export" else "*/*"}
        response = self._http.request(method, path, headers=headers, **arguments)
        if response.is_success:
            return response
        raise _problem(response)


def _problem(response: httpx.Response) -> CitegraphError:
    """The server's refusal (RFC 9457 problem details) as an error."""
    try:
        told = response.json()
        message, hint = str(told.get("detail") or told.get("title")), str(told.get("hint") or "")
    except (ValueError, AttributeError):
        message, hint = f"the server answered {response.status_code}", ""
    kind = NotFound if response.status_code == 404 else BadInput if response.status_code < 500 else CitegraphError
    return kind(message, hint)
