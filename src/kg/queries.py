"""A SPARQL query run in this process for the person who owns it: the same results as over HTTP, without limits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from kg.errors import BadQuery, Unsupported
from kg.guard import check_query
from kg.query_errors import readable

if TYPE_CHECKING:
    from kg.knowledge_base import KnowledgeBase

_T = TypeVar("_T")
_STACK = 512 * 1024 * 1024
_NO_LIMIT = 1 << 62


def query_prefixes(knowledge_base: KnowledgeBase) -> dict[str, str]:
    """Prefixes that queries needn't declare: those of the ontology's files and of the knowledge base."""
    snapshot = knowledge_base.snapshot
    named = {prefix: iri for prefix, iri in snapshot.ontology.prefixes.items() if prefix}
    return {**named, **snapshot.namespaces.prefixes()}


def bad_query(message: str, query: str) -> BadQuery:
    """The error for a query that the engine doesn't take, with the line where it shows."""
    message = " ".join(message.split())
    place, _, reason = message.partition(": ") if message.startswith("error at ") else ("", "", message)
    try:
        line, column = (int(n) for n in place.removeprefix("error at ").split(":"))
        shown = query.splitlines()[line - 1].strip()[:120]
    except (ValueError, IndexError):
        return BadQuery(f"the query can't be run: {message}", "see the SPARQL 1.1 specification")
    told = readable(reason, query, line, column)
    return BadQuery(f"the query doesn't parse at line {line}, column {column}: {told}", f"look at: {shown}")


def run_query(
    knowledge_base: KnowledgeBase, query: str, rows_format: str | None, graph_format: str | None
) -> tuple[bytes, bool]:
    """The serialised result and whether it is a graph; formats are pyoxigraph's names (``JSON``, ``TURTLE``).

    Raises QueryRefused, BadQuery, Unsupported.
    """
    from kg.api.worker import evaluate

    check_query(query)
    request: dict[str, object] = {
        "query": query,
        "rows_format": rows_format,
        "graph_format": graph_format,
        "default_graph": [],
        "named_graph": [],
        "base": knowledge_base.snapshot.namespaces.base,
        "prefixes": query_prefixes(knowledge_base),
        "max_rows": _NO_LIMIT,
        "max_bytes": _NO_LIMIT,
    }
    reply, body = _with_deep_stack(lambda: knowledge_base.steadily(lambda: evaluate(_Queried(knowledge_base), request)))
    if reply.get("error") == "format":
        kind = "triples" if reply["graph"] else "rows"
        raise Unsupported(f"the result is {kind}, which the format asked for can't hold", "choose another --format")
    if "error" in reply:
        raise bad_query(str(reply["message"]), query)
    return body, bool(reply["graph"])


class _Queried:
    """The knowledge base's store, called as pyoxigraph's is."""

    def __init__(self, knowledge_base: KnowledgeBase) -> None:
        self._knowledge_base = knowledge_base

    def query(self, query: str, **parameters: Any) -> Any:
        """Results of a query. Raises as the store does."""
        return self._knowledge_base.snapshot.store.evaluate(query, **parameters)


def _with_deep_stack(work: Callable[[], _T]) -> _T:
    """The result of ``work``: only threads can have the stack that long chains of operators take."""
    results: list[_T] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            failures.append(error)

    before = threading.stack_size(_STACK)
    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    if failures:
        raise failures[0]
    return results[0]
